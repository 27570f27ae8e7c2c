"""A real Chromium, Debian's own. One browser a module, a fresh context a test.

A missing browser is a failure with the way out, not a skip.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

QUIET = [
    "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
]  # fmt: skip


def chromium() -> str:
    """The browser's program. Fails where there is none."""
    for name in ("chromium-headless-shell", "chromium"):
        found = shutil.which(name, path="/usr/bin:/usr/local/bin")
        if found is not None:
            return found
    pytest.fail("no Chromium on this machine: apt-get install chromium-headless-shell")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser. It ends with its module: Playwright keeps an event loop in this thread while it runs."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
        yield running
        running.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """An empty page of a television's size. What a page says to its console is an error, whatever it is."""
    said: list[str] = []
    context = browser.new_context(viewport={"width": 1920, "height": 1080}, locale="it-IT")
    fresh = context.new_page()
    fresh.on("pageerror", lambda error: said.append(str(error)))
    yield fresh
    context.close()
    assert said == []
