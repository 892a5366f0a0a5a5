"""The draws of a release, made again: they are those that its published intervals come from, to the last bit."""

from typing import Any

import numpy as np
import pytest

from evaluation.models import Comparison, Release, Result
from evaluation.selectors.release_draws import ReleaseDraws
from evaluation.statistics.bootstrap import percentile_intervals
from evaluation.statistics.comparison import paired_differences
from tests.support.builders import make_release

pytestmark = pytest.mark.django_db


def test_every_published_interval_comes_out_again() -> None:
    release = make_release()
    models = list(release.targets.order_by("pk"))
    groups = {"overall": {"": list(release.metric_versions.values_list("metric__slug", flat=True))}, **release.groups}
    published, again = [], []
    for polarity in ("positive", "negative"):
        for profile in ("all", "teen", "adult"):
            draws = ReleaseDraws(release, models, polarity=polarity, profile=profile)
            for group in ("overall", "area", "subarea"):
                for key, metrics in groups[group].items():
                    drawn = draws.over(metrics)
                    intervals = percentile_intervals(drawn.draws, drawn.n_metrics)
                    for place, model in enumerate(models):
                        result = Result.objects.filter(
                            release=release, group=group, key=key, polarity=polarity, profile=profile, model=model
                        ).first()
                        if result is None or result.ci_method != "metric-cluster-bootstrap":
                            continue
                        published.append((result.pass_rate, result.ci_low, result.ci_high))
                        again.append((drawn.rates[place], intervals.low[place], intervals.high[place]))

    assert len(published) > 60
    assert again == published


def test_every_published_difference_comes_out_again() -> None:
    release = make_release()
    models = {model.slug: model for model in release.targets.all()}
    metrics = list(release.metric_versions.values_list("metric__slug", flat=True))
    found = list(Comparison.objects.filter(release=release, kind="model", group="overall", ci_low__isnull=False))

    assert len(found) >= 4
    for row in found:
        pair = [models[row.a], models[row.b]]
        drawn = ReleaseDraws(release, pair, polarity=row.polarity or "", profile=row.profile or "").over_shared(metrics)
        again = paired_differences(drawn.draws[:1], drawn.draws[1:], n_metrics=drawn.n_metrics[:1])
        assert (drawn.rates[0] or 0) - (drawn.rates[1] or 0) == row.difference
        assert (again.low[0], again.high[0], again.p[0]) == (row.ci_low, row.ci_high, row.p)


def test_metrics_of_the_other_kind_and_unknown_ones_take_no_part() -> None:
    release = make_release()
    models = list(release.targets.order_by("pk"))

    drawn = ReleaseDraws(release, models, polarity="positive", profile="all").over(["autonomy/m04", "no/such"])

    assert drawn.rates == [None, None, None]
    assert np.isnan(drawn.draws).all()


def test_draws_are_read_in_two_queries(django_assert_num_queries: Any) -> None:
    release: Release = make_release()
    models = list(release.targets.all())

    with django_assert_num_queries(2):
        ReleaseDraws(release, models, polarity="positive", profile="all").over(["autonomy/m01"])
