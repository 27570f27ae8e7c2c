"""Four lines of twenty characters that tell the dealer what is due: pure functions from the table to text.

First line: hand, street, pot. Second: whose turn, or what the dealer must do. Third: what it costs, or which key does
it. Fourth: the answer to the last press (a refusal, a ruling and its article), else a device that is in trouble, else
the next help. What the display's characters cannot write, or its columns cannot hold, is cut by `drivers.charset`.
"""

from __future__ import annotations

from typing import NamedTuple, assert_never

from drivers.charset import COLUMNS, page
from engine.inputs import Sanction
from engine.ruling import Ruling
from engine.texts import step
from engine.view import Due, TableView
from firmware_py.amounts import opens, span_of
from firmware_py.panel_logic import award_seats
from firmware_py.panel_state import (
    PAGES,
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
    Scene,
    Setting,
    Step,
    Told,
    Verify,
    WithoutShoe,
)
from firmware_py.words import Words

Prompt = tuple[str, ...]


class Notice(NamedTuple):
    """The answer to the last press: what became of it, and the article that says so. Texts of `Words`, not yet cut."""

    text: str = ""
    article: str = ""


NOTHING = Notice()


def notice_of(words: Words, ruling: Ruling) -> Notice:
    """What the prompt says of a ruling, and the first article that says so."""
    article = ruling.articles[0] if ruling.articles else ""
    match ruling.outcome:
        case "refused":
            refusal = ruling.refusal or ""
            return Notice(words.refusals.get(refusal, refusal), article)
        case "out_of_turn":
            return Notice(words.recorded, article)
        case "floor":
            return Notice(words.floor_called, article)
        case "ruled":
            ruled = ruling.ruled or ""
            amount = "" if ruling.amount is None else ruling.amount
            return Notice(words.ruled.format(words.rulings.get(ruled, ruled).format(amount)), article)
        case _:
            return Notice("", article)


class Trouble(NamedTuple):
    """A device that needs a hand: a key of `Words.troubles`, and what its text names."""

    what: str
    detail: str = ""


def prompt(
    words: Words, panel: Panel, scene: Scene, notice: Notice, troubles: tuple[Trouble, ...], now_ms: int
) -> Prompt:
    """What the display shows now: four lines of exactly twenty characters, what is too long cut."""
    return page(lines(words, panel, scene, notice, troubles, now_ms)).rows


