"""What a crew in another process may see of the table.

With mock pins a unit serves a socket beside them: prompt, lamps and clock face as people read them, and the engine's
view for whoever plays. It is made anew at every turn of the crank.
"""

from __future__ import annotations

from typing import Any

from drivers.seen import Key
from firmware_py.faces import ClockFace, words
from firmware_py.panel_state import Amount, Award, Count, Panel, Penalty, PickSeat, Play, Pushed, Scene


def seen_at(panel: Panel, scene: Scene, lines: tuple[str, ...], lit: frozenset[Key], face: ClockFace) -> dict[str, Any]:
    """Prompt, lamps, face, what stands under the knob, and the table, by their names in JSON."""
    return {
        "prompt": lines,
        "lamps": sorted(lit),
        "face": words(face),
        "amount": _open_amount(panel),
        "selected": _selected(panel),
        "mode": type(panel.mode).__name__,
        "view": scene.view,
        "legal": scene.legal,
    }


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
        case Play(seat) | Amount(seat, _) | Count(seat, _) | Penalty(seat, _):
            return seat
        case Award(at, _) | PickSeat(_, at) | Pushed(_, at):
            return at
        case _:
            return 0
