"""Settings: ``anchorhold.toml``, the environment and the flags, as frozen records.

Flags win over environment (``ANCHORHOLD_…``), environment over file, file over default. Unknown keys are errors with
the nearest name; every error names file and key. Paths in the file are relative to the file. With ``cli`` the only
reader of the environment. May import: everything below.
"""

from __future__ import annotations

import math
import os
import shlex
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from anchorhold.canonical import nearest
from anchorhold.domain.engines import OptionValue
from anchorhold.domain.limits import Limit
from anchorhold.domain.project import AnchorEngine, BookChoice, EngineTemplate, MainEngine, OracleStage, Stage
from anchorhold.errors import BadInput
from anchorhold.matches.jobs import DrawRule, MatchRules, ResignRule

FILE_NAME = "anchorhold.toml"
PREFIX = "ANCHORHOLD_"
Language = Literal["en", "de"]

# Setting (the flag's name, and with the prefix and in capitals the variable's) → key in the file, type.
SETTINGS: dict[str, tuple[str, type]] = {
    "project": ("project.name", str),
    "register": ("project.register", str),
    "data": ("project.data", str),
    "author": ("project.author", str),
    "lang": ("project.language", str),
    "contract": ("project.contract", int),
    "contract_file": ("project.contract_file", str),
    "workers": ("match.workers", int),
    "book": ("book.file", str),
    "book_order": ("book.order", str),
    "book_seed": ("book.seed", int),
    "pairs_long": ("stages.long.pairs", int),
    "pairs_short": ("stages.short.pairs", int),
    "pairs_direct": ("check.direct_pairs", int),
    "allowed_signers": ("gate.allowed_signers", str),
    "max_unaudited_elo": ("gate.max_unaudited_elo", float),
    "max_unaudited_tests": ("gate.max_unaudited_tests", int),
    "max_age_days": ("gate.max_age_days", float),
}

_RESERVED_NAMES = {"old", "new", "base", "candidate", "direct"}


@dataclass(frozen=True, slots=True)
class GateSettings:
    """What the gate reads beside the register; limits are off where they are None."""

    allowed_signers: Path | None = None
    """OpenSSH's file of the keys that may release a HALT."""
    max_unaudited_elo: float | None = None
    max_unaudited_tests: int | None = None
    max_age_days: float | None = None


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that ``anchorhold.toml``, environment and flags say about a project."""

    path: Path
    """The file that was read."""
    project: str
    register: str
    """Path or URL of the register, absolute."""
    data: Path
    """Journals, games and reports."""
    author: str
    """Who is named in new register entries."""
    language: Language | None
    """None: the locale's."""
    contract_edition: int
    contract_file: Path | None
    """A project's own edition; None: the built-in edition of that number."""
    main: MainEngine
    anchors: tuple[AnchorEngine, ...]
    long: Stage
    short: Stage | None
    direct_pairs: int
    """Pairs of the direct match, new against old; 0: none."""
    book: BookChoice
    oracle_short: OracleStage | None
    oracle_long: OracleStage | None
    rules: MatchRules
    workers: int
    host_class: str | None
    """A name for the kind of machine, kept in the conditions."""
    gate: GateSettings = GateSettings()

    def oracle(self) -> tuple[OracleStage, OracleStage]:
        """Return the oracle's two stages, short and long.

        Raises
        ------
        BadInput
            The file has no [oracle.short] or no [oracle.long].
        """
        if self.oracle_short is None or self.oracle_long is None:
            missing = "oracle.short" if self.oracle_short is None else "oracle.long"
            raise BadInput(f"there is no [{missing}]", where=str(self.path), next_step="The oracle needs both stages")
        return self.oracle_short, self.oracle_long


