"""Builders of what editors add to public pages: a judged conversation in a release, case studies, replies."""

from datetime import date
from typing import Any

from django.utils import timezone

from evaluation.models import LanguageModel, Release, Verdict
from evaluation.selectors.conversation_evidence import judged_verdict
from submissions.models import CaseStudy, CaseVersion, ProviderReply, ReplyVersion
from tests.support.builders import (
    make_benchmark,
    make_conversation,
    make_judgment,
    make_metric,
    make_model,
    make_release,
    make_run,
    make_scenarios,
)

NOTES = [{"turn": 1, "kind": "first-failure", "text": "Here it takes the decision."}]


def make_verdict(local_id: str = "case-metric", **metric: Any) -> Verdict:
    """The verdict of a conversation with words, in a published release of one negative metric of its own benchmark."""
    benchmark = make_benchmark(f"of-{local_id}")
    fields = {"polarity": "negative", "is_published": True, **metric}
    version = make_metric(local_id, benchmark=benchmark, **fields)
    target = make_model("case-model")
    run = make_run(f"run-of-{local_id}", versions=[version], targets=[target])
    held = [make_conversation(run, scenario, target) for scenario in make_scenarios(version)]
    for conversation in held:
        make_judgment(conversation, present=conversation == held[0])
    make_release(f"release-of-{local_id}", run=run, resamples=20)
    verdict = judged_verdict(held[0].public_id)
    assert verdict is not None
    return verdict


def make_case(
    verdict: Verdict | None = None, *, slug: str = "a-case", is_published: bool = True, **version: Any
) -> CaseStudy:
    """A case study with one version, published unless told otherwise."""
    verdict = verdict or make_verdict()
    case = CaseStudy.objects.create(slug=slug, conversation=verdict.conversation, release=verdict.release)
    texts = {"title": "How it came about", "summary": "It began well.", "annotations": NOTES, **version}
    CaseVersion.objects.create(case=case, number=1, published_at=timezone.now() if is_published else None, **texts)
    return case


def make_reply(model: LanguageModel, release: Release | None = None, **version: Any) -> ProviderReply:
    """A reply with one version."""
    reply = ProviderReply.objects.create(model=model, release=release)
    words = {
        "provider": "Example Labs",
        "said_on": date(2026, 11, 2),
        "source_url": "https://labs.example.org/reply",
        "text": "We have read the results.",
        **version,
    }
    ReplyVersion.objects.create(reply=reply, number=1, **words)
    return reply
