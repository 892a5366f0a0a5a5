"""The person who asks."""

from django.http import HttpRequest

from impactbench.accounts.models import User


def signed_in_user(request: HttpRequest) -> User:
    """The user of a request that has passed the door; for views that are not public."""
    assert isinstance(request.user, User)
    return request.user
