import gzip
import hashlib
import itertools
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.domain.games import GameRecord, MoveRecord, Opening, PairKey, PairRecord
from anchorhold.errors import AnchorholdError, BadInput, BadState
from anchorhold.matches.journal import Journal
from anchorhold.matches.shards import Manifest, Shard, look_through, merge, require_new, write_shard

PLAN = {"check": "check-1", "opened": "ab" * 32}
ANCHORS = ("one", "two")
OPENINGS = 7


def record(endpoint: str, anchor: str, opening: int, *, seconds: float = 0.25) -> PairRecord:
    moves = (MoveRecord("e2e4", seconds, 3, 12, None, 400), MoveRecord("e7e5", 0.5))
    games = (
        GameRecord(True, "1-0", "normal", "White mates", moves, "2026-01-01T00:00:00Z"),
        GameRecord(False, "1/2-1/2", "time forfeit", "Weiß überschreitet", (), "2026-01-01T00:00:01Z", "second"),
    )
    key = PairKey("check-1", endpoint, anchor, "long", opening)
    return PairRecord(key, Opening(None, ("d2d4",), "book.pgn, game 1"), "standard", games)


def everything() -> list[PairRecord]:
    return [record(e, a, o) for o in range(1, OPENINGS + 1) for a in ANCHORS for e in ("old", "new")]


def manifest(shard: Shard, records: Sequence[PairRecord], **changed: object) -> Manifest:
    members = {"plan": PLAN, "engines": {"one": {"sha256": "cd" * 32}}, "runner": "anchorhold 1", **changed}
    return Manifest(shard=shard, pairs=len(records), total=len(everything()), **members)  # type: ignore[arg-type]


def shard_file(folder: Path, shard: Shard, records: Sequence[PairRecord] | None = None, **changed: object) -> Path:
    """Write one part as a machine of its own would."""
    if records is None:
        records = [one for one in everything() if shard.holds(one.key.opening)]
    number = len(list(folder.glob("*.shard")))
    path = folder / f"{number}{shard.suffix}.shard"
    with Journal.open(folder / f"{number}.journal", plan={"any": number}) as journal:
        journal.add_all(records)
        write_shard(path, journal=journal, manifest=manifest(shard, records, **changed))
    return path


def three(folder: Path) -> list[Path]:
    return [shard_file(folder, Shard(part, 3)) for part in (1, 2, 3)]


@given(st.integers(1, 9), st.integers(0, 50))
def test_every_opening_is_in_one_part_and_the_parts_differ_by_one_opening_at_most(of: int, count: int) -> None:
    shards = [Shard(part, of) for part in range(1, of + 1)]
    held = [[o for o in range(1, count + 1) if shard.holds(o)] for shard in shards]
    assert sorted(itertools.chain(*held)) == list(range(1, count + 1))
    assert [len(openings) for openings in held] == [shard.openings(count) for shard in shards]
    assert max(map(len, held)) - min(map(len, held)) <= 1


@pytest.mark.parametrize("text", ["", "3", "0/3", "4/3", "-1/3", "1/0", "1/2/3", "a/b", "1 / 2", "١/٢", "1/99999"])
def test_a_text_that_is_no_part_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match=r"--shard: is .*, expected a part and the number of parts, such as 3/8"):
        Shard.parse(text)


def test_merged_parts_are_the_journal_of_one_machine_in_any_order_and_again(tmp_path: Path) -> None:
    paths = three(tmp_path)
    with Journal.open(tmp_path / "merged", plan=PLAN) as journal:
        assert merge(look_through(paths[::-1]), journal) == len(everything())
        assert list(journal.pairs()) == sorted(everything(), key=lambda one: one.key)
        assert merge(look_through([*paths, paths[1]]), journal) == 0
    assert look_through(paths).first.total == len(everything())


def test_the_same_journal_gives_the_same_bytes(tmp_path: Path) -> None:
    one, again = shard_file(tmp_path, Shard(2, 3)), shard_file(tmp_path, Shard(2, 3))
    assert one.read_bytes() == again.read_bytes()
    with pytest.raises(BadState, match="this shard has been played"):
        require_new(one)


def test_a_part_that_is_not_complete_is_not_written(tmp_path: Path) -> None:
    with (
        Journal.open(tmp_path / "j", plan={}) as journal,
        pytest.raises(BadState, match="holds 0 pairs, shard 1/3 has 2"),
    ):
        write_shard(tmp_path / "s", journal=journal, manifest=manifest(Shard(1, 3), everything()[:2]))
    assert not (tmp_path / "s").exists()


def test_parts_that_are_missing_are_named(tmp_path: Path) -> None:
    paths = [shard_file(tmp_path, Shard(part, 7)) for part in (1, 3, 4, 6)]
    with pytest.raises(BadState, match=r"shards are missing: 2/7, 5/7, 7/7\. Name the files of all parts"):
        look_through(paths)
    with pytest.raises(BadInput, match="no shard is given"):
        look_through([])


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"plan": {"check": "check-1", "opened": "00" * 32}}, 'plan.opened was "abab'),
        ({"engines": {"one": {"sha256": "ee" * 32}}}, 'engines.one.sha256 was "cdcd'),
        ({"runner": "anchorhold 2"}, 'runner was "anchorhold 1" and is "anchorhold 2"'),
    ],
)
def test_parts_that_were_not_played_alike_are_refused_with_what_differs(
    tmp_path: Path, changed: dict[str, Any], expected: str
) -> None:
    paths = [shard_file(tmp_path, Shard(1, 2)), shard_file(tmp_path, Shard(2, 2), **changed)]
    with pytest.raises(BadState) as refused:
        look_through(paths)
    assert str(refused.value).startswith(f"{paths[1]}: was not played as {paths[0]}: {expected}")


