"""One HTTP request on a connection of its own, for tests and measurements that stop servers while they answer."""

import http.client
from collections.abc import Mapping

PATIENCE = 20.0


def ask(
    port: int,
    path: str,
    method: str = "GET",
    body: bytes | None = None,
    *,
    headers: Mapping[str, str] | None = None,
    patience: float = PATIENCE,
) -> tuple[int, str]:
    """Status and text of the answer of a server on this machine.

    Raises OSError where it cannot be reached or is silent for `patience` seconds, http.client.HTTPException where an
    answer breaks off.
    """
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=patience)
    try:
        connection.request(method, path, body=body, headers={"Host": f"localhost:{port}", **(headers or {})})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()
