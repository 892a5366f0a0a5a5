"""Two web servers with a home each, as on two machines, on one PostgreSQL and one Valkey: `make twomachines`.

Who signed in at one is known to the other, limits are counted together, what changes at one is seen at the other.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from tests.bench.own_home import own_home
from tests.bench.promises import Promises
from tests.bench.web_kills import Web
from tests.support.one_request import ask

MOST_SECONDS_TO_SEE = 2.0
A_MINUTE = 30
PATIENCE = 60.0


def main() -> None:
    """Prints each promise; ends with 1 where one was broken."""
    promises = Promises("two machines")
    variables = {"API_REQUESTS_A_MINUTE": str(A_MINUTE), "SECRET_KEY": "of both", "PAGE_CACHE": "yes"}
    with own_home({"DJANGO_SETTINGS_MODULE": "impactbench.settings.dev", **variables}) as home:
        cookie, release = _prepared()
        machines = [Web(home, name) for name in ("one", "two")]
        try:
            for machine in machines:
                machine.start()
            for machine in machines:
                _until(lambda machine=machine: _status(machine, "/readyz") == 200)  # type: ignore[misc]
            _judge(promises, machines, cookie, release)
        finally:
            for machine in machines:
                machine.kill()
    promises.close()


def _prepared() -> tuple[str, str]:
    """The cookie of somebody who signed in, and the slug of a small release."""
    from django.conf import settings
    from django.test import Client

    from tests.support import july_shape
    from tests.support.portal import make_person

    july_shape.build(july_shape.SMALL)
    client = Client()
    client.force_login(make_person("Ada Author", "expert"))
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}", july_shape.SLUG


def _judge(promises: Promises, machines: list[Web], cookie: str, release: str) -> None:
    found = [_status(machine, "/submissions/", Cookie=cookie) for machine in machines]
    promises.check("who signed in is known to both", holds=found == [200, 200], found=str(found))
    # Each request asks for something else: answers from the page cache are not counted.
    asked = [_status(machines[n % 2], f"/api/v1/results/?page_size={n + 1}") for n in range(2 * A_MINUTE)]
    promises.check(
        f"{A_MINUTE} requests a minute are counted together",
        holds=A_MINUTE <= asked.count(200) <= 2 * A_MINUTE - 1 and asked[-1] == 429,
        found=f"{asked.count(200)} x 200, {asked.count(429)} x 429; more than {A_MINUTE} where another minute began",
    )
    seconds = _seconds_until_seen(machines, release)
    promises.check(
        f"a retraction is seen by both within {MOST_SECONDS_TO_SEE:.0f} s",
        holds=seconds <= MOST_SECONDS_TO_SEE,
        found=f"{seconds:.1f} s",
    )


def _seconds_until_seen(machines: list[Web], release: str) -> float:
    from evaluation.services import publishing

    address = f"/releases/{release}/"
    for machine in machines:  # both keep the page
        _text(machine, address)
    publishing.retract(actor=None, slug=release, reason="The judge was wrong.")
    began = time.monotonic()
    for machine in machines:
        _until(lambda machine=machine: "The judge was wrong." in _text(machine, address))  # type: ignore[misc]
    return time.monotonic() - began


def _until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > deadline:
            raise TimeoutError("waited in vain")
        time.sleep(0.1)


def _status(machine: Web, address: str, **headers: str) -> int:
    return _answer(machine, address, headers)[0]


def _text(machine: Web, address: str) -> str:
    return _answer(machine, address, {})[1]


def _answer(machine: Web, address: str, headers: dict[str, str]) -> tuple[int, str]:
    try:
        return ask(machine.port, address, headers=headers, patience=PATIENCE)
    except OSError:
        return 0, ""


if __name__ == "__main__":
    main()
