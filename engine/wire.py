"""Messages between a table and the hub: topics, envelope, records, codec.

The broker is a pipe and proves nothing: each unit numbers its events (`seq`, running on across reboots) inside an
incarnation of its outbox (`ep`, issued by the hub); the hub acknowledges a watermark after its own commit. Only public
records are defined here: none has a field for a card that has not been tabled.

One JSON object in UTF-8 a message, at most `MAX_BYTES` (events also travel as an array of up to `MAX_BATCH`); unknown
fields are ignored, an unknown `kind` is stored and acknowledged and never blocks the stream. `UP`, `DOWN` and `HUB`
list every topic.

Times: `mono` and `t1` are the unit's monotonic clock; "hub time" (`exp_ms`, `anchor_ms`, `t2`, `t3`) is the hub's own
clock, which the units know by the four time stamps of `TimeQuery` and `TimeReply` (RFC 5905, section 8).
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec

from engine.inputs import Level
from engine.view import SeatView, TableView

PROTOCOL = 1
MAX_BYTES = 4096
MAX_BATCH = 32
MAX_BATCH_BYTES = 16 * 1024
MAX_PAYLOAD_BYTES = 64 * 1024  # of whatever comes; a longer one is not looked at
MAX_DEPTH = 100  # lists and objects in one another; the decoder goes down on Python's own stack
WINDOW = 32  # events under way above the hub's watermark
UNIT_ID = re.compile(r"[a-z0-9-]{3,32}")

# What every JSON reader and every database keeps exactly (RFC 7493, 2.2); a message with a greater one is malformed.
MAX_INT = 2**53 - 1
Int = Annotated[int, msgspec.Meta(ge=-MAX_INT, le=MAX_INT)]
Count = Annotated[int, msgspec.Meta(ge=0, le=MAX_INT)]
Epoch = Annotated[int, msgspec.Meta(ge=1, le=MAX_INT)]
Ms = Annotated[float, msgspec.Meta(ge=-MAX_INT, le=MAX_INT)]
Seats = Annotated[int, msgspec.Meta(ge=2, le=22)]  # of a table: `engine.table.new_table`
Seat = Annotated[int, msgspec.Meta(ge=0, le=22)]  # 0: nobody's
MAX_UTC = 200_000_000_000_000  # ms; datetime ends with the year 9999
Utc = Annotated[int, msgspec.Meta(ge=0, le=MAX_UTC)]
Minutes = Annotated[float, msgspec.Meta(ge=0, le=1_000_000)]

T = TypeVar("T")


class Topics(msgspec.Struct, frozen=True):
    """The topic tree of one site: `bottone/1/<site>/...`. `unit` is the hardware's identity, never a table number."""

    site: str

    def unit(self, unit: str, leaf: str) -> str:
        """Topic of one unit; `leaf` is for example `up/ev` or `dn/ack`. Raises ValueError on a bad unit id."""
        if not UNIT_ID.fullmatch(unit):
            raise ValueError(f"unit id {unit!r}: use 3 to 32 of a-z, 0-9 and -")
        return f"bottone/{PROTOCOL}/{self.site}/u/{unit}/{leaf}"

    def every_unit(self, leaf: str) -> str:
        """Subscription for the hub: the same leaf of all units."""
        return f"bottone/{PROTOCOL}/{self.site}/u/+/{leaf}"

    def hub(self, leaf: str) -> str:
        """`state` or `clock`, both retained."""
        return f"bottone/{PROTOCOL}/{self.site}/hub/{leaf}"


# --- up: events of a table. The body's class name in snake case is the envelope's `kind`.


class Body(msgspec.Struct, frozen=True):
    """Base of all public event bodies."""


class HandStarted(Body, frozen=True):
    """A hand began: blinds and antes are posted, cards are coming. `seats` are the stacks behind, after posting."""

    button: Seat
    small_blind: Seat
    big_blind: Seat
    level: Level
    seats: tuple[SeatView, ...]
    stacks_before: dict[Seat, Int]
    pot: Int


