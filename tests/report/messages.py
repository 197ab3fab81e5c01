"""Every message that a reader may see, as it stands in code and templates."""

from pathlib import Path

from babel.messages.extract import extract_from_dir

from anchorhold.law.codes import DEFECTS, GAPS, NOTES

REPORT = Path(__file__).parents[2] / "src" / "anchorhold" / "report"
KEYWORDS = {"_": None, "gettext": None, "mark": None, "ngettext": (1, 2)}


def messages() -> set[str | tuple[str, ...]]:
    """All of them; a message by number is a pair."""
    found: set[str | tuple[str, ...]] = set()
    for _, _, message, _, _ in extract_from_dir(
        REPORT, method_map=[("**.py", "python"), ("**.j2", "jinja2")], keywords=KEYWORDS, comment_tags=()
    ):
        found.add(message if isinstance(message, str) else tuple(message))
    return found | set(DEFECTS.values()) | set(GAPS.values()) | set(NOTES.values())
