"""What a person is called where it may be known who they are."""

from typing import Any

ERASED = "an erased account"


def display_label(user: Any) -> str:
    """The person's name, else a phrase that tells nothing; never the e-mail address."""
    if getattr(user, "erased_at", None):
        return ERASED
    return user.name.strip() or "an account without a name"
