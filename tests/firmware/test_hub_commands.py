"""What the hub says to a table: adopted once, obeyed once, answered as often as asked; levels as the clock says."""

import struct

import msgspec
import pytest

from drivers.seen import BadgeRead
from engine.inputs import FirstCard, Level, Shuffle
from engine.view import Due, Part
from engine.wire import (
    Adopt,
    Clock,
    ClockLevel,
    DodgedBlinds,
    FloorRuling,
    Hold,
    HubCommand,
    Precondition,
    RaceChips,
    Result,
    SeatPlayer,
    SetButton,
    UnseatPlayer,
)
from firmware_py.badges import badge_hash, site_key
from firmware_py.config import Config, Hub, Pins, Tournament
from firmware_py.inbox import Arrived, LinkAcked, LinkAdopted, LinkClock, LinkCommand, LinkDown, LinkUp
from firmware_py.sd_notify import Notifier
from firmware_py.unit import Unit
from tests.rules.citing import article

ADOPT = Adopt(rev=1, ep=4, table_no=2, tournament="T", book="tda", size=9, chip=25)
LEVELS = (Level(25, 50, number=1), Level(50, 100, number=2))
SCHEDULE = tuple(ClockLevel(10, level) for level in LEVELS)


class Table:
    """A unit whose crank is turned by the test, entry by entry. The hub's time lies in a file."""

    def __init__(self, directory):
        self.directory = directory
        self.time = directory / "time"
        self.set_time(0)
        self.n = 0
        self.open()

    def open(self):
        config = Config(
            unit="table-1", site="club", data_dir=str(self.directory / "data"), seal_dir=str(self.directory / "seal"),
            pins=Pins(factory="mock"), hub=Hub(unix=str(self.directory / "nobody")),
            tournament=Tournament(clock_file=str(self.time)),
        )  # fmt: skip
        self.unit = Unit(config, Notifier(""))
        self.unit._start()

    def set_time(self, minutes):
        self.time.write_bytes(struct.pack("<q", minutes * 60_000))

    def restart(self):
        self.close()
        self.open()

    def close(self):
        self.unit._stop()

    def hear(self, *links):
        for link in links:
            self.unit._turn(Arrived(0, "hub", link))

    def tick(self):
        self.unit._turn(None)

    def ask(self, body, *, command="", n=0, hand=0, hub=1):
        """Sends a command and returns the answer."""
        self.n = n or self.n + 1
        raw = msgspec.Raw(msgspec.json.encode(body))
        asked = HubCommand(command or f"c{self.n}", hub, self.n, 0, raw, when=Precondition(hand))
        self.hear(LinkCommand(asked))
        return self.answers[-1]

    @property
    def answers(self):
        return list(self.unit._parts.uplink._asked.results)

    @property
    def view(self):
        return self.unit._reducer.view

    @property
    def journal(self):
        return self.unit._journal


@pytest.fixture
def table(tmp_path):
    table = Table(tmp_path)
    table.hear(LinkUp(1), LinkAdopted(ADOPT))
    yield table
    table.close()


def seat(number, stack=5000):
    return SeatPlayer(number, f"p{number}", f"Player {number}", stack, "new")


class TestAdoption:
    def test_opens_the_table_the_hub_wants(self, table):
        assert (table.view.book, table.view.size, table.unit._reducer.state.chip) == ("tda", 9, 25)
        assert table.journal.ep == 4
        assert table.journal.table_no == 2

    def test_an_older_or_repeated_one_is_ignored(self, table):
        entries = table.journal.entries

        table.hear(LinkAdopted(ADOPT), LinkAdopted(msgspec.structs.replace(ADOPT, rev=0, ep=9)))

        assert (table.journal.entries, table.journal.ep) == (entries, 4)

    def test_a_newer_one_opens_another_table_while_nobody_sits(self, table):
        table.hear(LinkAdopted(msgspec.structs.replace(ADOPT, rev=2, book="lifeclub", size=10)))

        assert (table.view.book, table.view.size) == ("lifeclub", 10)

    def test_a_newer_one_leaves_players_where_they_are(self, table):
        table.ask(seat(3))

        table.hear(LinkAdopted(msgspec.structs.replace(ADOPT, rev=2, ep=5, size=10)))

        assert table.view.size == 9
        assert [place.seat for place in table.view.seats] == [3]
        assert table.journal.ep == 5

    def test_a_book_the_table_does_not_have_is_said_and_stops_nothing(self, table):
        table.hear(LinkAdopted(msgspec.structs.replace(ADOPT, rev=2, book="nobody's")))

        assert table.view.book == "tda"

    def test_survives_a_restart(self, table):
        table.restart()

        assert table.unit._reducer.opened
        assert table.journal.ep == 4


