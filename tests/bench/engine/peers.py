"""Peers that are measured beside us, each in an environment of its own: nothing of ours depends on them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from tests.support.production_server import ROOT

INSPECT = "inspect-ai==0.3.285"
# Its client for OpenAI-compatible servers, at the version with which the ratios of docs/operating.md were taken.
OPENAI = "openai==3.57.0"


def inspect_python() -> Path | None:
    """The Python that has Inspect, installed when it is missing; None where that is not possible."""
    folder = ROOT / ".impactbench" / "peers" / INSPECT.replace("==", "-")
    python = folder / "bin" / "python"
    if python.exists() and (folder / "complete").exists():
        return python
    uv = os.environ.get("UV") or shutil.which("uv") or str(ROOT / ".uv" / "bin" / "uv")
    try:
        subprocess.run([uv, "venv", "--quiet", "--clear", "--python", "3.11", folder], check=True)
        subprocess.run([uv, "pip", "install", "--quiet", "--python", python, INSPECT, OPENAI], check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    (folder / "complete").touch()
    return python
