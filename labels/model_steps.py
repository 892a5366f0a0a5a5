"""From one release of a model to the next: why numbers may not be compared, and which changes are more than chance."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from django.conf import settings
from django.utils.translation import gettext as _

from evaluation.models import LanguageModel, Release
from evaluation.selectors.release_changes import UNKNOWN, Difference, made_otherwise, overall_changes
from evaluation.statistics.release_change import Change
from labels.wording import KINDS, hundred, in_words

KEPT = 64
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
    """The steps between `releases`, oldest first; one fewer than there are releases."""
    return [_step(older, newer, model) for older, newer in pairwise(releases)]


def _step(older: Release, newer: Release, model: LanguageModel) -> Step:
    metrics = [set(release.metric_versions.values_list("pk", flat=True)) for release in (older, newer)]
    n_same = len(metrics[0] & metrics[1])
    reasons = _decisive_reasons(older, newer)
    of_metrics = _metrics_reason(metrics[0], metrics[1])
    # What was judged by another judge is no change of the model, however sure the difference is.
    changes = _change_sentences(older, newer, model) if n_same and not reasons else []
    return Step(older, newer, n_same, [*of_metrics, *reasons], changes)


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
    found = {one.what: one for one in _made_otherwise((older.pk, older.content_hash), (newer.pk, newer.content_hash))}
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


def _change_sentences(older: Release, newer: Release, model: LanguageModel) -> list[str]:
    """A sentence a kind: only where the change is large enough, its interval leaves out 0, and Holm agrees."""
    found = _overall_changes((older.pk, older.content_hash), (newer.pk, newer.content_hash), settings.REGRESSION_POINTS)
    own = [one for one in found if one.model == model.slug and one.flag and one.holds_adjusted]
    return [_change_sentence(one, older, newer) for one in own]


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


# Releases never change, so what is computed from them is kept; the hash is part of the key.
@lru_cache(maxsize=KEPT)
def _made_otherwise(older: tuple[int, str], newer: tuple[int, str]) -> tuple[Difference, ...]:
    before, now = _both(older[0], newer[0])
    return tuple(made_otherwise(before, now))


@lru_cache(maxsize=KEPT)
def _overall_changes(older: tuple[int, str], newer: tuple[int, str], _points: float) -> list[Change]:
    return overall_changes(*_both(older[0], newer[0]))


def _both(older: int, newer: int) -> tuple[Release, Release]:
    related = ("taxonomy", "judge__language_model", "user_simulator")
    found = Release.objects.select_related(*related).in_bulk([older, newer])
    return found[older], found[newer]
