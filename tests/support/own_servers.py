"""A pytest plugin: each process of a parallel run has embedded servers of its own, so that none sees another's data.

It must be loaded before Django's settings are, therefore by `-p` and not by a conftest.
"""

import os
from pathlib import Path

WORKER = os.environ.get("PYTEST_XDIST_WORKER")

if WORKER:
    home = Path(os.environ.get("IMPACTBENCH_HOME") or ".impactbench")
    os.environ["IMPACTBENCH_HOME"] = str(home.absolute() / WORKER)
