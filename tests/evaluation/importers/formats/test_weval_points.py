"""The points of Weval prompts: every form that its parser takes, and the older ones that it no longer does."""

import json
from pathlib import Path

import pytest

from evaluation.importers.formats import weval
from evaluation.importers.formats.draft_types import MetricDraft, ReadDrafts
from evaluation.importers.formats.problems import FileProblem

HEADER = "title: Shop\nmodels: []\n"
FUNCTION = "a check by the function ${}: no behaviour that a judge could read"
SCRIPT = "a JavaScript check ($js), which is not run: no behaviour that a judge could read"


def read(tmp_path: Path, points: str, header: str = HEADER, section: str = "should") -> ReadDrafts:
    """A blueprint whose prompt p has these points; the first of them stands on line 7 after the usual header."""
    file = tmp_path / "shop.yml"
    file.write_text(f"{header}---\nid: p\nprompt: Hi\n{section}:\n{points}")
    return weval.read(file)


def only(found: ReadDrafts) -> MetricDraft:
    (metric,) = found.benchmark.metrics
    return metric


def reasons(found: ReadDrafts) -> list[str]:
    """Why points were left out, without what is said of the whole prompt."""
    return [remark.text for remark in found.skipped if "scenario of no metric" not in remark.text]


@pytest.mark.parametrize(
    ("point", "words", "weight", "citations"),
    [
        ("- Names a price", "Names a price", None, ()),
        ("- {text: Names a price, weight: 2, citation: A}", "Names a price", 2.0, ("A",)),
        ("- {point: Names a price, multiplier: 0.1}", "Names a price", 0.1, ()),
        ("- {point: Names a price, citation: {title: A, url: 'https://example.org'}}",
         "Names a price", None, ("A, https://example.org",)),
        ("- Names the full price: a book", "Names the full price", None, ("a book",)),
        ("- ? |\n    Names\n    a price\n  : a book", "Names\na price\n", None, ("a book",)),
        ("- - Names a price", "Names a price", None, ()),
        ("- - - Names a price", "Names a price", None, ()),
        ("- 5 euros", "5 euros", None, ()),
        ("- $5 is named as the price", "$5 is named as the price", None, ()),
        ("- 'no'", "no", None, ()),
        ("- $5 is named as the price: a book", "$5 is named as the price", None, ("a book",)),
    ],
)  # fmt: skip
def test_every_form_of_a_judged_point_is_one_criterion(tmp_path, point, words, weight, citations):
    found = read(tmp_path, f"{point}\n")

    metric = only(found)
    assert (metric.origin.text, metric.definition) == (words, words.strip())
    assert (metric.weight, metric.citations, metric.proposal.polarity) == (weight, citations, "positive")
    assert metric.origin.place == "line 7"
    assert found.skipped == ()


@pytest.mark.parametrize(
    ("point", "reason"),
    [
        ("- $contains: x", FUNCTION.format("contains")),
        ("- $not_contain: [x]", FUNCTION.format("not_contains")),
        ("- {$imatch: x, weight: 2, citation: A}", FUNCTION.format("imatches")),
        ("- $is_json: null", FUNCTION.format("is_json")),
        ("- $word_count_between: [1, 5]", FUNCTION.format("word_count_between")),
        ("- {fn: $contains, fnArgs: x}", FUNCTION.format("contains")),
        ("- {fn: js, arg: 'r.length'}", SCRIPT),
        ("- $js: 'r.length'", SCRIPT),
        ("- $tool_called: shop",
         "a check of tool calls ($tool_called), which is not run: no behaviour that a judge could read"),
        ("- $bake: cake", "a function that is not known here ($bake): no behaviour that a judge could read"),
        ("- [$contains, x]", FUNCTION.format("contains")),
        ("- [contains, x]", FUNCTION.format("contains")),
        ("- 42", "a point must be text; this is the value 42"),
        ("- true", "a point must be text; this is the value true"),
        ("- ''", "an empty text"),
        ("- {Names a price: [a]}", "a mapping whose value is no citation: 'Names a price'"),
        ("- {Names a price: a, weight: 2}",
         "a mapping without text, point, fn or $function: 'Names a price', 'weight'"),
    ],
)  # fmt: skip
def test_what_is_no_behaviour_is_left_out_with_its_reason(tmp_path, point, reason):
    found = read(tmp_path, f"{point}\n- Greets\n")

    assert only(found).definition == "Greets"
    assert [(remark.place, remark.text) for remark in found.skipped] == [("line 7, prompt p", reason)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("$icontains: 'False'", FUNCTION.format("icontains")),
        ("$factcheck",
         "a fact check by an outside service ($factcheck), which is not run: no behaviour that a judge could read"),
        ("$bake: cake", "a function that is not known here ($bake): no behaviour that a judge could read"),
    ],
)  # fmt: skip
def test_trap_13_text_that_begins_with_a_dollar_is_a_call_in_quotes(tmp_path, text, reason):
    found = read(tmp_path, f"- {json.dumps(text)}\n")

    assert reasons(found) == [f"written as text, but Weval takes it for {reason}"]
    assert found.benchmark.metrics == ()


