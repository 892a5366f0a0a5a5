"""What stands around the code: pinned packages, and containers that show and may do little."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import yaml

from impactbench.embedded.postgres import SETTINGS
from tests.support.commands import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker/compose.yaml").read_text())["services"]
OURS = ("web", "worker", "portal", "clock")


def test_every_package_is_pinned_with_a_hash() -> None:
    packages = tomllib.loads((ROOT / "uv.lock").read_text())["package"]
    files = [file for one in packages for file in [one.get("sdist"), *one.get("wheels", [])] if file]

    assert len(files) > 100
    assert [file for file in files if not file.get("hash", "").startswith("sha256:")] == []
    assert [one["name"] for one in packages if set(one["source"]) != {"registry"}] == ["impactbench"]


def test_image_installs_exactly_the_lock_and_runs_as_nobody_special() -> None:
    lines = (ROOT / "docker/Dockerfile").read_text().splitlines()
    users = [line for line in lines if line.startswith("USER ")]

    assert 'RUN uv sync --frozen --no-dev ${EXTRAS:+--extra "$EXTRAS"}' in lines
    assert users == ["USER 10001"]
    assert lines.index("USER 10001") < lines.index('ENTRYPOINT ["/app/docker/entrypoint"]')


def test_image_and_compose_file_pass_their_linters() -> None:
    bare = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for command in (
        ["hadolint", "--no-color", "docker/Dockerfile"],
        ["check-jsonschema", "--builtin-schema", "vendor.compose-spec", "docker/compose.yaml"],
        ["sh", "-n", "docker/entrypoint"],
        ["sh", "-n", "docker/healthy"],
    ):
        done = subprocess.run(command, cwd=ROOT, env=bare, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_only_the_proxy_can_be_reached() -> None:
    assert {name: one["ports"] for name, one in COMPOSE.items() if "ports" in one} == {
        "proxy": ["80:80", "443:443", "443:443/udp"]
    }


def test_without_tls_the_proxy_leads_pages_on_and_lets_the_api_refuse() -> None:
    _, plain = (ROOT / "docker/Caddyfile").read_text().split("http://{$SITE_ADDRESS:localhost} {")

    assert " ".join(plain.split()) == "handle /api/* { import site } handle { redir https://{host}{uri} 308 } }"


def test_every_service_tells_whether_it_is_well() -> None:
    image = (ROOT / "docker/Dockerfile").read_text()
    told = [name for name, one in COMPOSE.items() if "healthcheck" in one or "build" in one]

    assert 'CMD ["/app/docker/healthy"]' in image
    assert told == ["web", "worker", "portal", "clock", "database", "broker"]


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
