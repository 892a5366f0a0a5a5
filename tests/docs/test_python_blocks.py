"""Every piece of Python in README and docs/ runs: the blocks of a page one after the other, as one program."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.docs import pages
from tests.support.builders import make_release

BLOCKS = pages.of_language("python")
ASKING = sorted({block.page for block in BLOCKS if pages.SITE in block.text})
OTHERS = sorted({block.page for block in BLOCKS} - set(ASKING))


@pytest.mark.parametrize("name", OTHERS)
def test_python_of_a_page_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    _run(name, monkeypatch)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ASKING)
def test_python_of_a_page_that_asks_a_site_runs(
    name: str, live_server: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_release()
    monkeypatch.chdir(tmp_path)

    _run(name, monkeypatch, site=str(live_server))


def _run(name: str, monkeypatch: pytest.MonkeyPatch, *, site: str = "") -> None:
    module = ModuleType("documented")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for block in BLOCKS:
        if block.page == name:
            # Empty lines before it let an error name the line of the page.
            source = "\n" * block.line + block.text.replace(pages.SITE, site)
            exec(compile(source, name, "exec"), module.__dict__)
