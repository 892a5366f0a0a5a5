"""From one release of a model to the next: why numbers may not be compared, and which changes are more than chance."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from django.utils.translation import gettext as _

from evaluation.models import LanguageModel, Release
from evaluation.selectors.release_changes import UNKNOWN, made_otherwise, overall_changes
from evaluation.statistics.release_change import Change
from labels.wording import KINDS, hundred, in_words

# Of what was made otherwise, that which changes what the numbers mean: the words of `selectors.release_changes`.
DECISIVE = ("Judge", "Simulated user", "Who was asking", "Most turns")


@dataclass(frozen=True)
class Step:
    """From one release to the next: why they may not be compared (empty = they may), and what changed for sure."""

    older: Release
    newer: Release
    n_same: int
    reasons: list[str]
    changes: list[str] = field(default_factory=list)

    @property
    def is_break(self) -> bool:
        return bool(self.reasons)


def steps_between(releases: Sequence[Release], model: LanguageModel) -> list[Step]:
    """The steps between `releases`, oldest first; one fewer than there are releases.

    Releases have `release_changes.RELATED` with them. A fixed number of queries, however many releases.
    """
    metrics = _metrics_of(releases)
    steps = [_step(older, newer, metrics[older.pk], metrics[newer.pk]) for older, newer in pairwise(releases)]
    # What was judged by another judge is no change of the model, however sure the difference is.
    comparable = [step for step in steps if step.n_same and not _decisive_reasons(step.older, step.newer)]
    found = overall_changes([(step.older, step.newer) for step in comparable])
    for step, changes in zip(comparable, found, strict=True):
        step.changes.extend(_change_sentences(step, changes, model))
    return steps


def _metrics_of(releases: Sequence[Release]) -> dict[int, set[int]]:
    """The metric versions of each release, as keys."""
    members = Release.metric_versions.through.objects.filter(release__in=releases)
    found: dict[int, set[int]] = {release.pk: set() for release in releases}
    for release, version in members.values_list("release_id", "metricversion_id"):
        found[release].add(version)
    return found


def _step(older: Release, newer: Release, metrics_before: set[int], metrics_now: set[int]) -> Step:
    reasons = [*_metrics_reason(metrics_before, metrics_now), *_decisive_reasons(older, newer)]
    return Step(older, newer, len(metrics_before & metrics_now), reasons)


def without_metrics(step: Step) -> Step:
    """The same step where only the metrics that all releases have are counted."""
    reasons = _decisive_reasons(step.older, step.newer)
    return Step(step.older, step.newer, step.n_same, reasons, step.changes)


def _metrics_reason(older: set[int], newer: set[int]) -> list[str]:
    if older == newer:
        return []
    return [
        _("Other metrics: %(same)s of %(now)s stood in the release before, in the same wording.")
        % {"same": f"{len(older & newer):,}", "now": f"{len(newer):,}"}
    ]


def _decisive_reasons(older: Release, newer: Release) -> list[str]:
    """Why numbers of the two mean different things, whatever the metrics; what nobody published counts as other."""
    found = {one.what: one for one in made_otherwise(older, newer)}
    names = {
        "Judge": _("judge"),
        "Simulated user": _("simulated user"),
        "Who was asking": _("people asking"),
        "Most turns": _("length of the chats"),
    }
    other = [names[what] for what in DECISIVE if what in found and UNKNOWN not in (found[what].before, found[what].now)]
    unknown = [names[what] for what in DECISIVE if what in found and UNKNOWN in (found[what].before, found[what].now)]
    other += [_("instructions to the models")] if _instructions_differ(older, newer) else []
    reasons = [_("Made otherwise: %(what)s.") % {"what": in_words(other)}] if other else []
    if unknown:
        reasons.append(_("Nobody published if this is the same: %(what)s.") % {"what": in_words(unknown)})
    return reasons


def _instructions_differ(older: Release, newer: Release) -> bool:
    return bool(older.prompt_hashes and newer.prompt_hashes and older.prompt_hashes != newer.prompt_hashes)


def _change_sentences(step: Step, found: Sequence[Change], model: LanguageModel) -> list[str]:
    """A sentence a kind: only where the change is large enough, its interval leaves out 0, and Holm agrees."""
    own = [one for one in found if one.model == model.slug and one.flag and one.holds_adjusted]
    return [_change_sentence(one, step.older, step.newer) for one in own]


def _change_sentence(one: Change, older: Release, newer: Release) -> str:
    values = {
        "kind": KINDS[one.polarity].name,
        "before": hundred(one.old_rate),
        "now": hundred(one.new_rate),
        "older": older.title,
        "newer": newer.title,
        "low": f"{(one.low or 0) * 100:+.0f}".replace("-", "\u2212"),
        "high": f"{(one.high or 0) * 100:+.0f}".replace("-", "\u2212"),
        "metrics": f"{one.n_metrics:,}",
    }
    way = _("%(kind)s: higher than before.") if one.change > 0 else _("%(kind)s: lower than before.")
    rest = _(
        "Over the %(metrics)s metrics that both releases have, from %(before)s in 100 chats (%(older)s) to %(now)s "
        "(%(newer)s). The change is likely between %(low)s and %(high)s points."
    )
    return f"{way} {rest}" % values
