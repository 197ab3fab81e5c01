import io

from rich.console import Console

from anchorhold.cli.match_figures import Meeting, SprtState
from anchorhold.cli.match_live import live_table
from anchorhold.stats.figures import printed_elo
from anchorhold.stats.outcomes import Pentanomial, Trinomial
from anchorhold.stats.sprt import Sprt


def shown(meeting: Meeting, state: SprtState | None) -> str:
    out = io.StringIO()
    Console(file=out, width=160).print(live_table([meeting], state))
    return out.getvalue()


def meeting(pairs: Pentanomial, *, first: str = "A") -> Meeting:
    estimate = printed_elo(pairs) if pairs.pairs else None
    return Meeting(first, "B", pairs, Trinomial(1, 1, 1), estimate, "" if estimate else "no class is occupied")


def test_the_live_table_has_the_figures_of_every_meeting() -> None:
    test = Sprt(0.0, 5.0)
    pairs = Pentanomial(20, 130, 180, 150, 20)
    text = shown(meeting(pairs), SprtState(test, test.llr(pairs), "undecided"))
    for figure in ("500", "+6.95 ± 14.28", "+10.49 ± 21.53", "83.00 %", "36.00 %", "1.13", "[20, 130, 180, 150, 20]"):
        assert figure in text
    assert "+0.33 (-2.94, 2.94)" in text


def test_before_the_first_pair_the_cells_are_empty_and_names_are_taken_as_they_are() -> None:
    text = shown(meeting(Pentanomial(0, 0, 0, 0, 0), first="[red]A[/red]"), None)
    assert "[red]A[/red] – B" in text
    assert "nan" not in text
    assert "LLR" not in text
