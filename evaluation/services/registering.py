"""Makes language models known without a run: the same descriptions as in a plan, under the same rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.db import transaction

from evaluation.importers.formats.problems import FileProblem
from evaluation.models import LanguageModel
from evaluation.plans import read_models
from evaluation.services.plan_resolving import planned_models
from impactbench.common import locking
from impactbench.common.audit import record
from impactbench.common.errors import UnusableInput


@transaction.atomic
def register_models(file: Path, *, actor: Any = None) -> list[LanguageModel]:
    """The models under `models` in a YAML file, which may be a plan; new ones are saved, known ones are given back.

    Raises UnusableInput with the place in the file where a model is described wrongly, or otherwise than it is known.
    """
    locking.wait_for("new models")
    try:
        models = list(planned_models(file, read_models(file)).values())
    except FileProblem as problem:
        raise UnusableInput(str(problem)) from problem
    for model in models:
        if model.pk is None:
            model.save()
            record(actor=actor, action="model-registered", target=model)
    return models
