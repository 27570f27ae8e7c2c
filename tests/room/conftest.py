"""Real brokers and a real ingest for the tests of the wire."""

import msgspec
import pytest

from deploy import broker
from hub.ingest import Ingest, hub_link
from hub.signing import Signer
from hub.store import Store
from tests.room.peers import SITE, HandUnit
from tests.waiting import until


@pytest.fixture(params=["mosquitto", "iotcore"])
def running(request, tmp_path):
    """A broker; both kinds that a room may have."""
    with broker.running(tmp_path, request.param) as one:
        yield one


@pytest.fixture
def address(running):
    return running.address


class Hub:
    """A store and an ingest, and what they reported."""

    def __init__(self, directory, address):
        self.directory = directory
        self.address = address
        self.committed = []
        self.results = []
        self.open()

    def open(self):
        self.store = Store(self.directory / "hub.sqlite")
        self.link = hub_link(self.address, SITE, self.store.epoch)
        self.link.settings = msgspec.structs.replace(self.link.settings, reconnect_first_s=0.05, reconnect_cap_s=0.5)
        self.signer = Signer.at(self.directory / "hub.key")
        self.ingest = Ingest(
            self.store, self.link, self.committed.extend, site=SITE, signer=self.signer, on_result=self.results.append
        )
        self.ingest.start()
        until(lambda: self.link.up)

    def close(self):
        self.ingest.stop()
        assert self.ingest.failure is None
        self.store.close()

    def restart(self):
        self.close()
        self.open()

    def log(self):
        return self.store.events_after(0)


@pytest.fixture
def hub(tmp_path, address):
    one = Hub(tmp_path, address)
    yield one
    one.close()


@pytest.fixture
def unit(address):
    one = HandUnit(address)
    yield one
    one.close()
