"""Programs of people: clients that show a token of theirs."""

from typing import Any

from django.test import Client

from impactbench.accounts.models import User
from impactbench.accounts.tokens.scopes import scopes_for
from impactbench.accounts.tokens.services import make_token

API = "/api/v1/"


class Program:
    """Asks the API in a person's name; without a person, in nobody's."""

    def __init__(self, person: User | None, *scopes: str) -> None:
        self.client = Client()
        self.headers: dict[str, str] = {}
        if person is not None:
            names = scopes or tuple(scope.name for scope in scopes_for(person))
            self.token, self.text = make_token(person, name="a program", scopes=names, days=7)
            self.headers["Authorization"] = f"Bearer {self.text}"

    def get(self, path: str) -> Any:
        return self.client.get(API + path, headers=self.headers)

    def post(self, path: str, body: Any = None) -> Any:
        return self.client.post(API + path, body or {}, content_type="application/json", headers=self.headers)

    def patch(self, path: str, body: Any) -> Any:
        return self.client.patch(API + path, body, content_type="application/json", headers=self.headers)

    def upload(self, path: str, *files: Any) -> Any:
        return self.client.post(API + path, {"file": files}, headers=self.headers)
