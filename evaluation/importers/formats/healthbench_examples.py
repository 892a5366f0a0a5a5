"""The examples of HealthBench: their conversation as a scenario draft of the metrics that their criteria give."""

from collections.abc import Iterator
from dataclasses import replace

from evaluation.importers.formats import draft_flags, weval_messages
from evaluation.importers.formats.draft_keys import key_of_id, key_of_words
from evaluation.importers.formats.draft_types import MetricDraft, Origin, ScenarioDraft
from evaluation.importers.formats.fields import Fields
from evaluation.importers.formats.healthbench_criteria import ideal_of, metric_of
from evaluation.importers.formats.native_scenarios import MAX_TURNS
from evaluation.importers.formats.publications import Gathering
from evaluation.importers.formats.weval_messages import Message


class Examples:
    """Gathers examples; one that stands again, as in the consensus files, is one scenario of all its criteria."""

    def __init__(self, found: Gathering) -> None:
        self.found = found
        self._scenario_at: dict[str, int] = {}

    def add(self, example: Fields) -> None:
        """Raises FileProblem."""
        stated = example.optional_text("prompt_id")
        example.what = f"example {stated}" if stated else example.what
        messages = weval_messages.read_message_list(example, "prompt")
        words = "\n\n".join(f"{message.role}: {message.text or ''}" for message in messages)
        place = self.found.place(example.file, f"line {example.node.line}")
        key = key_of_id(stated) if stated else key_of_words(words or "no prompt")
        canary = example.optional_text("canary")
        if canary:
            self.found.must_keep.append(canary)
        metrics = list(self._metrics(example))
        if self.found.has_scenario(key, words):
            self._join(key, metrics, place)
            return
        self.found.metrics += metrics
        if any(message.role == "user" for message in messages):
            self._scenario(example, key, messages, Origin(words, place), metrics)
        else:
            self.found.skip(place, "has no user message, so it makes no scenario; its criteria are kept")

    def _metrics(self, example: Fields) -> Iterator[MetricDraft]:
        for node in example.items("rubrics"):
            place = self.found.place(example.file, f"line {node.line}")
            metric = metric_of(example, node, place)
            if metric is not None:
                yield metric
            else:
                self.found.skip(place, f"a criterion of {example.what} has 0 points, so it says neither good nor bad")

    def _join(self, key: str, metrics: list[MetricDraft], place: str) -> None:
        at = self._scenario_at[key]
        first = self.found.scenarios[at]
        metric_keys = tuple(dict.fromkeys((*first.metric_keys, *_keys(metrics))))
        if metric_keys == first.metric_keys:
            self.found.skip(place, f"the example {key} stands here again with the same criteria")
            return
        self.found.metrics += metrics
        self.found.scenarios[at] = replace(first, metric_keys=metric_keys)
        self.found.flag(place, f"the example {key} stands here again with other criteria: they are joined")

    def _scenario(
        self, example: Fields, key: str, messages: tuple[Message, ...], origin: Origin, metrics: list[MetricDraft]
    ) -> None:
        anchors = weval_messages.anchors_of(messages)
        key = self.found.scenario_key(key, origin.text, origin.place)
        self._scenario_at[key] = len(self.found.scenarios)
        self.found.scenarios.append(
            ScenarioDraft(
                key=key,
                metric_keys=_keys(metrics),
                origin=origin,
                anchors=anchors,
                target_system_prompt=weval_messages.system_of(messages),
                turns=len(anchors) if 1 < len(anchors) <= MAX_TURNS else None,
                context=_context(example, messages),
                flags=tuple(_flags(messages, len(anchors))),
            )
        )


def _keys(metrics: list[MetricDraft]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(metric.key for metric in metrics))


def _context(example: Fields, messages: tuple[Message, ...]) -> str | None:
    replies = weval_messages.fixed_replies(messages)
    pieces = [f"Fixed reply after user message {turn}: {text}" for turn, text in replies]
    ideal = ideal_of(example)
    if ideal:
        pieces.append(f"Ideal answer: {ideal}")
    tags = example.texts("example_tags")
    if tags:
        pieces.append(f"Tags: {', '.join(tags)}")
    return "\n\n".join(pieces) or None


def _flags(messages: tuple[Message, ...], n_anchors: int) -> Iterator[str]:
    yield from (draft_flags.NO_PERSONA, draft_flags.NO_GOAL, draft_flags.NO_HIDDEN_GOAL, draft_flags.NO_AGE)
    if n_anchors == 1:
        yield draft_flags.ONE_MESSAGE
    if n_anchors > MAX_TURNS:
        yield draft_flags.TOO_MANY_TURNS
    if weval_messages.fixed_replies(messages):
        yield draft_flags.FIXED_REPLIES
