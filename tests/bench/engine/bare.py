"""The same calls with no engine at all: aiohttp alone, one process. What no engine on aiohttp can pass.

`python -m tests.bench.engine.bare URL CONVERSATIONS TURNS IN_FLIGHT`
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import aiohttp


async def hold(url: str, n: int, turns: int, in_flight: int) -> None:
    """Holds `n` conversations of `turns` turns, `in_flight` of them at once."""
    left = iter(range(n))
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def one_after_the_other() -> None:
            for _ in left:
                await _conversation(session, f"{url}/chat/completions", turns)

        await asyncio.gather(*(one_after_the_other() for _ in range(in_flight)))


async def _conversation(session: aiohttp.ClientSession, url: str, turns: int) -> None:
    history: list[dict[str, str]] = []
    for number in range(1, turns + 1):
        asked = [{"role": "system", "content": f"Write the message for turn {number}."}, *history]
        history.append({"role": "user", "content": await _call(session, url, "simulator", asked)})
        history.append({"role": "assistant", "content": await _call(session, url, "target", history)})
    transcript = "\n".join(message["content"] for message in history)
    await _call(session, url, "judge", [{"role": "user", "content": transcript}])


async def _call(session: aiohttp.ClientSession, url: str, model: str, messages: list[dict[str, str]]) -> str:
    async with session.post(url, json={"model": model, "messages": messages}) as response:
        body: dict[str, Any] = json.loads(await response.read())
        return str(body["choices"][0]["message"]["content"])


if __name__ == "__main__":
    asyncio.run(hold(sys.argv[1], *map(int, sys.argv[2:5])))
