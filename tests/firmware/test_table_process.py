"""The real process of a table, played through its own keys, shoe and badge reader."""

import json
import resource
import subprocess

import pytest

from deploy.children import bottone
from deploy.virtual_table import TableFile, TableSilent, VirtualTable
from drivers.bee_tek_sim import BeeTekSim
from drivers.pn532_sim import Pn532Sim
from drivers.seen import Key
from engine.cards import DECK
from engine.view import Due, Presence, Street
from firmware_py.badges import badge_hash, site_key
from firmware_py.english import EN
from firmware_py.journal_reading import verify
from firmware_py.panel_state import Told
from tests.rules.citing import article
from tests.waiting import until

SEATS = [{"seat": seat, "stack": 10_000, "name": f"Player {seat}"} for seat in (1, 2, 3)]
SETUP = {"setup": {"small_blind": 50, "big_blind": 100, "button": 1, "seats": SEATS}}
# Seats 2, 3, 1 get a card each, twice; then burn, flop, burn, turn, burn, river.
HOLE = ["As", "Kd", "7c", "Ad", "Ks", "2h"]
BOARD = ["3c", "Ah", "9d", "8c", "4c", "5s", "6h", "Jd"]
SEEN = {"As", "Ad", "Kd", "Ks", "Ah", "9d", "8c", "5s", "Jd"}
UNSEEN = {"7c", "2h", "3c", "4c", "6h"}


@pytest.fixture
def table(tmp_path):
    with VirtualTable(tmp_path, TableFile(more=SETUP)) as table:
        yield table


@pytest.fixture
def bare(tmp_path):
    file = TableFile(more=SETUP, shoe="", badge="", displays=False)
    with VirtualTable(tmp_path, file) as table:
        yield table


def deal(table, cards=HOLE):
    table.shuffle()
    table.press(Key.DEAL)
    for card in cards:
        table.draw(card)
    return table.glance()


def troubles(table):
    """What devices told the running hand, from the journal."""
    exported = subprocess.run(bottone("journal", "export", str(table.journal)), capture_output=True, check=True)
    deeds = [json.loads(line)["deed"] for line in exported.stdout.splitlines()]
    return [deed["what"] for deed in deeds if deed["type"] == "DeviceTrouble"]


def stacks(seen):
    return {seat.seat: seat.stack for seat in seen.view.seats}


def play_to_showdown(table):
    """Seat 1 folds; seats 2 and 3 check it down after a raise of 2 that 3 calls."""
    table.press(Key.FOLD)
    table.press(Key.BET_RAISE)
    table.dial(600)
    table.press(Key.BET_RAISE)
    table.press(Key.CHECK_CALL)
    for cards in (BOARD[:4], BOARD[4:6], BOARD[6:]):
        for card in cards:
            table.draw(card)
        table.press(Key.CHECK_CALL)
        table.press(Key.CHECK_CALL)


