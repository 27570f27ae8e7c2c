"""The process of one table: what is heard becomes a deed, and what the deed made of the table is shown and sent.

Theory of operation. Devices and uplink have threads of their own and only post to the inbox. The process's main thread
turns the crank: take one entry, let the panel's logic or the hub's command make wishes of it, let the reducer decide,
check and commit each, then show, then wake the uplink. Nobody else touches the table. Every `TICK_S` the crank turns
without an entry, for what only time brings: a level that has come, a face that changes, the watchdog.

The dealer's place is `desk.py`, what the hub wants `hub_orders.py`, the shoe's reports `shoe_reports.py`, the devices
and threads `parts.py`; here is what binds them together.

Start and recovery are one path: open the journal, stand where the last committed deed left the table, open the devices,
say READY. Trouble of people is a refusal on the prompt; trouble of devices is a hint on the prompt, and the hand goes
on; a mistake of ours ends the process with a message, and systemd starts it again from the journal.
"""

from __future__ import annotations

import logging
import signal
from types import FrameType

import msgspec

from drivers.seen import (
    BadgeRead,
    CardOut,
    FromShoe,
    InputDown,
    InputUp,
    KnobTurned,
    Noise,
    ShoeShuffled,
)
from engine.inputs import ApplyLevel, Level, TimePassed
from engine.timing import next_deadline_ms
from engine.view import Due
from engine.wire import Adopt
from firmware_py import first_start
from firmware_py.asking import WrongPins
from firmware_py.badges import KnownBadges
from firmware_py.config import Config
from firmware_py.desk import PANEL_INPUTS, Desk
from firmware_py.faces import ClockFace, face_of
from firmware_py.hub_orders import Adoption, HubOrders
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
from firmware_py.lamps import lamps
from firmware_py.level_clock import LevelClock, StoredClock
from firmware_py.panel_state import Told
from firmware_py.parts import Parts
from firmware_py.prompts import NOTHING, prompt
from firmware_py.reducer import Reducer
from firmware_py.sd_notify import Notifier
from firmware_py.sealing import Sealer
from firmware_py.shoe_reports import ShoeReports
from firmware_py.shoe_watch import ShoeState
from firmware_py.showing import seen_at
from firmware_py.standing import at_rest
from firmware_py.tournament_time import TournamentTime
from firmware_py.troubles import Troubles, trouble_of

log = logging.getLogger(__name__)

HUB_GRACE_MS = 10_000            # a hub that is away for less is not worth a line of the prompt
ANSWER_MS = 6_000                # the answer to a press stands so long before a device in trouble takes its line
SAYS_NOTHING = (InputDown, InputUp, Noise, Link)
WATCHDOG_SHARE = 3               # the watchdog is petted so many times within its time


