"""Citations name the release and its fingerprint, no day of access, and stay one piece whatever a title holds."""

from datetime import UTC, datetime

from evaluation.models import Conversation, LanguageModel, Profile, Release, Scenario
from labels.citing import conversation_citation, label_citation, release_citation, site_citation

RELEASE = Release(
    slug="2026-07", title="July 2026", published_at=datetime(2026, 7, 9, tzinfo=UTC), content_hash="ab" * 32
)


def test_site_citation_has_no_day_as_it_may_come_from_the_cache() -> None:
    found = site_citation("https://example.org/")

    assert found.apa == (
        "ImpactBench. (n.d.). ImpactBench: what AI models did to people in simulated conversations. "
        "Retrieved from https://example.org/"
    )


def test_release_citation_names_release_and_fingerprint() -> None:
    found = release_citation(RELEASE, "https://example.org/releases/2026-07/")

    assert found.apa == (
        "ImpactBench. (2026). ImpactBench: July 2026 [July 2026, release 2026-07, fingerprint abababababab]. "
        "Retrieved from https://example.org/releases/2026-07/"
    )
    assert f'commit: "{"ab" * 32}"' in found.cff.split("\n")


def test_label_citation_keeps_braces_and_lines_of_a_name_inside() -> None:
    model = LanguageModel(slug="x", name='Evil}\n, note = {x"\u202e\\')

    found = label_citation(RELEASE, model, "https://example.org/labels/x/")

    assert r"title = {{AI Nutrition Label of Evil\} , note = \{x" in found.bibtex
    assert found.bibtex.count("\n") == 6
    assert 'title: "AI Nutrition Label of Evil} , note = {x\\"[U+202E]\\\\"' in found.cff.split("\n")


def test_conversation_citation_names_model_and_user() -> None:
    shown = Conversation(
        public_id="abc", target=LanguageModel(name="Luna"), scenario=Scenario(profile=Profile(name="Teens 13–17"))
    )

    found = conversation_citation(RELEASE, shown, "A hard choice", "https://example.org/conversations/abc/")

    assert found.apa.startswith(
        "ImpactBench. (2026). A hard choice: conversation of Luna with a simulated user (Teens 13–17) [July 2026,"
    )
    assert found.bibtex.startswith("@misc{impactbench-conversation-abc,\n")
