"""A picture of a room in the middle of an evening, for tests of the pages and for looking at them."""

from __future__ import annotations

import time

import msgspec

from engine.inputs import Level
from engine.view import Due, Part, PotPaid, PotView, Presence, SeatView, Street, TableView
from hub.directing import NOTHING_MORE, Details
from hub.picture import Alarm, ClockFace, ClockState, Leg, Link, Note, Picture, Place, ProposalView, TableCard
from hub.refused import Refused
from hub.room import Line
from hub.web.live import Live

LEVEL = Level(300, 600, 0, 600, 6)
NAMES = (
    "Giulia Ferraris", "Marco Bellini", "Nicolò Sant’Angelo-Montecchi", "Ada", "Chen Wei", "Łukasz Żak",
    "Francesca d’Aosta", "Tommaso", "José Peña",
)  # fmt: skip
EVIL = "<script>document.title='owned'</script>"
UTC = 1_795_980_000_000


def seats(**special: SeatView) -> tuple[SeatView, ...]:
    """Nine players; `s3=SeatView(...)` puts another into seat 3."""
    plain = {f"s{n}": SeatView(n, f"p{n}", name, 8_000 + 1_275 * n) for n, name in enumerate(NAMES, 1)}
    return tuple(sorted((plain | special).values(), key=lambda seat: seat.seat))


def table_one() -> TableView:
    """On the turn: one all-in, three folded, one to act."""
    return TableView(
        hand=41, street=Street.TURN, due=Due.ACTION, size=9, book="lifeclub", level=LEVEL, button=2, small_blind=3,
        big_blind=4, board=("Th", "9s", "2d", "Kc"), pots=(PotView(14_400, (1, 4, 5, 8)), PotView(3_600, (4, 5))),
        to_act=5, to_call=2_400,
        seats=seats(
            s1=SeatView(1, "p1", NAMES[0], 0, 0, Presence.HERE, Part.ALL_IN, (), "all_in 4800"),
            s2=SeatView(2, "p2", NAMES[1], 10_550, 0, Presence.HERE, Part.FOLDED, (), "fold"),
            s3=SeatView(3, "p3", NAMES[2], 11_825, 0, Presence.HERE, Part.FOLDED, (), ""),
            s4=SeatView(4, "p4", NAMES[3], 13_100, 2_400, Presence.HERE, Part.LIVE, (), "bet 2400"),
            s5=SeatView(5, "p5", NAMES[4], 14_375, 0, Presence.HERE, Part.LIVE, (), ""),
            s6=SeatView(6, "p6", NAMES[5], 15_650, 0, Presence.AWAY, Part.FOLDED, (), "fold"),
            s8=SeatView(8, "p8", NAMES[7], 18_200, 1_200, Presence.HERE, Part.LIVE, (), "raise_to 1200"),
        ),
    )  # fmt: skip


