"""Takes the picture of the virtual table for the documents: `python scripts/virtual_table_picture.py`.

Needs what the browser tests need (Playwright and Debian's Chromium). Starts `bottone virtual-table`, plays it by clicks
on the page as a person would, and writes docs/pictures/virtual-table.png: a raise is open on the turn,
and the next cards are chosen.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from deploy import children

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "virtual-table.png"
WIDTH, HEIGHT = 1680, 1420
SEED = "7"
START_TIMEOUT_S = 30.0
ACT_TIMEOUT_MS = 15_000
POLL_S = 0.05

TO_THE_TURN = (
    "shuffle", "deal",
    "key-fold", "key-bet_raise", "knob-right", "knob-right", "key-bet_raise", "key-fold",      # seat 5 raises
    "key-check_call", "key-check_call", "key-fold",
    "deal", "key-check_call", "key-bet_raise", "push", "key-bet_raise", "key-check_call", "key-check_call",
    "deal", "key-bet_raise", "push", "key-bet_raise", "card-As", "card-Jh", "key-bet_raise", "knob-right",
)  # fmt: skip


def main() -> int:
    """Takes it. Returns 0, or 1 where there is no browser or no table."""
    chromium = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium"))), None)
    if chromium is None:
        print("no Chromium on this machine: apt-get install chromium-headless-shell", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        log = Path(folder) / "page.log"
        table = children.spawn(children.bottone("virtual-table", "--language", "en"), log)
        try:
            browser = playwright.chromium.launch(executable_path=chromium)
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=1)
            page.goto(f"{_address(log)}?lang=en")
            expect(page.locator(".hinted.first")).to_be_visible()
            page.locator("#seed").fill(SEED)
            for control in TO_THE_TURN:
                _click(page, control)
            page.screenshot(path=PICTURE, animations="disabled")
            browser.close()
        except TimeoutError as trouble:
            print(f"{trouble}: {children.tail(log)}", file=sys.stderr)
            return 1
        finally:
            children.end(table)
    print(PICTURE)
    return 0


def _address(log: Path) -> str:
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline:
        if found := re.search(r"http://\S+", log.read_text(encoding="utf-8")):
            return found[0]
        time.sleep(POLL_S)
    raise TimeoutError("the virtual table does not start")


def _click(page: Page, control: str) -> None:
    page.locator(f"#{control}").click()
    expect(page.locator("body")).to_have_attribute("data-busy", "no", timeout=ACT_TIMEOUT_MS)


if __name__ == "__main__":
    sys.exit(main())
