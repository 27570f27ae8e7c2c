"""A crew in another process: it presses real mock pins and reads what the table can see."""

import json
import socket
import stat

import pytest

from drivers.panel import Panel
from drivers.panel_socket import MAX_LINE_BYTES, MAX_QUEUED, PanelSocket
from drivers.pin_map import PinMap
from drivers.seen import Key, KeyPressed, KeyReleased, KnobPushed, KnobTurned
from tests.waiting import until


class Crew:
    """A client, one JSON line a message."""

    def __init__(self, path):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(5)
        self._socket.connect(str(path))
        self._file = self._socket.makefile("rb")

    def say(self, text):
        self.say_part(text + "\n")

    def say_part(self, text):
        self._socket.sendall(text.encode())

    def read(self):
        return json.loads(self._file.readline())

    def hung_up(self):
        return self._file.readline() == b""

    def close(self):
        self._file.close()
        self._socket.close()


@pytest.fixture
def table(tmp_path):
    seen = []
    panel = Panel(PinMap(), lambda what, at_ns: seen.append(what), lock_ms=5)
    panel.start()
    server = PanelSocket(tmp_path / "panel.sock", panel.mock)
    server.start()
    yield server, seen
    server.stop()
    panel.stop()


@pytest.fixture
def server(table):
    return table[0]


@pytest.fixture
def seen(table):
    return table[1]


@pytest.fixture
def crew(table, tmp_path):
    crew = Crew(tmp_path / "panel.sock")
    yield crew
    crew.close()


def test_a_press_through_the_socket_is_a_press_on_the_pins(crew, seen):
    crew.say('{"press":"fold"}')
    until(lambda: len(seen) == 2)

    assert seen == [KeyPressed(Key.FOLD), KeyReleased(Key.FOLD)]


def test_a_key_can_be_held_and_the_knob_turned_and_pushed(crew, seen):
    crew.say('{"down":"deal"}\n{"turn":-2}\n{"turn":1,"pushed":true}\n{"up":"deal"}\n{"push":true}')
    until(lambda: len(seen) == 6)

    assert seen[:4] == [KeyPressed(Key.DEAL), KnobTurned(-1), KnobTurned(-1), KnobTurned(1, pushed=True)]
    assert set(map(type, seen[4:])) == {KeyReleased, KnobPushed}


def test_everybody_sees_what_the_table_shows_at_once_and_when_it_changes(server, crew, tmp_path):
    server.show({"heard": 1, "prompt": ["Tocca a Nicolò"]})
    assert crew.read() == {"heard": 1, "prompt": ["Tocca a Nicolò"]}

    late = Crew(tmp_path / "panel.sock")
    assert late.read()["heard"] == 1
    server.show({"heard": 1, "prompt": ["Tocca a Nicolò"]})
    server.show({"heard": 2})
    assert crew.read() == late.read() == {"heard": 2}
    late.close()


@pytest.mark.parametrize(
    "line", ["hello", '{"press":"jump"}', '{"press":"fold","card":"Ah"}', "[]", "{}", '{"turn":1000000}']
)
def test_a_line_that_is_none_of_these_is_answered_and_presses_nothing(crew, seen, line):
    crew.say(line)
    assert "error" in crew.read()

    crew.say('{"press":"deal"}')
    until(lambda: seen)
    assert seen[0] == KeyPressed(Key.DEAL)


def test_a_line_without_an_end_is_dropped(crew):
    crew.say_part("x" * (MAX_LINE_BYTES + 1))
    assert "longer than" in crew.read()["error"]

    crew.say("the rest of it")
    assert "not understood" in crew.read()["error"]


def test_a_client_that_does_not_read_holds_nobody_up_and_gets_the_newest(server, crew, tmp_path):
    sleeper = Crew(tmp_path / "panel.sock")
    for n in range(3000):
        server.show({"heard": n, "text": "x" * 2000})
        if n % MAX_QUEUED == 0:
            until(lambda n=n: crew.read()["heard"] == n)
    until(lambda: crew.read()["heard"] == 2999)

    until(lambda: sleeper.read()["heard"] == 2999)
    sleeper.close()


def test_a_client_that_goes_away_is_forgotten(server, crew, tmp_path):
    for _ in range(50):
        Crew(tmp_path / "panel.sock").close()
    server.show({"heard": 9})

    assert crew.read() == {"heard": 9}
    until(lambda: len(server._clients) == 1)


def test_only_the_owner_may_open_the_socket(table, tmp_path):
    assert stat.S_IMODE((tmp_path / "panel.sock").stat().st_mode) == 0o600


def test_a_socket_left_by_a_killed_unit_is_replaced(tmp_path):
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(tmp_path / "panel.sock"))
    dead.close()

    server = PanelSocket(tmp_path / "panel.sock", Panel(PinMap(), print).mock)
    server.start()
    crew = Crew(tmp_path / "panel.sock")
    server.stop()

    assert crew.hung_up()
    assert not (tmp_path / "panel.sock").exists()
    crew.close()


def test_there_is_no_socket_for_real_pins(tmp_path):
    with pytest.raises(ValueError, match="mock"):
        PanelSocket(tmp_path / "panel.sock", Panel(PinMap(), print, "lgpio").mock)


def test_a_socket_on_which_another_unit_listens_is_left_to_it(server, crew, tmp_path):
    second = PanelSocket(tmp_path / "panel.sock", Panel(PinMap(), print).mock)
    with pytest.raises(OSError, match="another unit"):
        second.start()
    second.stop()

    server.show({"heard": 3})
    assert crew.read() == {"heard": 3}
