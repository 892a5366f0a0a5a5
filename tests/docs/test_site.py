"""The documentation becomes a site without a warning, and the site's own policy can hold for it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import ROOT


@pytest.mark.slow
def test_site_is_built_strictly_and_has_nothing_inline_or_foreign(tmp_path: Path) -> None:
    site = tmp_path / "site"
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-d", tmp_path / "doctrees", "docs", site],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    texts = {file.relative_to(site).as_posix(): file.read_text(encoding="utf-8") for file in site.rglob("*.html")}

    assert (done.returncode, done.stderr) == (0, "")
    assert [
        name for name, text in texts.items() if re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", text)
    ] == []
    assert [
        name for name, text in texts.items() if re.search(r"(?:src|stylesheet\" href)=\"(?:https?:)?//", text)
    ] == []
    assert sorted(name for name, text in texts.items() if "<script" in text) == ["search.html"]
    assert len(texts) > 20