class TestCommands:
    def test_seat_button_hold_and_unseat_do_what_they_say(self, table):
        assert [table.ask(seat(number)).rc for number in (2, 5, 7)] == ["ok"] * 3
        assert table.ask(SetButton(5)).rc == "ok"
        assert table.ask(UnseatPlayer(7, "p7", "moved")).rc == "ok"
        assert [place.name for place in table.view.seats] == ["Player 2", "Player 5"]
        table.hear(LinkClock(Clock(1, 1, 0, True, 0, 600_000, SCHEDULE)))
        assert (table.view.button, table.view.due) == (5, Due.SHUFFLE)
        assert table.ask(Hold(True, "balance")).rc == "ok"
        assert table.view.due is Due.HOLD

    def test_a_player_who_has_hands_to_sit_out_brings_them_along(self, table):
        table.ask(seat(2))

        assert table.ask(SeatPlayer(5, "p5", "Player 5", 4000, "from_balance", misses=7)).rc == "ok"
        assert [place.misses for place in table.view.seats] == [0, 7]

    @article("tda:24")
    def test_chips_are_raced_off_with_the_cards_that_were_dealt(self, table):
        for number, stack in ((2, 1075), (5, 2025)):
            table.ask(seat(number, stack))

        assert table.ask(RaceChips(25, 100, ())) == Result("c3", "refused", "too_early")
        cards = (((2, "Kh"), (2, "3c"), (2, "9d"), (5, "Qs")),)
        assert table.ask(RaceChips(25, 100, cards)).rc == "ok"
        assert [place.stack for place in table.view.seats] == [1100, 2000]
        assert table.unit._reducer.state.chip == 100

    @article("tda:24")
    def test_odd_chips_that_make_no_whole_one_leave_the_table(self, table):
        for number, stack in ((2, 1075), (5, 2050)):
            table.ask(seat(number, stack))

        cards = (((2, "Kh"), (2, "3c"), (2, "9d"), (5, "Qs"), (5, "2d")),)
        assert table.ask(RaceChips(25, 100, cards)).rc == "ok"
        assert table.view.total == 3100

    def test_dodged_blinds_are_for_the_player_who_sits_there(self, table):
        table.ask(seat(2))

        assert table.ask(DodgedBlinds(2, "somebody else", False, True)) == Result("c2", "refused", "not_seated")
        assert table.ask(DodgedBlinds(2, "p2", False, True)) == Result("c3", "refused", "not_in_catalogue")

    def test_a_table_whose_unit_was_replaced_goes_on_with_button_and_blinds_where_they_were(self, table):
        table.ask(Hold(True, "replaced"))
        for number in (1, 4, 6, 8):
            table.ask(SeatPlayer(number, f"p{number}", f"Player {number}", 5000, "from_break"))
        assert table.ask(SetButton(3, 4, 6)).rc == "ok"              # a dead button at seat 3
        table.hear(LinkClock(Clock(1, 1, 0, True, 0, 600_000, SCHEDULE)))
        table.ask(Hold(False))

        table.unit._reducer.put(0, "panel", Shuffle())
        table.unit._reducer.put(0, "panel", FirstCard())

        assert (table.view.button, table.view.small_blind, table.view.big_blind) == (3, 4, 6)
        assert len([place for place in table.view.seats if place.part is Part.LIVE]) == 4

    def test_a_repeat_is_answered_and_not_done_twice(self, table):
        first = table.ask(seat(2), command="same", n=1)
        entries = table.journal.entries

        again = table.ask(seat(2), command="same", n=2)

        assert first == again == Result("same", "ok")
        assert table.journal.entries == entries

    def test_a_repeat_is_known_after_a_restart(self, table):
        table.ask(seat(2), command="same", n=1)
        table.restart()

        assert table.ask(seat(2), command="same", n=2) == Result("same", "ok")
        assert len(table.view.seats) == 1

    def test_what_the_rules_refuse_is_answered_with_their_word(self, table):
        table.ask(seat(2))

        assert table.ask(seat(2)) == Result("c2", "refused", "seat_taken")
        assert table.ask(FloorRuling("plays_on")).rc == "refused"

    def test_a_player_who_sits_elsewhere_is_not_unseated(self, table):
        table.ask(seat(2))

        assert table.ask(UnseatPlayer(2, "somebody else", "moved")) == Result("c2", "refused", "not_seated")

    def test_one_that_was_overtaken_is_stale(self, table):
        table.ask(seat(2), n=7)

        assert table.ask(seat(3), command="late", n=5).rc == "stale"
        assert table.ask(seat(4), command="next epoch", n=1, hub=2).rc == "ok"

    def test_one_for_another_hand_is_stale(self, table):
        assert table.ask(seat(2), hand=3).rc == "stale"
        assert table.view.seats == ()

    def test_one_of_a_later_version_is_unknown_and_harmless(self, table):
        assert table.ask({"type": "paint_it_green"}).rc == "unknown"

    def test_events_name_the_command_that_caused_them(self, table):
        table.ask(seat(2), command="draw-17")

        assert b'"cause":"draw-17"' in table.journal.outbox_after(0, 9)[-1][1]

    def test_what_the_hub_acknowledged_is_forgotten(self, table):
        table.ask(seat(2))
        _, last, _ = table.journal.outbox_depth()

        table.hear(LinkAcked(4, last))

        assert table.journal.outbox_after(0, 9) == []