class TestWholeHand:
    def test_by_keys_and_shoe_ends_with_the_right_stacks(self, table):
        assert deal(table).view.to_act == 1
        play_to_showdown(table)
        table.press(Key.CHECK_CALL)
        seen = table.press(Key.CHECK_CALL)

        assert seen.view.due is Due.NEXT_HAND
        assert stacks(seen) == {1: 10_000, 2: 10_600, 3: 9_400}
        assert verify(table.journal).trouble == ""

    def test_prints_as_a_script_that_holds(self, table, tmp_path):
        deal(table)
        play_to_showdown(table)
        table.press(Key.CHECK_CALL)
        table.press(Key.UNDO)
        table.press(Key.CHECK_CALL)
        table.press(Key.CHECK_CALL)

        printed = subprocess.run(bottone("journal", "print", str(table.journal)), capture_output=True, check=True)
        script = tmp_path / "hand.hand"
        script.write_bytes(printed.stdout)
        held = subprocess.run(bottone("script", str(script)), capture_output=True, check=False)

        assert b"= stacks 1:10000 2:10600 3:9400" in printed.stdout
        assert held.returncode == 0, held.stdout.decode()

    def test_leaves_no_unseen_card_on_disk_log_or_socket(self, table, tmp_path):
        deal(table)
        play_to_showdown(table)
        table.press(Key.CHECK_CALL)
        table.press(Key.CHECK_CALL)

        kept = b"".join(path.read_bytes() for path in (tmp_path / "data").iterdir())
        kept += table.log.read_bytes()

        assert [card for card in UNSEEN if f'"{card}"'.encode() in kept] == []
        assert [card for card in SEEN if f'"{card}"'.encode() not in kept] == []

    def test_without_any_device_is_keyed_and_the_dealer_names_the_winner(self, bare):
        for _ in range(3):
            bare.press(Key.DEAL)
        assert bare.glance().view.due is Due.ACTION
        bare.press(Key.CHECK_CALL)
        bare.press(Key.CHECK_CALL)
        bare.press(Key.CHECK_CALL)
        for _ in range(3):
            bare.press(Key.DEAL)
            for _ in range(3):
                bare.press(Key.CHECK_CALL)
        for _ in range(3):
            bare.press(Key.CHECK_CALL)
        assert bare.glance().view.due is Due.AWARD
        bare.turn(1)
        winner = bare.glance().selected

        seen = bare.press(Key.DEAL)

        assert seen.view.due is Due.NEXT_HAND
        assert stacks(seen)[winner] == 10_200

    def test_a_press_changes_what_the_displays_wire_carries(self, table):
        deal(table)
        until((table.folder / "prompt.record").exists)
        before = table.prompt_record().bytes_sent

        table.press(Key.FOLD)

        until(lambda: table.prompt_record().bytes_sent > before)


class TestDealersHand:
    def test_the_lamp_of_a_key_answers_and_the_others_show_what_may_be_pressed(self, table):
        deal(table)

        assert {key.value for key in table.glance().lamps} >= {"fold", "check_call", "bet_raise", "all_in"}
        assert Key.DEAL not in table.glance().lamps

    def test_a_wrong_key_is_answered_and_nothing_is_lost(self, table):
        before = deal(table)

        seen = table.press(Key.DEAL)

        assert seen.prompt[3].strip() == "Not now"
        assert (seen.view, seen.entries) == (before.view, before.entries)

    def test_two_keys_at_once_are_said(self, table):
        deal(table)
        table.send({"down": "deal"})
        table.send({"down": "time"})

        table.wait(lambda seen: seen.prompt[3].strip() == "Two keys at once", "the two keys on the prompt")

    def test_an_act_out_of_turn_is_keyed_with_the_knob(self, table):
        deal(table)
        table.select(3)

        seen = table.press(Key.FOLD)

        assert "Noted out of turn" in " ".join(seen.prompt)
        assert seen.view.to_act == 1

    def test_an_undo_over_the_hands_end_waits_for_the_director(self, tmp_path):
        pin = subprocess.run(
            bottone("table", "--hash-pin"), input=b"1238\n", capture_output=True, check=True
        ).stdout.decode()
        more = {**SETUP, "badges": {"director_pin": pin.strip()}}
        with VirtualTable(tmp_path, TableFile(shoe="", badge="", more=more)) as table:
            for key in (Key.DEAL, Key.DEAL, Key.DEAL, Key.FOLD, Key.FOLD):
                table.press(key)
            assert table.press(Key.UNDO).prompt[0].strip() == "Director needed"
            for key in (Key.FOLD, Key.CHECK_CALL, Key.BET_RAISE, Key.FLOOR):
                table.press(key)

            assert table.glance().view.to_act == 2

    def test_a_badge_brings_the_dealer_on_and_never_its_number(self, table, tmp_path):
        seen = table.tap("0F00AB12CD")

        assert seen.prompt[3].startswith("Dealer ")
        kept = b"".join(path.read_bytes() for path in (tmp_path / "data").iterdir()) + table.log.read_bytes()
        assert b"0F00AB12CD" not in kept

    def test_a_player_goes_away_and_comes_back_by_the_floor_menu(self, table):
        for key in (Key.FLOOR, Key.FLOOR):
            table.press(key)
        table.push()
        table.push()
        assert table.glance().view.seats[0].presence is Presence.AWAY

        table.press(Key.FLOOR)
        table.press(Key.FLOOR)
        table.turn(1)
        table.push()
        assert table.push().view.seats[0].presence is Presence.HERE


