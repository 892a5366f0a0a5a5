"""Conversations that this worker holds: claimed under a lease, with everything saved of them so far."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from evaluation.engine.types import ConversationSettings, ScenarioBrief, TurnRecord
from evaluation.services.briefs import anchors_of, conversation_settings
from evaluation.services.planning import conversation_key
from evaluation.workers import statements
from evaluation.workers.assignment import Assignment, Measure, Role
from evaluation.workers.database import Reader


@dataclass(slots=True)
class Claim:
    """One conversation under this worker's lease."""

    id: int
    key: str
    is_finished: bool
    is_second_attempt: bool
    measure: Measure
    scenario: ScenarioBrief
    settings: ConversationSettings
    target_id: int
    target: Role
    turns: list[TurnRecord] = field(default_factory=list)
    judged: set[tuple[int, int]] = field(default_factory=set)
    # Of the conversation that this one is held to, in a study by machine.
    held_to: list[TurnRecord] = field(default_factory=list)


async def claim(
    reader: Reader, assignment: Assignment, *, owner: str, seconds: float, room: int, targets: Sequence[int]
) -> list[Claim]:
    """At most `room` conversations of these targets that nobody holds, leased for `seconds`."""
    values = {"run": assignment.run, "owner": owner, "seconds": seconds, "room": room, "targets": list(targets)}
    rows = await reader.rows(statements.CLAIM, values)
    claims = {row["id"]: _claim(assignment, row) for row in rows}
    begun = [row["id"] for row in rows if row["was"] != "pending"]
    if begun:
        await _recall(reader, claims, begun)
    if assignment.held_to is not None and claims:
        for conversation, turns in (await _turns(reader, statements.TURNS_HELD_TO, claims, assignment.held_to)).items():
            claims[conversation].held_to = turns
    return list(claims.values())


async def _recall(reader: Reader, claims: dict[int, Claim], ids: list[int]) -> None:
    """Adds what earlier holders saved."""
    for conversation, saved in (await _turns(reader, statements.SAVED_TURNS, ids)).items():
        claims[conversation].turns = saved
    for row in await reader.rows(statements.SAVED_JUDGMENTS, {"ids": ids}):
        claims[row["conversation_id"]].judged.add((row["judge_id"], row["repeat"]))


async def _turns(
    reader: Reader, statement: str, ids: Iterable[int], run: int | None = None
) -> dict[int, list[TurnRecord]]:
    turns: dict[int, list[TurnRecord]] = defaultdict(list)
    for row in await reader.rows(statement, {"ids": list(ids), "run": run}):
        turns[row["conversation_id"]].append(_turn(row))
    return turns


def _claim(assignment: Assignment, row: dict[str, Any]) -> Claim:
    measure = assignment.measures[row["metric_version_id"]]
    target = assignment.targets[row["target_id"]]
    scenario = f"{measure.key}/{row['scenario_number']}/{row['profile']}"
    return Claim(
        id=row["id"],
        key=conversation_key(scenario, target.slug, row["sample"]),
        is_finished=row["was"] == "finished",
        is_second_attempt=row["is_second_attempt"],
        measure=measure,
        scenario=_scenario(row),
        settings=conversation_settings(assignment.spec, row["turns"]),
        target_id=row["target_id"],
        target=target,
    )


def _scenario(row: dict[str, Any]) -> ScenarioBrief:
    return ScenarioBrief(
        persona=row["persona"],
        goal=row["goal"],
        latent_adversarial_goal=row["latent_adversarial_goal"],
        anchors=anchors_of(row["anchors"]),
        target_system_prompt=row["target_system_prompt"] or None,
    )


def _turn(row: dict[str, Any]) -> TurnRecord:
    return TurnRecord(
        number=row["number"],
        user_message=row["user_message"],
        unedited_message=row["unedited_message"],
        plan=row["plan"],
        anchors_in_force=anchors_of(row["anchors"]),
        reply=row["reply"],
        finish_reason=row["finish_reason"],
        realism=row["realism"],
    )


def fewest_first(targets: Iterable[int], in_flight: dict[int, int]) -> list[int]:
    """Targets in the order in which they may claim: who has the fewest conversations in flight comes first."""
    return sorted(targets, key=lambda target: (in_flight.get(target, 0), target))
