"""What an expert does in the portal, page by page."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from submissions.content import Content
from tests.impactbench.accounts.people import code_of_last_mail
from tests.journeys.visitors import Visitor, worker_does_the_trial
from tests.support.portal import PASSWORD


def sign_up(visitor: Visitor, address: str) -> None:
    """From the page about submitting, with the code that comes by mail, back to that page."""
    visitor.open("/submit/")
    visitor.follow("Make an account")
    visitor.page.get_by_label("E-mail address").fill(address)
    visitor.page.get_by_label("Password", exact=True).fill(PASSWORD)
    visitor.page.get_by_label("The same password again").fill(PASSWORD)
    visitor.press("Sign up")
    visitor.page.get_by_label("Code").fill(code_of_last_mail())
    visitor.press("Confirm")
    expect(visitor.page).to_have_url(f"{visitor.site}/submit/")


def say_who_one_is(visitor: Visitor, name: str, affiliation: str, zone: str) -> None:
    """Fill in the profile, and go back to the page about submitting."""
    visitor.follow("Account")
    visitor.page.get_by_label("Name").fill(name)
    visitor.page.get_by_label("Affiliation").fill(affiliation)
    visitor.page.get_by_label("Time zone").select_option(zone)
    visitor.press("Save")
    visitor.follow("My submissions")
    visitor.follow("Submit your first metric")


def begin_draft(visitor: Visitor) -> str:
    """The name of the new draft, S-..."""
    visitor.press("Begin")
    return visitor.page.url.removeprefix(f"{visitor.site}/submissions/").partition("/")[0]


def write_why_it_matters(page: Page, content: Content) -> None:
    """The name and part 1."""
    page.locator("#title").fill(content.title)
    page.locator("#construct").fill(content.construct)
    for number, source in enumerate(content.sources, start=1):
        page.locator(f"#source-{number}-reference").fill(source.reference)
        page.locator(f"#source-{number}-link").fill(source.link)
    page.locator("#differs").fill(content.differs)
    page.locator("#relevance").fill(content.relevance)
    for slug in content.subareas:
        page.locator(f"input[name=subareas][value={slug}]").check()


def write_the_situation(visitor: Visitor, content: Content) -> None:
    """Part 2, with a line more for each further person and message."""
    page = visitor.page
    for number, item in enumerate(content.demographics, start=1):
        add_line_unless_there(visitor, f"#demographic-{number}-attribute", "Add a line")
        page.locator(f"#demographic-{number}-attribute").fill(item.attribute)
        page.locator(f"#demographic-{number}-value").fill(item.value)
        page.locator(f"[name=demographic-{number}-told][value={'told' if item.told else 'inferred'}]").check()
    page.locator("#known").fill(content.known)
    page.locator("#unknown").fill(content.unknown)
    for number, message in enumerate(content.messages, start=1):
        add_line_unless_there(visitor, f"#message-{number}-text", "Add a message")
        page.locator(f"#message-{number}-text").fill(message.text)
        page.locator(f"#message-{number}-turn").fill(message.turn)


def write_how_to_tell(page: Page, content: Content) -> None:
    """Part 3, and what stands beside the button to send."""
    page.locator("#definition").fill(content.definition)
    page.locator(f"[name=polarity][value={content.polarity}]").check()
    page.locator("#question-1-text").fill(content.questions[0])
    page.locator("#hard_cases").fill(content.hard_cases)
    for kind, examples in (("present", content.examples_present), ("absent", content.examples_absent)):
        for number, text in enumerate(examples, start=1):
            page.locator(f"#{kind}-{number}-text").fill(text)
    page.locator(f"[name=credit][value={content.credit}]").check()
    page.locator(f"[name=licence][value='{content.licence}']").check()


def add_line_unless_there(visitor: Visitor, place: str, button: str) -> None:
    """Press the button when the form has no such field yet."""
    if not visitor.page.locator(place).count():
        visitor.press(button)


def wait_until_saved(page: Page) -> None:
    """Until the page says that the server has all of it."""
    expect(page.locator("#save-state")).to_contain_text("Saved at", timeout=15_000)


def come_back(visitor: Visitor, address: str, title: str) -> None:
    """Sign in again and open the draft from the list of one's submissions."""
    visitor.sign_in_with_password(address, then="/submissions/")
    visitor.follow(title)


def filled_in(page: Page, *places: str) -> list[str]:
    """What stands in these fields of the form."""
    return [page.locator(place).input_value() for place in places]


def try_the_judge(visitor: Visitor) -> list[str]:
    """Let the judge read the examples; whether it agrees on each, in the order of the form."""
    visitor.press("Try the judge on my examples")
    visitor.told("The trial waits for its turn.")
    worker_does_the_trial()
    table = visitor.page.get_by_role("table").filter(has_text="The judge agrees with you on")
    table.wait_for()
    return table.locator(".p-outc").all_inner_texts()


def send(visitor: Visitor) -> str:
    """Send the draft, and give the receipt that the page shows."""
    visitor.press("Send for review")
    visitor.told("Sent. Thank you.")
    return visitor.page.locator("#receipt .p-mono").inner_text()


def answer_requests(visitor: Visitor, *answers: str) -> None:
    """Say what was done about each request, and keep it."""
    for number, text in enumerate(answers, start=1):
        visitor.page.get_by_label(f"Your answer to request {number}").fill(text)
        visitor.page.locator(f"[name=request-{number}-done][value=changed]").check()
    visitor.press("Save")


def change_the_text(visitor: Visitor, **fields: str) -> None:
    """Go to the form from the requests, write these fields anew, and come back."""
    visitor.follow("Go to the field of request 1")
    for name, text in fields.items():
        visitor.page.locator(f"#{name}").fill(text)
    visitor.press("Save now")
    visitor.told("Saved.")
    visitor.follow("Go to the requests")


def marked_changes(visitor: Visitor) -> tuple[list[str], list[str]]:
    """What the page shows as struck through, and as underlined."""
    return visitor.page.locator("main del").all_inner_texts(), visitor.page.locator("main ins").all_inner_texts()
