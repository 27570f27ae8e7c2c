"""What is done when cards are dealt wrongly: misdeals, cards turned up, burns, irregular flops, early cards, bad decks.

The dealer tells what happened; each book's values say what follows. Whatever can still be put right without dealing
again is: a card turned up is replaced after the deal and becomes a burn, an early card is laid aside. Deal again, with
the same button, blinds and seats, is for what the book calls a misdeal, and only until there was substantial action
(tda:35-D, tda:36). A deck that is not whole voids the hand at any time (lifeclub:18.3, tda:35-E).

Where no shoe names the cards the deal is told as a whole; then a replaced card is one more card that nobody knows.
"""

from __future__ import annotations

from collections.abc import Callable

from engine import events as ev
from engine import inputs as inp
from engine import phases
from engine.evolve import BOARD_COMPLETE
from engine.inputs import UNKNOWN_CARD, DealFault
from engine.ruling import Ruling
from engine.settling import leaves
from engine.state import HandState
from engine.turn import Turn, call_floor_for
from engine.view import Street

FLOP_CARDS = BOARD_COMPLETE[0]
STREETS = {DealFault.EARLY_TURN: (Street.FLOP, 3), DealFault.EARLY_RIVER: (Street.TURN, 4)}


def deal_error(turn: Turn, what: inp.DealError) -> Ruling:
    """The dealer, or somebody at the table, found a dealing error.

    Refuses `awaiting_floor`, `not_running` (no hand), `not_in_hand` (that seat was not dealt in), and `too_early` or
    `too_late` where such an error cannot be found now.
    """
    state, hand = turn.state, turn.state.hand
    if hand is None or (hand.due is phases.NEXT_HAND and what.what not in _SPOILS):
        return turn.refuse("not_running", seat=what.seat)
    if what.what in _SPOILS:
        return _deck_spoiled(turn, what)
    if state.floor:
        return turn.refuse("awaiting_floor", seat=what.seat)
    if what.what in _OF_A_SEAT and (not 0 < what.seat <= state.size or not hand.dealt >> what.seat & 1):
        return turn.refuse("not_in_hand", seat=what.seat)
    return _FAULTS[what.what](turn, hand, what)


# --- misdeals


def substantial(hand: HandState) -> bool:
    """Was there substantial action: any three acts, or two with chips in one of them? Blinds do not count (tda:36)."""
    if hand.board or hand.street is not phases.PREFLOP:
        return True
    acts = sum(1 for word, _ in hand.last if word)
    return acts >= 3 or (acts == 2 and hand.chip_acts > 0)


def misdeal(turn: Turn, why: str, *keys: str) -> Ruling:
    """Every chip goes back, and the same hand is dealt again: same button, blinds and seats."""
    turn.cite(*keys)
    void(turn, "misdeal", why)
    return turn.ruled("misdeal")


def void(turn: Turn, why: str, fault: str) -> None:
    """The hand is undone; `why` is `misdeal` or what spoiled it, `fault` what went wrong."""
    if turn.state.floor:
        turn.happened(ev.FloorDecided("voids", ""))
    turn.happened(ev.Irregular(fault))
    turn.happened(ev.HandVoided(why))
    for seat, departure in turn.state.leaving:
        leaves(turn, seat, departure)


# --- hole cards


def _hole_exposed(turn: Turn, hand: HandState, what: inp.DealError) -> Ruling:
    """The dealer turned up the n-th card of a seat."""
    book, seat = turn.book, what.seat
    if what.n not in (1, 2):
        return turn.refuse("not_in_hand", seat=seat)
    if hand.due is not phases.HOLE_CARDS and (hand.due is not phases.ACTION or hand.board):
        return turn.refuse("too_late", seat=seat)
    if len(hand.hole[seat]) < what.n and hand.given:
        return turn.refuse("too_early", seat=seat)      # the shoe has not given it that card yet

    keys = _misdeal_by_exposure(hand, what, turn)
    if keys and not substantial(hand):
        return misdeal(turn, "hole_exposed", *keys)
    turn.cite("exposed_becomes", "replacement_card")
    if seat == hand.order[-1] and what.n == 2:
        turn.cite("button_two_in_row")      # it gets the very next card
    if book.exposed_stays_up:
        turn.cite("exposed_stays_up")
    turn.happened(ev.Irregular("hole_exposed", seat))
    hole = hand.hole[seat]
    _exposed(turn, seat, hole[what.n - 1] if len(hole) >= what.n else UNKNOWN_CARD)
    return turn.ruled("replace_card", seat=seat)


