"""Games as text for tests: invented, short, in the form that match runners write."""

from pathlib import Path

from anchorhold.importers.pgn.found import PgnImport
from anchorhold.importers.pgn.reading import read_pgn
from anchorhold.importers.sources import PlainFile

MATE = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#"
FOOLS = "1. f3 e5 2. g4 Qh4#"
QUIET = "1. e4 {+0.31/18 0.412s} e5 {-0.20/17 0.310s} 2. Nf3 {+0.10/12 0.2s} Nc6 {+0.00/9 0.1s}"


def game(
    round_: str = "1",
    white: str = "Alpha",
    black: str = "Beta",
    result: str = "1-0",
    moves: str = QUIET,
    marker: str | None = None,
    **tags: str,
) -> str:
    head = {"Event": "Match", "Site": "?", "Date": "2026.01.02", "Round": round_, "White": white, "Black": black}
    head |= {"Result": result, **tags}
    lines = "\n".join(f'[{name} "{value}"]' for name, value in head.items())
    return f"{lines}\n\n{moves} {result if marker is None else marker}\n\n"


def pair(round_: str, first: str, second: str, *, moves: str = QUIET, **tags: str) -> str:
    """Two games from one opening, Alpha White in the first."""
    return game(round_, "Alpha", "Beta", first, moves, **tags) + game(round_, "Beta", "Alpha", second, moves, **tags)


def read(folder: Path, text: str | bytes, **options: object) -> PgnImport:
    path = folder / "games.pgn"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_pgn([PlainFile("games.pgn", path)], **options)  # type: ignore[arg-type]
