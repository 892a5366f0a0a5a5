"""A person's ORCID iD, which ORCID itself has confirmed."""

from typing import Any

from allauth.socialaccount.models import SocialAccount

PROVIDER = "orcid"


def orcid_of(user: Any) -> str:
    """The iD, such as 0000-0002-1825-0097, or nothing when the person has linked none."""
    return SocialAccount.objects.filter(user=user, provider=PROVIDER).values_list("uid", flat=True).first() or ""
