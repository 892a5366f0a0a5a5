"""The prompts of a run by their hashes, and the judge's reading as one hash."""

from __future__ import annotations

import hashlib
import json

from evaluation.engine.prompt_files import prompt_hashes
from evaluation.models import JudgeConfiguration, LanguageModel

_JUDGE_PROMPTS = ("judge", "rubric")


def judge_prompt_hash() -> str:
    """SHA-256 over the prompts that judges read by."""
    read = {name: digest for name, digest in prompt_hashes().items() if name.startswith(_JUDGE_PROMPTS)}
    return hashlib.sha256(json.dumps(read, sort_keys=True).encode()).hexdigest()


def judge_configuration(model: LanguageModel) -> JudgeConfiguration:
    """The judge that `model` is under today's prompts; made where it is missing, never changed."""
    digest = judge_prompt_hash()
    judge, _ = JudgeConfiguration.objects.get_or_create(
        slug=f"{model.slug}-{digest[:8]}", defaults={"language_model": model, "prompt_hash": digest}
    )
    return judge
