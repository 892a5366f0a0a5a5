"""Explore without any release, and with more models: a fixed number of questions to the database."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from evaluation.models import MetricVersion, Run, Scenario
from tests.support.builders import (
    make_conversation,
    make_finished_run,
    make_judgment,
    make_model,
    make_release,
    make_run,
)

pytestmark = pytest.mark.django_db

SUBAREA = "/explore/psychological/agency-purpose/"


def test_explore_before_anything_is_published_says_so(client: Client):
    assert b"Nothing has been published yet." in client.get("/explore/").content
    assert client.get("/explore/psychological/").status_code == 404


def test_explore_query_count_does_not_grow_with_models(client: Client):
    make_release("one", run=make_finished_run("one", models=["luna"]))

    with CaptureQueriesContext(connection) as with_one:
        client.get(SUBAREA + "?release=one")
    run = make_finished_run_of_three()
    make_release("three", run=run)
    with CaptureQueriesContext(connection) as with_three:
        client.get(SUBAREA + "?release=three")

    assert len(with_three) == len(with_one)


def make_finished_run_of_three() -> Run:
    """The same metrics again with three models."""
    versions = list(MetricVersion.objects.all())
    targets = [make_model(slug) for slug in ("nova", "orion", "pulsar")]
    run = make_run("three", versions=versions, targets=targets)
    for scenario in Scenario.objects.all():
        for target in targets:
            make_judgment(make_conversation(run, scenario, target), present=True)
    return run
