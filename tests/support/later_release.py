"""A second release of the same metrics and models, in which one model has become worse."""

from evaluation.models import Release
from tests.support.builders import make_judgment, make_release, make_run


def later_release(older: Release, *, turns: int = 8) -> Release:
    """The same conversations and metrics in a second run, its first model worse at everything good; none can be read.

    `turns` is the most a conversation may have; the first run allowed 6.
    """
    first = older.runs.get()
    run = make_run("second", versions=list(first.metric_versions.all()), targets=list(first.targets.all()), turns=turns)
    for conversation in first.conversations.select_related("scenario__base__metric_version", "target"):
        old = conversation.judgments.get()
        again = run.conversations.create(
            scenario=conversation.scenario, target=conversation.target, sample=1, state=conversation.state,
            reason=conversation.reason, is_judged=True, public_id=f"again-{conversation.pk}",
        )  # fmt: skip
        present = old.present
        if conversation.target.slug == "luna" and conversation.scenario.base.metric_version.polarity == "positive":
            present = False
        make_judgment(again, present=present)
    return make_release("2026-b", run=run)
