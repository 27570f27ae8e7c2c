"""The pages: what is refused, what is escaped, in which language, and what a stream says. No browser here."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import pytest

from engine.view import Due, Street, TableView
from hub import refused
from hub.directing import DIRECTIONS, Details
from hub.picture import Alarm, Note, Picture
from hub.seating import Applicant
from hub.web import faces, words
from hub.web.live import MAX_WATCHERS, Live, TooManyWatchers
from tests.hub.evening import EVIL, Evening, table_one
from tests.hub.served import Served, served

SAME_ORIGIN = {"sec-fetch-site": "same-origin"}


@pytest.fixture
def site() -> Iterator[Served]:
    with served(Evening(), ("127.0.0.1", "hub.club")) as running:
        yield running


def get(site: Served, path: str, **headers: str) -> httpx.Response:
    return httpx.get(site.url + path, headers={name.replace("_", "-"): value for name, value in headers.items()})


class TestPages:
    @pytest.mark.parametrize("path", ["/", "/clock", "/director"])
    @pytest.mark.parametrize("lang", ["it", "en"])
    def test_every_page_stands_without_javascript(self, site: Served, path: str, lang: str) -> None:
        page = get(site, f"{path}?lang={lang}")

        assert page.status_code == 200
        assert f'<html lang="{lang}">' in page.text
        assert "12:34" in page.text

    def test_somebody_out_whose_place_is_not_decided_yet_is_told_without_one(self, site: Served) -> None:
        site.evening.show(places=())

        page = get(site, "/?lang=it")

        assert "Renato Zeri" in page.text
        assert "<strong>25º" not in page.text

    @pytest.mark.parametrize("path", ["/", "/director"])
    def test_a_players_name_is_text_and_never_markup(self, site: Served, path: str) -> None:
        page = get(site, path).text

        assert "<script>document" not in page
        if path == "/":
            assert "&lt;script&gt;document" in page

    @pytest.mark.parametrize(
        ("lang", "due", "hand", "said"),
        [
            ("en", Due.PLAYERS, 0, "Waiting for players"),
            ("en", Due.SHUFFLE, 0, "First hand"),
            ("it", Due.SHUFFLE, 0, "Prima mano"),
            ("it", Due.SHUFFLE, 7, "Tra due mani"),
        ],
    )
    def test_a_table_without_a_hand_says_what_it_waits_for(
        self, site: Served, lang: str, due: Due, hand: int, said: str
    ) -> None:
        view = msgspec.structs.replace(table_one(), street=Street.OVER, due=due, hand=hand)
        card = msgspec.structs.replace(site.evening.now.tables[0], view=view)
        site.evening.show(tables=(card,))

        assert f'<p class="street">{said}</p>' in get(site, f"/?lang={lang}").text

    @pytest.mark.parametrize(("lang", "first", "wins"), [("it", "20.500", "vince"), ("en", "20,500", "wins")])
    def test_who_won_how_much_of_each_pot_stands_on_the_felt(
        self, site: Served, lang: str, first: str, wins: str
    ) -> None:
        page = get(site, f"/?lang={lang}").text

        evil = html.escape(EVIL).replace("&#x27;", "&#39;")
        pots = re.findall(r"<li>(.*?)</li>", page.split('<ul class="paid">')[1].split("</ul>")[0])
        assert [re.sub(r"<[^>]+>", "", pot) for pot in pots] == [
            f"{evil} {wins} {first}",
            f"{evil} {wins} 500 · Beppe &amp; figli {wins} 500",
        ]
        assert f'<span class="last">{wins} {first.replace("20", "21").replace("500", "000")}</span>' in page

    def test_no_inline_script_or_style_and_a_policy_that_forbids_them(self, site: Served) -> None:
        page = get(site, "/")

        assert page.headers["content-security-policy"].startswith("default-src 'self'")
        assert "style=" not in page.text
        assert page.text.count("<script") == page.text.count('<script type="module" src="/static/live.js">') == 1
        assert page.headers["cache-control"] == "no-store"

    @pytest.mark.parametrize(
        ("wanted", "accept", "lang"),
        [
            (None, "", "it"),
            (None, "en-GB,en;q=0.9", "en"),
            (None, "de,it;q=0.5,en;q=0.7", "en"),
            (None, "de", "it"),
            (None, "en;q=x,it", "it"),
            ("en", "it", "en"),
            ("xx", "en", "en"),
        ],
    )
    def test_the_language_is_the_one_asked_for(self, wanted: str | None, accept: str, lang: str) -> None:
        assert words.choose(wanted, accept) == lang

    def test_every_word_exists_in_both_languages(self) -> None:
        assert [key for key, (italian, english) in words.WORDS.items() if bool(italian) != bool(english)] == []

    @pytest.mark.parametrize(
        ("place", "said"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (121, "121st")]
    )
    def test_a_place_is_said_as_people_say_it(self, place: int, said: str) -> None:
        assert words.ordinal("en", place) == said
        assert words.ordinal("it", place) == f"{place}º"

    @pytest.mark.parametrize(
        ("ms", "text"), [(0, "0:00"), (1, "0:01"), (60_000, "1:00"), (754_000, "12:34"), (3_600_001, "1:00:01")]
    )
    def test_a_clock_shows_the_last_second_to_its_very_end(self, ms: int, text: str) -> None:
        assert words.clock(ms) == text


class TestDirectorsWords:
    def test_the_log_is_in_the_rooms_words(self, site: Served) -> None:
        page = get(site, "/director?lang=it").text

        assert "posti sorteggiati (seme 7) <em>automaticamente</em>" in page
        assert "torneo avviato <em>dal direttore</em>" in page
        assert "orologio avviato, bui 25/50</li>" in page
        assert "proposta 3: Ida Noè dal tavolo 3, posto 2, al tavolo 1, posto 6 (lifeclub:8.2)" in page
        assert "tavolo 2: mano annullata" in page

    def test_what_a_table_refused_is_called_by_its_name(self, site: Served) -> None:
        site.evening.show(alarms=(Alarm("refused", 3, name="DodgedBlinds", why="no_chips"),))

        assert "rifiuta i bui evitati (" in get(site, "/director?lang=it").text
        assert "refuses the dodged blinds (" in get(site, "/director?lang=en").text

    @pytest.mark.parametrize(
        ("note", "it", "en"),
        [
            (Note(0, "hand_for_hand", "hub", number=17), "mano per mano, 17 in gioco", "hand for hand, 17 players"),
            (Note(0, "table_by_table", "director", number=16), "fine della mano per mano", "hand for hand is over"),
            (Note(0, "paid", "director", number=5), "posti a premio: 5", "paid places: 5"),
            (Note(0, "entered", "director", "Zoe", 2, ("tda:8",), seat=7), "Zoe entra al tavolo 2, posto 7 (tda:8)",
             "Zoe comes in at table 2, seat 7 (tda:8)"),
            (Note(0, "entered_again", "director", "Zoe", 2, ("tda:8",), seat=7), "Zoe rientra al tavolo 2",
             "Zoe comes back at table 2"),
            (Note(0, "replaced", "config", "spare-1", 3), "tavolo 3: ora c’è l’unità spare-1",
             "table 3: now served by unit spare-1"),
            (Note(0, "race", "director", number=3), "tavolo 3: chip race", "table 3: chip race"),
            (Note(0, "dodged", "director", number=3), "tavolo 3: bui evitati nel piatto", "dodged blinds into the pot"),
        ],
    )  # fmt: skip
    def test_every_note_of_the_log_has_words(self, note: Note, it: str, en: str) -> None:
        def said(lang: str) -> str:
            return faces.note(note, lambda key: words.word(lang, key))

        assert it in said("it")
        assert en in said("en")

    def test_an_alarm_says_what_to_do(self, site: Served) -> None:
        page = get(site, "/director?lang=it").text

        assert "Tavolo 2: Nora Villa non può sedersi al posto 7 (Il posto 7 è occupato)." in page
        assert "Riprova (Tavolo 2)" in page
        assert "seat_taken" not in page
        assert "Ai tavoli ci sono 19.500 chip, ne sono state date 19.000." in page
        assert "at tables 1, 2 within a minute" in get(site, "/director?lang=en").text


class TestState:
    def test_it_is_the_picture(self, site: Served) -> None:
        answer = get(site, "/api/state")

        assert msgspec.json.decode(answer.content, type=Picture) == site.evening.now

    def test_the_time_is_the_tournaments(self, site: Served) -> None:
        assert 5_000_000 <= get(site, "/api/time").json()["now_ms"] < 5_060_000


class TestRefusals:
    def test_a_strange_host_name_is_refused(self, site: Served) -> None:
        assert get(site, "/", host="evil.example").status_code == 421
        assert get(site, "/", host="hub.club:8080").status_code == 200

    @pytest.mark.parametrize(
        ("headers", "status"),
        [
            ({"sec-fetch-site": "same-origin"}, 303),
            ({"sec-fetch-site": "cross-site"}, 403),
            ({"sec-fetch-site": "same-site"}, 403),
            ({"sec-fetch-site": "none"}, 403),
            ({"sec-fetch-site": "cross-site", "origin": "SELF"}, 403),
            ({"origin": "SELF"}, 303),                      # a browser without Sec-Fetch-Site
            ({"origin": "http://evil.example"}, 403),
            ({"origin": "null"}, 403),
            ({}, 403),
        ],
    )
    def test_only_our_own_page_may_press_the_directors_keys(
        self, site: Served, headers: dict[str, str], status: int
    ) -> None:
        own = {name: site.url if value == "SELF" else value for name, value in headers.items()}

        answer = httpx.post(f"{site.url}/director/pause", data={"subject": "0"}, headers=own)

        assert answer.status_code == status
        assert site.evening.asked == ([("pause", 0, "director")] if status == 303 else [])

    def test_the_directors_page_is_for_this_machine_alone(self) -> None:
        async def ask(hub: str) -> int:
            from hub.web.app import application

            site = application(Evening(), ("hub.club", "192.168.1.20"))
            transport = httpx.ASGITransport(site, client=("192.168.1.20", 5))
            async with httpx.AsyncClient(transport=transport, base_url=hub) as client:
                assert (await client.get("/")).status_code == 200
                return (await client.get("/director")).status_code

        import asyncio

        assert asyncio.run(ask("http://hub.club")) == 403
        assert asyncio.run(ask("http://192.168.1.20")) == 200       # the hub's own machine, by its own address

    @pytest.mark.parametrize("subject", ["x", "-1", "1e3", "99999999999", "²"])
    def test_a_subject_is_a_number(self, site: Served, subject: str) -> None:
        answer = httpx.post(f"{site.url}/director/confirm", data={"subject": subject}, headers=SAME_ORIGIN)

        assert answer.status_code == 400

    def test_a_form_says_more_beside_its_subject(self, site: Served) -> None:
        fields = {"subject": "0", "name": "Zoë", "cost": "150", "reserved": "on"}
        httpx.post(f"{site.url}/director/enter", data=fields, headers=SAME_ORIGIN)
        httpx.post(f"{site.url}/director/enter", data={"name": "Ugo", "cost": ""}, headers=SAME_ORIGIN)
        fields = {"subject": "2", "old": "25", "new": "100", "cards": "3 Kh\n5 2c"}
        httpx.post(f"{site.url}/director/race", data=fields, headers=SAME_ORIGIN)
        fields = {"subject": "2", "seat": "4", "big_blind": "on"}
        httpx.post(f"{site.url}/director/dodged", data=fields, headers=SAME_ORIGIN)
        httpx.post(f"{site.url}/director/replace", data={"subject": "3", "unit": "spare-1"}, headers=SAME_ORIGIN)

        assert [asked[:2] for asked in site.evening.asked] == [
            ("enter", 0), ("enter", 0), ("race", 2), ("dodged", 2), ("replace", 3),
        ]  # fmt: skip
        assert site.evening.details == [
            Details(Applicant("Zoë", reserved=True, cost=150)), Details(Applicant("Ugo")),
            Details(old=25, new=100, cards="3 Kh\n5 2c"), Details(seat=4, big_blind=True), Details(unit="spare-1"),
        ]  # fmt: skip

    @pytest.mark.parametrize("fields", [{"cost": "-5"}, {"old": "x"}, {"seat": "1e9"}, {"cards": "x" * 501}])
    def test_what_a_form_cannot_hold_is_refused(self, site: Served, fields: dict[str, str]) -> None:
        answer = httpx.post(f"{site.url}/director/race", data={"subject": "1"} | fields, headers=SAME_ORIGIN)

        assert answer.status_code == 400
        assert site.evening.asked == []

    def test_what_nobody_can_do_is_not_found(self, site: Served) -> None:
        assert httpx.post(f"{site.url}/director/win", headers=SAME_ORIGIN).status_code == 404

    def test_a_refusal_is_shown_on_the_page(self, site: Served) -> None:
        site.evening.refuses = "stopped"

        answer = httpx.post(f"{site.url}/director/pause?lang=it", headers=SAME_ORIGIN, follow_redirects=True)

        assert "L’orologio è già fermo." in answer.text

    def test_nobody_puts_words_of_his_own_on_the_directors_page(self, site: Served) -> None:
        assert "Call 555" not in get(site, "/director?refused=Call+555").text

    def test_every_refusal_of_the_tournament_has_words(self) -> None:
        sources = Path(refused.__file__).parent.glob("*.py")

        codes = [code for source in sources for code in re.findall(r'Refused\(.*"(\w+)"', source.read_text())]

        assert len(codes) > 20
        assert [code for code in codes if f"refused_{code}" not in words.WORDS] == []

    def test_every_word_a_template_or_a_face_says_is_there(self) -> None:
        web = Path(words.__file__).parent
        sources = [*web.glob("templates/*.html"), web / "faces.py"]

        text = "".join(source.read_text() for source in sources)
        said = set(re.findall(r"say\(['\"](\w+[a-z])['\"]\)", text))

        assert said - set(words.WORDS) == set()

    @pytest.mark.parametrize("what", sorted(DIRECTIONS))
    def test_every_key_of_the_page_is_there(self, site: Served, what: str) -> None:
        assert f'action="/director/{what}?lang=en"' in get(site, "/director?lang=en").text


class Stream:
    """The events of an open stream, one after the other."""

    def __init__(self, response: httpx.Response) -> None:
        self._lines = response.iter_lines()

    def next(self, kind: str) -> dict[str, object]:
        """The data of the next event of this kind."""
        event = ""
        for line in self._lines:
            if line.startswith("event: "):
                event = line.removeprefix("event: ")
            if line.startswith("data: ") and event == kind:
                return dict(json.loads(line.removeprefix("data: ")))
        raise AssertionError("the stream ended")


class TestStream:
    def test_it_opens_with_everything_the_page_shows(self, site: Served) -> None:
        with httpx.stream("GET", f"{site.url}/events?page=room&lang=it") as response:
            stream = Stream(response)
            first = {stream.next("fragment")["id"] for _ in range(4)}

        assert first == {"strip", "tables", "tape", "places"}

    def test_a_change_comes_by_itself_and_alone(self, site: Served) -> None:
        with httpx.stream("GET", f"{site.url}/events?page=room&lang=it") as response:
            stream = Stream(response)
            stream.next("pulse")

            site.do(site.evening.show, "table-3", "tape", "wall")

            assert stream.next("fragment")["id"] == "table-3"
            assert stream.next("fragment")["id"] == "tape"
            assert stream.next("pulse")["rev"] == 18

    def test_it_never_falls_silent(self, site: Served) -> None:
        with httpx.stream("GET", f"{site.url}/events?page=clock") as response:
            stream = Stream(response)

            assert stream.next("pulse")["ages"] == {"1": 1000, "2": 64000, "3": 300}
            assert stream.next("pulse")["remaining_ms"] == 754_000

    def test_a_name_in_a_fragment_is_escaped(self, site: Served) -> None:
        with httpx.stream("GET", f"{site.url}/events?page=room") as response:
            stream = Stream(response)
            html = "".join(str(stream.next("fragment")["html"]) for _ in range(4))

        assert EVIL not in html
        assert "&lt;script&gt;" in html

    def test_an_unknown_page_is_told_which_there_are(self, site: Served) -> None:
        answer = get(site, "/events?page=casino")

        assert (answer.status_code, answer.text) == (404, "page: one of room, clock, director\n")

    def test_open_streams_do_not_hold_up_the_end(self, site: Served) -> None:
        with httpx.stream("GET", f"{site.url}/events?page=room") as response:
            Stream(response).next("pulse")
            site.end()

    def test_there_is_a_limit(self) -> None:
        live = Live()
        *watchers, late = [live.watch({"strip"}) for _ in range(MAX_WATCHERS + 1)]   # all in the same moment
        for watcher in watchers:
            watcher.__enter__()

        with pytest.raises(TooManyWatchers):
            live.watch({"strip"})
        with pytest.raises(TooManyWatchers):
            late.__enter__()

    def test_a_slow_browser_is_owed_each_fragment_once_at_most(self) -> None:
        live = Live()
        with live.watch({"table"}) as watcher:
            for _ in range(1000):
                live.touch("table-1", "table-2", "log")

            assert set(watcher._changed) <= {"table", "table-1", "table-2"}


def test_nothing_of_a_picture_has_room_for_an_untabled_card() -> None:
    fields = {name for record in (Picture, TableView) for name in record.__struct_fields__}

    assert not fields & {"hole_cards", "deck", "shoe", "muck", "stub", "burn"}
