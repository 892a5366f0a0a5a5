"""No file of the repository carries a key, a token or a password; `make audit` looks through its history too."""

import pytest

from tests.support.secrets_in_text import KNOWN, found_in, mark, tracked_files


def test_no_tracked_file_carries_a_secret() -> None:
    found = [
        f"{name}: {shape} ({mark(word)})"
        for name, text in tracked_files().items()
        for shape, word in found_in(text)
        if mark(word) not in KNOWN
    ]

    assert found == []


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("id = AKIA" + "ABCDEFGHIJKLMNOP", "key of AWS"),
        ("OPENAI=sk-" + "proj-a1b2c3d4e5f6g7h8i9j0", "key of OpenAI, Anthropic and the like"),
        ("gh" + "p_" + "a1B2" * 9, "token of GitHub"),
        ("glpat" + "-" + "a1B2" * 5, "token of GitLab"),
        ("xox" + "b-1234567890-abc", "token of Slack"),
        ("AIza" + "a1B2c" * 7, "key of Google"),
        ("hf" + "_" + "a1B2c3" * 5, "token of Hugging Face"),
        ("Bearer ib" + "_" + "a1" * 19, "token of ours"),
        ("-----BEGIN RSA PRIVATE" + " KEY-----", "private key"),
        ("eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJ" + "zdWIiOiIxMjM0NTY3" + ".dozjgNryP4J3jVmNHl0w5N", "signed token"),
        ("postgres://me:" + "hunter2hunter@db.example/x", "password in an address"),
        ('DB_PASSWORD = "' + 'q8Zr0tFq8hXyW2bNs7Lm"', "assigned secret"),
    ],
)
def test_every_shape_is_seen(text: str, shape: str) -> None:
    assert [name for name, _word in found_in(text)] == [shape]


@pytest.mark.parametrize(
    "text",
    [
        'password = "correct horse 42 battery"',
        'token = "something-that-is-only-words"',
        "postgresql://impactbench:${POSTGRES_PASSWORD:?set}@database/impactbench",
        "https://example.org/a:b@c",
        "a task-force-of-twenty-people-and-more",
    ],
)
def test_words_are_no_secrets(text: str) -> None:
    assert list(found_in(text)) == []
