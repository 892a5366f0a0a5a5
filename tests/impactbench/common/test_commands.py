"""What every command refuses before it begins."""

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError


def test_argument_that_is_no_text_is_refused_in_one_line() -> None:
    with pytest.raises(CommandError, match=r"^reason is not UTF-8 text; write it in UTF-8$") as refused:
        call_command("retract_release", "r", reason="mixed \udcff")

    assert refused.value.returncode == 2
