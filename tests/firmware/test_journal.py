"""The journal: what is committed is there, in order and unchanged, and nobody reads a card that nobody has seen."""

import resource
import sqlite3
from contextlib import contextmanager

import pytest

from engine.inputs import CardDrawn, Fold, HoleCardsDealt, Level, SitDown
from engine.view import SeatView
from engine.wire import MAX_BYTES, Action, Adopt, HandStarted, Result
from firmware_py.journal import KEPT_RESULTS, Journal
from firmware_py.journal_reading import read_lines, verify
from firmware_py.journal_records import Adopted, Happened, JournalError, Out, TableOpened, kept_name
from firmware_py.sealing import Sealer
from firmware_py.veiling import veil

KEY = b"k" * 32
FOLDED = Action(seat=1, what="fold", to=0, stack=900, pot=150, to_act=2, to_call=100)


@pytest.fixture
def open_journal(tmp_path):
    opened = []

    def open_(key=KEY):
        for journal in opened:
            journal.close()
        opened[:] = [Journal(tmp_path, "table-1", Sealer(key, kept=True))]
        return opened[0]

    yield open_
    for journal in opened:
        journal.close()


def some_play(journal):
    journal.commit(1, "setup", TableOpened("tda", 9, 1))
    journal.commit(2, "shoe", CardDrawn("Ah"), events=[Happened(b'{"type":"HoleCardDealt","seat":1,"card":"Ah"}')])
    journal.commit(3, "shoe", CardDrawn("Kd"), seen=frozenset({"Kd"}), events=[Happened(b'{"card":"Kd"}')])
    journal.commit(4, "panel", Fold(1), out=[Out(1, 0, FOLDED)], ruling="ok")


def all_bytes(directory):
    return b"".join(path.read_bytes() for path in directory.iterdir() if path.is_file())


class TestWhatIsCommitted:
    def test_comes_back_in_order_after_the_process_has_gone(self, open_journal):
        some_play(open_journal())

        kept, entries = open_journal().history()

        assert kept is None
        deeds = [TableOpened("tda", 9, 1), CardDrawn("Ah"), CardDrawn("Kd"), Fold(1)]
        assert [entry.deed for entry in entries] == deeds
        assert [entry.at_ms for entry in entries] == [1, 2, 3, 4]

    def test_after_a_snapshot_only_what_followed_is_played_again(self, open_journal):
        journal = open_journal()
        journal.commit(1, "panel", Fold(1), snapshot=b"after the hand")
        journal.commit(2, "panel", Fold(2))

        kept, entries = open_journal().history()

        assert kept is not None
        assert kept.state == b"after the hand"
        assert [entry.deed for entry in entries] == [Fold(2)]

    def test_an_older_snapshot_is_found_for_what_goes_back_behind_the_newest(self, open_journal):
        journal = open_journal()
        for hand in range(3):
            journal.commit(hand, "panel", Fold(hand + 1), snapshot=b"hand %d" % hand)

        newest, _ = journal.history()
        older, entries = journal.history(before=newest.n)

        assert (newest.state, older.state) == (b"hand 2", b"hand 1")
        assert [entry.deed for entry in entries] == [Fold(3)]

    def test_a_commit_that_the_disk_refuses_leaves_nothing_behind(self, open_journal):
        journal = open_journal()
        some_play(journal)
        with pytest.raises(JournalError, match="at most"):
            journal.commit(5, "hub", SitDown(1, "p", 100, "x" * 5000), out=[Out(1, 0, FOLDED)])

        assert journal.entries == 4
        assert len(journal.outbox_after(0, 9)) == 1
        journal.commit(6, "panel", Fold(2))
        assert open_journal().entries == 5

    def test_a_second_process_is_told_that_the_first_one_runs(self, tmp_path, open_journal):
        open_journal()

        with pytest.raises(JournalError, match="another `bottone table` runs"):
            Journal(tmp_path, "table-1", Sealer(KEY, kept=True))

    def test_boots_are_counted(self, open_journal):
        assert [open_journal().boot, open_journal().boot] == [1, 2]


