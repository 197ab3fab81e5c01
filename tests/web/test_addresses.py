"""Addresses stay, are inside the site, and no two checks share one."""

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.web import addresses


@pytest.mark.parametrize(
    ("check", "page"),
    [
        ("check-3", "checks/check-3.html"),
        ("v1.2_a", "checks/v1.2_a.html"),
        ("Check-3", "checks/opened-9.html"),
        ("../../etc/passwd", "checks/opened-9.html"),
        ("opened-7", "checks/opened-9.html"),
        ("Prüfung 1", "checks/opened-9.html"),
        (".hidden", "checks/opened-9.html"),
        ("a" * 81, "checks/opened-9.html"),
    ],
)
def test_a_check_has_a_page_by_its_id_where_that_is_a_file_name_everywhere(check: str, page: str) -> None:
    assert addresses.check_page(check, 9) == page


@given(st.text(), st.integers(1, 99), st.text(), st.integers(1, 99))
def test_no_two_checks_share_a_page_even_where_case_does_not_matter(a: str, at: int, b: str, other: int) -> None:
    one, two = addresses.check_page(a, at), addresses.check_page(b, other)
    if a != b and at != other:
        assert one.lower() != two.lower()
    assert PurePosixPath(one).parent == PurePosixPath("checks")
    assert ".." not in one


def test_an_entry_keeps_its_page_when_the_register_grows() -> None:
    assert [addresses.entry(seq) for seq in (1, 100, 101)] == [
        "register/1.html#e1",
        "register/1.html#e100",
        "register/2.html#e101",
    ]
