"""The four lines: what they say at each moment, in both languages, within twenty columns."""

import pytest

from drivers.charset import COLUMNS, LINES, spell
from engine.inputs import (
    AllIn,
    Call,
    CallFloor,
    CardDrawn,
    Check,
    DealError,
    DealFault,
    FirstCard,
    Fold,
    HoldPlay,
    Level,
    Motion,
    Muck,
    Puts,
    RaiseTo,
    Sanction,
    Shuffle,
    StreetDealt,
    TableCards,
)
from engine.ruling import Ruling
from engine.table import decide
from firmware_py.english import EN
from firmware_py.italian import IT
from firmware_py.languages import LANGUAGES
from firmware_py.panel_state import (
    PAGES,
    PUSHED,
    Amount,
    AskDirector,
    Award,
    ConfirmDeal,
    Count,
    Item,
    Menu,
    Panel,
    Penalty,
    PickSeat,
    Play,
    Pushed,
    Setting,
    Step,
    Told,
    Undo,
    Verify,
    WithoutShoe,
)
from firmware_py.prompts import NOTHING, STEPS_MS, Notice, Trouble, chips, lines, notice_of, prompt
from firmware_py.setting import first_question
from tests.firmware.scenes import BOOK, dealt, empty, played, scene

UNKNOWN = ("??",)
CHECKED = (Check(2), Check(3), Check(1))
TO_RIVER = (Call(1), Call(2), Check(3), StreetDealt(UNKNOWN * 3), *CHECKED, StreetDealt(UNKNOWN), *CHECKED,
            StreetDealt(UNKNOWN), *CHECKED)  # fmt: skip
RICH = {"stacks": (9_000_000, 9_000_000, 9_000_000), "level": Level(400_000, 800_000, 100_000)}
SCENES = {
    "no table": empty(),
    "between": scene(played()),
    "held": scene(played(HoldPlay(on=True))),
    "shuffled": scene(played(Shuffle())),
    "dealing": scene(played(FirstCard())),
    "preflop": scene(dealt()),
    "rich": scene(dealt(**RICH)),
    "raised": scene(dealt(RaiseTo(1, 700))),
    "all in": scene(dealt(AllIn(1), Fold(2))),
    "burn": scene(dealt(Call(1), Call(2), Check(3))),
    "run out": scene(dealt(AllIn(1), AllIn(2), AllIn(3))),
    "run out to the turn": scene(dealt(AllIn(1), AllIn(2), AllIn(3), StreetDealt(UNKNOWN * 3))),
    "half a flop": scene(dealt(Call(1), Call(2), Check(3), CardDrawn("2c"), CardDrawn("3c"))),
    "flop": scene(dealt(Call(1), Call(2), Check(3), StreetDealt(UNKNOWN * 3))),
    "show": scene(dealt(*TO_RIVER)),
    "award": scene(dealt(*TO_RIVER, TableCards(2), TableCards(3), Muck(1))),
    "rich award": scene(dealt(*TO_RIVER, TableCards(2), TableCards(3), TableCards(1), **RICH)),
    "over": scene(dealt(Fold(1), Fold(2))),
    "floor": scene(dealt(CallFloor())),
}
MODES = [
    Play(), Play(3), Amount(1, 200), Amount(3, 9_999_999), Award(2), Award(2, (1, 2, 3)), Count(1, 9_999_999),
    AskDirector(Undo(), digits="123"), ConfirmDeal(24), Verify(), WithoutShoe(),
    *(Menu(page, at) for page, items in enumerate(PAGES) for at in range(len(items))),
    *(Pushed(item, 10, 9_999_999, single, Motion((9_999_999,))) for item in sorted(PUSHED) for single in (True, False)),
    Pushed(Item.SAID_AMOUNT, 10, 9_999_999, said=9_999_999), Count(10, 9_999_999, item=Item.CONFISCATE),
    Penalty(10, 40),
    *(PickSeat(item, 3) for items in PAGES for item in items),
    *(Setting(step, 1, 400_000, 800_000, 100_000, 9_000_000, (1, 10), 10) for step in Step),
]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("at", SCENES.values(), ids=SCENES)
def test_everything_fits_on_four_lines_of_twenty_columns(language, at):
    for mode in MODES:
        shown = lines(LANGUAGES[language], Panel(mode=mode), at, NOTHING, (), 0)
        assert len(shown) == LINES
        assert [line for line in shown if len(spell(line)) > COLUMNS] == [], mode


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("at", ["dealing", "burn", "half a flop"])
def test_a_shoe_that_must_be_put_right_is_said_with_what_to_do(language, at):
    words = LANGUAGES[language]
    for what, do in words.shoe_do.items():
        waits = SCENES[at]._replace(shoe_waits=(what, "E99"))
        trouble = Trouble(what, "E99")
        for mode in (Play(), WithoutShoe()):
            shown = lines(words, Panel(mode=mode), waits, NOTHING, (trouble,), 0)
            assert [line for line in shown if len(spell(line)) > COLUMNS] == []
            assert shown[1] == words.troubles[what].format("E99")
        assert lines(words, Panel(), waits, NOTHING, (trouble,), 0)[2:] == (do, words.without_key)


