"""Typed readers of environment variables that refuse nonsense instead of guessing."""

import os
from decimal import Decimal, InvalidOperation
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

TRUE_WORDS = {"1", "true", "yes", "on"}
FALSE_WORDS = {"0", "false", "no", "off", ""}


def env_text(name: str, default: str | None = None) -> str:
    """The variable's text, or `default`; raises ImproperlyConfigured when it is unset and has no default."""
    value = os.environ.get(name, default)
    if value is None:
        raise ImproperlyConfigured(f"The environment variable {name} must be set.")
    return value


def env_bool(name: str, default: bool) -> bool:
    """True or False from words such as `yes`, `0`, `off`; raises ImproperlyConfigured on anything else."""
    value = os.environ.get(name)
    if value is None:
        return default
    word = value.strip().lower()
    if word in TRUE_WORDS:
        return True
    if word in FALSE_WORDS:
        return False
    raise ImproperlyConfigured(f"The environment variable {name} must be yes or no, not {value!r}.")


def env_choice(name: str, default: str, choices: tuple[str, ...]) -> str:
    """One of `choices`; raises ImproperlyConfigured on anything else."""
    value = os.environ.get(name, default)
    if value not in choices:
        raise ImproperlyConfigured(f"The environment variable {name} must be {' or '.join(choices)}, not {value!r}.")
    return value


def env_int(name: str, default: int, *, at_least: int | None = None) -> int:
    """A whole number; raises ImproperlyConfigured when it is none or lies below `at_least`."""
    value = os.environ.get(name)
    if value is None:
        return default
    try:
        number = int(value)
    except ValueError:
        raise ImproperlyConfigured(f"The environment variable {name} must be a whole number, not {value!r}.") from None
    if at_least is not None and number < at_least:
        raise ImproperlyConfigured(f"The environment variable {name} must be at least {at_least}, not {number}.")
    return number


def env_usd(name: str, default: str) -> Decimal:
    """An amount of US dollars from 0; raises ImproperlyConfigured when it is none."""
    value = os.environ.get(name, default)
    try:
        amount = Decimal(value)
    except InvalidOperation:
        amount = Decimal("NaN")
    if not (amount.is_finite() and 0 <= amount < 10**6):
        raise ImproperlyConfigured(f"The environment variable {name} must be an amount of US dollars, not {value!r}.")
    return amount


def env_list(name: str, default: tuple[str, ...] = ()) -> list[str]:
    """Comma-separated words without blanks."""
    value = os.environ.get(name)
    return list(default) if value is None else [word.strip() for word in value.split(",") if word.strip()]


def env_path(name: str, default: Path) -> Path:
    """An absolute path; a relative one counts from the working directory."""
    value = os.environ.get(name)
    return Path(value).expanduser().absolute() if value else default


def env_secret(name: str, default: str | None = None) -> str:
    """A secret, from the variable itself or from the file that `<name>_FILE` names (Docker secrets)."""
    file_name = os.environ.get(f"{name}_FILE")
    if file_name is None:
        return env_text(name, default)
    try:
        return Path(file_name).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ImproperlyConfigured(f"{name}_FILE names a file that cannot be read: {error}.") from error
