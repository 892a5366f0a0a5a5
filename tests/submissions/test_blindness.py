"""Nobody reads more of a submission than the table says, wherever they look: pages, files, exports, API, letters.

A submission goes through everything (`tests.support.whole_story`) in words that stand nowhere else. At each stage
everybody fetches every address there is, and the words found are compared with `READERS`, by equality.
"""

import logging
from pathlib import Path
from typing import Any

import pytest

from impactbench.common.models import AuditEvent, OutgoingMail
from tests.submissions.access.matrix import quiet
from tests.submissions.access.people_and_states import client_of
from tests.support.reading import letters_to, near_addresses, other_addresses, read_all
from tests.support.thorough import THOROUGH
from tests.support.whole_story import IDENTITIES, STAGES, Story, begin_story

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.fuzz]

AUTHORS, EDITORS = "owner, co-author", "editor, second editor"
REVIEWERS = "first reviewer, second reviewer, early reviewer"
# The stages as letters: d draft, r reviewing (round 1), c changes asked for, w a decision waits (round 2), a approved,
# p published. Each word may be read by these people, in these stages, and by nobody else in no other.
LETTERS = {"draft": "d", "reviewing": "r", "changes": "c", "waiting": "w", "approved": "a", "published": "p"}
EVERYBODY = ", ".join(("anonymous", *IDENTITIES))
_SENT = {AUTHORS: "drcwap", REVIEWERS: "rcwap", EDITORS: "rcwap"}
READERS: dict[str, dict[str, str]] = {
    # Who is who; one's own name is left out.
    "zqowner": {"co-author": "drcwap", EDITORS: "rcwap"},
    "zqcoauthor": {"owner": "drcwap", EDITORS: "rcwap"},
    "zqnemesis": {AUTHORS: "drcwap", EDITORS: "rcwap"},
    "zqfilename": {AUTHORS: "drcwap", EDITORS: "rcwap"},
    "zqfirst": {EDITORS: "rcwap"},
    "zqsecond": {EDITORS: "rcwap"},
    "zqearly": {EDITORS: "rcwap"},
    "zqdeclined": {EDITORS: "rcwap"},
    "zqconflict": {EDITORS: "rcwap"},
    "zqshut": {EDITORS: "rcwap"},
    # Two who can be chosen as reviewers while a round is open; the first was asked in round 2.
    "zqinvited": {EDITORS: "rwap"},
    "zqreader": {EDITORS: "rw"},
    "zqeditor": {"second editor": "rcwap"},
    "zqpublisher": {"editor": "rcwap"},
    "zqoperator": {},
    # The text. Who is asked reads its first sentence; letters and own data keep the title of who was once asked.
    "zqtitle": {
        AUTHORS: "drcwa",
        REVIEWERS: "rcwa",
        EDITORS: "rcwa",
        "declined, conflicted": "rcwa",
        "invited": "wa",
        EVERYBODY: "p",
    },
    "zqabandoned": {AUTHORS: "drcwap"},
    "zqtrialone": {AUTHORS: "drcwap"},
    "zqversionone": _SENT,
    "zqversiontwo": {AUTHORS: "cwap", REVIEWERS: "wap", EDITORS: "wap", "invited": "w", "anonymous": "p"},
    "zqfilecontent": _SENT,
    # Of a draft, editors learn only that it asks for more time, and why.
    "zqillness": {EDITORS: "dc", "second reviewer, shut-out editor": "d"},
    # Reviews: of others once one's own of that round is sent, for authors once the letter is out; remarks never.
    "zqreviewone": {
        "first reviewer, early reviewer": "rcwap",
        "second reviewer": "cwap",
        EDITORS: "rcwap",
        AUTHORS: "cwap",
    },
    "zqreviewearly": {
        "first reviewer, early reviewer": "rcwap",
        "second reviewer": "cwap",
        EDITORS: "rcwap",
        AUTHORS: "cwap",
    },
    "zqreviewtwo": {
        "second reviewer": "rcwap",
        "first reviewer, early reviewer": "cwap",
        EDITORS: "cwap",
        AUTHORS: "cwap",
    },
    "zqreviewagain": {"second reviewer": "wap", EDITORS: "wap", AUTHORS: "ap"},
    "zqprivateone": {"first reviewer": "rcwap", EDITORS: "rcwap"},
    "zqprivatetwo": {"second reviewer": "rcwap", EDITORS: "cwap"},
    "zqprivateearly": {"early reviewer": "rcwap", EDITORS: "rcwap"},
    "zqprivateagain": {"second reviewer": "wap", EDITORS: "wap"},
    # The discussion: what is for reviewers opens with one's own review of the newest round.
    "zqauthoreditors": {"owner": "rcwap", EDITORS: "rcwap"},
    "zqauthorall": {AUTHORS: "rcwap", REVIEWERS: "rcwap", EDITORS: "rcwap"},
    "zqrevieweditors": {"first reviewer": "rcwap", EDITORS: "rcwap"},
    "zqreviewreviewers": {
        "first reviewer": "rcwap",
        "early reviewer": "rc",
        "second reviewer": "cwap",
        EDITORS: "rcwap",
    },
    "zqreviewall": {AUTHORS: "rcwap", REVIEWERS: "rcwap", EDITORS: "rcwap"},
    "zqamongeditors": {EDITORS: "rcwap"},
    "zqtoauthor": {AUTHORS: "rcwap", EDITORS: "rcwap"},
    "zqtoseat": {"first reviewer": "rcwap", EDITORS: "rcwap"},
    "zqtoreviewers": {"first reviewer, early reviewer": "rc", "second reviewer": "cwap", EDITORS: "rcwap"},
    # Decisions: nothing before the letter; answers are a draft until they are sent.
    "zqsubject": {AUTHORS: "cwap", EDITORS: "cwap"},
    "zqletter": {AUTHORS: "cwap", EDITORS: "cwap"},
    "zqrequest": {AUTHORS: "cwap", EDITORS: "cwap", REVIEWERS: "wap"},
    "zqanswer": {AUTHORS: "cwap", EDITORS: "wap", REVIEWERS: "wap"},
    "zqapprovalletter": {AUTHORS: "ap", EDITORS: "wap"},
    "zqmetric": {EDITORS: "wa", EVERYBODY: "p"},
    # Reasons why somebody keeps out.
    "zqbusy": {EDITORS: "rcwap"},
    "zqfamily": {"conflicted": "rcwap", EDITORS: "rcwap"},
    "zqnoted": {EDITORS: "rcwap"},
    # What readers say: shown after an editor has read it, kept with what its writer takes along.
    "zqshownvoice": {EVERYBODY: "p"},
    "zqwaitingvoice": {EDITORS: "p", "second reviewer": "p", "other expert": "p"},
    "zqrefusedvoice": {"other expert": "p"},
}
# Where words change hands; all stages, and everybody in them, are looked at by `make fuzz`. In a draft those look who
# may read something and those who are nearest to it, and few can be refused a form that holds words of others.
LOOKED_AT = tuple(LETTERS) if THOROUGH else ("draft", "reviewing", "waiting", "published")
NEAREST = ("anonymous", "shut-out editor", "other reviewer")
REFUSED = ("anonymous", "owner", "first reviewer", "second reviewer", "invited", "other reviewer", "second editor")
# Who looks at everything else of the site as well, once there is something: nobody, and an author with every role.
LOOK_EVERYWHERE = ("anonymous", "co-author")


