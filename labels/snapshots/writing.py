"""Writes rows as CSV, JSON, JSON Lines or Parquet, one after the other, whatever their number."""

import gzip
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from impactbench.common.csv_files import csv_lines
from impactbench.common.groups import in_groups
from labels.snapshots.columns import Column, Kind
from labels.snapshots.counting import Counting

if TYPE_CHECKING:
    import pyarrow as pa

Row = Mapping[str, Any]
# Rows of a Parquet file that are written, and later read, together.
ROWS_IN_A_GROUP = 1_000
# A tenth larger than the best, in a third of the time.
_GZIP_LEVEL = 6


def write_csv(rows: Iterable[Row], columns: Sequence[Column], file: Path) -> int:
    """One line a row, lists as JSON text, no cell that a spreadsheet takes for a formula. Returns how many rows."""
    counted = Counting(rows)
    cells = ([_cell(row.get(column.name)) for column in columns] for row in counted)
    with file.open("x", encoding="utf-8", newline="") as out:
        out.writelines(csv_lines([column.name for column in columns], cells))
    return counted.n


def write_json_lines(rows: Iterable[Row], _columns: Sequence[Column], file: Path) -> int:
    """One JSON object a line. Returns the number of rows."""
    counted = Counting(rows)
    with file.open("xb") as out:
        out.writelines(orjson.dumps(row) + b"\n" for row in counted)
    return counted.n


def write_packed_json_lines(rows: Iterable[Row], _columns: Sequence[Column], file: Path) -> int:
    """JSON Lines, compressed by gzip; the same rows give the same bytes. Returns the number of rows."""
    counted = Counting(rows)
    with file.open("xb") as out, gzip.GzipFile("", "wb", _GZIP_LEVEL, out, mtime=0) as packed:
        packed.writelines(orjson.dumps(row) + b"\n" for row in counted)
    return counted.n


def write_json(rows: Iterable[Row], _columns: Sequence[Column], file: Path) -> int:
    """One JSON array. Returns the number of rows."""
    counted = Counting(rows)
    with file.open("xb") as out:
        out.write(b"[")
        for row in counted:
            out.write((b",\n" if counted.n > 1 else b"\n") + orjson.dumps(row))
        out.write(b"\n]\n")
    return counted.n


def write_parquet(rows: Iterable[Row], columns: Sequence[Column], file: Path) -> int:
    """Parquet with the types of the columns, in groups of rows. Returns the number of rows."""
    # It takes 60 MB, which only a process that writes Parquet should hold.
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    schema = pa.schema([pa.field(column.name, _arrow_type(column)) for column in columns])
    counted = Counting(rows)
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for group in in_groups(counted, ROWS_IN_A_GROUP):
            cells = [{column.name: _storable(row.get(column.name), column) for column in columns} for row in group]
            writer.write_table(pa.Table.from_pylist(cells, schema=schema))
    return counted.n


FORMATS: dict[str, Callable[[Iterable[Row], Sequence[Column], Path], int]] = {
    "csv": write_csv,
    "json": write_json,
    "jsonl": write_json_lines,
    "jsonl.gz": write_packed_json_lines,
    "parquet": write_parquet,
}


def _cell(value: object) -> object:
    return orjson.dumps(value).decode() if isinstance(value, list | dict) else value


def _storable(value: Any, column: Column) -> Any:
    return orjson.dumps(value).decode() if column.kind is Kind.JSON and value is not None else value


def _arrow_type(column: Column) -> "pa.DataType":
    import pyarrow as pa  # noqa: PLC0415  (see write_parquet)

    simple = {
        Kind.TEXT: pa.string(), Kind.JSON: pa.string(), Kind.INTEGER: pa.int64(), Kind.NUMBER: pa.float64(),
        Kind.TRUTH: pa.bool_(),
    }  # fmt: skip
    if column.kind is Kind.RECORD:
        type_: pa.DataType = pa.struct([pa.field(part.name, _arrow_type(part)) for part in column.parts])
    else:
        type_ = simple[column.kind]
    return pa.list_(type_) if column.many else type_