def test_sum_of_money_is_no_function_but_flagged(tmp_path):
    assert only(read(tmp_path, "- $5 is too much\n")).flags == ("begins with $: Weval would take it for a function",)


def test_trap_12_alternatives_are_one_metric(tmp_path):
    metric = only(read(tmp_path, "- - Names a price.\n- - {text: Asks for it, weight: 2, citation: A}\n  - Waits\n"))

    assert metric.definition == "At least one of the following:\n- Names a price\n- Asks for it; and Waits"
    assert metric.origin.text == "Names a price.\n\nAsks for it\nWaits"
    assert (metric.name, metric.origin.place) == ("One of: Names a price / Asks for it", "line 7")
    assert (metric.citations, metric.weight, metric.labels["weights"]) == (("A",), None, "none, 2, none")
    assert (metric.proposal.polarity, metric.flags) == (
        "positive", ("joins 2 alternatives into one metric: check that one of them is enough",),
    )  # fmt: skip


def test_trap_12_alternatives_that_do_not_stand_together_are_two_demands(tmp_path):
    found = read(tmp_path, "- - a b c\n- - d e f\n- g h i\n- - j k l\n- []\n- - m n o\n")

    assert [metric.definition for metric in found.benchmark.metrics] == [
        "At least one of the following:\n- a b c\n- d e f", "g h i", "At least one of the following:\n- j k l\n- m n o",
    ]  # fmt: skip


def test_trap_12_single_alternative_of_several_points_is_those_points(tmp_path):
    found = read(tmp_path, "- - Names a price\n  - Waits\n")

    assert [metric.definition for metric in found.benchmark.metrics] == ["Names a price", "Waits"]


def test_trap_12_lists_within_a_list_are_a_demand_of_their_own(tmp_path):
    found = read(tmp_path, "- - - Names a price\n  - - Waits\n- - Greets\n")

    assert [metric.definition for metric in found.benchmark.metrics] == [
        "At least one of the following:\n- Names a price\n- Waits", "Greets",
    ]  # fmt: skip


def test_trap_12_alternatives_within_alternatives_are_left_out(tmp_path):
    found = read(tmp_path, "- - Names a price\n  - [Waits]\n")

    assert only(found).definition == "Names a price"
    assert reasons(found) == ["alternatives within alternatives are more than Weval reads"]


def test_alternative_that_only_a_function_checks_is_flagged_on_what_remains(tmp_path):
    found = read(tmp_path, "- - Names a price\n- - $contains: price\n")

    metric = only(found)
    assert metric.definition == "Names a price"
    assert metric.flags[-1] == (
        "1 more of its ways can only be checked by function and are left out: it may ask for more"
    )
    assert reasons(found) == [FUNCTION.format("contains")]


def test_alternatives_of_functions_alone_give_nothing(tmp_path):
    found = read(tmp_path, "- - $contains: price\n- - $matches: x\n")

    assert (found.benchmark.metrics, reasons(found)) == (
        (), [FUNCTION.format("contains"), FUNCTION.format("matches")],
    )  # fmt: skip


def test_trap_12_legacy_pair_of_function_and_argument_is_no_pair_of_alternatives(tmp_path):
    file = tmp_path / "old.json"
    points = [["contains", "UNKNOWN"], ["$matches", "^x"], ["Names a price", "Waits"]]
    file.write_text(json.dumps({"title": "Old", "prompts": [{"promptText": "Hi", "points": points}]}))

    found = weval.read(file)

    assert [metric.definition for metric in found.benchmark.metrics] == ["Names a price", "Waits"]
    assert reasons(found) == [FUNCTION.format("contains"), FUNCTION.format("matches")]


