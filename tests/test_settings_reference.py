"""The table of settings in docs/operating.md names every environment variable that is read, and no other."""

import re

from tests.support.commands import ROOT

READ = re.compile(r"""(?:env_\w+\(|environ(?:\.get\(|\[))\s*["']([A-Z][A-Z0-9_]+)["']""")
# Set by our own programs for each other, or by the tools that we call.
OUR_OWN = {
    "DJANGO_SETTINGS_MODULE",
    "HYPOTHESIS_PROFILE",
    "IMPACTBENCH_PARENT_PID",
    "PAGE_CACHE_EDITION",
    "PATH",
    "PROMETHEUS_MULTIPROC_DIR",
}


def read_by_code() -> set[str]:
    files = [*ROOT.glob("docker/*.py")]
    for package in ("impactbench", "evaluation", "submissions", "labels"):
        files += (ROOT / package).rglob("*.py")
    return {name for file in files for name in READ.findall(file.read_text(encoding="utf-8"))}


def told_in_the_table() -> set[str]:
    text = (ROOT / "docs/operating.md").read_text(encoding="utf-8")
    table = text.split("## Settings")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`([A-Z][A-Z0-9_]+)`", row)}


def test_table_names_every_variable_that_is_read() -> None:
    assert sorted(read_by_code() - OUR_OWN - told_in_the_table()) == []


def test_table_names_no_variable_that_nobody_reads() -> None:
    assert sorted(told_in_the_table() - read_by_code() - OUR_OWN) == []
