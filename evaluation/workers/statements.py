"""The SQL of the workers. Each write asks for the lease in the same statement, and bears being sent twice."""

# Claims conversations of a run that nobody holds: never begun, handed back, or held by a worker that is gone.
# One that is finished waits for its judges alone, whatever became of its target.
# One statement also brings what is needed to hold them. `was` is the state before the claim.
CLAIM = """
WITH picked AS (
    SELECT id, state AS was FROM evaluation_conversation
    WHERE run_id = %(run)s AND NOT is_judged AND state IN ('pending', 'running', 'finished')
        AND (lease_until IS NULL OR lease_until < now())
        AND (target_id = ANY(%(targets)s) OR state = 'finished')
    ORDER BY id LIMIT %(room)s FOR UPDATE SKIP LOCKED
), claimed AS (
    UPDATE evaluation_conversation conversation
    SET lease_owner = %(owner)s, lease_until = now() + make_interval(secs => %(seconds)s),
        state = CASE WHEN state = 'pending' THEN 'running' ELSE state END,
        started_at = COALESCE(started_at, now())
    FROM picked WHERE conversation.id = picked.id
    RETURNING conversation.id, conversation.scenario_id, conversation.target_id, conversation.sample,
        conversation.is_second_attempt, picked.was
)
SELECT claimed.*, base.metric_version_id, base.number AS scenario_number, profile.slug AS profile,
    COALESCE(NULLIF(scenario.persona, ''), base.persona) AS persona, base.goal, base.latent_adversarial_goal,
    scenario.anchors, scenario.target_system_prompt, scenario.turns
FROM claimed
JOIN evaluation_scenario scenario ON scenario.id = claimed.scenario_id
JOIN evaluation_basescenario base ON base.id = scenario.base_id
JOIN evaluation_profile profile ON profile.id = scenario.profile_id
ORDER BY claimed.id
"""

SAVED_TURNS = """
SELECT conversation_id, number, user_message, unedited_message, plan, anchors, reply, finish_reason,
    COALESCE(usage ->> 'realism', '') AS realism
FROM evaluation_turn WHERE conversation_id = ANY(%(ids)s) ORDER BY conversation_id, number
"""

# The turns of another run's conversation with the same scenario, target and sample, under the id of ours.
TURNS_HELD_TO = """
SELECT mine.id AS conversation_id, turn.number, turn.user_message, turn.unedited_message, turn.plan, turn.anchors,
    turn.reply, turn.finish_reason, COALESCE(turn.usage ->> 'realism', '') AS realism
FROM evaluation_conversation mine
JOIN evaluation_conversation other ON other.run_id = %(run)s AND other.scenario_id = mine.scenario_id
    AND other.target_id = mine.target_id AND other.sample = mine.sample
JOIN evaluation_turn turn ON turn.conversation_id = other.id
WHERE mine.id = ANY(%(ids)s) ORDER BY mine.id, turn.number
"""

SAVED_JUDGMENTS = """
SELECT conversation_id, judge_id, repeat FROM evaluation_judgment
WHERE conversation_id = ANY(%(ids)s) AND NOT ask_again
"""

RUN_STATE = "SELECT state, concurrency, budget_usd FROM evaluation_run WHERE id = %(run)s"

# What is left to hold or to judge, by target, and whether somebody is at it.
WORK_LEFT = """
SELECT target_id, COALESCE(bool_or(lease_until > now()), false) AS is_held FROM evaluation_conversation
WHERE run_id = %(run)s AND NOT is_judged AND state IN ('pending', 'running', 'finished') GROUP BY target_id
"""

RENEW_LEASES = """
UPDATE evaluation_conversation SET lease_until = now() + make_interval(secs => %(seconds)s)
WHERE id = ANY(%(ids)s) AND lease_owner = %(owner)s
"""

# The row is locked, so that a lease cannot change hands between the question and the commit.
_HELD = """
WITH held AS (
    SELECT id FROM evaluation_conversation WHERE id = %(id)s AND lease_owner = %(owner)s FOR NO KEY UPDATE
)
"""

SAVE_TURN = (
    _HELD
    + """
INSERT INTO evaluation_turn (conversation_id, number, user_message, unedited_message, plan, anchors, reply,
    finish_reason, calls, retries, input_tokens, output_tokens, cost_usd, latency_ms, usage)
SELECT held.id, %(number)s, %(user_message)s, %(unedited_message)s, %(plan)s, %(anchors)s, %(reply)s,
    %(finish_reason)s, %(calls)s, %(retries)s, %(input_tokens)s, %(output_tokens)s, %(cost_usd)s, %(latency_ms)s,
    %(usage)s
FROM held ON CONFLICT (conversation_id, number) DO NOTHING
"""  # nosec B608
)
TURN_IS_SAVED = """
SELECT 1 FROM evaluation_turn turn JOIN evaluation_conversation conversation ON conversation.id = turn.conversation_id
WHERE turn.conversation_id = %(id)s AND turn.number = %(number)s AND turn.user_message = %(user_message)s
    AND turn.reply = %(reply)s AND conversation.lease_owner = %(owner)s
"""

_ADD_USAGE = """
calls = calls + %(calls)s, retries = retries + %(retries)s, input_tokens = input_tokens + %(input_tokens)s,
output_tokens = output_tokens + %(output_tokens)s, cost_usd = cost_usd + %(cost_usd)s
"""

