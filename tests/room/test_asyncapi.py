"""The AsyncAPI document is made from the records and is what the repository shows."""

import re
from pathlib import Path

from deploy.commands import asyncapi
from engine import wire

KEPT = Path(__file__).parents[2] / "docs" / "asyncapi.json"


def every(node, key):
    if isinstance(node, dict):
        for name, value in node.items():
            if name == key and isinstance(value, str):
                yield value
            yield from every(value, key)
    elif isinstance(node, list):
        for value in node:
            yield from every(value, key)


def test_the_document_in_docs_is_current():
    assert KEPT.read_text() == asyncapi.text(), "run: bottone asyncapi > docs/asyncapi.json"


def test_every_reference_leads_somewhere_and_every_key_is_allowed():
    document = asyncapi.document()
    for reference in every(document, "$ref"):
        node = document
        for part in reference.removeprefix("#/").split("/"):
            node = node[part]
    for kind in ("messages", "schemas"):
        assert all(re.fullmatch(r"[a-zA-Z0-9.\-_]+", key) for key in document["components"][kind])


def test_it_lists_every_topic_with_its_service_and_whether_it_is_retained():
    document = asyncapi.document()
    unit = wire.Topics("{site}").every_unit("").replace("+", "{unit}")
    addresses = {channel["address"]: name for name, channel in document["channels"].items()}
    for channel in (*wire.UP, *wire.DOWN):
        mqtt = document["operations"][addresses[unit + channel.leaf]]["bindings"]["mqtt"]
        assert (mqtt["qos"], mqtt["retain"]) == (channel.qos, channel.retain)
    assert {wire.Topics("{site}").hub(channel.leaf) for channel in wire.HUB} < set(addresses)
    assert len(addresses) == len(wire.UP) + len(wire.DOWN) + len(wire.HUB)


def test_no_record_of_a_table_has_a_field_for_a_card_that_was_not_tabled():
    named = {
        (name, field)
        for name, schema in asyncapi.document()["components"]["schemas"].items()
        for field in schema.get("properties", {})
        if re.search(r"card|hole|deck|burn|muck|stub", field)
    }
    assert named == {("CardsShown", "cards"), ("TableView", "cards_due")}
