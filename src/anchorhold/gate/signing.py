"""What a release signs, and OpenSSH's word on whether a signature holds.

Signed is the canonical JSON (RFC 8785) of ``{"schema", "halt", "check", "reviewer", "reason"}``; nothing outside it
counts. ``ssh-keygen -Y`` signs and verifies, so that keys, agents, certificates and time limits are OpenSSH's own.
Source: SPEC section 8. May import: anchorhold.canonical, anchorhold.domain.sentences, anchorhold.errors,
anchorhold.gate.
"""

from __future__ import annotations

import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from anchorhold.canonical import canonical_json
from anchorhold.domain.sentences import Figure, Sentence
from anchorhold.errors import BadState
from anchorhold.gate.scratch import scratch_directory
from anchorhold.gate.words import one_line

NAMESPACE = "anchorhold"
SCHEMA = "anchorhold/release/1"
PATIENCE = 30.0
"""Seconds that one verification may take."""


def statement(*, halt: str, check: str, reviewer: str, reason: str) -> bytes:
    """Return the bytes that a release signs.

    Parameters
    ----------
    halt : str
        Hash of the ``check_closed`` entry that halts.
    """
    return canonical_json({"schema": SCHEMA, "halt": halt, "check": check, "reviewer": reviewer, "reason": reason})


def sign(signed: bytes, *, key: Path) -> str:
    """Sign with a private key, or with a public one whose private half is in the agent.

    ssh-keygen talks to the terminal itself, for a passphrase or a touch of the token.

    Raises
    ------
    BadState
        ssh-keygen is not there, or does not sign with this key; temporary files cannot be written.
    """
    program = shutil.which("ssh-keygen")
    if program is None:
        raise BadState("there is no ssh-keygen", next_step="Install OpenSSH's client")
    with scratch_directory() as directory:
        file = directory / "release.json"
        file.write_bytes(signed)
        done = subprocess.run([program, "-q", "-Y", "sign", "-n", NAMESPACE, "-f", str(key), str(file)], check=False)
        signature = file.with_name("release.json.sig")
        if done.returncode != 0 or not signature.is_file():
            raise BadState(
                "ssh-keygen does not sign with this key",
                where=str(key),
                next_step="Give a private key, or a public one whose private half is in the agent",
            )
        return signature.read_text(encoding="ascii")


def objection(signed: bytes, signature: str, *, signers: Path, reviewer: str, at: datetime) -> str:
    """Say why a signature does not hold; empty when it does.

    Parameters
    ----------
    signers : Path
        The allowed-signers file; ``signers_problem`` has nothing against it.
    reviewer : str
        The principal that must have signed.
    at : datetime
        When the key must have been valid. Times of the file without a zone count as UTC.
    """
    program, environment = shutil.which("ssh-keygen"), shutil.which("env")
    if program is None or environment is None:
        return Sentence("there is no ssh-keygen here to verify it with")
    if not reviewer.isprintable():
        return Sentence("the reviewer's name is not one line")
    # Without a zone of its own ssh-keygen would read all times in that of the machine.
    time = at.astimezone(UTC).strftime("%Y%m%d%H%M%S")
    try:
        with scratch_directory() as directory:
            file = directory / "signature"
            file.write_text(signature.strip() + "\n", encoding="utf-8")
            done = subprocess.run(
                [
                    *(environment, "TZ=UTC", "LC_ALL=C", program, "-Y", "verify", "-n", NAMESPACE),
                    *("-f", str(signers), "-I", reviewer, "-s", str(file), f"-Overify-time={time}"),
                ],
                input=signed,
                capture_output=True,
                timeout=PATIENCE,
                check=False,
            )
    except subprocess.TimeoutExpired:
        return Sentence("ssh-keygen did not answer in {seconds} s", seconds=Figure(PATIENCE))
    except BadState as error:
        return error.what
    except OSError as error:
        return Sentence("ssh-keygen cannot be run: {error}", error=error.strerror)
    if done.returncode == 0:
        return ""
    said = [line.strip() for line in done.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    detail = (said[-1] if said else "").removeprefix(f"{signers}:").strip()
    if not detail:
        return Sentence(
            "no key that the allowed-signers file has for {reviewer} made this signature", reviewer=repr(reviewer)
        )
    return Sentence("ssh-keygen refuses the signature: {detail}", detail=one_line(detail))
