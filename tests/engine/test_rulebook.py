"""Rulebooks are data: each value with its article, and every mistake in one named by file, line and key."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from engine.catalogue import BOOKS, resolutions
from engine.consistency import PLAYED, TOGETHER
from engine.rulebook import KEYS, SOURCES, RulebookError, choices_of, is_told, load, meaning_of, names, unit_of

ROOT = Path(__file__).parents[2]


def test_there_are_six_books():
    assert names() == tuple(sorted(BOOKS))


@pytest.mark.parametrize("name", BOOKS)
def test_every_value_of_a_book_has_an_article_and_a_source(name):
    book = load(name)

    assert set(book.origins) == set(KEYS)
    for key, origin in book.origins.items():
        assert book.cite(key)[0] == origin.citation
        assert origin.source in SOURCES
        assert meaning_of(key)
        if origin.source == "default":
            assert origin.citation.startswith("tda:"), key
        else:
            assert origin.citation.startswith((f"{name}:", "dalvivo:") if name == "cortile" else f"{name}:"), key


@pytest.mark.parametrize("name", BOOKS)
def test_a_value_that_rests_on_a_resolution_names_it(name):
    known = {resolution.id for resolution in resolutions()}

    for key, origin in load(name).origins.items():
        assert (origin.resolution in known) if origin.resolution else origin.source != "resolution", key


def test_the_two_books_differ_where_their_texts_do():
    lifeclub, tda = load("lifeclub"), load("tda")

    assert (lifeclub.button_style, tda.button_style) == ("static", "dead")
    assert (lifeclub.bb_ante_order, tda.bb_ante_order) == ("ante_first", "blind_first")
    assert (lifeclub.hu_deal_first, tda.hu_deal_first) == ("small_blind", "big_blind")


def looked_at() -> set[str]:
    """The values that some module reads, by name or as an attribute of a book."""
    found: set[str] = set()
    for folder in ("engine", "hub", "firmware_py"):
        for path in (ROOT / folder).rglob("*.py"):
            if path.name not in ("schema.py", "consistency.py", "refusals.py"):
                for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                    found.add(getattr(node, "attr", "") or str(getattr(node, "value", "")))
    return found


def test_a_value_that_leaves_a_choice_is_looked_at_or_marked_as_told_to_people():
    idle = {key for key in set(KEYS) - looked_at() if len(choices_of(key)) != 1 and not is_told(key)}
    tied = {key for pair in TOGETHER for key, _ in pair} | {"misdeal_only_if_skipped", "absent_all_in"}

    assert idle - tied - set(PLAYED) == set()


def test_what_is_told_to_people_no_module_looks_at():
    assert {key for key in KEYS if is_told(key)} & looked_at() == set()


def test_a_value_may_rest_on_several_articles_and_the_first_decides():
    assert load("lifeclub").cite("reopen_rule", "min_raise") == (
        "lifeclub:10.11", "lifeclub:10.10", "lifeclub:10.15", "lifeclub:10.2",
    )  # fmt: skip


def test_numbers_have_units():
    assert unit_of("balance_trigger") == "players"
    assert unit_of("odd_chip") == ""


def test_a_house_book_names_only_what_differs(tmp_path):
    house = tmp_path / "house.toml"
    house.write_text('id = "cellar"\nextends = "tda"\n\n[values]\nodd_chip = "carry_next_pot"\n'
                     'odd_chips_several = "carry_all"\n'
                     'balance_halt = { value = 4, article = "2", source = "text" }\n')  # fmt: skip

    book = load(str(house))

    assert (book.id, book.odd_chip, book.balance_halt) == ("cellar", "carry_next_pot", 4)
    assert book.reopen_rule == "full_raise"
    assert book.cite("odd_chip", "balance_halt", "reopen_rule") == ("cellar:odd_chip", "cellar:2", "tda:47-A")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("balance_tigger = 3", "5: balance_tigger: unknown key; did you mean balance_trigger"),
        ('balance_trigger = "3"', "5: balance_trigger: '3': expected `int`"),
        ("balance_trigger = true", "5: balance_trigger: True: expected `int`"),
        ('think_free_s = "long"', "5: think_free_s: 'long': invalid enum value 'long' (a number, or one of none)"),
        ("balance_trigger = 1", "5: balance_trigger: 1: tables one player apart"),
        ("balance_halt = 1", "5: balance_halt: 1: less than balance_trigger"),
        ('odd_chip = "burn"', "5: odd_chip: 'burn': invalid enum value 'burn' (one of left_of_button, carry_next_pot)"),
        ('odd_chip = { valeu = "x" }', "5: odd_chip: write { value"),
        (
            'odd_chip = { value = "left_of_button", article = "tda:199" }',
            "5: odd_chip: there is no article tda:199",
        ),
        (
            'odd_chip = { value = "left_of_button", article = ["3", "lifeclub:99.1"] }',
            "5: odd_chip: there is no article lifeclub:99.1",
        ),
        ('odd_chip = { value = "left_of_button", source = "hearsay" }', "5: odd_chip: source 'hearsay'"),
        ('dead_zone_moved = "button_bb"', "5: dead_zone_moved: 'button_bb': a new entrant"),
        ("table_max = 30", "5: table_max: 30: 22 at most"),
        ("table_max = 1", "5: table_max: 1: less than table_min"),
        ("table_form_min = 12", "5: table_form_min: 12: from table_min to table_max"),
        ("blind_ratio = 0", "5: blind_ratio: 0: the big blind is no less"),
        ("starting_stack = [9000, 6000]", "5: starting_stack: (9000, 6000): the least comes before the most"),
        ("starting_stack = [9000]", "5: starting_stack: [9000]: expected `array` of length 2"),
        ("clock_steps_s = []", "5: clock_steps_s: (): one number at least"),
        ("penalty_values = [4, 2]", "5: penalty_values: (4, 2): from the mildest to the hardest"),
        ('structures = ["NL", "NL"]', "5: structures: ('NL', 'NL'): one form of betting at least, none twice"),
        ('structures = ["XL"]', "5: structures: ['XL']: invalid enum value 'XL'"),
        ("underraise_threshold = 1.5", "5: underraise_threshold: 1.5: a share lies above 0"),
        (
            'underraise_threshold = "none"',
            "5: underraise_threshold: 'none': underraise_threshold is none exactly where",
        ),
        ("raise_amount_must_be_said = true", "raise_amount_must_be_said is true"),
        ('clock_expiry = "no_raise"', "5: clock_expiry: 'no_raise': clock_expiry is no_raise exactly where"),
        (
            'undercall = "unaware_may_withdraw_or_call_no_raise"',
            "takes the right to raise, but no_raise_state is false",
        ),
        ('exposed_by_player_other = "live_no_raise"', "5: exposed_by_player_other: 'live_no_raise': takes the right"),
        ('odd_chip = "carry_next_pot"', "odd_chip is carry_next_pot exactly where odd_chips_several is carry_all"),
        ("absent_can_win = true", "absent_at_deal is dealt_in_fold_when_facing exactly where absent_can_win is true"),
        ('absent_all_in = "stays_in"', "5: absent_all_in: 'stays_in': a dead hand does not stay in"),
        ("misdeal_only_if_skipped = true", "5: misdeal_only_if_skipped: True: cards are shuffled again only"),
        ("show_all_on_betless_last_round = true", "exactly where muck_at_showdown is not_on_betless_last_round"),
        ("fold_on_betless_last_round = false", "5: fold_on_betless_last_round: False: who may not fold"),
        ('balance_halt = "all_tables_wait"', "exactly where balance_timing is all_tables_wait"),
        ("race_max = 2", "5: race_max: 2: only 1 is played"),
        ("limit_raise_cap = 0", '5: limit_raise_cap: 0: write "none" where there is no cap'),
    ],
)
def test_a_mistake_is_named_by_file_line_and_key(tmp_path, line, says):
    house = tmp_path / "house.toml"
    house.write_text(f'id = "house"\nextends = "tda"\n\n[values]\n{line}\n')

    with pytest.raises(RulebookError) as error:
        load(str(house))

    assert says in str(error.value)
    assert str(error.value).startswith((str(house), "tda.toml"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("id = 3", "id: give the book an id"),
        ('id = "x"\n[vaules]\na = 1', ":2: vaules: a book has the texts"),
        ("id = ", "not TOML"),
        ('id = "x"', "nothing on reentry, stack_topup, late_entry_last_level and .* more; write it"),
        ('id = "tda"\nextends = "tda"', ":1: id: 'tda' is a book that comes with Bottone; give yours another id"),
        ('id = "x"\nextends = "nobody"', "nobody: no such rulebook; there are cortile, dalvivo, fipos, lifeclub, tda"),
    ],
)
def test_a_file_that_is_no_book_says_what_a_book_needs(tmp_path, text, says):
    house = tmp_path / "house.toml"
    house.write_text(text)

    with pytest.raises(RulebookError, match=says):
        load(str(house))


def test_a_house_book_without_a_name_does_not_go_by_the_name_of_its_base(tmp_path):
    house = tmp_path / "house.toml"
    house.write_text('id = "cellar"\nextends = "tda"\n')

    assert load(str(house)).name == f"cellar, after {load('tda').name}"


def test_a_book_that_extends_itself_is_found_out(tmp_path):
    one, two = tmp_path / "one.toml", tmp_path / "two.toml"
    one.write_text(f'id = "one"\nextends = "{two}"\n')
    two.write_text(f'id = "two"\nextends = "{one}"\n')

    with pytest.raises(RulebookError, match="extends itself"):
        load(str(one))


def test_one_value_can_be_changed_for_one_script():
    book = load("lifeclub").with_value("reopen_rule", "half_raise")

    assert book.reopen_rule == "half_raise"
    with pytest.raises(RulebookError, match="no key of a rulebook"):
        book.with_value("colour", "red")
    with pytest.raises(RulebookError, match="expected `bool`"):
        book.with_value("allin_face_up", "often")
    with pytest.raises(RulebookError, match="lifeclub: table_min: 1: a hand needs two players"):
        book.with_value("table_min", "1")


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("underraise_threshold", "0.25", 0.25),
        ("clock_steps_s", "25+5", (25, 5)),
        ("clock_steps_s", "60", (60,)),
        ("structures", "NL+PL", ("NL", "PL")),
        ("starting_stack", "6000+9000", (6000, 9000)),
        ("starting_stack", "per_event", "per_event"),
        ("exposed_max", "null", "none"),
        ("exposed_max", "2", 2),
        ("allin_face_up", "false", False),
    ],
)
def test_a_changed_value_is_written_as_text(key, text, value):
    assert getattr(load("tda").with_value(key, text), key) == value


def test_there_is_no_book_of_an_unknown_name():
    with pytest.raises(RulebookError, match="there are cortile, dalvivo, fipos, lifeclub, tda, y2007"):
        load("y3007")
