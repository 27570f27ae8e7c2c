"""The virtual table's page, with the real unit process behind it, in a real Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from deploy import children
from tests.waiting import until

STEPS = 80           # clicks in which a hand must end
NOT_BUSY_MS = 15_000


class Bench:
    """The page of a running virtual table."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url

    def open(self, lang: str = "en") -> None:
        self.page.goto(f"{self.url}?lang={lang}")
        expect(self.page.locator(".hinted.first")).to_be_visible()

    def click(self, control: str) -> None:
        """Clicks `#control` and waits until the page shows what came of it."""
        self.page.locator(f"#{control}").click()
        self.settled()

    def settled(self) -> None:
        expect(self.page.locator("body")).to_have_attribute("data-busy", "no", timeout=NOT_BUSY_MS)

    def hinted(self) -> str:
        return str(self.page.locator(".hinted.first").get_attribute("id"))

    def follow(self) -> str:
        """Clicks what the hint speaks of first; keys must be lit. Its name."""
        control = self.hinted()
        if control.startswith("key-"):
            expect(self.page.locator(f"#{control}")).to_have_class(re.compile(r"\blit\b"))
        self.click(control)
        return control

    def follow_until(self, control: str) -> list[str]:
        """Follows the hints until one speaks of `control` first; what was clicked."""
        clicked: list[str] = []
        while self.hinted() != control:
            clicked.append(self.follow())
            assert len(clicked) < STEPS, f"the hints do not lead to {control}: {clicked}"
        return clicked

    def shows(self, text: str) -> None:
        """The prompt display says so, in its own dots."""
        expect(self.page.locator("#prompt")).to_have_attribute("aria-label", re.compile(text), timeout=NOT_BUSY_MS)

    def stacks(self) -> list[int]:
        texts = self.page.locator(".seat .stack").all_inner_texts()
        return [int(text.replace(",", "").replace(".", "")) for text in texts]


def served(tmp_path: Path, page: Page, *options: str) -> Iterator[Bench]:
    log = tmp_path / "page.log"
    process = children.spawn(children.bottone("virtual-table", *options), log)
    try:
        until(lambda: "http://" in log.read_text() or process.poll() is not None, 20)
        found = re.search(r"http://\S+", log.read_text())
        assert found, log.read_text()
        yield Bench(page, found[0])
    finally:
        page.goto("about:blank")
        status = children.end(process, 10)
    assert status == 0, log.read_text()


@pytest.fixture
def bench(tmp_path: Path, page: Page) -> Iterator[Bench]:
    yield from served(tmp_path, page)


@pytest.fixture
def heads_up(tmp_path: Path, page: Page) -> Iterator[Bench]:
    yield from served(tmp_path, page, "--players", "2")


def test_a_newcomer_deals_a_hand_by_following_the_hints(bench: Bench) -> None:
    bench.open()
    assert bench.follow() == "shuffle"

    clicked = bench.follow_until("shuffle")

    assert clicked.count("deal") == 4                        # hole cards, flop, turn, river
    assert {"key-check_call", "deal"} == set(clicked)
    bench.shows("Hand is over")
    expect(bench.page.locator(".board .card:not(.none)")).to_have_count(5)
    expect(bench.page.locator(".paid li")).to_have_count(1)
    expect(bench.page.locator(".seat.winner")).not_to_have_count(0)
    assert sum(bench.stacks()) == 6 * 10_000
    assert max(bench.stacks()) > 10_000


@pytest.fixture
def unsettled(tmp_path: Path, page: Page) -> Iterator[Bench]:
    yield from served(tmp_path, page, "--players", "0")


def test_a_new_table_is_set_up_by_following_the_hints(unsettled: Bench) -> None:
    unsettled.open()
    unsettled.shows("Table without a hub")

    unsettled.follow_until("shuffle")

    expect(unsettled.page.locator(".seat:not(.vacant)")).to_have_count(2)
    unsettled.shows("Shuffle, then DEAL")


