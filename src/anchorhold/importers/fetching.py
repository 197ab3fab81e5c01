"""One text from the web: http or https, with limits on time and size, every failure one line.

May import: httpx, anchorhold.errors.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from anchorhold.errors import BadInput

LARGEST = 256 * 1024**2
"""Bytes of one answer."""
SECONDS = 30.0
MOST_REDIRECTS = 5


def is_url(argument: str) -> bool:
    """Whether an argument names something on the web rather than a file."""
    return "://" in argument


def fetched(url: str, *, seconds: float = SECONDS, largest: int = LARGEST) -> bytes:
    """Return what a URL gives.

    Raises
    ------
    BadInput
        Another scheme than http and https, no answer in time, a status other than 200, or too large an answer.
    """
    import httpx

    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput("not an http or https address", where=url)
    try:
        client = httpx.Client(follow_redirects=True, timeout=seconds, max_redirects=MOST_REDIRECTS)
        with client, client.stream("GET", url) as answer:
            if answer.status_code != 200:
                raise BadInput(f"answers with status {answer.status_code} {answer.reason_phrase}".rstrip(), where=url)
            data = bytearray()
            for block in answer.iter_bytes():
                data += block
                if len(data) > largest:
                    raise BadInput(f"answers with more than {largest} bytes", where=url)
            return bytes(data)
    except httpx.TimeoutException as error:
        raise BadInput(f"gives no answer within {seconds:g} seconds", where=url) from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise BadInput(f"cannot be fetched: {str(error) or type(error).__name__}", where=url) from error
