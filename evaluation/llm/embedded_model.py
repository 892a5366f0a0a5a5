"""Where the embedded small language model answers; joins its server at the first call and leaves it at the end."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from impactbench.embedded import Lease


class EmbeddedModel:
    """The lease of one client on the embedded language model's server."""

    def __init__(self) -> None:
        self._lease: Lease | None = None
        self._joining = asyncio.Lock()

    async def url(self) -> str:
        """The base address of its OpenAI-compatible interface; asked for at every call, as a restart changes it.

        The first call starts or joins the server, in a thread. Raises OSError.
        """
        async with self._joining:
            lease = self._lease
            if lease is None:
                lease = self._lease = await asyncio.to_thread(_join, Path(settings.IMPACTBENCH_HOME))
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