class TestOutbox:
    def test_numbers_run_on_over_restarts_and_acknowledgements(self, open_journal):
        journal = open_journal()
        journal.commit(1, "hub", Adopted(Adopt(1, 7, 3, "T", "tda", 9, 1)), meta={"ep": 7, "table_no": 3})
        journal.commit(2, "panel", Fold(1), out=[Out(1, 0, FOLDED), Out(1, 0, FOLDED)])
        journal.acknowledge(7, 2)
        journal = open_journal()
        journal.commit(3, "panel", Fold(2), out=[Out(1, 0, FOLDED)])

        assert [seq for seq, _ in journal.outbox_after(0, 9)] == [3]
        assert journal.outbox_depth()[:2] == (3, 3)

    def test_an_event_has_the_same_bytes_however_often_it_is_sent(self, open_journal):
        journal = open_journal()
        journal.commit(2, "panel", Fold(1), out=[Out(5, 1, FOLDED, "cmd-1")])
        first = journal.outbox_after(0, 9)

        assert open_journal().outbox_after(0, 9) == first
        assert b'"hand":5,"hand_rev":1' in first[0][1]
        assert b'"cause":"cmd-1"' in first[0][1]

    def test_an_acknowledgement_of_another_incarnation_forgets_nothing(self, open_journal):
        journal = open_journal()
        journal.commit(1, "hub", Adopted(Adopt(1, 7, 3, "T", "tda", 9, 1)), meta={"ep": 7})
        journal.commit(2, "panel", Fold(1), out=[Out(1, 0, FOLDED)])

        journal.acknowledge(6, 1)

        assert len(journal.outbox_after(0, 9)) == 1

    def test_what_was_committed_before_the_adoption_travels_under_the_new_number(self, open_journal):
        journal = open_journal()
        journal.commit(1, "panel", Fold(1), out=[Out(1, 0, FOLDED)])
        journal.commit(2, "hub", Adopted(Adopt(1, 7, 3, "T", "tda", 9, 1)), meta={"ep": 7})

        assert b'"ep":7,"seq":1' in journal.outbox_after(0, 9)[0][1]


class TestResults:
    def test_a_repeated_command_finds_its_answer(self, open_journal):
        open_journal().commit(1, "hub", Fold(1), result=Result("cmd-1", "ok"))

        assert open_journal().result_of("cmd-1") == Result("cmd-1", "ok")

    def test_only_the_newest_are_kept(self, open_journal):
        journal = open_journal()
        for number in range(KEPT_RESULTS + 1):
            journal.note(result=Result(f"cmd-{number}", "refused"))

        assert journal.result_of("cmd-0") is None
        assert journal.result_of("cmd-1") is not None


