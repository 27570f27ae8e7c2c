"""The hub's key: made once, kept private, and nobody else's word counts."""

import msgspec
import pytest

from engine import wire
from firmware_py.trust import adoption_is_signed, command_is_signed
from hub.signing import KeyFileError, Signer

COMMAND = wire.HubCommand("c1", 1, 1, 1000, msgspec.Raw(wire.encode(wire.Hold(True))))
ADOPT = wire.Adopt(1, 1, 3, "T1", "tda", 9, 25, badge_key="ab")


def test_the_key_is_made_at_the_first_start_and_found_at_the_next(tmp_path):
    path = tmp_path / "data" / "hub.key"

    first, second = Signer.at(path), Signer.at(path)

    assert first.public == second.public
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_a_key_that_others_may_read_is_refused(tmp_path):
    path = tmp_path / "hub.key"
    Signer.at(path)
    path.chmod(0o644)

    with pytest.raises(KeyFileError, match="chmod 600"):
        Signer.at(path)


def test_a_file_that_is_no_key_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "hub.key"
    path.write_bytes(b"too short")
    path.chmod(0o600)

    with pytest.raises(KeyFileError, match="restore the hub's key"):
        Signer.at(path)
    assert path.read_bytes() == b"too short"


def test_a_signed_command_holds_for_one_unit_and_as_it_was_signed():
    signer = Signer(bytes(range(32)))
    signed = signer.command("tbl-a", COMMAND)

    assert command_is_signed("tbl-a", signer.public, signed)
    assert not command_is_signed("tbl-b", signer.public, signed)
    assert not command_is_signed("tbl-a", Signer(bytes(32)).public, signed)
    assert not command_is_signed("tbl-a", "", signed)
    for change in ({"id": "c2"}, {"hub": 2}, {"n": 2}, {"exp_ms": 1001}, {"when": wire.Precondition(1)}, {"sig": "zz"}):
        assert not command_is_signed("tbl-a", signer.public, msgspec.structs.replace(signed, **change))


def test_a_signature_survives_the_wire():
    signer = Signer(bytes(range(32)))

    arrived = msgspec.json.decode(wire.encode(signer.command("tbl-a", COMMAND)), type=wire.HubCommand)

    assert command_is_signed("tbl-a", signer.public, arrived)


def test_the_first_adoption_brings_its_key_and_later_ones_must_be_signed_by_it():
    ours, theirs = Signer(bytes(range(32))), Signer(bytes(32))
    first = ours.adoption("tbl-a", ADOPT)

    assert first.key == ours.public
    assert adoption_is_signed("tbl-a", "", first)
    assert adoption_is_signed("tbl-a", first.key, ours.adoption("tbl-a", msgspec.structs.replace(ADOPT, rev=2)))
    assert not adoption_is_signed("tbl-a", first.key, theirs.adoption("tbl-a", ADOPT))
    changes = ({"ep": 2}, {"table_no": 4}, {"rev": 9}, {"badge_key": "cd"}, {"revoked": ("a",)}, {"key": theirs.public})
    for change in changes:
        assert not adoption_is_signed("tbl-a", "", msgspec.structs.replace(first, **change))