class TestLevels:
    @pytest.fixture
    def seated(self, table):
        table.ask(seat(2))
        table.ask(seat(5))
        table.ask(SetButton(2))
        table.hear(LinkClock(Clock(1, 1, 0, True, 0, 600_000, SCHEDULE)))
        return table

    def test_the_hubs_clock_announces_the_first(self, seated):
        assert seated.view.level == LEVELS[0]

    def test_the_next_comes_with_the_hubs_word_and_not_with_the_time(self, seated):
        seated.set_time(11)
        seated.tick()
        assert seated.view.level == LEVELS[0]

        seated.hear(LinkClock(Clock(1, 2, 1, True, 600_000, 600_000, SCHEDULE)))
        assert seated.view.level == LEVELS[1]

    def test_without_the_hub_it_comes_with_the_time(self, seated):
        seated.hear(LinkDown("gone"))
        seated.set_time(11)
        seated.tick()

        assert seated.view.level == LEVELS[1]

    def test_one_is_announced_once_also_over_a_restart(self, seated):
        seated.tick()
        entries = seated.journal.entries

        seated.restart()
        seated.hear(LinkUp(1), LinkClock(Clock(1, 1, 0, True, 0, 600_000, SCHEDULE)))
        seated.tick()

        assert seated.journal.entries == entries


def test_a_badge_that_the_hub_revoked_is_refused_and_stays_so_over_a_restart(table):
    key = "8f" * 32
    refused = badge_hash(bytes.fromhex(key), "0A00123456")
    table.hear(LinkAdopted(msgspec.structs.replace(ADOPT, rev=9, badge_key=key, revoked=(refused,))))
    table.restart()
    for uid in ("0A00123456", "0A00123457"):
        table.unit._turn(Arrived(0, "badge", BadgeRead("badge", uid, "em4100")))

    assert table.unit._reducer.dealer == badge_hash(bytes.fromhex(key), "0A00123457")


def test_a_key_of_the_hub_that_cannot_be_read_is_said_and_the_table_plays_on(table, caplog):
    table.hear(LinkAdopted(msgspec.structs.replace(ADOPT, rev=9, badge_key="no hex")))
    table.unit._turn(Arrived(0, "badge", BadgeRead("badge", "0A00123456", "em4100")))

    assert table.unit._reducer.dealer == badge_hash(site_key("", "club"), "0A00123456")
    assert "cannot be used" in caplog.text
