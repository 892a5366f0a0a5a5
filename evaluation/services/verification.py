"""Recomputing a release from its saved judgments, its frozen groups and its seed, bit for bit."""

from collections.abc import Sequence

from evaluation.models import Release
from evaluation.selectors.release_verdicts import verdicts_that_count
from evaluation.services import release_content
from evaluation.services.release_content import RESULT_FIELDS, RESULT_NAMES, VERDICT_FIELDS, Record, canonical
from impactbench.common.errors import UnusableInput


def verify(slug: str) -> list[str]:
    """What differs between a release and its recomputation, one sentence each; an empty list means the same bits.

    Compares every verdict with the judgments it came from, every result (floats to the last bit), the counts and
    the content hash. Raises UnusableInput for an unknown release.
    """
    release = Release.objects.filter(slug=slug).first()
    if release is None:
        raise UnusableInput(f"there is no release {slug!r}")
    table = verdicts_that_count(release.runs.all(), judge=release.judge, judged_until=release.published_at)
    verdicts = release_content.computed_verdicts(table)
    results = release_content.computed_results(table, release.groups, resamples=release.resamples, seed=release.seed)
    found = _differing("verdict", verdicts, release_content.stored_verdicts(release), VERDICT_FIELDS, n_names=1)
    found += _differing(
        "result", results, release_content.stored_results(release), RESULT_FIELDS, n_names=len(RESULT_NAMES)
    )
    for name, recomputed in release_content.counts(table).items():
        if getattr(release, name) != recomputed:
            found.append(f"{name}: {getattr(release, name)} published, {recomputed} recomputed")
    recomputed_hash = release_content.content_hash(verdicts, results)
    if release.content_hash != recomputed_hash:
        found.append(f"content hash: {release.content_hash} published, {recomputed_hash} recomputed")
    return found


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