def _misdeal_by_exposure(hand: HandState, what: inp.DealError, turn: Turn) -> tuple[str, ...]:
    """The values of the book that make this card turned up a misdeal; () if it is none."""
    book, places = turn.book, hand.positions
    number = hand.order.index(what.seat) + 1 + (what.n - 1) * len(hand.order)
    if book.exposed_max != "none" and hand.exposed >= book.exposed_max:
        return ("exposed_max",)
    if book.misdeal_first_two and number <= 2:
        return ("misdeal_first_two",)
    blinds = (places.big_blind, places.small_blind) if places.posts else (places.big_blind,)
    return ("misdeal_blind_cards",) if book.misdeal_blind_cards and what.seat in blinds else ()


def _exposed(turn: Turn, seat: int, card: str) -> None:
    turn.happened(ev.CardExposed(seat, card))
    _replace_now(turn, seat)


def _replace_now(turn: Turn, seat: int) -> None:
    """Without a shoe nobody names the card that comes instead, and it is there."""
    hand = turn.hand
    if hand.told and hand.due is phases.HOLE_CARDS:
        turn.happened(ev.CardReplaced(seat, UNKNOWN_CARD, turn.at_ms))


def _boxed(turn: Turn, hand: HandState, what: inp.DealError) -> Ruling:
    """A card due to a seat lay face up in the deck."""
    seat = what.seat
    if hand.due is not phases.HOLE_CARDS and (hand.due is not phases.ACTION or hand.board):
        return turn.refuse("too_late", seat=seat)
    if not hand.hole[seat] and hand.given:
        return turn.refuse("too_early", seat=seat)
    return boxed(turn, seat, hand.hole[seat][-1] if hand.hole[seat] else UNKNOWN_CARD, dealt=bool(hand.hole[seat]))


def boxed(turn: Turn, seat: int, card: str, *, dealt: bool) -> Ruling:
    """A boxed card that was due to `seat`, lying in its hand already (`dealt`) or seen by the shoe on its way there."""
    book, hand = turn.book, turn.hand
    turn.cite("boxed_card")
    if book.boxed_max != "none" and hand.boxed >= book.boxed_max and not substantial(hand):
        return misdeal(turn, "boxed", "boxed_max")
    turn.happened(ev.Irregular("boxed", seat))
    turn.happened(ev.CardBoxed(seat, card, book.boxed_card == "as_exposed", dealt))
    _replace_now(turn, seat)
    return turn.ruled("replace_card", seat=seat)


def _extra_card(turn: Turn, hand: HandState, what: inp.DealError) -> Ruling:
    """Somebody got a card too many after the deal: it is the burn; more than one spoil the deal (lifeclub:15.2)."""
    if hand.board or hand.street is not phases.PREFLOP:
        return turn.refuse("too_late", seat=what.seat)
    if hand.extra:
        turn.cite("extra_cards")
        if turn.book.extra_cards == "director" or substantial(hand):
            turn.happened(ev.Irregular("extra_card", what.seat))
            return call_floor_for(turn, "extra_card")
        return misdeal(turn, "extra_card")
    turn.cite("extra_card")
    turn.happened(ev.Irregular("extra_card", what.seat))
    turn.happened(ev.CardSpared(UNKNOWN_CARD, extra=True))
    return turn.ruled("burn_card", seat=what.seat)


