"""Workbooks as a spreadsheet program writes them, in their smallest form."""

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

_MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def write_workbook(file: Path, rows: Sequence[Sequence[str]], *, before: str = "") -> Path:
    """An XLSX file with these rows on its first sheet: the first row as shared strings, the others inline.

    `before` stands at the beginning of the sheet's XML.
    """
    strings = "".join(f"<si><t>{escape(text)}</t></si>" for text in rows[0])
    lines = [_row(1, [(f'<c r="{chr(65 + n)}1" t="s"><v>{n}</v></c>') for n in range(len(rows[0]))])]
    for number, row in enumerate(rows[1:], start=2):
        cells = [
            f'<c r="{chr(65 + n)}{number}" t="inlineStr"><is><t>{escape(text)}</t></is></c>'
            for n, text in enumerate(row)
            if text
        ]
        lines.append(_row(number, cells))
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/sharedStrings.xml", f"<sst {_MAIN}>{strings}</sst>")
        archive.writestr(
            "xl/worksheets/sheet1.xml",
            f"{before}<worksheet {_MAIN}><sheetData>{''.join(lines)}</sheetData></worksheet>",
        )
    return file


def text_of_workbook(content: bytes) -> str:
    """All that is written in an XLSX file, mark-up and all."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist())


def _row(number: int, cells: Sequence[str]) -> str:
    return f'<row r="{number}">{"".join(cells)}</row>'
