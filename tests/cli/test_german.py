"""What commands and pages say in German: no message of any catalogue is left in English, and JSON stays as it is."""

import json
import os
import re
import subprocess
import sys
from html import unescape
from importlib import resources
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from typer.testing import CliRunner

from anchorhold.canonical import canonical_json
from anchorhold.cli.app import app
from anchorhold.cli.texts import texts_in
from anchorhold.domain.sentences import Figure, Sentence, joined, said_in
from checks.project import AHEAD, EVEN, Project, gain
from gate.keys import make_key, public, signers_file
from gate.today import make_project_of_today
from report.messages import messages_of
from web.samples import register_at

DE, EN = texts_in("de"), texts_in("en")
PLACE = re.compile(r"\{[a-z0-9_]+\}")


def catalogue(package: str) -> dict[str | tuple[str, ...], str | tuple[str, ...]]:
    place = resources.files(package) / "locale" / "de" / "LC_MESSAGES" / "anchorhold.po"
    with place.open("rb") as handle:
        found = read_po(handle, abort_invalid=True)
    return {frozen(message.id): frozen(message.string) for message in found if message.id}


def frozen(text: str | list[str] | tuple[str, ...] | None) -> str | tuple[str, ...]:
    return text or "" if text is None or isinstance(text, str) else tuple(text)


def english_left(text: str) -> list[str]:
    """Pieces of English messages, of two words or more, that stand in a text that should be German."""
    left = []
    for package in ("anchorhold.report", "anchorhold.web", "anchorhold.cli"):
        for message, translation in catalogue(package).items():
            for english in [message] if isinstance(message, str) else message:
                german = " ".join([translation] if isinstance(translation, str) else translation)
                for piece in PLACE.split(english):
                    words = re.findall(r"[a-z]{2,}", piece)
                    if len(words) > 1 and len(piece) > 11 and piece not in german and piece.strip() in text:
                        left.append(piece)
    return left


def test_every_message_of_the_commands_has_a_german_translation_with_the_same_places() -> None:
    found = catalogue("anchorhold.cli")
    assert sorted(map(str, messages_of("cli") ^ set(found))) == []
    for message, translation in found.items():
        one, other = (" ".join([text] if isinstance(text, str) else text) for text in (message, translation))
        assert other
        assert set(PLACE.findall(one)) == set(PLACE.findall(other)), message


def test_a_sentence_is_its_english_text_and_can_be_said_in_german_with_german_numbers() -> None:
    closed = Sentence("check {check} closed with {verdict}", check="c{1}", verdict=Sentence("HALT"))
    sentence = Sentence("{closed}, R = {r}", closed=closed, r=Figure(0.25, 2))
    assert sentence == "check c{1} closed with HALT, R = 0.25"
    assert said_in(DE, sentence) == "Prüfung c{1} schloss mit HALT, R = 0,25"
    assert said_in(EN, sentence) == sentence
    assert said_in(DE, "as it is {x}") == "as it is {x}"
    assert said_in(DE, joined("; ", [Sentence("it is not signed"), "{x}"])) == "sie ist nicht unterschrieben; {x}"
    assert json.loads(json.dumps({"reason": sentence})) == {"reason": sentence}
    assert canonical_json({"reason": sentence}) == canonical_json({"reason": str(sentence)})