def test_nobody_sees_a_card_before_it_is_tabled(bench: Bench) -> None:
    bench.open()
    bench.click("deal")

    bench.shows("Turn 4")
    expect(bench.page.locator(".seat .backs")).to_have_count(6)
    expect(bench.page.locator("#table .card:not(.none)")).to_have_count(0)
    expect(bench.page.locator(".deck .chip:disabled")).to_have_count(12)


def test_a_shoe_that_is_unplugged_is_said_and_after_the_plug_the_deal_goes_on(bench: Bench) -> None:
    bench.open()
    bench.click("shuffle")
    for _ in range(3):
        bench.click("draw")
    bench.shows("Card to seat 5")

    bench.click("shoe-cable")
    bench.shows("Shoe: cable")
    assert bench.hinted() == "shoe-cable"
    bench.click("draw")                                      # it leaves the shoe; the table hears of it later
    bench.shows("Card to seat 5")

    bench.follow()
    bench.shows("Card to seat 6")
    bench.click("deal")
    bench.shows("Turn 4")


def test_a_card_that_comes_twice_calls_the_floor_and_the_director_decides(bench: Bench) -> None:
    bench.open()
    bench.follow_until("key-check_call")

    bench.click("shoe-twice")
    bench.shows("Director decides")
    expect(bench.page.locator("#table .floor")).to_be_visible()
    assert bench.follow() == "badge-director"
    bench.shows("FLOOR")

    bench.follow_until("push")
    bench.follow()
    expect(bench.page.locator("#table .floor")).to_have_count(0)


@pytest.fixture
def no_reader(tmp_path: Path, page: Page) -> Iterator[Bench]:
    yield from served(tmp_path, page, "--players", "2", "--badge", "none")


def test_without_a_badge_reader_the_director_decides_with_the_pin(no_reader: Bench) -> None:
    no_reader.open()
    no_reader.follow_until("key-check_call")
    no_reader.click("shoe-twice")
    no_reader.shows("Director decides")

    clicked = no_reader.follow_until("key-check_call")

    assert clicked == ["key-floor", "push", *["key-fold"] * 4]
    expect(no_reader.page.locator("#table .floor")).to_have_count(0)


def test_damaged_frames_cost_no_card(bench: Bench) -> None:
    bench.open()
    bench.click("shuffle")
    for fault in ("drop", "corrupt", "duplicate", "reorder", "noise"):
        bench.click(f"frame-{fault}")
    bench.click("shoe-noise")

    bench.click("deal")

    bench.shows("Turn 4")
    expect(bench.page.locator(".deck .chip:disabled")).to_have_count(12)


@pytest.fixture(params=["angel_eye_ii_ex", "bee_tek", "barcode", "rfid_deck"])
def other_shoe(request: pytest.FixtureRequest, tmp_path: Path, page: Page) -> Iterator[tuple[Bench, str]]:
    for bench in served(tmp_path, page, "--players", "2", "--shoe", request.param, "--badge", "pn532"):
        yield bench, request.param


def test_a_newcomer_deals_a_hand_with_any_shoe(other_shoe: tuple[Bench, str]) -> None:
    bench, kind = other_shoe
    bench.open()
    expect(bench.page.locator("#shoe-kind")).to_have_value(kind)
    expect(bench.page.locator("#reader-kind")).to_have_value("pn532")
    assert bench.follow() == "shuffle"
    assert bench.follow() == "key-deal"                      # such a shoe does not say that it was filled

    clicked = bench.follow_until("shuffle")

    assert clicked.count("deal") == 4
    assert clicked[1] == "key-check_call"                    # nor does it prove the count: the dealer says it is right
    bench.shows("Hand is over")
    expect(bench.page.locator(".board .card:not(.none)")).to_have_count(5)
    assert sum(bench.stacks()) == 2 * 10_000


