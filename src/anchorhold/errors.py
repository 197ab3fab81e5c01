"""What can go wrong by input, state or machine: one base class, one line per error.

A message says what is wrong, where, what was expected and what to do next; the parts stay on the
exception. Only the command line catches these (``cli.clean.fail_cleanly``). May import: nothing.
"""

from __future__ import annotations


class AnchorholdError(Exception):
    """Anything that a user can mend.

    Parameters
    ----------
    what : str
        What is wrong, with the value that was found.
    where : str
        File, place in a document, engine, entry; empty when there is no place.
    next_step : str
        What to do about it; empty when the message says it already.
    """

    exit_status = 2

    def __init__(self, what: str, *, where: str = "", next_step: str = "") -> None:
        self.what = what
        self.where = where
        self.next_step = next_step
        text = f"{where}: {what}" if where else what
        super().__init__(f"{text}. {next_step}" if next_step else text)


def install_line(part: str) -> str:
    """Return the line that brings an optional part of the package, such as ``web``."""
    return f"pip install -c constraints.txt '.[{part}]'"


class BadInput(AnchorholdError):
    """A file, document, option or configuration that cannot be read as what it should be."""


class BadState(AnchorholdError):
    """A step that the present state of a check or register does not allow."""


class RegisterBroken(AnchorholdError):
    """The register's chain, numbering or stored figures do not hold."""

    exit_status = 4


class MatchStopped(AnchorholdError):
    """A match that cannot go on: an engine that never starts, or fails too often in a row."""
