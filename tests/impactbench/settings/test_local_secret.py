"""A machine without a secret makes its own, once."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from impactbench.settings.local_secret import local_secret


def test_local_secret_is_kept_and_private(tmp_path: Path) -> None:
    first = local_secret(tmp_path / "home")

    assert local_secret(tmp_path / "home") == first
    assert len(first) >= 50
    assert stat.S_IMODE((tmp_path / "home" / "secret-key").stat().st_mode) == 0o600


def test_local_secret_asked_for_by_many_at_once(tmp_path: Path) -> None:
    for attempt in range(50):
        home = tmp_path / str(attempt)
        with ThreadPoolExecutor(8) as pool:
            secrets = set(pool.map(local_secret, [home] * 8))

        assert len(secrets) == 1
        assert [path.name for path in home.iterdir()] == ["secret-key"]
