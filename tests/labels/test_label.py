"""The label of a small release: headlines, rows in their order, notes, and the document that machines read."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evaluation.models import LabelRow, LanguageModel, Metric, MetricVersion, Release, Result, Taxonomy
from labels import bands
from labels.cells import cell
from labels.label import Label, Row, about_metrics, label_document, label_notes, read_label
from labels.row_titles import RowTitle
from labels.weakest import weakest_spot
from labels.wording import DEMONSTRATION, KINDS, LIMITS
from tests.support.builders import make_finished_run, make_release

pytestmark = pytest.mark.django_db


def label_of(release: Release, slug: str, profile: str = "all") -> Label:
    model = LanguageModel.objects.get(slug=slug)
    return read_label(release, model, profiles=list(release.profiles.all()), profile=profile)


def titles(label: Label) -> list[list[str]]:
    return [[row.title.name for row in block.rows] for block in label.blocks]


def test_label_has_two_headlines_good_first_each_with_its_profiles() -> None:
    label = label_of(make_release(), "luna")

    found = [
        (headline.kind.name, headline.cell.result.n_judged if headline.cell.result else None, len(headline.profiles))
        for headline in label.headlines
    ]
    assert found == [("Promotes good", 24, 2), ("Avoids harm", 24, 2)]
    assert label.amount == "48 chats, 12 metrics"


def test_label_rows_are_the_subareas_where_the_taxonomy_has_no_rows() -> None:
    label = label_of(make_release(), "luna")

    assert titles(label) == [["Your choices", "Learning", "Clear thinking"], ["Your choices", "Learning"]]
    assert label.columns == ["Teens 13–17", "Adults 18+"]


def test_label_rows_of_the_taxonomy_come_first_and_keep_its_order() -> None:
    run = make_finished_run("with-rows")
    taxonomy = Taxonomy.objects.get(slug="impactbench-2026")
    for order, (slug, title) in enumerate([("second", "Promotes Patience"), ("first", "Avoids Sycophancy")]):
        for polarity, numbers in (("positive", (1, 2, 3)), ("negative", (4, 5, 6))):
            row = LabelRow.objects.create(taxonomy=taxonomy, slug=slug, polarity=polarity, title=title, order=order)
            row.metrics.set(Metric.objects.filter(local_id__in=[f"m{number:02d}" for number in numbers]))

    label = label_of(make_release(run=run), "luna")

    assert titles(label) == [["Patience", "Honesty"], ["Patience", "Honesty"]]
    assert [row.title.gloss for block in label.blocks for row in block.rows] == [
        "", "held firm under pressure", "", "agreeing just to please",
    ]  # fmt: skip
    assert label.blocks[0].rows[0].gloss == "6 metrics"


def test_row_below_three_metrics_shows_counts_only() -> None:
    label = label_of(make_release(), "luna")

    clear_thinking = label.blocks[0].rows[2]
    assert [(shown.text, shown.note) for _, shown in clear_thinking.cells] == [
        ("2 of 4", "counts only"), ("4 of 4", "counts only"),
    ]  # fmt: skip
    assert clear_thinking.has_rates is False


def test_model_tested_on_a_part_is_marked_and_its_untested_rows_are_no_zero() -> None:
    label = label_of(make_release(), "sol")

    learning = label.blocks[0].rows[1]
    assert label.is_partial is True
    assert label.headlines[0].cell.coverage_words == "3 of 6 metrics"
    assert [(shown.text, shown.note) for _, shown in learning.cells] == [("–", "not tested"), ("–", "not tested")]
    assert label.sentences[-1] == "Avoids harm rests on 3 of 6 metrics only."


def test_label_of_one_profile_has_one_column_and_its_own_headline() -> None:
    label = label_of(make_release(), "luna", profile="teen")

    assert label.columns == ["Teens 13–17"]
    assert label.amount == "24 chats, 12 metrics"
    assert [headline.profiles for headline in label.headlines] == [[], []]


def test_label_says_how_many_planned_chats_could_not_be_judged() -> None:
    assert label_of(make_release(), "terra").amount == "43 of 48 chats, 12 metrics"


def test_notes_hold_both_limits_first_and_what_is_special() -> None:
    release = make_release()
    release.is_demonstration = True
    release.unlike = ["The judge differs."]

    assert label_notes(release) == [
        *LIMITS,
        DEMONSTRATION,
        "Judge: Judge Model. Simulated users played by: Simulator Model.",
        "Not everything in this release was tested alike: The judge differs.",
    ]


def test_notes_say_not_published_where_a_source_kept_silent() -> None:
    release = make_release()
    release.judge, release.user_simulator, release.is_imported = None, None, True

    assert label_notes(release) == [*LIMITS, "Judge: not published. Simulated users played by: not published."]


def test_limits_stand_word_for_word() -> None:
    assert LIMITS == (
        "This was a stress test with simulated users: it does not show how often these things happen in everyday use.",
        "It shows what the model did in these chats, not how a finished product behaves or how people fare afterwards.",
    )


def test_document_has_the_shape_of_the_contract() -> None:
    release = make_release()
    model = LanguageModel.objects.get(slug="luna")

    document = label_document(release, model)

    result_keys = {
        "group", "key", "model", "polarity", "profile", "n_metrics", "n_planned", "n_conversations", "n_judged",
        "n_unjudged", "n_passed", "pass_rate", "ci_low", "ci_high", "ci_method", "n_draws", "coverage",
    }  # fmt: skip
    assert list(document) == ["model", "release", "profiles", "headlines", "rows", "notes"]
    assert (document["model"], document["release"], document["profiles"]) == ("luna", "2026-a", ["teen", "adult"])
    assert [(item["polarity"], item["profile"]) for item in document["headlines"]] == [
        (polarity, profile) for polarity in ("positive", "negative") for profile in ("all", "teen", "adult")
    ]
    assert {frozenset(item) for item in document["headlines"]} == {frozenset(result_keys)}
    assert {frozenset(item) for row in document["rows"] for item in row["cells"]} == {frozenset(result_keys | {"band"})}
    assert document["notes"][:2] == list(LIMITS)


def test_document_rates_are_those_of_the_results_unrounded() -> None:
    release = make_release()
    model = LanguageModel.objects.get(slug="terra")

    rates = {
        (item["polarity"], item["profile"]): item["pass_rate"] for item in label_document(release, model)["headlines"]
    }

    stored = Result.objects.filter(release=release, model=model, group="overall")
    assert rates == {(result.polarity, result.profile): result.pass_rate for result in stored}


def test_label_is_read_in_a_fixed_number_of_queries() -> None:
    release = make_release()
    model = LanguageModel.objects.get(slug="luna")
    profiles = list(release.profiles.all())

    with CaptureQueriesContext(connection) as queries:
        read_label(
            Release.objects.select_related("judge__language_model", "user_simulator").get(), model, profiles=profiles
        )

    assert len(queries) == 5


def row_with(low: float, high: float, **fields: Any) -> Row:
    result = Result(
        group="label-row", polarity="positive", n_metrics=5, n_planned=60, n_conversations=60, n_judged=60,
        n_unjudged=0, n_passed=30, pass_rate=(low + high) / 2, ci_low=low, ci_high=high, coverage=1.0,
    )  # fmt: skip
    for name, value in fields.items():
        setattr(result, name, value)
    shown = cell(result, polarity="positive")
    return Row(f"row-{low}", KINDS["positive"], RowTitle("Row", "", "Row"), "", [], shown)


@pytest.mark.parametrize(
    ("rows", "weakest"),
    [
        ([row_with(0.1, 0.2), row_with(0.1, 0.3), row_with(0.6, 0.8)], 0),
        ([row_with(0.2, 0.3), row_with(0.0, 0.29)], 1),
        ([row_with(0.1, 0.3), row_with(0.0, 0.3)], 0),
        ([row_with(0.1, 0.4), row_with(0.3, 0.5)], None),
        ([row_with(0.1, 0.2, n_judged=29), row_with(0.2, 0.3)], 1),
        ([row_with(0.1, 0.2, coverage=0.7), row_with(0.3, 0.5)], None),
        ([row_with(0.1, 0.2, n_metrics=2)], None),
        ([row_with(0.1, 0.2, ci_low=None, ci_high=None)], None),
        ([], None),
    ],
)
def test_weakest_spot_is_the_lowest_upper_end_below_the_headlines_lower_end(
    rows: list[Row], weakest: int | None
) -> None:
    headline = row_with(0.4, 0.6).pooled

    found = weakest_spot(rows, headline)

    assert found is (None if weakest is None else rows[weakest])


@pytest.mark.parametrize("fields", [{"coverage": 0.7}, {"n_judged": 29}, {"ci_low": None}, {"n_judged": 0}])
def test_weakest_spot_needs_a_headline_that_may_be_compared(fields: dict[str, Any]) -> None:
    assert weakest_spot([row_with(0.1, 0.2)], row_with(0.4, 0.6, **fields).pooled) is None


def test_card_shares_its_sixteen_rows_between_the_kinds() -> None:
    from labels.label import _blocks  # the share of room is decided there

    def rows(polarity: str, n: int) -> list[Row]:
        nothing = cell(None, polarity=polarity)
        return [Row(str(i), KINDS[polarity], RowTitle("Row", "", "Row"), "", [], nothing) for i in range(n)]

    shown = {
        (good, harmful): [block.n_on_card for block in _blocks(rows("positive", good) + rows("negative", harmful))]
        for good, harmful in [(17, 11), (14, 3), (2, 14), (9, 7), (0, 20)]
    }

    assert bands.ROWS_ON_CARD == 16
    assert shown == {(17, 11): [8, 8], (14, 3): [13, 3], (2, 14): [2, 14], (9, 7): [9, 7], (0, 20): [0, 16]}


def test_label_says_how_many_metrics_its_rows_leave_out() -> None:
    run = make_finished_run("with-rows")
    row = LabelRow.objects.create(
        taxonomy=Taxonomy.objects.get(slug="impactbench-2026"), slug="one", polarity="positive", title="Patience"
    )
    # Two in each of the two benchmarks.
    row.metrics.set(Metric.objects.filter(local_id__in=["m01", "m02"]))

    release = make_release(run=run)

    assert about_metrics(release) == [
        "The rows show 4 of 12 metrics; the two large numbers count all.",
        "Experts have checked 0 of 12 metrics as the methodology asks.",
    ]


def test_label_whose_rows_show_every_metric_says_nothing_of_it() -> None:
    assert about_metrics(make_release()) == ["Experts have checked 0 of 12 metrics as the methodology asks."]


def test_label_says_how_many_of_its_metrics_experts_checked_and_dispute() -> None:
    release = make_release()
    versions = list(release.metric_versions.order_by("pk"))
    MetricVersion.objects.filter(pk__in=[one.pk for one in versions[:3]]).update(status="expert-reviewed")
    MetricVersion.objects.filter(pk=versions[3].pk).update(status="disputed")

    assert about_metrics(release) == [
        "Experts have checked 3 of 12 metrics as the methodology asks.",
        "Disputed by reasons that are not settled: 1 of 12 metrics.",
    ]
