"""Models described in a file become known without a run."""

from pathlib import Path

import pytest

from evaluation.models import LanguageModel
from evaluation.services.registering import register_models
from impactbench.common.errors import UnusableInput
from impactbench.common.models import AuditEvent
from tests.support.plans import write_plan

pytestmark = pytest.mark.django_db
URL = "http://127.0.0.1:9/v1"


def test_models_of_a_plan_are_saved_once(tmp_path: Path) -> None:
    plan = write_plan(tmp_path, URL)

    first, second = register_models(plan), register_models(plan)

    assert [model.slug for model in first] == ["simulator", "judge", "target-a", "target-b"]
    assert first == second
    assert AuditEvent.objects.filter(action="model-registered").count() == LanguageModel.objects.count() == 4


def test_a_list_of_models_alone_is_enough(tmp_path: Path) -> None:
    file = tmp_path / "models.yaml"
    file.write_text("models:\n  - {slug: m, name: M, litellm_model: openai/m}\n")

    assert [model.name for model in register_models(file)] == ["M"]


def test_a_known_model_with_other_settings_is_refused_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "models.yaml"
    file.write_text("models:\n  - {slug: m, name: M, litellm_model: openai/m}\n")
    register_models(file)
    file.write_text("models:\n  - {slug: m, name: N, litellm_model: openai/m}\n")

    with pytest.raises(UnusableInput) as refusal:
        register_models(file)

    assert str(refusal.value) == (
        f"{file}, line 2, column 12: model 'm' is known with other settings: name 'M' is 'N' here; give it another slug"
    )
