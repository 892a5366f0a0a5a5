"""The published rule of the chosen conversations, recomputed by brute force, and its edges one by one."""

import random

import pytest

from labels.chosen import Chat, Chosen, choose, chosen_conversations_rule


def chats(*lines: str) -> list[Chat]:
    """One line 'metric outcome[turn] ...': 'm1 +2 -' is a passed chat with first turn 2 and a failed one with none.

    Public ids count up in the order of the lines.
    """
    found: list[Chat] = []
    for line in lines:
        metric, *marks = line.split()
        for mark in marks:
            turn = int(mark[1:]) if mark[1:] else None
            found.append(Chat(f"c{len(found):02d}", metric, mark[0] == "+", turn))
    return found


def ids(chosen: Chosen) -> tuple[str | None, ...]:
    return tuple(chat.public_id if chat else None for chat in (chosen.worst, chosen.typical, chosen.best))


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # Rates 1/3, 2/3 and 1: the row's is 2/3.
        (["low +1 -2 -1", "middle +2 +1 -1", "high + +3 +2"], ("c02", "c04", "c08")),
        # First turns tie: the public id decides; no turn comes last.
        (["low -  -2 -2", "high +  +4 +4"], ("c01", "c01", "c04")),
        # Two lowest metrics are taken together, and the earliest turn among both is picked.
        (["a -3 -4", "b -2 -5", "c +1"], ("c02", "c02", "c04")),
        (["only +1 +2"], (None, "c00", "c00")),
        (["only -2 -1"], ("c01", "c01", None)),
        ([], (None, None, None)),
        # The nearest metric is split evenly: the row's commoner verdict decides, ...
        (["half +1 -1", "high + + +", "low -"], ("c05", "c00", "c02")),
        # ... and where the row is split evenly too, the failed one.
        (["half +1 -1"], ("c01", "c01", "c00")),
    ],
)
def test_choice_at_the_edges_of_the_rule(lines: list[str], expected: tuple[str | None, ...]) -> None:
    assert ids(choose(chats(*lines))) == expected


def test_choice_does_not_depend_on_the_order_of_the_chats() -> None:
    found = chats("a +2 -2 -1", "b +2 -2 -1", "c +3 + +3")
    shuffled = random.Random(1).sample(found, len(found))

    assert choose(shuffled) == choose(found)


def by_brute_force(found: list[Chat]) -> tuple[str | None, ...]:
    """The rule read anew, without the code: integers only, each candidate tried against all others."""

    def counts(metric: object) -> tuple[int, int]:
        of = [chat.passed for chat in found if metric is None or chat.metric == metric]
        return of.count(True), len(of)

    passed_in_row, in_row = counts(None)

    def distance(metric: object) -> tuple[int, int]:
        passed, n = counts(metric)
        return abs(passed * in_row - passed_in_row * n), n

    def lower(one: object, other: object) -> bool:
        (passed, n), (other_passed, other_n) = counts(one), counts(other)
        return passed * other_n < other_passed * n

    def nearer(one: object, other: object) -> bool:
        (far, n), (other_far, other_n) = distance(one), distance(other)
        return far * other_n < other_far * n

    def commoner(metric: object) -> bool:
        passed, n = counts(metric)
        return passed_in_row * 2 > in_row if passed * 2 == n else passed * 2 > n

    metrics = {chat.metric for chat in found}
    worst = [c for c in found if not c.passed and not any(lower(other, c.metric) for other in metrics)]
    best = [c for c in found if c.passed and not any(lower(c.metric, other) for other in metrics)]
    typical = [
        c for c in found if not any(nearer(m, c.metric) for m in metrics) and c.passed == commoner(c.metric)
    ]  # fmt: skip

    def goes_before(one: Chat, other: Chat) -> bool:
        if one.first_turn != other.first_turn:
            return other.first_turn is None or (one.first_turn is not None and one.first_turn < other.first_turn)
        return one.public_id < other.public_id

    return tuple(
        next((c.public_id for c in pool if not any(goes_before(other, c) for other in pool)), None)
        for pool in (worst, typical, best)
    )


def _drawn_row(draw: random.Random, share: float) -> list[Chat]:
    """A few metrics of two to four chats each: so few that rates, distances and turns often tie."""
    return [
        Chat(f"{draw.randrange(10**6):06d}", metric, draw.random() < share, draw.choice([None, 1, 2, 3]))
        for metric in range(draw.randint(1, 6))
        for _sample in range(draw.choice([2, 3, 4]))
    ]


def test_choice_is_what_brute_force_finds_in_generated_rows_with_many_ties() -> None:
    draw = random.Random(20260701)
    rows = [_drawn_row(draw, share) for share in (0.0, 0.2, 0.5, 0.5, 0.8, 1.0) * 40]

    assert [ids(choose(row)) for row in rows] == [by_brute_force(row) for row in rows]


def test_rule_stands_in_words() -> None:
    assert chosen_conversations_rule()[0] == (
        "Worst: the failed conversation of the row’s metric with the lowest pass rate for this model. Best: the "
        "passed one of the metric with the highest. Typical: the conversation with the commoner verdict of the "
        "metric whose rate is nearest the row’s."
    )