def picture() -> Picture:
    """Three tables: one in a hand, one at showdown and lost, one between hands with empty seats."""
    second = TableView(
        hand=39, street=Street.SHOWDOWN, due=Due.AWARD, size=9, book="lifeclub", level=LEVEL, button=7, small_blind=8,
        big_blind=1, board=("As", "Ad", "7h", "7c", "3s"), pots=(PotView(5_000, (1, 2)),),
        paid=(PotPaid(20_500, ((1, 20_500),)), PotPaid(1_000, ((1, 500), (2, 500)))),
        seats=seats(
            s1=SeatView(1, "q1", EVIL, 12_000, 0, Presence.HERE, Part.LIVE, ("Ah", "Kh"), ""),
            s2=SeatView(2, "q2", "Beppe & figli", 3_000, 0, Presence.HERE, Part.LIVE, ("Qs", "Qd"), ""),
        ),
    )  # fmt: skip
    third = TableView(
        hand=40, street=Street.OVER, due=Due.HOLD, size=9, book="lifeclub", level=LEVEL, button=1, small_blind=3,
        big_blind=5, board=(), pots=(), seats=tuple(seat for seat in seats() if seat.seat % 2),
    )  # fmt: skip
    return Picture(
        title="Torneo del venerdì", site="circolo", rev=17, hub=3, book="lifeclub", stage="playing",
        clock=ClockFace(
            ClockState.RUNNING, 9, 5_000_000, 754_000, True, LEVEL, 6, Level(400, 800, 0, 800, 7), False, 1_654_000, 6
        ),
        tables=(
            TableCard(1, "tbl-1", table_one(), Link.ONLINE, 1_000, running=True, ep=1, wm=911),
            TableCard(2, "tbl-2", second, Link.LOST, 64_000, running=True, ep=1, wm=877),
            TableCard(3, "tbl-3", third, Link.ONLINE, 300, floor="dealer", ep=1, wm=850),
        ),
        tape=(
            Line("sat", UTC - 900_000, 1, 31, 7, "p7", NAMES[6], 13_100, "from_break", "tbl-1"),
            Line("out", UTC - 600_000, 2, 36, 4, "z2", "Renato Zeri", 2_350, "", "tbl-2"),
            Line("left", UTC - 120_000, 3, 40, 2, "p2", "Ida Noè", 9_900, "moved", "tbl-3"),
            Line("sat", UTC - 60_000, 1, 40, 6, "p6", "Ida Noè", 9_900, "from_balance", "tbl-1"),
            Line("out", UTC - 30_000, 1, 40, 9, "z1", EVIL, 1_200, "", "tbl-1"),
        ),
        places=(
            Place(24, 24, "z1", EVIL, 1, 40), Place(25, 26, "z2", "Renato Zeri", 2, 36), Place(25, 26, "z3", "Ugo")
        ),
        proposals=(
            ProposalView(
                4, "balance", "open", ("lifeclub:8.2", "lifeclub:16.2"), (Leg("p9", NAMES[8], 1, 9, 3, 6),)
            ),
        ),
        log=(
            Note(UTC, "drawn", "hub", "7"), Note(UTC, "started", "director"), Note(UTC, "clock", "clock", "25/50"),
            Note(UTC, "proposed", "hub", "", 3, ("lifeclub:8.2",), (Leg("p2", "Ida Noè", 3, 2, 1, 6),)),
            Note(UTC, "done", "hub", "", 3), Note(UTC, "ruled", "director", "voids", 2),
        ),
        entrants=27, players_left=23, chips=270_000, quiescent=True, broker=True,
        alarms=(
            Alarm("no_seat", 2, seat=7, name="Nora Villa", why="seat_taken"),
            Alarm("twice", 2, (1, 2), name="0123ab"), Alarm("chips", counted=19_500, expected=19_000),
        ),
    )  # fmt: skip


class Evening:
    """A tournament made of one picture that a test may change: what `hub.web` needs, and what was asked of it."""

    def __init__(self) -> None:
        self.live = Live()
        self.now = picture()
        self.asked: list[tuple[str, int, str]] = []
        self.details: list[Details] = []
        self.refuses = ""
        self._since_s = time.monotonic()

    def picture(self) -> Picture:
        """The present picture."""
        return self.now

    def recent(self) -> Picture:
        """The same."""
        return self.now

    def now_ms(self) -> int:
        """The time of the picture, going on."""
        return self.now.clock.now_ms + int((time.monotonic() - self._since_s) * 1000)

    def show(self, *touched: str, **changes: object) -> None:
        """Changes the picture and tells the open pages."""
        self.now = msgspec.structs.replace(self.now, rev=self.now.rev + 1, **changes)
        self.live.touch(*touched)

    def direct(self, what: str, subject: int, who: str, more: Details = NOTHING_MORE) -> None:
        """Notes what the director asked."""
        if self.refuses:
            raise Refused(self.refuses)
        self.asked.append((what, subject, who))
        self.details.append(more)
