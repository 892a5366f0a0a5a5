"""Find the Chromium that browser tests use, or install one; run as a module by `make browser`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ADVICE = (
    "Chromium is missing and could not be installed: install it (on Debian: apt-get install chromium) "
    "or name one in CHROMIUM_PATH, then try again."
)


def chromium() -> str | None:
    """The path of a Chromium on this machine: CHROMIUM_PATH, the system's, or Playwright's own; None without one."""
    for candidate in (os.environ.get("CHROMIUM_PATH"), shutil.which("chromium"), shutil.which("chromium-browser")):
        if candidate and Path(candidate).exists():
            return candidate
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() else None


def install() -> bool:
    """Install Chromium from Debian's packages when we are root, else let Playwright fetch its own; True on success."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        packages = ["chromium", "fonts-dejavu-core"]
        for command in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", *packages]):
            subprocess.run(["apt-get", *command], env=environment, stdout=subprocess.DEVNULL, check=False)
    if chromium() is None:
        subprocess.run(
            [sys.executable, "-m", "playwright", "install", "chromium"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
    return chromium() is not None


def main() -> int:
    if chromium() is None:
        print("browser: no Chromium here; installing one", flush=True)  # noqa: T201
        if not install():
            print(f"browser: {ADVICE}", file=sys.stderr)  # noqa: T201
            return 1
    print(f"browser: {chromium()}")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
