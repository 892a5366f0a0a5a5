"""Links to this site that are read outside of a request: in a terminal, in a mail."""

from django.conf import settings
from django.urls import reverse

from impactbench.accounts.models import User
from impactbench.accounts.services import sign_in_token


def sign_in_link(user: User, site: str = "") -> str:
    """The full address that signs the user in once; `site` stands in where PUBLIC_URL is not set."""
    base = settings.PUBLIC_URL or site or settings.LOCAL_URL
    return base.rstrip("/") + reverse("accounts:sign-in", args=[sign_in_token(user)])
