"""`bottone asyncapi`: what a room says over MQTT, as an AsyncAPI 3.0 document made from the records themselves.

Specification: https://www.asyncapi.com/docs/reference/specification/v3.0.0; MQTT binding 0.2.0:
https://github.com/asyncapi/bindings/tree/master/mqtt
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.wire import Channel

HELP = "prints the AsyncAPI document of the messages between tables and hub"

BINDING = "0.2.0"
REF = "#/components/schemas/{name}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Nothing to choose: there is one protocol."""
    parser.add_argument("--indent", type=int, default=1, metavar="N", help="spaces of indentation (default 1)")


def run(args: argparse.Namespace) -> int:
    """Prints the document as JSON."""
    print(text(args.indent), end="")
    return 0


def text(indent: int = 1) -> str:
    """The document as it is printed and kept in docs/asyncapi.json."""
    import json

    return json.dumps(document(), indent=indent, ensure_ascii=False) + "\n"


def document() -> dict[str, Any]:
    """The whole document."""
    from engine import wire

    channels: dict[str, Any] = {}
    operations: dict[str, Any] = {}
    messages: dict[str, Any] = {}
    for group, who, listener in ((wire.UP, "table", "hub"), (wire.DOWN, "hub", "table"), (wire.HUB, "hub", "table")):
        for channel in group:
            name = _name(channel, shared=group is wire.HUB)
            channels[name] = _channel(channel, name, shared=group is wire.HUB)
            operations[name] = _operation(channel, name, who, listener)
            messages[name] = _message(channel)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Bottone: a room's messages",
            "version": f"{wire.PROTOCOL}.0.0",
            "description": (wire.__doc__ or "").strip(),
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "channels": channels,
        "operations": operations,
        "components": {"messages": messages, "schemas": dict(_schemas())},
    }


def _name(channel: Channel, *, shared: bool) -> str:
    """A key of `components` holds letters, digits, dots, hyphens and underscores only (3.0.0, Components Object)."""
    return ("hub." if shared else "") + channel.leaf.replace("/", ".")


def _channel(channel: Channel, name: str, *, shared: bool) -> dict[str, Any]:
    from engine import wire

    root = f"bottone/{wire.PROTOCOL}/{{site}}/"
    parameters = {"site": {"description": "one hub and its tables"}}
    if not shared:
        parameters["unit"] = {"description": f"the hardware's identity: {wire.UNIT_ID.pattern}"}
    return {
        "address": root + (f"hub/{channel.leaf}" if shared else f"u/{{unit}}/{channel.leaf}"),
        "description": _doc(channel.record),
        "parameters": parameters,
        "messages": {channel.record.__name__: {"$ref": f"#/components/messages/{name}"}},
    }


def _operation(channel: Channel, name: str, who: str, listener: str) -> dict[str, Any]:
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{name}"},
        "summary": f"the {who} to the {listener}",
        "bindings": {"mqtt": {"qos": channel.qos, "retain": channel.retain, "bindingVersion": BINDING}},
    }


def _message(channel: Channel) -> dict[str, Any]:
    from engine import wire

    one = {"$ref": REF.format(name=channel.record.__name__)}
    if not channel.many:
        return {"payload": one}
    return {"payload": {"oneOf": [one, {"type": "array", "items": one, "maxItems": wire.MAX_BATCH}]}}


def _schemas() -> Iterator[tuple[str, Any]]:
    """Every record, with the bodies of events and commands where the envelopes say "any"."""
    from typing import get_args

    import msgspec

    from engine import wire

    records = [channel.record for channel in (*wire.UP, *wire.DOWN, *wire.HUB)]
    bodies = list(wire.BODIES.values())
    commands = list(get_args(wire.CommandBody))
    _, schemas = msgspec.json.schema_components([*records, *bodies, *commands], ref_template=REF)
    schemas["Envelope"]["properties"]["body"] = {
        "description": "by `kind`; other kinds are kept and acknowledged",
        "anyOf": [{"$ref": REF.format(name=body.__name__)} for body in bodies] + [{"type": "object"}],
    }
    schemas["Envelope"]["properties"]["kind"]["examples"] = list(wire.BODIES)
    schemas["HubCommand"]["properties"]["body"] = {
        "oneOf": [{"$ref": REF.format(name=command.__name__)} for command in commands]
    }
    yield from sorted(schemas.items())


def _doc(record: type) -> str:
    return " ".join((record.__doc__ or "").split())
