"""One game as a state machine: rules of chess, clocks, adjudication. No process, no sleep, no clock of its own.

The caller says what an engine answered and after how many seconds; the arbiter says whether the game is over and why.
The clock is looked at before the move. Source: SPEC section 10. Seconds everywhere.
May import: chess, domain.games, domain.limits, anchorhold.matches.jobs, moves, tablebases.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import chess

from anchorhold.domain.games import MoveRecord, Opening, Result, Termination, Variant
from anchorhold.domain.limits import Limit
from anchorhold.matches.jobs import MatchRules
from anchorhold.matches.moves import Moves

if TYPE_CHECKING:
    from anchorhold.matches.tablebases import Tablebases

_SHOWN = 40
"""Characters of an unreadable move that are worth showing."""


@dataclass(frozen=True, slots=True)
class Side:
    """What bounds one side of the game."""

    limit: Limit
    margin: float
    """Seconds by which the clock may be overrun."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a game ended."""

    result: Result
    termination: Termination
    reason: str
    fault: chess.Color | None = None
    """Who lost by its own fault."""


@dataclass(slots=True)
class _Clock:
    left: float | None
    """None: this side plays without a clock."""
    to_go: int | None


def color_name(color: chess.Color) -> str:
    """``White`` or ``Black``."""
    return "White" if color else "Black"


def _moves(count: int) -> str:
    return "1 move" if count == 1 else f"{count} moves"


def win_for(color: chess.Color) -> Result:
    """The result when ``color`` wins."""
    return "1-0" if color else "0-1"


