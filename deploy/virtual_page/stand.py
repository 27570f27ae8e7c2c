"""The place where a person stands at a virtual table: what hands can do there, and what eyes see.

`Stand.do(act)` does one thing, `Stand.look()` says how everything looks. Acts go one after another, from one thread
that lives as long as the table (the unit's process ends with the thread that started it); looks may come from another.

What the person does to a *device* is done whether the table notices or not: a shoe whose cable is out still gives its
cards, and the table hears of them when it can. Only where it should notice at once it is given a second to. What the
person does to the *panel* is answered by the table, or refused because it has no power.

The shoe's cards are seen here, because whoever stacks a deck knows it. They are in `ShoeLook` alone; `Glance`, which is
what the unit itself shows, never names a card that was not tabled.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import assert_never

import msgspec

from deploy.virtual_page.screens import Cells, Dots, LedEye, PromptEye
from deploy.virtual_table import Glance, TableFile, TableSilent, VirtualTable
from drivers.osp1_sim import Osp1Device
from drivers.seen import Key
from engine.cards import DECK
from engine.view import Due
from firmware_py.badges import badge_hash, site_key

MAX_STEPS = 100                  # detents in one request
AUTO_DEAL_CARDS = 64             # no deal draws more
DEALING = frozenset({Due.FIRST_CARD, Due.HOLE_CARDS, Due.BURN, Due.BOARD})
BETWEEN_HANDS = frozenset({Due.SHUFFLE, Due.NEXT_HAND})
SHOE_TIMEOUT_S = 4.0             # a drawn card is on the table's disk by then, or the shoe is not heard
NOTICE_S = 1.0                   # how long an act waits for a table that should notice; it need not
NOISE_BYTES = 64


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
    """What may befall the shoe, its cards and its cable."""

    BOXED = "boxed"              # the next card lies face up in the deck
    UNREADABLE = "unreadable"
    TWICE = "twice"              # a card that is out already comes again: a fouled deck
    FOREIGN = "foreign"          # a card of another deck
    BACK = "back"                # the last card is pushed back in
    CUT = "cut"
    DOOR = "door"                # opens or closes
    UNPLUG = "unplug"
    PLUG = "plug"
    TORN = "torn"                # a card leaves while the cable is pulled: half a frame
    STALL = "stall"
    RESUME = "resume"
    REBOOT = "reboot"
    NOISE = "noise"              # random bytes on the line, now


class FrameFault(StrEnum):
    """What may befall the frame of the shoe's next event; the names are those of the simulator's counters."""

    DROP = "drop"
    CORRUPT = "corrupt"
    DUPLICATE = "duplicate"
    REORDER = "reorder"
    NOISE = "noise"


class BadgeAct(StrEnum):
    """What may befall the badge reader."""

    UNPLUG = "unplug"
    PLUG = "plug"
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


class ToShoe(Act, frozen=True, tag="shoe"):
    """Something befalls the shoe."""

    what: ShoeAct


class ToFrame(Act, frozen=True, tag="frame"):
    """Something befalls the frame of the shoe's next event."""

    what: FrameFault


class ToReader(Act, frozen=True, tag="reader"):
    """Something befalls the badge reader."""

    what: BadgeAct


class Power(Act, frozen=True, tag="power"):
    """The table's own plug: out is a kill between two instructions, with dark displays; in is a start."""

    on: bool


AnyAct = (
    Press | Hold | Turn | Push | Tap | Load | Stack | Draw | Deal | ToShoe | ToFrame | ToReader | Power
)  # fmt: skip


