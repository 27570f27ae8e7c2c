"""From a key to a browser: a real table, a real broker, a real hub, a real Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from deploy.small_room import SmallRoom, small_room
from drivers.seen import Key
from engine.view import Due

EVIL = "<script>document.title='owned'</script>"


@pytest.fixture
def room(tmp_path: Path) -> Iterator[SmallRoom]:
    with small_room(tmp_path, ("Ada", EVIL, "Carla")) as running:
        yield running


def test_a_press_at_the_table_changes_the_page(room: SmallRoom, page: Page) -> None:
    page.goto(f"{room.url}/?lang=en")
    expect(page.locator("#table-1 .seat:not(.vacant)")).to_have_count(3)
    expect(page.locator("#table-1 .link")).to_have_text(re.compile("online"))
    expect(page.locator(".seat .name", has_text="<script>")).to_have_text(EVIL)

    room.deal()
    seen = room.table.glance()
    expect(page.locator("#table-1 .hand")).to_have_text(re.compile("Hand 1"))
    expect(page.locator("#table-1 .seat.turn")).to_have_attribute("data-seat", str(seen.view.to_act))
    expect(page.locator("#table-1 .pot b")).to_have_text("75")

    folded = seen.view.to_act
    after = room.table.press(Key.FOLD)

    expect(page.locator("#table-1 .seat.folded")).to_have_attribute("data-seat", str(folded))
    expect(page.locator("#table-1 .seat.turn")).to_have_attribute("data-seat", str(after.view.to_act))
    expect(page).to_have_title(re.compile("Bottone"))


def test_all_in_and_the_end_of_a_hand_are_seen(room: SmallRoom, page: Page) -> None:
    page.goto(f"{room.url}/?lang=en")
    room.deal()

    all_in = room.table.glance().view.to_act
    room.table.press(Key.ALL_IN)
    expect(page.locator("#table-1 .seat.all-in")).to_have_attribute("data-seat", str(all_in))

    while room.table.glance().view.due is Due.ACTION:
        room.table.press(Key.FOLD)
    expect(page.locator("#table-1 .street")).to_have_text("Between hands")
    assert room.hub.picture().tables[0].view.hand == 1


def test_the_clock_on_the_wall_is_the_tournaments(room: SmallRoom, page: Page) -> None:
    page.goto(f"{room.url}/clock?lang=en")

    expect(page.locator(".digits")).to_have_text(re.compile(r"(9:59:\d\d|10:00:00)"))
    expect(page.locator(".stakes b").first).to_have_text("25 / 50")

    room.hub.direct("pause")
    expect(page.locator(".banner .of-state")).to_have_text("Clock stopped")
    room.hub.direct("resume")
    expect(page.locator(".banner .of-state")).to_have_text("")


def test_a_page_whose_hub_was_killed_says_so_and_comes_back_by_itself(room: SmallRoom, page: Page) -> None:
    room.deal()
    page.clock.install()
    page.goto(f"{room.url}/?lang=en")
    expect(page.locator("#table-1 .seat.turn")).to_be_attached()

    room.hub_process.kill9()
    page.clock.run_for(20_000)
    expect(page.locator(".stale-banner")).to_have_text(re.compile("Not live since"))
    folded = room.table.glance().view.to_act
    room.table.press(Key.FOLD)                        # the table goes on without its hub

    room.hub_process.start()
    expect(page.locator(".stale-banner")).to_be_hidden(timeout=20_000)
    expect(page.locator("#table-1 .seat.folded")).to_have_attribute("data-seat", str(folded), timeout=20_000)
