"""OSP/1, the open shoe protocol (docs/osp1.md): frames, and the host's side of the conversation. No I/O, no clock.

Line: 115200 8N1 over USB or 9600 8N1 over RS-232, no flow control. A frame is

    `$` body `*` CRC CR LF          body: 1..96 printable ASCII without `$` and `*`, comma separated: type,seq,fields

with the CRC-16/IBM-3740 of the body as four upper-case hex digits (poly 1021, init FFFF; "123456789" gives 29B1;
reveng.sourceforge.io/crc-catalogue). `seq` is four hex digits and counts *events*; FFFF is followed by 0001, and 0000
means "no event". Every `$` starts a frame anew, so noise costs at most the frame it falls into.

    from   type   fields                                meaning
    shoe   HI     proto,vendor,model,fw,serial,boot-id  at power-up and on ID; another boot-id counts from 0001 again;
                                                        a seventh field, if there, is the last acknowledged seq
    shoe   CD     n,card,face,confidence                a card left; `??` unread; D down, U up (boxed), X unknown
    shoe   RV     n                                     card n was pushed back
    shoe   CU     n                                     the cut card is reached
    shoe   DR LK  O|C, L|U                              door, lock
    shoe   SF     IDLE|LOAD|SHUF|RDY|JAM,count          shuffler; RDY is a new deck and n begins at 1
    shoe   ER     code,S|C                              error set or cleared
    shoe   HB     uptime ms,n,state                     every second; its seq is the last event's
    host   AK     -                                     every event up to seq is safe; others come again every 500 ms
    host   NK     reason                                damaged: send again what is not acknowledged
    host   RP     -                                     send again everything from seq on (the shoe keeps 256 or more)
    host   ID PI LK ND   -, -, L|U, deck                identify, ping, lock, new deck

Error codes: 01 unreadable, 02 two cards, 03 jam, 04 reversed at the exit, 05 reversed midway, 06 not of this deck,
07 draw time-out, 08 sensor dirty, 09 same card twice, 0F events lost.

The receiver goes back to the first missing event (go-back-N): what comes behind a gap is dropped and asked for again,
so there is nothing to sort and nothing that grows. Three rules keep a card from being lost, doubled or guessed:

- nothing is accepted before HI has named the shoe's power-up, for a shoe that restarted counts from 0001 again;
- an event is acknowledged only when whoever stores it says so (`commit`);
- a repeated seq with other content is a restart that nobody noticed, never a duplicate.
"""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass, field

from drivers.seen import CardBack, CardOut, CardsLost, CutCard, FromShoe, ShoeDoor, ShoeError, ShoeShuffled
from drivers.shoe_codec import CARDS, SAME_CARD_TWICE, UNREAD, Caps, Line, Lock, NewDeck, ShoeCommand

HEARTBEAT_LOST_S = 3.0
GAP_LOST_S = 2.0
ASK_AGAIN_S = 0.5
FIRST_CONTACT_S = 0.6            # longer than the shoe's re-send: every unacknowledged event was heard once
FINGERPRINTS = 256               # as many events as a shoe must keep
BODY_BYTES = 96
FRAME_BYTES = 1 + BODY_BYTES + 1 + 4 + 2
SEQS = 0xFFFF                    # 0001..FFFF

SHUFFLER_STATES = frozenset({"IDLE", "LOAD", "SHUF", "RDY", "JAM"})
HOST_TYPES = frozenset({"AK", "NK", "RP", "ID", "PI", "ND"})

_FRAME = re.compile(rb"\$([ -#%-)+-~]{1,96})\*([0-9A-F]{4})\r\n")
_SEQ = re.compile(r"[0-9A-F]{4}")
_COUNT = re.compile(r"[0-9]{1,4}")
_CODE = re.compile(r"[0-9A-F]{2}")
_DECK = re.compile(r"[A-Za-z0-9_-]{1,32}")


def crc(body: bytes) -> int:
    """CRC-16/IBM-3740 of `body`."""
    return binascii.crc_hqx(body, 0xFFFF)


