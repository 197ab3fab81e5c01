"""``anchorhold report``: one check as a page that needs nothing else, from the register, a result or a document.

May import: typer, anchorhold.canonical, checks, config, domain, law, register, report, errors, cli.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.files import write_whole
from anchorhold.cli.options import ConfigOption, LanguageOption, RegisterOption
from anchorhold.errors import BadInput

if TYPE_CHECKING:
    from anchorhold.domain.contract import Contract
    from anchorhold.law.document import Document
    from anchorhold.law.result import Result
    from anchorhold.report.view import CheckView

STANDARD_OUTPUT = Path("-")


@fail_cleanly
def report(
    check: Annotated[
        str | None, typer.Argument(metavar="CHECK", help="A closed check of the register; by default the last.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="The page; - is standard output. Default: report.html."),
    ] = None,
    result: Annotated[
        Path | None, typer.Option("--result", metavar="FILE", help="Show this result (evaluate --json) instead.")
    ] = None,
    document: Annotated[
        Path | None,
        typer.Option("--document", metavar="FILE", help="Show this evaluation document; it is evaluated if need be."),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="FILE", help="Write the R scale as an SVG picture, too.")
    ] = None,
    pdf: Annotated[
        Path | None,
        typer.Option("--pdf", metavar="FILE", help="Print the page into a PDF file, too; it takes a Chromium."),
    ] = None,
    games: Annotated[
        bool,
        typer.Option("--games", help="Write the games, too: by anchor and opening, in a folder beside the page."),
    ] = False,
    language: LanguageOption = None,
    contract_file: Annotated[
        Path | None, typer.Option("--contract", metavar="FILE", help="A project's own contract edition.")
    ] = None,
    register: RegisterOption = None,
    config: ConfigOption = None,
) -> None:
    """Write the report of a check as one HTML file: pictures, tables, formulas with their numbers, no network.

    Example: anchorhold report -o report.html --lang de
    """
    from anchorhold.cli.language import language_of
    from anchorhold.cli.texts import texts_in
    from anchorhold.report.page import render_check_report

    chosen = language_of(language, config)
    say = texts_in(chosen).gettext
    if check is not None and (result is not None or document is not None):
        raise BadInput("a CHECK of the register and a --result or --document exclude each other")
    status = 0
    if result is not None or document is not None:
        view = _view_of_files(result, document, contract_file)
    else:
        beside = (output or Path("report.html")).absolute().parent
        view, status = _view_of_register(check, register, config, beside=beside)
    target = output or Path("report.html")
    if games:
        from anchorhold.cli.report_games import write_games

        view = write_games(view, target, config, language=chosen)
    page = render_check_report(view, language=chosen)
    if target == STANDARD_OUTPUT:
        sys.stdout.buffer.write(page.encode("utf-8"))
    else:
        write_whole(target, page)
        typer.echo(say("Wrote {file}.", file=target), err=True)
    if pdf is not None:
        from anchorhold.cli.printing import print_page

        print_page(page, pdf)
        typer.echo(say("Wrote {file}.", file=pdf), err=True)
    if picture is not None:
        from anchorhold.report.pictures import r_scale, standalone

        drawn = r_scale(view.result, thresholds=view.thresholds, texts=texts_in(chosen))
        write_whole(picture, standalone(drawn))
        typer.echo(say("Wrote {file}.", file=picture), err=True)
    if status:
        raise SystemExit(status)


def _view_of_files(result: Path | None, document: Path | None, contract_file: Path | None) -> CheckView:
    from anchorhold.report.viewing import view_of_document, view_of_result

    own = _own_contract(contract_file)
    if document is None:
        assert result is not None, "one of the two is given"
        return view_of_result(_result(result), own=own)
    found = _document(document)
    return view_of_document(_evaluated(found, own) if result is None else _result(result), found, own=own)


def _view_of_register(
    check: str | None, register: str | None, config: Path | None, *, beside: Path
) -> tuple[CheckView, int]:
    """Return what is shown and the exit status: 0, or 4 after a line that says why the register does not hold."""
    from anchorhold.cli.reading import open_register, warn_of_damage
    from anchorhold.cli.report_games import links_to_files
    from anchorhold.report.viewing import view_of_check

    # A register that is named may be another project's; the settings' own is this project's.
    project = None if register is not None else _project(config)
    with open_register(register, config) as opened:
        status = warn_of_damage(opened)
        view = view_of_check(opened.entries(), check, project=project, whole=True)
    return replace(view, games_files=links_to_files(view, config, beside)), status


def _project(config: Path | None) -> str | None:
    from anchorhold import config as settings

    file = config or settings.default_file()
    return settings.load(file).project if file.is_file() else None


def _own_contract(path: Path | None) -> Contract | None:
    from anchorhold.domain.contract import own_edition

    return None if path is None else own_edition(_text(path), where=str(path))


def _result(path: Path) -> Result:
    from pydantic import ValidationError

    from anchorhold.canonical import strict_json
    from anchorhold.law.result import Result

    try:
        return Result.model_validate(strict_json(_text(path), where=str(path)))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise BadInput(
            f"{place or 'the whole'}: {first['msg']}",
            where=str(path),
            next_step="--result takes what 'anchorhold evaluate FILE --json' prints.",
        ) from error


def _document(path: Path) -> Document:
    from anchorhold.law.document import read_document

    return read_document(_text(path), where=str(path))


def _evaluated(document: Document, own: Contract | None) -> Result:
    from anchorhold.domain.contract import edition
    from anchorhold.law.evaluation import evaluate

    return evaluate(document, own or edition(document.contract.edition))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", where=str(path)) from error
    except UnicodeDecodeError as error:
        raise BadInput(f"is not UTF-8 text: byte {error.start}", where=str(path)) from error
