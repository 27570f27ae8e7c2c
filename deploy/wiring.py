"""The 40-pin header as a drawing: which of its pins goes where, from a unit's own pin map.

The header's order is the Raspberry Pi's (raspberrypi.com, "GPIO and the 40-pin header"): odd pins in the left column,
pin 1 at the end of the board that carries the SD card.
"""

from __future__ import annotations

from html import escape

from firmware_py.config import Config

HEADER: tuple[str, ...] = (
    "3.3 V", "5 V", "2", "5 V", "3", "GND", "4", "14", "GND", "15", "17", "18", "27", "GND", "22", "23", "3.3 V", "24",
    "10", "GND", "9", "25", "11", "8", "GND", "7", "0", "1", "5", "GND", "6", "12", "13", "GND", "19", "16", "26", "20",
    "GND", "21",
)  # fmt: skip
ROW, TOP, MIDDLE, WIDTH = 26, 78, 430, 860
COLOURS = {"5 V": "#c0392b", "3.3 V": "#d68910", "GND": "#202020", "key": "#1f618d", "lamp": "#b7950b",
           "knob": "#117a65", "buzzer": "#7d3c98", "clock display": "#a04000", "prompt display": "#2e4053",
           "": "#c8c8c8"}  # fmt: skip


def uses(config: Config) -> dict[int, str]:
    """BCM number -> what is wired to it."""
    pins, found = config.pins, dict[int, str]()
    if config.prompt_display.kind in {"hd44780", "oled", "none"}:
        found |= {2: "prompt display SDA", 3: "prompt display SCL"}
    if config.clock_display.kind in {"max7219", "seven_segment", "none"}:
        found |= {8: "clock display CS", 10: "clock display DIN", 11: "clock display CLK"}
    wiring = pins.wiring()
    found |= {number: f"key {key.value}" for key, number in wiring.keys.items()}
    found |= {number: f"lamp {key.value}" for key, number in wiring.lamps.items()}
    return found | {pins.knob.a: "knob A", pins.knob.b: "knob B", pins.knob.push: "knob push", pins.buzzer: "buzzer"}


def drawing(config: Config) -> str:
    """The header as SVG, the same for the same pin map."""
    wired = uses(config)
    height = TOP + ROW * (len(HEADER) // 2) + 76
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"',
        ' font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="{MIDDLE}" y="26" text-anchor="middle" font-size="18">{escape(config.unit)}: 40-pin header</text>',
        f'<text x="{MIDDLE}" y="50" text-anchor="middle">end with the SD card; square: pin 1</text>',
        f'<rect x="{MIDDLE - 34}" y="{TOP - 16}" width="68" height="{ROW * 20 + 6}" rx="6" fill="#2c3e50"/>',
    ]
    for index, name in enumerate(HEADER):
        row, right = divmod(index, 2)
        what = name if not name.isdecimal() else wired.get(int(name), "")
        parts += _pin(index + 1, name, what, TOP + ROW * row, 1 if right else -1)
    notes = (
        "5 V reaches no GPIO: their inputs take 3.3 V. CLK, DIN and CS of the clock display go through a 74AHCT125.",
        "Keys, knob: to GND. Lamps: GPIO, 470 ohms, LED, GND. Prompt display: level shifter, or no pull-ups to 5 V.",
    )
    for line, note in enumerate(notes):
        parts.append(f'<text x="{MIDDLE}" y="{height - 40 + 22 * line}" text-anchor="middle">{note}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _pin(number: int, name: str, what: str, y: int, side: int) -> list[str]:
    """One pin: its dot, its wire and what is at the wire's end. `side`: -1 left, 1 right."""
    colour = next(value for kind, value in COLOURS.items() if what.startswith(kind))
    x, anchor = MIDDLE + 15 * side, "start" if side > 0 else "end"
    label = f"{what}  (GPIO {name})" if name.isdecimal() and what else f"GPIO {name}" if name.isdecimal() else name
    dot = (
        f'<rect x="{x - 7}" y="{y - 7}" width="14" height="14" fill="{colour}" stroke="#ffffff"/>'
        if number == 1
        else f'<circle cx="{x}" cy="{y}" r="7" fill="{colour}" stroke="#ffffff"/>'
    )
    wire = f'<path d="M{x + 8 * side} {y}H{x + 80 * side}" stroke="{colour}" stroke-width="3"/>' if what else ""
    near = x + 28 * side
    ink, far = "#000000" if what else "#909090", x + 90 * side
    return [
        dot,
        wire,
        f'<text x="{near}" y="{y - 4}" text-anchor="middle" font-size="9" fill="#606060">{number}</text>',
        f'<text x="{far}" y="{y + 4}" text-anchor="{anchor}" fill="{ink}">{escape(label)}</text>',
    ]
