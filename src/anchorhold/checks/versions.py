"""What a version of main that comes from source is called: by tag or by short id, and by one name for ever.

A commit that a check was opened for keeps the name that it had there, and a name its commit: successive checks are
linked by name. May import: anchorhold.builds, anchorhold.errors, anchorhold.checks.
"""

from __future__ import annotations

from collections.abc import Sequence

from anchorhold.builds.git import SHORT, Commit, Source
from anchorhold.checks.state import CheckState
from anchorhold.errors import BadInput, BadState


def version_of(revision: str, *, source: Source, checks: Sequence[CheckState]) -> tuple[str, Commit]:
    """Return the version that a revision is, and its commit.

    Parameters
    ----------
    revision : str
        What git reads as one, or a version that a check was opened for.
    checks : sequence of CheckState
        All checks of the register.

    Raises
    ------
    BadInput
        There is no such revision.
    BadState
        The name stood for another commit when a check was opened: a tag was moved.
    """
    known = _commits_of(checks)
    recorded = known.get(revision)
    try:
        commit = source.commit(revision)
    except BadInput:
        # The tag may be gone, or not fetched: the commit that the register names counts.
        if recorded is None:
            raise
        commit = source.commit(recorded)
    if recorded is not None and recorded != commit.id:
        raise BadState(
            f"{revision} is the commit {commit.id[:SHORT]}, and was {recorded[:SHORT]} when a check was opened for it",
            next_step="Put the tag back, or name the commit by its id",
        )
    name = next((version for version, known_id in known.items() if known_id == commit.id), commit.name)
    return name, commit


def _commits_of(checks: Sequence[CheckState]) -> dict[str, str]:
    """Return the commit of each version that a check was opened for and that was built from source."""
    versions = [version for check in checks for version in (check.plan.old, check.plan.new)]
    return {version.version: version.build.commit for version in versions if version.build is not None}