def test_every_mishap_of_any_shoe_can_be_tried_and_none_stops_the_table(other_shoe: tuple[Bench, str]) -> None:
    bench, kind = other_shoe
    bench.open()
    bench.click("shuffle")
    bench.click("key-deal")
    bench.click("draw")
    for control in ("frame-drop", "frame-corrupt", "frame-duplicate", "frame-reorder", "frame-noise", "shoe-noise"):
        bench.click(control)
    tried = 0
    for button in bench.page.locator(".mishaps button:not(:disabled)").all():
        bench.click(str(button.get_attribute("id")))
        tried += 1
    for control in ("shoe-torn", "shoe-cable", "shoe-stall", "shoe-stall", "shoe-reboot"):
        bench.click(control)

    bench.click("badge-director")

    assert tried >= 6
    bench.shows("FLOOR")
    expect(bench.page.locator("#said")).to_be_empty()
    cannot = bench.page.locator("#card-door")
    expect(cannot).to_be_disabled()
    expect(cannot).to_have_attribute("title", "This shoe has no such thing.")
    if kind in {"bee_tek", "rfid_deck"}:
        expect(bench.page.locator("#card-boxed")).to_have_attribute("title", "This shoe does not notice it.")


def test_a_shoe_that_keeps_nothing_and_was_away_in_the_hand_is_verified(tmp_path: Path, page: Page) -> None:
    for bench in served(tmp_path, page, "--players", "2", "--shoe", "bee_tek"):
        bench.open()
        bench.click("shuffle")
        bench.click("key-deal")
        bench.click("draw")
        bench.click("shoe-cable")
        bench.shows("Shoe: cable")
        bench.click("draw")                                  # nobody hears of it
        bench.click("shoe-cable")
        bench.shows("Shoe was away")
        expect(bench.page.locator("#hint")).to_have_text(re.compile("does not say what it gave"))

        bench.click("key-floor")

        bench.shows("Director decides|Call the director")


def test_a_deal_waits_for_a_jam_to_be_cleared_or_is_dealt_by_hand(heads_up: Bench) -> None:
    heads_up.open()
    heads_up.click("shuffle")
    heads_up.click("draw")
    heads_up.click("card-jam")
    heads_up.shows(r"The shoe is jammed\s+Clear the cards")
    assert heads_up.hinted() == "card-jam"

    heads_up.click("key-deal")
    heads_up.shows("Deal without it")
    heads_up.click("card-jam")
    heads_up.shows("Card to seat")
    heads_up.click("card-jam")
    heads_up.click("key-deal")
    assert heads_up.follow() == "key-deal"
    heads_up.shows("Turn 1")


def test_another_shoe_and_another_reader_are_fitted_in_the_middle_of_a_hand(heads_up: Bench) -> None:
    heads_up.open()
    heads_up.click("shuffle")
    for _ in range(2):
        heads_up.click("draw")
    heads_up.shows("Card to seat 1")

    heads_up.page.locator("#shoe-kind").select_option("rfid_deck")
    heads_up.settled()
    heads_up.page.locator("#reader-kind").select_option("id12la")
    heads_up.settled()
    heads_up.click("draw")

    expect(heads_up.page.locator("#card-jam")).to_be_disabled()
    expect(heads_up.page.locator(".deck .chip:disabled")).to_have_count(3)
    heads_up.click("badge-dealer")
    heads_up.shows("Dealer")


def test_a_table_without_a_shoe_is_dealt_by_hand_by_following_the_hints(heads_up: Bench) -> None:
    heads_up.open()
    heads_up.page.locator("#shoe-kind").select_option("")
    heads_up.settled()

    assert heads_up.follow() == "key-deal"
    expect(heads_up.page.locator("#deal")).to_be_disabled()
    for _ in range(2):
        assert heads_up.follow() == "key-deal"               # the first card, and all the others
    heads_up.shows("Turn 1")


@pytest.mark.parametrize("reader", ["rdm6300", "id12la", "pn532"])
def test_every_fault_of_any_badge_reader_can_be_tried(heads_up: Bench, reader: str) -> None:
    heads_up.open()
    if reader != "rdm6300":
        heads_up.page.locator("#reader-kind").select_option(reader)
        heads_up.settled()
    heads_up.click("reader-cable")
    heads_up.shows("Reader: check cable")
    heads_up.click("reader-cable")
    heads_up.click("reader-half")
    heads_up.click("reader-noise")
    for fault in ("drop", "corrupt", "duplicate", "reorder", "noise"):
        heads_up.click(f"badge-frame-{fault}")

    heads_up.click("badge-dealer")
    heads_up.shows("Dealer")
    heads_up.click("badge-revoked")
    heads_up.shows("revoked")
    heads_up.click("badge-director")
    heads_up.shows("FLOOR")