class TestOtherShoe:
    """A shoe that proves nothing, and a badge reader of another kind."""

    @pytest.fixture
    def other(self, tmp_path):
        shoe, badge = BeeTekSim(tmp_path / "bee-tek"), Pn532Sim(tmp_path / "pn532")
        devices = {
            "shoe": {"protocol": "bee_tek", "port": str(tmp_path / "bee-tek")},
            "badge": {"protocol": "pn532", "port": str(tmp_path / "pn532")},
        }
        file = TableFile(more={**SETUP, **devices}, shoe="", badge="", displays=False)
        shoe.start()
        badge.start()
        with VirtualTable(tmp_path, file) as table:
            yield table, shoe, badge
        shoe.stop()
        badge.stop()

    def deal(self, table, shoe):
        table.press(Key.DEAL)
        table.press(Key.DEAL)
        for number, card in enumerate(HOLE, 1):
            before = table.glance().entries
            shoe.draw(card)
            table.wait(lambda seen, before=before: seen.entries > before, f"card {number}")
        return table.wait(lambda seen: seen.mode == "ConfirmDeal", "the question after the deal")

    def test_the_dealer_confirms_the_count_of_a_deal_and_plays_on(self, other):
        table, shoe, _ = other
        asked = self.deal(table, shoe)
        lines = [line.strip() for line in asked.prompt[1:]]
        assert lines == ["The shoe counts 6", "cards dealt: right?", "DEAL yes, FLOOR no"]

        assert table.press(Key.FOLD).view.to_act == 1
        table.press(Key.DEAL)
        assert table.press(Key.FOLD).view.to_act == 2

    def test_a_dealer_who_counts_otherwise_calls_the_director(self, other):
        table, shoe, _ = other
        self.deal(table, shoe)

        assert table.press(Key.FLOOR).view.due is Due.FLOOR

    def started(self, table, shoe):
        table.press(Key.DEAL)
        table.press(Key.DEAL)
        for card in HOLE[:2]:
            before = table.glance().entries
            shoe.draw(card)
            table.wait(lambda seen, before=before: seen.entries > before, card)

    def test_away_in_the_hand_is_an_alarm_and_the_dealer_verifies_the_next_card(self, other):
        table, shoe, _ = other
        self.started(table, shoe)

        shoe.unplug()
        table.wait(lambda seen: "Shoe" in seen.prompt[3], "the unplugged shoe on the prompt")
        shoe.plug()
        asked = table.wait(lambda seen: seen.mode == "Verify", "the question where the deal stands")

        assert [line.strip() for line in asked.prompt[1:]] == [
            "Shoe was away: check", "Next card: seat 1?", "DEAL yes, FLOOR no",
        ]  # fmt: skip
        assert troubles(table) == ["shoe_down"]
        assert table.press(Key.DEAL).mode == "Play"
        assert table.press(Key.DEAL).view.due is Due.ACTION

    def test_away_in_the_hand_and_a_dealer_who_finds_otherwise_calls_the_director(self, other):
        table, shoe, _ = other
        self.started(table, shoe)
        shoe.unplug()
        table.wait(lambda seen: "Shoe" in seen.prompt[3], "the unplugged shoe on the prompt")
        shoe.plug()
        table.wait(lambda seen: seen.mode == "Verify", "the question where the deal stands")

        assert table.press(Key.FLOOR).view.due is Due.FLOOR

    def test_a_unit_that_starts_again_in_a_hand_asks_too(self, other):
        table, shoe, _ = other
        self.started(table, shoe)
        table.kill9()
        table.restart()

        assert "seat 1?" in table.wait(lambda seen: seen.mode == "Verify", "the question").prompt[2]

    def test_away_between_hands_nobody_is_asked(self, other):
        table, shoe, _ = other
        shoe.unplug()
        table.wait(lambda seen: "Shoe" in seen.prompt[3], "the unplugged shoe on the prompt")
        shoe.plug()
        table.wait(lambda seen: "Shoe" not in seen.prompt[3], "the shoe is back")

        assert (table.glance().mode, troubles(table)) == ("Play", [])

    def test_a_badge_of_another_kind_brings_the_dealer_on(self, other):
        table, _, badge = other
        badge.tap("04112233445566")

        assert table.wait(lambda seen: seen.badges == 1, "the badge").prompt[3].startswith("Dealer ")


