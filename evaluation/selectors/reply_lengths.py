"""How long models' replies were in earlier conversations, for estimates."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.db import connection

FEWEST = 30
_MOST_CONVERSATIONS = 300

# The latest conversations of each model in its role: the tenth, the middle and the ninetieth in a hundred replies.
_OF_TURNS = """
SELECT wanted.model, percentile_disc(ARRAY[0.1, 0.5, 0.9]) WITHIN GROUP (ORDER BY reply.tokens)
FROM unnest(%(models)s::bigint[]) AS wanted(model)
CROSS JOIN LATERAL ({conversations} ORDER BY conversation.id DESC LIMIT %(most)s) AS latest
JOIN evaluation_turn turn ON turn.conversation_id = latest.id
CROSS JOIN LATERAL (
    SELECT (turn.usage #>> '{{{role},output_tokens}}')::int AS tokens,
        (turn.usage #>> '{{{role},calls}}')::int AS calls
) AS reply
WHERE reply.tokens IS NOT NULL AND reply.calls = 1 GROUP BY wanted.model HAVING COUNT(*) >= %(fewest)s
"""
_OF_TARGETS = _OF_TURNS.format(
    role="target",
    conversations="SELECT conversation.id FROM evaluation_conversation conversation "
    "WHERE conversation.target_id = wanted.model AND conversation.state = 'finished'",
)
_OF_SIMULATORS = _OF_TURNS.format(
    role="simulator",
    conversations="SELECT conversation.id FROM evaluation_conversation conversation JOIN evaluation_run run "
    "ON run.id = conversation.run_id WHERE run.user_simulator_id = wanted.model AND conversation.state = 'finished'",
)
_OF_JUDGES = """
SELECT wanted.model, percentile_disc(ARRAY[0.1, 0.5, 0.9]) WITHIN GROUP (ORDER BY latest.output_tokens)
FROM unnest(%(models)s::bigint[]) AS wanted(model)
CROSS JOIN LATERAL (
    SELECT judgment.output_tokens FROM evaluation_judgment judgment
    JOIN evaluation_judgeconfiguration judge ON judge.id = judgment.judge_id
    WHERE judge.language_model_id = wanted.model AND judgment.calls = 1 AND judgment.output_tokens IS NOT NULL
    ORDER BY judgment.id DESC LIMIT %(most)s
) AS latest
GROUP BY wanted.model HAVING COUNT(*) >= %(fewest)s
"""
_BY_ROLE = {"target": _OF_TARGETS, "user_simulator": _OF_SIMULATORS, "judge": _OF_JUDGES}

Range = tuple[int, int, int]


def reply_lengths(models: Mapping[str, Collection[int]]) -> dict[tuple[str, int], Range]:
    """Low, middle and high number of tokens of a reply, by role and model; only where at least `FEWEST` are known.

    `models` are the primary keys by role: `user_simulator`, `target`, `judge`.
    """
    found: dict[tuple[str, int], Range] = {}
    with connection.cursor() as cursor:
        for role, keys in models.items():
            values: dict[str, Any] = {"models": list(keys), "most": _MOST_CONVERSATIONS, "fewest": FEWEST}
            cursor.execute(_BY_ROLE[role], values)
            for model, (low, middle, high) in cursor.fetchall():
                found[role, model] = (low, middle, high)
    return found
