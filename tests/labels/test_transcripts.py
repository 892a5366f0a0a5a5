"""Hostile text of models, users and judges becomes harmless and stays readable."""

import re
import time

import pytest

from labels.citations import cited_blocks
from labels.transcripts import ALLOWED_TAGS, LONGEST_LINE, MOST_LINES, MOST_MARKS, render, visible


def test_render_script_is_shown_as_text():
    assert render("<script>alert(1)</script>") == "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"


def test_render_event_handler_is_shown_as_text():
    assert render("<img src=x onerror=alert(1)>") == "<p>&lt;img src=x onerror=alert(1)&gt;</p>\n"


def test_render_javascript_link_is_no_link():
    assert "<a" not in render("[click](javascript:alert(1)) [data](data:text/html,x) <javascript:alert(1)>")


def test_render_web_link_shows_where_it_would_lead_and_leads_nowhere():
    assert render("[a](https://example.org/?a=1&b=2) b") == "<p>a (https://example.org/?a=1&amp;b=2) b</p>\n"
    assert render("<https://example.org>") == "<p>https://example.org</p>\n"
    assert render("[*a*](https://example.org)") == "<p><em>a</em> (https://example.org)</p>\n"


def test_render_link_without_words_shows_its_address():
    assert render("[](https://example.org)") == "<p>https://example.org</p>\n"


def test_render_picture_is_left_out_and_loads_nothing():
    assert render('![a "cat"](http://example.org/cat.png)') == "<p>[picture left out: a &quot;cat&quot;]</p>\n".replace(
        "&quot;", '"'
    )


def test_render_heading_joins_no_outline():
    assert render("# Big\n\n###### Small") == "<p><strong>Big</strong></p>\n<p><strong>Small</strong></p>\n"


def test_render_template_syntax_and_placeholders_stay_as_they_are():
    assert render("</template> {{ x }} {% y %} %s {0} {x}") == ("<p>&lt;/template&gt; {{ x }} {% y %} %s {0} {x}</p>\n")


def test_render_wide_table_scrolls_in_a_box():
    html = render("|a|b|\n|-|-|\n|1|2|")

    assert html.startswith('<div class="table-box" role="group" aria-label="Table" tabindex="0"><table>')
    assert html.rstrip().endswith("</table></div>")


def test_render_written_line_break_breaks_the_line():
    html = render("| a | b |\n|---|---|\n| one<br>two<BR />three | x |")

    assert "<td>one<br>\ntwo<br>\nthree</td>" in html
    assert render("`<br>`") == "<p><code>&lt;br&gt;</code></p>\n"
    assert render("<br onload=x>") == "<p>&lt;br onload=x&gt;</p>\n"


def test_render_written_table_tag_is_text():
    assert render("a <table> b") == "<p>a &lt;table&gt; b</p>\n"


def test_render_nothing_is_nothing():
    assert (render(None), render("")) == ("", "")


def test_visible_spells_out_reordering_and_hidden_characters():
    assert visible("a\u202eb\u2066c\u200bd\ufeffe\u00adf\x07") == (
        "a[U+202E]b[U+2066]c[U+200B]d[U+FEFF]e[U+00AD]f[U+0007]"
    )


def test_visible_keeps_joiners_that_scripts_and_emoji_need():
    family, persian = "👨\u200d👩\u200d👧", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"

    assert (visible(family), visible(persian)) == (family, persian)
    assert visible("pass\u200dword") == "pass[U+200D]word"


def test_visible_many_hidden_characters_in_a_row_are_counted():
    assert visible("a" + "\u200b" * 8 + "b") == "a" + "[U+200B]" * 8 + "b"
    assert visible("a" + "\u200b\u202e" * 5_000 + "b") == "a[10,000 hidden characters]b"


def test_visible_keeps_lines_and_tabs():
    assert visible("a\r\nb\tc\rd") == "a\nb\tc\nd"


@pytest.mark.parametrize("piece", ["[", "*a_ ", ">", "`", "![[", "](x)", "**a ", "[a](b", "- ", "a|", "<", "\u202e"])
def test_render_hundred_kilobytes_of_anything_is_clean(piece: str):
    html = render(piece * (100_000 // len(piece)))

    assert set(re.findall(r"<([a-z0-9]+)", html)) <= ALLOWED_TAGS | {"div"}


def test_render_longer_than_markup_allows_keeps_every_word():
    text = "word <b> " * 30_000

    html = render(text)

    assert re.sub("</?p>", " ", html).split() == text.replace("<b>", "&lt;b&gt;").split()


def test_render_more_marks_than_are_worth_reading_keeps_every_word():
    text = "*a* " * MOST_MARKS

    assert re.sub("</?p>", " ", render(text)).split() == text.split()
    assert render("a\n" * MOST_MARKS * 2).count("<p>") == MOST_MARKS * 2 // MOST_LINES
    assert render("a\n\n" * (MOST_MARKS + 2)).count("<p>a") == 2 * MOST_MARKS // MOST_LINES + 1


@pytest.mark.parametrize("piece", ["\u05d0 ", "word", "*a* "])
def test_render_endless_line_is_several_paragraphs(piece: str):
    paragraphs = re.findall("<p>(.*?)</p>", render(piece * (50_000 // len(piece))), re.DOTALL)

    assert len(paragraphs) == 7
    assert max(map(len, paragraphs)) < 4 * LONGEST_LINE


def test_render_text_in_a_table_names_its_box():
    assert render("|a|\n|-|\n|1|").count('aria-label="Table"') == 1


def test_visible_lone_half_of_a_pair_is_spelled_out():
    assert visible("a\ud83db") == "a[U+D83D]b"


@pytest.mark.parametrize("piece", ["[", "word ", "> a\n", "\u202e", "a\n\n", "|a|\n", "*a_ ", "é ", "- "])
def test_render_and_quotes_take_time_that_grows_with_the_text(piece: str):
    def seconds(n: int) -> float:
        text = piece * (n // len(piece))
        taken = []
        for _ in range(3):
            start = time.process_time()
            cited_blocks(render(text), ["word word … word"])
            taken.append(time.process_time() - start)
        return min(taken)

    # Twice the text takes about twice as long; what grows with its square would take four times.
    assert seconds(100_000) < 3.2 * seconds(50_000) + 0.02
