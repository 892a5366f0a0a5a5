"""Turns what models, simulated users and judges wrote, all of it hostile input, into harmless HTML and text."""

import re
import unicodedata
from collections.abc import MutableMapping, Sequence
from typing import Any

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
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
# Beyond this many characters a text is shown as plain paragraphs: parsing markup is not worth the time.
LONGEST_MARKUP = 200_000

# A wide table scrolls in a box of its own, by keyboard too.
TABLE_START = '<div class="table-box" role="group" aria-label="Table" tabindex="0"><table>'
TABLE_END = "</table></div>"

_JOINERS = "\u200c\u200d"
# The one tag that models often write in a markdown table, where no other line break is possible.
LINE_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")


def visible(text: str | None) -> str:
    """The text with every character that could hide or reorder others spelled out, such as `⟨U+202E⟩`.

    Joiners stay between characters of scripts and emoji that need them; tabs and line ends stay.
    """
    text = (text or "").replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii() and text.isprintable():
        return text
    return "".join(_spelled(text, at) for at in range(len(text)))


def render(text: str | None) -> SafeString:
    """The HTML of a text in markdown: a short allow-list of tags, headings as bold paragraphs, pictures left out.

    A written `<br>` breaks the line; every other written tag is shown as the text it is.

    A link is its words and, where they differ, its address in brackets: nothing to click.
    """
    text = visible(text)
    if len(text) > LONGEST_MARKUP:
        paragraphs = (escape(part).replace("\n", "<br>") for part in _BLANK_LINES.split(text) if part.strip())
        return mark_safe("".join(f"<p>{part}</p>" for part in paragraphs))  # noqa: S308  (escaped above)
    html = nh3.clean(
        _MARKDOWN.render(text),
        tags=ALLOWED_TAGS,
        attributes={"ol": {"start"}},
        link_rel=None,
        strip_comments=True,
    )
    # Cleaned by the allow-list; a `<` of the text itself is written `&lt;` by now.
    return mark_safe(html.replace("<table>", TABLE_START).replace("</table>", TABLE_END))  # noqa: S308


def _spelled(text: str, at: int) -> str:
    character = text[at]
    if character in _JOINERS and 0 < at < len(text) - 1 and not (text[at - 1] + text[at + 1]).isascii():
        return character
    if character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp"):
        return character
    return f"⟨U+{ord(character):04X}⟩"


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
