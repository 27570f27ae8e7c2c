"""What is wrong with a script is said in English and in Italian: no text without its other half, and none left over."""

import ast
from pathlib import Path
from string import Formatter

import pytest

import engine.script
from engine.script.messages import ITALIAN, MEANINGS, LineError, Message, message_of
from engine.script.parse import parse
from engine.script.play import open_book, play
from engine.script.words import ScriptError

FOLDER = Path(engine.script.__file__).parent
FILES = (*sorted(FOLDER.glob("*.py")), FOLDER.parent / "rulebook.py")
TEXT_AT = {"error": 0, "RulebookError": 0, "LineError": 0, "NotPlayed": 0, "Message": 0, "ScriptError": 2}
"""Where a call has the text of a message."""
MEANING_AT = {
    "take": 0, "number": 0, "seat": 0, "seat_or_nobody": 0, "_missing": 1, "one_of": 1, "each": 1, "as_number": 1,
    "pair": 1,
}  # fmt: skip
"""Where a call says what a word means."""


def _calls():
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield getattr(node.func, "attr", getattr(node.func, "id", "")), node.args


def _strings(at):
    for name, arguments in _calls():
        if name in at and len(arguments) > at[name]:
            argument = arguments[at[name]]
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                yield argument.value


def test_every_text_has_its_italian():
    assert set(_strings(TEXT_AT)) - set(ITALIAN) == set()


def test_every_meaning_has_its_italian():
    assert set(_strings(MEANING_AT)) - set(MEANINGS) == set()


def test_no_text_is_left_over():
    said = {node.value for file in FILES if file.name != "messages.py"
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)}  # fmt: skip

    assert set(ITALIAN) - said - {"{said}"} == set()


@pytest.mark.parametrize("text", ITALIAN)
def test_both_languages_name_the_same_values(text):
    def places(template):
        return sorted(name for _, name, _, _ in Formatter().parse(template) if name)

    assert places(text) == places(ITALIAN[text])


HEAD = "title Qualcosa\nbook lifeclub\nblinds 50/100\nbutton 1\nseats 1:1000 2:1000 3:1000\n"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("1 bet tanto", "a.hand:6: 'tanto' non è un importo: serve un numero intero"),
        ("wait", "a.hand:6: in fondo alla riga manca: un numero di secondi"),
        ("board Ah Kd", "a.hand:6: un giro ha tre carte o una, non 2"),
        ("set colore rosso", "a.hand:2: lifeclub: 'colore' non è un valore di un regolamento"),
        ("set min_raise presto", "a.hand:2: lifeclub: min_raise: 'presto' non va bene"),
        ("book monopoly", "a.hand:5: monopoly: non c'è questo regolamento; ci sono cortile"),
        ("1 fold -> refused:mai", "a.hand:6: 'mai' non è un rifiuto: si usa not_your_turn, cannot_reopen"),
    ],
)
def test_an_error_is_told_in_italian(line, says):
    text = HEAD.replace("book lifeclub\n", "") + line if line.startswith("book ") else HEAD + line
    with pytest.raises(ScriptError) as wrong:
        open_book(parse(text, "a.hand")[0])

    assert wrong.value.said("it").startswith(says)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("begin\n2 check -> floor", "lo script dice floor, le regole out_of_turn: Posto 2 fuori turno"),
        ("begin\n= to_act 3", "lo script dice to_act 3, il tavolo 1"),
        ("= to_call 3", "non tocca a nessuno, niente da vedere: il tavolo aspetta shuffle"),
        ("begin\nbust 9", "il posto 9 non è in questa mano e non può perdervi le chip"),
        ("begin\nundo", "in questa mano non c'è niente da annullare"),
    ],
)
def test_a_difference_is_told_in_italian(lines, says):
    (script,) = parse(HEAD + lines, "a.hand")
    difference = play(script, "it").difference

    assert difference is not None
    assert difference.said.startswith(says)


def test_what_others_say_is_handed_on():
    assert message_of(ValueError("chips of 3 cannot be changed")).said("it") == "chips of 3 cannot be changed"
    assert message_of(LineError("a seat is named twice")) == Message("a seat is named twice")
