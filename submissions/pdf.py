"""A copy of a submission as a PDF of plain text: headings, paragraphs, nothing that could be clicked or run."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache

from django.conf import settings
from fpdf import FPDF, TextStyle
from fpdf.enums import XPos, YPos

FONTS = settings.BASE_DIR / "labels" / "fonts"
REGULAR, BOLD = FONTS / "Arimo_400Regular.ttf", FONTS / "Arimo_700Bold.ttf"
MARGIN = 20
_SPACES = "\n\t "


def pdf_of(title: str, parts: list[tuple[str, list[tuple[str, str]]]]) -> bytes:
    """The document: parts with a heading, each a list of (name, text). Text that the font lacks is spelled out."""
    pdf = FPDF(format="A4")
    pdf.set_title(shown(title))
    pdf.set_lang("en")
    pdf.set_margins(MARGIN, MARGIN)
    pdf.set_auto_page_break(True, MARGIN)
    pdf.add_font("text", "", REGULAR)
    pdf.add_font("text", "B", BOLD)
    pdf.set_section_title_styles(
        TextStyle("text", "B", 15, t_margin=6, b_margin=2), TextStyle("text", "B", 11, t_margin=3, b_margin=1)
    )
    pdf.add_page()
    pdf.set_font("text", "B", 18)
    _write(pdf, shown(title), 9)
    for heading, rows in parts:
        pdf.start_section(shown(heading))
        for name, text in rows:
            pdf.start_section(shown(name) or "Without a name", level=1)
            pdf.set_font("text", "", 10.5)
            _write(pdf, shown(text) or "(nothing)", 5.5)
    content = bytes(pdf.output())
    _close_fonts(pdf)
    return content


def shown(text: str) -> str:
    """The text with every character spelled out that the font lacks, that hides, or that turns the direction."""
    return "".join(_spelled(text.replace("\r\n", "\n").replace("\r", "\n")))


def _spelled(text: str) -> Iterator[str]:
    for character in text:
        is_plain = character in _SPACES or (
            ord(character) in _known() and unicodedata.category(character) not in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
        )
        yield character if is_plain else f"<U+{ord(character):04X}>"


@cache
def _known() -> frozenset[int]:
    """The characters that both fonts have."""
    pdf = FPDF()
    pdf.add_font("text", "", REGULAR)
    pdf.add_font("text", "B", BOLD)
    regular, bold = (frozenset(font.cmap) for font in pdf.fonts.values())  # type: ignore[union-attr]
    _close_fonts(pdf)
    return regular & bold


def _close_fonts(pdf: FPDF) -> None:
    # The library leaves the files open.
    for font in pdf.fonts.values():
        font.ttfont.close()  # type: ignore[union-attr]


def _write(pdf: FPDF, text: str, height: float) -> None:
    pdf.multi_cell(0, height, text, new_x=XPos.LMARGIN, new_y=YPos.NEXT, align="L")
