"""From settings to what checks work with.

May import: anchorhold.config, anchorhold.domain, anchorhold.checks.plan, anchorhold.errors, anchorhold.
"""

from __future__ import annotations

from anchorhold import __version__
from anchorhold.checks.plan import Plan
from anchorhold.config.record import Config
from anchorhold.domain.contract import Contract, edition, own_edition
from anchorhold.errors import BadInput


def plan_of(config: Config) -> Plan:
    """Return how the configured project measures."""
    return Plan(
        project=config.project,
        main=config.main,
        anchors=config.anchors,
        long=config.long,
        short=config.short,
        direct_pairs=config.direct_pairs,
        book=config.book,
        rules=config.rules,
        workers=config.workers,
        data=config.data,
        runner=f"anchorhold {__version__}",
        host_class=config.host_class,
    )


def contract_of(config: Config) -> Contract:
    """Return the configured contract edition.

    Raises
    ------
    BadInput
        An unknown edition, or a file that is not one.
    """
    if config.contract_file is None:
        return edition(config.contract_edition)
    where = str(config.contract_file)
    try:
        text = config.contract_file.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", where=where) from error
    except UnicodeDecodeError as error:
        raise BadInput(f"is not UTF-8 text: byte {error.start}", where=where) from error
    return own_edition(text, where=where)
