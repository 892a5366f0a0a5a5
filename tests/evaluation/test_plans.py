# ruff: noqa: E501  (a table reads better in whole lines)
"""PLAN.yaml: every mistake gives one line with its place."""

from decimal import Decimal
from pathlib import Path

import pytest

from evaluation.importers.formats.problems import FileProblem
from evaluation.plans import read_plan

GOOD = """name: pilot
benchmarks: [autonomy]
user_simulator: sonnet
judge: luna
targets: [terra, luna]
models:
  - slug: terra
    name: Terra
    litellm_model: openai/terra
"""


def _read(tmp_path: Path, text: str) -> object:
    path = tmp_path / "plan.yaml"
    path.write_text(text)
    return read_plan(path)


def test_plan_has_the_defaults_of_the_contract(tmp_path: Path) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(GOOD)

    plan = read_plan(path)

    assert (plan.turns, plan.samples, plan.judge_repeats, plan.seed, plan.concurrency) == (None, 1, 1, 0, 50)
    assert (plan.anchors, plan.adversarial_guidance, plan.typing_edits) == (True, True, True)
    assert (plan.allow_cut_replies, plan.structured_simulator, plan.demonstration) == (False, False, False)
    assert plan.budget_usd is None
    assert [word.text for word in plan.judges] == ["luna"]
    assert plan.models[0].settings["parameters"] == {}


def test_budget_is_exact(tmp_path: Path) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(GOOD + "budget_usd: 25.1\n")

    assert read_plan(path).budget_usd == Decimal("25.1")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (GOOD + "turn: 3\n", "line 10, column 1: unknown key 'turn' in the plan"),
        (GOOD + "turns: six\n", "line 10, column 8: turns must be a whole number in the plan"),
        (GOOD + "turns: 51\n", "line 10, column 8: turns must be from 1 to 50 in the plan, not 51"),
        (GOOD + "anchors: 1\n", "line 10, column 10: anchors must be true or false in the plan"),
        (GOOD + "budget_usd: lots\n", "line 10, column 13: budget_usd must be a number of US dollars in the plan"),
        (GOOD + "name: [a\n", "line 11, column 1: is not valid YAML: did not find expected ',' or ']'"),
        (GOOD + "suite: s@1\n", "line 1, column 1: the plan needs exactly one of suite, benchmarks and metrics, and has suite and benchmarks"),
        (GOOD.replace("judge: luna\n", ""), "line 1, column 1: the plan has no judge"),
        (GOOD.replace("[terra, luna]", "[]"), "line 5, column 10: targets must name at least one"),
        (GOOD.replace("[terra, luna]", "[terra, terra]"), "line 5, column 18: targets names 'terra' twice"),
        (GOOD.replace("name: pilot", "name: my pilot"), "line 1, column 7: name must consist of letters, digits and hyphens (at most 100), not 'my pilot'"),
        (GOOD + "    key: abc\n", "line 10, column 5: unknown key 'key' in model terra"),
        (GOOD + "    api_key_env: sk-123\n", "line 10, column 18: api_key_env must be the name of an environment variable in model terra, never the key itself"),
        (GOOD + "    api_base: nowhere\n", "line 10, column 15: api_base must be an address that begins with http:// or https:// in model terra"),
        (GOOD + "    api_base: https://me:secret@example.org/v1\n", "line 10, column 15: api_base of model terra holds a password or key; leave it out and name its environment variable in api_key_env"),
        (GOOD + "    api_base: https://example.org/v1?api_key=secret\n", "line 10, column 15: api_base of model terra holds a password or key; leave it out and name its environment variable in api_key_env"),
        (GOOD + "    parameters: {api_key: sk-1}\n", "line 10, column 17: the key of model terra belongs into an environment variable; name it in api_key_env"),
        (GOOD.replace("    name: Terra\n", ""), "line 7, column 5: model terra has no name"),
        ("", "line 1, column 1: the plan must be a mapping of keys to values"),
    ],
)  # fmt: skip
def test_each_mistake_is_one_line_with_its_place(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(FileProblem) as refused:
        _read(tmp_path, text)

    assert str(refused.value) == f"{tmp_path / 'plan.yaml'}, {problem}"
