"""What the shoe's troubles mean at the table, without a shoe."""

import pytest

from drivers.seen import CardBack, CardOut, CardsLost, CutCard, ShoeDoor, ShoeError, ShoeShuffled
from engine.inputs import DeviceTrouble
from engine.view import Due
from firmware_py.languages import LANGUAGES
from firmware_py.shoe_watch import (
    DEALING,
    KNOWN,
    MAX_ERRORS,
    ShoeState,
    deed_of,
    new_deck,
    reported,
    said_of,
    waits_for,
)

BOOT = "5F3A91C2"


def after(*reports, state=None):
    """The state after these reports."""
    state = state or ShoeState()
    for what in reports:
        state = reported(state, what)
    return state


def error(code, on=True):
    return ShoeError(code, on)


@pytest.mark.parametrize(
    ("reports", "said"),
    [
        ([], None),
        ([error("01")], ("shoe_01", "")),
        ([error("09"), error("09", on=False)], None),
        ([error("03"), error("08")], ("shoe_03", "")),
        ([error("01"), error("06")], ("shoe_06", "")),
        ([error("03"), ShoeDoor(True)], ("door", "")),
        ([ShoeDoor(True), ShoeDoor(False)], None),
        ([error("E5")], ("shoe_error", "E5")),
        ([error("E5"), error("09"), error("09", on=False)], ("shoe_error", "E5")),
        ([error("09"), ShoeShuffled("RDY", 52)], None),
        ([error("03"), ShoeShuffled("RDY", 52)], ("shoe_03", "")),
        ([error("09"), ShoeShuffled("SHUF", 52)], ("shoe_09", "")),
        ([error("01"), CardOut(1, "Ah", "D", 99), CutCard(1)], ("shoe_01", "")),
    ],
)
def test_the_prompt_names_the_worst_until_it_is_over(reports, said):
    assert said_of(after(*reports)) == said


def test_a_hand_shuffled_deck_ends_what_was_wrong_with_cards_and_nothing_else():
    state = after(*(error(code) for code in sorted(KNOWN)))

    assert set(new_deck(state).errors) == {"03", "04", "05", "07", "08", "0F"}


@pytest.mark.parametrize("code", ["03", "04", "05", "E7"])
def test_the_deal_waits_for_a_shoe_that_must_be_put_right(code):
    state = after(error(code))

    assert all(waits_for(state, due) for due in DEALING)
    assert not any(waits_for(state, due) for due in set(Due) - DEALING)
    assert waits_for(after(error(code, on=False), state=state), Due.BOARD) is None


def test_the_deal_waits_for_an_open_door():
    assert waits_for(after(ShoeDoor(True)), Due.BURN) == ("door", "")
    assert waits_for(after(ShoeDoor(True)), Due.ACTION) is None


@pytest.mark.parametrize("code", ["01", "02", "06", "07", "08", "09", "0F"])
def test_what_needs_no_hand_on_the_shoe_keeps_no_card_waiting(code):
    assert waits_for(after(error(code)), Due.HOLE_CARDS) is None


@pytest.mark.parametrize(
    ("what", "deed"),
    [
        (CardsLost(3, 5, "gap"), DeviceTrouble("cards_lost", "gap 3-5")),
        (CardBack(4), DeviceTrouble("card_back", "4")),
        (error("06"), DeviceTrouble("wrong_back", "06")),
        (error("02"), DeviceTrouble("two_cards", "02")),
        (ShoeDoor(True), DeviceTrouble("door_open")),
        (ShoeDoor(False), None),
        (error("06", on=False), None),
        (error("03"), None),
        (error("09"), None),                        # the rules see the doubled card themselves
        (CutCard(40), None),
    ],
)
def test_what_the_running_hand_is_told(what, deed):
    assert deed_of(what) == deed


def test_a_shoe_that_began_anew_has_none_of_its_old_troubles():
    state = after(ShoeError("03", on=True, seq=1, boot=BOOT), ShoeDoor(True, seq=2, boot=BOOT))

    assert said_of(after(CutCard(0, seq=1, boot="00000001"), state=state)) is None
    assert said_of(state) == ("door", "")


def test_errors_without_end_are_bounded():
    assert len(after(*(error(f"X{number}") for number in range(100))).errors) == MAX_ERRORS


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_known_code_has_its_words(language):
    troubles = LANGUAGES[language].troubles

    assert {f"shoe_{code}" for code in KNOWN} | {"door", "shoe_error"} <= troubles.keys()
