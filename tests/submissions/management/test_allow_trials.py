"""The command that says which models trials may use."""

from decimal import Decimal
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from evaluation.models import LanguageModel
from submissions.models import TrialModel
from tests.support.plans import write_plan

pytestmark = pytest.mark.django_db


def _allowed() -> dict[str, str]:
    return {row.part: row.language_model.slug for row in TrialModel.objects.select_related("language_model")}


def test_models_of_a_file_are_registered_and_allowed(tmp_path: Path) -> None:
    plan = write_plan(tmp_path, "http://127.0.0.1:9/v1")

    call_command("allow_trials", models=plan, judge="judge", user_simulator="simulator", ceiling_usd="0.1")

    assert _allowed() == {"judge": "judge", "user-simulator": "simulator"}
    assert TrialModel.objects.get(part="judge").ceiling_usd == Decimal("0.1")


def test_the_small_model_on_this_machine_is_allowed_for_all_parts_twice_over() -> None:
    call_command("allow_trials", embedded=True)
    call_command("allow_trials", embedded=True)

    assert _allowed() == {
        "judge": "smollm2-trial-judge",
        "user-simulator": "smollm2-trial-user",
        "target": "smollm2-trial-target",
    }
    assert set(LanguageModel.objects.values_list("api_base", flat=True)) == {"embedded:smollm2"}


def test_withdrawing_all_switches_trials_off(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("allow_trials", embedded=True)
    capsys.readouterr()

    call_command("allow_trials", withdraw=["all"])

    assert capsys.readouterr().out == "trials are switched off: no model is allowed\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"judge": "nobody"}, "there is no model 'nobody'; register it first with --models FILE.yaml"),
        ({"embedded": True, "ceiling_usd": "x"}, "--ceiling-usd must be a number of US dollars, not 'x'"),
        (
            {"embedded": True, "ceiling_usd": "-1"},
            "The ceiling of a call must be more than 0 and less than 1000 US dollars.",
        ),
    ],
)
def test_bad_arguments_allow_nothing(options: dict[str, object], message: str) -> None:
    with pytest.raises(CommandError) as refusal:
        call_command("allow_trials", **options)

    assert (str(refusal.value), refusal.value.returncode, _allowed()) == (message, 2, {})