def load(
    path: Path | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
) -> Config:
    """Read the settings of a project.

    Parameters
    ----------
    path : Path, optional
        The file; by default what ANCHORHOLD_CONFIG names, else ``anchorhold.toml`` in the current directory.
    environment : Mapping, optional
        Variables; by default those of the process.
    flags : Mapping, optional
        Settings given on the command line, by their names in ``SETTINGS``; None counts as not given.

    Raises
    ------
    BadInput
        No such file, not TOML, an unknown key or variable, a missing or unreadable value.
    """
    environment = os.environ if environment is None else environment
    given = _overrides(environment, flags or {})
    path = _file(path, environment)
    return _config(_Table(_read(path), file=path, key="", given=given), path.absolute(), login=_login(environment))


def register_url(
    flag: str | None,
    path: Path | None = None,
    *,
    environment: Mapping[str, str] | None = None,
) -> str:
    """Find the register for commands that need nothing else: flag, ANCHORHOLD_REGISTER, file.

    The file is not read when flag or variable say it, so that a register can be read without a project.

    Raises
    ------
    BadInput
        None of the three says where the register is, or the file cannot be read.
    """
    environment = os.environ if environment is None else environment
    if url := flag or environment.get(PREFIX + "REGISTER"):
        return _register(url, Path.cwd())
    return load(path, environment=environment).register


def gate_settings(
    path: Path | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
) -> GateSettings:
    """Read what the gate needs, from a file that need not say how anything is played; there may be no file at all.

    Raises
    ------
    BadInput
        A file that was named is not there or not TOML, an unknown key of [gate] or variable, an unreadable value.
    """
    environment = os.environ if environment is None else environment
    given = _overrides(environment, flags or {})
    named = path is not None or bool(environment.get(PREFIX + "CONFIG"))
    path = path or default_file(environment)
    members = _read(_file(path, environment)) if named or path.is_file() else {}
    return _gate(_Table(members, file=path, key="", given=given).table("gate"), path.absolute().parent)


def author_name(flag: str | None, path: Path | None = None, *, environment: Mapping[str, str] | None = None) -> str:
    """Find who is named in new entries: flag, ANCHORHOLD_AUTHOR, file, login name."""
    environment = os.environ if environment is None else environment
    if name := flag or environment.get(PREFIX + "AUTHOR"):
        return name
    if (path or default_file(environment)).is_file():
        return load(path, environment=environment).author
    return _login(environment)


def default_file(environment: Mapping[str, str] | None = None) -> Path:
    """Return the file that is read when none is named: ANCHORHOLD_CONFIG, else ``anchorhold.toml``."""
    environment = os.environ if environment is None else environment
    return Path(environment.get(PREFIX + "CONFIG") or FILE_NAME)


def _file(path: Path | None, environment: Mapping[str, str]) -> Path:
    if path is None:
        path = default_file(environment)
    if not path.is_file():
        raise BadInput(
            "there is no such file",
            where=str(path),
            next_step=f"Go to the project's directory, or name its {FILE_NAME} with --config or {PREFIX}CONFIG",
        )
    return path


def _read(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"not TOML: {error}", where=str(path)) from error
    except UnicodeDecodeError as error:
        raise BadInput(f"not UTF-8: {error.reason} at byte {error.start}", where=str(path)) from error
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", where=str(path)) from error


@dataclass(frozen=True, slots=True)
class _Given:
    """A value that stands above the file, with the place it came from."""

    value: object
    where: str


def _overrides(environment: Mapping[str, str], flags: Mapping[str, object]) -> dict[str, _Given]:
    given: dict[str, _Given] = {}
    known = {PREFIX + name.upper(): name for name in SETTINGS}
    for variable, text in environment.items():
        if not variable.startswith(PREFIX) or variable == PREFIX + "CONFIG":
            continue
        if variable not in known:
            raise BadInput(
                "there is no such variable", where=variable, next_step=nearest(variable, [*known, PREFIX + "CONFIG"])
            )
        key, kind = SETTINGS[known[variable]]
        given[key] = _Given(_READ_VARIABLE[kind](text, variable), variable)
    for name, value in flags.items():
        if value is not None:
            key, _ = SETTINGS[name]
            given[key] = _Given(value, "--" + name.replace("_", "-"))
    # A given edition and a given file exclude each other only within one source; the stronger source wins.
    for one, other in (("project.contract", "project.contract_file"), ("project.contract_file", "project.contract")):
        if one in given and other in given and given[one].where.startswith("--") != given[other].where.startswith("--"):
            weaker = other if given[one].where.startswith("--") else one
            del given[weaker]
    return given


