"""Sources as experts paste them: DOIs, web addresses, how readers will see them, and markers such as [1]."""

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

LONGEST_LINK = 2000
# With what may stand before it in a reference.
LONGEST_DOI = 300
# The form of a DOI, by the DOI Handbook: 10, a registrant of four digits or more, a slash, anything visible.
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/[^\s\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f/]")
_DOI_ADDRESS = re.compile(r"(?:https?://)?(?:www\.|dx\.)?doi\.org/+", re.IGNORECASE)
_DOI_PREFIX = re.compile(r"doi\s*[:=]?\s*(?=10\.|10%2e)|doi\s*:\s*", re.IGNORECASE)
_LOOKS_LIKE_DOI = re.compile(r"10\.\d", re.IGNORECASE)
_DOI_AT_END = re.compile(
    r"[\s,;(\[]*(?:(?:https?://)?(?:www\.|dx\.)?doi\.org/|doi\s*[:=]?\s*|\b)(10\.\d{4,9}(?:\.\d+)*/\S+)\s*$",
    re.IGNORECASE,
)
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_HOST = re.compile(r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+(?:[^\W\d_]{2,63}|xn--[a-z0-9-]+)\.?", re.IGNORECASE)
_BARE_HOST = re.compile(r"(?:[\w-]+\.)+[a-z]{2,}(?:[/?#].*)?", re.IGNORECASE)
_FORBIDDEN_IN_ADDRESS = re.compile(r"[\s\x00-\x1f\x7f\\<>\"]")
# Marks that turn the direction of writing would let a title show something else than it says.
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]+")
_MARKER = re.compile(r"\[(\s*\d{1,3}(?:\s*(?:,|;|-|–)\s*\d{1,3})*\s*)\]")
_RANGE = re.compile(r"(\d+)\s*[-–]\s*(\d+)")
_CLOSERS = {")": "(", "]": "[", "}": "{", ">": "<"}

WRONG_DOI = (
    "This looks like a DOI, but it has not the form of one. A DOI looks like 10.1234/abc.567. "
    "Copy it once more from the first page of the article."
)
SEVERAL = "Paste one DOI or one web address, without spaces. Add a source for each further one."
NOT_WEB = "A web address begins with https:// or http://. Open the page in a browser and copy its address."
WITH_NAME = "The address holds a name or password before the @. Paste the address without it."
NO_HOST = "This address leads nowhere that readers can reach. Open the page in a browser and copy its address."
TOO_LONG = f"This address has more than {LONGEST_LINK} characters. Paste a shorter one, or the DOI."
NO_REFERENCE = "Write down what the source is: title, where it appeared, and the year."


@dataclass(frozen=True)
class Rendered:
    """A source as readers will see it.

    `kind` is `doi`, `web` or `text` (no link that can be used). `url` is the address to open, empty for `text`.
    `problem` is empty, or one or two sentences that say what to do.
    """

    text: str
    doi: str
    url: str
    kind: str
    problem: str


def find_doi(link: str) -> str | None:
    """The DOI that a pasted text is, in normal form; None where it is none.

    Takes bare DOIs, `doi:` in front, and addresses at doi.org, with percent encoding or stray punctuation around.
    """
    text = _without_wrapping(link)
    address = _DOI_ADDRESS.match(text)
    if address:
        text = re.split(r"[?#]", text[address.end() :], maxsplit=1)[0]
    elif prefix := _DOI_PREFIX.match(text):
        text = text[prefix.end() :]
    if "%" in text and (address or not _DOI.fullmatch(text)):
        text = unquote(text)
    text = _without_wrapping(text)
    return text.lower() if _DOI.fullmatch(text) else None


def is_doi(text: str) -> bool:
    """Whether the text is a DOI in its normal form (lower case, nothing around it)."""
    return find_doi(text) == text


def doi_url(doi: str) -> str:
    """The address that resolves a DOI given in normal form."""
    return f"https://doi.org/{quote(doi, safe='/:;().-_~')}"


def address_problem(link: str) -> str:
    """Why a text is no web address that can be shown as a link, as a sentence; empty where it is one."""
    if len(link) > LONGEST_LINK:
        return TOO_LONG
    if len(link.split()) > 1:
        return SEVERAL
    scheme = _SCHEME.match(link)
    if scheme is None and _BARE_HOST.fullmatch(link):
        return f"Put https:// in front of the address: https://{link}"
    if scheme is None or scheme[1].lower() not in ("http", "https") or _FORBIDDEN_IN_ADDRESS.search(link):
        return NOT_WEB
    return _host_problem(link)


def _host_problem(link: str) -> str:
    try:
        parts = urlsplit(link)
        host, has_name = parts.hostname or "", "@" in parts.netloc
        _ = parts.port  # raises for a port that is no number
    except ValueError:
        return NO_HOST
    if has_name:
        return WITH_NAME
    return "" if _HOST.fullmatch(host) else NO_HOST


def render(reference: str, link: str) -> Rendered:
    """A source as readers will see it, from what it is (`reference`) and its DOI or web address (`link`).

    Without a link, a DOI at the end of the reference is taken for it.
    """
    text = " ".join(_INVISIBLE.sub(" ", reference).split())
    link = _without_wrapping(link)
    if not link and (found := _DOI_AT_END.search(text, max(0, len(text) - LONGEST_DOI))) and find_doi(found[1]):
        text, link = text[: found.start()].rstrip(" ,;"), found[1]
    text = _as_sentence(text)
    missing = "" if text else NO_REFERENCE
    if not link:
        return Rendered(text, "", "", "text", missing)
    doi = find_doi(link)
    if doi:
        return Rendered(text, doi, doi_url(doi), "doi", missing)
    problem = _link_problem(link)
    return Rendered(text, "", "", "text", problem) if problem else Rendered(text, "", link, "web", missing)


def _link_problem(link: str) -> str:
    if len(link.split()) > 1 and len(link) <= LONGEST_LINK:
        return SEVERAL
    is_doi_like = _DOI_ADDRESS.match(link) or _DOI_PREFIX.match(link) or _LOOKS_LIKE_DOI.match(link)
    return WRONG_DOI if is_doi_like else address_problem(link)


def unknown_markers(text: str, n_sources: int) -> tuple[int, ...]:
    """The numbers in markers such as `[3]`, `[1, 3]` or `[2-4]` that no source has; sorted, each once."""
    return tuple(sorted(number for number in _markers(text) if not 1 <= number <= n_sources))


def unused_sources(text: str, n_sources: int) -> tuple[int, ...]:
    """The numbers of sources that no marker in the text names."""
    used = _markers(text)
    return tuple(number for number in range(1, n_sources + 1) if number not in used)


def _markers(text: str) -> set[int]:
    numbers: set[int] = set()
    for marker in _MARKER.finditer(text):
        for first, last in _RANGE.findall(marker[1]):
            numbers.update(range(int(first), int(last) + 1))
        numbers.update(int(number) for number in re.findall(r"\d+", marker[1]))
    return numbers


def _without_wrapping(text: str) -> str:
    """The text without blanks, quotation marks, angle brackets and closing punctuation that came along."""
    text = text.strip(" \t\r\n\u00a0\u200b\ufeff\"'“”‘’<").removeprefix("(").lstrip()  # noqa: RUF001
    while text:
        last = text[-1]
        is_unopened = last in _CLOSERS and text.count(_CLOSERS[last]) < text.count(last)
        if last not in ".,;:\"'“”‘’ " and not is_unopened:  # noqa: RUF001
            return text
        text = text[:-1]
    return text


def _as_sentence(text: str) -> str:
    return f"{text}." if text and text[-1] not in ".!?…" else text
