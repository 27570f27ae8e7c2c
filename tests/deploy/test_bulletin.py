"""What the demonstration says: each thing once, from the public picture alone, in both languages."""

import msgspec
import pytest

from deploy.bulletin import LANGUAGES, Bulletin, ordinal
from engine.inputs import Level
from hub.picture import ClockFace, ClockState, Leg, Picture, Place, ProposalView

MOVE = ProposalView(1, "balance", "done", ("lifeclub:8.2",), (Leg("p4", "Dario", 2, 4, 1, 6),))


def room(*places: Place, proposals: tuple[ProposalView, ...] = (), left: int = 10) -> Picture:
    clock = ClockFace(ClockState.RUNNING, 3, 0, 60_000, real_time=False, level=Level(100, 200, 0, 200, 4), level_no=4)
    return Picture(
        title="", site="demo", rev=1, hub=1, book="tda", stage="playing", clock=clock, tables=(), tape=(),
        places=places, proposals=proposals, log=(), entrants=12, players_left=left, chips=60_000, quiescent=True,
        broker=True,
    )  # fmt: skip


def test_a_round_is_one_line_with_level_players_and_average():
    assert list(Bulletin("en").after_round(7, room())) == [
        "hand   7  level 4: 100/200, ante 200         10 left, average 6,000"
    ]


def test_who_is_out_is_said_once_the_worse_place_first():
    bulletin = Bulletin("en")
    places = (Place(11, 11, "p1", "Anna", 2), Place(12, 12, "p2", "Bruno", 1))

    first = list(bulletin.after_round(1, room(*places)))
    again = list(bulletin.after_round(2, room(*places)))

    assert [line.strip() for line in first[1:]] == ["12. Bruno (table 1)", "11. Anna (table 2)"]
    assert len(again) == 1


def test_a_move_is_said_when_it_is_done():
    bulletin = Bulletin("en")
    waiting = msgspec.structs.replace(MOVE, state="confirmed")

    assert len(list(bulletin.after_round(1, room(proposals=(waiting,))))) == 1
    assert list(bulletin.after_round(2, room(proposals=(MOVE,))))[1:] == [
        "          Dario: from table 2 to table 1, seat 6"
    ]


def test_a_table_that_breaks_is_said_before_its_players_go():
    breaks = msgspec.structs.replace(MOVE, kind="break", closes=2)

    assert list(Bulletin("en").after_round(1, room(proposals=(breaks,))))[1] == "          table 2 closes"


def test_a_shared_place_is_printed_as_a_range():
    assert (ordinal(Place(25, 26, "p", "A")), ordinal(Place(3, 3, "p", "A"))) == ("25.-26.", " 3.")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_says_everything(lang):
    bulletin = Bulletin(lang)
    picture = room(Place(12, 12, "p2", "Bruno", 1), proposals=(MOVE,))
    said = [*bulletin.draw(picture), *bulletin.after_round(1, picture), *bulletin.result(1, picture)]

    assert all(line.strip() and "{" not in line for line in said)


def test_places_are_final_when_one_is_left_and_no_heading_stands_alone():
    out = Place(12, 12, "p2", "Bruno", 1)

    assert "Places so far" in list(Bulletin("en").result(4, room(out)))
    assert "Final places" in list(Bulletin("en").result(60, room(out, left=1)))
    assert list(Bulletin("en").result(3, room())) == ["Still in, after 3 hands"]


@pytest.mark.parametrize(
    ("lang", "tables", "hands"),
    [
        ("en", "The draw: 12 players at 0 tables", "Still in, after 1 hand"),
        ("it", "Il sorteggio: 12 giocatori a 0 tavoli", "Ancora in gioco, dopo 1 mano"),
    ],
)
def test_one_hand_is_counted_as_one(lang, tables, hands):
    assert next(Bulletin(lang).draw(room())) == tables
    assert next(Bulletin(lang).result(1, room())) == hands


def test_italian_numbers_and_words():
    bulletin = Bulletin("it")
    said = [*bulletin.after_round(7, room()), bulletin.where("http://127.0.0.1:1/", "mosquitto"), bulletin.stopped(),
            bulletin.fingerprint("0f")]  # fmt: skip

    assert "media 6.000" in said[0]
    assert "director" in said[1]
    assert not {"room", "wall", "stopped", "fingerprint"} & set(" ".join(said).replace(":", " ").split())
