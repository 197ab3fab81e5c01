"""Packed bytes come back as they were, and say so when they are not whole."""

import bz2
import gzip
import io
import lzma
from collections.abc import Callable

import pytest
import zstandard

from anchorhold.unpacking import DAMAGED, HEAD, is_zip, unpacking

TEXT = b"1. e4 e5 2. Nf3 Nc6 " * 5000
PACKERS = pytest.mark.parametrize(
    "pack",
    [gzip.compress, bz2.compress, lzma.compress, zstandard.ZstdCompressor().compress],
    ids=["gz", "bz2", "xz", "zst"],
)
Pack = Callable[[bytes], bytes]


def unpacked(packed: bytes) -> bytes:
    stream = unpacking(packed[:HEAD], io.BytesIO(packed))
    assert stream is not None
    return b"".join(iter(lambda: stream.read(1000), b""))


@PACKERS
def test_what_is_packed_comes_back_from_several_parts_too(pack: Pack) -> None:
    assert unpacked(pack(TEXT)) == TEXT
    assert unpacked(pack(TEXT) + pack(b"more")) == TEXT + b"more"


@PACKERS
def test_what_breaks_off_is_told(pack: Pack) -> None:
    with pytest.raises(DAMAGED):
        unpacked(pack(TEXT)[:-10])


def test_what_is_not_packed_is_left_alone() -> None:
    assert unpacking(TEXT[:HEAD], io.BytesIO(TEXT)) is None
    assert is_zip(b"PK\x03\x04\0\0")
    assert not is_zip(TEXT[:HEAD])
