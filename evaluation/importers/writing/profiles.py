"""The profiles that files name, added where they are missing and never renamed."""

from collections.abc import Iterable, Mapping

from evaluation.models import Profile

# Between the paper's teens (1) and adults (3) stands the first edition's wider band; others come last.
ORDER = {"child-6-17": 2}
LAST = 9


def ensured_profiles(wanted: Iterable[tuple[str, str, Mapping[str, str]]]) -> dict[str, Profile]:
    """The profiles by slug; `wanted` gives (slug, name, attributes), which only a new profile takes over."""
    profiles = {}
    for slug, name, attributes in wanted:
        if slug not in profiles:
            profiles[slug], _ = Profile.objects.get_or_create(
                slug=slug,
                defaults={"name": name, "attributes": dict(attributes), "order": ORDER.get(slug, LAST)},
            )
    return profiles
