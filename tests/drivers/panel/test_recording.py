"""The recording bus: what it keeps, and what another process may read of it."""

import errno

import pytest

from drivers.recording import RING_BYTES, RecordingBus, read_record


def test_everything_is_counted_and_the_newest_is_kept():
    bus = RecordingBus(keep=2)
    bus.data([1, 2])
    bus.command(3)
    bus.write_byte(0x27, 4)
    bus.write_i2c_block_data(0x3C, 0x40, [5, 6])

    assert (bus.transfers, bus.bytes_sent) == (4, 7)
    assert list(bus.last) == [b"\x04", b"\x40\x05\x06"]
    assert bus.since(3) == [b"\x40\x05\x06"]
    assert bus.since(4) == []


def test_a_failing_bus_records_nothing():
    bus = RecordingBus()
    bus.fails = OSError(errno.EIO, "Input/output error")

    with pytest.raises(OSError):
        bus.data([1])
    assert bus.transfers == 0


@pytest.mark.parametrize("total", [10, RING_BYTES, 3 * RING_BYTES + 77])
def test_the_file_holds_the_newest_bytes_in_order(tmp_path, total):
    bus = RecordingBus(path=tmp_path / "bytes")
    sent = bytes(i * 7 % 251 for i in range(total))
    for at in range(0, total, 64):
        bus.data(sent[at : at + 64])

    record = read_record(tmp_path / "bytes")

    assert record.bytes_sent == total
    assert record.transfers == -(-total // 64)
    assert record.newest == sent[-RING_BYTES:]