class Action(Body, frozen=True):
    """A seat acted. `what` in the grammar's words: fold check call bet raise_to all_in kill; `to` its street total."""

    seat: Seat
    what: str
    to: Int
    stack: Int
    pot: Int
    to_act: Seat
    to_call: Int
    articles: tuple[str, ...] = ()


class StreetOpened(Body, frozen=True):
    """Betting opens: `preflop` when the hole cards are dealt, later when the board has grown. `board` is all of it."""

    street: Annotated[str, msgspec.Meta(pattern="^(preflop|flop|turn|river)$")]
    board: tuple[str, ...]
    pot: Int
    to_act: Seat


class CardsShown(Body, frozen=True):
    """A seat tabled its hand."""

    seat: Seat
    cards: tuple[str, str]


class PotAwarded(Body, frozen=True):
    """A pot went to its winners: seat -> chips. `articles` say why it was cut this way."""

    amount: Int
    shares: dict[Seat, Int]
    articles: tuple[str, ...] = ()


class HandEnded(Body, frozen=True):
    """The hand is over; the stacks of all seats, and where the button goes for the next."""

    stacks: dict[Seat, Int]
    carried: Int
    next_button: Seat
    next_small_blind: Seat
    next_big_blind: Seat


class Eliminated(Body, frozen=True):
    """A player has no chips left. `stack_before` at the hand's start orders those who go out in the same hand."""

    seat: Seat
    player: str
    stack_before: Int


REINSTATED = "reinstated"


class SeatChanged(Body, frozen=True):
    """A player sat down (`sat` true) or left with `stack` chips. `why` is an Arrival or a Departure, or `REINSTATED`:
    what put the player out was undone. What is left of a penalty: `misses` hands, or `banned_ms`, to sit out.
    """

    seat: Seat
    player: str
    stack: Int
    sat: bool
    why: str
    name: str = ""
    misses: Int = 0
    banned_ms: Int = 0


class LevelApplied(Body, frozen=True):
    """A level counts from this hand on."""

    level: Level


class Irregularity(Body, frozen=True):
    """Something went wrong at the table and a rule spoke. No card of it is named."""

    what: str
    seat: Seat
    articles: tuple[str, ...] = ()


class FloorCalled(Body, frozen=True):
    """The table waits for the director, or (`on` false) no longer."""

    why: str
    on: bool = True


class DealerOn(Body, frozen=True):
    """A dealer tapped in. `dealer` is a keyed hash of the badge, never its number."""

    dealer: str
    with_pin: bool = False


class ChipsCounted(Body, frozen=True):
    """The director set a stack to what was counted; or chips of it left the tournament (`confiscated`)."""

    seat: Seat
    player: str
    before: Int
    after: Int
    confiscated: bool = False


class ChipsRaced(Body, frozen=True):
    """The smallest chips left the table: `chip` is the smallest now, `stacks` are those after the race.

    Of all chips `removed` left without payment and `added` came in beyond equal value.
    """

    chip: Int
    stacks: dict[Seat, Int]
    removed: Int
    added: Int


class BlindsTaken(Body, frozen=True):
    """A player dodged blinds: `chips` of the stack wait in the middle, where `carried` is now, for the next pot."""

    seat: Seat
    player: str
    chips: Int
    carried: Int


BODIES: dict[str, type[Body]] = {
    "hand_started": HandStarted,
    "action": Action,
    "street": StreetOpened,
    "shown": CardsShown,
    "pot_awarded": PotAwarded,
    "hand_ended": HandEnded,
    "eliminated": Eliminated,
    "seat_changed": SeatChanged,
    "level_applied": LevelApplied,
    "irregularity": Irregularity,
    "floor_called": FloorCalled,
    "dealer_on": DealerOn,
    "chips_counted": ChipsCounted,
    "chips_raced": ChipsRaced,
    "blinds_taken": BlindsTaken,
}
KINDS: dict[type[Body], str] = {body: kind for kind, body in BODIES.items()}


