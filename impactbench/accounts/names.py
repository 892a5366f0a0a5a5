"""What a person is called where it may be shown who they are."""

from typing import Any


def display_label(user: Any) -> str:
    """The name a person gave, never the address."""
    if getattr(user, "erased_at", None):
        return "an erased account"
    return user.name.strip() or "an account without a name"