@pytest.mark.parametrize(
    ("at", "where"),
    [
        ("dealing", "Carta al posto 2?"),
        ("preflop", "0 carte comuni?"),
        ("half a flop", "1 carte comuni?"),
        ("flop", "3 carte comuni?"),
    ],
)
def test_the_dealer_is_asked_where_the_deal_stands(at, where):
    shown = lines(IT, Panel(mode=Verify()), SCENES[at], NOTHING, (), 0)

    assert shown[1:] == ("Sabot era via: conta", where, "DEAL sì, FLOOR no")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_a_language_fits(language):
    words = LANGUAGES[language]
    texts = [*words.told.values(), *words.refusals.values(), words.recorded, words.floor_called, words.undone]
    texts += [words.revoked, words.nothing_to_undo, words.dealer.format("012345")]
    texts += [text.format("1000") for text in words.troubles.values()]
    texts += [words.ruled.format(text.format(9_999_999)) for text in words.rulings.values()]
    texts += [f">{text}" for text in words.items.values()]

    assert [text for text in texts if len(spell(text)) > COLUMNS] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_of_one_language_is_in_the_other(language):
    words = LANGUAGES[language]

    for mine, italian in zip(words, IT, strict=True):
        if isinstance(mine, dict):
            assert mine.keys() == italian.keys()


@pytest.mark.parametrize("at", SCENES.values(), ids=SCENES)
def test_the_display_gets_exactly_its_columns(at):
    assert {len(line) for line in prompt(IT, Panel(), at, NOTHING, (), 0)} == {COLUMNS}


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("preflop", ["M1 preflop pot 150", "Tocca 1 Anna", "Call 100 min 200"]),
        ("flop", ["M1 flop pot 300", "Tocca 2 Bruno", "Check min 100"]),
        ("burn", ["Brucia una carta", "Flop: sabot o DEAL"]),
        ("run out", ["M1 showdown", "Brucia una carta", "Flop: sabot o DEAL"]),
        ("run out to the turn", ["Brucia una carta", "Turn: sabot o DEAL"]),
        ("half a flop", ["Flop: mancano 2", "DEAL: date a mano"]),
        ("between", ["Mescola, poi DEAL", "B1 PB2 GB3", "Bui 50/100"]),
        ("show", ["Mostra 2 Bruno", "CHECK sì, FOLD muck"]),
        ("floor", ["Chiama il direttore", "FLOOR: decisione"]),
        ("over", ["Mano finita", "DEAL: prossima mano", "3+100"]),
        ("no table", ["Nessun tavolo", "Attendo l'hub", "o DEAL: a mano"]),
    ],
)
def test_the_lines_say_whose_turn_it_is_and_what_is_due(at, said):
    shown = " | ".join(line.strip() for line in lines(IT, Panel(), SCENES[at], NOTHING, (), 0))

    for part in said:
        assert " ".join(part.split()) in " ".join(shown.split())


def test_a_pot_that_leaves_no_room_for_its_word_stands_without_it():
    at = scene(dealt(AllIn(1), AllIn(2), AllIn(3), stacks=(10_000, 10_000, 20_000)))

    assert lines(EN, Panel(), at, NOTHING, (), 0)[0] == "H1 showdown    30000"


def test_what_puts_an_error_right_is_shown_step_by_step_and_the_article_last():
    state = dealt()
    ruling = decide(state, DealError(DealFault.SKIPPED, 2), BOOK)
    at = scene(dealt(DealError(DealFault.SKIPPED, 2)))
    notice = notice_of(IT, ruling)

    pages = [lines(IT, Panel(), at, notice, (), now_ms)[1:] for now_ms in (0, STEPS_MS, 2 * STEPS_MS)]

    assert pages[0] == ("È mano da rifare", "Ritira le carte", "Mescola")
    assert pages[1][1:] == ("Taglia", "Stesso bottone")
    assert pages[2][1:] == ("tda:35-A", "")


def test_with_nothing_to_put_right_the_lines_are_as_always():
    at = scene(dealt(DealError(DealFault.DECK_DOWN)))

    assert lines(IT, Panel(), at, NOTHING, (), 0)[1] == "Tocca 1 Anna"


