"""The place where a person stands at a virtual table: what hands can do there, and what eyes see.

`Stand.do(act)` does one thing, `Stand.look()` says how everything looks. Acts go one after another, from one thread
that lives as long as the table (the unit's process ends with the thread that started it); looks may come from another.

What the person does to a *device* is done whether the table notices or not: a shoe whose cable is out still gives its
cards, and the table hears of them when it can. Only where it should notice at once it is given a second to. What the
person does to the *panel* is answered by the table, or refused because it has no power.

Which shoe and which badge reader stand there can be changed at any time, in a hand too (`Fit`): the unit is stopped,
finds another device in its file and goes on where it stood, as on the day on which one is replaced.

The shoe's cards are seen here, because whoever stacks a deck knows it. They are in `ShoeLook` alone; `Glance`, which is
what the unit itself shows, never names a card that was not tabled.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Any, assert_never

import msgspec

from deploy.virtual_page.screens import Cells, Dots, LedEye, PromptEye
from deploy.virtual_table import Glance, TableFile, TableSilent, VirtualTable
from drivers import simulators
from drivers.far_end import FarEnd
from drivers.faults import Faults
from drivers.osp1_sim import Osp1Device
from drivers.seen import Key
from drivers.shoe_sim import Mishap, ShoeDevice, ShoeSim
from engine.cards import DECK
from engine.view import Due
from firmware_py.badges import badge_hash, pin_hash, site_key

MAX_STEPS = 100                  # detents in one request
AUTO_DEAL_CARDS = 64             # no deal draws more
DEALING = frozenset({Due.FIRST_CARD, Due.HOLE_CARDS, Due.BURN, Due.BOARD})
BETWEEN_HANDS = frozenset({Due.SHUFFLE, Due.NEXT_HAND})
SHOE_TIMEOUT_S = 4.0             # a drawn card is on the table's disk by then, or the shoe is not heard
NOTICE_S = 1.0                   # how long an act waits for a table that should notice; it need not
NOISE_BYTES = 64
PIN = "1111"                     # the director's at this table: FOLD, four times


class Badge(StrEnum):
    """The badges that lie beside the table."""

    DEALER = "dealer"
    DIRECTOR = "director"
    REVOKED = "revoked"
    STRANGER = "stranger"        # of another house: nobody gave it a right, and nobody took one


UIDS = {
    Badge.DEALER: "0100A1B2C3", Badge.DIRECTOR: "0100D1EC70", Badge.REVOKED: "01002E70CD", Badge.STRANGER: "01005742A6",
}  # fmt: skip


class ShoeAct(StrEnum):
    """What may befall the shoe and its cable, besides the mishaps of `drivers.shoe_sim`."""

    TWICE = "twice"              # a card that is out already comes again: a fouled deck
    UNPLUG = "unplug"
    PLUG = "plug"
    TORN = "torn"                # a card leaves while the cable is pulled: half a frame
    STALL = "stall"
    RESUME = "resume"
    REBOOT = "reboot"
    NOISE = "noise"              # random bytes on the line, now


OF_ANY_SHOE = frozenset({Mishap.BOXED, Mishap.UNREADABLE, Mishap.FOREIGN, Mishap.TWO, Mishap.BACK})
"""What befalls the cards of any shoe, whether it notices or not; the rest is of shoes that have such a thing at all."""
LASTING = frozenset({Mishap.DOOR, Mishap.REVERSED, Mishap.JAM})
BOUNCES = 4                      # of a worn key, each way
CODES = {Mishap.REVERSED: "04", Mishap.JAM: "03"}    # of OSP/1


class FrameFault(StrEnum):
    """What may befall the frame of the shoe's next event, or the reader's; named as the simulators' counters are."""

    DROP = "drop"
    CORRUPT = "corrupt"
    DUPLICATE = "duplicate"
    REORDER = "reorder"
    NOISE = "noise"


