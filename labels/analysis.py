"""The report on a plain table of judgments: the same tables and pictures as of a release, as files in a folder."""

import csv
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from evaluation.importers.judgment_table import JudgmentTable
from evaluation.services.code_version import code_version
from evaluation.statistics.metric_quality import metric_quality
from evaluation.statistics.release_numbers import ReleaseNumbers, release_numbers
from evaluation.statistics.report.judging import quality_table
from evaluation.statistics.report.methods import Made, methods_paragraph
from evaluation.statistics.report.report import report
from evaluation.statistics.report.tables import Names, Numbers, ReportTable, plain
from evaluation.statistics.report.writing import document, header, values
from evaluation.statistics.verdicts import NOT_JUDGED
from impactbench.common.csv_files import csv_lines
from impactbench.common.errors import DomainError, UnusableInput
from labels.report_page import sections

STYLES = ("base.css", "components.css", "pages.css", "report.css")
NO_NAMES = Names(models={}, benchmarks={}, areas={}, subareas={}, metrics={}, profiles={})


@dataclass(frozen=True)
class Analysis:
    """Everything computed from one table of judgments."""

    title: str
    table: JudgmentTable
    numbers: ReleaseNumbers
    tables: list[ReportTable]
    methods: str
    resamples: int
    seed: int


def analyse(table: JudgmentTable, *, title: str, resamples: int, seed: int) -> Analysis:
    """All numbers and tables of a table of judgments."""
    verdicts = table.verdicts
    numbers = release_numbers(
        verdicts,
        table.groups,
        profiles=sorted(set(verdicts["profile"])),
        models=sorted(set(verdicts["model"])),
        resamples=resamples,
        seed=seed,
    )
    tables = report(Numbers(numbers.results, numbers.comparisons, numbers.sensitivity, NO_NAMES))
    quality = _quality(verdicts)
    return Analysis(
        title=title,
        table=table,
        numbers=numbers,
        tables=[*tables, quality] if quality.rows else tables,
        methods=methods_paragraph(_made(table, title, resamples, seed)),
        resamples=resamples,
        seed=seed,
    )


def write(analysis: Analysis, folder: Path) -> int:
    """Write report.html, one CSV file a table, the raw numbers and results.json; returns how many files.

    All or nothing: the folder must not exist yet, or be empty. The same table gives the same bytes.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UnusableInput(f"{folder} is there already and not an empty folder; name another one")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            files = dict(_files(analysis))
            for name, text in files.items():
                (made / name).write_text(text, encoding="utf-8", newline="")
            made.chmod(0o777 & ~_umask())
            made.replace(folder)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    except OSError as problem:
        raise DomainError(f"{folder} cannot be written: {problem.strerror or problem}") from problem
    return len(files)


def _umask() -> int:
    """A temporary folder is closed to others; the result gets the rights that any new folder has."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _files(analysis: Analysis) -> Iterator[tuple[str, str]]:
    yield "report.html", _page(analysis)
    for table in analysis.tables:
        yield f"{table.slug}.csv", _csv(header(table), list(values(table)))
    for name, numbers in _raw(analysis).items():
        if numbers:
            yield f"all-{name}.csv", _csv(list(numbers[0]), [[_cell(v) for v in row.values()] for row in numbers])
    yield "results.json", json.dumps(_document(analysis), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _raw(analysis: Analysis) -> dict[str, list[dict[str, Any]]]:
    numbers = analysis.numbers
    named = {"results": numbers.results, "comparisons": numbers.comparisons, "sensitivity": numbers.sensitivity}
    return {name: plain(table) for name, table in named.items() if len(table)}


def _csv(names: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    return "".join(csv_lines(names, rows, quoting=csv.QUOTE_MINIMAL))


def _cell(value: object) -> object:
    return json.dumps(value, sort_keys=True) if isinstance(value, dict) else value


def _document(analysis: Analysis) -> dict[str, Any]:
    verdicts = analysis.table.verdicts
    return {
        "title": analysis.title,
        "input_sha256": analysis.table.sha256,
        "n_conversations": len(verdicts),
        "n_judged": len(verdicts) - analysis.table.n_unjudged,
        "n_unjudged": analysis.table.n_unjudged,
        "resamples": analysis.resamples,
        "seed": analysis.seed,
        "methods": analysis.methods,
        "tables": [document(table) for table in analysis.tables],
        **_raw(analysis),
    }


def _page(analysis: Analysis) -> str:
    verdicts = analysis.table.verdicts
    context = {
        "title": analysis.title,
        "styles": _styles(),
        "sections": sections(analysis.tables, files=lambda slug: [("CSV", f"{slug}.csv")]),
        "methods": analysis.methods,
        "n_judged": len(verdicts) - analysis.table.n_unjudged,
        "n_unjudged": analysis.table.n_unjudged,
        "n_metrics": verdicts["metric"].nunique(),
        "n_benchmarks": verdicts["benchmark"].nunique(),
        "n_models": verdicts["model"].nunique(),
    }
    return render_to_string("labels/report_file.html", context)


def _styles() -> SafeString:
    found = [finders.find(f"css/{name}") for name in STYLES]
    texts = [Path(path).read_text(encoding="utf-8") for path in found if isinstance(path, str)]
    return mark_safe("\n".join(texts))  # noqa: S308  (our own style sheets)


def _quality(verdicts: pd.DataFrame) -> ReportTable:
    judged = verdicts[verdicts["present"].notna()]
    passed = judged["present"].astype(bool) == (judged["polarity"] == "positive")
    return quality_table(metric_quality(judged.assign(passed=passed)) if len(judged) else [], {})


def _made(table: JudgmentTable, title: str, resamples: int, seed: int) -> Made:
    verdicts = table.verdicts
    polarity = verdicts.drop_duplicates("metric")["polarity"]
    unjudged = [(f"without a verdict ({NOT_JUDGED})", table.n_unjudged)] if table.n_unjudged else []
    return Made(
        name=title,
        models=sorted(set(verdicts["model"]), key=str.casefold),
        n_benchmarks=verdicts["benchmark"].nunique(),
        n_positive=int((polarity == "positive").sum()),
        n_negative=int((polarity == "negative").sum()),
        n_planned=len(verdicts),
        n_ended=len(verdicts),
        n_judged=len(verdicts) - table.n_unjudged,
        profiles=sorted(set(verdicts["profile"])),
        resamples=resamples,
        seed=seed,
        scenarios=len(verdicts.drop_duplicates(["metric", "scenario", "profile"])),
        software=f"ImpactBench {code_version()}".strip(),
        unjudged=unjudged,
    )
