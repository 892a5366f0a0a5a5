"""Which releases are written as files."""

from django.db.models import QuerySet

from evaluation.models import Release
from impactbench.common.errors import UnusableInput


def all_releases() -> QuerySet[Release]:
    """All releases, retracted ones too, the newest first."""
    return Release.objects.select_related("taxonomy", "judge__language_model", "user_simulator").order_by("-pk")


def release_named(slug: str) -> Release:
    """The release of that slug. Raises UnusableInput."""
    found = all_releases().filter(slug=slug).first()
    if found is None:
        known = ", ".join(all_releases().values_list("slug", flat=True)[:5]) or "none yet"
        raise UnusableInput(f"there is no release {slug}; the newest are: {known}")
    return found
