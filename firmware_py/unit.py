"""The process of one table: what is heard becomes a deed, and what the deed made of the table is shown and sent.

Theory of operation. Devices and uplink have threads of their own and only post to the inbox. The process's main thread
turns the crank: take one entry, let the panel's logic or the hub's command make wishes of it, let the reducer decide,
check and commit each, then show, then wake the uplink. Nobody else touches the table. Every `TICK_S` the crank turns
without an entry, for what only time brings: a level that has come, a face that changes, the watchdog.

Start and recovery are one path: open the journal, stand where the last committed deed left the table, open the devices,
say READY. Trouble of people is a refusal on the prompt; trouble of devices is a hint on the prompt, and the hand goes
on; a mistake of ours ends the process with a message, and systemd starts it again from the journal.
"""

from __future__ import annotations

import logging
import signal
import time
from importlib.metadata import version
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import msgspec

from drivers.seen import (
    BadgeRead,
    CardBack,
    CardOut,
    CardsLost,
    FromShoe,
    InputDown,
    InputUp,
    KeyPressed,
    KnobPushed,
    KnobTurned,
    Noise,
    Seen,
    ShoeDoor,
    ShoeError,
    ShoeShuffled,
)
from engine.clock import ClockReading
from engine.inputs import (
    ApplyLevel,
    Arrival,
    CardDrawn,
    Departure,
    DeviceTrouble,
    Face,
    FirstCard,
    FloorDecides,
    HoldPlay,
    Input,
    LeaveSeat,
    Level,
    PlaceButton,
    Shuffle,
    SitDown,
    TimePassed,
)
from engine.rulebook import RulebookError
from engine.ruling import Ruling
from engine.timing import next_deadline_ms
from engine.view import Due
from engine.wire import (
    Adopt,
    CommandBody,
    FloorRuling,
    Hold,
    HubCommand,
    Result,
    SeatPlayer,
    SetButton,
    UnseatPlayer,
    decode_command,
)
from firmware_py import devices, panel_logic
from firmware_py.asking import typed_pin
from firmware_py.badges import badge_hash, key_in_force, pin_matches
from firmware_py.config import Config, ConfigError
from firmware_py.faces import ClockFace, face_of, words
from firmware_py.inbox import (
    Arrived,
    Inbox,
    Link,
    LinkAcked,
    LinkAdopted,
    LinkClock,
    LinkCommand,
    LinkDown,
    LinkUp,
    Stop,
    monotonic_ms,
)
from firmware_py.journal import OUTBOX_WARNING, Journal
from firmware_py.journal_records import TableOpened
from firmware_py.lamps import lamps
from firmware_py.level_clock import ClockFileTime, LevelClock, StoredClock
from firmware_py.panel_state import (
    Amount,
    AskDirector,
    Award,
    Badged,
    Beep,
    Begin,
    Count,
    DealerComes,
    Panel,
    PickSeat,
    Play,
    Pushed,
    Scene,
    Undo,
    Wish,
)
from firmware_py.presses import to_play
from firmware_py.prompts import NOTHING, Notice, Trouble, prompt
from firmware_py.reducer import Reducer, at_rest
from firmware_py.sd_notify import Notifier
from firmware_py.sealing import Sealer
from firmware_py.setting import first_question
from firmware_py.words import LANGUAGES, Words

if TYPE_CHECKING:
    from firmware_py.uplink import Uplink

log = logging.getLogger(__name__)

TICK_S = 0.1                     # the crank turns at least so often; the clock's face needs no more
TICK_VIRTUAL_S = 0.02            # with tournament time from a file that may run fast
BEEP_MS = 80
MAX_NAME = 60                    # characters of a player's name that are kept: twelve seats must fit one message
HUB_GRACE_MS = 10_000            # a hub that is away for less is not worth a line of the prompt
WATCHDOG_SHARE = 3               # the watchdog is petted so many times within its time
BOOKS = ("lifeclub", "tda")      # offered at a first start without a hub
PANEL_INPUTS = (KeyPressed, KnobTurned, KnobPushed)
FACES = {"D": Face.DOWN, "U": Face.UP}
SHOE_READY = "RDY"
URGENT = ("lost", "journal", "panel", "panel_stuck", "cards_lost", "shoe", "door", "shoe_error", "badge",
          "clock_display", "outbox", "hub")  # fmt: skip


