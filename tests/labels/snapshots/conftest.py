"""What the tests of kept files share."""

from pathlib import Path
from typing import Any

import pytest

from tests.labels.api.conftest import get, small  # noqa: F401  (fixtures)


@pytest.fixture(autouse=True)
def kept_in(tmp_path: Path, settings: Any) -> Path:
    """The folder that files of releases are kept in."""
    settings.SNAPSHOTS = tmp_path / "snapshots"
    return tmp_path / "snapshots"