def _as_whole(text: str, variable: str) -> int:
    try:
        return int(text)
    except ValueError as error:
        raise BadInput(f"{text!r} is not a whole number", where=variable) from error


def _as_number(text: str, variable: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise BadInput(f"{text!r} is not a number", where=variable) from error


_READ_VARIABLE: dict[type, Callable[[str, str], object]] = {
    int: _as_whole,
    float: _as_number,
    str: lambda text, _variable: text,
}

T = TypeVar("T")


class _Table:
    """One table of the file, read key by key; what was not asked for in the end is an error."""

    def __init__(self, members: Mapping[str, object], *, file: Path, key: str, given: Mapping[str, _Given]) -> None:
        self.members = members
        self.file = file
        self.key = key
        self.given = given
        self.asked: set[str] = set()

    def path(self, name: str) -> str:
        return f"{self.key}.{name}" if self.key else name

    def where(self, name: str = "") -> str:
        key = self.path(name) if name else self.key
        if key in self.given:
            return self.given[key].where
        return f"{self.file}: {key}" if key else str(self.file)

    def has(self, name: str) -> bool:
        return name in self.members or self.path(name) in self.given

    def raw(self, name: str) -> object:
        self.asked.add(name)
        given = self.given.get(self.path(name))
        return self.members.get(name) if given is None else given.value

    def wrong(self, name: str, expected: str) -> BadInput:
        value = self.raw(name)
        if value is None:
            # The key may be there, misspelt: then that is what has to be mended.
            others = [other for other in self.members if other not in self.asked]
            misspelt = next((other for other in others if nearest(other, [name])), None)
            if misspelt is not None:
                return BadInput("there is no such key", where=self.where(misspelt), next_step=nearest(misspelt, [name]))
            return BadInput("is missing", where=self.where(name), next_step=f"Expected {expected}")
        return BadInput(f"is {value!r}, expected {expected}", where=self.where(name))

    def table(self, name: str) -> _Table:
        value = self.raw(name)
        if value is None:
            value = {}
        if not isinstance(value, dict):
            raise self.wrong(name, f"a table [{self.path(name)}]")
        return _Table(value, file=self.file, key=self.path(name), given=self.given)

    def text(self, name: str, default: str | None = None) -> str:
        value = self.raw(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            raise self.wrong(name, "a text of one line")
        return value

    def choice(self, name: str, choices: tuple[str, ...], default: str) -> str:
        value = self.text(name, default)
        if value not in choices:
            raise BadInput(
                f"is {value!r}, expected one of {', '.join(choices)}",
                where=self.where(name),
                next_step=nearest(value, choices),
            )
        return value

    def whole(self, name: str, default: int | None = None, *, least: int = 1) -> int:
        value = self.raw(name)
        if value is None and default is not None:
            return default
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= 2**53 - 1:
            raise self.wrong(name, f"a whole number of at least {least}")
        return value

    def number(self, name: str, default: float | None = None, *, least: float = -math.inf) -> float:
        value = self.raw(name)
        if value is None and default is not None:
            return default
        expected = "a number" if least == -math.inf else f"a number of at least {least:g}"
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.wrong(name, expected)
        try:
            number = float(value)
        except OverflowError as error:
            raise self.wrong(name, expected) from error
        if not math.isfinite(number) or number < least:
            raise self.wrong(name, expected)
        return number

    def texts(self, name: str) -> tuple[str, ...]:
        value = self.raw(name)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.wrong(name, "a list of texts")
        return tuple(value)

    def close(self) -> None:
        """Refuse what nobody asked for."""
        for name in self.members:
            if name not in self.asked:
                raise BadInput(
                    "there is no such key",
                    where=self.where(name),
                    next_step=nearest(name, self.asked) or f"Known are: {', '.join(sorted(self.asked))}",
                )


def _config(root: _Table, path: Path, *, login: str) -> Config:
    directory = path.parent
    project, match, check = root.table("project"), root.table("match"), root.table("check")
    stages, oracle, anchors = root.table("stages"), root.table("oracle"), root.raw("anchors")
    main, book, gate = root.table("main"), root.table("book"), root.table("gate")
    root.close()
    for table in (stages, oracle):
        table.asked.update(("long", "short"))
        table.close()
    language = project.choice("language", ("en", "de"), "en") if project.has("language") else None
    if project.has("contract") and project.has("contract_file"):
        raise BadInput(
            "contract and contract_file exclude each other", where=project.where("contract_file"), next_step="Keep one"
        )
    config = Config(
        path=path,
        project=project.text("name", path.parent.name or "project"),
        register=_register(project.text("register", "register.sqlite"), _base(project, "register", directory)),
        data=_base(project, "data", directory) / project.text("data", "anchorhold-data"),
        author=project.text("author", login),
        language="de" if language == "de" else "en" if language else None,
        contract_edition=project.whole("contract", 7),
        contract_file=(
            _base(project, "contract_file", directory) / project.text("contract_file")
            if project.has("contract_file")
            else None
        ),
        main=_main(main, directory),
        anchors=_anchors(anchors, root, directory),
        long=_stage(stages, "long"),
        short=_stage(stages, "short") if "short" in stages.members else None,
        direct_pairs=check.whole("direct_pairs", 0, least=0),
        book=_book(book, directory),
        oracle_short=_oracle_stage(oracle, "short") if "short" in oracle.members else None,
        oracle_long=_oracle_stage(oracle, "long") if "long" in oracle.members else None,
        rules=_rules(match),
        workers=match.whole("workers", 1),
        host_class=match.text("host_class") if match.has("host_class") else None,
        gate=_gate(gate, directory),
    )
    for table in (project, match, check):
        table.close()
    if "stages.short.pairs" in root.given and config.short is None:
        raise BadInput(
            "there is no short stage", where=root.given["stages.short.pairs"].where, next_step="Add [stages.short]"
        )
    return config


def _gate(table: _Table, directory: Path) -> GateSettings:
    table.asked.update(("allowed_signers", "max_unaudited_elo", "max_unaudited_tests", "max_age_days"))
    has = table.has
    settings = GateSettings(
        allowed_signers=(
            _base(table, "allowed_signers", directory) / table.text("allowed_signers")
            if has("allowed_signers")
            else None
        ),
        max_unaudited_elo=table.number("max_unaudited_elo", least=0.0) if has("max_unaudited_elo") else None,
        max_unaudited_tests=table.whole("max_unaudited_tests", least=0) if has("max_unaudited_tests") else None,
        max_age_days=table.number("max_age_days", least=0.0) if has("max_age_days") else None,
    )
    table.close()
    return settings


def _base(table: _Table, name: str, directory: Path) -> Path:
    """Paths in the file are relative to the file; those of flags and variables to the current directory."""
    return Path.cwd() if table.path(name) in table.given else directory


def _login(environment: Mapping[str, str]) -> str:
    return environment.get("LOGNAME") or environment.get("USER") or "unknown"


def _register(url: str, directory: Path) -> str:
    if url.startswith("sqlite:///"):
        return f"sqlite:///{directory / url.removeprefix('sqlite:///')}"
    return url if "://" in url else str(directory / url)


def _command(table: _Table, name: str, directory: Path) -> tuple[str, ...]:
    value = table.raw(name)
    if isinstance(value, str):
        try:
            words = shlex.split(value)
        except ValueError as error:
            raise BadInput(f"is {value!r}, not a command line: {error}", where=table.where(name)) from error
    elif isinstance(value, list) and all(isinstance(word, str) for word in value):
        words = list(value)
    else:
        raise table.wrong(name, "a command line, as a text or as a list of words")
    if not words or not words[0]:
        raise table.wrong(name, "a command line, as a text or as a list of words")
    # A word with a slash is a path, as in a shell; made absolute, because the process may run elsewhere.
    if "/" in words[0] and not Path(words[0]).is_absolute():
        words[0] = str(directory / words[0])
    return tuple(words)


def _options(table: _Table) -> tuple[tuple[str, OptionValue], ...]:
    options = table.table("options")
    found: list[tuple[str, OptionValue]] = []
    for name, value in options.members.items():
        if not isinstance(value, str | int | float | bool) or (isinstance(value, float) and not math.isfinite(value)):
            raise BadInput(f"is {value!r}, expected a text, number or boolean", where=options.where(name))
        if not name.strip() or any(ord(letter) < 32 for letter in f"{name}{value}"):
            raise BadInput("an option is one line with a name", where=options.where(name))
        found.append((name, value))
    return tuple(found)


def _engine(table: _Table, directory: Path, *, base: EngineTemplate | None = None) -> EngineTemplate:
    """Read how an engine is started; what does not stand here is taken from ``base``."""
    base_directory = directory if base is None or base.directory is None else base.directory
    if table.has("restart"):
        restart = table.choice("restart", ("never", "pair"), "never")
    else:
        restart = base.restart if base else "never"
        table.asked.add("restart")
    protocol = table.choice("protocol", ("uci", "xboard"), base.protocol if base else "uci")
    options = _options(table)
    for line in table.texts("setup"):
        if any(ord(letter) < 32 for letter in line):
            raise BadInput(f"is {line!r}: one line each", where=table.where("setup"))
    own = {name for name, _ in options}
    return EngineTemplate(
        command=base.command if base and not table.has("command") else _command(table, "command", directory),
        protocol="xboard" if protocol == "xboard" else "uci",
        options=tuple(pair for pair in (base.options if base else ()) if pair[0] not in own) + options,
        setup=base.setup if base and not table.has("setup") else table.texts("setup"),
        depth_command=table.text("depth_command", base.depth_command if base else "sd"),
        restart="pair" if restart == "pair" else "never",
        directory=directory / table.text("directory") if table.has("directory") else base_directory,
        files=(
            base.files if base and not table.has("files") else tuple(directory / name for name in table.texts("files"))
        ),
        margin=table.number("margin", base.margin if base else 0.15, least=0.0),
    )


_ENGINE_KEYS = {
    "command", "protocol", "options", "setup", "depth_command", "restart", "directory", "files", "margin",
}  # fmt: skip


def _main(table: _Table, directory: Path) -> MainEngine:
    versions = table.table("versions")
    table.asked.update(_ENGINE_KEYS)
    template = _engine(table, directory) if table.has("command") else None
    if template is None and not versions.members:
        raise table.wrong("command", "a command line with {version} in it, or tables [main.versions.NAME]")
    # Without a command of its own [main] still says what its versions share.
    shared = template or _engine(_with_command(table), directory)
    table.close()
    found: dict[str, EngineTemplate] = {}
    for name in versions.members:
        one = versions.table(name)
        one.asked.update(_ENGINE_KEYS)
        if template is None and not one.has("command"):
            raise one.wrong("command", "a command line")
        found[name] = _engine(one, directory, base=shared)
        one.close()
    return MainEngine(template=template, versions=found)


def _with_command(table: _Table) -> _Table:
    members = {**table.members, "command": "-"}
    return _Table(members, file=table.file, key=table.key, given=table.given)


def _anchors(value: object, root: _Table, directory: Path) -> tuple[AnchorEngine, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise root.wrong("anchors", "tables [[anchors]]")
    found: list[AnchorEngine] = []
    for number, members in enumerate(value, start=1):
        table = _Table(members, file=root.file, key=f"anchors[{number}]", given=root.given)
        table.asked.update(_ENGINE_KEYS)
        name = table.text("name")
        if name in _RESERVED_NAMES:
            raise BadInput(f"the name {name!r} is one of an endpoint; choose another", where=table.where("name"))
        if any(anchor.name == name for anchor in found):
            raise BadInput(f"the name {name!r} stands twice", where=table.where("name"))
        found.append(
            AnchorEngine(
                name=name,
                engine=_engine(table, directory),
                rating=table.number("rating"),
                rating_error=table.number("rating_error", least=0.0),
                limit=_limit(table.table("limit")) if table.has("limit") else None,
                version=table.text("version") if table.has("version") else None,
                source=table.text("source") if table.has("source") else None,
            )
        )
        table.asked.update(("limit", "version", "source"))
        table.close()
    return tuple(found)


def _limit(table: _Table, *, beside: frozenset[str] = frozenset()) -> Limit:
    members = {name: value for name, value in table.members.items() if name not in beside}
    table.asked.update(members)
    where = table.where()
    try:
        return Limit.from_json(members, where=where)
    except BadInput as error:
        if error.where == where:
            raise
        raise BadInput(error.what, where=where, next_step=error.next_step) from error


def _stage(stages: _Table, name: str) -> Stage:
    table = stages.table(name)
    pairs = table.whole("pairs")
    stage = Stage(limit=_limit(table, beside=frozenset({"pairs"})), pairs=pairs)
    table.close()
    return stage


def _book(table: _Table, directory: Path) -> BookChoice:
    order = table.choice("order", ("sequential", "random"), "sequential")
    variant = table.choice("variant", ("standard", "chess960"), "standard")
    book = BookChoice(
        path=_base(table, "file", directory) / table.text("file"),
        order="random" if order == "random" else "sequential",
        seed=table.whole("seed", 1, least=0),
        plies=table.whole("plies", least=0) if table.has("plies") else None,
        variant="chess960" if variant == "chess960" else "standard",
    )
    table.asked.add("plies")
    table.close()
    return book


_STAGE_TEST_KEYS = frozenset({"bounds", "model", "alpha", "beta", "max_pairs", "overshoot"})


def _oracle_stage(oracle: _Table, name: str) -> OracleStage:
    table = oracle.table(name)
    bounds = table.raw("bounds")
    if (
        not isinstance(bounds, list)
        or len(bounds) != 2
        or not all(isinstance(bound, int | float) and not isinstance(bound, bool) for bound in bounds)
        or not all(abs(bound) <= 10_000 for bound in bounds)
        or not bounds[0] < bounds[1]
    ):
        raise table.wrong("bounds", "two numbers of Elo, the lower first, such as [0.0, 2.0]")
    model = table.choice("model", ("normalized", "logistic"), "normalized")
    risks: dict[str, float] = {}
    for risk in ("alpha", "beta"):
        risks[risk] = table.number(risk, 0.05)
        if not 0.0 < risks[risk] < 0.5:
            raise table.wrong(risk, "a probability above 0 and below 0.5")
    stage = OracleStage(
        limit=_limit(table, beside=_STAGE_TEST_KEYS),
        bounds=(float(bounds[0]), float(bounds[1])),
        model="logistic" if model == "logistic" else "normalized",
        alpha=risks["alpha"],
        beta=risks["beta"],
        max_pairs=table.whole("max_pairs"),
        overshoot_corrected=table.choice("overshoot", ("none", "dynamic"), "none") == "dynamic",
    )
    table.close()
    return stage


def _rules(match: _Table) -> MatchRules:
    defaults = MatchRules()
    match.asked.update(("draw", "resign", "max_moves"))

    def optional(name: str, read: Callable[[_Table], T]) -> T | None:
        if not match.has(name):
            return None
        table = match.table(name)
        value = read(table)
        table.close()
        return value

    return MatchRules(
        draw=optional("draw", lambda t: DrawRule(t.whole("number"), t.whole("count"), t.whole("score", least=0))),
        resign=optional(
            "resign",
            lambda t: ResignRule(
                t.whole("count"), t.whole("score"), two_sided=t.choice("sides", ("both", "one"), "both") == "both"
            ),
        ),
        max_moves=match.whole("max_moves") if match.has("max_moves") else None,
        start_timeout=match.number("start_timeout", defaults.start_timeout, least=0.1),
        ping_timeout=match.number("ping_timeout", defaults.ping_timeout, least=0.1),
        stall_timeout=match.number("stall_timeout", defaults.stall_timeout, least=0.1),
        max_failures=match.whole("max_failures", defaults.max_failures),
    )
