"""The virtual table's page without a browser: eyes on recorded bytes, hints, words."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from deploy.virtual_page import hints, words
from deploy.virtual_page.screens import LedEye, PromptEye
from deploy.virtual_page.stand import LASTING, AnyAct, Fit, Load, Look, Press, ReaderLook, ShoeLook
from deploy.virtual_table import Glance
from drivers import simulators
from drivers.dots import from_art
from drivers.led_clock import LedClock
from drivers.prompt_display import Hd44780, PromptDisplay
from drivers.recording import RING_BYTES, RecordingBus
from drivers.seen import Key, Seen
from drivers.shoe_sim import Mishap
from engine.cards import DECK
from engine.inputs import Level
from engine.view import Due, Legal, SeatView, Street, TableView
from firmware_py.english import EN

ARTS = ("#......." * 4 + "\n") * 7 + "..######" * 4
OTHER = ("........" * 4 + "\n") * 7 + "#......#" * 4


def never(seen: Seen, at_ns: int) -> None:
    raise AssertionError(f"{seen} at {at_ns}")


class TestScreens:
    def test_the_clock_is_read_from_its_bytes_as_they_come(self, tmp_path: Path) -> None:
        bus = RecordingBus(path=tmp_path / "clock")
        clock, eye = LedClock(lambda: bus, 4, never), LedEye(tmp_path / "clock", 4)
        assert set(eye.look().rows) == {"0"}

        for at_s, art in enumerate((ARTS, OTHER)):
            clock.show(from_art(art), float(at_s))
            assert eye.look().rows == tuple(f"{row:x}" for row in from_art(art).rows)
        clock.close()

    def test_who_missed_bytes_is_right_again_at_the_next_refresh(self, tmp_path: Path) -> None:
        bus = RecordingBus(path=tmp_path / "clock")
        clock, eye = LedClock(lambda: bus, 4, never), LedEye(tmp_path / "clock", 4)
        clock.show(from_art(ARTS), 0.0)
        eye.look()
        for count in range(RING_BYTES // 8):
            clock.show(from_art((ARTS, OTHER)[count % 2]), 0.1)

        assert set(eye.look().rows) == {"0"}                 # rows without the registers behind them: dark

        clock.show(from_art(ARTS), 20.0)
        assert eye.look().rows == tuple(f"{row:x}" for row in from_art(ARTS).rows)
        clock.close()

    def test_another_process_begins_with_a_dark_display(self, tmp_path: Path) -> None:
        eye = PromptEye(tmp_path / "prompt")
        first = PromptDisplay(Hd44780(lambda: RecordingBus(path=tmp_path / "prompt"), settle_s=0.0), never)
        first.show(["First", "a", "b", "c"])
        assert eye.look().text[0].rstrip() == "First"
        first.show(["Other", "a", "b", "c"])
        assert eye.look().text[0].rstrip() == "Other"

        second = PromptDisplay(Hd44780(lambda: RecordingBus(path=tmp_path / "prompt"), settle_s=0.0), never)
        second.show(["", "Second", "", ""])

        assert [line.rstrip() for line in eye.look().text] == ["", "Second", "", ""]

    def test_without_power_it_is_dark(self, tmp_path: Path) -> None:
        eye = PromptEye(tmp_path / "prompt")
        PromptDisplay(Hd44780(lambda: RecordingBus(path=tmp_path / "prompt"), settle_s=0.0), never).show(["On"])
        assert eye.look().lit

        off = eye.power_off()

        assert not off.lit
        assert "".join(off.text).strip() == ""


def look(due: Due = Due.ACTION, mode: str = "Play", prompt: str = "", power: bool = True, **shoe: object) -> Look:
    level, seats = Level(50, 100, number=1), (SeatView(1, "a", "Ada", 900), SeatView(2, "b", "Bea", 900))
    view = TableView(1, Street.FLOP, due, 2, "tda", level, 1, 1, 2, seats, (), (), to_act=2, next_seat=1, cards_due=2)
    legal = Legal(2, True, False, 100, None, (200, 900), 900, 150) if due is Due.ACTION else None
    glance = Glance(
        0, ("", prompt, "", ""), (Key.FOLD,), "", None, 0, mode, 0, False, 0, view, legal, "", 0, 0, None
    )  # fmt: skip
    inside = msgspec.structs.replace(ShoeLook("osp1", deck=("As",)), **shoe)
    reader = ReaderLook("rdm6300")
    return Look(glance if power else None, None, None, inside, reader, (), False, 0)  # type: ignore[arg-type]


def with_reader(seen: Look, reader: ReaderLook) -> Look:
    return msgspec.structs.replace(seen, reader=reader)


@pytest.mark.parametrize(
    ("seen", "say", "first"),
    [
        (look(power=False), "hint_power", "power"),
        (look(Due.SHUFFLE), "hint_shuffle", "shuffle"),
        (look(Due.NEXT_HAND, deck=()), "hint_shuffle", "shuffle"),
        (look(Due.FIRST_CARD), "hint_first", "deal"),
        (look(Due.FIRST_CARD, deck=()), "hint_shuffle", "shuffle"),
        (look(Due.HOLE_CARDS), "hint_hole", "deal"),
        (look(Due.HOLE_CARDS, plugged=False), "hint_plug", "shoe-cable"),
        (look(Due.HOLE_CARDS, stalled=True), "hint_resume", "shoe-stall"),
        (look(Due.BOARD, wrong=(Mishap.DOOR,)), "hint_door", "card-door"),
        (look(Due.BOARD, wrong=(Mishap.JAM,)), "hint_mend", "card-jam"),
        (look(Due.SHUFFLE, tells_deck=False, deck=DECK), "hint_shuffled", "key-deal"),
        (look(Due.NEXT_HAND, tells_deck=False), "hint_shuffle", "shuffle"),
        (look(Due.SHUFFLE, kind=""), "hint_by_hand", "key-deal"),
        (look(Due.BURN, kind=""), "hint_by_hand", "key-deal"),
        (look(Due.ACTION, plugged=False), "hint_call", "key-check_call"),
        (look(Due.ACTION, "Amount"), "hint_amount", "key-bet_raise"),
        (look(Due.BURN), "hint_burn", "deal"),
        (look(Due.SHOW), "hint_show", "key-check_call"),
        (look(Due.AWARD, "Award"), "hint_award", "key-deal"),
        (look(Due.FLOOR), "hint_floor", "badge-director"),
        (look(Due.FLOOR, "Menu", ">Call the director  "), "hint_decide", "knob-right"),
        (look(Due.FLOOR, "Menu", f">{next(iter(EN.items.values()))}"), "hint_page", "key-floor"),
        (with_reader(look(Due.FLOOR), ReaderLook()), "hint_floor_pin", "key-floor"),
        (with_reader(look(Due.FLOOR), ReaderLook("wedge", plugged=False)), "hint_floor_pin", "key-floor"),
        (with_reader(look(Due.ACTION, "AskDirector"), ReaderLook("pn532", stalled=True)), "hint_pin", "key-fold"),
        (look(Due.FLOOR, "Menu", ">The hand goes on   "), "hint_menu", "push"),
        (look(Due.ACTION, "AskDirector"), "hint_ask", "badge-director"),
        (look(Due.HOLE_CARDS, "Verify"), "hint_verify", "key-check_call"),
        (look(Due.BURN, "WithoutShoe", wrong=(Mishap.JAM,)), "hint_without_shoe", "key-deal"),
        (look(Due.ACTION, "ANewOne"), "hint_display", "key-fold"),
    ],
)
def test_the_hint_says_what_to_press(seen: Look, say: str, first: str) -> None:
    hint = hints.hint(seen)

    assert (hint.say, hint.at[0]) == (say, first)
    for lang in ("it", "en"):
        assert "{" not in words.word(lang, hint.say).format_map(hint.values)


def test_every_hint_speaks_both_languages() -> None:
    source = Path(hints.__file__).read_text(encoding="utf-8")

    said = set(re.findall(r'"(hint_\w+)"', source))
    assert said == {key for key in words.WORDS if key.startswith("hint_")}
    assert all(all(both) for both in words.WORDS.values())


def test_every_control_of_the_page_has_its_words_in_both_languages() -> None:
    kinds = [f"shoe_{kind}" for kind in (*simulators.SHOES, "")]
    kinds += [f"reader_{kind}" for kind in (*simulators.LINE_READERS, "wedge", "")]
    mishaps = [*Mishap, *(f"{what}_off" for what in LASTING)]

    for key in (*kinds, *mishaps):
        assert all(words.word(lang, key) for lang in ("it", "en")), key


def test_an_act_is_read_strictly() -> None:
    assert msgspec.json.decode(b'{"do":"press","key":"all_in"}', type=AnyAct) == Press(Key.ALL_IN)
    assert msgspec.json.decode(b'{"do":"shuffle","seed":7}', type=AnyAct) == Load(7)
    fit = msgspec.json.decode(b'{"do":"fit","shoe":"bee_tek","badge":""}', type=AnyAct)
    assert fit == Fit("bee_tek", "")
    for wrong in (b'{"do":"press"}', b'{"do":"press","key":"bluff"}', b'{"do":"draw","card":"As"}', b"[]"):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(wrong, type=AnyAct)
