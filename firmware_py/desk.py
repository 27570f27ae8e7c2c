"""The dealer's place: what is pressed and tapped there becomes deeds, and what they made of the table an answer.

The panel's logic makes wishes of presses; here each is granted: an engine input goes through the reducer, an undo is
replayed, a dealer comes on. Everything that is put to the rules, from whatever source, comes through `put`, so that the
answer on the prompt and the panel's state always fit the table. For the crank alone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import msgspec

from drivers.seen import KeyPressed, KnobPushed, KnobTurned, Seen
from engine.inputs import FirstCard, Input, Shuffle
from engine.ruling import Ruling
from engine.wire import Result
from firmware_py import first_start, panel_logic
from firmware_py.asking import WrongPins, remembered, typed_pin, wrong_pins
from firmware_py.badges import KnownBadges, pin_matches
from firmware_py.config import Config
from firmware_py.inbox import monotonic_ms
from firmware_py.languages import LANGUAGES
from firmware_py.panel_state import (
    AskDirector,
    Badged,
    Beep,
    Begin,
    DealerComes,
    Panel,
    Play,
    Scene,
    Told,
    Undo,
    Verify,
    Wish,
)
from firmware_py.presses import to_play, with_mode
from firmware_py.prompts import NOTHING, Notice, notice_of
from firmware_py.reducer import Reducer
from firmware_py.setting import first_question
from firmware_py.shoe_reports import ShoeReports
from firmware_py.troubles import Troubles

log = logging.getLogger(__name__)

BEEP_MS = 80
PANEL_INPUTS = (KeyPressed, KnobTurned, KnobPushed)
BOOKS = ("lifeclub", "tda")      # offered at a first start without a hub


class Desk:
    """The panel between two presses, and the answer to the last one.

    `kept`: wrong PINs before this start; `buzz(ms)` sounds the buzzer; `note` writes to the journal; `committed()` is
    called when it has something new to send.
    """

    def __init__(
        self,
        config: Config,
        reducer: Reducer,
        badges: KnownBadges,
        reports: ShoeReports,
        troubles: Troubles,
        kept: WrongPins | None,
        buzz: Callable[[int], None],
        note: Callable[[dict[str, Any]], None],
        committed: Callable[[], None],
    ) -> None:
        self._config = config
        self._reducer = reducer
        self._badges = badges
        self._reports = reports
        self._troubles = troubles
        self._buzz = buzz
        self._note = note
        self._committed = committed
        self.words = LANGUAGES[config.language]
        self.panel = remembered(Panel(), kept, monotonic_ms())
        self.notice: Notice = NOTHING

    def scene(self, pin_is: str = "") -> Scene:
        """What the panel may know of the table."""
        reducer = self._reducer
        sanction, penalties = reducer.penalties
        return Scene(
            view=reducer.view,
            legal=reducer.legal,
            chip=reducer.state.chip if reducer.opened else self._config.chip,
            pot=reducer.pot,
            books=BOOKS if self._config.book in BOOKS else (self._config.book, *BOOKS),
            opened=reducer.opened,
            directors=self._has_directors(),
            sanction=sanction,
            penalties=penalties,
            shoe_waits=self._reports.waits_for(reducer.view.due),
            pin_is=pin_is,
        )

    # --- what is heard

    def hear_badge(self, at_ms: int, uid_hex: str) -> None:
        """A badge was read. One that was revoked is told and means nothing."""
        badge = self._badges.hash_of(uid_hex)
        if self._badges.is_revoked(badge):
            log.warning("badge %s is revoked", badge[:6])
            self.panel = msgspec.structs.replace(self.panel, told=Told.NONE)
            self.notice = Notice(self.words.revoked)
        else:
            self.hear(at_ms, Badged(badge, badge in self._config.badges.directors))

    def hear(self, at_ms: int, what: Seen | Badged) -> None:
        """A press, a detent or a badge, and what becomes of the wishes that follow."""
        if isinstance(what, (*PANEL_INPUTS, Badged)):
            self.notice = NOTHING
            self._troubles.mark("lost", there=False)
        pin = typed_pin(self.panel, what, at_ms)
        director = "pin" if pin and pin_matches(pin, self._config.badges.director_pin) else ""
        heard = panel_logic.hear(self.panel, what, at_ms, self.scene(pin_is=director))
        if heard.panel.wrong_pins != self.panel.wrong_pins:
            self._note({"wrong_pins": wrong_pins(heard.panel)})
        self.panel = heard.panel
        for wish in heard.wishes:
            self._grant(at_ms, wish)

    def ask_first_question(self) -> None:
        """A table that nobody has described: the panel asks."""
        self.panel = with_mode(self.panel, first_question(self.scene()))

    def ask_count(self) -> None:
        """The shoe has dealt and cannot prove that it saw every card: the dealer counts."""
        self.panel = panel_logic.confirm_deal(self.panel, self.scene())

    def fit(self) -> None:
        """The table or its shoe has gone on without the panel: what no longer fits is dropped."""
        self.panel = panel_logic.fitted(self.panel, self.scene())

    def ask_where(self) -> None:
        """The shoe is back and may have given cards unseen: as soon as nothing is begun, the dealer verifies."""
        if self._reports.asks_where(self._reducer.view.due) and isinstance(self.panel.mode, Play):
            self._reports.asked_where()
            self.panel = with_mode(self.panel, Verify())
            self._buzz(BEEP_MS)

    def begin(self, at_ms: int, begin: Begin) -> None:
        """Set a table without a hub up, or the rest of it."""
        first_start.set_up(begin, self._reducer, self._config, at_ms, self.put)
        self.notice = NOTHING

    def adopted(self, unknown_book: str = "") -> None:
        """The hub has given this table its place: what was begun here is dropped. `unknown_book`: it cannot be used."""
        self.panel = to_play(self.panel)
        if unknown_book:
            self.notice = Notice(self.words.refusals["not_in_catalogue"], unknown_book)

    # --- what becomes of it

    def put(
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
            self.notice = notice_of(self.words, ruling)
        if isinstance(what, Shuffle) and ruling.outcome == "ok":
            self._reports.shuffled(self._reducer.view.hand)
        self.fit()
        self._committed()
        return ruling

    def _grant(self, at_ms: int, wish: Wish) -> None:
        """What becomes of one wish of the panel."""
        want, by = wish
        if isinstance(want, Undo):
            self._undo(at_ms, want, by)
        elif isinstance(want, DealerComes):
            if want.badge != self._reducer.dealer:
                self._reducer.dealer_on(at_ms, want.badge)
                self._committed()
            self.notice = Notice(self.words.dealer.format(want.badge[:6]))
        elif isinstance(want, Begin):
            self.begin(at_ms, want)
        elif isinstance(want, Beep):
            self._buzz(BEEP_MS)
        elif isinstance(want, Shuffle | FirstCard) and self._config.badges.dealer_required and not self._reducer.dealer:
            self.notice = Notice(self.words.tap_in)
        elif self._reducer.opened:
            self.put(at_ms, by, want)

    def _undo(self, at_ms: int, want: Undo, by: str) -> None:
        undone = self._reducer.undo(at_ms, by, director=want.director or not self._has_directors())
        if undone.what == "director":
            self.panel = msgspec.structs.replace(self.panel, mode=AskDirector(Undo()))
        elif undone.what == "nothing":
            self.notice = Notice(self.words.nothing_to_undo)
        else:
            self.notice = Notice(self.words.undone)
            self._committed()

    def _has_directors(self) -> bool:
        return bool(self._config.badges.directors or self._config.badges.director_pin)