def _skipped(turn: Turn, hand: HandState, what: inp.DealError) -> Ruling:
    """A seat was passed over in the deal (fipos:16, tda:35-A)."""
    if substantial(hand):
        turn.cite("skipped_seat", "substantial_action")
        turn.happened(ev.Irregular("skipped", what.seat))
        return call_floor_for(turn, "skipped")
    return misdeal(turn, "skipped", "skipped_seat")


# --- flop and burns


def _acts_here(hand: HandState) -> int:
    """How many players have acted on this street?"""
    return sum(1 for word, _ in hand.last if word)


def _flop_extra(turn: Turn, hand: HandState, what: inp.DealError) -> Ruling:
    """The flop has a card too many, seen or not yet told."""
    fault = _no_flop_fault(turn, hand)
    if fault is not None:
        return fault
    turn.cite("flop_overdealt")
    turn.happened(ev.Irregular("flop_extra"))
    bet_on = hand.street is Street.TURN or (hand.due is phases.ACTION and _acts_here(hand) >= turn.book.burn_error_acts)
    if bet_on:
        return call_floor_for(turn, "flop_extra")
    if turn.book.flop_overdealt == "reshuffle_no_burn":
        return redeal_flop(turn)
    four = (*hand.board, hand.burns[-1]) if len(hand.board) == FLOP_CARDS and hand.burned else ()
    if four and 0 < what.n <= len(four):
        turn.happened(ev.FlopDrawn(four[: what.n - 1] + four[what.n :], four[what.n - 1]))
        return turn.ruled("burn_card")
    turn.happened(ev.FlopTakenUp(1))
    turn.happened(ev.CardSpared(UNKNOWN_CARD))
    return turn.ruled("burn_card")


def _no_flop_fault(turn: Turn, hand: HandState) -> Ruling | None:
    if hand.street is phases.PREFLOP or hand.due is phases.HOLE_CARDS:
        return turn.refuse("too_early")
    if len(hand.board) > FLOP_CARDS or hand.due in (phases.SHOW, phases.AWARD):
        return turn.refuse("too_late")
    return None


def redeal_flop(turn: Turn) -> Ruling:
    """The board goes back, the burn stays, the deck is shuffled, three cards come without a burn (lifeclub:15.6)."""
    turn.happened(ev.FlopTakenUp(1))
    return turn.ruled("redeal_flop")


def _burn_error(turn: Turn, hand: HandState, what: inp.DealError) -> Ruling:
    """No card was burned before the flop, or two (lifeclub:15.4, tda:39-B)."""
    book, word = turn.book, what.what.value
    if len(hand.board) > FLOP_CARDS or hand.due in (phases.SHOW, phases.AWARD):
        return turn.refuse("too_late")
    if hand.due is phases.HOLE_CARDS:
        return turn.refuse("too_early")
    if len(hand.board) < FLOP_CARDS:
        turn.cite("burn_error_unseen")
        turn.happened(ev.Irregular(word))
        return call_floor_for(turn, word)
    turn.cite("burn_error_seen")
    turn.happened(ev.Irregular(word))
    if hand.street is not Street.FLOP and hand.street is not phases.SHOWDOWN:
        turn.cite("burn_error_acts")
        return turn.ok()
    if _acts_here(hand) >= book.burn_error_acts:
        turn.cite("burn_error_acts")
        return turn.ok()
    if book.burn_error_seen == "flop_stands":
        return turn.ok()
    if book.burn_error_seen == "draw_one_as_burn" and what.what is DealFault.NO_BURN:
        turn.happened(ev.FlopTakenUp(1))
        return turn.ruled("burn_card")
    return redeal_flop(turn)


# --- turn and river before their time


def _early(turn: Turn, hand: HandState, what: inp.DealError) -> Ruling:
    """The turn or the river was dealt before the betting was over; the shoe did not see it."""
    street, board = STREETS[what.what]
    if len(hand.board) != board or hand.street is not street or hand.due is not phases.ACTION:
        return turn.refuse("too_early" if len(hand.board) < board else "too_late")
    if hand.early:
        return premature(turn, ())
    if not hand.burned and not hand.spare:
        turn.happened(ev.CardBurned(UNKNOWN_CARD))
    return premature(turn, (UNKNOWN_CARD,))


