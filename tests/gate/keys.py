"""Real SSH keys, made by ssh-keygen for one test, and allowed-signers lines for them."""

import subprocess
from pathlib import Path

from anchorhold.gate.signing import sign, statement

KINDS = {"ed25519": [], "ecdsa": ["-b", "384"], "rsa": ["-b", "2048"]}


def make_key(path: Path, kind: str = "ed25519") -> Path:
    """Make a key without passphrase; its public half lies beside it."""
    words = ["ssh-keygen", "-q", "-t", kind, *KINDS[kind], "-N", "", "-C", "test", "-f", str(path)]
    subprocess.run(words, check=True)
    return path


def public(key: Path) -> str:
    return key.with_name(key.name + ".pub").read_text(encoding="ascii").strip()


def signers_file(path: Path, *lines: str) -> Path:
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def release_payload(
    key: Path | None, *, halt: str, check: str, reviewer: str = "ada", reason: str = "looked at every game"
) -> dict[str, object]:
    """A release as an entry holds it, signed when there is a key."""
    payload: dict[str, object] = {"halt": halt, "check": check, "reviewer": reviewer, "reason": reason}
    if key is not None:
        signed = statement(halt=halt, check=check, reviewer=reviewer, reason=reason)
        payload["signature"] = sign(signed, key=key).strip()
    return payload