class Arbiter:
    """Referee of one game, from the opening to the result.

    Parameters
    ----------
    opening : Opening
        Starting position and book moves; the book moves count for repetitions, not on the clocks.
    variant : Variant
        ``standard`` or ``chess960``.
    white, black : Side
        Limits of the two sides.
    rules : MatchRules
        Adjudication, and the wall clock for moves without a clock.
    tablebases : Tablebases, optional
        Opened by the caller where ``rules`` ask for them.

    Raises
    ------
    BadInput
        The opening's position or one of its moves is not possible.
    """

    def __init__(
        self,
        *,
        opening: Opening,
        variant: Variant,
        white: Side,
        black: Side,
        rules: MatchRules,
        tablebases: Tablebases | None = None,
    ) -> None:
        self.variant = variant
        self.rules = rules
        self._tablebases = tablebases
        self.opening = opening
        self._sides = {chess.WHITE: white, chess.BLACK: black}
        self.moves = Moves(opening, variant)
        self.book_plies = len(opening.moves)
        self.records: list[MoveRecord] = []
        """The engines' moves."""
        self.verdict: Verdict | None = None
        self.turn = self.moves.position.turn
        """The side to move."""
        self.has_clock = any(side.limit.time_control is not None for side in (white, black))
        """Whether what an engine is told before its move changes from move to move."""
        self._clocks = {
            color: _Clock(
                left=None if side.limit.time_control is None else side.limit.time_control.base,
                to_go=None if side.limit.time_control is None else side.limit.time_control.moves,
            )
            for color, side in self._sides.items()
        }
        self._calm_plies = 0
        self._losing = {chess.WHITE: 0, chess.BLACK: 0}
        self._winning = {chess.WHITE: 0, chess.BLACK: 0}
        self._judge_by_the_board()

    # -- what the caller needs to know

    def limit(self, color: chess.Color) -> Limit:
        """The limit of one side."""
        return self._sides[color].limit

    def remaining(self, color: chess.Color) -> float | None:
        """Seconds on the clock of one side, never negative; None: it has no clock."""
        return self._clocks[color].left

    def moves_to_go(self, color: chess.Color) -> int | None:
        """Moves until the next time is added; None: there are no sessions."""
        return self._clocks[color].to_go

    @property
    def on_clock(self) -> bool:
        """Whether the time of the side to move is bounded by its limit, not only by what the referee waits at most."""
        return self._budget(self.turn) is not None

    @property
    def allowance(self) -> float:
        """Seconds after which the side to move need not be waited for any longer."""
        budget = self._budget(self.turn)
        return self.rules.stall_timeout if budget is None else budget + self._sides[self.turn].margin

    def _budget(self, color: chess.Color) -> float | None:
        left = self._clocks[color].left
        return self._sides[color].limit.movetime if left is None else left

    # -- what the caller has to say

    def answer(
        self,
        text: str,
        *,
        seconds: float,
        depth: int | None = None,
        score: int | None = None,
        mate: int | None = None,
        nodes: int | None = None,
        san_allowed: bool = False,
    ) -> str | None:
        """Take the answer of the side to move.

        Parameters
        ----------
        text : str
            The move as the engine wrote it.
        seconds : float
            Time it took.
        depth, score, mate, nodes : int, optional
            What the engine said about its move, from its own side.
        san_allowed : bool
            XBoard engines may write SAN.

        Returns
        -------
        str or None
            A warning about an unusual but unambiguous spelling.
        """
        assert self.verdict is None
        mover = self.turn
        if self._is_late(mover, seconds):
            self.time_is_up(seconds)
            return None
        taken = self.moves.take(text, san_allowed=san_allowed)
        if taken is None:
            shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
            said = f": {shown}" if shown else ": no move at all"
            self._fault(mover, "rules infraction", f"{color_name(mover)} makes an illegal move{said}")
            return None
        self._stop_clock(mover, seconds)
        self.turn = not mover
        self.records.append(MoveRecord(self.moves.played[-1], seconds, depth, score, mate, nodes))
        self._judge_by_the_board()
        if self._tablebases is not None and self.verdict is None:
            self._judge_by_tablebases(self._tablebases)
        if self.verdict is None:
            self._adjudicate(mover, score=score, mate=mate)
        return taken.warning

    def time_is_up(self, seconds: float | None = None) -> None:
        """The side to move has not answered within its allowance (None), or after ``seconds``, which is too late."""
        mover = self.turn
        budget = self._budget(mover)
        name = color_name(mover)
        if budget is None:
            self._fault(mover, "abandoned", f"{name} stalls: no answer in {self.allowance:g} s")
        else:
            used = "no answer" if seconds is None else f"{seconds:.3f} s used"
            allowed = f"{budget:.3f} s allowed and a margin of {self._sides[mover].margin:.3f} s"
            self._fault(mover, "time forfeit", f"{name} loses on time: {used}, {allowed}")

    def abandoned(self, color: chess.Color, how: str) -> None:
        """One side has ended or is silent: it loses. ``how`` is ``disconnects`` or ``stalls``."""
        self._fault(color, "abandoned", f"{color_name(color)} {how}")

    def resigns(self, color: chess.Color) -> None:
        """One side resigns."""
        self.verdict = Verdict(win_for(not color), "normal", f"{color_name(color)} resigns")

    def claims_result(self, color: chess.Color, text: str) -> None:
        """One side says that the game is over: true or a loss, it ends the game so; false, the claimant loses."""
        claimed = text.split()[0]
        if claimed == win_for(not color):
            self.resigns(color)
        elif claimed == "1/2-1/2" and self.moves.board().can_claim_draw():
            self.verdict = Verdict("1/2-1/2", "normal", f"draw claimed by {color_name(color)}")
        else:
            self._fault(color, "rules infraction", f"{color_name(color)} makes a false result claim: {text[:_SHOWN]}")

    def claims_illegal_move(self, color: chess.Color, text: str) -> None:
        """One side calls the opponent's move illegal; it was not, or the game would be over."""
        self._fault(
            color, "rules infraction", f"{color_name(color)} makes a false claim of an illegal move: {text[:_SHOWN]}"
        )

    # -- inside

    def _fault(self, color: chess.Color, termination: Termination, reason: str) -> None:
        self.verdict = Verdict(win_for(not color), termination, reason, fault=color)

    def _is_late(self, color: chess.Color, seconds: float) -> bool:
        budget = self._budget(color)
        return budget is not None and seconds > budget + self._sides[color].margin

    def _stop_clock(self, color: chess.Color, seconds: float) -> None:
        clock = self._clocks[color]
        control = self._sides[color].limit.time_control
        if clock.left is None or control is None:
            return
        # Within the margin nothing is owed: the clock goes to 0, never below.
        clock.left = max(0.0, clock.left - seconds) + control.increment
        if clock.to_go is not None and control.moves is not None:
            clock.to_go -= 1
            if clock.to_go == 0:
                clock.left += control.base
                clock.to_go = control.moves

    def _judge_by_the_board(self) -> None:
        """End the game where the rules of chess end it; mate comes before every draw."""
        position = self.moves.position
        if not position.can_move:
            if position.in_check:
                winner = not self.turn
                self.verdict = Verdict(win_for(winner), "normal", f"{color_name(winner)} mates")
            else:
                self.verdict = Verdict("1/2-1/2", "normal", "draw by stalemate")
        elif position.is_insufficient_material():
            self.verdict = Verdict("1/2-1/2", "normal", "draw by insufficient material")
        elif self.moves.occurrences >= 3:
            self.verdict = Verdict("1/2-1/2", "normal", "draw by threefold repetition")
        elif position.halfmove_clock >= 100:
            self.verdict = Verdict("1/2-1/2", "normal", "draw by fifty-move rule")

    def _judge_by_tablebases(self, tablebases: Tablebases) -> None:
        if self.moves.position.halfmove_clock:
            return  # no position that is looked up
        worth = tablebases.worth(self.moves.position.board())
        if worth == "draw":
            self.verdict = Verdict("1/2-1/2", "adjudication", "draw by adjudication: Syzygy tablebases")
        elif worth is not None:
            winner = self.turn if worth == "win" else not self.turn
            reason = f"{color_name(winner)} wins by adjudication: Syzygy tablebases"
            self.verdict = Verdict(win_for(winner), "adjudication", reason)

    def _adjudicate(self, mover: chess.Color, *, score: int | None, mate: int | None) -> None:
        """End the game where the match's own rules end it; a mate score is beyond every bound, no score within none."""
        rules = self.rules
        if rules.resign is not None:
            low = score is not None and score <= -rules.resign.score if mate is None else mate <= 0
            high = score is not None and score >= rules.resign.score if mate is None else mate > 0
            self._losing[mover] = self._losing[mover] + 1 if low else 0
            self._winning[mover] = self._winning[mover] + 1 if high else 0
            for loser in (chess.WHITE, chess.BLACK):
                agreed = not rules.resign.two_sided or self._winning[not loser] >= rules.resign.count
                if self._losing[loser] >= rules.resign.count and agreed:
                    who = "both sides" if rules.resign.two_sided else color_name(loser)
                    self.verdict = Verdict(
                        win_for(not loser),
                        "adjudication",
                        f"{color_name(not loser)} wins by adjudication: {who} saw a score beyond {rules.resign.score} "
                        f"for {_moves(rules.resign.count)}",
                    )
                    return
        if rules.draw is not None:
            calm = mate is None and score is not None and abs(score) <= rules.draw.score
            self._calm_plies = self._calm_plies + 1 if calm else 0
            # After Black's move the counter already shows the next number.
            number = self.moves.position.fullmove_number - (0 if mover else 1)
            if number >= rules.draw.number and self._calm_plies >= 2 * rules.draw.count:
                self.verdict = Verdict(
                    "1/2-1/2",
                    "adjudication",
                    f"draw by adjudication: both sides within {rules.draw.score} for {_moves(rules.draw.count)}",
                )
                return
        if rules.max_moves is not None and len(self.moves.played) >= 2 * rules.max_moves:
            self.verdict = Verdict("1/2-1/2", "adjudication", f"draw by adjudication: {_moves(rules.max_moves)} played")
