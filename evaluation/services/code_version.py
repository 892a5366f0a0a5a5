"""Which code ran: recorded with every run."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@cache
def code_version() -> str:
    """The commit in CODE_VERSION (set by images) or of the working copy, with `+changes` where files differ from it."""
    named = os.environ.get("CODE_VERSION", "").strip()
    if named:
        return named[:100]
    commit = _git("rev-parse", "--short=12", "HEAD")
    if not commit:
        return ""
    return f"{commit}+changes" if _git("status", "--porcelain", "--untracked-files=no") else commit


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
