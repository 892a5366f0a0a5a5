"""Passages that a judge quoted are found in a reply's HTML and marked, whatever its markup."""

from labels.citations import cited_blocks
from labels.transcripts import render


def test_cited_blocks_marks_across_markup_and_quotation_marks():
    blocks = cited_blocks(render("Sure.\n\nIt is **your** decision, “not mine”."), ['it is your decision, "not mine"'])

    assert [(block.html, block.is_cited) for block in blocks] == [
        ("<p>Sure.</p>\n", False),
        ("<p><mark>It is </mark><strong><mark>your</mark></strong><mark> decision, “not mine</mark>”.</p>\n", True),
    ]


def test_cited_blocks_parts_around_an_ellipsis_follow_in_order():
    html = render("One two three four.")

    assert [block.is_cited for block in cited_blocks(html, ["one … three"])] == [True]
    assert [block.is_cited for block in cited_blocks(html, ["three … one"])] == [False]


def test_cited_blocks_quote_with_a_written_line_break_is_found():
    assert [block.is_cited for block in cited_blocks(render("One two.<br>Three."), ["two.<br>Three"])] == [True]


def test_cited_blocks_quote_that_is_not_there_marks_nothing():
    blocks = cited_blocks(render("Something else."), ["I never said that"])

    assert [(block.html, block.is_cited) for block in blocks] == [("<p>Something else.</p>\n", False)]


def test_cited_blocks_overlapping_quotes_are_marked_once():
    blocks = cited_blocks(render("alpha beta gamma"), ["alpha beta", "beta gamma"])

    assert blocks[0].html == "<p><mark>alpha beta gamma</mark></p>\n"


def test_cited_blocks_quote_without_letters_marks_nothing():
    assert cited_blocks(render("a ... b"), ["...", "!", ""])[0].is_cited is False


def test_cited_blocks_hostile_text_stays_escaped():
    blocks = cited_blocks(render("<script>alert('x')</script> & <b>"), ["script>alert('x')</script"])

    assert blocks[0].html == "<p>&lt;<mark>script&gt;alert(&#x27;x&#x27;)&lt;/script</mark>&gt; &amp; &lt;b&gt;</p>\n"


def test_cited_blocks_letters_that_grow_in_lower_case_keep_their_place():
    assert cited_blocks(render("Straße und İstanbul hier"), ["strasse und"])[0].html == (
        "<p><mark>Straße und</mark> İstanbul hier</p>\n"
    )
