"""Short names with a dash stay on one line; long ones may break, and none of them becomes markup."""

import pytest

from labels.templatetags.impactbench import unbroken


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Luna", "Luna"),
        ("GPT-5.1", '<span class="nb">GPT-5.1</span>'),
        ("Ages 6–17", 'Ages <span class="nb">6–17</span>'),
        ("a-name-that-is-longer-than-a-phone", "a-name-that-is-longer-than-a-phone"),
        ("<b>-x <i>", '<span class="nb">&lt;b&gt;-x</span> &lt;i&gt;'),
    ],
)
def test_name_is_kept_whole_where_it_is_short(name: str, shown: str) -> None:
    assert unbroken(name) == shown
