"""What devices report, in the devices' own words: keys, turns, badges, cards, and that a line is down or up again.

Drivers know bytes and pins and nothing of poker. Every driver takes a `Post` and calls it from its own thread with one
of these records, stamped with the monotonic time of the edge or byte (`at_ns`, `time.monotonic_ns()`); it does nothing
else there. Whoever composes the unit turns a `Post` into an entry of the inbox.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

import msgspec


class Key(StrEnum):
    """The eight keys of the panel, in the order in which they lie under the dealer's hand."""

    FOLD = "fold"
    CHECK_CALL = "check_call"
    BET_RAISE = "bet_raise"
    ALL_IN = "all_in"
    DEAL = "deal"
    UNDO = "undo"
    TIME = "time"
    FLOOR = "floor"


class ErrorKind(StrEnum):
    """What is wrong with a device, for callers that react to kinds and not to vendors."""

    GONE = "gone"                    # unplugged, or its file does not exist
    BUSY = "busy"                    # somebody else has it
    DENIED = "denied"                # no permission
    SETTINGS = "settings"            # refuses the line's settings
    SILENT = "silent"                # no heartbeat
    NOISE = "noise"                  # bytes that are no frame, more than an accident
    STUCK = "stuck"                  # a key that does not come up again


class Seen(msgspec.Struct, frozen=True, tag=True):
    """Base of everything a device reports."""


class KeyPressed(Seen, frozen=True, tag=True):
    """A key went down; debounced, reported at its first edge."""

    key: Key


class KeyReleased(Seen, frozen=True, tag=True):
    """A key came up again."""

    key: Key


class KnobTurned(Seen, frozen=True, tag=True):
    """The knob turned by `steps` detents, clockwise positive; `pushed`: while held in."""

    steps: int
    pushed: bool = False


class KnobPushed(Seen, frozen=True, tag=True):
    """The knob was pushed in and let go without a turn."""


class KeysTogether(Seen, frozen=True, tag=True):
    """Two keys went down within a blink, as one finger does that lies on both. Each was told as pressed before."""

    first: Key
    second: Key


class KnobMissed(Seen, frozen=True, tag=True):
    """The knob came to rest and the phases do not add up: it turned faster than it was read, or a contact is bad."""


class BadgeRead(Seen, frozen=True, tag=True):
    """A badge was laid on the reader, once per presence. `uid_hex` must not travel beyond the unit's badge hash."""

    reader: str
    uid_hex: str
    technology: str


class FromShoe(Seen, frozen=True, kw_only=True, tag=True):
    """Base of what a shoe reports: event `seq` of its power-up `boot`; both empty when it is no event of its own.

    The shoe re-sends an event until it is acknowledged. Whoever stores the event stores (`boot`, `seq`) with it, then
    says `Shoe.committed(seq, boot)`; a process that starts again gives the stored pair to `Shoe(last=...)`. So nothing
    is lost and nothing comes twice.
    """

    seq: int = 0
    boot: str = ""


class CardOut(FromShoe, frozen=True, tag=True):
    """A card left the shoe: `card` "Ah".."2c" or "??", `face` D down, U up (boxed), X unknown; `n` since loading."""

    n: int
    card: str
    face: str
    confidence: int


class CardBack(FromShoe, frozen=True, tag=True):
    """Card `n` was pushed back into the shoe."""

    n: int


class CutCard(FromShoe, frozen=True, tag=True):
    """The cut card is reached."""

    n: int


class ShoeDoor(FromShoe, frozen=True, tag=True):
    """The shoe's door."""

    open: bool


class ShoeShuffled(FromShoe, frozen=True, tag=True):
    """The shuffler changed: IDLE, LOAD, SHUF, RDY or JAM, with the cards it holds. RDY is a new deck."""

    state: str
    count: int


class ShoeError(FromShoe, frozen=True, tag=True):
    """The shoe reports an error code (two digits) set or cleared."""

    code: str
    on: bool


class CardsLost(FromShoe, frozen=True, tag=True):
    """Cards left the shoe that nobody can name any more. Means nothing between hands.

    `why` is `gap` (events `first` to `last` cannot be had again), `restart` (the shoe began anew with another count of
    cards) or `copies` (the copies of one report differ); in the last two `first` and `last` are 0.
    """

    first: int
    last: int
    why: str


class InputDown(Seen, frozen=True, tag=True):
    """A device is lost; reported once. `hint` tells the person at the table what to do."""

    source: str
    kind: ErrorKind
    hint: str


class InputUp(Seen, frozen=True, tag=True):
    """A device is back; reported once."""

    source: str


class Noise(Seen, frozen=True, tag=True):
    """Bytes on a line that are no frame of its protocol; `count` since the last report. For the log and doctor."""

    source: str
    count: int


Post = Callable[[Seen, int], None]
