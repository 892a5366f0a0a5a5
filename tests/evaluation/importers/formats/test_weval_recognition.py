"""Which files are taken for Weval blueprints, by what is in them."""

import pytest

from evaluation.importers.formats import weval

POINTS = "- prompt: Hi\n  should: [Greets]\n"


def write(tmp_path, content: str | bytes, name: str = "file.txt"):
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


@pytest.mark.parametrize(
    "text",
    [
        f"title: T\n---\n{POINTS}",
        f"id: x\n---\n---\ntitle: T\n---\n{POINTS}",
        "title: T\nmodels: [CORE]\n",
        POINTS,
        "prompt: Hi\nideal: Hello\n",
        "messages:\n- user: Hi\nexpects: [Greets]\n",
        '{"description": "x", "prompts": [{"promptText": "Hi"}]}',
        '[{"promptText": "Hi", "points": ["Greets"]}]',
        f"title: T: U\n---\n{POINTS}",
        f"title: K\xe4se\n---\n{POINTS}".encode("latin-1"),
        f"title: T\n---\n{POINTS * 40_000}",
    ],
)
def test_blueprint_is_recognised_by_its_content(tmp_path, text):
    assert weval.recognises(write(tmp_path, text)) is True


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "42",
        "just words",
        "name: B\nmetrics: []\n",
        "title: A page\ndescription: of something\n",
        "prompts: [Hello, {{name}}]\nproviders: [x]\ntests: []\n",
        '{"prompt": [{"role": "user", "content": "Hi"}], "rubrics": [], "ideal": null}',
        '[{"prompt": "Hi", "code": "x", "model": "y"}]',
        "a,b\n1,2\n",
        "services:\n  web: {image: x}\n",
        "a: [",
        b"PK\x03\x04\x00\x00\x08",
        b"\xff\xfe" * 40,
    ],
)
def test_anything_else_is_not(tmp_path, text):
    assert weval.recognises(write(tmp_path, text)) is False


def test_folder_is_searched_for_blueprints(tmp_path):
    (tmp_path / "below").mkdir()
    first = write(tmp_path / "below", f"title: T\n---\n{POINTS}", "b.yml")
    second = write(tmp_path, f"title: T: U\n---\n{POINTS}", "c.YAML")
    write(tmp_path, "metrics: []\n", "a.yml")
    write(tmp_path, POINTS, "notes.txt")

    assert weval.recognises(tmp_path) is True
    assert weval.find(tmp_path) == (first, second)
    assert weval.find(first) == (first,)


def test_folder_without_one_and_path_that_is_not_there_are_not_recognised(tmp_path):
    assert weval.recognises(tmp_path) is False
    assert weval.recognises(tmp_path / "nowhere.yml") is False


def test_format_is_one_of_drafts():
    description = weval.describe()

    assert (description.name, description.is_runnable) == ("weval", False)
