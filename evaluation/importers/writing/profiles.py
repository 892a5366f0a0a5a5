"""The profiles that files name, added where they are missing and never renamed."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from evaluation.importers.writing.storable import refuse_unstorable
from evaluation.models import Profile

# Between the paper's teens (1) and adults (3) stands the first edition's wider band; others come last.
ORDER = {"child-6-17": 2}
LAST = 9


def ensured_profiles(wanted: Iterable[tuple[str, str, Mapping[str, str]]], file: Path) -> dict[str, Profile]:
    """The profiles by slug; `wanted` gives (slug, name, attributes), which only a new profile takes over.

    Raises FileProblem for a name that the database cannot hold.
    """
    stated = {slug: (name, attributes) for slug, name, attributes in wanted}
    known = {profile.slug: profile for profile in Profile.objects.filter(slug__in=list(stated))}
    new = [
        Profile(slug=slug, name=name, attributes=dict(attributes), order=ORDER.get(slug, LAST))
        for slug, (name, attributes) in stated.items()
        if slug not in known
    ]
    Profile.objects.bulk_create(refuse_unstorable(new, file))
    return known | {profile.slug: profile for profile in new}
