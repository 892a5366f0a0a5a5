"""What stands around the code: pinned packages, and containers that show and may do little."""

import tomllib
from typing import Any

import yaml

from impactbench.embedded.postgres import SETTINGS
from tests.support.commands import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker/compose.yaml").read_text())["services"]
OURS = ("web", "worker", "portal")


def test_every_package_is_pinned_with_a_hash() -> None:
    packages = tomllib.loads((ROOT / "uv.lock").read_text())["package"]
    files = [file for one in packages for file in [one.get("sdist"), *one.get("wheels", [])] if file]

    assert len(files) > 100
    assert [file for file in files if not file.get("hash", "").startswith("sha256:")] == []
    assert [one["name"] for one in packages if set(one["source"]) != {"registry"}] == ["impactbench"]


def test_image_installs_exactly_the_lock_and_runs_as_nobody_special() -> None:
    lines = (ROOT / "docker/Dockerfile").read_text().splitlines()
    users = [line for line in lines if line.startswith("USER ")]

    assert "RUN uv sync --frozen --no-dev" in lines
    assert users == ["USER impactbench"]
    assert lines.index("USER impactbench") < lines.index('ENTRYPOINT ["/app/docker/entrypoint"]')


def test_only_the_web_server_can_be_reached() -> None:
    assert {name: one.get("ports") for name, one in COMPOSE.items()} == {
        "web": ["8000:8000"], "worker": None, "portal": None, "database": None, "broker": None,
    }  # fmt: skip


def test_containers_of_ours_write_nowhere_but_to_their_volume() -> None:
    for name in OURS:
        one = COMPOSE[name]
        assert (one["read_only"], one["cap_drop"]) == (True, ["ALL"])
        assert one["security_opt"] == ["no-new-privileges:true"]
        assert "privileged" not in one


def test_keys_of_models_are_given_to_workers_alone() -> None:
    assert [name for name, one in COMPOSE.items() if "env_file" in one] == ["worker", "portal"]
    assert not [key for key in COMPOSE["web"]["environment"] if key.endswith(("API_KEY", "_TOKEN"))]


def test_database_logs_neither_statements_nor_rows() -> None:
    assert (SETTINGS["log_min_error_statement"], SETTINGS["log_error_verbosity"]) == ("panic", "terse")
    assert {"log_min_error_statement=panic", "log_error_verbosity=terse"} <= set(COMPOSE["database"]["command"])
