"""``anchorhold evaluate``: one self-contained document in, its result out.

May import: anchorhold.canonical, domain, law, report, cli.*.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import LanguageOption
from anchorhold.cli.status import VERDICT_STATUS
from anchorhold.errors import BadInput


def read_text(path: str) -> tuple[str, str]:
    """Text of a file or of standard input (``-``), and how messages name it.

    Raises
    ------
    BadInput
        Not readable, or not UTF-8.
    """
    where = "standard input" if path == "-" else path
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        return data.decode("utf-8-sig"), where
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", where=where) from error
    except UnicodeDecodeError as error:
        raise BadInput(f"is not UTF-8 text: byte {error.start} is {data[error.start]:#04x}", where=where) from error


@fail_cleanly
def evaluate(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The document; - reads standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    contract_file: Annotated[
        Path | None, typer.Option("--contract", metavar="FILE", help="A project's own contract edition.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of the Monte-Carlo band.")] = None,
    language: LanguageOption = None,
) -> None:
    """Evaluate one self-contained document: games to δ to A to R to a verdict.

    Exit status: 0 CONTINUE or WARN, 1 HALT, 3 GAP, 4 DEFECTIVE, 2 not readable.

    Example: anchorhold evaluate check.json --json
    """
    from anchorhold.domain.contract import edition, own_edition
    from anchorhold.law.document import read_document
    from anchorhold.law.evaluation import DEFAULT_SEED
    from anchorhold.law.evaluation import evaluate as evaluate_document

    text, where = read_text(file)
    document = read_document(text, where=where)
    if contract_file is not None:
        own_text, own_where = read_text(str(contract_file))
        contract = own_edition(own_text, where=own_where)
    else:
        contract = edition(document.contract.edition, where=f"{where}: contract.edition")
    result = evaluate_document(document, contract, seed=DEFAULT_SEED if seed is None else seed)
    if as_json:
        print(json.dumps(result.to_json(), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        from anchorhold.cli.language import language_of
        from anchorhold.report.terminal import print_result

        print_result(result, language=language_of(language), parameters=contract.parameters)
    raise SystemExit(VERDICT_STATUS[result.verdict])
