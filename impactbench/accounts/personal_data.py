"""What is kept about a person: taken along as a file, or erased. Each application adds its own part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Export = Callable[[Any], Any]
Erase = Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class Part:
    """What one application keeps about people."""

    name: str
    export: Export
    erase: Erase


_parts: dict[str, Part] = {}


def register(name: str, export_function: Export, erase_function: Erase) -> None:
    """Add a part; called by an application's `ready`.

    `export_function(user)` gives what JSON can hold (dates too); `erase_function(user)` removes or blanks whatever
    names the person, inside the transaction that erases the account and before the account itself is blanked.
    """
    _parts[name] = Part(name, export_function, erase_function)


def exported(user: Any) -> dict[str, Any]:
    """Everything that is kept about the user, by part."""
    return {part.name: part.export(user) for part in _parts.values()}


def erase_parts(user: Any) -> None:
    """Let every part forget the user, addresses and account last; part of the caller's transaction."""
    for part in reversed(_parts.values()):
        part.erase(user)
