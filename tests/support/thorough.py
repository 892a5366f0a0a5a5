"""How far the sweeps over everybody, everything and every state go."""

import os
import zlib
from collections.abc import Sequence
from typing import TypeVar

One = TypeVar("One")

# `make test` asks for what tells most, `make fuzz` for everything.
THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "fuzz"


def with_one_of(always: Sequence[One], every: Sequence[One], *, of: str) -> Sequence[One]:
    """`every`, or those that are `always` asked for and one more, which is another for other words in `of`."""
    if THOROUGH:
        return every
    others = [one for one in every if one not in always]
    chosen = others[zlib.crc32(of.encode()) % len(others)]
    return [one for one in every if one in always or one == chosen]
