"""What a person is called where it may be known who they are."""

from impactbench.accounts.models import User


def display_label(user: User) -> str:
    """The person's name, else a phrase that tells nothing; never the e-mail address."""
    return user.name.strip() or "an account without a name"
