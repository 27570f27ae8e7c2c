"""The registry of tagged decks, and how a person is guided through one."""

import stat

import pytest

from drivers.deck_registry import ORDER, Fault, Phase, Registration, Registry, RegistryError, Step, load, save

UIDS = {f"04{number:02X}A1B2C3D480": card for number, card in enumerate(ORDER)}
OTHERS = {f"08{number:02X}A1B2": card for number, card in enumerate(ORDER)}
WHO = ("blue", "2026-11-29T20:00:00Z", "Marta")


def with_decks():
    return Registry().with_deck("D1", *WHO, UIDS).with_deck("D2", *WHO, OTHERS)


class TestRegistry:
    def test_a_tag_is_found_with_its_deck(self):
        assert with_decks().find(next(iter(OTHERS))) == ("D2", "As")
        assert with_decks().find("00") is None

    def test_a_replaced_card_makes_a_new_generation_and_the_old_one_is_no_longer_live(self):
        lost, *kept = UIDS
        again = with_decks().with_deck("D1", *WHO, {**{uid: UIDS[uid] for uid in kept}, "04FFFFFFFFFF80": UIDS[lost]})

        assert [(deck.deck, deck.generation, deck.live) for deck in again.decks] == [
            ("D1", 1, False), ("D2", 1, True), ("D1", 2, True),
        ]  # fmt: skip
        assert again.find(lost) is None
        assert again.find("04FFFFFFFFFF80") == ("D1", "As")

    def test_a_deck_out_of_use_is_not_found(self):
        assert with_decks().retired("D2").find(next(iter(OTHERS))) is None
        with pytest.raises(RegistryError, match="no live deck 'D2'"):
            with_decks().retired("D2").retired("D2")

    @pytest.mark.parametrize(
        ("deck", "cards", "says"),
        [
            ("D 3", UIDS, "no deck's name"),
            ("D3", dict(list(UIDS.items())[:51]), "51 of 52"),
            ("D3", dict.fromkeys(UIDS, "As"), "1 of 52"),
            ("D3", UIDS, "is As of deck D1"),
        ],
    )
    def test_what_is_no_deck_is_refused(self, deck, cards, says):
        with pytest.raises(RegistryError, match=says):
            with_decks().with_deck(deck, *WHO, cards)


class TestFile:
    def test_what_is_saved_is_loaded(self, tmp_path):
        path = tmp_path / "decks.json"
        assert load(path) == Registry()
        save(path, with_decks())

        assert load(path) == with_decks()
        assert [file.name for file in tmp_path.iterdir()] == ["decks.json"]

    def test_a_registry_that_cannot_be_written_stays_as_it_was(self, tmp_path):
        path = tmp_path / "decks.json"
        save(path, with_decks())
        (tmp_path / "decks.json.new").mkdir()

        with pytest.raises(IsADirectoryError):
            save(path, Registry())
        assert load(path) == with_decks()
        assert stat.S_ISREG(path.stat().st_mode)

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "[]",
            '{"decks": 1}',
            '{"deck": []}',
            '{"decks":[{"deck":"D","generation":1,"back":"","registered":"","by":"","cards":{"04a1":"As"}}]}',
        ],
    )
    def test_a_file_that_is_no_registry_is_refused(self, tmp_path, text):
        (tmp_path / "decks.json").write_text(text)

        with pytest.raises(RegistryError, match=r"decks\.json"):
            load(tmp_path / "decks.json")


def laid(registration, uid):
    """A card is laid on the reader, stays a moment, and is taken away."""
    steps = [registration.read((uid,)) for _ in range(3)]
    registration.read(())
    return steps[-1]


class TestRegistration:
    def test_a_whole_deck_in_order_and_once_more(self):
        registration = Registration(Registry(), "D1")
        for card, uid in zip(ORDER, UIDS, strict=True):
            assert registration.step.phase is Phase.LAY
            assert registration.step.card == card
            assert laid(registration, uid).phase is Phase.LIFT
        assert registration.step == Step(Phase.VERIFY, "", 52)
        for uid in reversed(UIDS):
            assert laid(registration, uid).card == UIDS[uid]

        assert registration.step.phase is Phase.DONE
        assert registration.cards == UIDS
        assert registration.read(("00",)).phase is Phase.DONE

    def test_a_number_counts_when_it_came_twice_alike(self):
        registration = Registration(Registry(), "D1")

        assert registration.read(("0411",)).phase is Phase.LAY
        assert registration.read(("0412",)).phase is Phase.LAY
        assert registration.read(("0412",)).phase is Phase.LIFT

    def test_a_card_must_be_lifted_before_the_next_counts(self):
        registration = Registration(Registry(), "D1")
        first, second, *_ = UIDS
        for _ in range(3):
            registration.read((first,))

        assert [registration.read((second,)).phase for _ in range(3)] == [Phase.LIFT] * 3
        assert registration.read(()).card == ORDER[1]

    def test_two_cards_at_once_do_not_count(self):
        registration = Registration(Registry(), "D1")

        assert registration.read(("0411", "0412")) == Step(Phase.LAY, "As", 52, Fault.TWO_TAGS)
        assert registration.read(()) == Step(Phase.LAY, "As", 52)

    def test_a_card_that_was_read_already_and_one_of_another_deck_are_named(self):
        registration = Registration(with_decks(), "D3")
        laid(registration, "0411")

        assert laid(registration, "0411") == Step(Phase.LAY, "Ks", 51, Fault.TWICE, "As")
        assert laid(registration, next(iter(OTHERS))) == Step(Phase.LAY, "Ks", 51, Fault.OTHER_DECK, "As D2")

    def test_a_deck_may_be_registered_again_with_its_own_tags(self):
        registration = Registration(with_decks(), "D1")

        assert laid(registration, next(iter(UIDS))).phase is Phase.LIFT

    def test_verifying_a_stranger_is_named_and_the_same_card_twice_counts_once(self):
        registration = Registration(Registry(), "D1")
        for uid in UIDS:
            laid(registration, uid)
        first = next(iter(UIDS))

        assert laid(registration, "0411").fault is Fault.NOT_OURS
        assert laid(registration, first) == Step(Phase.VERIFY, "As", 51)
        assert laid(registration, first).left == 51
        with pytest.raises(RegistryError, match="51 cards"):
            _ = registration.cards
