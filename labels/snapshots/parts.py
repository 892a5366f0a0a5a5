"""The tables of a release: the same items that the lists of the REST API give, one after the other."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework.serializers import Serializer

from evaluation.models import Release
from impactbench.common.groups import in_groups
from impactbench.common.prepared import PreparedRows
from labels.api.base import ItemList
from labels.api.parameters import RELEASE
from labels.api.views.conversations import ConversationList, WholeConversationSerializer, with_turns
from labels.api.views.judgments import JudgmentList
from labels.api.views.metrics import MetricList
from labels.api.views.models import ModelList
from labels.api.views.results import ResultList
from labels.api.views.scenarios import ScenarioList
from labels.snapshots.columns import Column, columns_of

# So many rows are in memory at a time.
AT_A_TIME = 500


@dataclass(frozen=True)
class Part:
    """One table: the list of the API that it is, and what is in it in a sentence."""

    name: str
    view: type[ItemList]
    explanation: str | Promise
    # What tells more of each item than the list does, and what makes rows of many at once such items.
    whole: type[Serializer] | None = None
    completed: Callable[[list[Any]], Iterable[Any]] = iter

    def columns(self) -> tuple[Column, ...]:
        """The columns of its rows."""
        return columns_of(self._serializer({}))

    def rows(self, release: Release, **filters: str) -> Iterator[dict[str, Any]]:
        """The rows of the release, in a fixed order, without holding them all in memory.

        `filters` are parameters that the list of the API knows, such as `model`.
        """
        view = view_of(self.view, release, **filters)
        serializer = self._serializer(view.get_serializer_context())
        for together in in_groups(self._found(view.get_queryset()), AT_A_TIME):
            for item in self.completed(together):
                yield dict(serializer.to_representation(item))

    def _found(self, items: PreparedRows | QuerySet[Any]) -> Iterator[Any]:
        by = self.view.ordering
        if isinstance(items, PreparedRows):
            return items.iterator(by, AT_A_TIME)
        return items.order_by(by).iterator(chunk_size=AT_A_TIME)

    def _serializer(self, context: dict[str, Any]) -> Any:
        return (self.whole or self.view.serializer_class)(context=context)  # type: ignore[misc]


PARTS = {
    part.name: part
    for part in (
        Part("results", ResultList, _("Rates with counts and ranges, by group, model, kind and who was asking.")),
        Part("judgments", JudgmentList, _("What judges said of each conversation, with reason and quotations.")),
        Part(
            "conversations", ConversationList, _("What simulated users and models said to each other, turn by turn."),
            WholeConversationSerializer, with_turns,
        ),
        Part("metrics", MetricList, _("What was measured, in the wording that the judge read.")),
        Part("scenarios", ScenarioList, _("The situations that the conversations were held in.")),
        Part("models", ModelList, _("The models that were tested, as they were called.")),
    )
}  # fmt: skip


def view_of(view_class: type[ItemList], release: Release, **filters: str) -> Any:
    """The view as a request for that release would make it; typed loosely, for it never sees a request."""
    view: Any = view_class()
    view.request, view.format_kwarg, view.kwargs = None, None, {}
    view.values = {RELEASE.name: release.slug, **filters}
    view.release = release
    return view