class Stamp(msgspec.Struct, frozen=True):
    """When, by three measures: the unit's monotonic clock, wall time for printing, and its error bound. In ms."""

    mono: Int
    utc: Utc
    err: Int = -1


class Envelope(msgspec.Struct, frozen=True):
    """What every event travels in. Key of idempotency: (`unit`, `ep`, `seq`); same key, other digest: a cloned unit."""

    unit: str
    ep: Int
    seq: Int
    kind: str
    hand: Int
    hand_rev: Int
    t: Stamp
    body: msgspec.Raw
    v: Int = 1
    kv: Int = 1
    boot: Int = 0
    table: Int = 0
    cause: str = ""


class UnitState(msgspec.Struct, frozen=True):
    """`up/state`, retained and also the will. `st`: ready, off, lost. `last` is the newest seq of the outbox.

    Everything up to `acked` has left the outbox; a hub that issues a new `ep` starts its watermark there. `cfg_rev` is
    the `rev` of the adoption that is in force, 0 before the first.
    """

    st: str
    boot: Int
    ep: Int
    last: Int
    acked: Int = 0
    fw: str = ""
    proto: Int = PROTOCOL
    cfg_rev: Int = 0


class Snapshot(msgspec.Struct, frozen=True):
    """`up/snap`: the full public picture after event `seq`."""

    ep: Int
    seq: Int
    hand: Int
    hand_rev: Int
    view: TableView


class TimeQuery(msgspec.Struct, frozen=True):
    """`up/tq`, QoS 0: the unit asks the time at `t1` of its monotonic clock, in ms."""

    n: Int
    t1: Ms


class Telemetry(msgspec.Struct, frozen=True):
    """`up/tele`, QoS 0, every 5 s: the heartbeat."""

    boot: Int
    mono: Int
    offset: Int
    err: Int
    outbox: Int
    oldest_ms: Int
    temp_c: float = 0.0
    clock_rev: Int = 0


class Result(msgspec.Struct, frozen=True):
    """`up/res`: what became of a command. `rc`: ok, refused, expired, stale, bad_signature, unknown.

    `expired`: it came too late; `stale`: another hand, or an older counter than one already heard; `unknown`: a command
    this version does not have. The same `id` is answered with the same result, however often it comes.
    """

    id: str
    rc: str
    why: str = ""


# --- down: the hub to a table


class Ack(msgspec.Struct, frozen=True):
    """`dn/ack`: everything up to `wm` of incarnation `ep` is committed at hub epoch `hub`."""

    ep: Int
    wm: Int
    hub: Int


class Resync(msgspec.Struct, frozen=True):
    """`dn/resync`: send again from `since` on (0: nothing), and with `snap` a snapshot too."""

    ep: Int
    since: Int
    snap: bool = False


class TimeReply(msgspec.Struct, frozen=True):
    """`dn/tr`, QoS 0: the query `n` came in at `t2` and was answered at `t3`, in ms of hub time at hub epoch `hub`."""

    n: Int
    t1: Ms
    t2: Ms
    t3: Ms
    hub: Int


class Adopt(msgspec.Struct, frozen=True):
    """`dn/want`, retained: what the hub wants of a unit. A `rev` not above the one in force is ignored.

    `ep` is the hub's number for this outbox. `key` is the hub's Ed25519 public key: the table keeps the first one it
    gets, and `sig`, made with it, proves every later adoption. `badge_key` is the site's key for badge hashes. All
    three are hexadecimal. `revoked`: hashes of badges that are refused at every table.
    """

    rev: Int
    ep: Int
    table_no: Int
    tournament: str
    book: str
    size: Seats
    chip: Annotated[int, msgspec.Meta(ge=1, le=MAX_INT)]
    key: str = ""
    badge_key: str = ""
    sig: str = ""
    revoked: tuple[str, ...] = ()


