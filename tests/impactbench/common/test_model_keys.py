"""The web server's processes forget the keys of language models; the workers beside it keep them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from impactbench.common.model_keys import forget_model_keys
from impactbench.standing_workers import standing_workers
from tests.support.commands import ROOT, environment


def test_what_is_named_like_a_key_is_forgotten_but_the_sites_own() -> None:
    variables = dict.fromkeys(
        ("OPENAI_API_KEY", "HF_TOKEN", "aws_secret_access_key", "GOOGLE_APPLICATION_CREDENTIALS", "SECRET_KEY", "PATH"),
        "x",
    )

    forget_model_keys(variables)

    assert sorted(variables) == ["PATH", "SECRET_KEY"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("module", ["impactbench.wsgi", "impactbench.asgi"])
def test_a_web_process_has_no_key_once_it_serves(tmp_path: Path, module: str) -> None:
    code = f"import os, {module}; print(sorted(name for name in os.environ if name.endswith('_KEY')))"
    variables = {"EXAMPLE_API_KEY": "secret-123", "SECRET_KEY": "tests-only-too"}

    ended = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, **environment(tmp_path), **variables},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )

    assert ended.stdout.strip() == "['SECRET_KEY']"


def test_the_workers_beside_the_web_server_are_given_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXAMPLE_API_KEY", "secret-123")
    with standing_workers() as workers:
        workers[0].look()
        process = workers[0]._process
        assert process is not None
        # Until the kernel has set up the new program, there is nothing to read.
        while not (variables := Path(f"/proc/{process.pid}/environ").read_bytes()):
            assert process.poll() is None

    assert b"EXAMPLE_API_KEY=secret-123" in variables.split(b"\0")