@pytest.fixture(scope="module")
def halted(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A CONTINUE, then a HALT whose first release has no effect, then a check that lacks its measurements."""
    directory = tmp_path_factory.mktemp("german")
    project = make_project_of_today(directory / "project")
    key = make_key(directory / "key")
    signers_file(project.directory / "signers", f'ada namespaces="anchorhold" {public(key)}')
    project.edit("[book]", '[gate]\nallowed_signers = "signers"\nmax_unaudited_tests = 0\n\n[book]')
    project.pin()
    project.append("gain_test", gain(12.0))
    project.open("v1", "v2")
    project.close(old=EVEN, new=AHEAD)
    project.append("gain_test", gain(12.0, name="dev-2"))
    project.open("v2", "v3")
    project.close(old=EVEN, new=EVEN)
    halt = project.entries()[-1].hash
    project.append("release", {"halt": halt, "check": "check-2", "reviewer": "bea", "reason": "none"})
    project.append("gain_test", gain(3.5, name="dev-3"))
    project.append("retraction", {"of": "dev-1"})
    project.open("v3", "v4")
    return project


def run(project: Project, *words: str, status: int = 0) -> str:
    done = CliRunner().invoke(app, [*words, "--config", str(project.config_path)], catch_exceptions=False)
    assert done.exit_code == status, done.stderr
    return done.stdout


def test_the_gate_says_in_german_what_holds_it_and_what_opens_it(halted: Project) -> None:
    said = run(halted, "gate", "--lang", "de", status=1)
    assert said.startswith("Merges sind angehalten: Prüfung check-2 schloss mit HALT, R = 0 (Eintrag ")
    assert "und keine Freigabe davon gilt; 1 Gewinntests sind ungeprüft, 0 sind erlaubt." in said
    assert "öffnet es mit: anchorhold release check-2" in said
    assert "durch bea bleibt ohne Wirkung: sie ist nicht unterschrieben." in said
    assert english_left(said) == []
    assert run(halted, "gate", "--json", "--lang", "de", status=1) == run(halted, "gate", "--json", status=1)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("check", "list"), "check-2  "),
        (("check", "show", "check-1"), "geplant: 50 Paare gegen jeden von 6 Ankern je Version; Vertragsfassung 7"),
        (("check", "show"), "fehlt: neu, lange Stufe"),
        (("claims", "--all", "--tests"), "geschlossen von check-1: WEITER"),
        (("claims",), "Rückholung; was sie nennt, bleibt in S."),
        (
            ("gate", "--self-test"),
            "stimmt: ein HALT schließt das Tor (das Tor ist geschlossen, das letzte Urteil HALT)",
        ),
    ],
)
def test_what_a_command_says_in_german_has_no_english_left(
    halted: Project, words: tuple[str, ...], expected: str
) -> None:
    said = run(halted, *words, "--lang", "de")
    assert expected in said
    assert english_left(said) == []


def test_opening_and_releasing_are_said_in_german(tmp_path: Path) -> None:
    project = make_project_of_today(tmp_path / "project")
    key = make_key(tmp_path / "key")
    signers_file(project.directory / "signers", f'ada namespaces="anchorhold" {public(key)}')
    project.edit("[book]", '[gate]\nallowed_signers = "signers"\n\n[book]')
    project.pin()
    project.append("gain_test", gain(12.0))
    opened = run(project, "check", "open", "--old", "v1", "--new", "v2", "--lang", "de")
    assert "v1 auf v2, 50 Paare gegen jeden von 6 Ankern je Version; Fenster: Einträge 2 bis " in opened
    project.close(old=EVEN, new=EVEN)
    words = ("release", "check-1", "--reviewer", "ada", "--reason", "Buch", "--key", str(key), "--lang", "de")
    released = run(project, *words)
    assert released.startswith("ada hat den HALT von check-1 freigegeben (Eintrag ")
    after = run(project, "gate", "--lang", "de")
    assert after.startswith("Es darf weiter gemergt werden: Prüfung check-1 schloss mit HALT, R = 0, und ada hat frei")
    assert english_left(opened + released + after) == []


def test_german_pages_of_site_and_dashboard_have_no_english_left(halted: Project, tmp_path: Path) -> None:
    run(halted, "site", "-o", str(tmp_path / "site"), "--json")
    pages = {str(path): path.read_text(encoding="utf-8") for path in (tmp_path / "site" / "de").rglob("*.html")}
    assert len(pages) == 1 + 1 + 2
    index = pages[str(tmp_path / "site" / "de" / "index.html")]
    assert "Merges sind angehalten: Prüfung check-2 schloss mit HALT" in index
    for name, page in pages.items():
        # What somebody recorded, and names of commands, are no texts of ours.
        shown = re.sub(r"<(style|pre|code)[^>]*>.*?</\1>|<!--.*?-->|<[^>]*>", " ", page, flags=re.DOTALL)
        assert english_left(unescape(shown)) == [], name


def test_the_locale_alone_makes_the_dashboard_speak_german(tmp_path: Path) -> None:
    register_at(tmp_path / "r.sqlite")
    environment = {**os.environ, "ANCHORHOLD_LANG": "de"}
    command = [sys.executable, "-m", "anchorhold", "serve", "--port", "0", "--register", "r.sqlite"]
    with subprocess.Popen(command, cwd=tmp_path, text=True, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline().startswith("Erreichbar unter http://127.0.0.1:")
            assert process.stdout.readline() == "Strg-C beendet.\n"
        finally:
            process.terminate()
