"""Both language editions of a page say the same: commands, code, numbers, links and the structure of sections."""

import re
from collections import Counter
from pathlib import Path

import pytest

from docs.pages import DOCS, ROOT

PAIRS = {
    "README": (ROOT / "README.md", ROOT / "README.de.md"),
    "tutorial": (DOCS / "tutorial" / "first-check.md", DOCS / "de" / "first-check.md"),
    "rule": (DOCS / "explanation" / "rule.md", DOCS / "de" / "rule.md"),
}
# A figure of the text, such as 0.40, 27,000 or 95; not a part of a word or of a numbered heading.
NUMBER = re.compile(r"(?<![\w.,-])\d+(?:[.,]\d+)*(?![\w-])")
COMMENT = re.compile(r"^( {4}.*?)\s+# .*$", re.MULTILINE)


def text_of(path: Path) -> str:
    """The page without its comments in code and without the line that leads to the other language."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"^\*Deutsche Fassung von .*\n\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"(?:Auf Deutsch|In English): \[README[^ ]*", "", text)
    return COMMENT.sub(r"\1", text)


def code_of(path: Path) -> Counter[str]:
    """What stands in code: fenced, indented and between backquotes."""
    text = text_of(path)
    fenced = re.findall(r"^```[a-z]*\n.*?^```$", text, re.MULTILINE | re.DOTALL)
    rest = re.sub(r"^```[a-z]*\n.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    indented = re.findall(r"^ {4}(anchorhold .*|make .*)$", rest, re.MULTILINE)
    return Counter([*fenced, *indented, *re.findall(r"`([^`\n]+)`", rest)])


def numbers_of(path: Path) -> Counter[str]:
    text = re.sub(r"\]\([^)]*\)", "]", text_of(path))
    return Counter(NUMBER.findall(re.sub(r"`[^`\n]*`", "", text)))


def sections_of(path: Path) -> list[tuple[str, int, int, int]]:
    """For each section its heading's level, and how many list items, table rows and pictures it has."""
    parts = re.split(r"^(#+) .*$", text_of(path), flags=re.MULTILINE)[1:]
    return [
        (
            level,
            len(re.findall(r"^(?:\*|\d+\.) ", body, re.MULTILINE)),
            len(re.findall(r"^\|", body, re.MULTILINE)),
            body.count("!["),
        )
        for level, body in zip(parts[::2], parts[1::2], strict=True)
    ]


def targets_of(path: Path) -> Counter[str]:
    """Where links lead, a German page standing for the English one."""
    german = {german.resolve(): english.resolve() for english, german in PAIRS.values()}
    found = []
    for target in re.findall(r"\]\(([^)]+)\)", text_of(path)):
        place = (path.parent / target).resolve()
        found.append(str(german.get(place, place).relative_to(ROOT)))
    return Counter(found)


@pytest.mark.parametrize("name", PAIRS)
def test_both_editions_have_the_same_sections(name: str) -> None:
    english, german = PAIRS[name]
    assert sections_of(german) == sections_of(english)


@pytest.mark.parametrize("name", PAIRS)
def test_both_editions_have_the_same_commands_and_code(name: str) -> None:
    english, german = PAIRS[name]
    assert code_of(german) == code_of(english)


@pytest.mark.parametrize("name", PAIRS)
def test_both_editions_have_the_same_numbers(name: str) -> None:
    english, german = PAIRS[name]
    assert numbers_of(german) == numbers_of(english)


@pytest.mark.parametrize("name", PAIRS)
def test_both_editions_lead_to_the_same_places(name: str) -> None:
    english, german = PAIRS[name]
    assert targets_of(german) == targets_of(english)
