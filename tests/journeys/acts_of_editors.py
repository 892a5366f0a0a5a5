"""What an editor does in the portal, page by page."""

from __future__ import annotations

from tests.journeys.visitors import Visitor
from tests.support.portal import PASSWORD


def look_at_board(visitor: Visitor, title: str) -> str:
    """Open the board; what its row says of the submission."""
    visitor.open("/review/?tab=all")
    row = visitor.page.get_by_role("row").filter(has=visitor.page.get_by_role("link", name=title))
    return " ".join(row.inner_text().split())


def suggested_reviewers(visitor: Visitor, title: str) -> list[str]:
    """Go from the board to the reviewers that are suggested; the first line of each."""
    visitor.follow(title)
    visitor.follow("Find reviewers")
    return visitor.page.locator(".p-pick b").all_inner_texts()


def ask_reviewers(visitor: Visitor, *names: str) -> None:
    """Ask these of the suggested."""
    for name in names:
        visitor.page.get_by_role("checkbox", name=name).check()
    visitor.press("Ask the selected")
    visitor.told(f"{len(names)} people were asked.")


def ask_for_changes(visitor: Visitor, page: str, *more: tuple[str, str]) -> None:
    """Take the points from the reviews, add these (field, text), and decide; the letter waits."""
    visitor.open(f"{page}decision/")
    visitor.page.locator("input[name=kind][value=request_changes]").check()
    visitor.press("Take points from the reviews")
    for field, text in more:
        visitor.press("Add a point")
        number = visitor.page.locator("[name=point_text]").count()
        visitor.page.get_by_label(f"Point {number} is about").select_option(field)
        visitor.page.get_by_label(f"Point {number}", exact=True).fill(text)
    visitor.press("Save the decision")
    visitor.told("Decided. The letter waits.")


def approve_into_new_benchmark(visitor: Visitor, page: str, *, name: str, slug: str, plain_name: str) -> None:
    """Approve as the only metric of a new benchmark; the letter waits. The proposed id and profile are kept."""
    visitor.open(f"{page}decision/")
    visitor.page.locator("input[name=kind][value=approve]").check()
    visitor.page.get_by_label("Benchmark", exact=True).select_option("+")
    visitor.page.get_by_text("A new benchmark", exact=True).last.click()
    visitor.page.get_by_label("Name of the new benchmark").fill(name)
    visitor.page.get_by_label("Id of the new benchmark").fill(slug)
    visitor.page.get_by_label("Name in plain words").fill(plain_name)
    visitor.press("Save the decision")
    visitor.told("Decided. The letter waits.")


def let_letter_go(visitor: Visitor) -> None:
    """Send the letter that waits, from the page of the decision."""
    visitor.press("Send it now")
    visitor.told("The letter has gone out.")


def publish(visitor: Visitor, page: str) -> None:
    """Publish an approved submission, with the password once more if that is asked for."""
    visitor.open(f"{page}publish/")
    visitor.press("Publish it")
    if visitor.page.get_by_label("Password", exact=True).count():
        visitor.page.get_by_label("Password", exact=True).fill(PASSWORD)
        visitor.press("Confirm")
    visitor.told("It is published. Its authors are told.")
