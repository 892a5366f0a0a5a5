"""A plain table of judgments: what is read, and what each mistake says."""

import pytest

from evaluation.importers.judgment_table import read_judgment_table
from impactbench.common.errors import UnusableInput

HEADER = "benchmark,metric,polarity,scenario,profile,model,present,subareas"
LINES = (
    "a,m1,positive,s1,teen,x,yes,work; money",
    "a,m1,positive,s1,teen,y,No,work; money",
    "a,m2,Negative,s1,adult,x,,work",
    "b,m3,negative,s2,adult,x,1,",
)


def table(tmp_path, text):
    file = tmp_path / "judgments.csv"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_judgment_table(file)


def refusal(tmp_path, text):
    with pytest.raises(UnusableInput) as refused:
        table(tmp_path, text)
    return str(refused.value).replace(f"{tmp_path}/judgments.csv: ", "")


def test_lines_become_verdicts_and_groups(tmp_path):
    found = table(tmp_path, "\n".join([HEADER, *LINES]))

    assert [tuple(row) for row in found.verdicts[["metric", "polarity", "profile", "model"]].to_numpy()] == [
        ("a/m1", "positive", "teen", "x"),
        ("a/m1", "positive", "teen", "y"),
        ("a/m2", "negative", "adult", "x"),
        ("b/m3", "negative", "adult", "x"),
    ]
    assert [None if value is None else value for value in found.verdicts["present"].astype(object).where(
        found.verdicts["present"].notna(), None)] == [True, False, None, True]  # fmt: skip
    assert found.n_unjudged == 1
    assert found.groups == {
        "subarea": {"money": ["a/m1"], "work": ["a/m1", "a/m2"]},
        "benchmark": {"a": ["a/m1", "a/m2"], "b": ["b/m3"]},
    }


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + "\r\n".join([HEADER, *LINES]) + "\r\n",
        "\n".join([HEADER, *LINES]).replace(",", "\t"),
        "\n".join([HEADER, *LINES]).replace("work; money", '"work; money"').replace(",", ";"),
        "\n".join([HEADER, LINES[0].replace("work; money", '"work; money"'), "", *LINES[1:], ",,,,,,,"]),
    ],
)
def test_every_usual_way_to_save_a_table_reads_the_same(tmp_path, text):
    plain = table(tmp_path, "\n".join([HEADER, *LINES]))

    found = table(tmp_path, text)

    assert found.groups == plain.groups
    assert found.verdicts.drop(columns="conversation").equals(plain.verdicts.drop(columns="conversation"))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("a,m1,good,s1,teen,x,yes,", "line 2, column polarity says 'good'; write positive or negative"),
        (
            "a,m1,positive,s1,teen,x,maybe,",
            ("line 2, column present says 'maybe'; write yes or no, true or false, 1 or 0, or leave it empty where "
            "nothing was judged"),
        ),
        ("a,,positive,s1,teen,x,yes,", "line 2, column metric is empty; fill it in"),
        ("a,m1,positive,s1,all,x,yes,", ("line 2, column profile says 'all', which stands for all of them together; "
         "write another name")),
        ("a,m1,positive,s1,teen,x,yes", ("line 2 has 7 cells and the header 8; put text that holds a separator between "
         "double quotes")),
        ("a,m1,positive,s1,teen,x,yes,\na,m1,negative,s2,teen,x,yes,",
         "line 3, column polarity says 'negative' of a/m1, but line 2 says 'positive'; make them the same"),
        ("a,m1,positive,s1,teen,x,yes,work\na,m1,positive,s2,teen,x,yes,",
         "line 3, column subareas says '' of a/m1, but line 2 says 'work'; make them the same"),
        ("a,m1,positive,s1,teen,x,yes,\n\na,m1,positive,s1,teen,x,no,",
         ("line 4 is about the same conversation as line 2 (benchmark, metric, scenario, profile, model, sample); "
         "number repeated conversations in a column sample, and keep one line of each")),
        ('a,"m1,positive,s1,teen,x,yes,', "line 2 is no CSV: unexpected end of data"),
        ("", "there is no line below the header, so there is nothing to analyse"),
    ],
)  # fmt: skip
def test_mistake_names_line_column_and_what_to_do(tmp_path, line, says):
    assert refusal(tmp_path, f"{HEADER}\n{line}\n") == says


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ("", ("line 1 is empty; it must name the columns benchmark, metric, polarity, scenario, profile, model, "
         "present")),
        (HEADER.replace("polarity", "polarty"),
         "line 1 lacks the columns polarity; is 'polarty' meant to be polarity? add them"),
        (f"{HEADER},weight", ("line 1 names columns that are not known: 'weight'; take them out (known are benchmark, "
         "metric, polarity, scenario, profile, model, present, areas, subareas, sample)")),
        (f"{HEADER},model", "line 1 names model twice; keep one of each"),
    ],
)  # fmt: skip
def test_mistake_in_the_header_says_what_to_do(tmp_path, header, says):
    assert refusal(tmp_path, f"{header}\n") == says


def test_file_that_is_no_text_is_refused(tmp_path):
    text = f"{HEADER}\na,m1,positive,s1,teen,x,yes,caf".encode() + b"\xe9\n"

    assert refusal(tmp_path, text) == "line 2 is not UTF-8; save the table as CSV in UTF-8"


def test_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UnusableInput, match="cannot be read: No such file"):
        read_judgment_table(tmp_path / "nothing.csv")


def test_samples_are_conversations_of_their_own(tmp_path):
    header = "benchmark,metric,polarity,scenario,profile,model,present,sample"
    lines = [f"a,m1,positive,s1,teen,x,yes,{sample}" for sample in (1, 2)]

    found = table(tmp_path, "\n".join([header, *lines]))

    assert (len(found.verdicts), found.has_samples) == (2, True)
