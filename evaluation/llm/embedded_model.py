"""Where the embedded small language model answers; joins its server at the first call and leaves it at the end."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from impactbench.embedded import Lease

_DEFAULT_HOME = ".impactbench"


class EmbeddedModel:
    """The lease of one client on the embedded language model's server."""

    def __init__(self) -> None:
        self._lease: Lease | None = None
        self._joining = asyncio.Lock()

    async def url(self) -> str:
        """The base address of its OpenAI-compatible interface, started or joined in a thread. Raises OSError."""
        async with self._joining:
            lease = self._lease
            if lease is None:
                home = Path(os.environ.get("IMPACTBENCH_HOME", _DEFAULT_HOME))
                lease = self._lease = await asyncio.to_thread(_join, home)
        if lease.language_model_url is None:
            raise OSError("the embedded language model did not start")
        return lease.language_model_url

    async def close(self) -> None:
        """Leaves the server; it stops when the last one leaves."""
        lease, self._lease = self._lease, None
        if lease is not None:
            await asyncio.to_thread(lease.close)


def _join(home: Path) -> Lease:
    # It brings servers with it, and few clients need them, hence not at the top.
    from impactbench.embedded import EmbeddedServerError, Service, join  # noqa: PLC0415

    try:
        return join(home, Service.LANGUAGE_MODEL)
    except EmbeddedServerError as error:
        raise OSError(str(error)) from error
