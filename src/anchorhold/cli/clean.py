"""The one place where errors become a line and a status: ``fail_cleanly``.

A bug keeps its traceback; only AnchorholdError is caught. May import: anchorhold.errors.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from anchorhold.errors import AnchorholdError

P = ParamSpec("P")
T = TypeVar("T")


def fail_cleanly(command: Callable[P, T]) -> Callable[P, T]:
    """Wrap a command: an AnchorholdError becomes one line on stderr and its exit status."""

    @functools.wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return command(*args, **kwargs)
        except AnchorholdError as error:
            print(f"anchorhold: {error}", file=sys.stderr)
            raise SystemExit(error.exit_status) from error

    return wrapped
