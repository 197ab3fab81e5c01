"""What a report knows: from a result alone, from a document, from a register."""

import pytest

from anchorhold.domain.contract import edition
from anchorhold.errors import BadInput, BadState
from anchorhold.report.frame import contract_of_result
from anchorhold.report.viewing import view_of_check, view_of_result
from anchorhold.stats.elo import elo_from_pentanomial
from checks.project import AHEAD, EVEN, Project, gain, make_project
from report.samples import case


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A register with a closed check (attempt 2 of its window), and one that is open."""
    made = make_project(tmp_path_factory.mktemp("project"), direct=50)
    made.pin()
    made.append("gain_test", gain(12.0))
    made.append("special_path", {"special": "simplification", "id": "dev-2"})
    made.open("v1", "v2")
    with made.register() as register:
        from anchorhold.checks.closing import abandon_check

        abandon_check(register, reason="the machine was needed", author="Ada")
    made.open("v1", "v2")
    made.close(old=EVEN, new=AHEAD)
    made.open("v2", "v3")
    return made


def test_a_register_tells_everything_around_the_result(project: Project) -> None:
    view = view_of_check(project.entries(), None)
    (_abandoned, closed, _open) = project.checks()
    assert closed.closed is not None
    assert view.check == closed.id
    assert (view.old and view.old.version, view.new and view.new.version) == ("v1", "v2")
    assert view.old is not None
    assert view.old.sha256 is not None
    assert view.attempts == 2
    assert (view.opened_at, view.closed_at) == (closed.opened.recorded_at, closed.closed.recorded_at)
    assert view.closing_hash == closed.closed.hash
    assert view.planned_pairs == {"long": 50, "direct": 50}
    assert view.conditions["depth"] == 1
    assert {(games.endpoint, games.stage) for games in view.games} == {
        ("old", "long"),
        ("new", "long"),
        ("direct", "long"),
    }
    assert len(view.anchors) == 6
    assert view.anchor_set_digest is not None
    assert view.result.r is not None


def test_the_counts_of_the_register_are_those_that_delta_rests_on(project: Project) -> None:
    view = view_of_check(project.entries(), None)
    for anchor in view.result.anchors:
        sample = view.sample("new", anchor.name)
        assert sample is not None
        assert sample.pentanomial is not None
        assert sample.pentanomial.as_tuple() == AHEAD
        assert anchor.new.delta == pytest.approx(elo_from_pentanomial(sample.pentanomial).elo)
    assert sum(sample.games for sample in view.samples) == 100 * 13


def test_every_entry_of_the_window_is_listed_once_with_the_reason(project: Project) -> None:
    view = view_of_check(project.entries(), None)
    assert view.window is not None
    assert [claim.seq for claim in view.claims] == list(range(view.window[0] + 1, view.window[1] + 1))
    (counted,) = [claim for claim in view.claims if claim.counted]
    assert (counted.id, counted.long and counted.long.elo, counted.why) == ("dev-1", 12.0, "")
    assert all(claim.why for claim in view.claims if not claim.counted)


def test_a_check_without_a_result_is_refused_with_the_reason(project: Project) -> None:
    abandoned, _closed, still_open = project.checks()
    with pytest.raises(BadState, match="abandoned"):
        view_of_check(project.entries(), abandoned.id)
    with pytest.raises(BadState, match="still open"):
        view_of_check(project.entries(), still_open.id)
    with pytest.raises(BadState, match="no check 'check-99'"):
        view_of_check(project.entries(), "check-99")
    with pytest.raises(BadState, match="no check of the register is closed"):
        view_of_check(project.entries()[:1], None)


def test_a_claim_without_a_reported_value_shows_the_one_of_its_counts() -> None:
    view = case("case-28")
    claims = {claim.seq: claim for claim in view.claims}
    counted = [claims[seq].long for seq in view.result.counted]
    assert sum(stage.elo for stage in counted if stage and stage.elo is not None) == pytest.approx(view.result.s)
    assert any(claim.short and claim.short.from_counts for claim in view.claims)


def test_counts_that_are_none_are_left_to_the_result_to_name() -> None:
    from report.samples import defective

    view = defective()
    spoilt, missing = view.result.anchors[0].name, view.result.anchors[1].name
    assert view.sample("old", spoilt) is None
    assert view.sample("new", missing) is None
    assert view.result.verdict == "DEFECTIVE"


def test_the_contract_of_a_result_is_found_by_edition_and_digest() -> None:
    result = case("case-28").result
    assert contract_of_result(result) is edition(7)
    unknown = result.model_copy(update={"contract": result.contract.model_copy(update={"edition": 70})})
    with pytest.raises(BadInput, match="edition 70, which is not at hand"):
        view_of_result(unknown)
    forged = result.model_copy(update={"contract": result.contract.model_copy(update={"digest": "0" * 64})})
    with pytest.raises(BadInput, match="with digest 000000000000…"):
        view_of_result(forged)
    own = edition(7).model_copy(update={"edition": 70})
    assert view_of_result(unknown, own=own).contract is own