class Unit:
    """One table. `run` returns the exit status when the process was asked to stop and raises what is our mistake."""

    def __init__(self, config: Config, notifier: Notifier) -> None:
        """Opens the journal and stands where it ends. Raises JournalError, RulebookError, ConfigError, OSError."""
        self._config = config
        self._notifier = notifier
        self.inbox = Inbox()
        self._journal = Journal(config.data_dir, config.unit, Sealer.in_directory(config.seal_dir, config.unit))
        self._reducer = Reducer(self._journal, tells_hub=config.hub is not None)
        self._clock = LevelClock(self._journal.meta("clock", StoredClock), autonomous=config.tournament.autonomous)
        self._level = self._journal.meta("level", Level)
        self._badges = KnownBadges(
            config.badges.site_key, config.site, config.badges.revoked, self._journal.meta("adopt", Adopt)
        )
        self._troubles = Troubles()
        if self._journal.moved_aside is not None:
            log.error(
                "the journal was damaged; it lies as %s for somebody to look at, and a new one was begun: "
                "seat the players again, or let the hub adopt this table",
                self._journal.moved_aside,
            )
            self._troubles.mark("journal", there=True)
        self._presses_heard = 0
        self._answered_ms = monotonic_ms()     # when somebody was answered last
        self._badges_heard = 0
        self._lost_told = 0
        self._hub_epoch = 0                    # 0: the hub is away
        self._hub_away_ms = monotonic_ms()
        self._pet_ms = 0
        self._stopping = ""

        shoe_stored = self._journal.meta("shoe", tuple[str, int])
        self._parts = Parts(config, self.inbox, self._journal, shoe_stored)
        shoe_state = self._journal.meta("shoe_state", ShoeState)
        self._time = TournamentTime(config.tournament.clock_file, self._parts.uplink)
        self._reports = ShoeReports(self._parts.shoe, shoe_stored, shoe_state, self._troubles, self._journal.note)
        self._desk = Desk(
            config, self._reducer, self._badges, self._reports, self._troubles,
            self._journal.meta("wrong_pins", WrongPins), self._parts.panel.buzz, self._journal.note, self._committed,
        )  # fmt: skip
        self._orders = HubOrders(self._reducer, self._journal, self._desk.put)

    # --- the process

    def run(self) -> int:
        """Turn the crank until somebody asks to stop. Exit status 0."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._signalled)
        try:
            self._start()
            while not self._stopping:
                self._turn(self.inbox.take(self._time.tick_s))
        finally:
            self._stop()
        return 0

    def _signalled(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - signal's own form
        self.inbox.post("os", Stop(signal.Signals(number).name))

    def _start(self) -> None:
        begin = first_start.wanted(self._journal, self._config, opened=self._reducer.opened)
        if begin is not None:
            self._desk.begin(monotonic_ms(), begin)
        elif not self._reducer.opened and self._config.hub is None:
            self._desk.ask_first_question()
        self._parts.start()
        self._committed()
        self._show()
        self._notifier.say("READY=1", f"STATUS={self._config.unit}: ready")
        log.info("%s: ready, boot %d, entry %d", self._config.unit, self._journal.boot, self._journal.entries)

    def _stop(self) -> None:
        """Every thread that was started ends here; what is on disk is whole already."""
        self._notifier.say("STOPPING=1")
        self._parts.stop()
        self._time.close()
        self._journal.close()

    def _pet(self, now_ms: int) -> None:
        """Tell systemd that crank, disk and keys work; a lost hub, shoe or display is no reason to be restarted."""
        every_ms = self._notifier.watchdog_s * 1000 / WATCHDOG_SHARE
        if every_ms and now_ms - self._pet_ms >= every_ms and self._parts.panel.alive():
            self._pet_ms = now_ms
            self._notifier.say("WATCHDOG=1")

    # --- the crank

    def _turn(self, arrived: Arrived | None) -> None:
        """One turn: what was heard, what time brings, then what is to be seen."""
        if arrived is not None:
            self._hear(arrived)
            if not isinstance(arrived.what, SAYS_NOTHING):
                self._answered_ms = monotonic_ms()
            if isinstance(arrived.what, PANEL_INPUTS):
                self._presses_heard += abs(arrived.what.steps) if isinstance(arrived.what, KnobTurned) else 1
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
            self._desk.hear_badge(arrived.at_ms, what.uid_hex)
            self._badges_heard += 1
        elif isinstance(what, InputDown):
            log.warning("%s: %s: %s", what.source, what.kind, what.hint)
            self._troubles.mark(trouble_of(what.source), there=True)
            if what.source == "shoe" and (deed := self._reports.gone(self._reducer.view.due)) is not None:
                self._desk.put(arrived.at_ms, "shoe", deed)
        elif isinstance(what, InputUp):
            self._troubles.mark(trouble_of(what.source), there=False)
            log.info("%s: back", what.source)
            if what.source == "shoe":
                self._reports.back(self._reducer.view.due)
        elif isinstance(what, Noise):
            log.info("%s: %d bytes of noise on the line", what.source, what.count)
        else:
            self._desk.hear(arrived.at_ms, what)

    def _tend(self, now_ms: int) -> None:
        """What time brings."""
        if self.inbox.lost > self._lost_told:
            self._lost_told = self.inbox.lost
            self._troubles.mark("lost", there=True)
            log.error("the inbox was full: %d entries were lost; the last presses must be made again", self.inbox.lost)
        tournament_ms = self._time.now_ms()
        hub_there = self._hub_epoch != 0
        stored = self._clock.to_store(tournament_ms, hub_there=hub_there)
        if stored is not None:
            self._journal.note({"clock": stored})
        if self._reducer.opened:
            level = self._clock.announced(tournament_ms, hub_there=hub_there)
            if level is not None and level != self._level:
                self._level = level
                self._desk.put(now_ms, "clock", ApplyLevel(level), meta={"level": level})
            deadline = next_deadline_ms(self._reducer.state)
            if deadline is not None and deadline <= now_ms and not len(self.inbox):
                self._desk.put(now_ms, "clock", TimePassed())   # after what was heard in time: a tie favours the player
        self._troubles.mark("hub", self._hub_lost_ms(now_ms) is not None)
        self._desk.ask_where()
        self._parts.watch()
        self._pet(now_ms)

    # --- the shoe

    def _hear_shoe(self, at_ms: int, what: FromShoe) -> None:
        """A report of the shoe: written with its number, then acknowledged to the shoe."""
        meta = {"shoe": (what.boot, what.seq)} if what.seq else None
        due = self._reducer.view.due
        deed = self._reports.deed_of(what, due, running=not at_rest(self._reducer.state))
        if deed is not None and self._reducer.opened:
            ruling = self._desk.put(at_ms, "shoe", deed, meta=meta)
            dealt = isinstance(what, CardOut) and due is Due.HOLE_CARDS and self._reducer.view.due is not due
            if dealt and not self._reports.proves_count:
                self._desk.ask_count()
            if isinstance(what, ShoeShuffled) and ruling.outcome == "refused":
                self._desk.notice = NOTHING  # nobody pressed anything; a deck was only made ready too early
        elif meta is not None:
            self._journal.note(meta)
        self._desk.fit()
        self._reports.written(what)

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
                assert self._parts.uplink is not None, "a command without a hub"
                self._parts.uplink.result(self._orders.obey(at_ms, command))
            case _:
                raise TypeError(f"nothing is known of {type(what).__name__}")

    def _adopted(self, at_ms: int, adopt: Adopt) -> None:
        """The hub has adopted this table, or changed what it wants of it."""
        assert self._parts.uplink is not None, "an adoption without a hub"
        done = self._orders.adopt(at_ms, adopt)
        if done is Adoption.KNOWN:
            return
        self._badges.adopted(adopt)
        if done is Adoption.OPENED:
            self._level = None
        self._desk.adopted("" if done is not Adoption.BAD_BOOK else adopt.book)
        self._parts.uplink.adopted(adopt)
        self._committed()

    def _committed(self) -> None:
        """The journal has committed: there may be something to send."""
        if self._parts.uplink is not None:
            from firmware_py.reports import Picture

            view = self._reducer.view
            self._parts.uplink.told(Picture(view.hand, self._reducer.hand_rev, view))
            self._parts.uplink.wake()

    # --- what is to be seen

    def _show(self) -> None:
        """Bring displays, lamps and socket to what the table is now; each sends only what changed."""
        now_ms = monotonic_ms()
        desk, scene, parts = self._desk, self._desk.scene(), self._parts
        waiting = self._outbox_waiting()
        self._troubles.mark("outbox", waiting > OUTBOX_WARNING, str(waiting))
        troubles, panel, notice = self._troubles.by_urgency(), desk.panel, desk.notice
        if troubles and now_ms - self._answered_ms > ANSWER_MS:
            panel, notice = msgspec.structs.replace(panel, told=Told.NONE), NOTHING
        lines = prompt(desk.words, panel, scene, notice, troubles, now_ms)
        lit = lamps(desk.panel, scene)
        face = self._face(now_ms)
        parts.prompt_display.show(lines)
        parts.clock_display.show(face)
        parts.panel.light(lit)
        if parts.socket is not None:
            parts.socket.show(
                seen_at(desk.panel, scene, lines, lit, face)
                | {
                    "heard": self._presses_heard,
                    "clock_rev": self._clock.rev,
                    "hub": self._hub_epoch != 0,
                    "outbox": waiting,
                    "floor": self._reducer.state.floor,
                    "entries": self._journal.entries,
                    "badges": self._badges_heard,
                    "shoe": self._reports.stored,
                }
            )

    def _face(self, now_ms: int) -> ClockFace:
        tournament_ms, hub_there = self._time.now_ms(), self._hub_epoch != 0
        read = self._clock.reading(tournament_ms, hub_there=hub_there)
        shown_ms = tournament_ms if tournament_ms is not None else now_ms
        lost_ms, level = self._hub_lost_ms(now_ms), self._reducer.view.level
        return face_of(read, shown_ms, self._config.language, hub_lost_ms=lost_ms, level=level)

    def _hub_lost_ms(self, now_ms: int) -> int | None:
        """For how long the hub has been away; None while that is not worth a word, and at a table without one."""
        away_ms = now_ms - self._hub_away_ms
        there = self._config.hub is None or self._hub_epoch != 0
        return None if there or away_ms < HUB_GRACE_MS else away_ms

    def _outbox_waiting(self) -> int:
        if self._parts.uplink is None:
            return 0  # a table without a hub puts nothing into its outbox
        first, last, _ = self._journal.outbox_depth()
        return last - first + 1 if first else 0
