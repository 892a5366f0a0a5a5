"""Every piece of Python in README and docs/ runs: the blocks of a page one after the other, as one program."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from tests.docs import pages
from tests.support.builders import make_release

PAGES = sorted({block.page for block in pages.of_language("python")})


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("page", PAGES)
def test_python_of_a_page_runs(
    page: str, live_server: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_release()
    monkeypatch.chdir(tmp_path)
    module = ModuleType("documented")

    for block in pages.of_language("python"):
        if block.page == page:
            # Empty lines before it let an error name the line of the page.
            source = "\n" * block.line + block.text.replace(pages.SITE, str(live_server))
            exec(compile(source, page, "exec"), module.__dict__)