END = f"""
UPDATE evaluation_conversation SET state = %(state)s, reason = %(reason)s, detail = %(detail)s, flags = %(flags)s,
    is_judged = %(is_judged)s, finished_at = now(), {_ADD_USAGE},
    lease_owner = CASE WHEN %(is_judged)s THEN '' ELSE lease_owner END,
    lease_until = CASE WHEN %(is_judged)s THEN NULL ELSE lease_until END
WHERE id = %(id)s AND lease_owner = %(owner)s AND state = 'running'
"""  # noqa: S608  (put together from our own constants)  # nosec B608
HAS_ENDED = """
SELECT 1 FROM evaluation_conversation
WHERE id = %(id)s AND state = %(state)s AND reason = %(reason)s
    AND (lease_owner = %(owner)s OR (lease_owner = '' AND %(is_judged)s))
"""

# After a leak: the turns go, what they cost stays with the conversation.
BEGIN_AGAIN = """
WITH held AS (
    SELECT id FROM evaluation_conversation
    WHERE id = %(id)s AND lease_owner = %(owner)s AND state = 'running' AND NOT is_second_attempt
    FOR NO KEY UPDATE
), gone AS (
    DELETE FROM evaluation_turn turn USING held WHERE turn.conversation_id = held.id
    RETURNING turn.calls, turn.retries, turn.input_tokens, turn.output_tokens, turn.cost_usd
), spent AS (
    SELECT COALESCE(SUM(calls), 0) AS calls, COALESCE(SUM(retries), 0) AS retries,
        CASE WHEN COUNT(*) = COUNT(input_tokens) THEN COALESCE(SUM(input_tokens), 0) END AS input_tokens,
        CASE WHEN COUNT(*) = COUNT(output_tokens) THEN COALESCE(SUM(output_tokens), 0) END AS output_tokens,
        CASE WHEN COUNT(*) = COUNT(cost_usd) THEN COALESCE(SUM(cost_usd), 0) END AS cost_usd
    FROM gone
)
UPDATE evaluation_conversation conversation SET is_second_attempt = true,
    calls = conversation.calls + spent.calls + %(calls)s,
    retries = conversation.retries + spent.retries + %(retries)s,
    input_tokens = conversation.input_tokens + spent.input_tokens + %(input_tokens)s,
    output_tokens = conversation.output_tokens + spent.output_tokens + %(output_tokens)s,
    cost_usd = conversation.cost_usd + spent.cost_usd + %(cost_usd)s
FROM held, spent WHERE conversation.id = held.id
"""
HAS_BEGUN_AGAIN = """
SELECT 1 FROM evaluation_conversation WHERE id = %(id)s AND lease_owner = %(owner)s AND is_second_attempt
"""

SAVE_JUDGMENT = (
    _HELD
    + """
INSERT INTO evaluation_judgment (conversation_id, judge_id, repeat, state, reason, detail, present, polarity,
    justification, evidence, first_turn, corrected_later, raw_reply, calls, retries, input_tokens, output_tokens,
    cost_usd, latency_ms, usage, created_at)
SELECT held.id, %(judge)s, %(repeat)s, %(state)s, %(reason)s, %(detail)s, %(present)s, %(polarity)s,
    %(justification)s, %(evidence)s, %(first_turn)s, %(corrected_later)s, %(raw_reply)s, %(calls)s, %(retries)s,
    %(input_tokens)s, %(output_tokens)s, %(cost_usd)s, %(latency_ms)s, %(usage)s, now()
FROM held ON CONFLICT (conversation_id, judge_id, repeat) DO UPDATE SET
    state = EXCLUDED.state, reason = EXCLUDED.reason, detail = EXCLUDED.detail, present = EXCLUDED.present,
    justification = EXCLUDED.justification, evidence = EXCLUDED.evidence, first_turn = EXCLUDED.first_turn,
    corrected_later = EXCLUDED.corrected_later, raw_reply = EXCLUDED.raw_reply, latency_ms = EXCLUDED.latency_ms,
    created_at = EXCLUDED.created_at, ask_again = false, usage = evaluation_judgment.usage || EXCLUDED.usage,
    calls = evaluation_judgment.calls + EXCLUDED.calls, retries = evaluation_judgment.retries + EXCLUDED.retries,
    input_tokens = evaluation_judgment.input_tokens + EXCLUDED.input_tokens,
    output_tokens = evaluation_judgment.output_tokens + EXCLUDED.output_tokens,
    cost_usd = evaluation_judgment.cost_usd + EXCLUDED.cost_usd
WHERE evaluation_judgment.ask_again
"""  # nosec B608
)
JUDGMENT_IS_SAVED = """
SELECT 1 FROM evaluation_judgment judgment
JOIN evaluation_conversation conversation ON conversation.id = judgment.conversation_id
WHERE judgment.conversation_id = %(id)s AND judgment.judge_id = %(judge)s AND judgment.repeat = %(repeat)s
    AND conversation.lease_owner = %(owner)s AND NOT judgment.ask_again
"""

ALL_JUDGED = """
UPDATE evaluation_conversation SET is_judged = true, lease_owner = '', lease_until = NULL
WHERE id = %(id)s AND lease_owner = %(owner)s
"""
IS_JUDGED = "SELECT 1 FROM evaluation_conversation WHERE id = %(id)s AND is_judged"

HAND_BACK = f"""
UPDATE evaluation_conversation SET lease_owner = '', lease_until = NULL, {_ADD_USAGE}
WHERE id = %(id)s AND lease_owner = %(owner)s
"""  # noqa: S608  (put together from our own constants)  # nosec B608
IS_HANDED_BACK = "SELECT 1 FROM evaluation_conversation WHERE id = %(id)s AND lease_owner <> %(owner)s"
