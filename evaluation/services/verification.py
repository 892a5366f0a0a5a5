"""Recomputing a release from its saved judgments, its frozen groups and its seed, bit for bit."""

from collections.abc import Sequence

from evaluation.models import Release
from evaluation.selectors.release_verdicts import verdicts_that_count
from evaluation.services import release_content, release_inputs
from evaluation.services.release_content import (
    COMPARISON_FIELDS,
    COMPARISON_NAMES,
    RESULT_FIELDS,
    RESULT_NAMES,
    SENSITIVITY_FIELDS,
    SENSITIVITY_NAMES,
    VERDICT_FIELDS,
    Numbers,
    Record,
    canonical,
)
from impactbench.common.errors import UnusableInput


def verify(slug: str) -> list[str]:
    """What differs between a release and its recomputation, one sentence each; an empty list means the same bits.

    Compares every verdict with the judgments it came from, every result, comparison and sensitivity analysis (floats
    to the last bit), the counts, the fingerprints of all inputs and the content hash.
    Raises UnusableInput for an unknown release.
    """
    release = Release.objects.filter(slug=slug).first()
    if release is None:
        raise UnusableInput(f"there is no release {slug!r}")
    runs = list(release.runs.all())
    table = verdicts_that_count(runs, judge=release.judge, judged_until=release.published_at)
    verdicts = release_content.computed_verdicts(table)
    ours = release_content.computed_numbers(table, release.groups, resamples=release.resamples, seed=release.seed)
    theirs = release_content.stored_numbers(release)
    found = _differing("verdict", verdicts, release_content.stored_verdicts(release), VERDICT_FIELDS, n_names=1)
    found += _differing("result", ours.results, theirs.results, RESULT_FIELDS, n_names=len(RESULT_NAMES))
    for name, recomputed in release_content.counts(table).items():
        if getattr(release, name) != recomputed:
            found.append(f"{name}: {getattr(release, name)} published, {recomputed} recomputed")
    inputs: dict[str, str] = {}
    if release.content_version >= 2:
        inputs = release_inputs.input_hashes(runs, release.taxonomy, judged_until=release.published_at)
        found += _differing_analyses(ours, theirs)
        changed = release_inputs.changed_parts(release.input_hashes, inputs)
        found += [f"{part}: changed since the release was made" for part in changed]
    recomputed_hash = release_content.content_hash(verdicts, ours, inputs, version=release.content_version)
    if release.content_hash != recomputed_hash:
        found.append(f"content hash: {release.content_hash} published, {recomputed_hash} recomputed")
    return found


def _differing_analyses(ours: Numbers, theirs: Numbers) -> list[str]:
    return [
        *_differing(
            "comparison", ours.comparisons, theirs.comparisons, COMPARISON_FIELDS, n_names=len(COMPARISON_NAMES)
        ),
        *_differing(
            "sensitivity", ours.sensitivity, theirs.sensitivity, SENSITIVITY_FIELDS, n_names=len(SENSITIVITY_NAMES)
        ),
    ]


def _differing(
    kind: str, recomputed: Sequence[Record], published: Sequence[Record], fields: Sequence[str], *, n_names: int
) -> list[str]:
    """Compare records whose first `n_names` fields name them."""
    ours = {record[:n_names]: record for record in recomputed}
    theirs = {record[:n_names]: record for record in published}
    found = [f"{kind} {_name(name)}: missing in the release" for name in ours.keys() - theirs.keys()]
    found += [f"{kind} {_name(name)}: has no judgments behind it" for name in theirs.keys() - ours.keys()]
    for name in ours.keys() & theirs.keys():
        if canonical(ours[name]) != canonical(theirs[name]):
            unequal = (
                f"{field} {theirs[name][i]!r} published, {ours[name][i]!r} recomputed"
                for i, field in enumerate(fields)
                if canonical((ours[name][i],)) != canonical((theirs[name][i],))
            )
            found.append(f"{kind} {_name(name)}: {'; '.join(unequal)}")
    return sorted(found)


def _name(name: Record) -> str:
    return " ".join("all" if part is None else str(part) for part in name if part != "")
