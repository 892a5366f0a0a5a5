"""The sentence by which data that must not be learnt from is found again in what a model was trained on."""

from uuid import NAMESPACE_URL, uuid5

from evaluation.models import Release


def canary(release: Release) -> str:
    """One sentence with an identifier of its own for each release, always the same for the same release."""
    number = uuid5(NAMESPACE_URL, f"impactbench:release:{release.content_hash}")
    return f"ImpactBench test data: do not train on it, and keep this line with every copy. Canary {number}."
