"""What a reviewer does in the portal, page by page."""

from __future__ import annotations

from submissions.rubric import CRITERION_KEYS
from tests.journeys.visitors import Visitor


def accept_invitation(visitor: Visitor, title: str) -> None:
    """Say from the list that there is no conflict, which opens the text."""
    visitor.open("/review/")
    assert not visitor.page.get_by_role("link", name=title, exact=True).count(), "the text is open before the answer"
    visitor.expects_refusal(422)
    visitor.press("Accept, due", exact=False)
    visitor.told("Say first whether there is a reason why you should not review it.")
    visitor.page.get_by_label("No. I do not know who wrote it").check()
    visitor.press("Accept, due", exact=False)
    visitor.told("You do not see who wrote this, the author does not see who you are.")


def send_review(visitor: Visitor, *, value: int, words: str, advice: str, remark: str = "", **comments: str) -> None:
    """Answer every question with the same value, comment on some by their keys, and send it."""
    page = visitor.page
    for key in CRITERION_KEYS:
        page.locator(f"input[name={key}][value='{value}']").check()
    for key, text in comments.items():
        page.locator(f"#c-{key}").get_by_text("Add a comment").click()
        page.locator(f"#m-{key}").fill(text)
    page.get_by_label("For the author").fill(words)
    page.locator(f"input[name=advice][value={advice}]").check()
    page.get_by_label("Remark for the editors only").fill(remark)
    visitor.press("Send review")
    visitor.told("Sent. Thank you.")
