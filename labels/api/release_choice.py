"""Which release a request is about."""

from evaluation.models import Release
from impactbench.common.api.problems import BadQuery, quoted
from impactbench.common.remembered import remembered
from labels.api.parameters import RELEASE


@remembered
def chosen_release(slug: str | None) -> Release | None:
    """The named release, retracted or not; without a name the newest published one, None while there is none.

    Raises BadQuery for an unknown name.
    """
    releases = Release.objects.select_related("taxonomy", "judge__language_model", "user_simulator")
    if slug is None:
        return releases.filter(status=Release.Status.PUBLISHED).defer("groups").first()
    release = releases.filter(slug=slug).defer("groups").first()
    if release is None:
        raise BadQuery({RELEASE.name: f"There is no release {quoted(slug)}; /api/v1/releases/ lists them."})
    return release
