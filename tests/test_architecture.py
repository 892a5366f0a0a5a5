"""Keep the house in order: who may import whom (docs/architecture.md)."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("impactbench", "evaluation", "submissions", "labels")
PURE = (
    "evaluation.engine",
    "evaluation.generation",
    "evaluation.statistics",
    "evaluation.studies",
    "evaluation.importers.formats",
)
WIRING = ("impactbench.settings", "impactbench.urls", "impactbench.celery", "impactbench.wsgi", "impactbench.asgi")

# package: the packages of ours that it may import, besides itself
MAY_IMPORT = {
    "labels": ("evaluation", "impactbench.accounts", "impactbench.common"),
    "submissions": ("evaluation", "impactbench.accounts", "impactbench.common"),
    "evaluation": ("impactbench.accounts", "impactbench.common"),
    "impactbench.accounts": ("impactbench.common",),
    "impactbench.common": (),
    "impactbench.embedded": (),
}
# Who may start the embedded servers.
MAY_IMPORT_EMBEDDED = (
    "evaluation.llm",
    "evaluation.management.commands",
    "impactbench.common.",
    "impactbench.settings",
)
MAY_IMPORT_LITELLM = ("evaluation.llm",)
NOT_IN_PURE_CODE = ("django", "rest_framework", "celery", "psycopg", "redis", "litellm", "aiohttp", "impactbench")


def _modules() -> Iterator[tuple[str, Path]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            yield name.removesuffix(".__init__"), path


def _imports(path: Path, module: str) -> Iterator[str]:
    """Every module that a file names in an import, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} uses a relative import; name the package in full"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package.rstrip('.')}.")


def _home(module: str) -> str | None:
    return next((package for package in MAY_IMPORT if _within(module, package)), None)


def _violations() -> Iterator[str]:
    for module, path in _modules():
        home = _home(module)
        for imported in _imports(path, module):
            ours = any(_within(imported, package) for package in PACKAGES)
            if home and ours and not _is_allowed(module, home, imported):
                yield f"{module} imports {imported}"
            if imported.split(".")[0] == "litellm" and not any(_within(module, p) for p in MAY_IMPORT_LITELLM):
                yield f"{module} imports litellm"
            if any(_within(module, p) for p in PURE) and _is_impure(imported):
                yield f"{module} is pure and imports {imported}"


def _is_allowed(module: str, home: str, imported: str) -> bool:
    if any(_within(imported, wiring) for wiring in WIRING):
        return False
    if _within(imported, "impactbench.embedded") and any(_within(module, p) for p in MAY_IMPORT_EMBEDDED):
        return True
    return _within(imported, home) or any(_within(imported, package) for package in MAY_IMPORT[home])


def _is_impure(imported: str) -> bool:
    if imported.split(".")[0] in NOT_IN_PURE_CODE:
        return True
    return imported.split(".")[0] == "evaluation" and not any(_within(imported, pure) for pure in PURE)


def test_every_import_keeps_to_the_rules() -> None:
    assert list(_violations()) == []


def test_the_rules_see_a_violation() -> None:
    assert not _is_allowed("labels.views.home", "labels", "submissions.models")
    assert not _is_allowed("evaluation.tasks", "evaluation", "impactbench.celery.app")
    assert not _is_allowed("evaluation.views", "evaluation", "impactbench.embedded.join")
    assert _is_impure("django.db")
    assert _is_impure("evaluation.models")


@pytest.mark.slow
def test_a_web_process_loads_no_heavy_library() -> None:
    script = (
        "import sys, django; django.setup(); from django.urls import get_resolver; get_resolver().url_patterns; "
        "print(sorted({'litellm', 'xllamacpp', 'aiohttp'} & set(sys.modules)))"
    )

    result = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)

    assert result.stdout.strip() == "[]"
