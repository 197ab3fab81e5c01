"""Every message that a reader may see, as it stands in code and templates."""

from pathlib import Path

from babel.messages.extract import extract_from_dir

from anchorhold.law.codes import DEFECTS, GAPS, NOTES

SOURCE = Path(__file__).parents[2] / "src" / "anchorhold"
KEYWORDS = {"_": None, "gettext": None, "mark": None, "ngettext": (1, 2), "Sentence": None, "say": None}
BELOW = ("report", "gate", "hooks", "checks")
"""Rooms whose sentences stand in the report's catalogue: those beside it, and below."""


def messages_of(*rooms: str) -> set[str | tuple[str, ...]]:
    """Return those of some rooms; a message by number is a pair."""
    found: set[str | tuple[str, ...]] = set()
    for room in rooms:
        for _, _, message, _, _ in extract_from_dir(
            SOURCE / room, method_map=[("**.py", "python"), ("**.j2", "jinja2")], keywords=KEYWORDS, comment_tags=()
        ):
            found.add(message if isinstance(message, str) else tuple(message))
    return found


def messages() -> set[str | tuple[str, ...]]:
    """Return those of the report's catalogue."""
    return messages_of(*BELOW) | set(DEFECTS.values()) | set(GAPS.values()) | set(NOTES.values())
