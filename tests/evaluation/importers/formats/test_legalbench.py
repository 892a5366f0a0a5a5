"""LegalBench: a task gives notes for an author, its licence, and no metric."""

from evaluation.importers.formats import legalbench
from evaluation.importers.formats.types import Remark

CARD = "# boats\n\n**License**: [CC BY-NC 4.0](https://made.up/)\n\n**Legal reasoning type**: Rules\n\nIs it a boat?\n"
TABLE = 'index\tanswer\ttext\n0\tNo\t"A ""raft"", he said."\n1\tYes\tA boat.\n'
PROMPT = "Q: One?\nA: No\n\nQ: {{text}} Is it?\nA:"


def test_task_gives_notes_and_no_metric(tmp_path):
    for name, text in (("README.md", CARD), ("train.tsv", TABLE), ("base_prompt.txt", PROMPT)):
        (tmp_path / name).write_text(text)
        assert legalbench.recognises(tmp_path / name)

    found = legalbench.read(tmp_path)

    assert (found.benchmark.metrics, found.benchmark.scenarios) == ((), ())
    assert found.benchmark.description == CARD.strip()
    assert [remark.place for remark in found.skipped] == ["train.tsv, all rows", "base_prompt.txt, the whole file"]
    assert found.skipped[0].text.startswith("2 questions with a right answer: they judge knowledge")
    assert found.flags[-1] == Remark(
        "file", "gives no metric and no scenario: its task is a note for whoever authors metrics"
    )


def test_trap_28_licence_of_the_card_decides_on_sharing(tmp_path):
    (tmp_path / "README.md").write_text(CARD)

    found = legalbench.read(tmp_path / "README.md")

    assert (found.benchmark.licence, found.benchmark.sharing) == ("CC BY-NC 4.0", "no")


def test_table_that_is_a_header_only_is_read(tmp_path):
    (tmp_path / "train.tsv").write_text("index\tanswer\ttext\n")

    assert legalbench.read(tmp_path / "train.tsv").skipped[0].text.startswith("0 questions")


def test_other_prompts_and_tables_are_not_recognised(tmp_path):
    for name, text in (("a.txt", "Hi {{text}}"), ("b.tsv", "index\ttext\n"), ("c.md", "**License**: MIT\n")):
        (tmp_path / name).write_text(text)

    assert [legalbench.recognises(file) for file in sorted(tmp_path.iterdir())] == [False, False, False]
    assert legalbench.find(tmp_path) == ()
