"""Publishing a release freezes its runs' verdicts and numbers."""

import pytest

from evaluation.models import Verdict
from evaluation.services import verification
from tests.support.builders import make_release

pytestmark = pytest.mark.django_db


def test_publish_freezes_verdicts_results_and_counts() -> None:
    release = make_release()

    assert (release.n_models, release.n_benchmarks, release.n_metrics) == (3, 2, 12)
    assert (release.n_conversations, release.n_judged, release.n_unjudged) == (120, 115, 5)
    assert Verdict.objects.filter(release=release).count() == 120
    assert release.notes == ["The model sol was tested on 6 of 12 metrics."]
    assert verification.verify(release.slug) == []
