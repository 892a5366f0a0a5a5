"""What a token may be made for: few scopes, each named by what it allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from impactbench.accounts.models import RoleGrant


@dataclass(frozen=True, slots=True)
class Scope:
    """One thing that a token allows. `role`, where there is one, is needed for it again at every request."""

    name: str
    words: str
    role: str = ""

    def is_open_to(self, user: Any) -> bool:
        """Whether the person may do this now, by whatever means."""
        return not self.role or user.has_role(self.role)


SCOPES: dict[str, Scope] = {
    scope.name: scope
    for scope in (
        Scope("submissions:read", "Read my submissions"),
        Scope("submissions:write", "Write, send and withdraw my submissions"),
        Scope("imports:read", "Read what became of imported files", RoleGrant.Role.EDITOR),
        Scope("imports:write", "Import benchmark files as drafts", RoleGrant.Role.EDITOR),
    )
}


def scopes_for(user: Any) -> list[Scope]:
    """What the person may make a token for."""
    return [scope for scope in SCOPES.values() if scope.is_open_to(user)]