class Cannot(Exception):  # noqa: N818 - it is an answer to the person at the page
    """This cannot be done now; `why` is a key of the page's words."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


# --- what a person sees


class ShoeLook(msgspec.Struct, frozen=True):
    """The shoe from within: `deck` next card first, of which `stacked` were chosen; `out`: cards that left, in order.

    `waiting`: events that the table has not acknowledged; `faults`: what will befall the next frames.
    """

    plugged: bool
    stalled: bool
    door: bool
    deck: tuple[str, ...]
    stacked: int
    out: tuple[str, ...]
    waiting: int
    faults: dict[str, int]


class Look(msgspec.Struct, frozen=True):
    """How everything looks at one moment. `glance` is None while the table has no power; `held`: stuck keys."""

    glance: Glance | None
    clock: Dots
    prompt: Cells
    shoe: ShoeLook
    reader: bool
    held: tuple[Key, ...]
    seed: int


class Stand:
    """A virtual table and somebody before it. `start`, `do` and `stop` from one thread; `look` from one other."""

    def __init__(self, folder: Path, file: TableFile) -> None:
        """`folder` is filled and outlives the table. What the page needs of the file is set here."""
        known = {badge: badge_hash(site_key("", file.site), UIDS[badge]) for badge in Badge}
        rights = {"directors": [known[Badge.DIRECTOR]], "revoked": [known[Badge.REVOKED]]}
        more = {**file.more, "badges": rights}
        complete = msgspec.structs.replace(file, shoe=True, badge=True, displays=True, more=more)
        self.table = VirtualTable(folder, complete)
        assert self.table.shoe is not None
        assert self.table.badge_reader is not None
        self._shoe, self._reader = self.table.shoe, self.table.badge_reader
        self._records = (folder / "clock.record", folder / "prompt.record")
        self._led, self._lines = LedEye(self._records[0], file.modules), PromptEye(self._records[1])
        self._out: tuple[str, ...] = ()
        self._stacked = 0
        self._door = False
        self._held: frozenset[Key] = frozenset()
        self._seed = 0

    def start(self) -> None:
        """Raises TableSilent."""
        self.table.start()

    def stop(self) -> None:
        """Ends the process and unplugs everything."""
        self.table.stop()

    # --- eyes

    def look(self) -> Look:
        """How everything looks now."""
        try:
            glance = self.table.glance()
        except TableSilent:
            glance = None
        clock = self._led.power_off() if glance is None else self._led.look()
        prompt = self._lines.power_off() if glance is None else self._lines.look()
        reader = self._reader.line.plugged
        return Look(glance, clock, prompt, self._look_at_shoe(), reader, tuple(sorted(self._held)), self._seed)

    def _look_at_shoe(self) -> ShoeLook:
        def inside(shoe: Osp1Device) -> ShoeLook:
            faults = {fault.value: getattr(shoe.faults, fault.value) for fault in FrameFault}
            return ShoeLook(
                self._shoe.line.plugged, shoe.stalled, self._door, tuple(shoe.deck), self._stacked, self._out,
                shoe.unacknowledged, faults,
            )  # fmt: skip

        return self._shoe.do(inside)

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
                self.table.press(key)
            case Hold(key, down):
                self.table.send({"down" if down else "up": key.value})
                self._held = self._held | {key} if down else self._held - {key}
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
            case ToShoe(what):
                self._to_shoe(what)
            case ToFrame(what):
                self._shoe.do(lambda shoe: setattr(shoe.faults, what, getattr(shoe.faults, what) + 1))
            case ToReader(what):
                self._to_reader(what)
            case Power(on):
                self._switch(on=on)
            case _:
                assert_never(act)

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
        for record in self._records:
            record.unlink(missing_ok=True)
        self.table.restart()

    def _tap(self, badge: Badge) -> None:
        before = self.table.glance().badges if self._powered() else 0
        self._reader.tap(UIDS[badge])
        if self._reader.line.plugged:
            self._wait_a_moment(lambda seen: seen.badges > before)

    def _wait_a_moment(self, holds: Callable[[Glance], bool]) -> None:
        with contextlib.suppress(TableSilent):
            self.table.wait(holds, "a device", NOTICE_S)

    # --- the shoe

    def _noticed(self, event: int) -> None:
        """Gives the table a moment to have the shoe's event on disk."""
        mark = (self._shoe.device.boot, event)
        if self._shoe.line.plugged:
            self._wait_a_moment(lambda seen: seen.shoe == mark)

    def _load(self, seed: int) -> int:
        deck = list(DECK)
        Random(seed).shuffle(deck)
        self._out, self._stacked, self._seed = (), 0, seed
        return self._shoe.load(deck)

    def _stack(self, card: str) -> None:
        def inside(shoe: Osp1Device) -> int:
            if card not in shoe.deck:
                raise Cannot("not_in_deck")
            chosen = shoe.deck.index(card) < self._stacked
            shoe.deck.remove(card)
            shoe.deck.insert(self._stacked - 1 if chosen else self._stacked, card)
            return -1 if chosen else 1

        self._stacked += self._shoe.do(inside)

    def _drawn(self, draw: Callable[[Osp1Device], int]) -> int:
        """A card leaves the deck by `draw`, which takes the top one. The event's number."""

        def inside(shoe: Osp1Device) -> tuple[str, int]:
            if not shoe.deck:
                raise Cannot("no_deck")
            return shoe.deck[0], draw(shoe)

        card, event = self._shoe.do(inside)
        self._out, self._stacked = (*self._out, card), max(0, self._stacked - 1)
        return event

    def _deal(self, seed: int) -> None:
        due = self.table.glance().view.due
        if due not in DEALING | BETWEEN_HANDS:
            raise Cannot("nothing_due")
        if due in BETWEEN_HANDS or (due is Due.FIRST_CARD and len(self._look_at_shoe().deck) < len(DECK)):
            self._stored(self._load(seed))
        for _ in range(AUTO_DEAL_CARDS):
            if self.table.glance().view.due not in DEALING:
                return
            self._stored(self._drawn(lambda shoe: shoe.draw()))

    def _stored(self, event: int) -> None:
        """Waits until the table has the shoe's event on disk."""
        mark = (self._shoe.device.boot, event)
        try:
            self.table.wait(lambda seen: seen.shoe == mark, f"event {event} of the shoe", SHOE_TIMEOUT_S)
        except TableSilent as silent:
            raise Cannot("shoe_not_heard" if self._powered() else "no_power") from silent

    def _to_shoe(self, what: ShoeAct) -> None:
        shoe = self._shoe
        match what:
            case ShoeAct.BOXED:
                self._noticed(self._drawn(lambda device: device.draw(face="U")))
            case ShoeAct.UNREADABLE:
                self._noticed(self._drawn(lambda device: device.draw_unreadable()))
            case ShoeAct.TWICE:
                self._noticed(shoe.draw(self._last_out()))
            case ShoeAct.FOREIGN:
                self._foreign()
            case ShoeAct.BACK:
                card = self._last_out()
                shoe.do(lambda device: device.push_back(card))
                self._out, self._stacked = self._out[:-1], self._stacked + 1
            case ShoeAct.CUT:
                shoe.do(lambda device: device.cut())
            case ShoeAct.DOOR:
                self._door = not self._door
                shoe.do(lambda device: device.door(opened=self._door))
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
                shoe.reboot()
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

        def inside(shoe: Osp1Device) -> str:
            if not shoe.deck:
                raise Cannot("no_deck")
            card = shoe.deck[-1]
            shoe.draw_foreign(card)
            return card

        self._out = (*self._out, self._shoe.do(inside))

    def _torn(self) -> None:
        deck = self._look_at_shoe().deck
        if not deck:
            raise Cannot("no_deck")
        self._shoe.draw_and_unplug()
        self._out, self._stacked = (*self._out, deck[0]), max(0, self._stacked - 1)

    def _to_reader(self, what: BadgeAct) -> None:
        match what:
            case BadgeAct.UNPLUG:
                self._reader.unplug()
            case BadgeAct.PLUG:
                self._reader.plug()
            case BadgeAct.NOISE:
                self._reader.noise(NOISE_BYTES)
            case BadgeAct.HALF:
                self._reader.half_frame(UIDS[Badge.DEALER])
            case _:
                assert_never(what)