class TestUnseenCards:
    def test_are_not_on_the_disk_in_any_form_that_can_be_read(self, tmp_path, open_journal):
        some_play(open_journal())

        stored = all_bytes(tmp_path)

        assert b'"Ah"' not in stored
        assert b'"Kd"' in stored

    def test_come_back_to_a_process_that_has_the_key(self, open_journal):
        some_play(open_journal())

        assert CardDrawn("Ah") in [entry.deed for entry in open_journal().history()[1]]

    def test_are_unknown_once_the_key_is_gone(self, open_journal):
        some_play(open_journal())

        deeds = [entry.deed for entry in open_journal(b"x" * 32).history()[1]]

        assert CardDrawn("Ah") not in deeds
        assert CardDrawn("??") in deeds
        assert CardDrawn("Kd") in deeds

    def test_are_erased_two_hands_later_and_the_chain_still_holds(self, open_journal):
        journal = open_journal()
        some_play(journal)
        for hand in range(3):
            journal.commit(10 + hand, "panel", Fold(1), snapshot=b"s")
        database = sqlite3.connect(journal.path)
        sealed = database.execute("SELECT count(*) FROM entries WHERE sealed NOT NULL").fetchone()
        sealed += database.execute("SELECT count(*) FROM events WHERE sealed NOT NULL").fetchone()
        database.close()

        assert sealed == (0, 0)
        assert verify(journal.path).trouble == ""

    @pytest.mark.parametrize(
        ("deed", "seen", "veiled"),
        [
            (b'{"type":"CardDrawn","card":"Ah"}', set(), b'{"type":"CardDrawn","card":"??"}'),
            (b'{"type":"CardDrawn","card":"Ah"}', {"Ah"}, b'{"type":"CardDrawn","card":"Ah"}'),
            (b'{"known":{"1":["Ah","2c"]}}', {"2c"}, b'{"known":{"1":["??","2c"]}}'),
            (b'{"type":"SitDown","name":"Ah"}', set(), b'{"type":"SitDown","name":"Ah"}'),
        ],
    )
    def test_are_the_ones_that_do_not_lie_open(self, deed, seen, veiled):
        assert veil(deed, frozenset(seen)) == veiled

    def test_dealt_by_hand_are_hidden_too(self, tmp_path, open_journal):
        open_journal().commit(1, "panel", HoleCardsDealt({1: ("Ah", "Qs")}))

        assert b"Qs" not in all_bytes(tmp_path)


class TestTampering:
    CHANGES = (
        ("UPDATE entries SET body='{\"type\":\"Fold\",\"seat\":2}' WHERE n=4", "entry 4 was changed"),
        ("UPDATE entries SET at_ms=99 WHERE n=3", "entry 3 was changed"),
        ("UPDATE entries SET ruling='refused' WHERE n=4", "entry 4 was changed"),
        ("DELETE FROM entries WHERE n=2", "entries 2 to 2 are missing"),
        ("UPDATE entries SET sealed=zeroblob(40) WHERE n=2", "sealed card of entry 2"),
        ("UPDATE events SET body='{\"card\":\"2c\"}' WHERE n=3", "an event of entry 3"),
        ("UPDATE events SET sealed=zeroblob(40) WHERE n=2", "event 0 of entry 2"),
        ("DELETE FROM events WHERE n=3", "an event of entry 3"),
        ("INSERT INTO events VALUES(4, 0, 4, '{}', NULL, zeroblob(32))", "an event of entry 4"),
    )

    @pytest.mark.parametrize(("change", "said"), CHANGES)
    def test_is_seen(self, tmp_path, open_journal, change, said):
        journal = open_journal()
        some_play(journal)
        with sqlite3.connect(journal.path) as database:
            database.execute(change)
        database.close()

        assert said in verify(journal.path).trouble

    def test_that_did_not_happen_is_not_seen(self, open_journal):
        journal = open_journal()
        some_play(journal)

        assert verify(journal.path) == (4, "")


@pytest.mark.parametrize("letter", ["x", "\u00e9", "\u597d", "\U0001f0a1", '"', "\x01"], ids=ascii)
def test_twelve_players_with_the_longest_names_fit_one_message(open_journal, letter):
    seats = tuple(
        SeatView(seat, "p" * 32, kept_name(letter * 120), 1_234_567, 100_000, last="raise_to 100000")
        for seat in range(1, 13)
    )
    started = HandStarted(1, 2, 3, Level(100, 200), seats, {seat.seat: 1_334_567 for seat in seats}, 300)
    journal = open_journal()

    journal.commit(1, "panel", Fold(1), out=[Out(345, 0, started)])

    ((_, envelope),) = journal.outbox_after(0, 1)
    assert len(envelope) <= MAX_BYTES
    assert seats[0].name
    assert kept_name("Nicolò De Santis") == "Nicolò De Santis"


