"""What the template of the label card needs beside the label itself: its address and the code that leads there."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse

from evaluation.models import LanguageModel
from impactbench.common.qr import qr_path
from labels.addresses import public_url, query_string
from labels.context import State
from labels.label import Label, judge_name, read_label, simulator_name


@dataclass(frozen=True)
class Card:
    """A label with its place on the web."""

    label: Label
    path: str
    address: str
    qr_size: int
    qr_path: str
    judge: str
    simulator: str

    @property
    def shown_address(self) -> list[str]:
        """The address without its scheme, in pieces between which a line may break."""
        parts = self.address.split("://", 1)[-1].split("/")
        return [f"{part}/" for part in parts[:-1]] + parts[-1:]


def card(request: HttpRequest, state: State, model: LanguageModel) -> Card:
    """The card of a model in the shown release; its address names the release, so that a printed code stays true."""
    if state.release is None:
        raise ValueError("There is no label without a release.")
    label = read_label(state.release, model, profiles=state.profiles, profile=state.result_profile)
    path = reverse("labels:label", args=[model.slug])
    address = public_url(request, path + query_string({"release": state.release.slug}))
    return Card(label, path, address, *qr_path(address), judge_name(state.release), simulator_name(state.release))