class TestRevokedBadge:
    def test_is_refused_and_said(self, tmp_path):
        revoked = badge_hash(site_key("", "virtual"), "0F00AB12CD")
        with VirtualTable(tmp_path, TableFile(more={**SETUP, "badges": {"revoked": [revoked]}})) as table:
            assert table.tap("0F00AB12CD").prompt[3].strip() == "Badge is revoked"
            assert table.tap("0F00AB12CE").prompt[3].startswith("Dealer ")

    def test_is_said_in_place_of_the_answer_to_the_last_press(self, tmp_path):
        revoked = badge_hash(site_key("", "virtual"), "0F00AB12CD")
        with VirtualTable(tmp_path, TableFile(more={**SETUP, "badges": {"revoked": [revoked]}})) as table:
            assert table.press(Key.FOLD).prompt[3].strip() == "Not now"
            assert table.tap("0F00AB12CD").prompt[3].strip() == "Badge is revoked"


class TestDealerRequired:
    @article("fipos:7")
    @pytest.mark.parametrize(("language", "asked"), [("en", "Tap dealer badge"), ("it", "Badge del mazziere")])
    def test_no_hand_begins_until_a_dealer_has_tapped_in(self, tmp_path, language, asked):
        more = {**SETUP, "badges": {"dealer_required": True}}
        with VirtualTable(tmp_path, TableFile(book="fipos", language=language, shoe="", more=more)) as table:
            refused = table.press(Key.DEAL)
            assert (refused.prompt[3].strip(), refused.view.hand) == (asked, 0)

            table.tap("0F00AB12CD")
            for key in (Key.DEAL, Key.DEAL, Key.DEAL):
                table.press(key)
            assert (table.glance().view.hand, table.glance().view.due) == (1, Due.ACTION)


