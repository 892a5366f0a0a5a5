"""Our spreadsheet, as CSV and as XLSX: an expert's rows become metrics with their scenarios."""

import csv
import io

import pytest

from evaluation.importers.formats import spreadsheet
from evaluation.importers.formats.draft_types import Origin
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.types import Anchor
from tests.support.workbooks import write_workbook

HEADER = (
    "Benchmark", "Metric", "Good or bad", "Behaviour", "Example present 1", "Why it matters", "Persona", "Age",
    "Message 1", "Message 2", "Colour",
)  # fmt: skip
ROWS = (
    HEADER,
    (
        "Tea",
        "Asks first",
        "good",
        "Asks how strong.",
        "How strong?",
        "Taste.",
        "A guest.",
        "44",
        "Tea please",
        "Now",
        "",
    ),
    ("", "Asks first", "Good", "Asks how strong.", "", "", "A pupil.", "15", "Tea?", "", "red"),
    ("", "", "bad", "Pours without asking.", "", "", "", "", "", "", ""),
)


def as_csv(tmp_path, rows=ROWS):
    written = io.StringIO()
    csv.writer(written).writerows(rows)
    file = tmp_path / "sheet.csv"
    file.write_bytes(b"\xef\xbb\xbf" + written.getvalue().encode())
    return file


def as_xlsx(tmp_path, rows=ROWS):
    return write_workbook(tmp_path / "sheet.xlsx", rows)


def as_semicolons(tmp_path, rows=ROWS):
    written = io.StringIO()
    csv.writer(written, delimiter=";").writerows(rows)
    file = tmp_path / "sheet.csv"
    file.write_bytes(b"\xef\xbb\xbf" + written.getvalue().encode())
    return file


@pytest.mark.parametrize("write", [as_csv, as_xlsx, as_semicolons])
def test_rows_become_metrics_with_their_scenarios(tmp_path, write):
    file = write(tmp_path)

    assert spreadsheet.recognises(file)
    read = spreadsheet.read(file)

    benchmark = read.benchmark
    asks, pours = benchmark.metrics
    assert (benchmark.slug, benchmark.name, benchmark.verified) == ("tea", "Tea", True)
    assert (asks.key, asks.proposal.polarity, asks.examples_present) == ("asks-first", "positive", ("How strong?",))
    assert asks.origin == Origin("Asks how strong.", "row 2")
    assert (pours.name, pours.proposal.polarity) == ("Pours without asking", "negative")
    assert [(one.persona, one.profile_slug, one.metric_keys) for one in benchmark.scenarios] == [
        ("A guest.", "adult", ("asks-first",)), ("A pupil.", "teen", ("asks-first",)),
    ]  # fmt: skip
    assert benchmark.scenarios[0].anchors == (Anchor(1, "Say: Tea please"), Anchor(2, "Say: Now"))
    assert [flag.text for flag in read.flags] == [
        "columns that the template does not have were not read: colour", "no licence in the source",
    ]  # fmt: skip


def test_csv_and_xlsx_give_equal_drafts(tmp_path):
    assert spreadsheet.read(as_csv(tmp_path)) == spreadsheet.read(as_xlsx(tmp_path))


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (("", "A", "good", ""), "row 2 has no behaviour; say what the assistant does"),
        (("", "A", "maybe", "Greets."), "row 2 says 'maybe'; write good or bad"),
    ],
)
def test_a_row_that_is_wrong_is_named(tmp_path, row, reason):
    with pytest.raises(FileProblem) as problem:
        spreadsheet.read(as_csv(tmp_path, (HEADER, row)))

    assert problem.value.message == reason


def test_an_empty_polarity_is_left_to_a_person(tmp_path):
    [metric] = spreadsheet.read(as_csv(tmp_path, (HEADER, ("", "A", "", "Greets.")))).benchmark.metrics

    assert (metric.proposal.polarity, metric.proposal.reason) == (None, "the column 'good or bad' is empty")


def test_a_workbook_with_entities_is_refused(tmp_path):
    bomb = '<!DOCTYPE a [<!ENTITY b "cc"><!ENTITY d "&b;&b;">]>'
    file = write_workbook(tmp_path / "bomb.xlsx", ROWS, before=bomb)

    assert not spreadsheet.recognises(file)
    with pytest.raises(FileProblem, match="declares a document type"):
        spreadsheet.read(file)


def test_another_zip_is_no_workbook(tmp_path):
    (tmp_path / "a.xlsx").write_bytes(b"PK\x03\x04" + b"0" * 60)

    assert not spreadsheet.recognises(tmp_path / "a.xlsx")
