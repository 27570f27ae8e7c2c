"""From a key at a table to a browser: a real table process, a real broker, a real hub, a real Chromium.

The moment of the press is taken before it is given to the table; the moment of the change inside the page, by an
observer that sees the table drawn anew (and not its age counting), in the page's own time. The two clocks are laid over
each other with the sample of least round trip out of `OFFSET_SAMPLES`; half of that round trip is the error.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.row import Row, percentile
from deploy.small_room import SmallRoom, small_room
from drivers.seen import Key
from engine.view import Due

PRESSES = 200
OFFSET_SAMPLES = 50
WATCH = """() => {
  window.changes = [];
  new MutationObserver(() => window.changes.push(performance.now()))
    .observe(document.querySelector('#table-1'), {childList: true});
}"""
CHANGED = "() => { const seen = window.changes; window.changes = []; return seen }"
MEDIAN_LIMIT_MS, P99_LIMIT_MS = 50.0, 150.0
WAIT_S = 5.0


def rows() -> list[Row]:
    """Median and p99 of `PRESSES` presses."""
    program = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium"))), None)
    if program is None:
        raise SystemExit("no Chromium on this machine: apt-get install chromium-headless-shell")
    with tempfile.TemporaryDirectory() as folder, small_room(Path(folder)) as room, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        page.goto(room.url)
        page.wait_for_selector("body[data-rev]")
        page.evaluate(WATCH)
        delays = _delays(room, page)
        browser.close()
    note = f"{PRESSES} presses"
    return [
        Row("key press to browser, median", statistics.median(delays), "ms", limit=MEDIAN_LIMIT_MS, note=note),
        Row("key press to browser, p99", percentile(delays, 0.99), "ms", limit=P99_LIMIT_MS, note=note),
    ]


def _delays(room: SmallRoom, page: Page) -> list[float]:
    offset_ms = _offset_ms(page)
    delays: list[float] = []
    while len(delays) < PRESSES:
        if room.table.glance().view.due is not Due.ACTION:
            room.deal()
            _settle(page, room)
        pressed_ms = time.perf_counter() * 1000
        room.table.press(Key.FOLD)
        delays.append(_first_change_ms(page) - offset_ms - pressed_ms)
        _settle(page, room)
    return delays


def _offset_ms(page: Page) -> float:
    """The page's `performance.now()` minus our `perf_counter()`, in ms."""
    best, offset = float("inf"), 0.0
    for _ in range(OFFSET_SAMPLES):
        asked = time.perf_counter() * 1000
        there = float(page.evaluate("performance.now()"))
        back = time.perf_counter() * 1000
        if back - asked < best:
            best, offset = back - asked, there - (asked + back) / 2
    return offset


def _first_change_ms(page: Page) -> float:
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        if changes := page.evaluate(CHANGED):
            return float(changes[0])
    raise TimeoutError("a press did not reach the page")


def _settle(page: Page, room: SmallRoom) -> None:
    """Waits until the page shows all that the table has said, so that the next change belongs to the next press."""
    room.table.wait(lambda seen: seen.outbox == 0, "the hub")
    rev = room.hub.picture().rev
    deadline = time.monotonic() + WAIT_S
    while int(page.evaluate("document.body.dataset.rev")) < rev and time.monotonic() < deadline:
        pass
    page.evaluate(CHANGED)
