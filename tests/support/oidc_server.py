"""An OpenID Connect provider of our own on loopback, with the parts of ORCID's that signing in needs."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT_ID, CLIENT_SECRET = "APP-TESTS", "tests-only"
KEY_ID = "key-1"


@dataclass
class Person:
    """Who is signed in at the provider; `claims` are what it tells beside the subject."""

    subject: str
    claims: dict[str, Any] = field(default_factory=dict)


class OidcServer:
    """Use as a context manager. Whoever comes to `/oauth/authorize` is `person`, and has agreed already."""

    def __init__(self) -> None:
        self.person = Person("0000-0002-1825-0097")
        self.breaks = False
        self.requests: list[tuple[str, dict[str, str]]] = []
        # What a dishonest provider would do: claims that replace the right ones (None: left out), another issuer in the
        # description, identity tokens of its own making.
        self.claims: dict[str, Any] = {}
        self.issuer = ""
        self.sign: Callable[[dict[str, Any]], str | None] = self.signed
        self._key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self._grants: dict[str, dict[str, str]] = {}
        self._tokens: dict[str, Person] = {}
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02})

    def __enter__(self) -> OidcServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def answer(self, path: str, query: dict[str, str], headers: Any) -> tuple[int, dict[str, Any] | str]:
        """(status, JSON or address to go to) for one request."""
        self.requests.append((path, query))
        if self.breaks and path == "/oauth/token":
            return 503, {"error": "server_error"}
        if path == "/.well-known/openid-configuration":
            return 200, self._configuration()
        if path == "/oauth/authorize":
            return 302, self._authorize(query)
        if path == "/oauth/token":
            return self._token(query)
        if path == "/oauth/jwks":
            return 200, {"keys": [self._public_key()]}
        if path == "/oauth/userinfo":
            return self._userinfo(headers.get("Authorization", ""))
        return 404, {"error": "not_found"}

    def _configuration(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer or self.url,
            "authorization_endpoint": f"{self.url}/oauth/authorize",
            "token_endpoint": f"{self.url}/oauth/token",
            "userinfo_endpoint": f"{self.url}/oauth/userinfo",
            "jwks_uri": f"{self.url}/oauth/jwks",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
        }

    def _authorize(self, query: dict[str, str]) -> str:
        code = secrets.token_urlsafe(8)
        self._grants[code] = query
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    def _token(self, query: dict[str, str]) -> tuple[int, dict[str, Any]]:
        grant = self._grants.pop(query.get("code", ""), None)
        if grant is None or (query.get("client_id"), query.get("client_secret")) != (CLIENT_ID, CLIENT_SECRET):
            return 400, {"error": "invalid_grant"}
        digest = hashlib.sha256(query.get("code_verifier", "").encode()).digest()
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != grant.get("code_challenge"):
            return 400, {"error": "invalid_grant", "error_description": "the code verifier is wrong"}
        token = secrets.token_urlsafe(8)
        self._tokens[token] = self.person
        answer = {"access_token": token, "token_type": "bearer", "expires_in": 600}
        if id_token := self.sign(self._claims(grant)):
            answer["id_token"] = id_token
        return 200, answer

    def _claims(self, grant: dict[str, str]) -> dict[str, Any]:
        now = int(time.time())
        right = {"iss": self.url, "aud": CLIENT_ID, "sub": self.person.subject, "iat": now, "exp": now + 600}
        said = {**right, "nonce": grant.get("nonce"), "jti": secrets.token_urlsafe(8), **self.claims}
        return {name: value for name, value in said.items() if value is not None}

    def signed(self, claims: dict[str, Any]) -> str:
        """The identity token of an honest provider."""
        return jwt.encode(claims, self._key, algorithm="RS256", headers={"kid": KEY_ID})

    def _public_key(self) -> dict[str, Any]:
        key = jwt.algorithms.RSAAlgorithm.to_jwk(self._key.public_key(), as_dict=True)
        return {**key, "kid": KEY_ID, "alg": "RS256", "use": "sig"}

    def _userinfo(self, authorization: str) -> tuple[int, dict[str, Any]]:
        person = self._tokens.get(authorization.removeprefix("Bearer "))
        return (200, {"sub": person.subject, **person.claims}) if person else (401, {"error": "invalid_token"})

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._reply(urlsplit(self.path).query)

            def do_POST(self) -> None:
                self._reply(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode())

            def _reply(self, encoded: str) -> None:
                query = {name: values[-1] for name, values in parse_qs(encoded).items()}
                status, content = provider.answer(urlsplit(self.path).path, query, self.headers)
                body = b"" if isinstance(content, str) else json.dumps(content).encode()
                self.send_response(status)
                if isinstance(content, str):
                    self.send_header("Location", content)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        return Handler
