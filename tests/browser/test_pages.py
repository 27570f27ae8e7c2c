"""What a person sees: the pages over a picture, in a real Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, pairwise

import msgspec
import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from engine.view import SeatView
from hub.directing import Details
from hub.picture import ClockState, Picture, RaceView
from hub.seating import Applicant
from tests.hub.evening import EVIL, Evening, table_one
from tests.hub.served import Served, served

STALE_MS = 20_000
TELEVISION: ViewportSize = {"width": 1920, "height": 1080}
TELEPHONE: ViewportSize = {"width": 390, "height": 844}


@pytest.fixture
def site() -> Iterator[Served]:
    with served(Evening()) as running:
        yield running


def live(page: Page, url: str) -> None:
    """Opens a page and waits until its stream speaks."""
    page.goto(url)
    expect(page.locator("body[data-rev]")).to_be_attached()


class TestRoom:
    @pytest.mark.parametrize("size", [TELEVISION, TELEPHONE], ids=["television", "telephone"])
    def test_every_seat_stands_on_its_own_place_round_the_table(
        self, site: Served, page: Page, size: ViewportSize
    ) -> None:
        page.set_viewport_size(size)
        live(page, site.url)

        boxes = [box for seat in page.locator("#table-1 .seat").all() if (box := seat.bounding_box()) is not None]
        title = page.locator("#table-1 header").bounding_box()

        assert len(boxes) == 9
        assert title is not None
        for first, second in combinations([title, *boxes], 2):
            apart = (
                first["x"] + first["width"] <= second["x"] or second["x"] + second["width"] <= first["x"]
                or first["y"] + first["height"] <= second["y"] or second["y"] + second["height"] <= first["y"]
            )  # fmt: skip
            assert apart, f"{first} covers {second}"

    def test_whose_turn_who_folded_who_is_all_in(self, site: Served, page: Page) -> None:
        live(page, site.url)
        first = page.locator("#table-1")

        expect(first.locator(".seat.turn .name")).to_have_text("Chen Wei")
        expect(first.locator(".seat.all-in .name")).to_have_text("Giulia Ferraris")
        expect(first.locator(".seat.folded")).to_have_count(3)
        expect(first.locator(".board .card:not(.none)")).to_have_text(["10♥", "9♠", "2♦", "K♣"])
        expect(first.locator(".pot b")).to_have_text("18.000")
        expect(first.locator(".puck")).to_have_attribute("data-seat", "2")

    def test_the_suits_are_drawn_and_hearts_are_red(self, site: Served, page: Page) -> None:
        live(page, site.url)

        widths = page.evaluate(
            """() => { const c = document.createElement('canvas').getContext('2d');
            c.font = "40px 'DejaVu Sans'"; return [...'♠♥♦♣'].map(s => c.measureText(s).width) }"""
        )
        assert min(widths) > 10
        colours = [
            page.locator(f"#table-1 .card.{suit}").evaluate("card => getComputedStyle(card).color")
            for suit in ("hearts", "diamonds", "spades")
        ]
        assert colours[0] == colours[1] != colours[2]

    def test_names_are_text(self, site: Served, page: Page) -> None:
        live(page, site.url)

        expect(page.locator("#table-2 .seat[data-seat='1'] .name")).to_have_text(EVIL)
        expect(page.locator(".tape .out").first).to_contain_text(EVIL)
        expect(page).to_have_title(re.compile("Torneo"))

    def test_a_change_is_seen_without_reload(self, site: Served, page: Page) -> None:
        live(page, site.url)
        page.evaluate("window.stayed = true")

        cards = site.evening.now.tables
        view = msgspec.structs.replace(
            table_one(), to_act=8, seats=tuple(
                msgspec.structs.replace(seat, stack=11_975, bet=2_400, last="call") if seat.seat == 5 else seat
                for seat in table_one().seats
            ),
        )  # fmt: skip
        site.do(
            site.evening.show, "table-1", tables=(msgspec.structs.replace(cards[0], view=view), *cards[1:])
        )

        expect(page.locator("#table-1 .seat.turn .name")).to_have_text("Tommaso")
        expect(page.locator("#table-1 .seat[data-seat='5'] .last")).to_have_text("call")
        assert page.evaluate("window.stayed")

    def test_an_elimination_and_a_place_appear_as_they_happen(self, site: Served, page: Page) -> None:
        live(page, site.url)
        before = site.evening.now
        site.do(
            site.evening.show, "tape", "places", "strip",
            tape=(*before.tape, msgspec.structs.replace(before.tape[1], player="p9", name="José Peña")),
            places=(msgspec.structs.replace(before.places[0], place=23, last=23, player="p9", name="José Peña"),
                    *before.places),
            players_left=22,
        )  # fmt: skip

        expect(page.locator(".tape li").first).to_contain_text("José Peña")
        expect(page.locator(".tape li").first.locator("strong")).to_have_text("23º")
        expect(page.locator(".ladder li").first).to_have_text(re.compile("23.*José Peña"))
        expect(page.locator(".players-left")).to_have_text("22 / 27")

    def test_a_table_that_is_silent_is_called_lost_with_its_age(self, site: Served, page: Page) -> None:
        live(page, site.url)

        expect(page.locator("#table-2 .link")).to_have_text(re.compile(r"non risponde\s+1 min"))
        expect(page.locator("#table-1 .link")).to_have_text(re.compile("in linea"))

    def test_english_on_request(self, site: Served, page: Page) -> None:
        live(page, f"{site.url}/?lang=en")

        expect(page.locator("#table-1 h2")).to_have_text("Table 1")
        expect(page.locator("#table-1 .pot b")).to_have_text("18,000")

    def test_eleven_seats_and_one_table_fit(self, site: Served, page: Page) -> None:
        cards = site.evening.now.tables
        seats = tuple(SeatView(n, f"x{n}", "Bartolomeo Bartolomei", 100_000 * n) for n in range(1, 12))
        view = msgspec.structs.replace(table_one(), size=11, seats=seats)
        site.evening.now = msgspec.structs.replace(
            site.evening.now, tables=(msgspec.structs.replace(cards[0], view=view),)
        )
        live(page, site.url)

        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        boxes = [seat.bounding_box() for seat in page.locator("#table-1 .seat").all()]
        assert all(
            first is not None and second is not None
            and (abs(first["x"] - second["x"]) > 20 or abs(first["y"] - second["y"]) > 20)
            for first, second in pairwise(boxes)
        )  # fmt: skip


@pytest.mark.parametrize("path", ["/", "/clock", "/director"])
def test_on_a_telephone_no_page_is_wider_than_its_screen(site: Served, page: Page, path: str) -> None:
    page.set_viewport_size(TELEPHONE)
    live(page, site.url + path)

    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


class TestClock:
    def test_it_counts_down_into_the_last_minute(self, site: Served, page: Page) -> None:
        site.evening.now = msgspec.structs.replace(
            site.evening.now, clock=msgspec.structs.replace(site.evening.now.clock, remaining_ms=64_000)
        )
        live(page, f"{site.url}/clock")

        expect(page.locator(".digits")).to_have_text("0:59", timeout=20_000)

        expect(page.locator(".face")).to_have_class(re.compile("last-minute"))
        expect(page.locator(".of-minute")).to_be_visible()

    @pytest.mark.parametrize("state", [ClockState.PAUSED, ClockState.BREAK])
    def test_a_break_and_a_pause_are_unlike_play(self, site: Served, page: Page, state: ClockState) -> None:
        live(page, f"{site.url}/clock")
        running = page.locator(".digits").evaluate("digits => getComputedStyle(digits).color")

        clock = msgspec.structs.replace(site.evening.now.clock, state=state)
        site.do(site.evening.show, "wall", clock=clock)

        expect(page.locator(".banner .of-state")).to_have_text("Orologio fermo" if state == "paused" else "Pausa")
        assert page.locator(".digits").evaluate("digits => getComputedStyle(digits).color") != running

    def test_a_paused_clock_stands(self, site: Served, page: Page) -> None:
        clock = msgspec.structs.replace(site.evening.now.clock, state=ClockState.PAUSED)
        site.evening.now = msgspec.structs.replace(site.evening.now, clock=clock)
        page.clock.install()
        live(page, f"{site.url}/clock")

        page.clock.run_for(5_000)

        expect(page.locator(".digits")).to_have_text("12:34")

    def test_time_that_somebody_else_turns_is_shown_as_it_is_told(self, site: Served, page: Page) -> None:
        clock = msgspec.structs.replace(site.evening.now.clock, real_time=False)
        site.evening.now = msgspec.structs.replace(site.evening.now, clock=clock)
        live(page, f"{site.url}/clock")

        site.do(site.evening.show, clock=msgspec.structs.replace(clock, remaining_ms=120_000))

        expect(page.locator(".digits")).to_have_text("2:00")

    def test_hours_fit_too(self, site: Served, page: Page) -> None:
        clock = msgspec.structs.replace(site.evening.now.clock, remaining_ms=35_999_000)
        site.evening.now = msgspec.structs.replace(site.evening.now, clock=clock)
        live(page, f"{site.url}/clock")

        box = page.locator(".digits").evaluate(
            "digits => { const range = document.createRange(); range.selectNodeContents(digits);"
            " const box = range.getBoundingClientRect(); return [box.left, box.right] }"
        )
        assert box[0] > 0
        assert box[1] < 1920

    def test_the_digits_fill_the_wall(self, site: Served, page: Page) -> None:
        live(page, f"{site.url}/clock")

        assert page.locator(".digits").evaluate("digits => parseFloat(getComputedStyle(digits).fontSize)") > 400
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        for label in ("Bui", "Ante del grande buio", "Prossimo livello", "Prossima pausa", "In gioco", "Stack medio"):
            expect(page.get_by_text(label, exact=True)).to_be_visible()


    def test_hand_for_hand_is_said_across_the_room_and_is_no_pause(self, site: Served, page: Page) -> None:
        live(page, f"{site.url}/clock")
        running = page.locator(".digits").evaluate("digits => getComputedStyle(digits).color")
        clock = msgspec.structs.replace(site.evening.now.clock, state=ClockState.PAUSED, hand_for_hand=True)

        site.do(site.evening.show, "wall", clock=clock)

        sign = page.locator(".banner .of-hand")
        expect(sign).to_have_text("Mano per mano")
        assert sign.evaluate("sign => getComputedStyle(sign).backgroundColor") != "rgba(0, 0, 0, 0)"
        expect(page.get_by_text("Orologio fermo")).to_have_count(0)
        assert page.locator(".digits").evaluate("digits => getComputedStyle(digits).color") == running
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")

    def test_in_a_break_the_chips_that_leave_stand_where_the_ante_was(self, site: Served, page: Page) -> None:
        live(page, f"{site.url}/clock?lang=en")
        clock = msgspec.structs.replace(site.evening.now.clock, state=ClockState.BREAK, color_up=(25, 1_000))

        site.do(site.evening.show, "wall", clock=clock)

        expect(page.locator(".color-up p")).to_have_text("Color-up: these leave")
        expect(page.locator(".color-up b")).to_have_text("25 · 1,000")
        size = page.locator(".color-up b").evaluate("chips => parseFloat(getComputedStyle(chips).fontSize)")
        assert size > 100
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")

    def test_the_final_table_is_said(self, site: Served, page: Page) -> None:
        live(page, f"{site.url}/clock")

        clock = msgspec.structs.replace(site.evening.now.clock, final_table=True)
        site.do(site.evening.show, "wall", clock=clock)

        expect(page.locator(".banner .of-final")).to_have_text("Tavolo finale")


class TestStale:
    def test_a_page_whose_hub_is_gone_says_since_when_and_greys(self, site: Served, page: Page) -> None:
        page.clock.install()
        live(page, site.url)
        expect(page.locator(".stale-banner")).to_be_hidden()

        site.end()
        page.clock.run_for(STALE_MS)

        expect(page.locator(".stale-banner")).to_have_text(re.compile(r"Pagina non aggiornata dalle \d\d:\d\d:\d\d"))
        expect(page.locator("#table-1")).to_have_css("filter", re.compile("grayscale"))

    def test_a_page_that_wakes_up_asks_for_everything_again(self, site: Served, page: Page) -> None:
        live(page, site.url)

        with page.expect_request("**/events?page=room*"), page.expect_request("**/api/time"):
            page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


class TestDirector:
    def test_keys_work_without_javascript(self, site: Served, browser: Browser) -> None:
        with browser.new_context(java_script_enabled=False) as context:
            page = context.new_page()
            page.goto(f"{site.url}/director?lang=en")

            page.get_by_role("button", name="Stop the clock").click()
            page.get_by_role("button", name="Add a minute").click()

        assert site.evening.asked == [("pause", 0, "director"), ("add_minute", 0, "director")]

    def test_confirm_sends_the_number_of_the_proposal(self, site: Served, page: Page) -> None:
        live(page, f"{site.url}/director")

        page.get_by_role("button", name="Conferma").click()

        page.wait_for_url("**/director?lang=it")
        assert site.evening.asked == [("confirm", 4, "director")]

    def test_a_waiting_table_is_answered(self, site: Served, page: Page) -> None:
        live(page, f"{site.url}/director")

        page.get_by_role("button", name="Mano annullata").click()

        page.wait_for_url("**/director?lang=it")
        assert site.evening.asked == [("voids", 3, "director")]

    def test_hand_for_hand_is_switched_on_and_off(self, site: Served, page: Page) -> None:
        live(page, f"{site.url}/director")
        expect(page.get_by_role("button", name="Ogni tavolo per sé")).to_be_disabled()

        page.get_by_role("button", name="Mano per mano").click()
        page.wait_for_url("**/director?lang=it")
        clock = msgspec.structs.replace(site.evening.now.clock, hand_for_hand=True)
        site.do(site.evening.show, "desk", clock=clock)
        page.get_by_role("button", name="Ogni tavolo per sé").click()
        page.wait_for_url("**/director?lang=it")

        assert site.evening.asked == [("hand_for_hand", 0, "director"), ("table_by_table", 0, "director")]

    def test_a_late_player_is_let_in_and_news_do_not_wipe_what_is_being_typed(
        self, site: Served, page: Page
    ) -> None:
        live(page, f"{site.url}/director?lang=en")
        page.get_by_label("Name").fill("Zoë Late")

        site.do(site.evening.show, "chips", "units", "log", "desk")
        expect(page.locator(f"body[data-rev='{site.evening.now.rev}']")).to_be_attached()

        expect(page.get_by_label("Name")).to_have_value("Zoë Late")
        page.get_by_label("had reserved").check()
        page.get_by_role("button", name="Let in").click()
        page.wait_for_url("**/director?lang=en")
        assert site.evening.details == [Details(Applicant("Zoë Late", reserved=True))]

    def test_the_race_that_is_due_is_named_and_its_cards_are_typed(self, site: Served, page: Page) -> None:
        race = RaceView(2, 25, 100, 2, (1, 3, 3, 5))
        site.evening.now = msgspec.structs.replace(site.evening.now, races=(race,))
        live(page, f"{site.url}/director?lang=en")

        expect(page.locator(".race")).to_have_text(
            "Table 2: 2 chips of 100 to win for those of 25; the cards go to seats 1 3 3 5"
        )
        form = page.locator("form[action^='/director/race']")
        form.get_by_label("Table").fill("2")
        form.get_by_label("Cards of the race").fill("1 Kh, 3 2c 3 9d, 5 Qs")
        form.get_by_role("button").click()
        page.wait_for_url("**/director?lang=en")

        assert site.evening.asked == [("race", 2, "director")]
        assert site.evening.details == [Details(old=25, new=100, cards="1 Kh, 3 2c 3 9d, 5 Qs")]

    def test_a_broken_unit_is_replaced_with_one_button(self, site: Served, page: Page) -> None:
        live(page, f"{site.url}/director?lang=en")
        expect(page.get_by_role("button", name="Replace")).to_be_disabled()

        site.do(site.evening.show, "units", spares=("spare-1",))
        page.get_by_role("button", name="Replace").click()
        page.wait_for_url("**/director?lang=en")

        assert site.evening.asked == [("replace", 2, "director")]          # the table whose unit is lost
        assert site.evening.details == [Details(unit="spare-1")]

    def test_a_page_elsewhere_cannot_press_a_key(self, site: Served, page: Page) -> None:
        form = f"<form method=post action={site.url}/director/pause><button>win a prize</button></form>"
        page.route("http://prizes.example/", lambda route: route.fulfill(content_type="text/html", body=form))
        page.goto("http://prizes.example/")

        with page.expect_response("**/director/pause") as answer:
            page.get_by_role("button").click()

        assert answer.value.status == 403
        assert site.evening.asked == []


def test_a_picture_without_a_table_says_that_the_room_waits(site: Served, page: Page) -> None:
    empty: Picture = msgspec.structs.replace(site.evening.now, tables=(), tape=(), places=(), proposals=())
    site.evening.now = empty
    live(page, site.url)

    expect(page.get_by_text("Nessun tavolo aperto: la sala aspetta.")).to_be_visible()