@pytest.fixture
def story(settings: Any, tmp_path: Path) -> Story:
    settings.PRIVATE_FILES = tmp_path
    return begin_story()


def allowed(word: str, stage: str) -> set[str]:
    """Who may read the word at the stage."""
    return {who for people, stages in READERS[word].items() for who in people.split(", ") if LETTERS[stage] in stages}


def looking(stage: str) -> list[str]:
    """Who looks at all that there is at the stage."""
    reading = {who for word in READERS for who in allowed(word, stage)}
    everybody = ["anonymous", *IDENTITIES]
    return [who for who in everybody if THOROUGH or stage != "draft" or who in reading or who in NEAREST]


def everything_read(story: Story, who: str) -> str:
    """All that this person can read, as one text."""
    person = story.people.get(who)
    client = client_of(person)
    near = near_addresses(story)
    texts = [*read_all(client, "get", near)]
    if story.stage == "waiting" and (THOROUGH or who in REFUSED):
        # A refused form comes back as a page.
        texts += read_all(client, "post", [place for place in near if "?" not in place[1]])
    if story.stage == "published" and who in LOOK_EVERYWHERE:
        texts += read_all(client, "get", other_addresses(story))
    return "\n".join([*texts, letters_to(person) if person else ""])


@pytest.mark.parametrize("stage", LOOKED_AT)
def test_everybody_reads_what_the_table_says(story: Story, stage: str) -> None:
    story.go_on_to(stage)
    people = looking(stage)
    found: dict[str, set[str]] = {word: set() for word in READERS}

    with quiet():
        for who in people:
            text = everything_read(story, who)
            for word in READERS:
                # One's own name is no secret.
                if word in text and not (who in IDENTITIES and word in IDENTITIES[who][1]):
                    found[word].add(who)

    assert found == {word: allowed(word, stage) & set(people) for word in READERS}


def test_trail_and_log_name_nobody(story: Story, caplog: pytest.LogCaptureFixture) -> None:
    """Audit events stay when a person is erased, and logs go where no rule of the portal holds."""
    with caplog.at_level(logging.DEBUG, logger="impactbench"):
        story.go_on_to(STAGES[-1])

    trail = "\n".join(f"{one.actor_name} {one.target_name} {one.details}" for one in AuditEvent.objects.all()).lower()
    kept = "\n".join(mail.last_error for mail in OutgoingMail.objects.all())
    log = "\n".join(record.getMessage() for record in caplog.records).lower()

    # The ids of what was made are public names.
    assert "zq" not in trail.replace("zqbenchmark/zqmetric", "")
    assert [word for word in READERS if word in log + kept] == []
    assert AuditEvent.objects.count() > 30


def test_letters_name_authors_and_reviewers_to_editors_alone(story: Story) -> None:
    """A letter to an author holds no reviewer's name, a letter to a reviewer no author's, and neither an editor's."""
    story.go_on_to(STAGES[-1])
    hidden = {
        "owner": set(IDENTITIES) - {"owner", "co-author"},
        "co-author": set(IDENTITIES) - {"owner", "co-author"},
        **{who: set(IDENTITIES) - {who} for who in IDENTITIES if "reviewer" in who or who in ("invited", "declined")},
    }

    told = {
        (who, other)
        for who, others in hidden.items()
        for other in others
        if IDENTITIES[other][0].split()[1].lower() in letters_to(story.people[who])
    }

    assert told == set()
