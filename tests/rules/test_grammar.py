"""Hand scripts are read to the letter: what the grammar cannot say is an error that names file and line."""

from __future__ import annotations

import pytest

from engine.inputs import Level
from engine.script import lines as say
from engine.script.forms import CHECKS
from engine.script.parse import DEAL_ERRORS, REFUSALS, RULED, parse
from engine.script.words import ScriptError, Words

HEAD = "title Something\nbook lifeclub\nblinds 50/100\nbutton 1\nseats 1:1000 2:1000 3:1000\n"


def only(line: str):
    """The statement of a script with this line alone."""
    (script,) = parse(HEAD + line, "a.hand")
    return script.lines[0]


def refused(text: str) -> ScriptError:
    with pytest.raises(ScriptError) as wrong:
        parse(text, "a.hand")
    return wrong.value


class TestHeader:
    def test_everything_a_header_can_say(self):
        (script,) = parse(
            """
            title       A short all-in  # and a comment
            book        lifeclub
            set         balance_trigger 3
            set         button_style dead
            article     lifeclub:10.13
            article     lifeclub:10.15
            game        no-limit
            blinds      50/100
            ante        25
            bb_ante     100
            bets        100/200
            button      6
            small_blind -
            big_blind   1
            seats       1:1000 2:1000 3:20 6:1000 7:1000
            size        9
            away        2 3
            cards       1 AsKs
            chip        25
            """,
            "a.hand",
        )

        assert script.header == say.Header(
            title="A short all-in",
            book="lifeclub",
            settings=(("balance_trigger", "3"), ("button_style", "dead")),
            articles=("lifeclub:10.13", "lifeclub:10.15"),
            level=Level(50, 100, ante=25, big_blind_ante=100),
            bets=(100, 200),
            button=6,
            small_blind=0,
            big_blind=1,
            seats=((1, 1000), (2, 1000), (3, 20), (6, 1000), (7, 1000)),
            size=9,
            away=(2, 3),
            chip=25,
        )
        assert script.line == 2
        assert [line.statement for line in script.lines] == [say.Dealt(say.HoleCards(1, ("As", "Ks")))]

    def test_defaults(self):
        (script,) = parse("title T\nbook tda\n", "a.hand")

        assert script.header == say.Header("T", "tda")
        assert (script.header.size, script.header.chip, script.header.game) == (10, 1, "no-limit")

    def test_big_blind_ante_has_two_spellings(self):
        (script,) = parse(HEAD + "big_blind_ante 100\n", "a.hand")

        assert script.header.level == Level(50, 100, big_blind_ante=100)

    def test_a_file_holds_several_scripts(self):
        scripts = parse("title One\nbook tda\n\ntitle Two\nbook lifeclub\n", "a.hand")

        assert [(script.header.title, script.header.book, script.line) for script in scripts] == [
            ("One", "tda", 1),
            ("Two", "lifeclub", 4),
        ]

    @pytest.mark.parametrize(
        ("text", "line", "words"),
        [
            ("", 1, "no script here"),
            ("# only a comment\n", 1, "no script here"),
            ("book tda\n", 1, "begins with its title"),
            ("title T\nbegin\n", 1, "names no book"),
            ("title\nbook tda\n", 1, "the title is missing"),
            ("title T\nbook tda\nbook tda\n", 3, "given twice"),
            ("title T\nbook tda\nblinds 50/100\nblinds 50/100\n", 4, "given twice"),
            ("title T\nbook tda\nante 10\n", 1, "needs a blinds line"),
            ("title T\nbook tda\nbegin\nbutton 3\n", 4, "before the first input"),
            ("title T\nbook tda\nseats 1:10 1:20\n", 3, "named twice"),
            ("title T\nbook tda\nseats 11:10\n", 1, "beyond the table's size"),
            ("title T\nbook tda\nseats 0:10\n", 3, "no seat"),
            ("title T\nbook tda\nseats 1-10\n", 3, "seat:chips"),
            ("title T\nbook tda\naway 4\n", 1, "nobody was seated"),
            ("title T\nbook tda\nblinds 50\n", 3, "50/100"),
            ("title T\nbook tda\ngame omaha\n", 3, "no game"),
            ("title T\nbook tda\nchip 0\n", 3, "at least 1"),
            ("title T\nbook tda\nsize 1\n", 3, "2 to 22 seats"),
            ("title T\nbook tda\nset balance_trigger\n", 3, "the value is missing"),
            ("title T\nbook tda\nbutton six\n", 3, "no seat"),
        ],
    )
    def test_what_is_wrong_is_told_with_file_and_line(self, text, line, words):
        wrong = refused(text)

        assert (wrong.file, wrong.line) == ("a.hand", line)
        assert words in wrong.what
        assert str(wrong).startswith(f"a.hand:{line}: ")


