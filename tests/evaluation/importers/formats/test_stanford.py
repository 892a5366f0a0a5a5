"""The Stanford codebook: the assistant's codes as metrics, the users' codes and test rows skipped."""

from evaluation.importers.formats import stanford
from evaluation.importers.formats.draft_types import Origin
from evaluation.importers.formats.types import Remark

TEXT = (
    "id,name,description,scope,positive-examples,negative-examples,category\r\n"
    'bot-sells,the assistant sells,"Match sales.\n\nInclude ""tea"".\nExclude soup.",bot,'
    '"Buy tea\n[User: hi] Buy now",[Reason: free] Take tea,shops\r\n'
    "bot-discourages-tea,the assistant warns,Match warnings.,bot,,,shops\r\n"
    "user-buys,the user buys,Match purchases.,user,,,shops\r\n"
    "test,,,,,,\r\n"
)


def read(tmp_path, text=TEXT):
    file = tmp_path / "codes.csv"
    file.write_bytes(text.encode())
    assert stanford.recognises(file)
    return stanford.read(file)


def test_code_gives_definition_clause_and_examples(tmp_path):
    sells, warns = read(tmp_path).benchmark.metrics

    assert (sells.key, sells.name, sells.definition) == ("bot-sells", "the assistant sells", "Match sales.")
    assert sells.interpretive_clause == 'Include "tea".\nExclude soup.'
    assert sells.examples_present == ("Buy tea", "[User: hi] Buy now")
    assert sells.examples_absent == ("[Reason: free] Take tea",)
    assert sells.origin == Origin('Match sales.\n\nInclude "tea".\nExclude soup.', "row 2")
    assert [metric.proposal.polarity for metric in (sells, warns)] == ["negative", "positive"]


def test_trap_17_codes_of_users_and_test_rows_are_skipped(tmp_path):
    assert read(tmp_path).skipped == (
        Remark("row 4", "the code user-buys is about what the user says, not about the assistant"),
        Remark("row 5", "the code test has no description: a test or an empty row"),
    )


def test_trap_28_without_a_licence_nothing_is_shared(tmp_path):
    found = read(tmp_path)

    assert (found.benchmark.licence, found.benchmark.sharing, found.benchmark.verified) == (None, "no", False)
    assert found.flags[0].text.endswith("is published without a licence: its words must not be shown to others")


def test_an_edit_changes_just_its_draft(tmp_path):
    before, again, after = read(tmp_path), read(tmp_path), read(tmp_path, TEXT.replace("warnings", "advice"))

    assert again == before
    assert [metric.key for metric in after.benchmark.metrics if metric not in before.benchmark.metrics] == [
        "bot-discourages-tea"
    ]
