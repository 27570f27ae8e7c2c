"""What leaves the table: the public story of a hand, in order, and no card that lies face down."""

from __future__ import annotations

from random import Random

import pytest

from engine import rulebook, table
from engine.cards import DECK
from engine.inputs import AllIn, Call, CardDrawn, Check, Confiscate, Fold, Muck, NextHand, SetStack, TableCards
from engine.publish import bodies
from engine.ruling import Ruling
from engine.texts import IRREGULARITIES, LANGUAGES, OUTCOMES, REFUSALS, RULINGS, irregularity, reason
from engine.view import Due
from engine.wire import Body, ChipsCounted, encode, kind_of
from tests.engine.tables import BOOKS, Game
from tests.rules.citing import article

BOTH = pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
THREE = {1: 300, 2: 1000, 3: 1000}


class Told:
    """A table whose public bodies are kept."""

    def __init__(self, book) -> None:
        self.game = Game(book, THREE, button=1)
        self.bodies: list[Body] = []

    def do(self, *inputs) -> None:
        for what in inputs:
            before = self.game.state
            ruling = self.game.do(what)
            self.bodies += bodies(before, ruling, self.game.state, self.game.book)


@BOTH
def test_a_hand_is_told_in_the_order_in_which_it_happened(book):
    told = Told(book)
    told.do(*map(CardDrawn, ("As", "Ks", "Qs", "Ah", "Kh", "Qh")))
    told.do(AllIn(1), Fold(2), Call(3))
    told.do(*map(CardDrawn, ("2c", "3c", "4d", "5h", "2d", "7s", "2h", "9c")))

    kinds = [kind_of(body) for body in told.bodies]

    assert kinds == [
        "level_applied", "hand_started", "street", "action", "action", "action", "shown", "shown",
        "street", "street", "street", "pot_awarded", "eliminated", "hand_ended",
    ]  # fmt: skip
    out = told.bodies[-2]
    assert (out.seat, out.player, out.stack_before) == (1, "p1", 300)
    end = told.bodies[-1]
    assert end.stacks == {2: 950, 3: 1350}
    assert (end.next_button, end.next_big_blind) == (3, 2)


@BOTH
@pytest.mark.parametrize("seed", range(12))
def test_no_body_and_no_view_names_a_card_before_it_is_tabled(book, seed):
    random = Random(seed)
    told = Told(book)
    game = told.game
    for _ in range(3):
        deck = iter(random.sample(DECK, 52))
        tabled: set[str] = set()
        while table.due(game.state, book) is not Due.NEXT_HAND:
            hand = game.state.hand
            legal = table.legal(game.state, book)
            if legal is not None:
                what = random.choice([Check, AllIn]) if legal.may_check else random.choice([Fold, Call, Call, AllIn])
                told.do(what(legal.seat))
            elif hand is not None and hand.due is Due.SHOW:
                told.do(random.choice([TableCards, Muck])(hand.to_act))
            else:
                told.do(CardDrawn(next(deck)))
            hand = game.state.hand
            if hand is not None:
                tabled |= set(hand.board)
                for seat, cards in enumerate(hand.hole):
                    if hand.shown >> seat & 1:
                        tabled |= set(cards)
            public = encode(table.view(game.state, book)) + b"".join(map(encode, told.bodies))
            assert not [card for card in DECK if b'"%s"' % card.encode() in public and card not in tabled]
        told.bodies.clear()
        told.do(NextHand())
        if table.due(game.state, book) is Due.PLAYERS:
            break


REFUSAL_WORDS = {
    "not_your_turn", "cannot_reopen", "lost_raise_right", "below_minimum", "above_maximum", "raise_cap_reached",
    "bet_to_call", "no_bet_to_call", "no_chips", "not_in_hand", "not_running", "awaiting_floor", "too_early",
    "too_late", "not_seated", "seat_taken", "between_blind_and_button", "level_closed", "not_in_catalogue",
    "not_decreasing",
}  # fmt: skip


def test_every_word_has_a_line_in_every_language():
    assert set(REFUSALS) == REFUSAL_WORDS
    for lines in (REFUSALS, RULINGS, OUTCOMES, IRREGULARITIES):
        for word, line in lines.items():
            assert set(line) == set(LANGUAGES), word


@pytest.mark.parametrize(
    ("ruling", "lang", "says"),
    [
        (Ruling("refused", refusal="below_minimum", amount=400), "en", "The minimum is 400"),
        (Ruling("refused", refusal="below_minimum", amount=400), "it", "Il minimo è 400"),
        (Ruling("ruled", ruled="call", amount=100), "it", "È un call a 100"),
        (Ruling("out_of_turn", seat=3), "en", "Seat 3 acted out of turn: kept for its turn"),
        (Ruling("floor"), "it", "Chiamare il direttore"),
        (Ruling("ok"), "it", ""),
    ],
)
def test_a_reason_is_one_line_a_dealer_understands(ruling, lang, says):
    assert ruling.reason(lang) == reason(ruling, lang) == says


def test_a_word_without_a_line_speaks_for_itself():
    assert irregularity("premature", "it") == "Carta data in anticipo"
    assert irregularity("flood", "it") == "flood"


@article("y2007:misc.2")
def test_chips_that_were_passed_on_show_when_both_stacks_are_counted():
    told = Told(rulebook.load("y2007"))
    chips = told.game.state.chips
    told.do(SetStack(2, 700), SetStack(3, 1300))

    assert told.bodies[-2:] == [ChipsCounted(2, "p2", 1000, 700), ChipsCounted(3, "p3", 1000, 1300)]
    assert told.game.state.chips == chips


@article("y2007:chips.1")
def test_confiscated_chips_are_told_as_such():
    told = Told(rulebook.load("y2007"))
    told.do(Confiscate(2, 300))

    assert told.bodies[-1] == ChipsCounted(2, "p2", 1000, 700, confiscated=True)