def frame(body: str) -> bytes:
    """The bytes of one frame. **Raises** ValueError if `body` is too long or not printable ASCII."""
    raw = body.encode("ascii")
    framed = b"$%b*%04X\r\n" % (raw, crc(raw))
    if not _FRAME.fullmatch(framed):
        raise ValueError(f"not a body of OSP/1: {body!r}")
    return framed


def split(body: str) -> tuple[str, int, list[str]]:
    """Type, seq and fields of `body`; the type is "" if it is no `type,seq,...`."""
    kind, *rest = body.split(",")
    if not rest or not _SEQ.fullmatch(rest[0]):
        return "", 0, []
    return kind, int(rest[0], 16), rest[1:]


def following(seq: int) -> int:
    """The event number after `seq`."""
    return seq % SEQS + 1


def preceding(seq: int) -> int:
    """The event number before `seq`; before 0001 it is FFFF, of which 0000 is the same place on the ring."""
    return seq - 1 or SEQS


def ahead(base: int, seq: int) -> int:
    """How many events `seq` lies after `base`, on the ring of numbers: negative when before."""
    distance = (seq - base) % SEQS
    return distance if distance <= SEQS // 2 else distance - SEQS


class FrameReader:
    """Finds frames in bytes that were cut anywhere. Holds less than one frame."""

    def __init__(self) -> None:
        self._rest = b""
        self.noise = 0           # bytes so far that belong to no good frame
        self.damaged = 0         # frames so far with a wrong CRC

    def feed(self, data: bytes) -> list[tuple[str, int]]:
        """(body, CRC) of each good frame. A `$` inside a frame starts a new one."""
        buffer = self._rest + data
        end = 0
        good: list[tuple[str, int]] = []
        for match in _FRAME.finditer(buffer):
            self.noise += match.start() - end
            end = match.end()
            body, code = match[1], int(match[2], 16)
            if crc(body) == code:
                good.append((body.decode("ascii"), code))
            else:
                self.damaged += 1
                self.noise += end - match.start()
        # Only the last `$` can still become a frame, and only while the frame may fit.
        tail = buffer.rfind(b"$", end)
        if tail < 0 or len(buffer) - tail >= FRAME_BYTES:
            tail = len(buffer)
        self.noise += tail - end
        self._rest = buffer[tail:]
        return good


@dataclass
class Ledger:
    """What the host knows of the shoe's events. Outlives the line: each open gets a new codec over the same ledger."""

    boot: str = ""                               # the shoe's power-up; "" before the first contact
    delivered: int | None = None                 # the last event handed on; None: where to begin is not known yet
    committed: int = 0                           # the last event that is stored
    posted: int = 0                              # the last event that somebody has to store
    n: int | None = None                         # cards since the last load, as far as known
    doubled: bool = False                        # the last card was out already, and that was told
    restarted: bool = False                      # it is open whether the shoe counts on or has lost count
    out: dict[int, str] = field(default_factory=dict)            # n -> card of this deck that is out of the shoe
    fingerprints: dict[int, int] = field(default_factory=dict)   # seq -> CRC of the last events

    @classmethod
    def after(cls, last: tuple[str, int] | None) -> Ledger:
        """The ledger of a host that has stored everything up to `last` = (boot-id, seq); None: stored nothing yet."""
        if last is None:
            return cls()
        boot, seq = last
        return cls(boot=boot, delivered=seq, committed=seq, posted=seq)

    def commit(self, seq: int, boot: str = "") -> bool:
        """Everything up to `seq` (of power-up `boot`, if given) is stored. False if that says nothing new."""
        if self.delivered is None or (boot and boot != self.boot) or seq == 0:
            return False
        if ahead(self.committed, seq) <= 0 or ahead(seq, self.delivered) < 0:
            return False
        self.committed = seq
        return True

    def forget_cards(self, n: int | None) -> None:
        """Another deck, of which `n` cards are out (None: not known)."""
        self.out.clear()
        self.n = n

    def begin_at(self, seq: int) -> None:
        """Everything up to `seq` is none of our business."""
        self.delivered = self.committed = self.posted = seq
        self.fingerprints.clear()


