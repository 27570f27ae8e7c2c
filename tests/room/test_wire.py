"""What a payload must be before anybody looks at it."""

import msgspec
import pytest

from engine import wire

HUB = b'{"st":"ready","hub":1,"since":0'
CLOCK = b'{"hub":1,"rev":1,"running":true,"anchor_ms":0,"remain_ms":1'
ADOPT = b'{"rev":1,"ep":1,"table_no":1,"tournament":"T","book":"tda"'


def test_brackets_side_by_side_and_in_words_are_not_deep():
    flat = HUB + b',"more":[' + b"[]," * 200 + b'"' + b"[" * 200 + b'\\"{{"]}'

    assert wire.decode(flat, wire.HubState) == wire.HubState("ready", 1, 0)


@pytest.mark.parametrize(
    ("payload", "record"),
    [
        (HUB + b',"more":' + b"[" * 150_000 + b"}", wire.HubState),
        (HUB + b',"more":' + b'{"a":' * 101 + b"1" + b"}" * 102, wire.HubState),
        (HUB + b',"more":' + b"[[]," * 101 + b"1" + b"]" * 101 + b"}", wire.HubState),
        (HUB + b',"more":"' + b"x" * wire.MAX_PAYLOAD_BYTES + b'"}', wire.HubState),
        (b'{"st":"ready","hub":0,"since":0}', wire.HubState),
        (CLOCK + b',"index":-5,"schedule":[{"minutes":20}]}', wire.Clock),
        (CLOCK + b',"index":0,"schedule":[{"minutes":1e300}]}', wire.Clock),
        (b'{"n":1,"t1":0,"t2":1e308,"t3":1e308,"hub":1}', wire.TimeReply),
        (ADOPT + b',"size":1000000,"chip":25}', wire.Adopt),
        (ADOPT + b',"size":9,"chip":0}', wire.Adopt),
    ],
    ids=lambda part: repr(part)[:20] if isinstance(part, bytes) else "",
)
def test_what_would_break_whoever_believed_it_is_refused(payload, record):
    with pytest.raises(msgspec.DecodeError):
        wire.decode(payload, record)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("street", b'{"street":"fourth","board":[],"pot":0,"to_act":1}'),
        ("eliminated", b'{"seat":-1,"player":"p1","stack_before":100}'),
        ("pot_awarded", b'{"amount":100,"shares":{"23":100}}'),
        ("floor_called", b'{"why":"\xff"}'),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_an_event_of_a_street_or_a_seat_that_no_table_has_is_malformed(kind, body):
    envelope = wire.Envelope("tbl-1", 1, 1, kind, 1, 0, wire.Stamp(0, 0), msgspec.Raw(body))

    with pytest.raises(msgspec.DecodeError):
        wire.decode_body(envelope)


@pytest.mark.parametrize("utc", [-1, 9_007_199_254_740_991])
def test_an_event_of_a_year_that_no_calendar_has_is_malformed(utc):
    event = b'{"unit":"tbl-1","ep":1,"seq":1,"kind":"x","hand":1,"hand_rev":0,"t":{"mono":0,"utc":%d},"body":{}}' % utc

    with pytest.raises(msgspec.ValidationError):
        wire.decode(event, wire.Envelope)