def test_worn_keys_bounce_and_every_press_is_one(heads_up: Bench) -> None:
    heads_up.open()
    heads_up.click("bounce")
    heads_up.follow_until("key-check_call")
    heads_up.shows("Turn 1")

    heads_up.follow()

    heads_up.shows("Turn 2")
    expect(heads_up.page.locator("#bounce")).to_have_text("new keys")


def test_a_finger_on_two_keys_is_said(heads_up: Bench) -> None:
    heads_up.open()
    heads_up.follow_until("key-check_call")

    heads_up.click("together")

    heads_up.shows("Two keys at once")


def test_a_key_that_sticks_is_seen_and_the_others_go_on(heads_up: Bench) -> None:
    heads_up.open()
    heads_up.click("stuck-undo")
    expect(heads_up.page.locator("#key-undo")).to_have_class(re.compile(r"\bdown\b"))
    heads_up.click("deal")
    heads_up.shows("Turn 1")

    heads_up.click("key-fold")

    heads_up.shows("Hand is over")


def test_cards_that_were_chosen_come_in_that_order(heads_up: Bench) -> None:
    heads_up.open()
    heads_up.click("shuffle")
    for card in ("As", "Kd", "Ah", "Kc", "2c"):
        heads_up.click(f"card-{card}")
    heads_up.click("card-2c")                                # let go again
    expect(heads_up.page.locator("#coming .stacked")).to_have_count(4)

    heads_up.follow_until("shuffle")

    hands = heads_up.page.locator(".seat .shown").all_inner_texts()
    assert sorted("".join(hand.split()) for hand in hands) == ["A♠A♥", "K♦K♣"]


def test_the_knob_turns_by_wheel_by_button_and_pushed(heads_up: Bench) -> None:
    heads_up.open()
    heads_up.follow_until("key-check_call")
    heads_up.click("key-bet_raise")
    heads_up.shows("raises to 200")

    heads_up.page.locator("#knob").hover()
    heads_up.page.mouse.wheel(0, 100)
    heads_up.settled()
    heads_up.shows("raises to 225")
    heads_up.click("knob-right-pushed")
    heads_up.shows("raises to (?!225)")
    heads_up.click("push")                                   # the next preset
    heads_up.click("key-bet_raise")
    heads_up.shows(r"Turn[\s\S]*Call")


def test_a_table_whose_power_is_pulled_goes_dark_and_comes_back_where_it_stood(bench: Bench) -> None:
    bench.open()
    bench.follow_until("key-check_call")
    bench.follow()
    before = bench.page.locator("#table .pot b").inner_text()

    bench.click("power")
    bench.shows(r"^\s*$")
    expect(bench.page.locator(".key.lit")).to_have_count(0)
    bench.click("key-fold")
    expect(bench.page.locator("#said")).to_have_text("The table has no power.")

    assert bench.follow() == "power"
    bench.shows("Turn 5")
    expect(bench.page.locator("#table .pot b")).to_have_text(before)


def test_the_page_speaks_italian(bench: Bench) -> None:
    bench.open("it")

    expect(bench.page.locator("#hint")).to_have_text(re.compile("mazzo mescolato"))
    bench.page.locator(".banner a").click()
    expect(bench.page.locator("#hint")).to_have_text(re.compile("shuffled deck"))


def test_other_sites_can_neither_act_nor_ask_by_another_name(bench: Bench) -> None:
    act = '{"do":"press","key":"deal"}'

    cross = httpx.post(f"{bench.url}act", content=act, headers={"sec-fetch-site": "cross-site"})
    none = httpx.post(f"{bench.url}act", content=act)
    own = httpx.post(f"{bench.url}act", content='{"do":"rule"}', headers={"sec-fetch-site": "same-origin"})
    named = httpx.get(bench.url, headers={"host": "evil.example"})
    page = httpx.get(bench.url)

    assert [answer.status_code for answer in (cross, none, own, named, page)] == [403, 403, 400, 421, 200]
    assert "default-src 'self'" in page.headers["content-security-policy"]
