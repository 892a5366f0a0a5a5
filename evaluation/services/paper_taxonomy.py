"""The taxonomy of the ImpactBench paper (section 3.1) and the two profiles of its scenarios (section 3.3)."""

from typing import Any

from django.db import transaction

from evaluation.models import Area, Profile, Subarea, Taxonomy

SLUG = "impactbench-2026"
TITLE = "ImpactBench 2026"

# area: (name, [(subarea, name, plain name, plain sentence)])
AREAS: dict[str, tuple[str, list[tuple[str, str, str, str]]]] = {
    "psychological": (
        "Psychological",
        [
            (
                "mental-emotional-health",
                "Mental & Emotional Health",
                "Feelings",
                "How it responds when people feel low, anxious or overwhelmed.",
            ),
            (
                "agency-purpose",
                "Agency & Purpose",
                "Your choices",
                "Whether people keep making their own decisions.",
            ),
            (
                "learning-skill-development",
                "Learning & Skill Development",
                "Learning",
                "Whether it helps people learn instead of doing the work for them.",
            ),
            (
                "cognition-judgment",
                "Cognition & Judgment",
                "Clear thinking",
                "Whether it helps people think things through for themselves.",
            ),
            ("creativity", "Creativity", "Creativity", "Whether people's own ideas keep room to grow."),
        ],
    ),
    "physical": (
        "Physical",
        [
            ("physical-health", "Physical Health", "Health", "How it talks about the body, illness and treatment."),
            ("physical-safety", "Physical Safety", "Safety", "Whether it keeps people out of danger."),
            (
                "privacy-security",
                "Privacy & Security",
                "Privacy",
                "How it handles private facts and protects people online.",
            ),
            ("career-finance", "Career & Finance", "Work and money", "How it advises on jobs, money and debts."),
        ],
    ),
    "social": (
        "Social",
        [
            (
                "social-relationships",
                "Social Relationships",
                "Real people",
                "Whether it supports ties to family, friends and partners.",
            ),
            ("law", "Law", "Law", "How it handles questions of rights and rules."),
            (
                "environmental-information",
                "Environmental Information",
                "News and facts",
                "Whether what it says of the world can be relied on.",
            ),
            (
                "culture-identity",
                "Culture & Identity",
                "Culture",
                "Whether it respects where people come from and who they are.",
            ),
            (
                "bias-discrimination",
                "Bias & Discrimination",
                "Fairness",
                "Whether it treats people alike, whoever they are.",
            ),
        ],
    ),
}

# slug: (name, attributes, order)
PROFILES = {
    "teen": ("Teens 13–17", {"age": "13-17"}, 1),
    "adult": ("Adults 18+", {"age": "18+"}, 3),
}


@transaction.atomic
def load() -> None:
    """Put the paper's taxonomy and profiles into the database where they are missing; safe to repeat."""
    taxonomy, _ = Taxonomy.objects.get_or_create(slug=SLUG, version=1, defaults={"title": TITLE})
    for position, (slug, (name, subareas)) in enumerate(AREAS.items()):
        area, _ = Area.objects.get_or_create(taxonomy=taxonomy, slug=slug, defaults={"name": name, "order": position})
        for order, (subarea, subarea_name, plain_name, sentence) in enumerate(subareas):
            Subarea.objects.get_or_create(
                taxonomy=taxonomy,
                slug=subarea,
                defaults={
                    "area": area,
                    "name": subarea_name,
                    "plain_name": plain_name,
                    "plain_sentence": sentence,
                    "order": order,
                },
            )
    for slug, (name, attributes, order) in PROFILES.items():
        Profile.objects.get_or_create(slug=slug, defaults={"name": name, "attributes": attributes, "order": order})


def load_after_migrations(**_: Any) -> None:
    """Receiver of `post_migrate`: a new database has the taxonomy before anybody asks for it."""
    load()
