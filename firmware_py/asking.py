"""A director is asked for: a badge at the reader, or a PIN of four digits typed on the eight keys.

Wrong PINs are counted, and after every third none is looked at for a while. Whose badge or PIN it was is the unit's to
say; here it is only known whether one was a director's.
"""

from __future__ import annotations

import msgspec

from drivers.seen import Key, KeyPressed, Seen
from firmware_py.panel_state import (
    DIRECTORS_PAGE,
    PIN_DIGITS,
    PIN_KEYS,
    PIN_TRIES,
    PIN_WAIT_MAX_MS,
    PIN_WAIT_MS,
    AskDirector,
    Badged,
    Count,
    DealerComes,
    Menu,
    Panel,
    Penalty,
    PickSeat,
    Pushed,
    Scene,
    Setting,
    Told,
    Undo,
    Wish,
)
from firmware_py.presses import Heard, say, to_play, with_mode


class WrongPins(msgspec.Struct, frozen=True):
    """What the journal keeps of them: how many since the last right one, and until when none is looked at."""

    wrong: int
    free_ms: int


def wrong_pins(panel: Panel) -> WrongPins:
    """What to keep."""
    return WrongPins(panel.wrong_pins, panel.pin_free_ms)


def remembered(panel: Panel, kept: WrongPins | None, now_ms: int) -> Panel:
    """The panel after a start: who pulls the plug gets no more tries, and waits no less.

    Monotonic time begins anew with the machine, so the moment that was kept is at least one whole wait away from the
    beginning of its time; it is never more than a wait away from now.
    """
    if kept is None:
        return panel
    free_ms = min(kept.free_ms, now_ms + _wait_ms(kept.wrong))
    return msgspec.structs.replace(panel, wrong_pins=kept.wrong, pin_free_ms=free_ms)


def key_in_ask(panel: Panel, mode: AskDirector, key: Key, at_ms: int, scene: Scene) -> Heard:
    """Keys are digits of the PIN; the unit looks at `typed_pin` and says in the scene whose it was."""
    if at_ms < panel.pin_free_ms:
        return say(panel, Told.PIN_LOCKED)
    digits = mode.digits + PIN_KEYS[key]
    if len(digits) < PIN_DIGITS:
        return Heard(with_mode(panel, msgspec.structs.replace(mode, digits=digits)))
    if not scene.pin_is:
        return Heard(to_play(_wrong_pin(panel, at_ms), Told.WRONG_PIN))
    panel = msgspec.structs.replace(panel, wrong_pins=0)
    return _granted(panel, mode, f"director:{scene.pin_is}")


def badged(panel: Panel, badge: Badged) -> Heard:
    """A badge at the reader: a director stands behind what is open, or opens the menu; anybody else is a dealer."""
    mode = panel.mode
    if not badge.director:
        told = Told.NOT_DIRECTOR if isinstance(mode, AskDirector) else Told.NONE
        return Heard(msgspec.structs.replace(panel, told=told), (Wish(DealerComes(badge.badge)),))
    by = f"director:{badge.badge}"
    if isinstance(mode, AskDirector):
        return _granted(panel, mode, by)
    if isinstance(mode, Menu | Pushed | PickSeat | Count | Penalty):
        return Heard(with_mode(panel, msgspec.structs.replace(mode, by=by)))
    if isinstance(mode, Setting):
        return Heard(panel)
    return Heard(with_mode(panel, Menu(DIRECTORS_PAGE, 0, by)))


def typed_pin(panel: Panel, what: Seen | Badged, at_ms: int) -> str:
    """The four digits that this press completes, else "". None while PINs are not looked at."""
    if at_ms < panel.pin_free_ms:
        return ""
    if isinstance(panel.mode, AskDirector) and isinstance(what, KeyPressed):
        digits = panel.mode.digits + PIN_KEYS[what.key]
        return digits if len(digits) == PIN_DIGITS else ""
    return ""


def _wrong_pin(panel: Panel, at_ms: int) -> Panel:
    """One more wrong PIN: after every third, no PIN is looked at for a while, each time twice as long."""
    wrong = panel.wrong_pins + 1
    if wrong % PIN_TRIES:
        return msgspec.structs.replace(panel, wrong_pins=wrong)
    return msgspec.structs.replace(panel, wrong_pins=wrong, pin_free_ms=at_ms + _wait_ms(wrong))


def _wait_ms(wrong: int) -> int:
    """How long none is looked at after so many wrong ones; 0 before the third."""
    times = wrong // PIN_TRIES
    return min(PIN_WAIT_MS << min(times - 1, 16), PIN_WAIT_MAX_MS) if times else 0


def _granted(panel: Panel, mode: AskDirector, by: str) -> Heard:
    """A director stands behind what was asked."""
    if mode.then is not None:
        return Heard(with_mode(panel, msgspec.structs.replace(mode.then, by=by)))
    want = Undo(director=True) if isinstance(mode.want, Undo) else mode.want
    return Heard(to_play(panel), () if want is None else (Wish(want, by),))
