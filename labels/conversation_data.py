"""A conversation with its judgments as data: what its page shows, and nothing of the simulator's planning."""

from typing import Any

from evaluation.content_notices import kept
from evaluation.models import Conversation, Judgment, Release
from labels import conversation_page, conversation_turns, queries
from labels.label import label_notes


def document(shown: Conversation, release: Release | None) -> dict[str, Any]:
    """The conversation as a JSON document; `notes` begin with what readers must not conclude."""
    version = shown.scenario.base.metric_version
    verdict = queries.verdict_of(release, shown)
    return {
        "release": release.slug if release else None,
        "notes": [str(note) for note in label_notes(release)] if release else [],
        "content_notices": list(dict.fromkeys([*kept(version.metric.benchmark), *kept(version)])),
        "id": shown.public_id,
        "metric": version.metric.slug,
        "metric_version": version.number,
        "polarity": version.polarity,
        "scenario": shown.scenario.base.number,
        "profile": shown.scenario.profile.slug,
        "model": shown.target.slug,
        "sample": shown.sample,
        "state": shown.state,
        "verdict": {"present": verdict.present, "passed": verdict.passed, "reason": verdict.reason or None}
        if verdict
        else None,
        "turns": [
            {"number": turn.number, "user": turn.user_message, "target": turn.reply}
            for turn in conversation_turns.turns_of(shown)
        ],
        "judgments": [_judgment(one) for one in conversation_page.judgments_that_count(shown, release)],
    }


def _judgment(judgment: Judgment) -> dict[str, Any]:
    model = judgment.judge.language_model
    return {
        "judge": model.slug if model else None,
        "judge_prompt": judgment.judge.prompt_hash or None,
        "repeat": judgment.repeat,
        "present": judgment.present,
        "passed": judgment.passed,
        "reason": judgment.reason or None,
        "justification": judgment.justification or None,
        "evidence": [quote.__dict__ for quote in conversation_turns.quotes_of(judgment)],
        "first_turn": judgment.first_turn,
        "corrected_later": judgment.corrected_later,
    }