class SeatPlayer(msgspec.Struct, frozen=True, tag="seat"):
    """Command: this player sits here with these chips, and has `misses` hands, or `banned_ms`, left to sit out."""

    seat: Int
    player: str
    name: str
    stack: Int
    why: str
    misses: Int = 0
    banned_ms: Int = 0


class UnseatPlayer(msgspec.Struct, frozen=True, tag="unseat"):
    """Command: this player leaves this seat when the hand is over."""

    seat: Int
    player: str
    why: str


class SetButton(msgspec.Struct, frozen=True, tag="button"):
    """Command: the button lies at this seat; with the blinds given, they are those seats (0: nobody posts)."""

    seat: Int
    small_blind: Int | None = None
    big_blind: Int | None = None


class Hold(msgspec.Struct, frozen=True, tag="hold"):
    """Command: do not begin the next hand (`on`), or go on."""

    on: bool
    why: str = ""


class FloorRuling(msgspec.Struct, frozen=True, tag="floor"):
    """Command: the director's decision for a table that waits."""

    what: str
    text: str = ""


class RaceChips(msgspec.Struct, frozen=True, tag="race"):
    """Command: the chips of `old` leave the table, `new` are the smallest from now on.

    `rounds`: the cards of the race, round by round, as (seat, card) in the order dealt; `small_blind` of the last hand
    (0: as the table knows it).
    """

    old: Int
    new: Int
    rounds: tuple[tuple[tuple[Int, str], ...], ...] = ()
    small_blind: Int = 0


class DodgedBlinds(msgspec.Struct, frozen=True, tag="dodged"):
    """Command: this player dodged these blinds on the way to the seat; they go into the next pot."""

    seat: Int
    player: str
    small_blind: bool
    big_blind: bool


CommandBody = SeatPlayer | UnseatPlayer | SetButton | Hold | FloorRuling | RaceChips | DodgedBlinds


class Precondition(msgspec.Struct, frozen=True):
    """A command applies only to this hand (0: any)."""

    hand: Int = 0


class HubCommand(msgspec.Struct, frozen=True):
    """`dn/cmd`: never retained. `n` counts up in hub epoch `hub`; `exp_ms` is hub time; `sig` Ed25519, hexadecimal.

    `body` is a `CommandBody`. Sent again under the same `id` with a new `n` until a `Result` comes or it has expired.
    """

    id: str
    hub: Int
    n: Int
    exp_ms: Int
    body: msgspec.Raw
    sig: str = ""
    when: Precondition = Precondition()


class HubState(msgspec.Struct, frozen=True):
    """`hub/state`, retained and also the will. `hub` is the hub's epoch: higher after each start."""

    st: str
    hub: Epoch
    since: Int


class ClockLevel(msgspec.Struct, frozen=True):
    """One line of the schedule: a level, or a break when `level` is None. `color_up`: the chips that leave in it."""

    minutes: Minutes
    level: Level | None = None
    color_up: tuple[Int, ...] = ()


class Clock(msgspec.Struct, frozen=True):
    """`hub/clock`, retained: an anchor, never ticks. `index` counts in `schedule`, breaks included.

    At hub time `anchor_ms` there were `remain_ms` left of line `index`, and the clock was `running` or not. What else
    every display in the room should say: the tables play `hand_for_hand`; one table is left, the `final_table`.
    """

    hub: Int
    rev: Int
    index: Count
    running: bool
    anchor_ms: Int
    remain_ms: Int
    schedule: tuple[ClockLevel, ...]
    announced: Int = 0
    hand_for_hand: bool = False
    final_table: bool = False


class Channel(NamedTuple):
    """One leaf of the topic tree: its record, its quality of service, whether the broker keeps the last (`retain`)."""

    leaf: str
    record: type[msgspec.Struct]
    qos: Int
    retain: bool
    many: bool = False


