import asyncio

import httpcore2
import pytest

from cellwright.web.pinned import Pinned


class Network(httpcore2.AsyncNetworkBackend):
    def __init__(self, *deaf):
        self.deaf, self.tried = deaf, []

    async def connect_tcp(self, host, port, timeout=None, local_address=None, socket_options=None):
        self.tried.append(host)
        if host in self.deaf:
            raise httpcore2.ConnectError(f"{host} does not hear")
        return httpcore2.AsyncMockStream([])


def connect(network, *addresses):
    return asyncio.run(Pinned(addresses, network).connect_tcp("name.test", 80))


def test_a_connection_goes_to_an_address_and_never_to_the_name():
    network = Network()
    connect(network, "192.0.2.1", "192.0.2.2")
    assert network.tried == ["192.0.2.1"]


def test_the_next_address_is_tried_if_one_takes_no_connection():
    network = Network("192.0.2.1")
    connect(network, "192.0.2.1", "192.0.2.2")
    assert network.tried == ["192.0.2.1", "192.0.2.2"]


def test_only_a_few_addresses_are_tried():
    addresses = [f"192.0.2.{n}" for n in range(9)]
    network = Network(*addresses)
    with pytest.raises(httpcore2.ConnectError, match="does not hear"):
        connect(network, *addresses)
    assert len(network.tried) == 4


def test_a_name_without_an_address_is_an_error():
    with pytest.raises(httpcore2.ConnectError, match="has no address"):
        connect(Network())
