"""The prompts of a Weval blueprint: each gives a scenario draft of the metrics that its points give."""

from pathlib import Path

from evaluation.importers.formats import draft_flags, weval_messages
from evaluation.importers.formats.draft_keys import Keys, key_of_id, key_of_words
from evaluation.importers.formats.draft_types import MetricDraft, Origin, ScenarioDraft
from evaluation.importers.formats.fields import Fields
from evaluation.importers.formats.native_scenarios import MAX_TURNS
from evaluation.importers.formats.positions import Node
from evaluation.importers.formats.types import Remark
from evaluation.importers.formats.weval_criteria import metric_of
from evaluation.importers.formats.weval_header import Header
from evaluation.importers.formats.weval_messages import Message
from evaluation.importers.formats.weval_points import Points, read_weight
from evaluation.importers.formats.weval_references import read_citations
from evaluation.importers.formats.weval_structure import UNWANTED_KEY, WANTED_KEYS

_TOOLS = ("requiredTools", "prohibitedTools", "maxCalls")


class Prompts:
    """Gathers the drafts of a file, prompt by prompt, as they stand there; equal criteria are not joined yet."""

    def __init__(self, file: Path, header: Header) -> None:
        self.file = file
        self.header = header
        self.metrics: list[MetricDraft] = []
        self.scenarios: list[ScenarioDraft] = []
        self.flags: list[Remark] = []
        self.skipped: list[Remark] = []
        self.n_points = 0
        self._keys = Keys()

    def add(self, node: Node) -> None:
        """Read one prompt; raises FileProblem."""
        fields = Fields(self.file, node, "a prompt")
        stated = _stated_id(fields)
        fields.what = f"prompt {stated}" if stated else fields.what
        messages = weval_messages.read_messages(fields)
        words = _words(messages)
        key, is_changed = self._keys.take(key_of_id(stated) if stated else key_of_words(words or "no prompt"), words)
        fields.what = f"prompt {stated or key}"
        place = f"line {node.line}, {fields.what}"
        if is_changed:
            reason = f"the id {stated!r} stands here again" if stated else "the same prompt stands here again"
            self.flags.append(Remark(place, f"{reason}: this one is called {key}"))
        read_weight(fields)  # a wrong one is refused also where nothing comes of the prompt
        n_points = self.n_points
        metrics = self._metrics(fields, stated or key)
        self.metrics += metrics
        if not metrics:
            lacking = "has no points" if self.n_points == n_points else "has no point that a judge could read"
            self.skipped.append(Remark(place, f"{lacking}, so it is a scenario of no metric"))
        elif not weval_messages.anchors_of(messages):
            self.skipped.append(Remark(place, "has no user message, so it makes no scenario; its criteria are kept"))
        else:
            self.scenarios.append(self._scenario(fields, key, messages, words, metrics))

    def _metrics(self, fields: Fields, name: str) -> list[MetricDraft]:
        ideal = fields.optional_text("ideal", "idealResponse")
        # The first that holds anything counts, as in Weval's own reader.
        wanted = next((key for key in WANTED_KEYS if fields.has(key) and fields.entries[key].value), None)
        metrics = []
        for section in filter(None, (wanted, UNWANTED_KEY)):
            for point in Points(self.file, self.header.definitions, fields.what).read(fields.items(section)):
                self.n_points += 1
                if isinstance(point, Remark):
                    self.skipped.append(point)
                    continue
                is_wanted = section != UNWANTED_KEY
                metrics.append(metric_of(point, section, is_wanted=is_wanted, prompt=name, ideal=ideal))
        return metrics

    def _scenario(
        self, fields: Fields, key: str, messages: tuple[Message, ...], words: str, metrics: list[MetricDraft]
    ) -> ScenarioDraft:
        anchors = weval_messages.anchors_of(messages)
        own_system = fields.optional_text("system") or weval_messages.system_of(messages)
        return ScenarioDraft(
            key=key,
            metric_keys=tuple(dict.fromkeys(metric.key for metric in metrics)),
            origin=Origin(words, f"line {fields.node.line}"),
            title=_stated_id(fields),
            anchors=anchors,
            target_system_prompt=own_system or self.header.system_prompt,
            # A single message opens a conversation; several are the source's own course of it.
            turns=len(anchors) if 1 < len(anchors) <= MAX_TURNS else None,
            context=_context(fields, messages),
            flags=self._scenario_flags(fields, messages, len(anchors), has_system=own_system is not None),
        )

    def _scenario_flags(
        self, fields: Fields, messages: tuple[Message, ...], n_anchors: int, *, has_system: bool
    ) -> tuple[str, ...]:
        n_systems = self.header.n_system_prompts
        return (
            draft_flags.NO_PERSONA,
            draft_flags.NO_GOAL,
            draft_flags.NO_HIDDEN_GOAL,
            draft_flags.NO_AGE,
            *([draft_flags.ONE_MESSAGE] if n_anchors == 1 else []),
            *([draft_flags.TOO_MANY_TURNS] if n_anchors > MAX_TURNS else []),
            *([draft_flags.FIXED_REPLIES] if weval_messages.fixed_replies(messages) else []),
            *([f"{n_systems} system prompts in the source: choose one"] if n_systems > 1 and not has_system else []),
            *(["tools of the source are not at hand here"] if any(map(fields.has, _TOOLS)) else []),
        )


def _stated_id(fields: Fields) -> str | None:
    """The id as written; JSON may give a number."""
    node = fields.entries.get("id")
    if node is not None and node.text is None and isinstance(node.value, int):
        return str(node.value)
    return fields.optional_text("id")


def _words(messages: tuple[Message, ...]) -> str:
    """The source's words: those of a single message alone, else each with its role."""
    if len(messages) == 1 and messages[0].text:
        return messages[0].text
    return "\n\n".join(f"{message.role}: {message.text or '(the tested model replies)'}" for message in messages)


def _context(fields: Fields, messages: tuple[Message, ...]) -> str | None:
    """What the source says besides, for the person who completes the scenario."""
    weight = read_weight(fields)
    pieces = [
        ("Description", fields.optional_text("description")),
        ("Ideal answer", fields.optional_text("ideal", "idealResponse")),
        *((f"Fixed reply after user message {turn}", text) for turn, text in weval_messages.fixed_replies(messages)),
        ("Citation", "; ".join(read_citations(fields, "citation", "reference"))),
        ("Weight of the prompt", f"{weight:g}" if weight is not None else None),
    ]
    return "\n\n".join(f"{name}: {text}" for name, text in pieces if text) or None