def test_pushed_chips_are_dialled_and_the_ruling_names_the_act_and_its_article():
    state = dealt()
    dialled = Panel(mode=Pushed(Item.CHIPS, 1, 500, single=True))
    ruling = decide(state, Puts(1, (Motion((500,), single=True),)), BOOK)

    shown = lines(EN, Panel(), scene(state), notice_of(EN, ruling), (), 0)

    assert lines(EN, dialled, scene(state), NOTHING, (), 0) == (
        "Chips pushed", ">Seat 1: 500", "1 chip", "DEAL ok Push: 1 chip",
    )  # fmt: skip
    assert shown[2] == "Is a call 100"
    assert shown[3].startswith("tda:44")


@pytest.mark.parametrize(
    ("words", "mode", "said"),
    [
        (IT, Penalty(2, 3), ["Bruno", ">Posto 2: giri 3", "9 mani fuori"]),
        (EN, Penalty(2, 3), ["Bruno", ">Seat 2: rounds 3", "9 hands out"]),
        (IT, PickSeat(Item.DISQUALIFY, 1), ["Squalifica", ">Posto 1 Anna", "10000 chip escono"]),
        (EN, PickSeat(Item.DISQUALIFY, 1), ["Disqualification", ">Seat 1 Anna", "10000 chips leave"]),
        (IT, Count(1, 500, item=Item.CONFISCATE), ["Confisca chip", ">Posto 1: 500", "su 10000"]),
        (EN, Count(1, 500, item=Item.CONFISCATE), ["Confiscate chips", ">Seat 1: 500", "of 10000"]),
        (IT, Pushed(Item.SAID_AMOUNT, 1, 400), ["Detto N, altre chip", ">Posto 1: 400", "a quanto, a voce"]),
        (EN, Pushed(Item.SAID_AMOUNT, 1, 25, said=400), ["Said N, other chips", ">Seat 1: 25", "chips said 400"]),
    ],
)
def test_the_directors_numbers_say_whom_and_what_they_mean(words, mode, said):
    assert list(lines(words, Panel(mode=mode), SCENES["between"], NOTHING, (), 0)[:3]) == said


def test_a_book_that_counts_penalties_in_minutes_is_asked_in_minutes():
    at = SCENES["between"]._replace(sanction=Sanction.MINUTES)

    assert lines(IT, Panel(mode=Penalty(2, 10)), at, NOTHING, (), 0)[1:3] == (">Posto 2: minuti 10", "")


def test_a_refusal_is_answered_with_its_article():
    state = dealt(Call(1))
    ruling = decide(state, RaiseTo(2, 150), BOOK)

    shown = prompt(EN, Panel(), scene(state), notice_of(EN, ruling), (), 0)

    assert shown[2].strip() == "Below the minimum"
    assert shown[3].startswith("tda:")


@pytest.mark.parametrize(
    ("ruling", "text"),
    [
        (Ruling("ruled", ruled="call", amount=100), "È call 100"),
        (Ruling("ruled", ruled="misdeal"), "È mano da rifare"),
        (Ruling("out_of_turn"), "Segnato fuori turno"),
        (Ruling("floor"), "Decide il direttore"),
        (Ruling("ok"), ""),
    ],
)
def test_a_ruling_is_told_in_a_dealers_words(ruling, text):
    assert notice_of(IT, ruling).text == text


def test_the_answer_to_a_press_comes_before_devices_and_help():
    at, troubles = SCENES["preflop"], (Trouble("shoe"), Trouble("hub"))
    wrong, called = Panel(told=Told.NOT_NOW), Panel(time_seat=1, time_since_ms=1000)

    fourth = [
        lines(EN, wrong, at, Notice("Taken back"), troubles, 0)[3],
        lines(EN, called, at, Notice("Taken back"), troubles, 0)[3],
        lines(EN, called, at, NOTHING, troubles, 13_500)[3],
        lines(EN, Panel(), at, NOTHING, troubles, 0)[3],
    ]

    assert fourth == ["Not now", "Taken back", "Time seat 1: 12 s", "Shoe: cable? or DEAL"]


def test_names_of_any_script_do_not_disturb_the_display():
    names = ("Ánna", "Łukasz ☃ the very long name", "\x00\x1b[2J")
    at = scene(dealt(names=names))

    shown = [row for seat in (0, 2) for row in prompt(IT, Panel(mode=Play(seat)), at, NOTHING, (), 0)]

    assert {len(line) for line in shown} == {COLUMNS}
    assert all(character.isprintable() for line in shown for character in line)


@pytest.mark.parametrize(("amount", "text"), [(0, "0"), (9_999_999, "9999999"), (12_500_000, "12500K")])
def test_an_amount_is_exact_however_short(amount, text):
    assert chips(amount) == text


def test_the_first_question_is_the_rulebook():
    shown = lines(EN, Panel(mode=first_question(SCENES["no table"])), SCENES["no table"], NOTHING, (), 0)

    assert shown == ("Table without a hub", ">Rules lifeclub", "", "DEAL goes on")


