"""What an import command was given: files, standard input, archives and addresses, as texts with their names.

May import: anchorhold.errors, anchorhold.importers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from anchorhold.errors import BadInput


def texts_of(arguments: Sequence[str], *, urls: Callable[[str], Sequence[str]] | None = None) -> list[tuple[str, str]]:
    """Return source and text of every input.

    Parameters
    ----------
    urls : callable, optional
        The addresses that an address stands for; without it, addresses are refused.

    Raises
    ------
    BadInput
        An input that cannot be read or fetched, or is too large for a document.
    """
    from anchorhold.importers.documents import LARGEST_DOCUMENT
    from anchorhold.importers.fetching import fetched, is_url
    from anchorhold.importers.sources import plain_files

    texts = []
    for argument in arguments:
        if is_url(argument):
            if urls is None:
                raise BadInput("this input is read from files and standard input only", where=argument)
            texts += [(url, _text(fetched(url))) for url in urls(argument)]
            continue
        with plain_files(argument) as files:
            for file in files:
                if file.path.stat().st_size > LARGEST_DOCUMENT:
                    raise BadInput(f"has more than {LARGEST_DOCUMENT} bytes", where=file.name)
                texts.append((file.name, _text(file.path.read_bytes())))
    return texts


def _text(data: bytes) -> str:
    """Decode UTF-8; a byte that is none becomes a sign, for a foreign letter in a name must not lose a result."""
    return data.decode("utf-8-sig", "replace")
