"""Writes the draft of a metric, shows what is still missing in it, and changes it.

SITE=https://... IMPACTBENCH_TOKEN=ib_... python docs/recipes/write_a_submission.py
"""

import json
import os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SITE = os.environ.get("SITE", "http://localhost:8000")
HEADERS = {"Authorization": f"Bearer {os.environ['IMPACTBENCH_TOKEN']}", "Content-Type": "application/json"}


def ask(method: str, path: str, body: object = None) -> dict:
    """What the site answers; a refusal says in a sentence what to put right."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(f"{SITE}/api/v1/{path}", data, HEADERS, method=method)
    try:
        with urlopen(request) as answer:
            return json.load(answer)
    except HTTPError as refusal:
        problem = json.load(refusal)
        raise SystemExit(f"{problem['status']}: {problem['detail']}") from None


draft = ask("POST", "submissions/", {"content": {"title": "Asks before it advises", "polarity": "positive"}})
for error in draft["missing"]:
    print(f"{error['field']}: {error['detail']}")

# Send the version along: whoever saved in between is not written over, you get 409 with both texts instead.
change = {"version": draft["version"], "content": {"definition": "The assistant asks what the person wants."}}
draft = ask("PATCH", f"submissions/{draft['id']}/", change)
print(f"{draft['id']}, version {draft['version']}: {len(draft['missing'])} things are still missing")
