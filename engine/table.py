"""The rules of a table: `decide` what an input means, `evolve` the state by what happened, ask what is legal.

Everything is a fold (`engine.evolve`): `decide` answers with a `Ruling` whose events, folded one by one, give the next
state. It never changes what it was given, reads no clock and draws no card. `apply` does both. One function an input
decides it; what follows by itself (a round closes, an absent player's hand is killed, a pot is paid, somebody is out) is
decided in `_carry_on`, which runs until somebody has to do something.

Commands may be refused, and a refusal changes nothing. Observations never are: the card is on the felt. While the
director is awaited, commands of play are refused and observations go on being recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import betting, pots, showdown
from engine import events as ev
from engine import inputs as inp
from engine.button import coming, deal_order, place, seated
from engine.cards import BIT
from engine.evolve import BOARD_COMPLETE, check, evolve
from engine.inputs import UNKNOWN_CARD, Arrival, Face, Input
from engine.rulebook import Rulebook
from engine.ruling import Ruling
from engine.seats import alone, in_order, next_seat, set_of
from engine.state import HandState, Held, Positions, TableState, by_seat, in_the_middle
from engine.view import Due, Legal, Part, Presence, SeatView, Street, TableView

__all__ = ["Ruling", "apply", "check", "coming", "decide", "due", "evolve", "legal", "may", "new_table", "view"]

UNREADABLE = "unreadable"


def new_table(size: int, chip: int = 1) -> TableState:
    """An empty table with `size` seats; `chip` is the smallest chip in play."""
    if not 2 <= size <= 22 or chip < 1:
        raise ValueError(f"a table has 2 to 22 seats and a smallest chip of at least 1, not {size} and {chip}")
    return TableState(size=size, chip=chip, players=(None,) * (size + 1), stacks=by_seat(size))


def decide(state: TableState, what: Input, book: Rulebook, at_ms: int = 0) -> Ruling:
    """What do the rules make of this input? The state stays as it is."""
    return _decided(state, what, book)[1]


def apply(state: TableState, what: Input, book: Rulebook, at_ms: int = 0) -> tuple[TableState, Ruling]:
    """Decide, and fold what happened: the next state (the same one after a refusal) and the ruling."""
    return _decided(state, what, book)


def may(state: TableState, what: Input, book: Rulebook) -> bool:
    """Would `decide` take this input?"""
    return _decided(state, what, book)[1].outcome != "refused"


def due(state: TableState, book: Rulebook) -> Due:
    """The one thing the table waits for."""
    if state.floor:
        return Due.FLOOR
    if state.hand is not None:
        return state.hand.due
    if state.hold:
        return Due.HOLD
    if _next_level(state) is None or coming(state, book) is None:
        return Due.PLAYERS
    return Due.FIRST_CARD if state.shuffled else Due.SHUFFLE


def legal(state: TableState, book: Rulebook) -> Legal | None:
    """What may the seat to act do? None when nobody is to act."""
    hand = state.hand
    if hand is None or hand.due is not Due.ACTION or state.floor:
        return None
    seat = hand.to_act
    return betting.options(hand, seat, state.stacks[seat], in_the_middle(hand), book)


def view(state: TableState, book: Rulebook) -> TableView:
    """The public picture: nothing in it that a player at the table could not see.

    Between hands button and blinds are those of the hand about to begin; 0 stands for nobody.
    """
    hand = state.hand
    if hand is None:
        plan = coming(state, book)
        places = plan[0] if plan is not None else state.placed or state.last or Positions(0, 0, 0, posts=False)
        level = _next_level(state)
    else:
        places, level = hand.positions, hand.level
    waits_for = due(state, book)
    to_act = hand.to_act if hand is not None and waits_for in (Due.ACTION, Due.SHOW) else 0
    to_call = cards_due = next_card_for = 0
    if hand is not None:
        if waits_for is Due.ACTION:
            to_call = max(0, min(hand.price - hand.bets[to_act], state.stacks[to_act]))
        elif waits_for is Due.HOLE_CARDS:
            cards_due = 2 * len(hand.order) - hand.given
            next_card_for = hand.order[hand.given % len(hand.order)]
        elif waits_for in (Due.BURN, Due.BOARD):
            cards_due = _board_due(hand)
    return TableView(
        hand=state.hand_no,
        street=Street.OVER if hand is None else hand.street,
        due=waits_for,
        size=state.size,
        book=book.id,
        level=level,
        button=places.button,
        small_blind=places.small_blind if places.posts else 0,
        big_blind=places.big_blind,
        seats=tuple(seat_view(state, seat) for seat in range(1, state.size + 1) if state.players[seat] is not None),
        board=() if hand is None else hand.board,
        pots=() if hand is None or hand.due is Due.NEXT_HAND else pots.pots(hand),
        to_act=to_act,
        to_call=to_call,
        next_seat=next_card_for,
        cards_due=cards_due,
        total=state.chips,
    )


def seat_view(state: TableState, seat: int) -> SeatView:
    """One occupied seat as anybody may see it."""
    player = state.players[seat]
    assert player is not None, f"seat {seat} is empty"
    hand = state.hand
    bet, part, shown, last = 0, Part.NONE, (), ""
    if hand is not None:
        bet = hand.bets[seat]
        mine = 1 << seat
        if hand.killed & mine:
            part = Part.DEAD
        elif hand.dealt & mine and not hand.live & mine:
            part = Part.FOLDED
        elif hand.all_in & mine:
            part = Part.ALL_IN
        elif hand.live & mine:
            part = Part.LIVE
        if hand.shown & mine:
            shown = hand.hole[seat]
        what, to = hand.last[seat]
        last = f"{what} {to}" if what in ("call", "bet", "raise_to", "all_in") else what
    return SeatView(
        seat=seat,
        player=player.player,
        name=player.name,
        stack=state.stacks[seat],
        bet=bet,
        presence=Presence.AWAY if state.away >> seat & 1 else Presence.HERE,
        part=part,
        shown=shown,
        last=last,
    )


# --- deciding


class _Turn:
    """One decision under way: the state so far, and the events that led there."""

    __slots__ = ("articles", "book", "events", "state")

    def __init__(self, state: TableState, book: Rulebook) -> None:
        self.state = state
        self.book = book
        self.events: list[ev.Event] = []
        self.articles: list[str] = []

    def happened(self, event: ev.Event) -> None:
        self.state = evolve(self.state, event)
        self.events.append(event)

    def cite(self, *keys: str) -> None:
        self.articles += (article for article in self.book.cite(*keys) if article not in self.articles)

    @property
    def hand(self) -> HandState:
        hand = self.state.hand
        assert hand is not None, "no hand is running"
        return hand

    def ok(self) -> Ruling:
        return Ruling("ok", tuple(self.events), tuple(self.articles))

    def ruled(self, word: str, amount: int | None = None, seat: int = 0) -> Ruling:
        return Ruling("ruled", tuple(self.events), tuple(self.articles), None, word, amount, seat)

    def floor(self) -> Ruling:
        return Ruling("floor", tuple(self.events), tuple(self.articles))

    def refuse(self, word: str, *keys: str, amount: int | None = None, seat: int = 0) -> Ruling:
        self.cite(*keys)
        return Ruling("refused", (), tuple(self.articles), word, None, amount, seat)


def _decided(state: TableState, what: Input, book: Rulebook) -> tuple[TableState, Ruling]:
    turn = _Turn(state, book)
    ruling = _DECIDE[type(what)](turn, what)
    return (state if ruling.outcome == "refused" else turn.state), ruling


def _seat_fault(turn: _Turn, seat: int) -> Ruling | None:
    if not 1 <= seat <= turn.state.size or turn.state.players[seat] is None:
        return turn.refuse("not_seated", seat=seat)
    return None


# --- the table and its players


def _sit_down(turn: _Turn, what: inp.SitDown) -> Ruling:
    state, seat = turn.state, what.seat
    if not 1 <= seat <= min(state.size, turn.book.table_max):
        return turn.refuse("not_seated", "table_max", seat=seat)
    if what.stack < 1:
        return turn.refuse("below_minimum", amount=1, seat=seat)
    hand = state.hand
    if state.players[seat] is not None or (hand is not None and hand.due is not Due.NEXT_HAND and hand.dealt >> seat & 1):
        return turn.refuse("seat_taken", seat=seat)
    turn.happened(ev.PlayerSat(seat, what.player, what.name, what.stack, what.arrival))
    return turn.ok()


def _leave_seat(turn: _Turn, what: inp.LeaveSeat) -> Ruling:
    fault = _seat_fault(turn, what.seat)
    if fault is not None:
        return fault
    hand = turn.state.hand
    if hand is not None and hand.due is not Due.NEXT_HAND and hand.dealt >> what.seat & 1:
        if all(seat != what.seat for seat, _ in turn.state.leaving):
            turn.happened(ev.PlayerLeaves(what.seat, what.why))
    else:
        _leaves(turn, what.seat, what.why)
    return turn.ok()


def _leaves(turn: _Turn, seat: int, why: inp.Departure) -> None:
    player = turn.state.players[seat]
    assert player is not None, f"seat {seat} is empty"
    turn.happened(ev.PlayerLeft(seat, player.player, turn.state.stacks[seat], why))


def _place_button(turn: _Turn, what: inp.PlaceButton) -> Ruling:
    state = turn.state
    if _running(state):
        return turn.refuse("too_early")
    named = (what.seat, what.small_blind or 0, what.big_blind or 0)
    if any(not 0 <= seat <= state.size for seat in named) or not what.seat:
        return turn.refuse("not_seated", seat=what.seat)
    players = seated(state)
    if what.big_blind is not None and not players >> what.big_blind & 1:
        return turn.refuse("not_seated", seat=what.big_blind)
    turn.happened(ev.ButtonPlaced(place(what.seat, what.small_blind, what.big_blind, players)))
    return turn.ok()


def _apply_level(turn: _Turn, what: inp.ApplyLevel) -> Ruling:
    level = what.level
    if level.big_blind < 1 or min(level.small_blind, level.ante, level.big_blind_ante) < 0:
        return turn.refuse("below_minimum", amount=1)
    turn.happened(ev.LevelAnnounced(level))
    turn.cite("hand_start_event")
    return turn.ok()


def _set_stack(turn: _Turn, what: inp.SetStack) -> Ruling:
    fault = _seat_fault(turn, what.seat)
    if fault is not None:
        return fault
    if what.stack < 0:
        return turn.refuse("below_minimum", amount=0, seat=what.seat)
    hand = turn.state.hand
    if _running(turn.state) and hand is not None and hand.live >> what.seat & 1:
        if hand.all_in >> what.seat & 1 or what.stack == 0:
            return turn.refuse("too_early", seat=what.seat)
    turn.happened(ev.StackSet(what.seat, turn.state.stacks[what.seat], what.stack))
    return turn.ok()


def _hold_play(turn: _Turn, what: inp.HoldPlay) -> Ruling:
    turn.happened(ev.PlayHeld(what.on, what.why))
    return turn.ok()


def _away(turn: _Turn, what: inp.Away) -> Ruling:
    fault = _seat_fault(turn, what.seat)
    if fault is not None:
        return fault
    turn.happened(ev.WentAway(what.seat))
    hand = turn.state.hand
    if hand is not None and hand.due in _BETWEEN_DEAL_AND_AWARD and hand.live >> what.seat & 1:
        if turn.book.leaves_in_hand == "dead_hand":
            _kill(turn, what.seat, "absent")
            turn.cite("leaves_in_hand")
        if not turn.state.floor:
            _carry_on(turn)
    return turn.ok()


def _back(turn: _Turn, what: inp.Back) -> Ruling:
    fault = _seat_fault(turn, what.seat)
    if fault is not None:
        return fault
    turn.happened(ev.CameBack(what.seat))
    return turn.ok()


# --- the start of a hand


def _running(state: TableState) -> bool:
    return state.hand is not None and state.hand.due is not Due.NEXT_HAND


def _next_level(state: TableState) -> inp.Level | None:
    """The level of the next hand: the one announced last; a hand that is dealt again keeps its own (tda:35)."""
    return state.level if state.redeal else state.announced or state.level


def _start_fault(turn: _Turn) -> Ruling | None:
    """Why no hand can begin now."""
    state = turn.state
    if state.floor or state.hold:
        return turn.refuse("awaiting_floor")
    if _running(state):
        return turn.refuse("too_early")
    if _next_level(state) is None or coming(state, turn.book) is None:
        return turn.refuse("too_early", "table_min")
    return None


def _shuffle(turn: _Turn, what: inp.Shuffle) -> Ruling:
    fault = _start_fault(turn)
    if fault is not None:
        return fault
    if turn.state.shuffled:
        return turn.refuse("too_late")
    _shuffled(turn)
    return turn.ok()


def _shuffled(turn: _Turn) -> None:
    if turn.state.hand is not None:
        turn.happened(ev.TableCleared())
    fixed = _next_level(turn.state) if turn.book.hand_start_event == "shuffle" else None
    turn.happened(ev.Shuffled(fixed))


def _first_card(turn: _Turn, what: inp.FirstCard) -> Ruling:
    fault = _start_fault(turn)
    if fault is not None:
        return fault
    _begin(turn)
    return turn.ok()


def _begin(turn: _Turn) -> None:
    """The deal begins: the level is fixed, antes and blinds are posted."""
    if not turn.state.shuffled:
        _shuffled(turn)
    state, book = turn.state, turn.book
    level = state.level if book.hand_start_event == "shuffle" else _next_level(state)
    plan = coming(state, book)
    assert level is not None and plan is not None, "a hand began that could not"
    places, dealt = plan
    antes, blinds, dead = _posts(state, places, dealt, level, book)
    turn.happened(ev.HandBegan(places, level, deal_order(places, dealt, book), dealt, antes, blinds, dead))


def _posts(
    state: TableState, places: Positions, dealt: int, level: inp.Level, book: Rulebook
) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """What each seat posts as ante and as blind, and the big blind ante. A short stack pays in the order of the book."""
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


def _next_hand(turn: _Turn, what: inp.NextHand) -> Ruling:
    hand = turn.state.hand
    if turn.state.floor:
        return turn.refuse("awaiting_floor")
    if hand is None:
        return turn.refuse("too_late")
    if hand.due is not Due.NEXT_HAND:
        return turn.refuse("too_early")
    turn.happened(ev.TableCleared())
    return turn.ok()


# --- cards


def _hole_cards_dealt(turn: _Turn, what: inp.HoleCardsDealt) -> Ruling:
    state = turn.state
    if not _running(state) and _start_fault(turn) is None:
        _begin(turn)
    hand = turn.state.hand
    if hand is None or hand.due is not Due.HOLE_CARDS:
        turn.happened(ev.Irregular("unexpected_cards"))
        return turn.ok()
    seen, twice = hand.seen, False
    hole: list[tuple[str, ...]] = list(hand.hole)
    for seat in hand.order:
        if len(hole[seat]) == 2 and UNKNOWN_CARD not in hole[seat]:
            continue
        cards = []
        for card in what.known.get(seat, (UNKNOWN_CARD, UNKNOWN_CARD)):
            card = card if card in BIT else UNKNOWN_CARD
            twice |= bool(seen & BIT[card]) and card not in hole[seat]
            if card in hole[seat] or not seen & BIT[card]:
                cards.append(card)
            else:
                cards.append(UNKNOWN_CARD)
            seen |= BIT[card]
        hole[seat] = _merged(hole[seat], tuple(cards))
    turn.happened(ev.HoleCardsRead(tuple(hole)))
    if twice:
        return _duplicate(turn)
    _deal_done(turn)
    return turn.ok()


def _merged(dealt: tuple[str, ...], told: tuple[str, ...]) -> tuple[str, ...]:
    """What the shoe saw of a hand, completed by what somebody tells: what was seen stays."""
    kept = tuple(card for card in dealt if card != UNKNOWN_CARD)
    return (kept + tuple(card for card in told if card not in kept) + (UNKNOWN_CARD,) * 2)[:2]


def _deal_done(turn: _Turn) -> None:
    """The last hole card is out: who is away has a dead hand now (lifeclub:14.5, tda:30); then the betting opens."""
    absent = turn.state.away & turn.hand.live
    if absent:
        if absent == turn.hand.live:
            absent &= ~(1 << turn.hand.positions.big_blind)      # nobody is there: the big blind keeps the pot
        for seat in in_order(absent):
            _kill(turn, seat, "absent")
        turn.cite("absent_at_deal")
    if not turn.state.floor:
        _carry_on(turn)


def _board_due(hand: HandState) -> int:
    """How many cards of the street are still to come?"""
    return next((full for full in BOARD_COMPLETE if full > len(hand.board)), 5) - len(hand.board)


def _street_dealt(turn: _Turn, what: inp.StreetDealt) -> Ruling:
    hand = turn.state.hand
    if hand is None or hand.due not in (Due.BURN, Due.BOARD):
        if hand is None or hand.due is Due.NEXT_HAND:
            turn.happened(ev.Irregular("unexpected_cards"))
            return turn.ok()
        return _premature(turn, what.cards)
    if len(what.cards) != _board_due(hand):
        turn.happened(ev.Irregular("wrong_number", detail=f"{len(what.cards)} cards"))
        return _call_floor_for(turn, "wrong_number")
    if hand.due is Due.BURN:
        turn.happened(ev.CardBurned(UNKNOWN_CARD))
    cards: list[str] = []
    seen, twice = turn.hand.seen, False
    for card in what.cards:
        card = card if card in BIT else UNKNOWN_CARD
        twice |= bool(seen & BIT[card])
        cards.append(UNKNOWN_CARD if seen & BIT[card] else card)
        seen |= BIT[card]
    turn.happened(ev.BoardDealt(tuple(cards)))
    if twice:
        return _duplicate(turn)
    _board_done(turn)
    return turn.ok()


def _board_done(turn: _Turn) -> None:
    if not turn.state.floor and turn.hand.due is not Due.BOARD:
        _carry_on(turn)


def _card_drawn(turn: _Turn, what: inp.CardDrawn) -> Ruling:
    """A card left the shoe: to whom, or where, does it go?"""
    state, card = turn.state, what.card
    hand = state.hand
    if hand is None:
        if _start_fault(turn) is not None:
            turn.articles.clear()
            turn.happened(ev.Irregular("unexpected_cards"))
            return turn.ok()
        _begin(turn)
        hand = turn.hand
    unreadable = card not in BIT
    if unreadable:
        card = UNKNOWN_CARD
    twice = hand.seen & BIT[card]
    if twice:
        card = UNKNOWN_CARD
    waits_for = hand.due
    if waits_for is Due.HOLE_CARDS:
        if what.face is Face.UP:
            return _boxed(turn, card)
        order = hand.order
        turn.happened(ev.HoleCardDealt(order[hand.given % len(order)], card))
        if turn.hand.due is not Due.HOLE_CARDS and not twice:
            _deal_done(turn)
    elif waits_for is Due.BURN:
        turn.happened(ev.CardBurned(card))
    elif waits_for is Due.BOARD:
        turn.happened(ev.BoardDealt((card,)))
        if not twice:
            _board_done(turn)
    elif waits_for is Due.ACTION and not hand.burned and len(hand.board) < 5:
        turn.happened(ev.CardBurned(card))       # face down and early: it is the burn of the coming street
    elif waits_for is Due.ACTION:
        return _premature(turn, (card,))
    else:
        return _rabbit(turn, card)
    if twice:
        return _duplicate(turn)
    if unreadable:
        turn.happened(ev.Irregular(UNREADABLE, detail=what.card[:8]))
    return turn.ok()


def _boxed(turn: _Turn, card: str) -> Ruling:
    """A card lay face up in the deck: it counts for nothing, the next one goes where it was due (lifeclub:18.4)."""
    turn.happened(ev.CardSetAside(card, "boxed"))
    turn.happened(ev.Irregular("boxed"))
    turn.cite("boxed_card")
    return turn.ruled("set_aside")


def _premature(turn: _Turn, cards: tuple[str, ...]) -> Ruling:
    """A board card came before the betting was over: aside with it, and the betting goes on (lifeclub:15.7, tda:RP-5)."""
    for card in cards:
        if card not in BIT or turn.hand.seen & BIT[card]:
            card = UNKNOWN_CARD
        turn.happened(ev.CardSetAside(card, "premature"))
    turn.happened(ev.Irregular("premature"))
    turn.cite("premature_card")
    return turn.ruled("set_aside")


def _rabbit(turn: _Turn, card: str) -> Ruling:
    """A card came after the last one that was needed: nobody may see it (lifeclub:20.10, tda:28)."""
    if turn.hand.due is not Due.NEXT_HAND:
        turn.happened(ev.CardSetAside(card, "rabbit"))
    turn.happened(ev.Irregular("rabbit"))
    turn.cite("rabbit")
    return turn.ok()


def _duplicate(turn: _Turn) -> Ruling:
    """The same card twice: the hand cannot stand (lifeclub:18.3, tda:35); the director looks and voids it."""
    turn.happened(ev.Irregular("duplicate"))
    turn.cite("duplicate_card")
    return _call_floor_for(turn, "duplicate")


def _call_floor_for(turn: _Turn, why: str) -> Ruling:
    if not turn.state.floor:
        turn.happened(ev.FloorCalled(why))
    return turn.floor()


def _device_trouble(turn: _Turn, what: inp.DeviceTrouble) -> Ruling:
    turn.happened(ev.Irregular(what.what, detail=what.detail[:80]))
    if what.what in ("cards_lost", "duplicate") and _running(turn.state):
        return _call_floor_for(turn, what.what)
    return turn.ok()


# --- betting


_BETWEEN_DEAL_AND_AWARD = (Due.ACTION, Due.BURN, Due.BOARD, Due.SHOW)
_Action = inp.Fold | inp.Check | inp.Call | inp.Bet | inp.RaiseTo | inp.AllIn


def _action(word: str) -> Callable[[_Turn, Any], Ruling]:
    """Who acts when it is not its turn is kept for later; in turn the act is checked and done."""
    carries_amount = word in ("bet", "raise_to")

    def decide_action(turn: _Turn, what: Any) -> Ruling:
        state = turn.state
        hand, seat = state.hand, what.seat
        if state.floor:
            return turn.refuse("awaiting_floor", seat=seat)
        if hand is None or hand.due is not Due.ACTION:
            return turn.refuse("not_running", seat=seat)
        to = what.to if carries_amount else 0
        if seat != hand.to_act:
            return _out_of_turn(turn, hand, seat, word, to)
        ruling = _act(turn, hand, seat, word, to)
        if ruling is not None and ruling.outcome == "refused":
            return ruling
        _carry_on(turn)
        return turn.ok() if ruling is None else turn.ruled(ruling.ruled or word, ruling.amount, seat)

    return decide_action


def _out_of_turn(turn: _Turn, hand: HandState, seat: int, word: str, to: int) -> Ruling:
    """An act of a seat whose turn it is not: recorded, and decided when the turn comes (lifeclub:10.5, tda:53)."""
    if not 0 < seat <= turn.state.size or not hand.live >> seat & 1:
        return turn.refuse("not_in_hand", seat=seat)
    if hand.all_in >> seat & 1:
        return turn.refuse("no_chips", seat=seat)
    if to > hand.bets[seat] + turn.state.stacks[seat]:
        return turn.refuse("above_maximum", amount=hand.bets[seat] + turn.state.stacks[seat], seat=seat)
    first = next((held for held in hand.held if held.seat == seat), None)
    if first is None or (word == "fold" and first.what != "fold"):
        turn.happened(ev.ActedOutOfTurn(seat, word, to))
    turn.cite("oot_binding")
    return Ruling("out_of_turn", tuple(turn.events), tuple(turn.articles), seat=seat)


def _act(turn: _Turn, hand: HandState, seat: int, word: str, to: int) -> Ruling | None:
    """Do what the seat in turn declares: None if it stands as declared, a ruling or a refusal otherwise."""
    price, mine = hand.price, hand.bets[seat]
    if word == "fold":
        turn.happened(ev.Acted(seat, word, mine, price, hand.increment, hand.full))
        return None
    if word == "check":
        if price > mine:
            return turn.refuse("bet_to_call", amount=price, seat=seat)
        turn.happened(ev.Acted(seat, word, mine, price, hand.increment, hand.full))
        return None
    top = mine + turn.state.stacks[seat]
    if word == "call":
        if price <= mine:
            return turn.refuse("no_bet_to_call", seat=seat)
        turn.happened(ev.Acted(seat, word, min(price, top), price, hand.increment, hand.full))
        return None
    if word == "bet":
        return _bet(turn, hand, seat, to, top)
    if word == "raise_to":
        if not price:
            return turn.refuse("no_bet_to_call", seat=seat)
        return _raise(turn, hand, seat, word, to, top)
    if top <= price:
        turn.happened(ev.Acted(seat, word, top, price, hand.increment, hand.full))
        return None
    if not price:
        return _bet(turn, hand, seat, top, top, word)
    if not betting.somebody_can_answer(hand, seat) and price > mine:
        turn.happened(ev.Acted(seat, "call", price, price, hand.increment, hand.full))
        return Ruling("ruled", ruled="call", amount=price)
    return _raise(turn, hand, seat, word, top, top)


def _bet(turn: _Turn, hand: HandState, seat: int, to: int, top: int, word: str = "bet") -> Ruling | None:
    if hand.price:
        return turn.refuse("bet_to_call", amount=hand.price, seat=seat)
    if hand.no_raise >> seat & 1:
        return turn.refuse("lost_raise_right", "oot_call_never_raise", seat=seat)
    if to > top:
        return turn.refuse("above_maximum", amount=top, seat=seat)
    least = hand.level.big_blind
    if to < least and to != top or to < 1:
        return turn.refuse("below_minimum", "min_bet", amount=least, seat=seat)
    if to < least:
        turn.cite("min_bet", "reopen_rule")
        turn.happened(ev.Acted(seat, word, to, to, hand.increment, hand.full))
    else:
        turn.happened(ev.Acted(seat, word, to, to, to, to))
    return None


def _raise(turn: _Turn, hand: HandState, seat: int, word: str, to: int, top: int) -> Ruling | None:
    if hand.no_raise >> seat & 1:
        return turn.refuse("lost_raise_right", "oot_call_never_raise", seat=seat)
    if not betting.reopened(hand, seat, turn.book):
        return turn.refuse("cannot_reopen", "reopen_rule", seat=seat)
    if to > top:
        return turn.refuse("above_maximum", amount=top, seat=seat)
    if not betting.somebody_can_answer(hand, seat):
        return turn.refuse("above_maximum", amount=hand.price, seat=seat)
    least = betting.min_raise_to(hand, turn.book)
    if to >= least:
        turn.happened(ev.Acted(seat, word, to, to, to - betting.floor_price(hand, turn.book), to))
        return None
    if to != top or to <= hand.price:
        short = "short_allin_bet_min_raise_to" if hand.price < hand.level.big_blind else "min_raise"
        return turn.refuse("below_minimum", short, amount=min(least, top), seat=seat)
    turn.cite("reopen_rule")
    turn.happened(ev.Acted(seat, word, to, to, hand.increment, hand.full))
    return None


def _kill_command(turn: _Turn, what: inp.Kill) -> Ruling:
    state, hand = turn.state, turn.state.hand
    if state.floor:
        return turn.refuse("awaiting_floor", seat=what.seat)
    if hand is None or hand.due in (Due.NEXT_HAND, Due.AWARD):
        return turn.refuse("not_running", seat=what.seat)
    if not 0 < what.seat <= state.size or not hand.live >> what.seat & 1:
        return turn.refuse("not_in_hand", seat=what.seat)
    if alone(hand.live):
        return turn.refuse("too_late", seat=what.seat)
    _kill(turn, what.seat, what.why.value)
    if what.why is inp.KillReason.DEALER:
        turn.cite("dealer_killed_hand_refund")
    if turn.hand.due is not Due.HOLE_CARDS:
        _carry_on(turn)
    return turn.ok()


def _kill(turn: _Turn, seat: int, why: str) -> None:
    """The hand is out. What the dealer collected by mistake gets a raise back that nobody has called yet."""
    hand = turn.hand
    returned, price, increment, full = 0, hand.price, hand.increment, hand.full
    if why == "dealer" and turn.book.dealer_killed_hand_refund == "uncalled_raise" and hand.aggressor == seat:
        top, chips = betting.uncalled(hand)
        if top == seat and hand.due is Due.ACTION:
            returned = min(chips, hand.bets[seat] - hand.before_raise[0])
            price, increment, full = hand.before_raise
    turn.happened(ev.HandKilled(seat, why, returned, price, increment, full))


# --- what follows by itself


def _carry_on(turn: _Turn) -> None:
    """Go on until somebody has to do something: the next player, the dealer with a card, or the director."""
    while True:
        hand = turn.hand
        waits_for = hand.due
        if waits_for is Due.ACTION:
            if betting.settled(hand):
                _close_round(turn, hand)
                continue
            seat = hand.to_act
            if hand.held and _held_act(turn, hand, seat):
                continue
            if turn.state.away >> seat & 1:
                _kill(turn, seat, "absent")
                turn.cite("leaves_in_hand")
                continue
            return
        if waits_for is Due.SHOW:
            if not hand.show_order:
                _open_showdown(turn)
                continue
            if hand.to_act:
                return
            turn.happened(ev.AwardsOpened(pots.pots(hand)))
            continue
        if waits_for is Due.AWARD:
            if not hand.undecided:
                _end(turn)
                return
            which = _deciding(turn)
            if not showdown.readable(hand, hand.undecided[which]):
                return
            _award(turn, which, showdown.best(hand, hand.undecided[which]))
            continue
        if alone(hand.live):
            turn.happened(ev.AwardsOpened(pots.pots(hand)))
            continue
        return


def _close_round(turn: _Turn, hand: HandState) -> None:
    seat, returned = betting.uncalled(hand)
    turn.happened(ev.RoundClosed(seat, returned))
    hand = turn.hand
    if alone(hand.live):
        turn.happened(ev.AwardsOpened(pots.pots(hand)))
    elif hand.street is Street.SHOWDOWN:
        _open_showdown(turn)


def _open_showdown(turn: _Turn) -> None:
    hand = turn.hand
    face_up = hand.live if turn.book.allin_face_up and hand.all_in else 0
    turn.happened(ev.ShowdownOpened(showdown.order(hand), face_up))
    if not face_up:
        return
    turn.cite("allin_face_up")
    for seat in turn.hand.show_order:
        if showdown.known(turn.hand, seat) and not turn.hand.shown >> seat & 1:
            turn.happened(ev.HandShown(seat, turn.hand.hole[seat]))


def _held_act(turn: _Turn, hand: HandState, seat: int) -> bool:
    """The turn has come to a seat that acted before it: does that stand? True if something was done."""
    held = next((held for held in hand.held if held.seat == seat), None)
    if held is None:
        return False
    turn.cite("oot_binding")
    if _stands(hand, held, turn.book):
        ruling = _act(turn, hand, seat, held.what, held.to)
        if ruling is None or ruling.outcome != "refused":
            return True
    turn.happened(ev.OutOfTurnReleased(seat, held.what == "call" and turn.book.oot_call_never_raise))
    return True


def _stands(hand: HandState, held: Held, book: Rulebook) -> bool:
    if held.ruled:
        return held.ruled == "binds"
    if held.what == "fold" and book.oot_fold_binding:
        return True
    if book.oot_binding == "auto_unless_action_changes":
        return hand.price == held.price
    return hand.chip_acts == held.chip_acts


def _deciding(turn: _Turn) -> int:
    """Which of the undecided pots is decided now?"""
    return len(turn.hand.undecided) - 1 if turn.book.pot_award_order == "last_formed_first" else 0


def _award(turn: _Turn, which: int, winners: int) -> None:
    hand, book = turn.hand, turn.book
    amount = hand.undecided[which].amount
    shares = pots.cut(amount, winners, hand.positions.button, turn.state.chip, book)
    if winners & (winners - 1):
        turn.cite("odd_chip")
    if len(hand.undecided) > 1:
        turn.cite("pot_award_order")
    turn.happened(ev.PotAwarded(which, amount, shares))


def _end(turn: _Turn) -> None:
    """All pots are paid: who has nothing left is out, who was to leave leaves."""
    state, hand = turn.state, turn.hand
    out = [seat for seat in hand.order if state.stacks[seat] == 0 and state.players[seat] is not None]
    out.sort(key=lambda seat: (hand.stacks_before[seat], seat))
    turn.happened(ev.HandEnded(tuple(out)))
    for seat, why in turn.state.leaving:
        _leaves(turn, seat, why)


# --- showdown


def _showdown_fault(turn: _Turn, seat: int) -> Ruling | None:
    state, hand = turn.state, turn.state.hand
    if state.floor:
        return turn.refuse("awaiting_floor", seat=seat)
    if hand is None or hand.due in (Due.NEXT_HAND, Due.AWARD):
        return turn.refuse("not_running", seat=seat)
    if not 0 < seat <= state.size or not hand.live >> seat & 1:
        return turn.refuse("not_in_hand", seat=seat)
    if hand.street is not Street.SHOWDOWN:
        return turn.refuse("not_your_turn", seat=seat)
    return None


def _table_cards(turn: _Turn, what: inp.TableCards) -> Ruling:
    fault = _showdown_fault(turn, what.seat)
    if fault is not None:
        return fault
    hand, seat = turn.hand, what.seat
    has = hand.hole[seat]
    if hand.shown >> seat & 1 and (what.cards is None or set(what.cards) == set(has)):
        return turn.ok()
    if what.cards is None:
        cards = has
    else:
        read = tuple(card if card in BIT else UNKNOWN_CARD for card in what.cards)
        known = [card for card in has if card != UNKNOWN_CARD]
        others = hand.seen & ~sum(BIT[card] for card in known)
        if any(card not in read for card in known):
            turn.happened(ev.Irregular("other_cards_shown", seat))
            return _call_floor_for(turn, "other_cards_shown")
        if read[0] == read[1] != UNKNOWN_CARD or any(others & BIT[card] for card in read):
            return _duplicate(turn)
        cards = read
    turn.happened(ev.HandShown(seat, cards))
    _carry_on(turn)
    return turn.ok()


def _muck(turn: _Turn, what: inp.Muck) -> Ruling:
    fault = _showdown_fault(turn, what.seat)
    if fault is not None:
        return fault
    hand, seat = turn.hand, what.seat
    if hand.shown >> seat & 1:
        return turn.refuse("too_late", "allin_face_up", seat=seat)
    if alone(hand.live):
        return turn.refuse("too_late", seat=seat)
    turn.happened(ev.HandMucked(seat))
    _carry_on(turn)
    return turn.ok()


def _award_pot(turn: _Turn, what: inp.AwardPot) -> Ruling:
    state, hand = turn.state, turn.state.hand
    if state.floor:
        return turn.refuse("awaiting_floor")
    if hand is None or hand.due not in (Due.SHOW, Due.AWARD):
        return turn.refuse("not_running")
    laid = pots.pots(hand)
    pot = laid[len(laid) - 1 if turn.book.pot_award_order == "last_formed_first" else 0]
    able = showdown.contenders(hand, pot)
    if not what.seats or any(not 0 < seat <= state.size or not able >> seat & 1 for seat in what.seats):
        return turn.refuse("not_in_hand", seat=what.seats[0] if what.seats else 0)
    if showdown.readable(hand, pot):
        return turn.refuse("too_early")
    if hand.due is Due.SHOW:
        turn.happened(ev.AwardsOpened(laid))
    _award(turn, _deciding(turn), set_of(what.seats))
    _carry_on(turn)
    return turn.ok()


# --- the director


def _call_floor(turn: _Turn, what: inp.CallFloor) -> Ruling:
    if turn.state.floor:
        return turn.refuse("awaiting_floor")
    turn.happened(ev.FloorCalled(what.why or "dealer"))
    return turn.floor()


def _floor_decides(turn: _Turn, what: inp.FloorDecides) -> Ruling:
    state = turn.state
    if what.what == "voids":
        if not _running(state):
            return turn.refuse("not_running")
        turn.happened(ev.FloorDecided(what.what, what.text))
        turn.happened(ev.HandVoided(state.floor or "floor"))
        turn.cite("duplicate_card")
        for seat, why in turn.state.leaving:
            _leaves(turn, seat, why)
        return turn.ruled("hand_void")
    if what.what in ("binds", "releases"):
        hand = state.hand
        if hand is None or all(held.seat not in what.seats for held in hand.held):
            return turn.refuse("too_late")
        for seat in what.seats:
            turn.happened(ev.OutOfTurnRuled(seat, what.what))
        turn.cite("oot_binding")
    elif what.what != "plays_on":
        return turn.refuse("not_in_catalogue")
    elif not state.floor:
        return turn.refuse("too_late")
    if state.floor:
        turn.happened(ev.FloorDecided(what.what, what.text))
    if turn.state.hand is not None and turn.hand.due in _BETWEEN_DEAL_AND_AWARD:
        if turn.hand.street is Street.PREFLOP and not turn.hand.chip_acts:
            _deal_done(turn)
        else:
            _carry_on(turn)
    return turn.ok()


_DECIDE: dict[type[Any], Callable[[_Turn, Any], Ruling]] = {
    inp.SitDown: _sit_down,
    inp.LeaveSeat: _leave_seat,
    inp.PlaceButton: _place_button,
    inp.ApplyLevel: _apply_level,
    inp.SetStack: _set_stack,
    inp.HoldPlay: _hold_play,
    inp.Shuffle: _shuffle,
    inp.FirstCard: _first_card,
    inp.NextHand: _next_hand,
    inp.HoleCardsDealt: _hole_cards_dealt,
    inp.StreetDealt: _street_dealt,
    inp.CardDrawn: _card_drawn,
    inp.Fold: _action("fold"),
    inp.Check: _action("check"),
    inp.Call: _action("call"),
    inp.Bet: _action("bet"),
    inp.RaiseTo: _action("raise_to"),
    inp.AllIn: _action("all_in"),
    inp.Kill: _kill_command,
    inp.TableCards: _table_cards,
    inp.Muck: _muck,
    inp.AwardPot: _award_pot,
    inp.Away: _away,
    inp.Back: _back,
    inp.CallFloor: _call_floor,
    inp.FloorDecides: _floor_decides,
    inp.DeviceTrouble: _device_trouble,
}