def lines(
    words: Words, panel: Panel, scene: Scene, notice: Notice, troubles: tuple[Trouble, ...], now_ms: int
) -> tuple[str, str, str, str]:
    """The four lines before they are made to fit."""
    first, second, third, help_ = _body(words, panel, scene)
    if scene.view.steps and isinstance(panel.mode, Play) and panel.told is Told.NONE:
        return (first, notice.text or second, *_steps(words, scene, notice, now_ms))
    if panel.told is not Told.NONE:
        fourth = words.told[panel.told]
    elif notice.text and notice.article:
        third, fourth = notice
    elif notice.text or notice.article:
        fourth = notice.text or notice.article
    elif panel.time_seat:
        fourth = words.time.format(panel.time_seat, max(0, now_ms - panel.time_since_ms) // 1000)
    elif troubles and (scene.shoe_waits is None or troubles[0].what != scene.shoe_waits[0]):
        fourth = words.troubles[troubles[0].what].format(troubles[0].detail)
    else:
        fourth = help_
    return (first, second, third, fourth)


STEPS_MS = 3000  # how long two steps stand before the next two


def _steps(words: Words, scene: Scene, notice: Notice, now_ms: int) -> tuple[str, str]:
    """Two lines of what the dealer must do to put an error right, the article last; the display turns over the rest."""
    said = [step(word, words.lang) for word in scene.view.steps]
    if notice.article:
        said.append(notice.article)
    pages = (len(said) + 1) // 2
    at = now_ms // STEPS_MS % pages * 2
    return said[at], said[at + 1] if at + 1 < len(said) else ""


def chips(amount: int) -> str:
    """An amount, exact: from 100,000 on in thousands where that loses nothing."""
    return f"{amount // 1000}K" if amount >= 100_000 and amount % 1000 == 0 else str(amount)


def _fitting(*candidates: str) -> str:
    """The first text that fits on a line, else the last."""
    return next((text for text in candidates if len(text) <= COLUMNS), candidates[-1])


def _ends(left: str, right: str) -> str:
    """Two texts at the ends of a line; the left one gives way."""
    room = COLUMNS - len(right) - 1
    return f"{left[:room]:<{room}} {right}" if room > 0 else right


def _body(words: Words, panel: Panel, scene: Scene) -> tuple[str, str, str, str]:
    mode, view = panel.mode, scene.view
    match mode:
        case Setting():
            return _setting(words, mode, scene)
        case Menu(page, at):
            title = f"FLOOR {page + 1}/{len(PAGES)}"
            return (title, f">{words.items[PAGES[page][at]]}", "", words.menu_keys)
        case PickSeat(item, at):
            who = words.pick_seat.format(at, _name(view, at))
            out = words.chips_out.format(chips(_stack(view, at))) if item is Item.DISQUALIFY else ""
            return (words.items[item], f">{who}", out, words.pick_keys)
        case Pushed(item, seat, amount) if mode.asks_words:
            return (words.items[item], f">{words.counted.format(seat, chips(amount))}", words.said, words.said_keys)
        case Pushed(item, seat, amount, single):
            third = f"{words.one_chip if single else words.some_chips} {_before(words, mode)}".strip()
            return (words.items[item], f">{words.counted.format(seat, chips(amount))}", third, words.pushed_keys)
        case Count(seat, stack, item=Item.CONFISCATE):
            third = words.of_stack.format(chips(_stack(view, seat)))
            return (words.items[mode.item], f">{words.counted.format(seat, chips(stack))}", third, words.pick_keys)
        case Penalty(seat, n):
            hands = words.penalty_hands.format(n * len(view.seats)) if scene.sanction is Sanction.ROUNDS else ""
            return (_name(view, seat), f">{words.penalties[scene.sanction].format(seat, n)}", hands, words.pick_keys)
        case Count(seat, stack):
            return (_name(view, seat), f">{words.counted.format(seat, chips(stack))}", "", words.pick_keys)
        case ConfirmDeal(cards):
            return (_head(words, view), words.dealt.format(cards), words.dealt_right, words.dealt_keys)
        case Verify():
            return (_head(words, view), words.shoe_was_away, _where(words, view), words.dealt_keys)
        case WithoutShoe():
            return (_head(words, view), _of_shoe(words, scene), words.without_shoe, words.without_keys)
        case AskDirector(digits=digits):
            return (words.ask_director, words.ask_pin.format("*" * len(digits)), "", words.pin_keys)
        case Amount(seat, to):
            text = (words.bet_to if opens(scene, seat) else words.raise_to).format(seat, chips(to))
            low, high = span_of(scene, seat) or (to, to)
            return (_head(words, view), text, f"{chips(low)}..{chips(high)}", words.amount_keys)
        case Award(at, chosen):
            who = words.award.format(at, _name(view, at))
            amount = scene.pot.amount if scene.pot else 0
            seats = " ".join(str(seat) for seat in chosen or award_seats(scene))
            pot = _fitting(words.award_pot.format(chips(amount), seats), seats)
            return (_head(words, view), who, pot, words.award_keys)
        case Play(seat):
            return (_head(words, view), *_play(words, seat, scene))
        case _:
            assert_never(mode)


def _where(words: Words, view: TableView) -> str:
    """Where the deal stands, as a question."""
    if view.due is Due.HOLE_CARDS:
        return words.next_card_right.format(view.next_seat)
    return words.board_right.format(len(view.board))


def _of_shoe(words: Words, scene: Scene) -> str:
    """What must be put right at the shoe; "" if nothing."""
    if scene.shoe_waits is None:
        return ""
    what, detail = scene.shoe_waits
    return words.troubles[what].format(detail)


def _head(words: Words, view: TableView) -> str:
    pot = sum(p.amount for p in view.pots)
    left = f"{words.hand.format(view.hand)} {words.streets[view.street]}" if view.hand else words.first_hand
    if not pot:
        return left
    with_word = words.pot.format(chips(pot))
    return _ends(left, with_word if len(left) + 1 + len(with_word) <= COLUMNS else chips(pot))


def _play(words: Words, seat: int, scene: Scene) -> tuple[str, str, str]:
    """Lines two to four while nothing is begun on the panel."""
    view = scene.view
    level = view.level
    blinds = words.blinds.format(chips(level.small_blind), chips(level.big_blind)) if level else ""
    coming = words.streets[view.coming].capitalize()
    if not scene.opened:
        return (words.no_table, words.wait_hub, words.or_deal)
    if scene.shoe_waits is not None:
        return (_of_shoe(words, scene), words.shoe_do[scene.shoe_waits[0]], words.without_key)
    match view.due:
        case Due.PLAYERS:
            return (words.players, words.players_more, blinds)
        case Due.HOLD:
            return (words.hold, words.hold_more, blinds)
        case Due.SHUFFLE:
            next_blinds = words.next_blinds.format(view.button, view.small_blind or "-", view.big_blind)
            return (words.shuffle, next_blinds, blinds)
        case Due.FIRST_CARD:
            return (words.first_card, blinds, words.button.format(view.button))
        case Due.HOLE_CARDS:
            return (words.card_to.format(view.next_seat), words.all_dealt, blinds)
        case Due.ACTION:
            return _turn_of(words, seat, scene)
        case Due.BURN:
            return (words.burn, words.then_deal.format(coming), "")
        case Due.BOARD:
            return (words.board.format(coming, view.cards_due), words.by_hand, "")
        case Due.SHOW:
            return (words.show.format(view.to_act, _name(view, view.to_act)), words.show_keys, "")
        case Due.AWARD:
            return (words.award.format("?", ""), words.award_keys, "")
        case Due.FLOOR:
            return (words.floor, words.floor_keys, "")
        case Due.NEXT_HAND:
            return (words.over, words.over_keys, _paid(view) or blinds)
        case _:
            assert_never(view.due)


def _paid(view: TableView) -> str:
    """What is pushed to whom, all pots together: seat and chips; "" where nothing was won."""
    won = [f"{seat}+{chips(share)}" for seat, share in view.won.items()]
    return _fitting("  ".join(won), " ".join(won))


def _turn_of(words: Words, seat: int, scene: Scene) -> tuple[str, str, str]:
    """Whose turn, what a call costs and what a raise must be at least."""
    view, legal = scene.view, scene.legal
    who = words.turn_of.format(view.to_act, _name(view, view.to_act))
    if legal is None:
        return (who, "", "")
    price = words.check if legal.to_call == 0 else words.call.format(chips(legal.to_call))
    span = legal.bet or legal.raise_to
    more = words.minimum.format(chips(span[0])) if span else ""
    if seat:
        return (words.out_of_turn.format(seat, _name(view, seat)), who, "")
    return (who, _fitting(f"{price} {more}".strip(), price), "")


def _setting(words: Words, mode: Setting, scene: Scene) -> tuple[str, str, str, str]:
    values: dict[Step, str] = {
        Step.BOOK: scene.books[mode.book] if scene.books else "",
        Step.SMALL_BLIND: chips(mode.small_blind),
        Step.BIG_BLIND: chips(mode.big_blind),
        Step.ANTE: chips(mode.ante),
        Step.STACK: chips(mode.stack),
        Step.SEATS: (words.seat_taken if mode.at in mode.seats else words.seat_free).format(mode.at),
        Step.BUTTON: str(mode.at),
    }
    third = words.setup_seats.format(len(mode.seats)) if mode.step is Step.SEATS else ""
    return (words.setup, f">{words.steps[mode.step].format(values[mode.step])}", third, words.setup_keys)


def _before(words: Words, pushed: Pushed) -> str:
    """What came before these chips: the amount that was said, or the first of two motions."""
    if pushed.said is not None:
        return words.pushed_said.format(chips(pushed.said))
    return words.pushed_before.format(chips(pushed.first.amount)) if pushed.first else ""


def _stack(view: TableView, seat: int) -> int:
    return next((s.stack for s in view.seats if s.seat == seat), 0)


def _name(view: TableView, seat: int) -> str:
    """The player's name, "" if nobody sits there."""
    return next((s.name or s.player for s in view.seats if s.seat == seat), "")
