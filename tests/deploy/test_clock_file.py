"""Tournament time in a file: what one writes, others read, and it never runs back."""

import struct

import pytest

from deploy.clock_file import ClockFile


def test_it_begins_at_zero_and_others_read_what_was_set(tmp_path):
    with ClockFile(tmp_path / "clock") as clock:
        assert (tmp_path / "clock").read_bytes() == bytes(8)

        clock.set(123_456_789_012)

        assert struct.unpack("<q", (tmp_path / "clock").read_bytes()) == (123_456_789_012,)


def test_it_does_not_run_back(tmp_path):
    with ClockFile(tmp_path / "clock") as clock:
        clock.set(10)

        with pytest.raises(ValueError, match="does not run back"):
            clock.set(9)
        assert clock.now_ms == 10
