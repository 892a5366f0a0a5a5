"""Settings are read loudly: nonsense stops the program with a sentence."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from impactbench.settings.database import database_from_url
from impactbench.settings.env import env_bool, env_int, env_list, env_path, env_secret, env_text


def test_env_text_unset_without_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOME_NAME", raising=False)

    with pytest.raises(ImproperlyConfigured, match="The environment variable SOME_NAME must be set"):
        env_text("SOME_NAME")


@pytest.mark.parametrize(("word", "value"), [("1", True), ("Yes", True), ("off", False), ("", False)])
def test_env_bool_words(monkeypatch: pytest.MonkeyPatch, word: str, value: bool) -> None:
    monkeypatch.setenv("SOME_NAME", word)

    assert env_bool("SOME_NAME", not value) is value


def test_env_bool_nonsense(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_NAME", "maybe")

    with pytest.raises(ImproperlyConfigured, match="must be yes or no, not 'maybe'"):
        env_bool("SOME_NAME", True)


def test_env_int_bounds_and_nonsense(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_NAME", "7")
    assert env_int("SOME_NAME", 1, at_least=1) == 7

    monkeypatch.setenv("SOME_NAME", "0")
    with pytest.raises(ImproperlyConfigured, match="must be at least 1, not 0"):
        env_int("SOME_NAME", 1, at_least=1)

    monkeypatch.setenv("SOME_NAME", "seven")
    with pytest.raises(ImproperlyConfigured, match="must be a whole number, not 'seven'"):
        env_int("SOME_NAME", 1)


def test_env_list_and_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SOME_NAME", "a, b,,c ")
    assert env_list("SOME_NAME") == ["a", "b", "c"]

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOME_NAME", "data")
    assert env_path("SOME_NAME", Path("/default")) == tmp_path / "data"


def test_env_secret_from_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("hush\n")
    monkeypatch.setenv("SOME_NAME_FILE", str(tmp_path / "secret"))
    assert env_secret("SOME_NAME") == "hush"

    monkeypatch.setenv("SOME_NAME_FILE", str(tmp_path / "missing"))
    with pytest.raises(ImproperlyConfigured, match="SOME_NAME_FILE names a file that cannot be read"):
        env_secret("SOME_NAME")


def test_database_from_url() -> None:
    entry = database_from_url("postgresql://me:p%40ss@db.example:5433/impact?sslmode=require")

    assert entry["NAME"] == "impact"
    assert entry["USER"] == "me"
    assert entry["PASSWORD"] == "p@ss"
    assert (entry["HOST"], entry["PORT"]) == ("db.example", "5433")
    assert entry["OPTIONS"] == {"prepare_threshold": 1, "sslmode": "require"}


def test_database_from_url_with_socket_folder() -> None:
    assert database_from_url("postgresql://me@/impact?host=/run/pg")["HOST"] == "/run/pg"


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("mysql://me@db/impact", "must start with postgresql://"),
        ("postgresql://me@db/", "must name a database"),
        ("postgresql://me@db:port/impact", "cannot be read"),
    ],
)
def test_database_from_url_refuses(url: str, message: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=message):
        database_from_url(url)