class BadgeAct(StrEnum):
    """What may befall the badge reader."""

    UNPLUG = "unplug"
    PLUG = "plug"
    STALL = "stall"
    RESUME = "resume"
    NOISE = "noise"
    HALF = "half"                # a badge that was pulled away too early


# --- what a person does


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Base of what the page may ask for."""


class Press(Act, frozen=True, tag="press"):
    """A key, down and up."""

    key: Key


class Hold(Act, frozen=True, tag="hold"):
    """A key sticks, or comes free again."""

    key: Key
    down: bool


class Bounce(Act, frozen=True, tag="bounce"):
    """From now on the keys are worn and bounce, or are new again."""

    on: bool


class Together(Act, frozen=True, tag="together"):
    """One finger on two keys: FOLD and CHECK/CALL."""


class Turn(Act, frozen=True, tag="turn"):
    """The knob, by so many detents; `pushed`: while held in."""

    steps: int
    pushed: bool = False


class Push(Act, frozen=True, tag="push"):
    """The knob, in and out."""


class Tap(Act, frozen=True, tag="tap"):
    """A badge is held to the reader."""

    badge: Badge


class Load(Act, frozen=True, tag="shuffle"):
    """A deck shuffled by `seed` goes into the shoe."""

    seed: int


class Stack(Act, frozen=True, tag="stack"):
    """`card` is to come next, behind those that were chosen before it; a chosen one is let go."""

    card: str


class Draw(Act, frozen=True, tag="draw"):
    """The next card leaves the shoe."""


class Deal(Act, frozen=True, tag="deal"):
    """Everything that is due now: a shuffled deck if none is ready, then card after card."""

    seed: int


class ToCard(Act, frozen=True, tag="card"):
    """A mishap of the shoe and its cards. What stays wrong until it is put right, is put right the second time."""

    what: Mishap


class ToShoe(Act, frozen=True, tag="shoe"):
    """Something befalls the shoe."""

    what: ShoeAct


class ToFrame(Act, frozen=True, tag="frame"):
    """Something befalls the frame of the shoe's next event."""

    what: FrameFault


class ToBadgeFrame(Act, frozen=True, tag="badge_frame"):
    """Something befalls the badge reader's next frame."""

    what: FrameFault


class ToReader(Act, frozen=True, tag="reader"):
    """Something befalls the badge reader."""

    what: BadgeAct


class Fit(Act, frozen=True, tag="fit"):
    """Another shoe or another badge reader: protocols of `drivers.simulators`, "" for none."""

    shoe: str
    badge: str


class Power(Act, frozen=True, tag="power"):
    """The table's own plug: out is a kill between two instructions, with dark displays; in is a start."""

    on: bool


AnyAct = (
    Press | Hold | Bounce | Together | Turn | Push | Tap | Load | Stack | Draw | Deal | ToCard | ToShoe | ToFrame
    | ToBadgeFrame | ToReader | Fit | Power
)  # fmt: skip


