"""The next version of a taxonomy: begun as a draft, changed act by act, adopted or discarded.

Published releases keep the version they were made with; judgments that are saved can be published again under the new
one, as a new release.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.db import transaction

from evaluation.models import Area, LabelRow, Placement, Subarea, Taxonomy, TaxonomyDraft
from evaluation.selectors.taxonomies import content_of, in_force
from evaluation.taxonomy_acts import Act, TaxonomyContent, applied, in_words
from impactbench.common.audit import record
from impactbench.common.errors import DomainError

MOST_ACTS = 500
LONGEST_TITLE = 200


def acts_of(draft: TaxonomyDraft) -> list[Act]:
    """The acts of a draft, in their order."""
    return [Act(**act) for act in draft.acts]


@transaction.atomic
def begin(*, actor: Any) -> TaxonomyDraft:
    """The draft of the next version of the taxonomy in force; the one that is there already, where there is one."""
    base = Taxonomy.objects.select_for_update().get(pk=in_force().pk)
    draft, is_new = TaxonomyDraft.objects.get_or_create(base=base)
    if is_new:
        record(actor=actor, action="taxonomy-begun", target=base)
    return draft


@transaction.atomic
def act(draft: TaxonomyDraft, wanted: Act, *, seen: int, actor: Any) -> str:
    """Adds an act to the draft and tells it in words; `seen` is how many the person saw.

    Raises DomainError for an act that cannot be done, and when somebody else changed the draft meanwhile.
    """
    draft = _held(draft, seen)
    if len(draft.acts) >= MOST_ACTS:
        raise DomainError(f"a draft takes at most {MOST_ACTS} changes; adopt this one and begin another")
    before = applied(content_of(draft.base), acts_of(draft))
    applied(before, [wanted])
    draft.acts = [*draft.acts, asdict(wanted)]
    draft.save(update_fields=["acts"])
    told = in_words(before, wanted)
    record(actor=actor, action="taxonomy-changed", target=draft.base, details={"act": told})
    return told


@transaction.atomic
def undo(draft: TaxonomyDraft, *, seen: int, actor: Any) -> str:
    """Takes the last act back and tells which it was. Raises DomainError when there is none."""
    draft = _held(draft, seen)
    if not draft.acts:
        raise DomainError("nothing was changed yet, so there is nothing to undo")
    *kept, last = acts_of(draft)
    told = in_words(applied(content_of(draft.base), kept), last)
    draft.acts = [asdict(each) for each in kept]
    draft.save(update_fields=["acts"])
    record(actor=actor, action="taxonomy-undone", target=draft.base, details={"act": told})
    return told


@transaction.atomic
def discard(draft: TaxonomyDraft, *, seen: int, actor: Any) -> None:
    """Deletes the draft; its acts stay in the audit trail."""
    draft = _held(draft, seen)
    record(actor=actor, action="taxonomy-discarded", target=draft.base, details={"acts": len(draft.acts)})
    draft.delete()


@transaction.atomic
def adopt(draft: TaxonomyDraft, *, title: str, seen: int, actor: Any) -> Taxonomy:
    """Makes the draft the version in force: a new taxonomy of the same slug with all placements and label rows.

    From now on metrics are placed in it and releases are published under it. Raises DomainError for a draft without
    changes or without a subarea, and for a title that is missing or too long.
    """
    draft = _held(draft, seen)
    title = " ".join(title.split())
    if not draft.acts:
        raise DomainError("nothing was changed yet, so there is nothing to adopt")
    if not 0 < len(title) <= LONGEST_TITLE:
        raise DomainError(f"give the new version a title of at most {LONGEST_TITLE} characters")
    base = draft.base
    content = applied(content_of(base), acts_of(draft))
    if not content.subareas:
        raise DomainError("a taxonomy without a subarea has no place for a metric; keep or add one")
    made = Taxonomy.objects.create(slug=base.slug, version=base.version + 1, title=title)
    _write(made, content)
    _copy_label_rows(base, made)
    record(actor=actor, action="taxonomy-adopted", target=made, details={"acts": len(draft.acts)})
    draft.delete()
    return made


def _held(draft: TaxonomyDraft, seen: int) -> TaxonomyDraft:
    """The draft, locked. Raises DomainError when it is gone or is not as the person saw it."""
    held = TaxonomyDraft.objects.select_for_update(of=("self",)).select_related("base").filter(pk=draft.pk).first()
    if held is None:
        raise DomainError("somebody adopted or discarded this draft meanwhile; reload the page")
    if len(held.acts) != seen:
        raise DomainError("somebody else changed this draft meanwhile; look at it as it is now, then try again")
    return held


def _write(taxonomy: Taxonomy, content: TaxonomyContent) -> None:
    placements = []
    for order, stated in enumerate(content.areas):
        area = Area.objects.create(taxonomy=taxonomy, slug=stated.slug, name=stated.name, order=order)
        for position, part in enumerate(stated.subareas):
            subarea = Subarea.objects.create(
                taxonomy=taxonomy,
                area=area,
                slug=part.slug,
                name=part.name,
                plain_name=part.plain_name,
                plain_sentence=part.plain_sentence,
                order=position,
            )
            placements += [Placement(metric_id=metric, subarea=subarea) for metric in sorted(part.metrics)]
    Placement.objects.bulk_create(placements)


def _copy_label_rows(base: Taxonomy, made: Taxonomy) -> None:
    for row in LabelRow.objects.filter(taxonomy=base).prefetch_related("metrics"):
        copied = LabelRow.objects.create(
            taxonomy=made,
            slug=row.slug,
            polarity=row.polarity,
            title=row.title,
            plain_sentence=row.plain_sentence,
            order=row.order,
        )
        copied.metrics.set(row.metrics.all())