INPUTS = {
    "begin": say.Begins(),
    "2 fold": say.Act(2, "fold"),
    "2 check": say.Act(2, "check"),
    "2 call": say.Act(2, "call"),
    "2 bet 300": say.Act(2, "bet", 300),
    "2 raise_to 400": say.Act(2, "raise_to", 400),
    "2 all_in": say.Act(2, "all_in"),
    "2 says raise": say.Says(2, "raise"),
    "2 says raise 400 puts 500 single": say.Says(2, "raise", 400, say.Motion((500,), single=True)),
    "2 says call puts 500+25": say.Says(2, "call", None, say.Motion((500, 25), described=True)),
    "2 puts 500 single": say.Puts(2, (say.Motion((500,), single=True),)),
    "2 puts 200 then 400": say.Puts(2, (say.Motion((200,)), say.Motion((400,)))),
    "2 puts 60 unnoticed": say.Puts(2, (say.Motion((60,)),), unnoticed=True),
    "noticed 2": say.Noticed(2),
    "2 chooses minimum": say.Chooses(2, "minimum"),
    "2 chooses correct 400": say.Chooses(2, "correct", 400),
    "2 chooses withdraw": say.Chooses(2, "withdraw"),
    "2 away": say.Goes(2, away=True),
    "2 back": say.Goes(2, away=False),
    "2 exposes": say.Exposes(2),
    "2 shows AsKs": say.Shows(2, ("As", "Ks")),
    "2 shows": say.Shows(2),
    "2 mucks": say.Mucks(2),
    "kill 2 thrown": say.Kills(2, "thrown"),
    "revive 2": say.Revives(2),
    "clock_call 2": say.ClockCall(2),
    "grant": say.Grants(),
    "remind": say.Reminds(),
    "wait 20": say.Waits(20),
    "board Ah Kd 2c": say.Board(("Ah", "Kd", "2c")),
    "board ??": say.Board(("??",)),
    "card 9h": say.StrayCard("9h"),
    "deal_error hole_exposed 3 2": say.DealError("hole_exposed", 3, 2),
    "deal_error extra_card 3": say.DealError("extra_card", 3),
    "deal_error no_burn": say.DealError("no_burn"),
    "undo": say.Undo(),
    "complain": say.Complains(),
    "floor binds 3": say.Floor("binds", (3,)),
    "floor voids": say.Floor("voids"),
    "floor holds 3000": say.Floor("holds", amount=3000),
    "floor awards 1 2": say.Floor("awards", (1, 2)),
    "floor plays with a new deck": say.Floor("text", text="plays with a new deck"),
    "award 1 3": say.Awards((1, 3)),
    "next": say.Next(),
    "bust 1 3": say.Bust((1, 3)),
    "bust nobody": say.Bust(()),
    "sit 4 5000": say.Sits(4, 5000),
    "sit 4 5000 from_balance": say.Sits(4, 5000, "from_balance"),
    "leave 3": say.Leaves(3),
    "count 3 1500": say.Counts(3, 1500),
    "penalty 3 warning": say.Penalty(3, "warning"),
    "penalty 3 rounds 2": say.Penalty(3, "rounds", 2),
    "confiscate 3 500": say.Confiscates(3, 500),
    "level 100/200 ante 25 number 3": say.NewLevel(Level(100, 200, ante=25, number=3)),
    "level 100/200 bb_ante 200": say.NewLevel(Level(100, 200, big_blind_ante=200)),
    "clock_zero": say.LevelClock("zero"),
    "shuffle": say.Moment("shuffle"),
    "first_card": say.Moment("first_card"),
    "race 25 -> 100": say.Race(25, 100),
    "draw 2:9c 4:Kd 2:7h": say.Draw(((2, "9c"), (4, "Kd"), (2, "7h"))),
    "table A size 9 seats 1 2 4 button 8 small_blind - big_blind 2": say.TableRow("A", 9, (1, 2, 4), 8, 0, 2),
    "plan": say.Plan(),
    "payout entries 45 prize 9000 fee 1000 jackpot 2000": say.Payout(45, 9000, 1000, 2000),
    "shares 50 25 15 10": say.Shares((50, 25, 15, 10)),
}


class TestInputs:
    @pytest.mark.parametrize(("line", "statement"), INPUTS.items())
    def test_each_has_its_record(self, line, statement):
        assert only(line).statement == statement

    @pytest.mark.parametrize("kind", DEAL_ERRORS)
    def test_each_dealing_error_takes_what_belongs_to_it(self, kind):
        arguments = ["3", "2"][: DEAL_ERRORS[kind]]

        assert only(f"deal_error {kind} {' '.join(arguments)}").statement.kind == kind

    @pytest.mark.parametrize(
        ("line", "words"),
        [
            ("3 raise 400", "no act of a seat"),
            ("3 raise_to", "amount is missing"),
            ("3 raise_to many", "whole number"),
            ("3 call 100", "not expected"),
            ("0 fold", "no seat"),
            ("fold 3", "begins no statement"),
            ("Begin", "begins no statement"),
            ("board Ah Kd", "three cards or one"),
            ("board 10d", "no card"),
            ("board ah", "no card"),
            ("3 shows As", "two cards in one word"),
            ("3 shows AsAs", "same card twice"),
            ("3 puts 500+25 single", "not a single one"),
            ("3 says allin", "no word a player says"),
            ("deal_error hole_exposed 3", "missing"),
            ("deal_error flop", "no dealing error"),
            ("penalty 3 rounds", "missing"),
            ("kill 3 mucked", "no reason"),
            ("sit 3 1000 from_home", "no way to arrive"),
            ("level 100/200 ante", "missing"),
            ("level 100/200 ante 5 ante 5", "given twice"),
            ("award", "missing"),
            ("race 25 100", "race 25 -> 100"),
            ("table A size 9 seats 1 2 button 1 big_blind 2", "small_blind of table A is missing"),
            ("payout entries 45", "prize is missing"),
        ],
    )
    def test_what_the_grammar_cannot_say_is_an_error(self, line, words):
        wrong = refused(HEAD + line)

        assert wrong.line == 6
        assert words in wrong.what


