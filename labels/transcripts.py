"""Turns what models, simulated users and judges wrote, all of it hostile input, into harmless HTML and text."""

import re
import unicodedata
from collections.abc import MutableMapping, Sequence
from typing import Any

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

# No heading, no image and no link is in it: a transcript neither joins the page's outline nor loads anything nor leads
# anybody away.
ALLOWED_TAGS = {
    "blockquote", "br", "code", "del", "em", "hr", "li", "ol", "p", "pre", "s", "strong",
    "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
# Beyond this many characters, or signs that may mean something in markdown, a text is shown as plain paragraphs: what
# reading it takes grows with the signs (a reply of 20,000 characters has some 2,000).
LONGEST_MARKUP = 200_000
MOST_MARKS = 4_000
_MARKS = re.compile(r"[\[\]*_`<&!|~\\\n#>+-]|\d[.)]")

# Of hidden characters in a row.
MOST_SPELLED = 8
_JOINERS = "\u200c\u200d"
_HIDING = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
# The one tag that models often write in a markdown table, where no other line break is possible.
LINE_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
# A browser lays out many short paragraphs far sooner than one that is endless and changes its letters often.
LONGEST_LINE, MOST_LINES = 8_000, 200
_LINE_FULL = re.compile(rf"[^\n]{{{LONGEST_LINE - 1_000},{LONGEST_LINE}}}(?=\s)|[^\n]{{{LONGEST_LINE}}}")
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")


def visible(text: str | None) -> str:
    """The text with every character that could hide or reorder others spelled out, such as `[U+202E]`.

    Many of them in a row are counted instead: spelled out, they would be more than a browser lays out in time.

    Joiners stay between characters of scripts and emoji that need them; tabs and line ends stay.
    """
    text = (text or "").replace("\r\n", "\n").replace("\r", "\n")
    hidden = [one for one in set(text) if one not in "\n\t" and unicodedata.category(one) in _HIDING]
    if not hidden:
        return text
    return re.sub(f"[{''.join(map(re.escape, hidden))}]+", _spelled, text)


def render(text: str | None) -> SafeString:
    """The HTML of a text in markdown: a short allow-list of tags, headings as bold paragraphs, pictures left out.

    A written `<br>` breaks the line; every other written tag is shown as the text it is.

    A link is its words and, where they differ, its address in brackets: nothing to click.
    """
    text = visible(text)
    if len(text) > LONGEST_LINE:
        text = _LINE_FULL.sub(r"\g<0>\n\n", text)
    if len(text) > LONGEST_MARKUP or len(_MARKS.findall(text)) > MOST_MARKS:
        return _plain(text)
    html = nh3.clean(
        _MARKDOWN.render(text),
        tags=ALLOWED_TAGS,
        attributes={"ol": {"start"}},
        link_rel=None,
        strip_comments=True,
    )
    # Cleaned by the allow-list; a `<` of the text itself is written `&lt;` by now.
    return mark_safe(_boxed_tables(html))  # noqa: S308


def _plain(text: str) -> SafeString:
    """Paragraphs without any markup, of no more lines than a browser lays out in time."""
    lines = [line for part in _BLANK_LINES.split(text) if part.strip() for line in (*part.split("\n"), "")]
    paragraphs: list[list[str]] = [[]]
    # Where blank lines alone would make too many paragraphs, they end none.
    may_end = lines.count("") <= MOST_MARKS
    for line in lines:
        if (line or not may_end) and len(paragraphs[-1]) < MOST_LINES:
            paragraphs[-1].append(escape(line))
        else:
            paragraphs.append([escape(line)] if line else [])
    made = ("<br>".join(one) for one in paragraphs if one)
    return mark_safe("".join(f"<p>{one}</p>" for one in made))  # noqa: S308  (escaped above)


def _boxed_tables(html: str) -> str:
    """A wide table scrolls in a box of its own, by keyboard too."""
    if "<table>" not in html:
        return html
    start = f'<div class="table-box" role="group" aria-label="{escape(_("Table"))}" tabindex="0"><table>'
    return html.replace("<table>", start).replace("</table>", "</table></div>")


def _spelled(found: re.Match[str]) -> str:
    run, text, at = found[0], found.string, found.start()
    if len(run) > MOST_SPELLED:
        return "[" + _("%(n)s hidden characters") % {"n": f"{len(run):,}"} + "]"
    if run in _JOINERS and 0 < at < len(text) - 1 and not (text[at - 1] + text[at + 1]).isascii():
        return run
    return "".join(f"[U+{ord(character):04X}]" for character in run)


def _tame(state: Any) -> None:
    """Markdown rule: headings become bold paragraphs, `<br>` breaks lines, a link shows where it would lead."""
    tokens: list[Token] = state.tokens
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = "p"
        elif token.type == "inline" and token.children:
            token.children = _spelled_links(_broken_lines(token.children))


def _broken_lines(children: Sequence[Token]) -> list[Token]:
    broken: list[Token] = []
    for token in children:
        if token.type != "text":
            broken.append(token)
            continue
        for at, words in enumerate(LINE_BREAK.split(token.content)):
            if at:
                broken.append(Token("hardbreak", "br", 0))
            broken.append(Token("text", "", 0, content=words))
    return broken


def _spelled_links(children: Sequence[Token]) -> list[Token]:
    spelled: list[Token] = []
    address = words = ""
    for token in children:
        if token.type == "link_open":
            address, words = str(token.attrs.get("href", "")), ""
        elif token.type == "link_close":
            if not words.strip():
                spelled.append(Token("text", "", 0, content=address or "link"))
            elif not address.endswith(words):
                spelled.append(Token("text", "", 0, content=f" ({address})"))
        else:
            words += token.content
            spelled.append(token)
    return spelled


def _picture(
    renderer: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: MutableMapping[str, Any]
) -> str:
    words = renderer.renderInlineAsText(tokens[at].children, options, env)
    return f"[picture left out{': ' + escape(words) if words.strip() else ''}]"


def _bold_open(_renderer: RendererHTML, *_rest: object) -> str:
    return "<p><strong>"


def _bold_close(_renderer: RendererHTML, *_rest: object) -> str:
    return "</strong></p>\n"


def _markdown() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])
    parser.core.ruler.push("tame", _tame)
    parser.add_render_rule("image", _picture)
    parser.add_render_rule("heading_open", _bold_open)
    parser.add_render_rule("heading_close", _bold_close)
    return parser


_MARKDOWN = _markdown()
