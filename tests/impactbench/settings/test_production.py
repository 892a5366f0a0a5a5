"""The production settings, asked of a process of their own: what they refuse, which headers and cookies they give."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import ROOT, environment

pytestmark = pytest.mark.django_db
VARIABLES = {
    "DJANGO_SETTINGS_MODULE": "impactbench.settings.production",
    "SECRET_KEY": "k3Zr0tFq8hXyW2bNs7LmPv5cJd9GeTaU4iRoQ1lKxYwBnH6fVjM",
    "ALLOWED_HOSTS": "impactbench.example",
}
# One page with a form over TLS, and the way there without it.
ASK = """
import json, django
django.setup()
from django.test import Client
from django.conf import settings
# Nothing was collected here.
settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
ask = Client(SERVER_NAME="impactbench.example").get
page, plain = ask("/accounts/login/", secure=True), ask("/accounts/login/")
cookies = {name: [bool(cookie["secure"]), bool(cookie["httponly"]),
                  cookie["samesite"], cookie["path"], cookie["domain"]]
           for name, cookie in page.cookies.items()}
print(json.dumps({"status": page.status_code, "headers": dict(page.headers), "cookies": cookies,
                  "plain": [plain.status_code, plain["Location"]],
                  "session": [settings.SESSION_COOKIE_NAME, settings.SESSION_COOKIE_SECURE,
                              settings.SESSION_COOKIE_HTTPONLY, settings.SESSION_COOKIE_SAMESITE,
                              settings.SESSION_COOKIE_DOMAIN, settings.SESSION_COOKIE_PATH]}))
"""


def _python(*arguments: str, home: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    # Nothing that another test, or the machine, has set may decide what these settings say.
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    everything = {**kept, **environment(home), **VARIABLES, **variables}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, env=everything, capture_output=True, text=True, timeout=120, check=False)


def test_check_for_deployment_finds_nothing(tmp_path: Path) -> None:
    ended = _python("manage.py", "check", "--deploy", "--fail-level", "WARNING", home=tmp_path)

    assert ended.stderr == ""
    assert ended.returncode == 0


def test_check_for_deployment_sees_a_weak_key(tmp_path: Path) -> None:
    ended = _python("manage.py", "check", "--deploy", "--fail-level", "WARNING", home=tmp_path, SECRET_KEY="short")

    assert ended.returncode == 1
    assert "security.W009" in ended.stderr


def test_without_a_secret_key_nothing_starts(tmp_path: Path) -> None:
    ended = _python("-c", "import os; del os.environ['SECRET_KEY']; import django; django.setup()", home=tmp_path)

    assert ended.returncode == 1
    assert "The environment variable SECRET_KEY must be set." in ended.stderr


def test_cookies_and_headers_over_tls(tmp_path: Path) -> None:
    ended = _python("-c", ASK, home=tmp_path)
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout)

    assert found["status"] == 200
    assert found["cookies"] == {"__Host-csrftoken": [True, True, "Lax", "/", ""]}
    assert found["session"] == ["__Host-sessionid", True, True, "Lax", None, "/"]
    assert found["plain"] == [301, "https://impactbench.example/accounts/login/"]
    assert found["headers"]["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains"
    assert found["headers"]["X-Frame-Options"] == "DENY"
    assert found["headers"]["Referrer-Policy"] == "same-origin"
