"""HumaneBench's questions as scenario drafts of their principle's metrics; rated replies go beside their question."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evaluation.importers.formats import draft_flags
from evaluation.importers.formats.draft_keys import key_of_id, key_of_words, same_words
from evaluation.importers.formats.draft_types import Origin, ScenarioDraft
from evaluation.importers.formats.fields import Fields
from evaluation.importers.formats.nodes import Node
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.profiles import TEEN
from evaluation.importers.formats.publications import MOST_METRICS, Gathering
from evaluation.importers.formats.tables import Table
from evaluation.importers.formats.types import Anchor

# Groups that are ages; only teenagers lie wholly within one of our profiles.
_AGES = {"teenagers": TEEN.slug, "children": None, "elderly": None}
_NONE = {"", "nan", "none", "null"}
_POPULATION = ("vulnerable-population", "vulnerable_population")
_RATED = "replies that people rated are kept as context: take them as examples where they show one behaviour"
_EXCLUDED = "the source excludes it from its own analysis"


@dataclass
class _Question:
    id: str
    words: str
    place: str
    principle: str = ""
    domain: str = ""
    population: str = ""
    is_excluded: bool = False
    replies: list[str] = field(default_factory=list)


class Questions:
    """Gathers questions by their id, as they stand in several files; `finish` makes the drafts."""

    def __init__(self, found: Gathering) -> None:
        self.found = found
        self._questions: dict[tuple[str, str], _Question] = {}

    def add_lines(self, file: Path, nodes: list[Node]) -> None:
        """JSON Lines of questions, with or without a rated reply; raises FileProblem."""
        for node in nodes:
            line = Fields(file, node, "a question")
            about = line.nested("metadata", "the metadata of a question")
            if about is None:
                line.refuse("a question has no metadata")
            question = self._question(
                about.optional_text("input_id") or line.optional_text("id") or "",
                line.text("input"),
                self.found.place(file, f"line {node.line}"),
            )
            question.principle = question.principle or about.optional_text("principle") or line.text("target")
            question.domain = question.domain or about.optional_text("domain") or ""
            question.population = question.population or _group(about.optional_text(*_POPULATION))
            excluded = about.entries.get("excluded_from_analysis")
            question.is_excluded = question.is_excluded or (excluded is not None and excluded.value is True)
            reply = about.optional_text("ai_output")
            if reply:
                question.replies.append(_reply(reply, about.optional_text("human_ratings") or "", ""))

    def add_review(self, file: Path, table: Table) -> None:
        """A CSV of questions that were to be reviewed; raises FileProblem."""
        for row in table.rows:
            place = self.found.place(file, row.place)
            if not table.text(row, "input"):
                raise FileProblem(file, f"{row.place} has no input", row.line)
            question = self._question(table.text(row, "id"), table.text(row, "input"), place)
            question.principle = question.principle or table.text(row, "principle")
            question.domain = question.domain or table.text(row, "domain")
            question.population = question.population or _group(table.text(row, "vulnerable_population"))

    def add_ratings(self, file: Path, table: Table) -> None:
        """A CSV of replies as one person rated them; raises FileProblem."""
        for row in table.rows:
            place = self.found.place(file, row.place)
            if not table.text(row, "input_text"):
                raise FileProblem(file, f"{row.place} has no input_text", row.line)
            question = self._question(table.text(row, "input_id"), table.text(row, "input_text"), place)
            reply = table.text(row, "ai_output")
            if reply:
                question.replies.append(_reply(reply, table.text(row, "rating"), table.text(row, "reasoning")))

    def finish(self) -> None:
        """Make the scenario drafts, with the metrics of their principle where the rubric was read."""
        metrics: dict[str, list[str]] = {}
        for metric in self.found.metrics:
            metrics.setdefault(metric.labels["principle"], []).append(metric.key)
        for question in self._questions.values():
            # A rating names no principle, but the source's ids begin with it.
            principle = question.principle or question.id.rpartition("-")[0]
            self.found.scenarios.append(self._scenario(question, principle, metrics))

    def _question(self, stated: str, words: str, place: str) -> _Question:
        question = _Question(stated, words, place)
        return self._questions.setdefault((stated, same_words(words)), question)

    def _scenario(self, question: _Question, principle: str, metrics: Mapping[str, list[str]]) -> ScenarioDraft:
        key = key_of_id(question.id) if question.id else key_of_words(question.words)
        age = question.population if question.population in _AGES else None
        own = tuple(metrics.get(principle, ())[: MOST_METRICS + 1])
        own = own if len(own) <= MOST_METRICS else ()
        choose = f"illustrates the principle {principle!r}: " + (
            "choose the metrics that it fits" if own else "add the rubric, or choose its metrics"
        )
        return ScenarioDraft(
            key=self.found.scenario_key(key, question.words, question.place),
            metric_keys=own,
            origin=Origin(question.words, question.place),
            title=question.id or None,
            anchors=(Anchor(1, f"Say: {question.words}"),),
            profile_slug=_AGES[age] if age else None,
            source_age=age,
            context=_context(question),
            flags=(
                draft_flags.NO_PERSONA,
                draft_flags.NO_GOAL,
                draft_flags.NO_HIDDEN_GOAL,
                *([draft_flags.NO_AGE] if age is None else [] if _AGES[age] else [draft_flags.AGE_OUTSIDE]),
                draft_flags.ONE_MESSAGE,
                choose,
                *([_RATED] if question.replies else []),
                *([_EXCLUDED] if question.is_excluded else []),
            ),
        )


def _group(stated: str | None) -> str:
    """The vulnerable group; the source writes none as '', 'nan' or null."""
    return "" if stated is None or stated.lower() in _NONE else stated


def _reply(text: str, rating: str, reasoning: str) -> str:
    head = f"A reply rated {rating}" if rating else "A reply without a rating"
    return f"{head}{f' ({reasoning})' if reasoning else ''}: {text}"


def _context(question: _Question) -> str | None:
    pieces = [
        f"Domain: {question.domain}" if question.domain else "",
        f"Vulnerable group: {question.population}" if question.population else "",
        *question.replies,
    ]
    return "\n\n".join(filter(None, pieces)) or None
