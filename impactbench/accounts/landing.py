"""The page on which a person's work begins."""

from typing import Any


def landing_page(user: Any) -> str:
    """Where to lead somebody who has just signed in and asked for nothing in particular."""
    if user.has_role("operator"):
        return "/runs/"
    if user.has_role("editor") or user.has_role("reviewer"):
        return "/review/"
    return "/submissions/" if user.has_role("expert") else "/"
