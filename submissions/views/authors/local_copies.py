"""What the form tells a script about the copies it keeps on a device: whose they are, and when they are of no use."""

from typing import Any

from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from submissions.models import Submission

_SETTLED = "text_settled"


def local_key(user: Any) -> str:
    """A word that is the same for one account on every visit and tells nothing about it."""
    return salted_hmac("submissions.local-copy", str(user.pk)).hexdigest()[:16]


def note_settled(request: HttpRequest, submission: Submission) -> None:
    """The server has every word of this draft that was on the page: the device may forget its copy."""
    request.session[_SETTLED] = submission.public_id


def take_settled(request: HttpRequest, submission: Submission) -> bool:
    """Whether that was noted since the form was shown last."""
    if request.session.get(_SETTLED) != submission.public_id:
        return False
    del request.session[_SETTLED]
    return True
