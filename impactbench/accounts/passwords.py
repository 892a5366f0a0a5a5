"""What passwords may not be made of: words that somebody who guesses at this site tries first."""

from __future__ import annotations

import re
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

# docs/accounts.md names them. A password may hold one, if enough of it is something else.
WORDS_OF_THE_SITE = (
    *("impactbench", "impact", "bench", "nutrition", "label", "benchmark", "metric"),
    *("expert", "reviewer", "editor", "operator"),
)
LEAST_OF_ONES_OWN = 8
_WORDS = re.compile("|".join(sorted(WORDS_OF_THE_SITE, key=len, reverse=True)))


class WordsOfTheSite:
    """Refuses a password that has fewer than 8 letters and digits beside words of the site."""

    def validate(self, password: str, user: Any = None) -> None:  # noqa: ARG002  (Django hands it in)
        """Raise ValidationError for one that is made of such words."""
        own = re.sub(r"[\W_]", "", _WORDS.sub("", password.lower()))
        if len(own) < LEAST_OF_ONES_OWN and _WORDS.search(password.lower()):
            raise ValidationError(self.get_help_text(), code="words_of_the_site")

    def get_help_text(self) -> str:
        """What to do instead, in one sentence."""
        return _("Use other words than those of this site, such as ImpactBench, metric or reviewer.")
