"""The allowed-signers file: whose keys may release a HALT, in OpenSSH's form.

OpenSSH passes over lines that it cannot read; a misspelt line would so take a reviewer's key away, or its time limit,
without a word. Here one such line makes the whole file void. Source: ssh-keygen(1), ALLOWED SIGNERS.
May import: anchorhold.domain.sentences.
"""

from __future__ import annotations

import base64
import binascii
import re
from pathlib import Path

from anchorhold.domain.sentences import Figure, Sentence

_KEY_KIND = re.compile(r"(?:sk-)?(?:ssh|ecdsa)-[a-z0-9@.-]+", re.ASCII)
_WORD = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^\s"])+')
MOST_BYTES = 1_000_000


def signers_problem(path: Path | None) -> str:
    """Say why a file cannot tell who may release; empty when it can."""
    if path is None:
        return Sentence("no allowed-signers file is named (--allowed-signers, or allowed_signers in [gate])")
    where = Sentence("the allowed-signers file {path}", path=str(path))
    if path.exists() and not path.is_file():
        # It is read twice, here and by ssh-keygen; a pipe can be read once, and might never answer.
        return Sentence("{where} is not a file", where=where)
    try:
        data = path.read_bytes()
    except OSError as error:
        return Sentence("{where} cannot be read: {error}", where=where, error=error.strerror)
    if len(data) > MOST_BYTES:
        return Sentence("{where} is larger than {most} bytes", where=where, most=Figure(MOST_BYTES))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return Sentence("{where} is not UTF-8 text: byte {place}", where=where, place=error.start)
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), start=1)]
    used = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not used:
        return Sentence("{where} names nobody", where=where)
    for number, line in used:
        if not _names_a_key(line):
            return Sentence(
                "{where}, line {number}: expected principals, options if any, kind of key and key",
                where=where,
                number=number,
            )
    return ""


def _names_a_key(line: str) -> bool:
    """Are there principals, at most one word of options, and then a key whose bytes say the same kind?"""
    words = _WORD.findall(line)
    if not line.isprintable() and "\t" not in line:
        return False
    for place in (1, 2):
        if len(words) > place + 1 and _KEY_KIND.fullmatch(words[place]):
            try:
                blob = base64.b64decode(words[place + 1], validate=True)
            except binascii.Error:
                return False
            kind = words[place].encode()
            return blob.startswith(len(kind).to_bytes(4, "big") + kind)
    return False
