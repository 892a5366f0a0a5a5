"""Orders by chance that follow from a seed and names alone, the same on every machine and in every version."""

import hashlib
from collections.abc import Iterable


def shuffled(names: Iterable[str], *, key: str, seed: int) -> list[str]:
    """The names in an order by chance; the first n of it are a simple random sample without replacement.

    Each name is placed by the SHA-256 of seed, key and itself, so neither the order in which names are given nor
    the presence of other names changes how two of them stand to each other.
    """
    return sorted(set(names), key=lambda name: (_place(name, key, seed), name))


def _place(name: str, key: str, seed: int) -> bytes:
    # The length keeps ("ab", "c") and ("a", "bc") apart.
    return hashlib.sha256(f"{seed}|{len(key)}|{key}|{name}".encode()).digest()
