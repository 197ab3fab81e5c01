"""Who plays the pairs of a command: worker processes of this machine, or a Dask cluster.

May import: anchorhold.errors, anchorhold.matches.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anchorhold.matches.runner import Play
    from anchorhold.matches.worker_process import Recruits


def player(
    address: str | None, *, workers: int, cores: Sequence[Sequence[int]] = (), recruits: Recruits | None = None
) -> Play:
    """Return who plays.

    Parameters
    ----------
    address : str, optional
        Of a Dask scheduler; None: this machine plays.
    workers, cores, recruits
        Of this machine, see ``runner.run``; a cluster has its own.

    Raises
    ------
    BadInput
        Dask is asked for, and is not installed.
    """
    if address is None:
        from anchorhold.matches.runner import run

        return partial(run, workers=workers, cores=cores, recruits=recruits)
    from anchorhold.errors import BadInput, install_line

    try:
        from anchorhold.matches import cluster
    except ModuleNotFoundError as error:
        if error.name not in ("dask", "distributed"):
            raise
        raise BadInput(
            "--dask needs Dask", next_step=f"Install it, in a clone of anchorhold: {install_line('dask')}"
        ) from error
    return partial(cluster.run, address=address, on_notice=_notice)


def _notice(what: str) -> None:
    print(f"anchorhold: {what}", file=sys.stderr)