class Osp1:
    """The host's side of the conversation. Satisfies `drivers.shoe_codec.ShoeCodec`.

    Give it bytes (`feed`), time (`tick`) and what was stored (`commit`); it returns what the shoe reports, and
    `to_send` says what to write. The ledger outlives a line that is lost; everything else begins anew with `opened`.
    """

    name = "osp1"
    line = Line(115200)
    caps = Caps(has_seq=True, has_crc=True, has_heartbeat=True, can_replay=True, reports_face=True)

    def __init__(self, ledger: Ledger | None = None) -> None:
        self.ledger = ledger or Ledger()
        self._begin_line(0.0)

    def opened(self, now_s: float) -> bytes:
        """The line is open: ask who is there."""
        self._begin_line(now_s)
        return self.to_send(now_s)

    def _begin_line(self, now_s: float) -> None:
        self.alive = False               # the shoe is known and was heard within HEARTBEAT_LOST_S
        self.reader = FrameReader()
        self._greeted_s: float | None = None         # when HI named the power-up; None: it is being asked for
        self._heard_s = now_s
        self._noise_when_heard = 0
        self._ask_identity_s = now_s
        self._uptime_ms = 0
        self._lowest: int | None = None              # lowest event heard that is not yet due
        self._last_heartbeat: int | None = None      # its seq, while the beginning is not known
        self._gap_top: int | None = None             # the last event known to exist, while some are missing
        self._gap_since_s = 0.0
        self._ask_replay_s: float | None = None
        self._ack_due = False

    @property
    def noise(self) -> int:
        """Bytes since the line was opened that belong to no good frame."""
        return self.reader.noise

    @property
    def noise_since_heard(self) -> int:
        """Bytes of noise since the last good frame."""
        return self.reader.noise - self._noise_when_heard

    # --- what the host wants

    def commit(self, seq: int, boot: str = "") -> None:
        """Every event up to `seq` (of power-up `boot`, if given) is stored: it may be acknowledged."""
        self._ack_due |= self.ledger.commit(seq, boot)

    def encode(self, command: ShoeCommand) -> bytes:
        """The frame of a command. **Raises** ValueError for a deck that is not 1..32 letters, digits, `_` or `-`."""
        match command:
            case NewDeck(deck):
                if not _DECK.fullmatch(deck):
                    raise ValueError(f"not a deck's name: {deck!r}")
                self.ledger.forget_cards(None)
                return frame(f"ND,0000,{deck}")
            case Lock(locked):
                return frame(f"LK,0000,{'L' if locked else 'U'}")

    def to_send(self, now_s: float) -> bytes:
        """What to write to the line now."""
        bodies: list[str] = []
        if self._greeted_s is None:
            if now_s >= self._ask_identity_s:
                self._ask_identity_s = now_s + ASK_AGAIN_S
                bodies.append("ID,0000")
        elif self.ledger.delivered is not None:
            if self._ack_due and (up_to := self._acknowledged()):
                bodies.append(f"AK,{up_to:04X}")
            self._ack_due = False
            if self._ask_replay_s is not None and now_s >= self._ask_replay_s:
                bodies.append(f"RP,{following(self.ledger.delivered):04X}")
                self._ask_replay_s = now_s + ASK_AGAIN_S if self._gap_top is not None else None
        return b"".join(map(frame, bodies))

    def _acknowledged(self) -> int:
        """Events that nobody has to store are safe as soon as those before them are."""
        ledger = self.ledger
        delivered = ledger.delivered or 0
        return delivered if ledger.committed == ledger.posted else ledger.committed

    # --- what the shoe says

    def feed(self, data: bytes, now_s: float) -> list[FromShoe]:
        """What the shoe reported with these bytes, each event once and in order."""
        reports: list[FromShoe] = []
        for body, code in self.reader.feed(data):
            kind, seq, fields = split(body)
            if not kind or kind in HOST_TYPES:
                self.reader.noise += len(body)           # whole, but nothing a shoe says
                continue
            self._heard_s, self._noise_when_heard = now_s, self.reader.noise
            if kind == "HI":
                self._hello(fields, now_s, reports)
            elif self._greeted_s is None:
                continue
            elif kind == "HB":
                self._heartbeat(seq, fields, now_s, reports)
            elif seq:
                self._event(kind, seq, fields, code, now_s, reports)
            self.alive = self._greeted_s is not None or self.alive
        return reports

    def tick(self, now_s: float) -> list[FromShoe]:
        """What follows from silence: a shoe that is not heard, cards that cannot be had again."""
        reports: list[FromShoe] = []
        if now_s - self._heard_s > HEARTBEAT_LOST_S:
            self.alive = False
        if self._greeted_s is None:
            return reports
        if self.ledger.delivered is None and now_s - self._greeted_s >= FIRST_CONTACT_S:
            self._begin(now_s)
        if self._gap_top is not None and now_s - self._gap_since_s >= GAP_LOST_S:
            self._give_up(now_s, reports)
        return reports

    def _hello(self, fields: list[str], now_s: float, reports: list[FromShoe]) -> None:
        if len(fields) not in {6, 7} or fields[0] != "1" or not fields[5]:
            return
        boot, ledger = fields[5], self.ledger
        self._greeted_s = now_s
        self._uptime_ms = 0
        if ledger.delivered is None and len(fields) == 7 and _SEQ.fullmatch(fields[6]):
            ledger.begin_at(int(fields[6], 16))
            self._ask_replay_s, ledger.boot = now_s, boot
            return
        if ledger.boot == boot:
            self._ask_replay_s = now_s
            return
        ledger.boot = boot
        self._gap_top = self._lowest = None
        if ledger.delivered is None:
            return
        ledger.begin_at(0)
        self._ask_replay_s = now_s
        ledger.restarted = True
        if ledger.n is None:
            self._judge_restart(None, reports)

    def _doubt(self, now_s: float) -> None:
        """Something speaks for a restart whose HI was lost: believe nothing until the shoe has said who it is."""
        self._greeted_s = None
        self._ask_identity_s = now_s

    def _judge_restart(self, count_before: int | None, reports: list[FromShoe]) -> None:
        """After a restart: the shoe says that `count_before` cards were out; None: it cannot be compared."""
        ledger = self.ledger
        if not ledger.restarted:
            return
        ledger.restarted = False
        if count_before is None or count_before != ledger.n:
            ledger.n = None
            reports.append(CardsLost(0, 0, "restart", boot=ledger.boot))

    def _heartbeat(self, seq: int, fields: list[str], now_s: float, reports: list[FromShoe]) -> None:
        if len(fields) != 3 or not fields[0].isdigit() or not _COUNT.fullmatch(fields[1]):
            return
        uptime_ms, n, ledger = int(fields[0]), int(fields[1]), self.ledger
        if uptime_ms < self._uptime_ms:
            self._doubt(now_s)
            return
        self._uptime_ms = uptime_ms
        if ledger.delivered is None:
            self._last_heartbeat = seq
            if seq == 0:
                ledger.begin_at(0)
            return
        behind = ahead(ledger.delivered, seq)
        if behind > 0:
            self._missing(seq, now_s)
        elif behind < 0:
            self._doubt(now_s)
        else:
            self._judge_restart(n, reports)
            if ledger.n is None:
                ledger.n = n

    def _event(self, kind: str, seq: int, fields: list[str], code: int, now_s: float, reports: list[FromShoe]) -> None:
        ledger = self.ledger
        if ledger.delivered is None:
            if seq != 1:
                self._note_lowest(seq)
                return
            ledger.begin_at(0)
        step = ahead(ledger.delivered or 0, seq)
        if step == 1:
            self._deliver(kind, seq, fields, code, now_s, reports)
        elif step > 1:
            self._note_lowest(seq)
            self._missing(seq, now_s)
        elif ledger.fingerprints.get(seq, code) == code:
            self._ack_due = True
        else:
            self._doubt(now_s)

    def _note_lowest(self, seq: int) -> None:
        if self._lowest is None or ahead(self._lowest, seq) < 0:
            self._lowest = seq

    def _missing(self, top: int, now_s: float) -> None:
        """Event `top` exists, and the one that is due has not come."""
        if self._gap_top is None:
            self._gap_top, self._gap_since_s, self._ask_replay_s = top, now_s, now_s
        elif ahead(self._gap_top, top) > 0:
            self._gap_top = top

    def _begin(self, now_s: float) -> None:
        """First contact, and HI did not say what is acknowledged: begin with the oldest event that is still re-sent."""
        if self._lowest is not None:
            self.ledger.begin_at(preceding(self._lowest))
            self._lowest, self._ask_replay_s = None, now_s
        elif self._last_heartbeat is not None:
            self.ledger.begin_at(self._last_heartbeat)

    def _give_up(self, now_s: float, reports: list[FromShoe]) -> None:
        """The missing events will not come: go on behind them, and say so."""
        ledger, top = self.ledger, self._gap_top or 0
        first = following(ledger.delivered or 0)
        last = top if self._lowest is None else preceding(self._lowest)
        ledger.delivered = ledger.posted = last
        ledger.n = None
        self._lowest = None
        self._gap_top = top if ahead(last, top) > 0 else None
        self._gap_since_s = now_s
        self._ask_replay_s = now_s if self._gap_top is not None else None
        reports.append(CardsLost(first, last, "gap", seq=last, boot=ledger.boot))

    def _deliver(
        self, kind: str, seq: int, fields: list[str], code: int, now_s: float, reports: list[FromShoe]
    ) -> None:
        ledger = self.ledger
        ledger.delivered = seq
        ledger.fingerprints[seq] = code
        if len(ledger.fingerprints) > FINGERPRINTS:
            del ledger.fingerprints[next(iter(ledger.fingerprints))]
        self._lowest = None
        if self._gap_top is not None:
            self._gap_since_s = now_s
            if ahead(seq, self._gap_top) <= 0:
                self._gap_top = self._ask_replay_s = None
        report = self._report(kind, seq, fields, reports)
        if report is None:
            self._ack_due = True
        else:
            ledger.posted = seq
            reports.append(report)

    # --- one event

    def _report(self, kind: str, seq: int, fields: list[str], reports: list[FromShoe]) -> FromShoe | None:
        """The record of one event; None for an event that tells nothing (a lock, or one this version does not know)."""
        boot = self.ledger.boot
        match kind, fields:
            case "CD", _:
                return self._card(seq, fields, reports)
            case "RV", [n] if _COUNT.fullmatch(n):
                self.ledger.out.pop(int(n), None)
                self.ledger.n = max(0, int(n) - 1)
                return CardBack(int(n), seq=seq, boot=boot)
            case "CU", [n] if _COUNT.fullmatch(n):
                return CutCard(int(n), seq=seq, boot=boot)
            case "DR", ["O" | "C" as state]:
                return ShoeDoor(state == "O", seq=seq, boot=boot)
            case "SF", [state, count] if state in SHUFFLER_STATES and _COUNT.fullmatch(count):
                if state == "RDY":
                    self._judge_restart(None, reports)
                    self._no_longer_doubled(reports)
                    self.ledger.forget_cards(0)
                return ShoeShuffled(state, int(count), seq=seq, boot=boot)
            case "ER", [error, "S" | "C" as state] if _CODE.fullmatch(error):
                return ShoeError(error, state == "S", seq=seq, boot=boot)
            case _:
                return None

    def _card(self, seq: int, fields: list[str], reports: list[FromShoe]) -> CardOut:
        """A card that left the shoe. One whose fields make no sense still left it: then its face is unknown."""
        ledger = self.ledger
        match fields:
            case [n, card, "D" | "U" | "X" as face, confidence] if (
                _COUNT.fullmatch(n) and _COUNT.fullmatch(confidence) and (card in CARDS or card == UNREAD)
            ):
                report = CardOut(int(n), card, face, int(confidence), seq=seq, boot=ledger.boot)
            case _:
                report = CardOut((ledger.n or 0) + 1, UNREAD, "X", 0, seq=seq, boot=ledger.boot)
        self._judge_restart(report.n - 1, reports)
        self._no_longer_doubled(reports)
        if report.card != UNREAD and report.card in ledger.out.values():
            ledger.doubled = True
            reports.append(ShoeError(SAME_CARD_TWICE, on=True))
        ledger.n = report.n
        if len(ledger.out) < 1000:               # n has three digits
            ledger.out[report.n] = report.card
        return report

    def _no_longer_doubled(self, reports: list[FromShoe]) -> None:
        """Error 09 is ours, so we end it: with the next card, or a new deck."""
        if self.ledger.doubled:
            self.ledger.doubled = False
            reports.append(ShoeError(SAME_CARD_TWICE, on=False))
