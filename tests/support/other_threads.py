"""Work in a thread of its own, with a database connection of its own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection


def in_a_thread(ask: Callable[[], Any]) -> Any:
    """Asks the database from within an event loop, where Django itself would refuse."""

    def ask_and_leave() -> Any:
        try:
            return ask()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(ask_and_leave).result()
