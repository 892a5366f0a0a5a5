"""Where a person is named outside of tables of their own: letters to others, sessions under way, mail kept as files."""

from __future__ import annotations

import re
from email import message_from_bytes
from pathlib import Path

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db.models import Q

from impactbench.accounts.models import User
from impactbench.accounts.naming import ERASED
from impactbench.accounts.organisations import all_addresses
from impactbench.common.defusing import defuse
from impactbench.common.models import OutgoingMail

FILES_OF_MAIL = "django.core.mail.backends.filebased.EmailBackend"
# What the library puts between two letters of one file.
_BETWEEN_LETTERS = re.compile(rb"^-{79}\n", re.MULTILINE)


def marks_of(user: User) -> list[str]:
    """What tells in a letter who it is, as typed and as letters write it, longest first."""
    plain = [user.name.strip(), *all_addresses(user)]
    return sorted({mark for word in plain if word for mark in (word, defuse(word))}, key=len, reverse=True)


def forget_letters(user: User) -> None:
    """Delete what was written to the person, and take their name and addresses out of letters to others."""
    OutgoingMail.objects.filter(Q(recipient=user) | Q(address__in=all_addresses(user))).delete()
    marks = marks_of(user)
    named = Q()
    for mark in marks:
        named |= Q(subject__icontains=mark) | Q(text__icontains=mark)
    for letter in OutgoingMail.objects.filter(named):
        letter.subject = _without(marks, letter.subject)[:300]
        letter.text = _without(marks, letter.text)
        letter.save(update_fields=["subject", "text"])


def end_sessions(user: User) -> int:
    """End every session of the person, and those in which somebody began to sign in or up with their address.

    Says how many there were.
    """
    addresses = all_addresses(user)
    ended = 0
    for row in Session.objects.all().iterator():
        held = row.get_decoded()
        words = str(held).lower()
        if held.get("_auth_user_id") == str(user.pk) or any(address in words for address in addresses):
            SessionStore(row.session_key).delete()
            ended += 1
    UserSession.objects.filter(user=user).delete()
    return ended


def forget_files_of_mail(marks: list[str]) -> None:
    """Where letters are written to files instead of being sent, take out those that hold one of the marks."""
    if settings.EMAIL_BACKEND != FILES_OF_MAIL:
        return
    wanted = [mark.lower().encode() for mark in marks]
    for path in Path(settings.EMAIL_FILE_PATH).glob("*.log"):
        letters = [letter for letter in _BETWEEN_LETTERS.split(path.read_bytes()) if letter]
        kept = [letter for letter in letters if not any(mark in _read(letter) for mark in wanted)]
        if not kept:
            path.unlink(missing_ok=True)
        elif len(kept) < len(letters):
            path.write_bytes(b"".join(letter + b"-" * 79 + b"\n" for letter in kept))


def _read(letter: bytes) -> bytes:
    """A letter as it lies in the file, and its text as it was before it was packed for sending."""
    text = message_from_bytes(letter).get_payload(decode=True)
    return (letter + (text if isinstance(text, bytes) else b"")).lower()


def _without(marks: list[str], text: str) -> str:
    pattern = "|".join(rf"(?<!\w){re.escape(mark)}(?!\w)" for mark in marks)
    return re.sub(pattern, ERASED, text, flags=re.IGNORECASE)
