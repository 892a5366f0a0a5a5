"""What a public page shows: which release, whose conversations, which kinds and which models; read from the address."""

from dataclasses import dataclass, field

from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.models import LanguageModel, Profile, Release
from labels.addresses import query_string
from labels.errors import PageNotFound

BOTH = "both"
# `p`: the polarity it stands for.
KINDS_SHOWN = {"promote": "positive", "avoid": "negative"}
ALL_PROFILES = "all"
# So many values that cannot be used are told apart; of more, one notice says how many there are.
MOST_NAMED = 3


@dataclass(frozen=True)
class State:
    """The state of a page. `release` is None only while nothing has been published.

    `profile` is 'both' or the slug of one of the release's `profiles`; `p` is 'both', 'promote' or 'avoid'; `models`
    are the chosen ones of `m`, in its order, all of them part of the release. `notices` say what was ignored.
    """

    release: Release | None
    newest: Release | None
    release_is_pinned: bool = False
    profiles: list[Profile] = field(default_factory=list)
    targets: list[LanguageModel] = field(default_factory=list)
    profile: str = BOTH
    p: str = BOTH
    models: list[LanguageModel] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    @property
    def result_profile(self) -> str:
        """The profile as results name it: 'all' or a slug."""
        return ALL_PROFILES if self.profile == BOTH else self.profile

    @property
    def pinned_slug(self) -> str:
        """The release's slug where the address names it, else nothing: links keep what was pinned."""
        return self.release.slug if self.release and self.release_is_pinned else ""

    @property
    def polarities(self) -> tuple[str, ...]:
        """The polarities shown, good things first."""
        return tuple(KINDS_SHOWN.values()) if self.p == BOTH else (KINDS_SHOWN[self.p],)

    @property
    def who(self) -> str:
        """Whose conversations these are: 'Everyone', or the profile's name."""
        return next((profile.name for profile in self.profiles if profile.slug == self.profile), _("Everyone"))

    @property
    def newer(self) -> Release | None:
        """The newest release, when an older one is shown."""
        return self.newest if self.release and self.newest and self.newest != self.release else None


def read_state(request: HttpRequest) -> State:
    """The state that a page's address asks for, in three queries.

    Unknown values are ignored with a notice; an unknown release raises PageNotFound with the list of releases.
    """
    releases = list(releases_newest_first())
    newest = next((release for release in releases if release.status == Release.Status.PUBLISHED), None)
    slug = request.GET.get("release", "")
    release = _release(slug, releases) if slug else newest
    if release is None:
        return State(release=None, newest=None)
    profiles, targets = list(release.profiles.all()), list(release.targets.all())
    notices: list[str] = []
    return State(
        release=release,
        newest=newest,
        release_is_pinned=bool(slug),
        profiles=profiles,
        targets=targets,
        profile=_known(request, "profile", {profile.slug for profile in profiles}, notices),
        p=_known(request, "p", set(KINDS_SHOWN), notices),
        models=_models(request, targets, notices),
        notices=notices,
    )


def releases_newest_first() -> QuerySet[Release]:
    """All releases, retracted ones too, without their long lists."""
    return Release.objects.defer("groups").select_related("taxonomy", "judge__language_model", "user_simulator")


def _release(slug: str, releases: list[Release]) -> Release:
    found = next((release for release in releases if release.slug == slug), None)
    if found is None:
        raise PageNotFound(
            _("There is no release named “%(slug)s”.") % {"slug": slug},
            [
                (release.title, reverse("labels:labels") + query_string({"release": release.slug}))
                for release in releases
            ],
            _("These releases exist") if releases else "",
        )
    return found


def _known(request: HttpRequest, name: str, values: set[str], notices: list[str]) -> str:
    """One of `values`, or 'both'."""
    value = request.GET.get(name, BOTH) or BOTH
    if value == BOTH or value in values:
        return value
    words = {"value": value, "name": name}
    notices.append(_("“%(value)s” is not known here as %(name)s, so it was ignored.") % words)
    return BOTH


def _models(request: HttpRequest, targets: list[LanguageModel], notices: list[str]) -> list[LanguageModel]:
    """The models of `m`, which holds slugs between commas and may be repeated (so do check boxes)."""
    by_slug = {target.slug: target for target in targets}
    slugs = [slug.strip() for part in request.GET.getlist("m") for slug in part.split(",")]
    chosen = list(dict.fromkeys(slug for slug in slugs if slug))
    unknown = [slug for slug in chosen if slug not in by_slug]
    notices.extend(
        _("No model named “%(slug)s” is in this release, so it was left out.") % {"slug": slug}
        for slug in unknown[:MOST_NAMED]
    )
    if unknown[MOST_NAMED:]:
        n = len(unknown[MOST_NAMED:])
        words = ngettext("%(n)s more was left out likewise.", "%(n)s more were left out likewise.", n)
        notices.append(words % {"n": n})
    return [by_slug[slug] for slug in chosen if slug in by_slug]
