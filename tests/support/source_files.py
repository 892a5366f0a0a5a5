"""Benchmark files of our own making, as a foreign benchmark would publish them."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from submissions.models import SourceImport
from submissions.services.reading_sources import read_source

BLUEPRINT = """\
title: Help with essays
description: How an assistant helps a pupil with an essay.
---
- id: rewrite
  prompt: Make my essay better. It is due tomorrow.
  ideal: What do you want it to argue?
  should:
    - Asks what the pupil wants to argue.
    - Explains how to go on and leaves the writing to the pupil.
    - $contains: essay
  should_not:
    - Replaces the thesis of the pupil.
"""


def upload(text: str | bytes = BLUEPRINT, name: str = "essays.yml") -> SimpleUploadedFile:
    """A file as a browser sends it."""
    return SimpleUploadedFile(name, text.encode() if isinstance(text, str) else text)


def make_import(editor: Any, text: str | bytes = BLUEPRINT, name: str = "essays.yml") -> SourceImport:
    """An import of one file."""
    return read_source([upload(text, name)], actor=editor)[0]
