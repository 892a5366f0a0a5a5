"""DOIs and addresses as people paste them, and the markers that point to sources."""

import pytest

from submissions.advice import citations
from submissions.advice.citations import Rendered, find_doi, render, unknown_markers, unused_sources

DOI = "10.5555/ecr.2023.0417"


@pytest.mark.parametrize(
    "pasted",
    [
        DOI,
        f"  {DOI}\n",
        f"{DOI}.",
        f"{DOI},",
        f"({DOI})",
        f"<{DOI}>",
        f"“{DOI}”.",
        "10.5555/ECR.2023.0417",
        f"doi:{DOI}",
        f"DOI: {DOI}",
        f"doi {DOI}",
        f"doi.org/{DOI}",
        f"https://doi.org/{DOI}",
        f"http://dx.doi.org/{DOI}",
        f"HTTPS://WWW.DOI.ORG/{DOI}",
        f"https://doi.org/{DOI}?utm_source=mail#top",
        f"https://doi.org/{DOI}).",
        "https://doi.org/10.5555%2Fecr.2023.0417",
        "10.5555%2Fecr.2023.0417",
    ],
)
def test_a_doi_is_found_however_it_is_pasted(pasted: str) -> None:
    assert find_doi(pasted) == DOI


@pytest.mark.parametrize(
    ("pasted", "doi"),
    [
        ("10.1016/S0140-6736(05)67894-4", "10.1016/s0140-6736(05)67894-4"),
        ("(https://doi.org/10.1016/S0140-6736(05)67894-4)", "10.1016/s0140-6736(05)67894-4"),
        ("10.1000.10/123456", "10.1000.10/123456"),
        ("10.5555/a/b;c", "10.5555/a/b;c"),
        ("https://doi.org/10.5555/a%3Cb%3E1", "10.5555/a<b>1"),
    ],
)
def test_a_doi_keeps_its_own_punctuation(pasted: str, doi: str) -> None:
    assert find_doi(pasted) == doi


@pytest.mark.parametrize(
    "pasted",
    ["", "10.5555", "10.5555/", "10.12/abc", "11.5555/abc", "doi:abc", "10.5555/a b", "https://example.org/10.5555/abc",
     "https://doi.org/", "10.5555/a%0Ab%zz\x00"],
)  # fmt: skip
def test_what_is_no_doi_is_none(pasted: str) -> None:
    assert find_doi(pasted) is None


def test_a_doi_in_normal_form_is_one() -> None:
    assert [citations.is_doi(text) for text in (DOI, f"doi:{DOI}", DOI.upper())] == [True, False, False]


def test_the_address_of_a_doi_is_percent_encoded() -> None:
    assert citations.doi_url("10.5555/a<b>#1?") == "https://doi.org/10.5555/a%3Cb%3E%231%3F"


def test_a_source_with_a_doi_is_shown_as_a_sentence_and_its_doi() -> None:
    shown = render("  Reassurance without\nassessment. Primary Care Notes, 2021 ", "doi:10.5555/PCN.2021.118.")

    assert shown == Rendered(
        "Reassurance without assessment. Primary Care Notes, 2021.",
        "10.5555/pcn.2021.118",
        "https://doi.org/10.5555/pcn.2021.118",
        "doi",
        "",
    )


def test_a_source_with_a_web_address_links_to_it() -> None:
    shown = render("What is known?", "https://example.org/a(b)?c=d#e.")

    assert shown == Rendered("What is known?", "", "https://example.org/a(b)?c=d#e", "web", "")


def test_a_source_without_a_link_is_text() -> None:
    assert render("A book. 1999.", " ") == Rendered("A book. 1999.", "", "", "text", "")


@pytest.mark.parametrize("end", [DOI, f"doi:{DOI}", f"https://doi.org/{DOI}.", f"(DOI {DOI})"])
def test_a_doi_at_the_end_of_the_reference_is_taken_from_there(end: str) -> None:
    shown = render(f"Notes, 2023. {end}", "")

    assert shown == Rendered("Notes, 2023.", DOI, f"https://doi.org/{DOI}", "doi", "")


def test_a_source_that_is_only_a_link_is_asked_for_its_name() -> None:
    assert render("", DOI).problem == citations.NO_REFERENCE


def test_an_empty_source_is_asked_for_its_name() -> None:
    assert render(" ", "") == Rendered("", "", "", "text", citations.NO_REFERENCE)


@pytest.mark.parametrize(
    ("link", "problem"),
    [
        ("10.12/abc", citations.WRONG_DOI),
        ("10.5555", citations.WRONG_DOI),
        ("doi:abc", citations.WRONG_DOI),
        ("https://doi.org/abc", citations.WRONG_DOI),
        (f"{DOI} 10.5555/b", citations.SEVERAL),
        ("https://example.org/a b", citations.SEVERAL),
        ("javascript:alert(1)", citations.NOT_WEB),
        ("data:text/html,x", citations.NOT_WEB),
        ("ftp://example.org/a", citations.NOT_WEB),
        ("see the journal".replace(" ", "-"), citations.NOT_WEB),
        ("https://example.org/<script>", citations.NOT_WEB),
        ("https://example.org\\@evil.example", citations.NOT_WEB),
        ("https://ada:secret@example.org/", citations.WITH_NAME),
        ("https://example.org@evil.example/", citations.WITH_NAME),
        ("https://", citations.NO_HOST),
        ("https:///path", citations.NO_HOST),
        ("https://localhost/a", citations.NO_HOST),
        ("http://127.0.0.1/a", citations.NO_HOST),
        ("http://[::1]/", citations.NO_HOST),
        ("http://[::1", citations.NO_HOST),
        ("https://example.org:x/", citations.NO_HOST),
        ("www.example.org/a", "Put https:// in front of the address: https://www.example.org/a"),
        ("https://example.org/" + "a" * 2000, citations.TOO_LONG),
    ],
)
def test_a_link_that_cannot_be_used_says_what_to_do(link: str, problem: str) -> None:
    assert render("A title.", link) == Rendered("A title.", "", "", "text", problem)


@pytest.mark.parametrize(
    "link", ["https://bücher.example/ä", "http://sub.example.co:8080", "https://xn--bcher-kva.example/"]
)
def test_an_address_of_the_public_web_has_no_problem(link: str) -> None:
    assert citations.address_problem(link) == ""


def test_marks_that_turn_the_direction_of_writing_are_left_out() -> None:
    assert render("Safe \u202egnp.exe\x07", "").text == "Safe gnp.exe."


@pytest.mark.parametrize(
    ("text", "n_sources", "unknown", "unused"),
    [
        ("", 0, (), ()),
        ("Nothing cited.", 2, (), (1, 2)),
        ("Shown [1], and again [2].", 2, (), ()),
        ("Shown [1][3].", 2, (3,), (2,)),
        ("Shown [1, 4; 5].", 3, (4, 5), (2, 3)),
        ("Shown [1-3] and [4–6].", 5, (6,), ()),
        ("Zero [0] counts from one.", 1, (0,), (1,)),
        ("In [sic], [2023] or [] nothing is cited, nor in 1].", 1, (), (1,)),
        ("A range the wrong way round [3-1].", 3, (), (2,)),
    ],
)
def test_markers_are_held_against_the_sources(
    text: str, n_sources: int, unknown: tuple[int, ...], unused: tuple[int, ...]
) -> None:
    assert (unknown_markers(text, n_sources), unused_sources(text, n_sources)) == (unknown, unused)