UP: tuple[Channel, ...] = (
    Channel("up/state", UnitState, 1, True),
    Channel("up/ev", Envelope, 1, False, many=True),
    Channel("up/snap", Snapshot, 1, False),
    Channel("up/tele", Telemetry, 0, False),
    Channel("up/res", Result, 1, False),
    Channel("up/tq", TimeQuery, 0, False),
)
DOWN: tuple[Channel, ...] = (
    Channel("dn/ack", Ack, 1, False),
    Channel("dn/resync", Resync, 1, False),
    Channel("dn/cmd", HubCommand, 1, False),
    Channel("dn/want", Adopt, 1, True),
    Channel("dn/tr", TimeReply, 0, False),
)
HUB: tuple[Channel, ...] = (
    Channel("state", HubState, 1, True),
    Channel("clock", Clock, 1, True),
)


def kind_of(body: Body) -> str:
    """The `kind` under which this body travels."""
    return KINDS[type(body)]


def encode(record: Any) -> bytes:
    """One record as UTF-8 JSON."""
    return msgspec.json.encode(record)


def decode(raw: bytes, record: type[T]) -> T:
    """One record out of a payload of any origin. Raises msgspec.DecodeError and nothing else."""
    if len(raw) > MAX_PAYLOAD_BYTES:
        raise msgspec.DecodeError(f"{len(raw)} bytes, at most {MAX_PAYLOAD_BYTES}")
    if raw.count(b"[") + raw.count(b"{") > MAX_DEPTH and _depth(raw) > MAX_DEPTH:
        raise msgspec.DecodeError(f"nested more than {MAX_DEPTH} deep")
    return msgspec.json.decode(raw, type=record)


_NESTING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]', re.DOTALL)


def _depth(raw: bytes) -> int:
    """How many lists and objects of a JSON text lie in one another, brackets in strings left out."""
    depth = deepest = 0
    for mark in _NESTING.finditer(raw):
        depth += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(mark[0], 0)
        deepest = max(deepest, depth)
    return deepest


def decode_body(envelope: Envelope) -> Body | None:
    """The body of an event; None if this version does not know its kind. Raises msgspec.ValidationError."""
    cls = BODIES.get(envelope.kind)
    return None if cls is None else msgspec.json.decode(envelope.body, type=cls)


def decode_command(command: HubCommand) -> CommandBody | None:
    """What a command asks; None if this version does not know it. Raises msgspec.DecodeError if `body` is no JSON."""
    try:
        return msgspec.json.decode(command.body, type=CommandBody)
    except msgspec.ValidationError:
        return None


def digest(envelope: Envelope) -> bytes:
    """16 bytes that differ when two events under one key differ; fields added by later versions do not count."""
    e = envelope
    head = f"{e.unit}|{e.ep}|{e.seq}|{e.kind}|{e.hand}|{e.hand_rev}|{e.boot}|{e.t.mono}|{e.t.utc}|"
    return digest_of_bytes(head.encode() + bytes(e.body))


def digest_of_bytes(raw: bytes) -> bytes:
    """16 bytes that differ when the payloads differ (BLAKE2b, RFC 7693)."""
    return blake2b(raw, digest_size=16).digest()


def command_to_sign(unit: str, command: HubCommand) -> bytes:
    """The bytes an Ed25519 signature of a command covers: the unit it is for and everything in it but `sig`."""
    c = command
    return f"bottone/1 cmd|{unit}|{c.hub}|{c.n}|{c.id}|{c.exp_ms}|{c.when.hand}|".encode() + bytes(c.body)


def adoption_to_sign(unit: str, adopt: Adopt) -> bytes:
    """The bytes an Ed25519 signature of an adoption covers: the unit it is for and everything in it but `sig`."""
    a = adopt
    fields = (unit, a.rev, a.ep, a.table_no, a.tournament, a.book, a.size, a.chip, a.key, a.badge_key, a.revoked)
    return b"bottone/1 want|" + msgspec.json.encode(fields)
