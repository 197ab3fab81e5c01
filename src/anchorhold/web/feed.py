"""The feed of a site: every check that ended, every release and every contract edition, as Atom (RFC 4287).

An entry's id follows from the hash of its register entry, so it never changes. May import: anchorhold.domain,
anchorhold.report.texts, anchorhold.web.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from anchorhold.domain.entries import Entry
from anchorhold.report.texts import Texts
from anchorhold.report.words import KIND_NAMES
from anchorhold.web import addresses
from anchorhold.web.entries import summary
from anchorhold.web.overview import Overview

KINDS = ("check_closed", "check_abandoned", "release", "contract")
MOST = 50


def atom(entries: Sequence[Entry], overview: Overview, texts: Texts, *, base: str | None = None) -> str:
    """Write the newest entries of the feed, newest first.

    Parameters
    ----------
    base : str, optional
        Address at which this language's pages will stand, with its slash; without one, links are relative to the feed.
    """
    _ = texts.gettext
    name = overview.project or "anchorhold"
    pages = {check.closed_seq: check.page for check in overview.checks if check.closed_seq is not None}
    chosen = [entry for entry in entries if entry.kind in KINDS][-MOST:][::-1]
    title = _("{project}: checks", project=name)
    genesis = entries[0].hash if entries else ""
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{texts.language}">',
        f"<title>{escape(_readable(title))}</title>",
        f"<id>{_urn(genesis + texts.language)}</id>",
        f"<updated>{escape(overview.updated or '1970-01-01T00:00:00Z')}</updated>",
        f"<author><name>{escape(_readable(name))}</name></author>",
        f'<link rel="alternate" type="text/html" href={quoteattr((base or "") + "index.html")}/>',
    ]
    if base:
        lines.append(f'<link rel="self" type="application/atom+xml" href={quoteattr(base + "feed.xml")}/>')
    for entry in chosen:
        page = pages.get(entry.seq) or addresses.entry(entry.seq)
        said = f"{_(KIND_NAMES[entry.kind])}: {summary(entry, texts)}"
        lines += [
            "<entry>",
            f"<title>{escape(_readable(said))}</title>",
            f"<id>{_urn(entry.hash)}</id>",
            f"<updated>{escape(entry.recorded_at)}</updated>",
            f"<author><name>{escape(_readable(entry.author))}</name></author>",
            f'<link rel="alternate" type="text/html" href={quoteattr((base or "") + page)}/>',
            f"<summary>{escape(_readable(said))}</summary>",
            "</entry>",
        ]
    return "\n".join([*lines, "</feed>", ""])


def _urn(text: str) -> str:
    return uuid.uuid5(uuid.NAMESPACE_OID, text).urn


def _readable(text: str) -> str:
    """Text that XML can hold: control characters, which a stranger may have written, are shown as such."""
    return "".join(letter if letter.isprintable() or letter == " " else "\N{REPLACEMENT CHARACTER}" for letter in text)
