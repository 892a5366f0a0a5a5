"""Tables: rows with their places, the two ways of quoting, and what is refused."""

import pytest

from evaluation.importers.formats import tables
from evaluation.importers.formats.problems import FileProblem
from evaluation.importers.formats.tables import Row, Table, as_table, read_csv, read_literal_tsv, read_quoted_tsv


def write(tmp_path, text, name="a.csv"):
    file = tmp_path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def problem(call, *arguments):
    with pytest.raises(FileProblem) as caught:
        call(*arguments)
    return caught.value.line, caught.value.message


def test_trap_8_cells_of_several_lines_with_crlf_between_rows_are_one_row_each(tmp_path):
    file = write(tmp_path, 'id,text\r\na,"Two\nlines, ""quoted"""\r\n\r\nb,c\r\n')

    assert read_csv(file) == [
        Row(("id", "text"), 1, 1), Row(("a", 'Two\nlines, "quoted"'), 2, 2), Row(("b", "c"), 4, 5),
    ]  # fmt: skip


def test_trap_8_quote_in_a_literal_tsv_is_a_character_and_in_a_quoted_one_it_is_not(tmp_path):
    file = write(tmp_path, 'a\t"b"\r\nc\t"d ""e"""\r\n')

    assert [row.cells for row in read_literal_tsv(file)] == [("a", '"b"'), ("c", '"d ""e"""')]
    assert [row.cells for row in read_quoted_tsv(file)] == [("a", "b"), ("c", 'd "e"')]


def test_trap_8_empty_columns_at_the_end_are_no_matter(tmp_path):
    table = as_table(tmp_path / "a.csv", read_csv(write(tmp_path, " id ,text,,\nx,y,,,,\nz\n")))

    assert table.columns == ("id", "text", "", "")
    assert [(table.text(row, "id"), table.text(row, "text"), table.text(row, "none")) for row in table.rows] == [
        ("x", "y", ""), ("z", "", ""),
    ]  # fmt: skip


def test_trap_9_byte_order_mark_is_no_part_of_the_first_column(tmp_path):
    assert read_csv(write(tmp_path, b"\xef\xbb\xbfid\n1\n"))[0].cells == ("id",)


def test_line_separator_of_unicode_parts_no_row(tmp_path):
    text = "a\u2028b\x85c\tx\n"

    assert [row.cells for row in read_literal_tsv(write(tmp_path, text))] == [("a\u2028b\x85c", "x")]
    assert [row.cells for row in read_quoted_tsv(write(tmp_path, text))] == [("a\u2028b\x85c", "x")]


def test_quote_that_stays_open_is_refused_with_the_line_where_its_row_begins(tmp_path):
    line, message = problem(read_csv, write(tmp_path, 'a,b\nc,"d\ne\n'))

    assert (line, message) == (2, "is not a valid table (unexpected end of data): a quote may be missing")


def test_latin_1_is_refused(tmp_path):
    assert problem(read_csv, write(tmp_path, b"a\n\xe9\n")) == (2, "is not UTF-8 text; save it as UTF-8")


def test_row_that_is_wider_than_the_head_is_refused(tmp_path):
    file = write(tmp_path, "a,b\n1,2\n1,2,3\n")

    assert problem(as_table, file, read_csv(file)) == (
        3, "row 3 has 3 cells, but there are 2 columns: a quote or a tab may be missing",
    )  # fmt: skip


def test_column_that_stands_twice_is_refused(tmp_path):
    file = write(tmp_path, "a,b,a\n")

    assert problem(as_table, file, read_csv(file)) == (1, "the column 'a' stands here twice")


def test_file_without_rows_is_refused(tmp_path):
    file = write(tmp_path, "\n")

    assert problem(as_table, file, read_csv(file)) == (None, "has no rows")


def test_trap_24_more_than_100_000_rows_are_refused(tmp_path):
    assert tables.MAX_ROWS == 100_000
    file = write(tmp_path, "x\n" * 100_002)

    assert problem(read_csv, file) == (100_002, "holds more than 100,000 rows; split the file")
    assert len(read_literal_tsv(write(tmp_path, "x\n" * 100_001))) == 100_001


def test_more_than_1000_columns_are_refused(tmp_path):
    file = write(tmp_path, "," * 1_000 + "\n")

    assert problem(as_table, file, [Row(("",) * 1_001, 1, 1)]) == (1, "has more than 1,000 columns")


def test_cell_is_kept_as_it_stands_there():
    table = Table(("a",), (Row((" x \n",), 2, 2),))

    assert (table.cell(table.rows[0], "a"), table.text(table.rows[0], "a")) == (" x \n", "x")