DEFINED = f"""{HEADER}point_defs:
  script: return r.length
  kind: {{text: Is kind to them, weight: 3, citation: A}}
  call: {{$contains: x}}
  again: {{$ref: kind}}
"""


@pytest.mark.parametrize("point", ["$ref: kind", "$ref: {name: kind}", "{fn: ref, arg: kind}"])
def test_reference_to_a_defined_criterion_is_that_criterion(tmp_path, point):
    metric = only(read(tmp_path, f"- {point}\n", DEFINED))

    assert (metric.definition, metric.weight, metric.citations, metric.origin.place) == (
        "Is kind to them", 3, ("A",), "line 5",
    )  # fmt: skip


def test_weight_and_citation_at_a_reference_win(tmp_path):
    metric = only(read(tmp_path, "- {$ref: kind, weight: 0.5, citation: B}\n", DEFINED))

    assert (metric.weight, metric.citations) == (0.5, ("B",))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("script", f"refers to 'script', {SCRIPT}"),
        ("call", f"refers to 'call', {FUNCTION.format('contains')}"),
        ("again", "refers to 'again', a function that is not known here ($ref): no behaviour that a judge could read"),
        ("nowhere", "refers to the point 'nowhere', which the header does not define"),
    ],
)
def test_reference_to_no_criterion_is_left_out(tmp_path, name, reason):
    assert reasons(read(tmp_path, f"- $ref: {name}\n", DEFINED)) == [reason]


@pytest.mark.parametrize(
    ("points", "place", "message"),
    [
        ("- {text: a, weight: 0}", (7, 21), "weight must be a number from 0.1 to 10 in a point of prompt p, not '0'"),
        ("- {text: a, weight: -1}", (7, 21), "weight must be a number from 0.1 to 10 in a point of prompt p, not '-1'"),
        ("- {$js: a, weight: 11}", (7, 20), "weight must be a number from 0.1 to 10 in a point of prompt p, not '11'"),
        ("- {text: a, weight: high}", (7, 21),
         "weight must be a number from 0.1 to 10 in a point of prompt p, not 'high'"),
        ("- {text: a, fn: b}", (7, 17), "a point has both text and fn in prompt p: keep one"),
        ("- {text: [a]}", (7, 10), "text must be text in a point of prompt p"),
        ("- Greets\nweight: 99", (8, 9), "weight must be a number from 0.1 to 10 in prompt p, not '99'"),
    ],
)  # fmt: skip
def test_trap_14_weights_and_forms_that_weval_refuses_are_refused_with_their_place(tmp_path, points, place, message):
    with pytest.raises(FileProblem) as caught:
        read(tmp_path, f"{points}\n")

    assert ((caught.value.line, caught.value.column), caught.value.message) == (place, message)


def test_trap_11_unwanted_points_are_negative_and_keep_their_words(tmp_path):
    found = read(tmp_path, "- Shouts\n- Fails to greet\n- Must not greet\n", section="should_not")

    assert [(metric.definition, metric.proposal.polarity) for metric in found.benchmark.metrics] == [
        ("Shouts", "negative"), ("Fails to greet", "negative"), ("Must not greet", None),
    ]  # fmt: skip


def test_trap_11_same_words_wanted_and_unwanted_are_two_metrics(tmp_path):
    found = read(tmp_path, "- Names a price\nshould_not:\n- Names a price\n")

    first, second = found.benchmark.metrics
    assert (first.proposal.polarity, second.proposal.polarity) == ("positive", "negative")
    assert first.key != second.key
    assert found.benchmark.scenarios[0].metric_keys == (first.key, second.key)


def test_first_list_of_wanted_points_that_holds_any_counts(tmp_path):
    found = read(tmp_path, "points: [Waits]\nexpect: [Greets]\n")

    assert [metric.definition for metric in found.benchmark.metrics] == ["Waits"]


def test_short_key_with_a_citation_is_flagged_as_a_colon_without_quotes(tmp_path):
    assert only(read(tmp_path, "- Names: the price\n")).flags == (
        "its citation may be the rest of the criterion: the colon may lack quotes",
    )


def test_trap_16_blueprint_that_grades_is_flagged_as_a_whole(tmp_path):
    found = read(tmp_path, "- Rated from 1 to 5\n- Gives a score of 3\n- Greets\n")

    assert found.flags[-1].text == (
        "most criteria speak of a scale: it may describe models rather than say what is wanted"
    )
