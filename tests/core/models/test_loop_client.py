import asyncio

from cellwright.models.loop_client import LoopClient, trusted


class Client:
    made = 0

    def __init__(self):
        Client.made += 1
        self.closed_on = None

    async def close(self):
        self.closed_on = asyncio.get_running_loop()


def test_each_event_loop_has_one_client_which_is_closed_on_it():
    held = LoopClient(Client, lambda client: client.close())

    async def twice():
        first, second = await held.get(), await held.get()
        assert (first is second, first.closed_on) == (True, None)
        return first, asyncio.get_running_loop()

    (one, its_loop), (other, _) = asyncio.run(twice()), asyncio.run(twice())
    assert (one is other, one.closed_on is its_loop, other.closed_on is None) == (False, True, False)


def test_the_certificates_are_read_once():
    assert trusted() is trusted()
