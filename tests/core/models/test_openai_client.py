import asyncio

from cellwright.models.access import Access, Key
from cellwright.models.attempts import Patience
from cellwright.models.openai_client import new_client


def test_the_client_is_the_vendors_and_leaves_asking_again_to_us():
    async def look():
        client = new_client(Access("openai", "m", "http://127.0.0.1:1/v1", Key("key")), Patience(idle=7))
        facts = client.max_retries, client.timeout.read, str(client.base_url)
        await client.close()
        return facts

    assert asyncio.run(look()) == (0, 7, "http://127.0.0.1:1/v1/")
