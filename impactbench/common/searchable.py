"""Pages of other apps that the search of the public site finds: each app registers how to look in its own.

The public site may not import who writes case studies; both may import this.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise


@dataclass(frozen=True)
class Hit:
    """A published page that was found: its title, its address, and a few words about it."""

    title: str
    href: str
    note: str = ""


# Given words (letters and digits, at least one) and how many are wanted: how many there are, and the first ones.
Source = Callable[[Sequence[str], int], tuple[int, list[Hit]]]

_SOURCES: dict[str, tuple[str | Promise, Source]] = {}


def register(name: str, heading: str | Promise, source: Source) -> None:
    """Let the search look in `source` as well; it may find published pages only, in a fixed number of queries."""
    _SOURCES[name] = (heading, source)


def sources() -> dict[str, tuple[str | Promise, Source]]:
    """All registered sources with their headings, by name."""
    return dict(_SOURCES)