class TestShoeTrouble:
    def test_an_event_counts_as_stored_when_a_later_one_is(self, table):
        table.shuffle(DECK)
        table.press(Key.DEAL)

        stored = table.to_shoe(lambda shoe: shoe.draw_unreadable())
        last = (table.shoe.device.boot, table.shoe.device.seq)                   # the error's end, behind the card

        assert stored(table.wait(lambda seen: seen.shoe == last, "the error's end"))

    def test_a_card_whose_frame_was_torn_by_an_unplug_comes_when_it_is_plugged_in(self, table):
        deal(table, HOLE[:3])
        event = table.shoe.draw_and_unplug(HOLE[3])
        table.wait(lambda seen: "Shoe" in seen.prompt[3], "the unplugged shoe on the prompt")
        table.shoe.plug()

        table.wait(lambda seen: seen.shoe is not None and seen.shoe[1] == event, "the torn card")
        for card in HOLE[4:]:
            table.draw(card)
        assert table.glance().view.due is Due.ACTION

    def test_noise_on_the_line_costs_no_card(self, table):
        table.shuffle()
        table.press(Key.DEAL)
        for number, card in enumerate(HOLE):
            table.shoe.noise(300, seed=number)
            table.draw(card)

        assert table.glance().view.due is Due.ACTION

    def test_the_same_card_twice_stops_the_hand(self, table):
        deal(table, HOLE[:3])
        table.draw(HOLE[0])

        seen = table.glance()
        assert seen.view.street is Street.OVER or seen.view.due is Due.FLOOR

    def test_without_the_shoe_the_hand_goes_on_by_hand(self, table):
        deal(table, HOLE[:3])
        table.shoe.unplug()
        table.wait(lambda seen: "Shoe" in seen.prompt[3], "the unplugged shoe on the prompt")

        assert table.press(Key.DEAL).view.due is Due.ACTION


    def test_an_open_door_keeps_the_deal_waiting_until_it_is_closed_or_the_dealer_deals_by_hand(self, table):
        deal(table, HOLE[:3])
        table.shoe.do(lambda shoe: shoe.door(opened=True))
        seen = table.wait(lambda seen: "open" in seen.prompt[1], "the open door")
        assert [line.strip() for line in seen.prompt[1:]] == ["Shoe is open", "Close its door", "DEAL: deal by hand"]
        assert troubles(table) == ["door_open"]

        table.send({"down": "deal"})                            # and held: no release drops the question by chance
        asked = table.wait(lambda seen: seen.mode == "WithoutShoe", "the question")
        assert asked.view.due is Due.HOLE_CARDS
        table.shoe.do(lambda shoe: shoe.door(opened=False))
        table.wait(lambda seen: seen.mode == "Play" and "Card to seat" in seen.prompt[1], "the closed door")
        table.send({"up": "deal"})
        table.shoe.do(lambda shoe: shoe.error("03", on=True))
        table.wait(lambda seen: "jammed" in seen.prompt[1], "the jam")
        table.press(Key.DEAL)

        assert table.press(Key.DEAL).view.due is Due.ACTION

    def test_what_is_wrong_with_the_shoe_is_known_after_a_kill(self, table):
        deal(table, HOLE[:3])
        table.shoe.do(lambda shoe: shoe.error("03", on=True))
        table.wait(lambda seen: "jammed" in seen.prompt[1], "the jam")
        table.kill9()
        table.restart()

        assert "jammed" in table.glance().prompt[1]
        table.shoe.do(lambda shoe: shoe.error("03", on=False))
        table.wait(lambda seen: "Card to seat" in seen.prompt[1], "the shoe put right")

    def test_the_error_of_a_doubled_card_leaves_the_prompt_with_the_next_deck(self, table):
        deal(table, HOLE[:3])
        table.draw(HOLE[0])
        assert table.glance().view.due is Due.FLOOR
        table.press(Key.FLOOR)
        table.turn(1)
        table.push()                                            # nobody holds a director's badge: the hand is void
        assert table.glance().view.due is not Due.FLOOR
        table.shuffle()

        table.wait(lambda seen: "twice" not in "".join(seen.prompt), "a prompt without the error", timeout_s=20)
        table.draw("2d")
        assert table.glance().view.due is Due.HOLE_CARDS

    @pytest.mark.parametrize(
        ("befalls", "what"),
        [
            (lambda shoe: shoe.push_back(HOLE[2]), "card_back"),
            (lambda shoe: shoe.draw_foreign("9s"), "wrong_back"),
            (lambda shoe: shoe.draw_two(), "two_cards"),
        ],
        ids=["pushed back", "of another deck", "two at once"],
    )
    def test_cards_that_nobody_can_place_call_the_director(self, table, befalls, what):
        deal(table, HOLE[:3])
        table.shoe.do(befalls)

        table.wait(lambda seen: seen.view.due is Due.FLOOR, what)
        assert table.glance().floor == what

    def test_a_device_in_trouble_is_said_though_the_last_answer_stands(self, table):
        table.tap("0F00AB12CD")
        assert table.glance().prompt[3].startswith("Dealer")
        table.badge_reader.unplug()

        table.wait(lambda seen: seen.prompt[3].startswith("Reader"), "the reader on the prompt", timeout_s=20)


class TestWrongPins:
    def test_are_remembered_by_a_unit_that_was_killed(self, tmp_path):
        pin = subprocess.run(bottone("table", "--hash-pin"), input=b"1238\n", capture_output=True, check=True).stdout
        more = {**SETUP, "badges": {"director_pin": pin.decode().strip()}}
        with VirtualTable(tmp_path, TableFile(shoe="", badge="", more=more)) as table:
            for key in (Key.DEAL, Key.DEAL, Key.DEAL, Key.FOLD, Key.FOLD):
                table.press(key)
            for _ in range(3):
                table.press(Key.UNDO)
                for _ in range(4):
                    table.press(Key.ALL_IN)
            table.kill9()
            table.restart()
            assert table.press(Key.UNDO).prompt[0].strip() == "Director needed"

            for key in (Key.FOLD, Key.CHECK_CALL, Key.BET_RAISE, Key.FLOOR):
                assert table.press(key).prompt[3].strip() == EN.told[Told.PIN_LOCKED]
            assert table.glance().view.due is Due.NEXT_HAND


