"""Importing the same results again: transcripts that were missing are attached, verdicts never change."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaluation.importers.formats.result_types import ResultConversation, ResultsFile
from evaluation.importers.writing.result_conversations import (
    AT_ONCE,
    batches,
    public_id,
    verdict_of,
    write_conversations,
    write_turns,
)
from evaluation.importers.writing.result_definitions import Definitions
from evaluation.importers.writing.scenario_texts import fill_texts, says_otherwise
from evaluation.models import Conversation, Judgment, MetricVersion, Run, Scenario, Turn
from impactbench.common import page_version
from impactbench.common.errors import DomainError


@dataclass
class Attached:
    """What a repeated import added."""

    transcripts: int = 0
    extra_samples: int = 0
    scenarios_filled: int = 0

    @property
    def is_nothing(self) -> bool:
        return not (self.transcripts or self.extra_samples or self.scenarios_filled)


@dataclass
class _Known:
    """What the database holds of a release's run, by public id."""

    keys: dict[str, int]
    verdicts: dict[str, tuple[bool | None, str]]
    with_turns: set[str]
    extra: set[str]


def attach(results: ResultsFile, run: Run, progress: Callable[[str], None]) -> Attached:
    """Add to a published import what a fuller source tells: transcripts, justifications, texts, further samples.

    Raises DomainError, before anything is kept, when any verdict differs, is new or is gone: a release is frozen.
    """
    known = _known(run)
    definitions = _definitions(run)
    attached = Attached(scenarios_filled=_filled_scenarios(results, definitions))
    unseen = known.verdicts.keys() - known.extra
    for batch in batches(results.conversations(), progress):
        named = [(public_id(run, one), one) for one in batch]
        _refuse_other_verdicts(named, known, run)
        unseen -= {name for name, _ in named}
        bare = [(name, one) for name, one in named if one.turns and name in known.keys and name not in known.with_turns]
        _attach_transcripts(bare, known)
        attached.transcripts += len(bare)
        new = [one for name, one in named if name not in known.keys]
        write_conversations(new, run, run.judges.get(), definitions)
        attached.extra_samples += len(new)
    if unseen:
        raise DomainError(f"{_frozen(run)} {len(unseen)} of its verdicts are missing here")
    # Public pages show these conversations already.
    page_version.bump()
    return attached


def _known(run: Run) -> _Known:
    conversations = Conversation.objects.filter(run=run)
    judgments = Judgment.objects.filter(conversation__run=run)
    turns = Turn.objects.filter(conversation__run=run, number=1)
    extra = conversations.filter(state=Conversation.State.EXTRA)
    return _Known(
        keys=dict(conversations.values_list("public_id", "pk")),
        verdicts={
            name: (present, reason)
            for name, present, reason in judgments.values_list("conversation__public_id", "present", "reason")
        },
        with_turns=set(turns.values_list("conversation__public_id", flat=True)),
        extra=set(extra.values_list("public_id", flat=True)),
    )


def _definitions(run: Run) -> Definitions:
    versions = MetricVersion.objects.filter(runs=run).select_related("metric")
    scenarios = Scenario.objects.filter(base__metric_version__runs=run).select_related("base__metric_version__metric")
    return Definitions(
        models={model.slug: model for model in run.targets.all()},
        versions={version.metric.slug: version for version in versions},
        scenarios={(scenario.base.metric_version.metric.slug, scenario.source_id): scenario for scenario in scenarios},
    )


def _filled_scenarios(results: ResultsFile, definitions: Definitions) -> int:
    pairs = (
        (scenario, row)
        for row in results.scenarios
        if (scenario := definitions.scenarios.get((row.metric, row.source_id))) and not says_otherwise(scenario, row)
    )
    return fill_texts(pairs)


def _refuse_other_verdicts(named: Sequence[tuple[str, ResultConversation]], known: _Known, run: Run) -> None:
    for name, one in named:
        if one.counts and known.verdicts.get(name) != verdict_of(one):
            what = "is another" if name in known.verdicts else "is new"
            raise DomainError(
                f"{_frozen(run)} the verdict on {one.model} in scenario {one.scenario} of {one.metric} {what}"
            )


def _frozen(run: Run) -> str:
    return f"release {run.slug!r} is frozen and these results are not the same (give them another --release):"


def _attach_transcripts(bare: Sequence[tuple[str, ResultConversation]], known: _Known) -> None:
    by_key = {known.keys[name]: one for name, one in bare}
    conversations = list(Conversation.objects.filter(pk__in=by_key))
    write_turns((row, by_key[row.pk]) for row in conversations)
    for row in conversations:
        row.flags = list(by_key[row.pk].flags)
    Conversation.objects.bulk_update(conversations, ["flags"], batch_size=AT_ONCE)
    judgments = list(Judgment.objects.filter(conversation__in=by_key, justification=""))
    for judgment in judgments:
        judgment.justification = by_key[judgment.conversation_id].justification or ""
    Judgment.objects.bulk_update(judgments, ["justification"], batch_size=AT_ONCE)