class Cannot(Exception):  # noqa: N818 - it is an answer to the person at the page
    """This cannot be done now; `why` is a key of the page's words."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


# --- what a person sees


class ShoeLook(msgspec.Struct, frozen=True):
    """The shoe from within: `deck` next card first, of which `stacked` were chosen; `out`: cards that left, in order.

    `kind`: its protocol, "" while there is none; `tells_deck`: it says that a deck went in; `wrong`: mishaps that last;
    `cannot`: mishaps that such a shoe does not have, `unseen`: those that it does not notice; `waiting`: events that
    the table has not acknowledged; `faults`: what will befall the next frames.
    """

    kind: str = ""
    plugged: bool = True
    stalled: bool = False
    tells_deck: bool = True
    deck: tuple[str, ...] = ()
    stacked: int = 0
    out: tuple[str, ...] = ()
    wrong: tuple[Mishap, ...] = ()
    cannot: tuple[Mishap, ...] = ()
    unseen: tuple[Mishap, ...] = ()
    waiting: int = 0
    faults: dict[str, int] = {}


class ReaderLook(msgspec.Struct, frozen=True):
    """The badge reader. `kind`: its protocol, "" while there is none; `line`: it sends frames on a serial line."""

    kind: str = ""
    plugged: bool = True
    stalled: bool = False
    line: bool = True
    faults: dict[str, int] = {}


class Look(msgspec.Struct, frozen=True):
    """How everything looks at one moment. `glance` is None while the table has no power; `held`: stuck keys."""

    glance: Glance | None
    clock: Dots
    prompt: Cells
    shoe: ShoeLook
    reader: ReaderLook
    held: tuple[Key, ...]
    bouncing: bool
    seed: int


class Stand:
    """A virtual table and somebody before it. `start`, `do` and `stop` from one thread; `look` from one other."""

    def __init__(self, folder: Path, file: TableFile, number: int = 1) -> None:
        """`folder` is filled and outlives the table number `number`. What the page needs of the file is set here."""
        badges = file.more.get("badges", {})
        rights = {**_rights(site_key(badges.get("site_key", ""), file.site)), "director_pin": pin_hash(PIN)}
        more = {**file.more, "badges": {**badges, **rights}}
        self.number = number
        self.table = VirtualTable(folder, msgspec.structs.replace(file, displays=True, more=more))
        self._records = (folder / "clock.record", folder / "prompt.record")
        self._led, self._lines = LedEye(self._records[0], file.modules), PromptEye(self._records[1])
        self._looking = threading.Lock()             # over what is plugged in: nobody looks at a shoe that is changed
        self._out: tuple[str, ...] = ()
        self._stacked = 0
        self._wrong: frozenset[Mishap] = frozenset()
        self._held: frozenset[Key] = frozenset()
        self._bouncing = False
        self._seed = 0
        self._drawn_s = 0.0                          # when the shoe was last made to do something
        self._pause = threading.Event()

    def start(self) -> None:
        """Raises TableSilent."""
        self.table.start()

    def stop(self) -> None:
        """Ends the process and unplugs everything."""
        self.table.stop()

    # --- eyes

    def look(self) -> Look:
        """How everything looks now."""
        with self._looking:
            try:
                glance = self.table.glance()
            except TableSilent:
                glance = None
            clock = self._led.power_off() if glance is None else self._led.look()
            prompt = self._lines.power_off() if glance is None else self._lines.look()
            held = tuple(sorted(self._held))
            shoe, reader = self._look_at_shoe(), self._look_at_reader()
            return Look(glance, clock, prompt, shoe, reader, held, self._bouncing, self._seed)

    def _look_at_shoe(self) -> ShoeLook:
        sim = self.table.shoe
        if sim is None:
            return ShoeLook()

        def inside(shoe: ShoeDevice) -> ShoeLook:
            has = OF_ANY_SHOE | shoe.notices
            return ShoeLook(
                kind=self.table.file.shoe, plugged=sim.plugged, stalled=shoe.stalled, tells_deck=shoe.tells_deck,
                deck=tuple(shoe.deck), stacked=self._stacked, out=self._out, wrong=tuple(sorted(self._wrong)),
                cannot=tuple(sorted(set(Mishap) - has)), unseen=tuple(sorted(has - shoe.notices)),
                waiting=shoe.unacknowledged if isinstance(shoe, Osp1Device) else 0, faults=_faults(shoe.faults),
            )  # fmt: skip

        return sim.do(inside)

    def _look_at_reader(self) -> ReaderLook:
        reader = self.table.badge_reader
        if reader is None:
            return ReaderLook()
        if not isinstance(reader, FarEnd):
            return ReaderLook(self.table.file.badge, reader.plugged, line=False)
        device = reader.device
        return ReaderLook(
            self.table.file.badge, reader.plugged, device.stalled, faults=reader.do(lambda _: _faults(device.faults))
        )

    # --- hands

    def do(self, act: AnyAct) -> None:
        """One act. **Raises** Cannot."""
        try:
            self._do(act)
        except TableSilent as silent:
            raise Cannot("no_answer" if self._powered() else "no_power") from silent

    def _do(self, act: AnyAct) -> None:
        match act:
            case Press(key):
                self.table.press(key, bounces=BOUNCES if self._bouncing else 0)
            case Hold(key, down):
                self.table.send({"down" if down else "up": key.value})
                self._held = self._held | {key} if down else self._held - {key}
            case Bounce(on):
                self._bouncing = on
            case Together():
                self._together(Key.FOLD, Key.CHECK_CALL)
            case Turn(steps, pushed):
                if 0 < abs(steps) <= MAX_STEPS:
                    self.table.turn(steps, pushed=pushed)
            case Push():
                self.table.push()
            case Tap(badge):
                self._tap(badge)
            case Load(seed):
                self._noticed(self._load(seed))
            case Stack(card):
                self._stack(card)
            case Draw():
                self._noticed(self._drawn(lambda shoe: shoe.draw()))
            case Deal(seed):
                self._deal(seed)
            case ToCard(what):
                self._to_card(what)
            case ToShoe(what):
                self._to_shoe(what)
            case ToFrame(fault):
                self._shoe.do(lambda shoe: _one_more(shoe.faults, fault))
            case ToBadgeFrame(fault):
                self._line_reader.do(lambda reader: _one_more(reader.faults, fault))
            case ToReader(what):
                self._to_reader(what)
            case Fit(shoe, badge):
                self._fit(shoe, badge)
            case Power(on):
                self._switch(on=on)
            case _:
                assert_never(act)

    @property
    def _shoe(self) -> ShoeSim[Any]:
        """The shoe. Raises Cannot where there is none."""
        if self.table.shoe is None:
            raise Cannot("no_shoe")
        return self.table.shoe

    @property
    def _reader(self) -> simulators.BadgeSim:
        """The badge reader. Raises Cannot where there is none."""
        if self.table.badge_reader is None:
            raise Cannot("no_reader")
        return self.table.badge_reader

    @property
    def _line_reader(self) -> FarEnd[Any]:
        """The badge reader on a serial line. Raises Cannot where there is none: a wedge has no frames."""
        reader = self._reader
        if not isinstance(reader, FarEnd):
            raise Cannot("no_line")
        return reader

    def _together(self, *keys: Key) -> None:
        before = self.table.glance().heard
        for move in ("down", "up"):
            for key in keys:
                self.table.send({move: key.value})
        self.table.wait(lambda seen: seen.heard >= before + len(keys), "two keys at once")

    def _powered(self) -> bool:
        try:
            self.table.glance()
        except TableSilent:
            return False
        return True

    def _switch(self, *, on: bool) -> None:
        if on == self._powered():
            return
        if not on:
            self._held = frozenset()
            self.table.kill9()
            return
        self.table.kill9()           # a process that ended by itself still has a socket to hang up
        self._forget_records()
        self.table.restart()

    def _forget_records(self) -> None:
        for record in self._records:
            record.unlink(missing_ok=True)

    def _fit(self, shoe: str, badge: str) -> None:
        if shoe not in {"", *simulators.SHOES} or badge not in {"", *simulators.badge_readers()}:
            raise Cannot("no_such_device")
        before, deck = self.table.file, self._look_at_shoe().deck
        if (shoe, badge) == (before.shoe, before.badge):
            return
        with self._looking:
            self._held, self._wrong = frozenset(), frozenset()
            self._forget_records()
            self.table.refit(shoe, badge)
        if self.table.shoe is not None:
            self.table.shoe.do(lambda device: setattr(device, "deck", list(deck)))   # the cards go over as they lie

    def _tap(self, badge: Badge) -> None:
        before = self.table.glance().badges if self._powered() else 0
        self._reader.tap(simulators.badge_number(self.table.file.badge, UIDS[badge]))
        if self._reader.plugged:
            self._wait_a_moment(lambda seen: seen.badges > before)

    def _wait_a_moment(self, holds: Callable[[Glance], bool]) -> None:
        with contextlib.suppress(TableSilent):
            self.table.wait(holds, "a device", NOTICE_S)

    # --- the shoe

    def _noticed(self, holds: Callable[[Glance], bool]) -> None:
        """Gives the table a moment to have what the shoe said on disk."""
        if self._shoe.plugged:
            self._wait_a_moment(holds)

    def _told(self, act: Callable[[ShoeDevice], object]) -> Callable[[Glance], bool]:
        """Does something with the shoe, whether the table has power or not; how a glance shows that it has heard."""
        shoe = self._shoe
        self._pause.wait(max(0.0, self._drawn_s + shoe.device.draw_s - time.monotonic()))
        self._drawn_s = time.monotonic()
        try:
            return self.table.to_shoe(act)
        except TableSilent:
            shoe.do(act)
            return lambda _: True

    def _load(self, seed: int) -> Callable[[Glance], bool]:
        deck = list(DECK)
        Random(seed).shuffle(deck)
        holds = self._told(lambda shoe: shoe.load(deck))
        self._out, self._stacked, self._seed = (), 0, seed
        return holds if self._shoe.device.tells_deck else lambda _: True

    def _stack(self, card: str) -> None:
        def inside(shoe: ShoeDevice) -> int:
            if card not in shoe.deck:
                raise Cannot("not_in_deck")
            chosen = shoe.deck.index(card) < self._stacked
            shoe.deck.remove(card)
            shoe.deck.insert(self._stacked - 1 if chosen else self._stacked, card)
            return -1 if chosen else 1

        self._stacked += self._shoe.do(inside)

    def _drawn(self, draw: Callable[[ShoeDevice], object], cards: int = 1) -> Callable[[Glance], bool]:
        """So many cards leave the deck by `draw`, which takes the top ones."""
        top = self._look_at_shoe().deck[:cards]
        if len(top) < cards:
            raise Cannot("no_deck")
        holds = self._told(draw)
        self._out, self._stacked = (*self._out, *top), max(0, self._stacked - cards)
        return holds

    def _deal(self, seed: int) -> None:
        due = self.table.glance().view.due
        if due not in DEALING | BETWEEN_HANDS:
            raise Cannot("nothing_due")
        tells, fresh = self._shoe.device.tells_deck, len(self._look_at_shoe().deck) == len(DECK)
        if (due in BETWEEN_HANDS and (tells or not fresh)) or (due is Due.FIRST_CARD and not fresh):
            self._stored(self._load(seed))
        if due in BETWEEN_HANDS and not tells:       # such a shoe does not say that it was filled: the dealer does
            self.table.press(Key.DEAL)
        for _ in range(AUTO_DEAL_CARDS):
            seen = self.table.glance()
            if seen.view.due not in DEALING or seen.mode not in {"Play", "Award"}:
                return
            self._stored(self._drawn(lambda shoe: shoe.draw()))

    def _stored(self, holds: Callable[[Glance], bool]) -> None:
        """Waits until the table has it on disk."""
        try:
            self.table.wait(holds, "the shoe", SHOE_TIMEOUT_S)
        except TableSilent as silent:
            raise Cannot("shoe_not_heard" if self._powered() else "no_power") from silent

    def _to_card(self, what: Mishap) -> None:
        shoe = self._shoe.device
        if what not in OF_ANY_SHOE | shoe.notices:
            raise Cannot("not_that_shoe")
        match what:
            case Mishap.BOXED:
                self._noticed(self._drawn(lambda device: device.draw(face="U")))
            case Mishap.UNREADABLE:
                self._noticed(self._drawn(lambda device: device.draw_unreadable()))
            case Mishap.TWO:
                self._noticed(self._drawn(lambda device: device.draw_two(), 2))
            case Mishap.FOREIGN:
                self._foreign()
            case Mishap.BACK:
                card = self._last_out()
                self._noticed(self._told(lambda device: device.push_back(card)))
                self._out, self._stacked = self._out[:-1], self._stacked + 1
            case Mishap.CUT:
                self._told(lambda device: device.cut())
            case Mishap.DOOR | Mishap.REVERSED | Mishap.JAM:
                on = what not in self._wrong
                self._told(lambda device: _lasting(device, what, on=on))
                self._wrong = self._wrong ^ {what}
            case _:
                assert_never(what)

    def _to_shoe(self, what: ShoeAct) -> None:
        shoe = self._shoe
        match what:
            case ShoeAct.TWICE:
                card = self._last_out()
                self._noticed(self._told(lambda device: device.draw(card)))
            case ShoeAct.UNPLUG:
                shoe.unplug()
            case ShoeAct.PLUG:
                shoe.plug()
            case ShoeAct.TORN:
                self._torn()
            case ShoeAct.STALL:
                shoe.stall()
            case ShoeAct.RESUME:
                shoe.resume()
            case ShoeAct.REBOOT:
                self._wrong = frozenset()
                shoe.do(lambda device: device.reboot(time.monotonic()))
            case ShoeAct.NOISE:
                shoe.noise(NOISE_BYTES)
            case _:
                assert_never(what)

    def _last_out(self) -> str:
        if not self._out:
            raise Cannot("nothing_out")
        return self._out[-1]

    def _foreign(self) -> None:
        """A card of another deck comes before the next one; it looks like the deck's bottom card, which it replaces."""
        deck = self._look_at_shoe().deck
        if not deck:
            raise Cannot("no_deck")
        self._noticed(self._told(lambda device: device.draw_foreign(deck[-1])))
        self._out = (*self._out, deck[-1])

    def _torn(self) -> None:
        deck = self._look_at_shoe().deck
        if not deck:
            raise Cannot("no_deck")
        self._shoe.tear(lambda device: device.draw())
        self._out, self._stacked = (*self._out, deck[0]), max(0, self._stacked - 1)

    def _to_reader(self, what: BadgeAct) -> None:
        match what:
            case BadgeAct.UNPLUG:
                self._reader.unplug()
            case BadgeAct.PLUG:
                self._reader.plug()
            case BadgeAct.STALL:
                self._line_reader.stall()
            case BadgeAct.RESUME:
                self._line_reader.resume()
            case BadgeAct.NOISE:
                self._reader.noise(NOISE_BYTES)
            case BadgeAct.HALF:
                self._reader.graze(simulators.badge_number(self.table.file.badge, UIDS[Badge.DEALER]))
            case _:
                assert_never(what)


def _rights(key: bytes) -> dict[str, list[str]]:
    """The director's badge and the revoked one, as every kind of reader numbers them. `key`: the site's."""

    def hashes(badge: Badge) -> list[str]:
        numbers = {simulators.badge_number(kind, UIDS[badge]) for kind in (*simulators.LINE_READERS, "wedge")}
        return sorted(badge_hash(key, number) for number in numbers)

    return {"directors": hashes(Badge.DIRECTOR), "revoked": hashes(Badge.REVOKED)}


def _lasting(shoe: ShoeDevice, what: Mishap, *, on: bool) -> object:
    """A mishap that lasts begins or is put right."""
    return shoe.door(opened=on) if what is Mishap.DOOR else shoe.error(CODES[what], on=on)


def _faults(faults: Faults) -> dict[str, int]:
    return {fault.value: getattr(faults, fault.value) for fault in FrameFault}


def _one_more(faults: Faults, what: FrameFault) -> None:
    setattr(faults, what, getattr(faults, what) + 1)