class TestOutcomes:
    @pytest.mark.parametrize(
        ("text", "outcome"),
        [
            ("", say.Outcome()),
            ("-> ok", say.Outcome()),
            ("-> out_of_turn", say.Outcome("out_of_turn")),
            ("-> floor", say.Outcome("floor")),
            ("-> refused:below_minimum", say.Outcome("refused", "below_minimum")),
            ("-> ruled:call 100", say.Outcome("ruled", "call", 100)),
            ("-> ruled:misdeal", say.Outcome("ruled", "misdeal")),
            (
                "-> ruled:raise_to 200 [lifeclub:10.11]",
                say.Outcome("ruled", "raise_to", 200, "lifeclub:10.11"),
            ),
            ("[lifeclub:10.11]", say.Outcome(article="lifeclub:10.11")),
        ],
    )
    def test_each_is_read(self, text, outcome):
        assert only(f"2 raise_to 150 {text}").outcome == outcome

    @pytest.mark.parametrize("word", REFUSALS)
    def test_every_refusal_of_the_grammar(self, word):
        assert only(f"2 fold -> refused:{word}").outcome.word == word

    @pytest.mark.parametrize("word", RULED)
    def test_every_ruling_of_the_grammar(self, word):
        assert only(f"2 fold -> ruled:{word}").outcome.word == word

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("->", "outcome after -> is missing"),
            ("-> fine", "no outcome"),
            ("-> refused", "no outcome"),
            ("-> refused:because", "no refusal"),
            ("-> ruled:limp", "no ruling"),
            ("-> ok 100", "not expected"),
            ("-> ok [10.11]", "no article"),
        ],
    )
    def test_what_is_none_is_an_error(self, text, words):
        assert words in refused(HEAD + f"2 fold {text}").what

    def test_a_check_has_none(self):
        assert "a check has no outcome" in refused(HEAD + "= to_act 2 -> floor").what


VALUES = {
    "to_act": ["3", "-"],
    "to_call": ["80"],
    "raise_to": ["200..1000", "none"],
    "bet": ["100..1000"],
    "street": ["flop", "over"],
    "pots": ["300:1,2,3 400:2,3", "none"],
    "awards": ["3600:3 2100:2"],
    "stacks": ["1:900 2:0 3:2100"],
    "carried": ["1"],
    "held": ["3000"],
    "out": ["5 3", "3=5", "none"],
    "shows": ["5 9 3"],
    "live": ["1 4"],
    "face_up": ["2 5"],
    "no_raise": ["3"],
    "next_card": ["21"],
    "hole_cards": ["18"],
    "button": ["2 small_blind 3 big_blind 4", "dead:2 small_blind - big_blind 4", "-"],
    "dealt_in": ["1 2 4"],
    "playing": ["1 2"],
    "blinds": ["100/200"],
    "misses": ["3:9"],
    "chips": ["120000"],
    "won": ["100:4 100:1"],
    "move": ["B:8 -> A:3", "none"],
    "break": ["C"],
    "hold": ["A", "none"],
    "pool": ["405000"],
    "fee": ["45000"],
    "jackpot": ["90000"],
    "paid": ["5"],
}


class TestChecks:
    def test_every_check_is_tried_here(self):
        assert set(VALUES) == set(CHECKS)

    @pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in VALUES.items() for text in texts])
    def test_each_is_read_and_written_again(self, name, text):
        value = only(f"= {name} {text}").statement.value

        assert CHECKS[name].write(value) == text
        assert CHECKS[name].read(Words("", 1, text.split())) == value

    @pytest.mark.parametrize(
        ("line", "words"),
        [
            ("=", "missing"),
            ("= pot 300", "no check"),
            ("= raise_to 200", "200..1000"),
            ("= street later", "no street"),
            ("= pots 300", "amount:seats"),
            ("= stacks 1:10 1:20", "named twice"),
            ("= to_call", "missing"),
            ("= blinds 100", "50/100"),
            ("= move B:8 A:3", "B:8 -> A:3"),
            ("= button dead", "no seat"),
        ],
    )
    def test_what_is_none_is_an_error(self, line, words):
        assert words in refused(HEAD + line).what
