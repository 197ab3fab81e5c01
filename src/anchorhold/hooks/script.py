"""The text of a hook: a few lines of shell that call one command, and refuse when that cannot be done.

May import: anchorhold.hooks.updates.
"""

from __future__ import annotations

import re
import shlex

from anchorhold.hooks.updates import Kind

_TEXT = """\
#!/bin/sh
# anchorhold hook 1, {kind}: asks the gate before a protected branch moves. Whatever goes wrong, the push is refused.
# Written by 'anchorhold hook install', taken away by 'anchorhold hook uninstall'. Settings: git config, anchorhold.*
PYTHON={python}
PYTHONPATH={packages}
export PYTHONPATH
unset PYTHONHOME
"$PYTHON" -P -m anchorhold hook run {kind} "$@"
status=$?
case $status in
0) exit 0 ;;
1 | 2 | 4) ;; # the program has said why
126 | 127) echo "anchorhold: the gate cannot be asked: $PYTHON does not run." >&2 ;;
142) echo "anchorhold: the gate did not answer in the time that it has (git config anchorhold.timeout)." >&2 ;;
*) echo "anchorhold: the gate cannot be asked: the program ended with status $status." >&2 ;;
esac
echo "anchorhold: the push is refused." >&2
exit 1
"""
_WRITTEN = re.compile(r"PYTHON=(?P<python>.*)\nPYTHONPATH=(?P<packages>.*)\nexport")


def script(kind: Kind, *, python: str, packages: str) -> str:
    """Return the text of a hook.

    Parameters
    ----------
    python : str
        Path of the interpreter that has what anchorhold needs.
    packages : str
        Directory in which the package anchorhold lies: what lies in the working tree is never run.
    """
    return _TEXT.format(kind=kind, python=shlex.quote(python), packages=shlex.quote(packages))


def written_by_us(text: str, kind: Kind) -> bool:
    """Say whether a hook is exactly what an installation wrote: a hook that somebody changed is theirs."""
    found = _WRITTEN.search(text)
    if found is None:
        return False
    return text == _TEXT.format(kind=kind, python=found["python"], packages=found["packages"])


def chaining(kind: Kind, *, python: str, packages: str) -> str:
    """Return the line that asks the gate from within another hook; git's lines stand in ``$lines``."""
    call = f'PYTHONPATH={shlex.quote(packages)} {shlex.quote(python)} -P -m anchorhold hook run {kind} "$@"'
    return f"lines=$(cat); printf '%s\\n' \"$lines\" | {call} || exit 1"
