"""Takes the pictures of the pages for the README, from a running demonstration: `python scripts/room_picture.py`.

Needs what the browser tests need (Playwright and Debian's Chromium). Writes docs/pictures/room.png and wall.png. The
moment is chosen by what is on the tables: all of them busy, one with a board, somebody out already.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from deploy import children
from deploy.broker import free_port
from deploy.hub_client import HubClient, HubGone
from engine.view import Part
from hub.picture import Picture

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
WIDTH, HEIGHT = 1920, 1080
SEED = "7"
TIMEOUT_S = 300.0
PLACES, BOARD, LIVE, BETS = 4, 3, 8, 3       # out; cards of a board; players in their hands; bets in front: at least
POLL_S = 0.05


def worth_a_picture(picture: Picture) -> bool:
    """Is there something to see at every table?"""
    views = [card.view for card in picture.tables if not card.closed]
    seats = [seat for view in views for seat in view.seats]
    return (
        len(picture.places) >= PLACES
        and len(views) == len(picture.tables)
        and all(card.running and card.view.to_act for card in picture.tables)
        and sum(len(view.board) >= BOARD for view in views) >= 1
        and sum(seat.part is Part.LIVE for seat in seats) >= LIVE
        and sum(seat.bet > 0 for seat in seats) >= BETS
    )


def main() -> int:
    """Takes them. Returns 0, or 1 if the evening never came to such a moment."""
    chromium = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium"))), None)
    if chromium is None:
        print("no Chromium on this machine: apt-get install chromium-headless-shell", file=sys.stderr)
        return 1
    PICTURES.mkdir(parents=True, exist_ok=True)
    port = free_port()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        demo = children.spawn(children.bottone("demo", "--seed", SEED, "--port", str(port)), Path(folder) / "demo.log")
        try:
            browser = playwright.chromium.launch(executable_path=chromium)
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            with HubClient(port) as hub:
                if not _opened(page, hub):
                    return 1
                _wait(hub)
                page.screenshot(path=PICTURES / "room.png")
                page.goto(f"http://127.0.0.1:{port}/clock?lang=en")
                page.wait_for_selector("body[data-rev]")
                page.screenshot(path=PICTURES / "wall.png")
            browser.close()
        except TimeoutError as trouble:
            print(f"{trouble}: {children.tail(Path(folder) / 'demo.log')}", file=sys.stderr)
            return 1
        finally:
            children.end(demo)
    print(f"{PICTURES / 'room.png'} {PICTURES / 'wall.png'}")
    return 0


def _opened(page: Page, hub: HubClient) -> bool:
    """Opens the room as soon as the hub answers; False if it never does."""
    deadline = time.monotonic() + TIMEOUT_S
    while time.monotonic() < deadline:
        try:
            hub.picture()
        except HubGone:
            time.sleep(POLL_S)
        else:
            page.goto(f"{hub.url}?lang=en")
            return True
    return False


def _wait(hub: HubClient) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while not worth_a_picture(hub.picture()):
        if time.monotonic() > deadline:
            raise TimeoutError("no moment worth a picture")
        time.sleep(POLL_S)


if __name__ == "__main__":
    sys.exit(main())