def test_parts_of_another_number_of_parts_do_not_fit(tmp_path: Path) -> None:
    paths = [shard_file(tmp_path, Shard(1, 2)), shard_file(tmp_path, Shard(2, 3))]
    with pytest.raises(BadState, match=r"shard\.of was 2 and is 3"):
        look_through(paths)


def test_a_pair_that_two_files_have_otherwise_is_refused_and_named(tmp_path: Path) -> None:
    paths = three(tmp_path)
    other = [record(r.key.endpoint, r.key.anchor, r.key.opening, seconds=9) for r in everything()]
    again = shard_file(tmp_path, Shard(2, 3), [r for r in other if Shard(2, 3).holds(r.key.opening)])
    with pytest.raises(BadState) as refused:
        look_through([*paths, again])
    assert str(refused.value).startswith(
        f"{again}: has the pair new against one, long stage, opening 2 of check-1, which {paths[1]} has otherwise"
    )


def test_a_journal_that_has_a_pair_otherwise_takes_none(tmp_path: Path) -> None:
    parts = look_through(three(tmp_path))
    with Journal.open(tmp_path / "merged", plan=PLAN) as journal:
        journal.add(record("old", "two", 6, seconds=9))
        with pytest.raises(BadState, match=r"has the pair old against two, long stage, opening 6 of check-1, which"):
            merge(parts, journal)
        assert len(journal) == 1


def damage(path: Path, change: Callable[[bytes], bytes]) -> None:
    path.write_bytes(change(path.read_bytes()))


def rewrite(change: Callable[[list[bytes]], object], *, seal: bool = False) -> Callable[[bytes], bytes]:
    """Change the lines of a file; ``seal``: with a last line that fits them."""

    def changed(data: bytes) -> bytes:
        lines = gzip.decompress(data).splitlines(keepends=True)
        change(lines)
        if seal:
            last = json.loads(lines[-1])
            last["sha256"] = hashlib.sha256(b"".join(lines[:-1])).hexdigest()
            lines[-1] = json.dumps(last, sort_keys=True, separators=(",", ":")).encode() + b"\n"
        return gzip.compress(b"".join(lines))

    return changed


def edited(line: int, old: bytes, new: bytes) -> Callable[[list[bytes]], object]:
    def change(lines: list[bytes]) -> None:
        assert old in lines[line]
        lines[line] = lines[line].replace(old, new, 1)

    return change


@pytest.mark.parametrize(
    "change",
    [
        lambda _: b"",
        lambda _: b"no gzip at all",
        lambda data: data[: len(data) // 2],
        lambda data: data[:-1],
        lambda data: data[:200] + bytes([data[200] ^ 1]) + data[201:],
        lambda _: gzip.compress(b""),
        lambda _: gzip.compress(b"[]\n"),
        lambda _: gzip.compress(b'{"format": "something"}\n'),
        lambda _: gzip.compress(b"\xff\xfe\n"),
        lambda _: gzip.compress(b"[" * 100_000),
        rewrite(lambda lines: lines.pop()),
        rewrite(lambda lines: lines.pop(1)),
        rewrite(lambda lines: lines.append(lines[-1])),
        rewrite(lambda lines: lines.insert(1, lines[1])),
        rewrite(edited(1, b"1-0", b"0-1")),
        rewrite(edited(1, b"1-0", b"2-0"), seal=True),
        rewrite(edited(1, b"0.25", b"NaN"), seal=True),
        rewrite(edited(1, b'"variant"', b'"v"'), seal=True),
        rewrite(edited(1, b'"long",2]', b'"long",1]'), seal=True),
        rewrite(edited(1, b'"long",2]', b'"long","2"]'), seal=True),
        rewrite(edited(0, b"abab", b"acab"), seal=True),
        rewrite(edited(0, b'"pairs":8', b'"pairs":-8'), seal=True),
        rewrite(edited(0, b'"shard":[2,3]', b'"shard":[2,1]'), seal=True),
        rewrite(edited(0, b'"shard":[2,3]', b'"shard":2'), seal=True),
        rewrite(edited(0, b"anchorhold/shard/1", b"anchorhold/shard/2"), seal=True),
    ],
)
def test_a_file_that_is_not_whole_is_refused_and_named(tmp_path: Path, change: Callable[[bytes], bytes]) -> None:
    paths = three(tmp_path)
    damage(paths[1], change)
    with pytest.raises(AnchorholdError) as refused:
        look_through(paths)
    assert str(refused.value).startswith(f"{paths[1]}: is no whole shard: ")
    assert str(refused.value).endswith(". Copy the file again from where it was made")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="none: cannot be read: No such file or directory"):
        look_through([tmp_path / "none"])
    with pytest.raises(BadInput, match="cannot be read: Is a directory"):
        look_through([tmp_path])
