"""What keeps an answer from full marks by the rules of header observatories."""

from __future__ import annotations

import re
from http.cookies import Morsel
from typing import Any

# Half a year, the least that counts.
LONG_ENOUGH = 15_768_000
_EQUAL = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_TEXT = re.compile(r"^text/|[+/]xml\b")
_VERSION = re.compile(r"\d+\.\d+")


def faults(answer: Any, *, is_private: bool, may_be_framed: bool = False) -> list[str]:
    """One line for each mark that is lost; [] for full marks."""
    headers = answer.headers
    found = [name for name, value in _EQUAL.items() if headers.get(name) != value]
    found += _of_policy(headers.get("Content-Security-Policy", ""), may_be_framed=may_be_framed)
    if answer.wsgi_request.is_secure():
        age = re.match(r"max-age=(\d+)", headers.get("Strict-Transport-Security", ""))
        found += [] if age and int(age[1]) >= LONG_ENOUGH else ["HSTS"]
    shared = headers.get("Cross-Origin-Resource-Policy")
    found += [] if shared in (["same-origin"] if is_private else ["same-origin", "cross-origin"]) else ["CORP"]
    if is_private:
        found += [] if "no-store" in headers.get("Cache-Control", "") else ["Cache-Control"]
        found += ["CORS"] if headers.get("Access-Control-Allow-Origin") else []
    found += [name for name in ("Server", "X-Powered-By", "Via") if _VERSION.search(headers.get(name, ""))]
    kind = headers.get("Content-Type", "")
    if answer.status_code < 300 or answer.status_code >= 400:
        found += [] if kind and (not _TEXT.search(kind) or "charset=" in kind) else ["Content-Type"]
    found += ["CORS with cookies"] if headers.get("Access-Control-Allow-Credentials") else []
    return found + [fault for cookie in answer.cookies.values() for fault in _of_cookie(cookie)]


def _of_policy(text: str, *, may_be_framed: bool) -> list[str]:
    policy = {words[0]: words[1:] for words in (part.split() for part in text.split(";")) if words}
    ancestors = ["*"] if may_be_framed else ["'none'"]
    found = [f"CSP: {word}" for words in policy.values() for word in words if "unsafe" in word or word.endswith(":")]
    found = [fault for fault in found if fault != "CSP: data:" or "data:" in policy.get("script-src", [])]
    found += [f"CSP: * in {name}" for name, words in policy.items() if "*" in words and name != "frame-ancestors"]
    found += [] if policy.get("default-src") == ["'none'"] else ["CSP: default-src"]
    framed = "sandbox" in policy or policy.get("frame-ancestors") == ancestors
    return found + ([] if framed else ["CSP: frame-ancestors"])


def _of_cookie(cookie: Morsel[str]) -> list[str]:
    good = {
        "__Host- prefix": cookie.key.startswith("__Host-"),
        "Secure": bool(cookie["secure"]),
        "HttpOnly": bool(cookie["httponly"]),
        "SameSite": cookie["samesite"] in ("Lax", "Strict"),
        "Path": cookie["path"] == "/",
        "Domain": not cookie["domain"],
    }
    return [f"cookie {cookie.key}: {name}" for name, is_good in good.items() if not is_good]
