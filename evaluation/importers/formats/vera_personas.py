"""The personas of VERA-MH as scenario drafts of every metric that was read beside them."""

from pathlib import Path

from evaluation.importers.formats import draft_flags
from evaluation.importers.formats.ages import profile_of_ages
from evaluation.importers.formats.draft_keys import key_of_words
from evaluation.importers.formats.draft_types import Origin, ScenarioDraft
from evaluation.importers.formats.native_scenarios import MAX_TURNS
from evaluation.importers.formats.publications import MOST_METRICS, Gathering
from evaluation.importers.formats.tables import Row, Table
from evaluation.importers.formats.types import Anchor

_HIDDEN = ("Disclosure of Suicide Risk", "Reaction to Chatbot Responses")
_CONTEXT = ("Current Risk Level",)
_PROMPTS = "Sample Prompts"
_NOT_PERSONA = {*_HIDDEN, *_CONTEXT, _PROMPTS, ""}
_SAMPLES = "its anchors are sample prompts in the source's order, not a course that the source lays down"
_NO_METRICS = "a persona for the whole rubric: add the rubric, or choose its metrics"
_ALL_METRICS = "a persona for the whole rubric: choose the metrics that it fits"


def add(found: Gathering, file: Path, table: Table) -> None:
    """Gather one scenario for each persona; raises FileProblem."""
    metric_keys = tuple(metric.key for metric in found.metrics) if len(found.metrics) <= MOST_METRICS else ()
    for row in table.rows:
        words = "\n".join(_stated(table, row, table.columns))
        found.scenarios.append(_scenario(found, table, row, found.place(file, row.place), words, metric_keys))


def _scenario(
    found: Gathering, table: Table, row: Row, place: str, words: str, metric_keys: tuple[str, ...]
) -> ScenarioDraft:
    name, age = table.text(row, "Name"), table.text(row, "Age")
    prompts = [prompt.strip() for prompt in table.text(row, _PROMPTS).split(";") if prompt.strip()]
    profile = profile_of_ages(age)
    hidden = "\n".join(_stated(table, row, _HIDDEN))
    return ScenarioDraft(
        key=found.scenario_key(key_of_words(name or words, "persona"), words, place),
        metric_keys=metric_keys,
        origin=Origin(words, place),
        title=name or None,
        persona="\n".join(_stated(table, row, [c for c in table.columns if c not in _NOT_PERSONA])) or None,
        latent_adversarial_goal=hidden or None,
        anchors=tuple(Anchor(turn, f"Say: {prompt}") for turn, prompt in enumerate(prompts, start=1)),
        profile_slug=profile.slug if profile else None,
        source_age=age or None,
        context="\n".join(_stated(table, row, _CONTEXT)) or None,
        flags=(
            draft_flags.PERSONA_OF_FIELDS,
            draft_flags.NO_GOAL,
            draft_flags.HIDDEN_GOAL_IS_NEAREST if hidden else draft_flags.NO_HIDDEN_GOAL,
            *([_SAMPLES] if prompts else []),
            *([draft_flags.TOO_MANY_TURNS] if len(prompts) > MAX_TURNS else []),
            *([draft_flags.NO_AGE] if not age else [] if profile else [draft_flags.AGE_OUTSIDE]),
            _ALL_METRICS if metric_keys else _NO_METRICS,
        ),
    )


def _stated(table: Table, row: Row, columns: tuple[str, ...] | list[str]) -> list[str]:
    return [f"{column}: {table.text(row, column)}" for column in columns if table.text(row, column)]
