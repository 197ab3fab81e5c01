"""What the demo says around its commands, in English and German.

May import: anchorhold.report.texts.
"""

from __future__ import annotations

from dataclasses import dataclass

from anchorhold.report.languages import Language


@dataclass(frozen=True, slots=True)
class DemoTexts:
    """Sentences in one language; words in braces are filled in."""

    language: Language
    welcome: str
    resumed: str
    other_builds: str
    register: str
    anchors: str
    oracle: str
    not_passed: str
    check: str
    short: str
    gate: str
    report: str
    done: str
    interrupted: str
    stuck: str


ENGLISH = DemoTexts(
    language="en",
    welcome="Is the progress from {old} to version 15 there against strangers too? All of it happens in {folder}.",
    resumed="The last run was not finished: going on with it.",
    other_builds=(
        "Note: {names}: another build than the one whose rating was measured on {measured}. Its rating is used all the"
        " same; a real project measures its own anchors."
    ),
    register="A register, to which entries are only ever added",
    anchors="Six foreign engines become anchors: hashed, with ratings measured beforehand",
    oracle="The oracle: two sequential tests of the new version against the old; what they confirm is the claim S",
    not_passed="The oracle did not confirm the gain, so nothing is claimed: the check can only find a GAP.",
    check="The check: both versions against every anchor, from the same openings; the increase is ΔA, and R = ΔA / S",
    short="This was a short match: where the band above is wide, it is because the games were few.",
    gate="The gate: may merging go on?",
    report="The report",
    done="\nThat took {seconds:.0f} s. The whole check on one page: {report}",
    interrupted="anchorhold: the demo was interrupted; call it again, and it goes on where it stopped",
    stuck="anchorhold: this run cannot go on as it was begun; 'anchorhold demo --fresh' begins a new one",
)

GERMAN = DemoTexts(
    language="de",
    welcome=("Ist der Fortschritt von {old} zu Fassung 15 auch gegen Fremde da? Alles geschieht im Ordner {folder}."),
    resumed="Der letzte Lauf wurde nicht fertig: er geht weiter.",
    other_builds=(
        "Hinweis: {names}: anders gebaut als das Programm, dessen Wertung am {measured} gemessen wurde. Die Wertung"
        " gilt hier trotzdem; ein wirkliches Projekt misst seine Anker selbst."
    ),
    register="Ein Register, dem nur hinzugefügt wird",
    anchors="Sechs fremde Programme werden Anker: mit Prüfsummen und vorher gemessenen Wertungen",
    oracle=(
        "Das Orakel: zwei sequentielle Tests der neuen Fassung gegen die alte; was sie bestätigen, ist die Behauptung S"
    ),
    not_passed="Das Orakel hat den Gewinn nicht bestätigt, nichts ist behauptet: die Prüfung findet nur eine LÜCKE.",
    check=(
        "Die Prüfung: beide Fassungen gegen jeden Anker, aus denselben Eröffnungen; der Zuwachs ist ΔA, und R = ΔA / S"
    ),
    short="Das war ein kurzer Wettkampf: ein breites Band oben kommt von der kleinen Zahl der Partien.",
    gate="Die Sperre: darf weiter zusammengeführt werden?",
    report="Der Bericht",
    done="\nDas dauerte {seconds:.0f} s. Die ganze Prüfung auf einer Seite: {report}",
    interrupted="anchorhold: die Vorführung wurde unterbrochen; der nächste Aufruf macht dort weiter",
    stuck="anchorhold: dieser Lauf kann so nicht weitergehen; 'anchorhold demo --fresh' beginnt einen neuen",
)


def demo_texts(language: Language) -> DemoTexts:
    """Return the sentences of a language."""
    return GERMAN if language == "de" else ENGLISH
