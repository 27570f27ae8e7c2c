"""The start of a hand, and where each card goes.

A shoe names one card after the other; the table knows whose turn it is to get one. Without a shoe the deal and the
streets are told as a whole. What a device saw is never refused: a card that belongs nowhere is set aside and noted, and
what makes the hand doubtful calls the director.
"""

from __future__ import annotations

from engine import events as ev
from engine import inputs as inp
from engine import phases
from engine.button import coming, deal_order, decided_by
from engine.cards import BIT
from engine.evolve import BOARD_COMPLETE
from engine.inputs import UNKNOWN_CARD, Face, Level
from engine.misdeals import boxed, premature
from engine.penalties import excluded
from engine.rulebook import Rulebook
from engine.ruling import Ruling
from engine.seats import SeatSet, in_order
from engine.settling import carry_on, deal_done
from engine.state import BySeat, HandState, Positions, TableState
from engine.turn import Turn, call_floor_for, next_level, running


def start_fault(turn: Turn) -> Ruling | None:
    """Why no hand can begin now."""
    state = turn.state
    if state.floor or state.hold:
        return turn.refuse("awaiting_floor")
    if running(state):
        return turn.refuse("too_early")
    if next_level(state) is None or (state.last is None and state.placed is None):
        return turn.refuse("too_early", "deal")
    if coming(state, turn.book) is None:
        return turn.refuse("too_early", "table_min")
    return None


def shuffle(turn: Turn, _: inp.Shuffle) -> Ruling:
    """The first riffle. Refuses `awaiting_floor`, `too_early` (a hand runs, players are missing), `too_late`."""
    fault = start_fault(turn)
    if fault is not None:
        return fault
    if turn.state.shuffled:
        return turn.refuse("too_late")
    _shuffled(turn)
    return turn.ok()


def _shuffled(turn: Turn) -> None:
    if turn.state.hand is not None:
        turn.happened(ev.TableCleared())
    fixed = next_level(turn.state) if turn.book.hand_start_event == "shuffle" else None
    turn.happened(ev.Shuffled(fixed))


def first_card(turn: Turn, _: inp.FirstCard) -> Ruling:
    """The deal begins, with the shuffle if nobody told of it. Refuses as `shuffle`, but never `too_late`."""
    fault = start_fault(turn)
    if fault is not None:
        return fault
    begin(turn)
    return turn.ok()


def begin(turn: Turn) -> None:
    """The deal begins: the level is fixed, antes and blinds are posted."""
    if not turn.state.shuffled:
        _shuffled(turn)
    state, book = turn.state, turn.book
    level = state.level if book.hand_start_event == "shuffle" else next_level(state)
    plan = coming(state, book)
    assert level is not None, "a hand began without a level"
    assert plan is not None, "a hand began without players"
    places, dealt = plan
    turn.cite(*decided_by(state, places, dealt))
    antes, blinds, dead = _posts(state, places, dealt, level, book)
    order, away = deal_order(places, dealt, book), excluded(state, turn.at_ms) & dealt
    turn.happened(ev.HandBegan(places, level, order, dealt, antes, blinds, dead, away))


def _posts(
    state: TableState, places: Positions, dealt: SeatSet, level: Level, book: Rulebook
) -> tuple[BySeat, BySeat, int]:
    """What each seat posts as ante and as blind, and the big blind ante; short stacks in the order of the book."""
    antes, blinds = [0] * (state.size + 1), [0] * (state.size + 1)
    big_blind = places.big_blind
    if places.posts:
        blinds[places.small_blind] = level.small_blind
    blinds[big_blind] = level.big_blind
    dead = 0
    for seat in in_order(dealt):
        left = state.stacks[seat]
        ante, blind = level.ante, blinds[seat]
        if book.short_post_order == "ante_first":
            antes[seat] = ante = min(ante, left)
            blind = min(blind, left - ante)
        else:
            blind = min(blind, left)
            antes[seat] = ante = min(ante, left - blind)
        if seat == big_blind and level.big_blind_ante:
            left -= ante
            if book.bb_ante_order == "ante_first":
                dead = min(level.big_blind_ante, left)
                blind = min(level.big_blind, left - dead)
            else:
                dead = min(level.big_blind_ante, left - blind)
        blinds[seat] = blind
    return tuple(antes), tuple(blinds), dead