class PartStopped(Exception):  # noqa: N818 - it is what happened
    """A thread of the unit died of a mistake of ours; without it the unit is deaf there: the process ends, restarts."""


class Unit:
    """One table. `run` returns the exit status when the process was asked to stop and raises what is our mistake."""

    def __init__(self, config: Config, notifier: Notifier) -> None:
        """Opens the journal and stands where it ends. Raises JournalError, RulebookError, ConfigError, OSError."""
        self._config = config
        self._notifier = notifier
        self._words: Words = LANGUAGES[config.language]
        self.inbox = Inbox()
        self._journal = Journal(config.data_dir, config.unit, Sealer.in_directory(config.seal_dir, config.unit))
        self._reducer = Reducer(self._journal, tells_hub=config.hub is not None)
        self._virtual = _virtual_time(config)
        self._tick_s = TICK_VIRTUAL_S if self._virtual else TICK_S
        self._clock = LevelClock(self._journal.meta("clock", StoredClock), autonomous=config.tournament.autonomous)
        self._level = self._journal.meta("level", Level)
        adopt = self._journal.meta("adopt", Adopt)
        self._site_key = _badge_key(config, adopt)
        self._revoked = _revoked(config, adopt)

        self._panel_state = Panel()
        self._notice: Notice = NOTHING
        self._troubles: dict[str, Trouble] = {}
        if self._journal.moved_aside is not None:
            log.error(
                "the journal was damaged; it lies as %s for somebody to look at, and a new one was begun: "
                "seat the players again, or let the hub adopt this table",
                self._journal.moved_aside,
            )
            self._troubles["journal"] = Trouble("journal")
        self._heard = 0
        self._badges = 0
        self._shoe_stored = self._journal.meta("shoe", tuple[str, int])  # (power-up, event) of the shoe, on disk
        self._lost_told = 0
        self._hub_epoch = 0                    # 0: the hub is away
        self._hub_away_ms = monotonic_ms()
        self._deck_is_new = False              # the shoe said so, and no card has left since
        self._pet_ms = 0
        self._stopping = ""

        self._panel = devices.panel(config, self._from_panel)
        self._socket = self._open_socket()
        self._prompt_display = devices.prompt_display(config, self.inbox.poster("prompt_display"))
        self._clock_display = devices.clock_display(config, self.inbox.poster("clock_display"))
        self._shoe = devices.shoe(config, self.inbox.poster("shoe"), self._shoe_stored)
        self._badge = devices.badge_reader(config, self.inbox.poster("badge"))
        self._uplink: Uplink | None = devices.uplink(config, self._journal, self.inbox, version("bottone"))

    # --- the process

    def run(self) -> int:
        """Turn the crank until somebody asks to stop. Exit status 0."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._signalled)
        try:
            self._start()
            while not self._stopping:
                self._turn(self.inbox.take(self._tick_s))
        finally:
            self._stop()
        return 0

    def _signalled(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - signal's own form
        self.inbox.post("os", Stop(signal.Signals(number).name))

    def _start(self) -> None:
        begin = self._begin_wanted()
        if begin is not None:
            self._begin(begin)
        elif not self._reducer.opened and self._config.hub is None:
            self._panel_state = Panel(mode=first_question(self._scene()))
        self._panel.start()
        if self._socket is not None:
            self._socket.start()
        for line in (self._shoe, self._badge, self._uplink):
            if line is not None:
                line.start()
        self._tell_uplink()
        self._show()
        self._notifier.say("READY=1", f"STATUS={self._config.unit}: ready")
        log.info("%s: ready, boot %d, entry %d", self._config.unit, self._journal.boot, self._journal.entries)

    def _stop(self) -> None:
        """Every thread that was started ends here; what is on disk is whole already."""
        self._notifier.say("STOPPING=1")
        for part in (self._uplink, self._shoe, self._badge, self._socket, self._panel):
            if part is not None:
                part.stop()
        self._prompt_display.stop()
        self._clock_display.stop()
        if self._virtual is not None:
            self._virtual.close()
        self._journal.close()

    def _open_socket(self) -> Any:
        if not self._config.pins.socket:
            return None
        from drivers.panel_socket import PanelSocket

        return PanelSocket(Path(self._config.pins.socket), self._panel.mock)

    def _from_panel(self, seen: Seen, at_ns: int) -> None:
        """On the panel's thread: the lamp answers at once, the crank when the press is on disk."""
        if isinstance(seen, KeyPressed):
            self._panel.blink(seen.key)
        self.inbox.post("panel", seen, at_ns // 1_000_000)

    # --- the crank

    def _turn(self, arrived: Arrived | None) -> None:
        """One turn: what was heard, what time brings, then what is to be seen."""
        if arrived is not None:
            self._hear(arrived)
            if isinstance(arrived.what, PANEL_INPUTS):
                self._heard += abs(arrived.what.steps) if isinstance(arrived.what, KnobTurned) else 1
        self._tend(monotonic_ms())
        if arrived is None or not len(self.inbox):
            self._show()

    def _hear(self, arrived: Arrived) -> None:
        what = arrived.what
        if isinstance(what, Stop):
            self._stopping = what.why
        elif isinstance(what, Link):
            self._hear_hub(arrived.at_ms, what)
        elif isinstance(what, FromShoe):
            self._hear_shoe(arrived.at_ms, what)
        elif isinstance(what, BadgeRead):
            self._hear_badge(arrived.at_ms, badge_hash(self._site_key, what.uid_hex))
            self._badges += 1
        elif isinstance(what, InputDown):
            self._device_down(what)
        elif isinstance(what, InputUp):
            self._troubles.pop(_trouble_of(what.source), None)
            log.info("%s: back", what.source)
        elif isinstance(what, Noise):
            log.info("%s: %d bytes of noise on the line", what.source, what.count)
        else:
            self._hear_panel(arrived.at_ms, what)

    def _tend(self, now_ms: int) -> None:
        """What time brings."""
        if self.inbox.lost > self._lost_told:
            self._lost_told = self.inbox.lost
            self._troubles["lost"] = Trouble("lost")
            log.error("the inbox was full: %d entries were lost; the last presses must be made again", self.inbox.lost)
        tournament_ms = self._tournament_ms()
        hub_there = self._hub_epoch != 0
        stored = self._clock.to_store(tournament_ms, hub_there=hub_there)
        if stored is not None:
            self._journal.note({"clock": stored})
        if self._reducer.opened:
            level = self._clock.announced(tournament_ms, hub_there=hub_there)
            if level is not None and level != self._level:
                self._level = level
                self._put(now_ms, "clock", ApplyLevel(level), meta={"level": level})
            deadline = next_deadline_ms(self._reducer.state)
            if deadline is not None and deadline <= now_ms and not len(self.inbox):
                self._put(now_ms, "clock", TimePassed())   # after what was heard in time: a tie favours the player
        if self._config.hub is not None:
            if hub_there or now_ms - self._hub_away_ms < HUB_GRACE_MS:
                self._troubles.pop("hub", None)
            else:
                self._troubles["hub"] = Trouble("hub")
        self._watch_parts()
        self._pet(now_ms)

    def _watch_parts(self) -> None:
        """Every thread beside this one works. Raises PartStopped for the first that died of a mistake of ours."""
        parts = {"uplink": self._uplink, "shoe": self._shoe, "badge reader": self._badge, "panel": self._panel,
                 "panel socket": self._socket}  # fmt: skip
        for name, part in parts.items():
            if part is not None and part.failure is not None:
                what = f"{type(part.failure).__name__}: {part.failure}"
                raise PartStopped(f"the thread of the {name} was ended by {what}") from part.failure

    def _pet(self, now_ms: int) -> None:
        """Tell systemd that crank, disk and keys work; a lost hub, shoe or display is no reason to be restarted."""
        every_ms = self._notifier.watchdog_s * 1000 / WATCHDOG_SHARE
        if every_ms and now_ms - self._pet_ms >= every_ms and self._panel.alive():
            self._pet_ms = now_ms
            self._notifier.say("WATCHDOG=1")

    # --- panel and badges

    def _hear_badge(self, at_ms: int, badge: str) -> None:
        """A badge by its hash. One that was revoked is told and means nothing."""
        if badge in self._revoked:
            log.warning("badge %s is revoked", badge[:6])
            self._notice = Notice(self._words.revoked)
        else:
            self._hear_panel(at_ms, Badged(badge, badge in self._config.badges.directors))

    def _hear_panel(self, at_ms: int, what: Seen | Badged) -> None:
        if isinstance(what, (*PANEL_INPUTS, Badged)):
            self._notice = NOTHING
            self._troubles.pop("lost", None)
        pin = typed_pin(self._panel_state, what, at_ms)
        director = "pin" if pin and pin_matches(pin, self._config.badges.director_pin) else ""
        heard = panel_logic.hear(self._panel_state, what, at_ms, self._scene(pin_is=director))
        self._panel_state = heard.panel
        for wish in heard.wishes:
            self._grant(at_ms, wish)

    def _grant(self, at_ms: int, wish: Wish) -> None:
        """What becomes of one wish of the panel."""
        want, by = wish
        if isinstance(want, Undo):
            self._undo(at_ms, want, by)
        elif isinstance(want, DealerComes):
            if want.badge != self._reducer.dealer:
                self._reducer.dealer_on(at_ms, want.badge)
                self._tell_uplink()
            self._notice = Notice(self._words.dealer.format(want.badge[:6]))
        elif isinstance(want, Begin):
            self._begin(want)
        elif isinstance(want, Beep):
            self._panel.buzz(BEEP_MS)
        elif isinstance(want, Shuffle | FirstCard) and self._config.badges.dealer_required and not self._reducer.dealer:
            self._notice = Notice(self._words.tap_in)
        elif self._reducer.opened:
            self._put(at_ms, by, want)

    def _undo(self, at_ms: int, want: Undo, by: str) -> None:
        undone = self._reducer.undo(at_ms, by, director=want.director or not self._has_directors())
        if undone.what == "director":
            self._panel_state = msgspec.structs.replace(self._panel_state, mode=AskDirector(Undo()))
        elif undone.what == "nothing":
            self._notice = Notice(self._words.nothing_to_undo)
        else:
            self._notice = Notice(self._words.undone)
            self._tell_uplink()

    def _put(
        self,
        at_ms: int,
        source: str,
        what: Input,
        *,
        cause: str = "",
        result: Result | None = None,
        meta: dict[str, Any] | None = None,
    ) -> Ruling:
        """One engine input through the reducer, and what the prompt says of it."""
        ruling = self._reducer.put(at_ms, source, what, cause=cause, result=result, meta=meta)
        if ruling.outcome != "ok" or ruling.articles or source not in {"hub", "clock"}:
            self._notice = notice_of(self._words, ruling)
        if isinstance(what, Shuffle) and ruling.outcome == "ok":
            self._shuffled()
        self._panel_state = panel_logic.fitted(self._panel_state, self._scene())
        self._tell_uplink()
        return ruling

    def _shuffled(self) -> None:
        """A deck was shuffled by hand: the shoe must expect every card again."""
        if self._shoe is not None and not self._deck_is_new:
            self._shoe.new_deck(f"H{self._reducer.view.hand + 1:05d}")
        self._deck_is_new = False

    def _has_directors(self) -> bool:
        return bool(self._config.badges.directors or self._config.badges.director_pin)

    def _scene(self, pin_is: str = "") -> Scene:
        reducer = self._reducer
        return Scene(
            view=reducer.view,
            legal=reducer.legal,
            chip=reducer.state.chip if reducer.opened else self._config.chip,
            pot=reducer.pot,
            books=BOOKS if self._config.book in BOOKS else (self._config.book, *BOOKS),
            opened=reducer.opened,
            directors=self._has_directors(),
            pin_is=pin_is,
        )

    # --- a table without a hub

    def _begin_wanted(self) -> Begin | None:
        """What a first start must still set up: something begun before a kill, or the file's [setup]."""
        if self._journal.meta("begun", bool) or (self._reducer.opened and self._journal.meta("begin", Begin) is None):
            return None
        kept = self._journal.meta("begin", Begin)
        setup = self._config.setup
        if kept is not None or setup is None or self._config.hub is not None:
            return kept
        stacks = {place.seat: place.stack for place in setup.seats}
        names = {place.seat: (place.player, place.name) for place in setup.seats}
        blinds = (setup.first_small_blind, setup.first_big_blind)
        return Begin(self._config.book, setup.level, stacks, setup.button, names, blinds)

    def _begin(self, begin: Begin) -> None:
        """Open the table and seat the players; interrupted anywhere, it goes on where it was."""
        now_ms = monotonic_ms()
        if not self._reducer.opened:
            opened = TableOpened(begin.book, self._config.size, self._config.chip)
            self._reducer.open_table(now_ms, "setup", opened, meta={"begin": begin})
        seated = {seat.seat for seat in self._reducer.view.seats}
        for seat, stack in begin.stacks.items():
            if seat not in seated:
                player, name = begin.names.get(seat, ("", ""))
                who = player or name or f"seat-{seat}"
                self._put(now_ms, "setup", SitDown(seat, who[:MAX_NAME], stack, name[:MAX_NAME]))
        self._put(now_ms, "setup", ApplyLevel(begin.level), meta={"level": begin.level})
        self._level = begin.level
        self._put(now_ms, "setup", PlaceButton(begin.button, *begin.blinds), meta={"begun": True})
        self._notice = NOTHING

    # --- the shoe and other devices

    def _hear_shoe(self, at_ms: int, what: FromShoe) -> None:
        """A report of the shoe: written with its number, then acknowledged to the shoe."""
        meta = {"shoe": (what.boot, what.seq)} if what.seq else None
        deed = self._deed_of(what)
        if deed is not None and self._reducer.opened:
            due = self._reducer.view.due
            ruling = self._put(at_ms, "shoe", deed, meta=meta)
            if isinstance(what, CardOut) and due is Due.HOLE_CARDS:
                self._deal_goes_on()
            if isinstance(what, ShoeShuffled) and ruling.outcome == "refused":
                self._notice = NOTHING  # nobody pressed anything; a deck was only made ready too early
        elif meta is not None:
            self._journal.note(meta)
        if what.seq and self._shoe is not None:
            self._shoe_stored = (what.boot, what.seq)
            self._shoe.committed(what.seq, what.boot)

    def _deal_goes_on(self) -> None:
        """A card of the deal came. After the last one the dealer counts, if the shoe cannot prove that it saw all."""
        if self._reducer.view.due is not Due.HOLE_CARDS and self._shoe is not None and not self._shoe.caps.proves_count:
            self._panel_state = panel_logic.confirm_deal(self._panel_state, self._scene())

    def _deed_of(self, what: FromShoe) -> Input | None:
        """What a report of the shoe means at the table; None where it changes nothing there."""
        running = not at_rest(self._reducer.state)
        if isinstance(what, CardOut):
            self._deck_is_new = False
            self._troubles.pop("cards_lost", None)
            return CardDrawn(what.card, FACES.get(what.face, Face.UNKNOWN))
        if isinstance(what, ShoeShuffled):
            self._deck_is_new = what.state == SHOE_READY
            waits = self._reducer.view.due in {Due.SHUFFLE, Due.NEXT_HAND}
            return Shuffle() if self._deck_is_new and waits else None
        if isinstance(what, CardsLost) and running:
            self._troubles["cards_lost"] = Trouble("cards_lost")
            return DeviceTrouble("cards_lost", f"{what.why} {what.first}-{what.last}")
        if isinstance(what, CardBack) and running:
            return DeviceTrouble("card_back", str(what.n))
        if isinstance(what, ShoeDoor):
            self._mark("door", Trouble("door") if what.open else None)
            return DeviceTrouble("door_open") if what.open and running else None
        if isinstance(what, ShoeError):
            self._mark("shoe_error", Trouble("shoe_error", what.code) if what.on else None)
        return None

    def _mark(self, name: str, trouble: Trouble | None) -> None:
        if trouble is None:
            self._troubles.pop(name, None)
        else:
            self._troubles[name] = trouble

    def _device_down(self, what: InputDown) -> None:
        name = _trouble_of(what.source)
        log.warning("%s: %s: %s", what.source, what.kind, what.hint)
        if name in self._words.troubles:
            self._troubles[name] = Trouble(name)

    # --- the hub

    def _hear_hub(self, at_ms: int, what: Link) -> None:
        match what:
            case LinkUp(hub):
                self._hub_epoch = hub
                log.info("the hub is there, epoch %d", hub)
            case LinkDown(hint):
                self._hub_away_ms = at_ms if self._hub_epoch else self._hub_away_ms
                self._hub_epoch = 0
                log.warning("the hub is away: %s", hint)
            case LinkAcked(ep, wm):
                self._journal.acknowledge(ep, wm)
            case LinkAdopted(adopt):
                self._adopted(at_ms, adopt)
            case LinkClock(clock):
                self._clock.hear(clock)
            case LinkCommand(command):
                self._command(at_ms, command)
            case _:
                raise TypeError(f"nothing is known of {type(what).__name__}")

    def _adopted(self, at_ms: int, adopt: Adopt) -> None:
        """The hub's number for the outbox, and the table it wants; an open table with players is left as it is."""
        assert self._uplink is not None, "an adoption without a hub"
        known = self._journal.meta("adopt", Adopt)
        if known is not None and adopt.rev <= known.rev:
            return
        self._reducer.adopt(at_ms, adopt)
        self._site_key = _badge_key(self._config, adopt)
        self._revoked = _revoked(self._config, adopt)
        wanted = TableOpened(adopt.book, adopt.size, adopt.chip)
        state = self._reducer.state
        same = (self._reducer.book_name, state.size, state.chip) == (adopt.book, adopt.size, adopt.chip)
        if not self._reducer.opened or (not same and not self._reducer.view.seats and at_rest(state)):
            try:
                self._reducer.open_table(at_ms, "hub", wanted)
                self._level = None
            except RulebookError as trouble:
                log.error("the hub wants a rulebook this table cannot use: %s", trouble)  # noqa: TRY400 - for people
                self._notice = Notice(self._words.refusals["not_in_catalogue"], adopt.book)
        elif not same:
            log.warning(
                "the hub wants %s with %d seats and chips of %d, but players sit at a table of %s with %d seats and "
                "chips of %d: play that to its end, or stop this unit, move its data_dir away and start it again",
                adopt.book, adopt.size, adopt.chip, self._reducer.book_name, state.size, state.chip,
            )  # fmt: skip
        self._panel_state = to_play(self._panel_state)
        self._uplink.adopted(adopt)
        self._tell_uplink()

    def _command(self, at_ms: int, command: HubCommand) -> None:
        """A command of the hub: done once, answered as often as it comes."""
        assert self._uplink is not None, "a command without a hub"
        answered = self._journal.result_of(command.id)
        if answered is None:
            answered = self._obey(at_ms, command)
        self._uplink.result(answered)

    def _obey(self, at_ms: int, command: HubCommand) -> Result:
        """Do it or say why not; the result is on disk when this returns."""
        last = self._journal.meta("hub_n", tuple[int, int]) or (0, 0)
        order = {"hub_n": (command.hub, command.n)}
        body = decode_command(command)
        hand = self._reducer.view.hand
        if (command.hub, command.n) <= last:
            refused = Result(command.id, "stale", f"command {command.n} after {last[1]}")
        elif command.when.hand and command.when.hand != hand:
            refused = Result(command.id, "stale", f"hand {hand}, not {command.when.hand}")
        elif body is None:
            refused = Result(command.id, "unknown")
        elif not self._reducer.opened:
            refused = Result(command.id, "refused", "not_running")
        elif (fault := self._fault_of(body)) != "":
            refused = Result(command.id, "refused", fault)
        else:
            self._put(
                at_ms, "hub", _input_of(body), cause=command.id, result=Result(command.id, "ok"), meta=order
            )
            done = self._journal.result_of(command.id)
            assert done is not None, "a command without a result"
            return done
        self._journal.note(order if refused.rc != "stale" else None, refused)
        return refused

    def _fault_of(self, body: CommandBody) -> str:
        """Why a command cannot be meant for this table as it is; "" if it can."""
        if isinstance(body, UnseatPlayer):
            here = {seat.seat: seat.player for seat in self._reducer.view.seats}
            return "" if here.get(body.seat) == body.player else "not_seated"
        return ""

    def _tell_uplink(self) -> None:
        """The journal has committed: there may be something to send."""
        if self._uplink is not None:
            from firmware_py.uplink import Picture

            view = self._reducer.view
            self._uplink.told(Picture(view.hand, self._reducer.hand_rev, view))
            self._uplink.wake()

    # --- what is to be seen

    def _tournament_ms(self) -> int | None:
        if self._virtual is not None:
            return self._virtual.now_ms()
        offset = self._uplink.offset if self._uplink is not None else None
        if offset is None:
            return None
        now_ms = time.monotonic_ns() / 1e6
        return int(now_ms + offset.at(now_ms))

    def _show(self) -> None:
        """Bring displays, lamps and socket to what the table is now; each sends only what changed."""
        now_ms = monotonic_ms()
        scene = self._scene()
        panel = self._panel_state
        waiting = self._outbox_waiting()
        lines = prompt(self._words, panel, scene, self._notice, self._sorted_troubles(waiting), now_ms)
        lit = lamps(panel, scene)
        clock_face = self._face(now_ms)
        self._prompt_display.show(lines)
        self._clock_display.show(clock_face)
        self._panel.light(lit)
        if self._socket is not None:
            self._socket.show(
                {
                    "heard": self._heard,
                    "prompt": lines,
                    "lamps": sorted(lit),
                    "face": words(clock_face),
                    "amount": _open_amount(panel),
                    "selected": _selected(panel),
                    "mode": type(panel.mode).__name__,
                    "clock_rev": self._clock.rev,
                    "hub": self._hub_epoch != 0,
                    "outbox": waiting,
                    "view": scene.view,
                    "legal": scene.legal,
                    "floor": self._reducer.state.floor,
                    "entries": self._journal.entries,
                    "badges": self._badges,
                    "shoe": self._shoe_stored,
                }
            )

    def _outbox_waiting(self) -> int:
        if self._uplink is None:
            return 0  # a table without a hub puts nothing into its outbox
        first, last, _ = self._journal.outbox_depth()
        return last - first + 1 if first else 0

    def _sorted_troubles(self, waiting: int) -> tuple[Trouble, ...]:
        troubles = dict(self._troubles)
        if self._uplink is not None and waiting > OUTBOX_WARNING:
            troubles["outbox"] = Trouble("outbox", str(waiting))
        return tuple(troubles[name] for name in URGENT if name in troubles)

    def _face(self, now_ms: int) -> ClockFace:
        """What the LED clock says: the hub's clock, or at a table without one the blinds alone."""
        tournament_ms = self._tournament_ms()
        hub_there = self._hub_epoch != 0
        read: ClockReading | None = self._clock.reading(tournament_ms, hub_there=hub_there)
        away_ms = None if hub_there or self._config.hub is None else now_ms - self._hub_away_ms
        lost_ms = away_ms if away_ms is not None and away_ms >= HUB_GRACE_MS else None
        shown_ms = tournament_ms if tournament_ms is not None else now_ms
        level = self._reducer.view.level
        return face_of(read, shown_ms, self._config.language, hub_lost_ms=lost_ms, level=level)


def notice_of(words: Words, ruling: Ruling) -> Notice:
    """What the prompt says of a ruling, and the first article that says so."""
    article = ruling.articles[0] if ruling.articles else ""
    match ruling.outcome:
        case "refused":
            refusal = ruling.refusal or ""
            return Notice(words.refusals.get(refusal, refusal), article)
        case "out_of_turn":
            return Notice(words.recorded, article)
        case "floor":
            return Notice(words.floor_called, article)
        case "ruled":
            ruled = ruling.ruled or ""
            amount = "" if ruling.amount is None else ruling.amount
            return Notice(words.ruled.format(words.rulings.get(ruled, ruled).format(amount)), article)
        case _:
            return Notice("", article)


def _input_of(body: CommandBody) -> Input:
    """The engine's input for a command of the hub."""
    match body:
        case SeatPlayer(seat, player, name, stack, why):
            arrival = Arrival(why) if why in set(Arrival) else Arrival.NEW
            return SitDown(seat, player, stack, name[:MAX_NAME], arrival)
        case UnseatPlayer(seat, _, why):
            return LeaveSeat(seat, Departure(why) if why in set(Departure) else Departure.MOVED)
        case SetButton(seat):
            return PlaceButton(seat)
        case Hold(on, why):
            return HoldPlay(on, why)
        case FloorRuling(what, text):
            return FloorDecides(what, text)


def _virtual_time(config: Config) -> ClockFileTime | None:
    """Tournament time from a file, where the configuration names one. Raises ConfigError."""
    path = config.tournament.clock_file
    if not path:
        return None
    try:
        return ClockFileTime(path)
    except (OSError, ValueError) as trouble:
        raise ConfigError(f"tournament.clock_file: {path}: {trouble}; it must hold eight bytes") from trouble


def _badge_key(config: Config, adopt: Adopt | None) -> bytes:
    """The key of badge hashes. One of the hub that cannot be read is none, and that is said."""
    try:
        return key_in_force(config.badges.site_key, config.site, "" if adopt is None else adopt.badge_key)
    except ValueError as trouble:
        log.error("the hub's key for badges cannot be used: %s; badges are known by this table's own", trouble)  # noqa: TRY400
        return key_in_force(config.badges.site_key, config.site, "")


def _revoked(config: Config, adopt: Adopt | None) -> frozenset[str]:
    """Badges that are refused: by this table's own list, and by the hub's."""
    return frozenset(config.badges.revoked) | frozenset(() if adopt is None else adopt.revoked)


def _trouble_of(source: str) -> str:
    """The name under which a device's trouble is shown."""
    names = {"led_clock": "clock_display"}
    return "panel_stuck" if source.startswith("panel ") else names.get(source, source)


def _open_amount(panel: Panel) -> int | None:
    match panel.mode:
        case Amount(_, to):
            return to
        case Count(_, stack):
            return stack
        case Pushed(amount=amount):
            return amount
        case _:
            return None


def _selected(panel: Panel) -> int:
    """The seat under the knob; 0 when none is."""
    match panel.mode:
        case Play(seat) | Amount(seat, _) | Count(seat, _):
            return seat
        case Award(at, _) | PickSeat(_, at) | Pushed(_, at):
            return at
        case _:
            return 0