def premature(turn: Turn, cards: tuple[str, ...]) -> Ruling:
    """Board cards came before the betting was over: aside with them, and betting goes on.

    lifeclub:15.7: the next street keeps the card it would have had after another burn, and the early one goes back into
    the deck before the last street. tda:RP-5: it goes back at once when its own street is due, and its burn stays.
    fipos knows no other shuffle (16): the director.
    """
    hand, how = turn.hand, turn.book.premature_card
    for card in cards:
        turn.happened(ev.CardSetAside(card, "premature"))
    if cards:
        turn.happened(ev.Irregular("premature"))
    turn.cite("premature_card")
    if how == "director":
        return call_floor_for(turn, "premature")
    board = len(hand.board)
    turn.happened(ev.ReshuffleDue(4 if how == "set_aside" and board == FLOP_CARDS else board))
    return turn.ruled("set_aside")


# --- the deck


def _deck_spoiled(turn: Turn, what: inp.DealError) -> Ruling:
    """Two cards alike, one missing, one of another deck: the hand is void, until the next one begins."""
    hand, key = turn.hand, _SPOILS[what.what]
    if hand.due is phases.NEXT_HAND and not _can_be_undone(turn):
        return turn.refuse("too_late", key)
    if what.what is DealFault.WRONG_BACK and turn.book.wrong_back == "misdeal" and not substantial(hand):
        return misdeal(turn, what.what.value, key)
    turn.cite(key)
    void(turn, what.what.value, what.what.value)
    return turn.ruled("hand_void")


def _can_be_undone(turn: Turn) -> bool:
    """Is everybody of this hand still here, or out because of it, and every chip with them, so that it can go back?"""
    state, hand = turn.state, turn.hand
    out = {seat for seat, _ in hand.gone}
    if state.fresh & hand.dealt or any(state.players[seat] is None and seat not in out for seat in hand.order):
        return False
    brought = sum(hand.stacks_before[seat] for seat in hand.order) + hand.carried_before
    apart = sum(chips.amount for chips in state.withheld if chips.hand_no == state.hand_no)
    here = sum(state.stacks[seat] for seat in hand.order) + state.carried + apart
    return here == brought and min(hand.stacks_before) >= 0


def _deck_down(turn: Turn, hand: HandState, _: inp.DealError) -> Ruling:
    """The deck was put down too early: it is put together again as fairly as can be, and the deal goes on."""
    if len(hand.board) == BOARD_COMPLETE[-1]:
        return turn.refuse("too_late")
    turn.cite("deck_down")
    turn.happened(ev.Irregular("deck_down"))
    return turn.ok()


# --- what the director makes of it


def dealt_again(turn: Turn) -> Ruling:
    """The director has the flop dealt again, or before it the whole hand."""
    hand = turn.hand
    if hand.street is not phases.PREFLOP and len(hand.board) <= FLOP_CARDS:
        return redeal_flop(turn)
    return misdeal(turn, "floor")


_Fault = Callable[[Turn, HandState, inp.DealError], Ruling]
_OF_A_SEAT = (DealFault.HOLE_EXPOSED, DealFault.EXTRA_CARD, DealFault.SKIPPED, DealFault.BOXED)
_SPOILS = {
    DealFault.DUPLICATE: "duplicate_card",
    DealFault.MISSING: "missing_card",
    DealFault.WRONG_BACK: "wrong_back",
}
_FAULTS: dict[DealFault, _Fault] = {
    DealFault.HOLE_EXPOSED: _hole_exposed,
    DealFault.EXTRA_CARD: _extra_card,
    DealFault.SKIPPED: _skipped,
    DealFault.FLOP_EXTRA: _flop_extra,
    DealFault.NO_BURN: _burn_error,
    DealFault.DOUBLE_BURN: _burn_error,
    DealFault.EARLY_TURN: _early,
    DealFault.EARLY_RIVER: _early,
    DealFault.BOXED: _boxed,
    DealFault.DECK_DOWN: _deck_down,
}