@contextmanager
def no_room():
    """No file of this process may grow (setrlimit(2), RLIMIT_FSIZE): what SQLite meets on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


class TestAFullDisk:
    def test_is_told_with_what_to_do_and_what_was_committed_stays(self, open_journal):
        journal = open_journal()
        some_play(journal)
        told = "is the disk full or worn out"

        with no_room():
            with pytest.raises(JournalError, match=told):
                journal.commit(5, "panel", Fold(2))
            with pytest.raises(JournalError, match=told):
                journal.note({"level": 2})
            journal.acknowledge(0, 1)                       # of no incarnation: nothing to write
        journal.commit(6, "panel", Fold(2))

        _, entries = open_journal().history()
        assert [entry.at_ms for entry in entries] == [1, 2, 3, 4, 6]
        assert verify(journal.path).trouble == ""

    def test_is_no_damage_a_start_moves_nothing_aside(self, tmp_path, open_journal):
        journal = open_journal()
        some_play(journal)
        journal.close()

        with no_room(), pytest.raises(JournalError, match="is the disk full or worn out"):
            open_journal()

        assert not list(tmp_path.glob("*damaged*"))
        assert open_journal().entries == 4


class TestDamage:
    def test_a_torn_file_is_moved_aside_and_never_overwritten(self, tmp_path, open_journal):
        some_play(open_journal())
        journal = open_journal()
        journal.close()
        torn = journal.path.read_bytes()[:-4096]
        journal.path.write_bytes(torn[:4000] + b"\xff" * 5000 + torn[9000:])
        damaged = journal.path.read_bytes()

        again = Journal(tmp_path, "table-1", Sealer(KEY, kept=True))

        assert again.entries == 0
        assert again.moved_aside is not None
        assert again.moved_aside.read_bytes() == damaged
        again.close()

    def test_a_changed_entry_that_would_be_replayed_is_damage(self, tmp_path, open_journal):
        journal = open_journal()
        some_play(journal)
        journal.close()
        with sqlite3.connect(journal.path) as database:
            database.execute("UPDATE entries SET body='{\"type\":\"Fold\",\"seat\":2}' WHERE n=4")
        database.close()

        again = Journal(tmp_path, "table-1", Sealer(KEY, kept=True))

        assert again.moved_aside is not None
        again.close()

    @pytest.mark.parametrize(
        "change",
        [
            "UPDATE snapshots SET state=replace(state, '1000', '9000')",
            "UPDATE meta SET value='{' WHERE key='unit'",
            "UPDATE entries SET source=CAST(x'ff' AS TEXT) WHERE n=2",
        ],
    )
    def test_a_changed_snapshot_fact_or_word_is_damage(self, tmp_path, open_journal, change):
        journal = open_journal()
        journal.commit(1, "setup", TableOpened("tda", 9, 1), snapshot=b'{"stack":1000}')
        journal.commit(2, "panel", Fold(1))
        journal.close()
        with sqlite3.connect(journal.path) as database:
            database.execute(change)
        database.close()

        again = Journal(tmp_path, "table-1", Sealer(KEY, kept=True))

        assert (again.moved_aside is not None, again.entries) == (True, 0)
        again.close()

    def test_a_snapshot_that_was_dropped_or_kept_anew_is_none(self, open_journal):
        journal = open_journal()
        for n in range(1, 9):
            journal.commit(n, "panel", Fold(1), snapshot=b'{"after":%d}' % n)
        journal.commit(9, "panel", Fold(2), forget_snapshots_from=7)
        journal.commit(10, "panel", Fold(2), snapshot=b'{"after":10}')

        again = open_journal()
        assert (again.moved_aside, again.entries) == (None, 10)

    def test_a_file_that_is_none_of_ours_is_refused_by_name(self, tmp_path):
        (tmp_path / "x.sqlite").write_text("no database")

        with pytest.raises(JournalError, match="no table's journal"):
            list(read_lines(tmp_path / "x.sqlite"))
        assert "no table's journal" in verify(tmp_path / "x.sqlite").trouble
