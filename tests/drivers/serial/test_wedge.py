"""USB keyboard wedges: what is typed becomes a badge; the device is grabbed, lost and found again."""

import errno

import pytest

from drivers.seen import BadgeRead, ErrorKind, InputDown, InputUp, Noise
from drivers.wedge import LINE_CHARACTERS, WedgeDecoder, WedgeReader
from drivers.wedge_sim import ENTER, KEY_OF, SimEvent, WedgeSim, typed
from tests.heard import Heard
from tests.waiting import until


def down(code):
    return SimEvent(0, 0, 1, code, 1)


def numbers(events, digits="decimal", at_s=0.0):
    decoder = WedgeDecoder(digits)
    return [number for event in events if (number := decoder.key(event, at_s))], decoder.noise


class TestDecoder:
    @pytest.mark.parametrize(
        ("digits", "text", "number"),
        [
            ("decimal", "0001193046", "00123456"),
            ("decimal", "3808980205", "E3086CED"),
            ("decimal", "01813398", "001BAB96"),
            ("decimal", "99999999999999", "5AF3107A3FFF"),
            ("hex", "0A00123456", "0A00123456"),
            ("hex", "04a1b2c3", "04A1B2C3"),
        ],
    )
    def test_what_is_typed_is_a_number(self, digits, text, number):
        assert numbers(typed(text), digits) == ([number], 0)

    @pytest.mark.parametrize(
        ("digits", "text"), [("decimal", ""), ("decimal", "1234567"), ("decimal", "12345ABC"), ("hex", "123456789")]
    )
    def test_what_is_no_number_is_noise(self, digits, text):
        assert numbers(typed(text), digits) == ([], len(text) + 1)

    def test_the_keypad_types_too(self):
        keypad = [82, 82, 82, 79, 79, 79, 71, 72, 73, 75]

        assert numbers([down(code) for code in [*keypad, 96]]) == ([f"{1117894:08X}"], 0)

    def test_releases_repeats_shifts_and_other_events_are_no_digits(self):
        one = KEY_OF["1"]
        events = [SimEvent(0, 0, 4, 4, one), down(42), down(one), SimEvent(0, 0, 1, one, 2), SimEvent(0, 0, 1, one, 0)]

        assert numbers([*(events * 8), down(ENTER)]) == ([f"{11111111:08X}"], 0)

    def test_another_key_ends_a_line(self):
        assert numbers([*typed("12345678")[:-6], down(57), *typed("87654321")]) == ([f"{87654321:08X}"], 9)

    def test_a_line_takes_a_second_at_most(self):
        decoder = WedgeDecoder()
        for event in typed("12345678")[:-6]:
            decoder.key(event, 0.0)

        assert [number for event in typed("87654321") if (number := decoder.key(event, 1.5))] == [f"{87654321:08X}"]
        assert decoder.noise == 8

    def test_a_line_without_an_end_is_dropped(self):
        found, noise = numbers([down(KEY_OF["7"])] * 10_000)

        assert found == []
        assert noise >= 10_000 - LINE_CHARACTERS

    def test_the_end_of_a_line_that_is_too_long_is_no_badge_and_the_next_line_is_read(self):
        text = "7" * LINE_CHARACTERS + "0001193046"

        assert numbers([*typed(text), *typed("3808980205")]) == (["E3086CED"], len(text) + 1)


class TestReader:
    @pytest.fixture
    def heard(self):
        return Heard()

    @pytest.fixture
    def sim(self):
        sim = WedgeSim()
        sim.start()
        yield sim
        sim.stop()

    @pytest.fixture
    def reader(self, sim, heard):
        reader = WedgeReader("/dev/input/by-id/wedge", heard, open_source=sim.open)
        reader.start()
        until(lambda: heard.all(InputUp))
        yield reader
        reader.stop()

    def test_a_badge_that_is_typed_again_and_again_is_one_presence(self, sim, reader, heard):
        for _ in range(5):
            sim.tap("0001193046")
        sim.tap("3808980205")
        until(lambda: len(heard.all(BadgeRead)) == 2)

        assert [record.uid_hex for record in heard.all(BadgeRead)] == ["00123456", "E3086CED"]
        assert heard.all(BadgeRead)[0] == BadgeRead("badge", "00123456", "wedge")

    def test_the_device_is_grabbed_and_nobody_else_hears_a_digit(self, sim, reader, heard):
        console = sim.open("/dev/input/by-id/wedge")
        sim.tap("0001193046")
        until(lambda: heard.all(BadgeRead))

        assert list(console.read()) == []
        with pytest.raises(OSError, match="busy"):
            console.grab()
        console.close()

    def test_a_device_that_somebody_else_has_grabbed_is_busy_and_taken_when_it_is_free(self, sim, heard):
        console = sim.open("/dev/input/by-id/wedge")
        console.grab()
        reader = WedgeReader("/dev/input/by-id/wedge", heard, open_source=sim.open)
        reader.start()
        until(lambda: heard.all(InputDown))
        console.close()
        until(lambda: heard.all(InputUp))
        reader.stop()

        assert [record.kind for record in heard.all(InputDown)] == [ErrorKind.BUSY]
        assert "stop it" in heard.all(InputDown)[0].hint

    def test_no_right_to_open_it_says_which_group(self, heard):
        def refuse(path):
            raise PermissionError(errno.EACCES, "Permission denied", path)

        reader = WedgeReader("/dev/input/by-id/wedge", heard, open_source=refuse)
        reader.start()
        until(lambda: heard.all(InputDown))
        reader.stop()

        assert heard.all(InputDown)[0].kind is ErrorKind.DENIED
        assert "group input" in heard.all(InputDown)[0].hint

    def test_noise_is_told(self, sim, reader, heard):
        sim.tap("123")
        until(lambda: heard.all(Noise))

        assert heard.all(Noise) == [Noise("badge", 4)]

    def test_twenty_unplugs_are_each_told_once(self, sim, reader, heard):
        for cycle in range(20):
            sim.unplug()
            until(lambda cycle=cycle: len(heard.all(InputDown)) == cycle + 1, timeout_s=1.0)
            sim.plug()
            until(lambda cycle=cycle: len(heard.all(InputUp)) == cycle + 2)

        assert {record.kind for record in heard.all(InputDown)} == {ErrorKind.GONE}
        assert reader.up

    def test_it_stops_twice_and_starts_once(self, reader):
        with pytest.raises(RuntimeError, match="running"):
            reader.start()
        reader.stop()
        reader.stop()
