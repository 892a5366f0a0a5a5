"""The demonstration: from an empty machine to a label, with everything on this machine."""

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser

from evaluation.models import Release
from impactbench.accounts.addresses import sign_in_link
from impactbench.accounts.services import create_account
from impactbench.common.commands import ImpactBenchCommand, Interrupted
from impactbench.common.errors import DomainError

FILES = Path(__file__).resolve().parents[2] / "demo"
RELEASE = "demo"
OPERATOR = "operator@localhost.example"
SECONDS_TO_WAIT_FOR_THE_SITE = 60


class Command(ImpactBenchCommand):
    help = "Run a real, small evaluation on this machine, publish it and serve the site until Ctrl-C."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=int(os.environ.get("PORT") or 8000))
        parser.add_argument("--no-serve", action="store_true", help="stop when the release is published")

    def run(self, options: dict[str, Any]) -> str:
        site = f"http://localhost:{options['port']}"
        self.stdout.write("ImpactBench demonstration: a tiny language model plays the user, the AI and the judge.")
        # Whoever is ended by `kill` leaves no web server behind either.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        server = _start_site(options["port"])
        try:
            _wait_for_site(server, site)
            self._invite(site)
            self._label(site, must_end=options["no_serve"])
            if not options["no_serve"]:
                self._serve(server, site)
        finally:
            _stop(server)
        return f"demonstration done: release {RELEASE}"

    def _label(self, site: str, *, must_end: bool) -> None:
        try:
            # Once it is published it stands; what is approved or imported since then is no part of it.
            if not Release.objects.filter(slug=RELEASE).exists():
                self._evaluate()
                self._publish()
        except Interrupted:
            raise
        except CommandError as problem:
            if must_end:
                raise
            # Somebody paused the run, or it could not go on; those who are at work on the site keep it.
            self.stderr.write(f"\nNo label yet: {problem}. Ctrl-C and the same command again go on where it stopped.")
        else:
            self.stdout.write(f"\nThe label is ready: {site}/labels/smollm2-coach/")

    def _invite(self, site: str) -> None:
        user, _ = create_account(email=OPERATOR, roles=["operator", "editor"])
        self.stdout.write(f"The site is up: {site}/ (it shows how far the demonstration is)")
        self.stdout.write(f"Sign in as an operator, once, within a day: {sign_in_link(user, site)}")
        if settings.EMAIL_BACKEND.endswith("filebased.EmailBackend"):
            self.stdout.write(f"Mail, such as codes to confirm an address, is written to {settings.EMAIL_FILE_PATH}/")
        self.stdout.write("")
        self.stdout.flush()

    def _evaluate(self) -> None:
        call_command("import_benchmark", str(FILES / "autonomy-and-learning"), stdout=self.stdout)
        call_command("run_evaluation", str(FILES / "plan.yaml"), stdout=self.stdout, stderr=self.stderr)

    def _publish(self) -> None:
        call_command("publish_release", RELEASE, run=[RELEASE], title="Demonstration", stdout=self.stdout)

    def _serve(self, server: subprocess.Popen[bytes], site: str) -> None:
        self.stdout.write(f"The site stays up at {site}/ until you press Ctrl-C.")
        self.stdout.flush()
        try:
            server.wait()
        except KeyboardInterrupt:
            return
        raise DomainError("the web server ended by itself; start the site again with: make serve")


def _start_site(port: int) -> subprocess.Popen[bytes]:
    """The production server as a child, in a process group of its own so that Ctrl-C reaches it through us alone."""
    command = [sys.executable, "-m", "gunicorn", "-c", "docker/gunicorn.conf.py", "impactbench.wsgi"]
    return subprocess.Popen(command, env={**os.environ, "PORT": str(port)}, start_new_session=True)


def _wait_for_site(server: subprocess.Popen[bytes], site: str) -> None:
    deadline = time.monotonic() + SECONDS_TO_WAIT_FOR_THE_SITE
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise DomainError(
                "the web server could not start (see above); is the port taken? try another: PORT=8001 make demo"
            )
        try:
            with urllib.request.urlopen(f"{site}/healthz", timeout=2):  # noqa: S310  (our own address)  # nosec B310
                return
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            time.sleep(0.2)
    raise DomainError(f"the web server did not answer within {SECONDS_TO_WAIT_FOR_THE_SITE} s")


def _stop(server: subprocess.Popen[bytes]) -> None:
    if server.poll() is None:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(timeout=15)
        except subprocess.TimeoutExpired:
            server.kill()
