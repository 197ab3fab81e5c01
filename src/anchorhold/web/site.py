"""A static site of all checks and the register: files that any host can serve, under any path, without scripts.

The same register gives the same bytes; a report that was written before is not drawn again. A folder that holds
anything else is not written to. May import: anchorhold.canonical, anchorhold.errors, anchorhold.register,
anchorhold.report, anchorhold.web.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path, PurePosixPath
from tempfile import NamedTemporaryFile

import anchorhold
from anchorhold.canonical import sha256_hex
from anchorhold.checks.state import CheckState
from anchorhold.errors import BadInput
from anchorhold.gate.decision import GateAnswer
from anchorhold.register import chain, exporting
from anchorhold.report.badge import badge_json, badge_svg
from anchorhold.report.games_page import games_files
from anchorhold.report.languages import LANGUAGES, Language
from anchorhold.report.page import render_check_report
from anchorhold.report.view import CheckView
from anchorhold.web import addresses
from anchorhold.web.badges import badge_of
from anchorhold.web.feed import atom
from anchorhold.web.games import GamesOnDisk, with_links
from anchorhold.web.overview import overview_of
from anchorhold.web.pages import Frame, first_page, register_page, style
from anchorhold.web.reports import HOME, view_of
from anchorhold.web.texts import texts_in

MARKER = ".anchorhold-site.json"
FORM = "anchorhold/site/1"
_CODE = ("report", "web", "law", "stats", "checks", "domain")
"""Rooms whose code a page of a check rests on."""


@dataclass(frozen=True, slots=True)
class Written:
    """What was done."""

    files: int
    """In the site now."""
    changed: int
    """Written because they were new or other."""
    removed: int


@dataclass(frozen=True, slots=True)
class _Page:
    """A file of the site: its bytes are made only when nothing says that they stand there already."""

    key: str
    """Names all that the bytes rest on; empty: they are always made."""
    make: Callable[[], bytes]


def write_site(
    directory: Path,
    found: chain.Chain,
    answer: GateAnswer,
    *,
    project: str | None = None,
    base: str | None = None,
    games: GamesOnDisk | None = None,
) -> Written:
    """Write or renew a site.

    Parameters
    ----------
    directory : Path
        Made when it is not there.
    found : Chain
        The register's entries up to the first that does not hold.
    answer : GateAnswer
        What the gate says of it.
    project : str, optional
        Name to show; None: the register's own.
    base : str, optional
        Address at which the site will stand: feeds then name whole addresses.
    games : GamesOnDisk, optional
        Where games are looked for, to be part of the site; None: it has no games.

    Raises
    ------
    BadInput
        The folder holds something else, or cannot be written.
    """
    try:
        return _write(directory, dict(_pages(found, answer, project, base, games)))
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", where=str(error.filename or directory)) from error


def _pages(
    found: chain.Chain, answer: GateAnswer, project: str | None, base: str | None, games: GamesOnDisk | None
) -> Iterator[tuple[str, _Page]]:
    entries = found.entries
    overview = overview_of(entries, answer, project=project)
    badge = badge_of(answer)

    def text(make: Callable[[], str]) -> _Page:
        return _Page("", lambda: make().encode())

    yield "style.css", text(style)
    yield "icon.svg", text(lambda: (resources.files("anchorhold.web") / "static" / "icon.svg").read_text("utf-8"))
    yield "badge.svg", text(lambda: badge_svg(badge))
    yield "badge.json", text(lambda: json.dumps(badge_json(badge), ensure_ascii=False) + "\n")
    yield "register.jsonl", _Page("", lambda: b"".join(map(exporting.export_line, entries)))
    # Pages hosts that run Jekyll would leave out the marker; nothing here is for it.
    yield ".nojekyll", _Page("", lambda: b"")
    code = _code_digest()
    for language in LANGUAGES:
        under = addresses.folder(language)
        frame = Frame(language, "index.html")
        yield under + "index.html", text(lambda frame=frame: first_page(overview, frame))  # type: ignore[misc]
        whole = None if base is None else base.rstrip("/") + "/" + under
        yield (
            under + "feed.xml",
            text(lambda language=language, whole=whole: atom(entries, overview, texts_in(language), base=whole)),  # type: ignore[misc]
        )
        for number in range(1, addresses.page_of_entry(max(len(entries), 1)) + 1):
            frame = Frame(language, addresses.register_page(number))
            yield (
                under + frame.path,
                text(lambda number=number, frame=frame: register_page(entries, overview, number, frame)),  # type: ignore[misc]
            )
        for line, state in zip(overview.checks, overview.states, strict=True):
            if state.closed is not None and answer.state != "broken":
                key = f"{state.closed.hash} {overview.project or ''} {language} {code}"

                def view(state: CheckState = state) -> CheckView:
                    return view_of(entries, state, project=overview.project)

                if games is not None:
                    yield from _with_games(view(), under + line.page, games, language=language, key=key)
                    continue

                def report(view: Callable[[], CheckView] = view, language: Language = language) -> bytes:
                    return render_check_report(view(), language=language, home=HOME).encode()

                yield under + line.page, _Page(key, report)


def _with_games(
    view: CheckView, address: str, games: GamesOnDisk, *, language: Language, key: str
) -> Iterator[tuple[str, _Page]]:
    """The report of a check, and its games where they are there."""
    files = games.files(view)
    folder = address.removesuffix(".html")
    linked = with_links(view, files, PurePosixPath(folder).name)
    if files:
        key += " " + " ".join(f"{one.endpoint} {one.stage} {one.sha256}" for one in files)
    yield address, _Page(key, lambda: render_check_report(linked, language=language, home=HOME).encode())
    if files:
        # The games are the same in every language: they lie with the English pages.
        plain = addresses.folder(language)
        pgn_in = f"../../../{folder.removeprefix(plain)}/" if plain else ""
        home = f"../{PurePosixPath(address).name}"
        for name, make in games_files(view, games.meetings(view), language=language, home=home, pgn_in=pgn_in):
            yield f"{folder}/{name}", _Page(key, lambda make=make: make().encode())  # type: ignore[misc]


def _code_digest() -> str:
    """What reports are drawn by: other code, or other libraries that draw, may make another page."""
    from importlib.metadata import version

    parts = [f"{name} {version(name)}" for name in ("jinja2", "babel")]
    for room in _CODE:
        top = Path(str(resources.files("anchorhold"))) / room
        for file in sorted(top.rglob("*")):
            if file.suffix in (".py", ".j2", ".po", ".json"):
                parts.append(f"{file.relative_to(top.parent).as_posix()} {sha256_hex(file.read_bytes())}")
    return sha256_hex("\n".join(parts).encode())[:32]


def _write(directory: Path, pages: Mapping[str, _Page]) -> Written:
    before = _known(directory)
    foreign = sorted(name for name in pages if name not in before and (directory / name).exists())
    if foreign:
        raise BadInput(
            "there is a file already that is not of this site",
            where=str(directory / foreign[0]),
            next_step="Give another directory, or take it away",
        )
    directory.mkdir(parents=True, exist_ok=True)
    # Named before they are written: a run that is killed leaves nothing that the next one does not know as its own.
    now = {name: before.get(name, {}) for name in pages}
    _put(directory / MARKER, _marker({**before, **now}))
    changed = 0
    for name, page in pages.items():
        path, known = directory / name, before.get(name, {})
        there = path.read_bytes() if path.is_file() else None
        if there is not None and page.key and known.get("key") == page.key and known.get("sha256") == sha256_hex(there):
            continue
        data = page.make()
        now[name] = {"sha256": sha256_hex(data), **({"key": page.key} if page.key else {})}
        if data != there:
            path.parent.mkdir(parents=True, exist_ok=True)
            _put(path, data)
            changed += 1
    gone = sorted(set(before) - set(pages))
    for name in gone:
        (directory / name).unlink(missing_ok=True)
    _put(directory / MARKER, _marker(now))
    return Written(files=len(pages), changed=changed, removed=len(gone))


def _marker(files: Mapping[str, Mapping[str, str]]) -> bytes:
    document = {"schema": FORM, "written_by": f"anchorhold {anchorhold.__version__}", "files": dict(files)}
    return (json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def _known(directory: Path) -> Mapping[str, Mapping[str, str]]:
    """Return the files that an earlier run wrote; refuse a folder that is somebody else's."""
    if directory.exists() and not directory.is_dir():
        raise BadInput("is not a directory", where=str(directory))
    if not directory.exists() or not any(directory.iterdir()):
        return {}
    marker = directory / MARKER
    if not marker.is_file():
        raise BadInput(
            "the directory holds something that is not a site of anchorhold",
            where=str(directory),
            next_step="Give an empty or a new directory",
        )
    try:
        document = json.loads(marker.read_text(encoding="utf-8"))
        files = document["files"]
        if document["schema"] != FORM or not all(_is_inside(name) and isinstance(f, dict) for name, f in files.items()):
            raise ValueError("it names files elsewhere, or is of another form")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(
            f"is damaged: {error}", where=str(marker), next_step="Take the site away, and write it anew"
        ) from error
    return files  # type: ignore[no-any-return]


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and bool(path.parts)


def _put(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    with NamedTemporaryFile(dir=path.parent, prefix=".anchorhold-", delete=False) as handle:
        made = Path(handle.name)
        try:
            handle.write(data)
            handle.close()
            made.chmod(0o644)
            os.replace(made, path)
        except BaseException:
            made.unlink(missing_ok=True)
            raise
