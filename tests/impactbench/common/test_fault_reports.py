"""What Sentry is told: nothing without a DSN, and with one kinds and places of faults, and nobody's words."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from impactbench.common.fault_reports import begin, without_words
from tests.support.commands import ROOT, environment

DSN = "https://public@sentry.invalid/1"
# A process of its own: once begun, the library stays in everything.
ASK = """
import json, logging, sys
import django
django.setup()
before = "sentry_sdk" in sys.modules
from django.conf import settings
from django.http import HttpRequest
from django.test import Client
from django.urls import path
from impactbench import urls
from impactbench.common import fault_reports
from sentry_sdk.transport import Transport

sent = []
class Kept(Transport):
    def capture_envelope(self, envelope):
        sent.append(envelope.get_event())

def fails(request, token):
    prompt = "zqprompt"
    logging.getLogger("impactbench").error("zqtemplate of %s", "zqvalue")
    raise ValueError(f"zqmessage {request.POST}")
fails.login_required = False
urls.urlpatterns.insert(0, path("fails/<str:token>/", fails))
fault_reports.begin("https://public@sentry.invalid/1", environment="test", release="1.0", transport=Kept)
client = Client(raise_request_exception=False)
client.cookies["any"] = "zqcookie"
answer = client.post("/fails/zqtoken/", {"text": "zqbody", "email": "zq@mail.example"},
                     headers={"Authorization": "Bearer zqbearer", "User-Agent": "zqagent"}, REMOTE_ADDR="198.51.100.7")
print(json.dumps({"before": before, "status": answer.status_code, "sent": sent}, default=str))
"""


def test_a_fault_is_told_without_anybody_s_words(tmp_path: Path) -> None:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "DATABASE_URL", "REDIS_URL") if name in os.environ}
    everything = {**environment(tmp_path), **kept, "DJANGO_SETTINGS_MODULE": "impactbench.settings.test"}
    ended = subprocess.run(
        [sys.executable, "-c", ASK], cwd=ROOT, env=everything, capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout)

    assert (told["before"], told["status"]) == (False, 500)
    [line, fault] = told["sent"]
    assert line["logentry"] == {"message": "zqtemplate of %s"}
    assert [one["type"] for one in fault["exception"]["values"]] == ["ValueError"]
    assert fault["exception"]["values"][0]["stacktrace"]["frames"][-1]["function"] == "fails"
    assert set(fault["tags"]) == {"request"}
    text = json.dumps(told["sent"])
    words = ("zqprompt", "zqvalue", "zqmessage", "zqcookie", "zqtoken", "zqbody", "mail.example", "zqbearer", "zqagent")
    assert [word for word in (*words, "198.51.100.7") if word in text] == []


def test_whatever_the_library_gathers_only_known_parts_are_kept() -> None:
    event = {
        "event_id": "1", "user": {"email": "a@b.example"}, "request": {"url": "/x"}, "extra": {"a": 1}, "modules": {},
        "breadcrumbs": [], "contexts": {}, "message": "zq", "server_name": "host", "tags": {"a": "zq"},
        "logentry": {"message": "%s", "params": ["zq"], "formatted": "zq"},
        "exception": {"values": [{"type": "E", "value": "zq", "stacktrace": {"frames": [{"vars": {"a": "zq"}}]}}]},
    }  # fmt: skip

    assert "zq" not in json.dumps(without_words(event))
    assert set(without_words(event)) == {"event_id", "logentry", "exception", "tags"}


def test_a_missing_package_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)

    begin("", environment="test")
    with pytest.raises(ImproperlyConfigured, match="uv sync --frozen --no-dev --extra sentry"):
        begin(DSN, environment="test")
