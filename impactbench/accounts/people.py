"""Finding people, for operators."""

from django.db.models import Q, QuerySet

from impactbench.accounts.models import User


def found_people(words: str) -> QuerySet[User]:
    """Accounts that are not erased, newest first: with exactly this address, or this in the name; all for no words."""
    people = User.objects.filter(erased_at=None).prefetch_related("role_grants").order_by("-joined_at", "-pk")
    words = words.strip()
    return people.filter(Q(email__iexact=words) | Q(name__icontains=words)) if words else people