def next_hand(turn: Turn, _: inp.NextHand) -> Ruling:
    """The hand that is over is put away. Refuses `awaiting_floor`, `too_early` (it runs), `too_late` (it was)."""
    hand = turn.state.hand
    if turn.state.floor:
        return turn.refuse("awaiting_floor")
    if hand is None:
        return turn.refuse("too_late")
    if hand.due is not phases.NEXT_HAND:
        return turn.refuse("too_early")
    turn.happened(ev.TableCleared())
    return turn.ok()


def hole_cards_dealt(turn: Turn, what: inp.HoleCardsDealt) -> Ruling:
    """The deal is told as a whole; what the shoe saw of it already stands."""
    state = turn.state
    if not running(state) and start_fault(turn) is None:
        begin(turn)
    hand = turn.state.hand
    if hand is None or hand.due is not phases.HOLE_CARDS:
        turn.happened(ev.Irregular("unexpected_cards"))
        return turn.ok()
    seen, twice = hand.seen, False
    hole: list[tuple[str, ...]] = list(hand.hole)
    for seat in hand.order:
        if len(hole[seat]) == 2 and UNKNOWN_CARD not in hole[seat]:
            continue
        cards = []
        for told in what.known.get(seat, (UNKNOWN_CARD, UNKNOWN_CARD)):
            card = told if told in BIT else UNKNOWN_CARD
            twice |= bool(seen & BIT[card]) and card not in hole[seat]
            if card in hole[seat] or not seen & BIT[card]:
                cards.append(card)
            else:
                cards.append(UNKNOWN_CARD)
            seen |= BIT[card]
        hole[seat] = _merged(hole[seat], tuple(cards))
    turn.happened(ev.HoleCardsRead(tuple(hole), turn.at_ms))
    if twice:
        return duplicate(turn)
    deal_done(turn)
    return turn.ok()


def _merged(dealt: tuple[str, ...], told: tuple[str, ...]) -> tuple[str, ...]:
    """What the shoe saw of a hand, completed by what somebody tells: what was seen stays."""
    kept = tuple(card for card in dealt if card != UNKNOWN_CARD)
    return (kept + tuple(card for card in told if card not in kept) + (UNKNOWN_CARD,) * 2)[:2]


def board_due(hand: HandState) -> int:
    """How many cards of the street are still to come?"""
    return next((full for full in BOARD_COMPLETE if full > len(hand.board)), 5) - len(hand.board)


def street_dealt(turn: Turn, what: inp.StreetDealt) -> Ruling:
    """A street is told as a whole, its burn included. A wrong number of cards calls the director."""
    hand = turn.state.hand
    if hand is None or hand.due not in (phases.BURN, phases.BOARD):
        if hand is None or hand.due is phases.NEXT_HAND:
            turn.happened(ev.Irregular("unexpected_cards"))
            return turn.ok()
        if hand.due is phases.ACTION and _burn_may_come(hand):
            turn.happened(ev.CardBurned(UNKNOWN_CARD))
        return _premature(turn, what.cards)
    if len(what.cards) != board_due(hand):
        turn.happened(ev.Irregular("wrong_number", detail=f"{len(what.cards)} cards"))
        return call_floor_for(turn, "wrong_number")
    if hand.due is phases.BURN:
        turn.happened(ev.CardBurned(UNKNOWN_CARD))
    cards: list[str] = []
    seen, twice = turn.hand.seen, False
    for told in what.cards:
        card = told if told in BIT else UNKNOWN_CARD
        twice |= bool(seen & BIT[card])
        cards.append(UNKNOWN_CARD if seen & BIT[card] else card)
        seen |= BIT[card]
    turn.happened(ev.BoardDealt(tuple(cards), turn.at_ms))
    if twice:
        return duplicate(turn)
    _board_done(turn)
    return turn.ok()


