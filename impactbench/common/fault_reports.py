"""Faults told to Sentry, for operators who have one: where they happened, and nobody's words."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured

from impactbench.common.request_ids import current_request_id

# What a report may hold at all; the rest of what the library gathers is left out.
_KEPT = ("event_id", "timestamp", "level", "platform", "logger", "transaction", "release", "environment", "sdk")
_KEPT_OF_A_FRAME = ("filename", "module", "function", "lineno", "in_app", "context_line")
_MISSING = (
    "SENTRY_DSN is set, and the package that talks to Sentry is not installed. Install it with "
    "`uv sync --frozen --no-dev --extra sentry`, or unset SENTRY_DSN."
)


def begin(dsn: str, *, environment: str, release: str = "", transport: Any = None) -> None:
    """Tell Sentry of faults from now on; without a DSN nothing is loaded and nothing told.

    No traces, no profiles, no bodies, no variables. `transport` takes the library's place of sending. Raises
    ImproperlyConfigured where the package is missing.
    """
    if not dsn:
        return
    try:
        import sentry_sdk  # noqa: PLC0415  (an extra that most sites do without)
        from sentry_sdk.integrations.celery import CeleryIntegration  # noqa: PLC0415
        from sentry_sdk.integrations.django import DjangoIntegration  # noqa: PLC0415
    except ImportError:
        raise ImproperlyConfigured(_MISSING) from None
    sentry_sdk.init(
        dsn=dsn,
        environment=environment,
        release=release or None,
        transport=transport,
        # Those of clients of models would look at prompts.
        integrations=[DjangoIntegration(), CeleryIntegration()],
        auto_enabling_integrations=False,
        send_default_pii=False,
        max_request_body_size="never",
        include_local_variables=False,
        max_breadcrumbs=0,
        auto_session_tracking=False,
        server_name="",
        before_send=without_words,
    )


def without_words(event: Any, _hint: Any = None) -> Any:
    """The report with kinds of faults and places in our code alone.

    Messages of faults hold rows, prompts and names; requests hold tokens, cookies, addresses and texts: none is kept.
    A line of the log is told as it stands in the code, without its values.
    """
    kept = {name: event[name] for name in _KEPT if name in event}
    if "logentry" in event:
        kept["logentry"] = {"message": event["logentry"].get("message", "")}
    if "exception" in event:
        kept["exception"] = {"values": [_fault(one) for one in event["exception"].get("values", [])]}
    kept["tags"] = {"request": current_request_id()} if current_request_id() else {}
    return kept


def _fault(fault: dict[str, Any]) -> dict[str, Any]:
    frames = (fault.get("stacktrace") or {}).get("frames", [])
    return {
        "type": fault.get("type"),
        "module": fault.get("module"),
        "mechanism": {"type": (fault.get("mechanism") or {}).get("type", "generic"), "handled": False},
        "stacktrace": {
            "frames": [{name: frame[name] for name in _KEPT_OF_A_FRAME if name in frame} for frame in frames]
        },
    }
