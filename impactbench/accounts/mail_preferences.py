"""The kinds of mail that a person may opt out of; each application names its own when it is loaded."""

_kinds: dict[str, str] = {}


def register(kind: str, words: str) -> None:
    """Let people opt out of a kind of mail; `words` stand beside the box, such as 'Reminders of reviews due'."""
    _kinds[kind] = words


def kinds() -> list[tuple[str, str]]:
    """(kind, words) in the order of registration."""
    return list(_kinds.items())