def _board_done(turn: Turn) -> None:
    if not turn.state.floor and turn.hand.due is not phases.BOARD:
        carry_on(turn)


def card_drawn(turn: Turn, what: inp.CardDrawn) -> Ruling:
    """A card left the shoe: to whom, or where, does it go?"""
    state, card = turn.state, what.card
    hand = state.hand
    if hand is None:
        if start_fault(turn) is not None:
            turn.articles.clear()
            turn.happened(ev.Irregular("unexpected_cards"))
            return turn.ok()
        begin(turn)
        hand = turn.hand
    if card not in BIT:
        turn.happened(ev.Irregular("unreadable", detail=card[:8]))
        card = UNKNOWN_CARD
    if hand.seen & BIT[card]:
        duplicate(turn)                          # first of all: with the director called, nothing follows from the card
        _place(turn, hand, UNKNOWN_CARD, what.face)
        return turn.floor()
    return _place(turn, hand, card, what.face)


_UP = Face.UP


def _place(turn: Turn, hand: HandState, card: str, face: Face) -> Ruling:
    """The card goes where it is due, and what follows from it follows."""
    waits_for = hand.due
    if waits_for is phases.HOLE_CARDS:
        seat, replaces = next_due(hand)
        if face is _UP:
            if hand.given < 2 * len(hand.order) and not replaces:
                return boxed(turn, seat, card, dealt=False)
            turn.happened(ev.CardSetAside(card, "boxed"))
            turn.cite("boxed_card")
            return turn.ruled("set_aside")
        dealt = ev.CardReplaced if replaces else ev.HoleCardDealt
        turn.happened(dealt(seat, card, turn.at_ms))
        if turn.hand.due is not phases.HOLE_CARDS:
            deal_done(turn)
    elif waits_for is phases.BURN:
        turn.happened(ev.CardBurned(card))
    elif waits_for is phases.BOARD:
        turn.happened(ev.BoardDealt((card,), turn.at_ms))
        _board_done(turn)
    elif waits_for is phases.ACTION and _burn_may_come(hand):
        turn.happened(ev.CardBurned(card))       # face down and early: it is the burn of the coming street
    elif waits_for is phases.ACTION:
        return _premature(turn, (card,))
    else:
        return _rabbit(turn, card)
    return turn.ok()


def _burn_may_come(hand: HandState) -> bool:
    """Is the next card off the deck a burn: none lies there for the coming street, and one is due for it?"""
    board = len(hand.board)
    return not hand.burned and not hand.spare and hand.reshuffle_at != board and board < BOARD_COMPLETE[-1]


def next_due(hand: HandState) -> tuple[int, bool]:
    """To which seat the next hole card goes, and whether it replaces another one (lifeclub:15.1.c, 18.4)."""
    order, given = hand.order, hand.given
    if hand.owed_round and given and not given % len(order):
        return hand.owed_round[0], True
    if given < 2 * len(order):
        return order[given % len(order)], False
    return hand.owed[0], True


def _premature(turn: Turn, cards: tuple[str, ...]) -> Ruling:
    """A board card came before the betting was over; the same card twice in a told street is not known at all."""
    seen, known = turn.hand.seen, []
    for card in cards:
        known.append(card if card in BIT and not seen & BIT[card] else UNKNOWN_CARD)
        seen |= BIT.get(card, 0)
    return premature(turn, tuple(known))


def _rabbit(turn: Turn, card: str) -> Ruling:
    """A card came after the last one that was needed: nobody may see it (lifeclub:20.10, tda:28)."""
    if turn.hand.due is not phases.NEXT_HAND:
        turn.happened(ev.CardSetAside(card, "rabbit"))
    turn.happened(ev.Irregular("rabbit"))
    turn.cite("rabbit")
    return turn.ok()


def duplicate(turn: Turn) -> Ruling:
    """The same card twice: the hand cannot stand (lifeclub:18.3, tda:35); the director looks and voids it."""
    turn.happened(ev.Irregular("duplicate"))
    turn.cite("duplicate_card")
    return call_floor_for(turn, "duplicate")