class TestFirstStart:
    def test_asks_for_what_it_must_know_and_plays(self, tmp_path):
        with VirtualTable(tmp_path, TableFile(shoe="", badge="", chip=25)) as table:
            assert table.glance().prompt[0].strip() == "Table without a hub"
            for _ in range(5):
                table.press(Key.DEAL)
            table.push()
            table.turn(2)
            table.push()
            table.press(Key.DEAL)
            seen = table.press(Key.DEAL)

            assert [seat.seat for seat in seen.view.seats] == [1, 3]
            assert seen.view.due is Due.SHUFFLE
            table.kill9()
            table.restart()
            assert table.glance().view == seen.view

    def test_a_hub_that_is_not_there_does_not_stop_the_table(self, tmp_path):
        more = {"hub": {"unix": str(tmp_path / "nobody.sock")}}
        with VirtualTable(tmp_path, TableFile(shoe="", badge="", more=more)) as table:
            assert not table.glance().hub
            for _ in range(6):
                table.press(Key.DEAL)
            table.push()
            table.turn(2)
            table.push()
            table.press(Key.DEAL)

            assert table.press(Key.DEAL).view.due is Due.SHUFFLE


class TestProcess:
    def test_ends_cleanly_when_asked(self, tmp_path):
        table = VirtualTable(tmp_path, TableFile(more=SETUP)).start()

        assert table.stop() == 0

    def test_a_second_one_on_the_same_data_is_refused(self, bare):
        second = subprocess.run(
            bottone("table", "--config", str(bare.config)), capture_output=True, check=False, timeout=30
        )

        assert second.returncode == 2
        assert b"another `bottone table` runs with this data_dir" in second.stderr

    def test_a_wrong_file_is_one_line_and_exit_status_2(self, tmp_path):
        file = tmp_path / "table.toml"
        file.write_text('unit = "t-1"\nsite = "s"\ndata_dir = "d"\ncolour = 1\n')

        wrong = subprocess.run(bottone("table", "--config", str(file)), capture_output=True, check=False, timeout=30)

        assert wrong.returncode == 2
        assert wrong.stderr.decode().count("\n") == 1
        assert "table.toml:4: colour: unknown key" in wrong.stderr.decode()

    def test_an_unknown_rulebook_is_one_line_and_exit_status_2(self, tmp_path):
        table = VirtualTable(tmp_path, TableFile(book="none", more=SETUP))

        with pytest.raises(TableSilent, match="none"):
            table.start()
        table.stop()

    def test_a_damaged_journal_is_moved_aside_and_said(self, tmp_path):
        with VirtualTable(tmp_path, TableFile(shoe="", badge="", more=SETUP)) as table:
            table.press(Key.DEAL)
            table.kill9()
            raw = bytearray(table.journal.read_bytes())
            raw[100:5000] = b"\xff" * 4900
            table.journal.write_bytes(bytes(raw))
            table.journal.with_name("journal.sqlite-wal").write_bytes(b"")
            table.restart()

            assert "Memory lost: FLOOR" in table.glance().prompt[3]
            assert list(table.data_dir.glob("journal.damaged-*.sqlite"))
            assert table.glance().view.due is Due.SHUFFLE

    def test_a_disk_that_takes_nothing_more_ends_it_with_what_to_do_and_costs_no_committed_press(self, tmp_path):
        with VirtualTable(tmp_path, TableFile(shoe="", badge="", more=SETUP)) as table:
            stands = table.press(Key.DEAL)
            full = table.journal.with_name("journal.sqlite-wal").stat().st_size
            resource.prlimit(table.pid, resource.RLIMIT_FSIZE, (full, full))

            with pytest.raises(TableSilent, match=r"the process ended with 2, .* is the disk full or worn out"):
                table.press(Key.DEAL)
            table.kill9()
            table.restart()

            assert (table.glance().entries, table.glance().view) == (stands.entries, stands.view)

    def test_the_journal_can_be_exported_while_the_table_plays(self, table):
        deal(table)

        exported = subprocess.run(bottone("journal", "export", str(table.journal)), capture_output=True, check=True)
        deeds = [json.loads(line)["deed"] for line in exported.stdout.splitlines()]

        assert [deed["card"] for deed in deeds if deed["type"] == "CardDrawn"] == ["??"] * 6
        assert not [card for card in DECK if card in exported.stdout.decode()]
