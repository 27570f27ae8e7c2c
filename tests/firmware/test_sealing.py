"""Sealed cards: readable by the process that has the key, and by nobody else."""

import stat

from firmware_py.sealing import Sealer


def test_a_restarted_process_of_the_same_boot_opens_what_was_sealed(tmp_path):
    sealed = Sealer.in_directory(tmp_path / "ram", "table-1").seal(b"Ah", b"7.-1")

    assert Sealer.in_directory(tmp_path / "ram", "table-1").open(sealed, b"7.-1") == b"Ah"


def test_without_the_key_nothing_opens(tmp_path):
    sealed = Sealer.in_directory(tmp_path / "ram", "table-1").seal(b"Ah", b"7.-1")

    assert Sealer.in_directory(tmp_path / "other boot", "table-1").open(sealed, b"7.-1") is None
    assert b"Ah" not in sealed


def test_a_sealed_card_cannot_be_moved_to_another_place_or_changed(tmp_path):
    sealer = Sealer.in_directory(tmp_path, "table-1")
    sealed = sealer.seal(b"Ah", b"7.-1")

    assert sealer.open(sealed, b"8.-1") is None
    assert sealer.open(sealed[:-1] + bytes([sealed[-1] ^ 1]), b"7.-1") is None


def test_the_key_is_the_owners_alone(tmp_path):
    Sealer.in_directory(tmp_path / "ram", "table-1")

    assert stat.S_IMODE((tmp_path / "ram" / "table-1.key").stat().st_mode) == 0o600


def test_where_the_directory_cannot_be_the_key_stays_in_the_process(tmp_path):
    (tmp_path / "file").write_text("in the way")

    sealer = Sealer.in_directory(tmp_path / "file" / "ram", "table-1")

    assert not sealer.kept
    assert sealer.open(sealer.seal(b"Ah", b"1"), b"1") == b"Ah"
