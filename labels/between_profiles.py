"""Whether a model did otherwise with one group of people than with another, row by row, beyond chance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.models import LanguageModel, Profile, Release, Result
from labels.differences import Differences, Said, profile_differences
from labels.wording import KINDS, in_words

# (group, key, polarity): a headline or a row.
Place = tuple[str, str, str]
# (group, key, polarity, profile)
ResultKey = tuple[str, str, str, str]


@dataclass(frozen=True)
class Gap:
    """Two groups that the data tell apart at one place: the pass rate was lower for `lower` than for `higher`."""

    lower: Profile
    higher: Profile


@dataclass(frozen=True)
class PairOfProfiles:
    """Two groups beside each other: at how many rows they could be compared, and where they differ."""

    a: Profile
    b: Profile
    n_rows: int
    gaps: Mapping[Place, Gap] = field(default_factory=dict)


def read_between_profiles(
    release: Release, model: LanguageModel, results: Mapping[ResultKey, Result], profiles: Sequence[Profile]
) -> list[PairOfProfiles]:
    """Every pair of the release's profiles, for one model, in one query; nothing of a release without comparisons.

    `labels.differences` decides: by the corrected comparison, and only where both sides have enough data.
    """
    if len(profiles) < 2:
        return []
    found = profile_differences(release, [model], [Result.Group.OVERALL, Result.Group.LABEL_ROW])
    return between_profiles(found, results, profiles)


def between_profiles(
    found: Differences, results: Mapping[ResultKey, Result], profiles: Sequence[Profile]
) -> list[PairOfProfiles]:
    """The same from comparisons that were read, over the headlines and rows that `results` has."""
    if not found.is_compared:
        return []
    places = dict.fromkeys((group, key, polarity) for group, key, polarity, _profile in results)
    return [_pair(a, b, found, list(places), results) for a, b in combinations(profiles, 2)]


def words_at(pairs: Sequence[PairOfProfiles], place: Place, *, n_profiles: int) -> str:
    """'lower for Ages 6-17', or nothing; with more than two profiles it also says than for whom."""
    gaps = [pair.gaps[place] for pair in pairs if place in pair.gaps]
    if n_profiles == 2:
        return "".join(_("lower for %(group)s") % {"group": gap.lower.name} for gap in gaps)
    return "; ".join(
        _("lower for %(lower)s than for %(higher)s") % {"lower": gap.lower.name, "higher": gap.higher.name}
        for gap in gaps
    )


def sentences(pairs: Sequence[PairOfProfiles]) -> list[str]:
    """What the label says of its groups: where they differ, that none do, or that they were not compared."""
    if not pairs:
        return [_("Whether the groups differ by more than chance was not compared.")]
    return [sentence for pair in pairs for sentence in _of_pair(pair)]


def _pair(
    a: Profile, b: Profile, found: Differences, places: Sequence[Place], results: Mapping[ResultKey, Result]
) -> PairOfProfiles:
    gaps, n_rows = {}, 0
    for place in places:
        said = found.of_profiles(a.slug, b.slug, results.get((*place, a.slug)), results.get((*place, b.slug))).said
        if said in (Said.HIGHER, Said.LOWER):
            gaps[place] = Gap(a, b) if said is Said.LOWER else Gap(b, a)
        n_rows += place[0] == Result.Group.LABEL_ROW and said in (Said.HIGHER, Said.LOWER, Said.TIED)
    return PairOfProfiles(a, b, n_rows, gaps)


def _of_pair(pair: PairOfProfiles) -> list[str]:
    wholes = [
        _whole(polarity, gap) for (group, _key, polarity), gap in pair.gaps.items() if group == Result.Group.OVERALL
    ]
    rows = [gap for (group, *_rest), gap in pair.gaps.items() if group == Result.Group.LABEL_ROW]
    if not rows:
        return [*wholes, _no_row(pair)]
    lower = [(profile, sum(gap.lower == profile for gap in rows)) for profile in (pair.a, pair.b)]
    parts = [
        ngettext("lower for %(group)s on %(n)s row", "lower for %(group)s on %(n)s rows", n)
        % {"group": profile.name, "n": n}
        for profile, n in lower
        if n
    ]
    said = _("Of %(total)s rows with enough chats: %(parts)s.") % {"total": pair.n_rows, "parts": in_words(parts)}
    return [*wholes, said]


def _no_row(pair: PairOfProfiles) -> str:
    words = {"a": pair.a.name, "b": pair.b.name, "n": pair.n_rows}
    if not pair.n_rows:
        return _("No row has enough chats to compare %(a)s with %(b)s.") % words
    return (
        ngettext(
            "The one row with enough chats does not differ between %(a)s and %(b)s by more than chance.",
            "None of the %(n)s rows with enough chats differs between %(a)s and %(b)s by more than chance.",
            pair.n_rows,
        )
        % words
    )


def _whole(polarity: str, gap: Gap) -> str:
    words = {"kind": KINDS[polarity].name, "lower": gap.lower.name, "higher": gap.higher.name}
    return _("%(kind)s: lower for %(lower)s than for %(higher)s.") % words
