"""Revisions are commits, by name or not at all."""

from pathlib import Path

import pytest

from anchorhold.builds.environment import git_environment
from anchorhold.builds.git import Source
from anchorhold.errors import BadInput
from builds.repository import ENVIRONMENT, EngineRepository


def source(directory: Path) -> Source:
    return Source(directory, environment=git_environment(ENVIRONMENT))


def test_a_tag_keeps_its_name_and_everything_else_is_called_by_its_id(repository: EngineRepository) -> None:
    found = source(repository.directory)
    second = repository.git("rev-parse", "v2")
    assert (found.commit("v2").name, found.commit("v2").id) == ("v2", second)
    assert {found.commit(name).name for name in (second, second[:9], "master~1", "HEAD^")} == {second[:12]}
    assert found.commit("v2").subject == "Prune more"


def test_a_tag_goes_before_a_branch_of_its_name_as_in_git(repository: EngineRepository) -> None:
    repository.git("branch", "v1", "v2")
    assert source(repository.directory).commit("v1").id == repository.git("rev-parse", "refs/tags/v1")


def test_an_annotated_tag_is_the_commit_that_it_points_to(repository: EngineRepository) -> None:
    repository.git("tag", "-a", "-m", "Release", "v3", "master")
    found = source(repository.directory).commit("v3")
    assert (found.name, found.id) == ("v3", repository.git("rev-parse", "master"))


@pytest.mark.parametrize(
    "revision", ["nowhere", "-v", "--all", "--output=x", "^v1", "v1..v2", "", "v1\n", "v1:engine.c", "0" * 40, "\udcff"]
)
def test_what_is_no_commit_is_refused(repository: EngineRepository, revision: str) -> None:
    with pytest.raises(BadInput, match="there is no revision") as refused:
        source(repository.directory).commit(revision)
    assert "\n" not in str(refused.value)


def test_an_unknown_revision_is_answered_with_the_nearest(repository: EngineRepository) -> None:
    with pytest.raises(BadInput, match="did you mean 'master'"):
        source(repository.directory).commit("mastre")


def test_head_with_changes_that_are_not_committed_is_refused(repository: EngineRepository) -> None:
    repository.write("notes.txt", "not tracked\n")
    found = source(repository.directory)
    assert found.commit("HEAD").id == repository.git("rev-parse", "HEAD")
    repository.edit("engine.c", "#define SEED 3", "#define SEED 4")
    with pytest.raises(BadInput, match=r"has changes that HEAD does not: engine\.c"):
        found.commit("HEAD")
    assert found.commit("master").id == repository.git("rev-parse", "HEAD")


def test_any_directory_of_a_repository_and_a_bare_one_will_do(repository: EngineRepository, tmp_path: Path) -> None:
    (repository.directory / "deep").mkdir()
    assert source(repository.directory / "deep").commit("HEAD").id == repository.git("rev-parse", "HEAD")
    repository.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare.git"))
    assert source(tmp_path / "bare.git").commit("HEAD").id == repository.git("rev-parse", "HEAD")


def test_what_is_no_repository_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is no git repository"):
        source(tmp_path)
    with pytest.raises(BadInput, match="there is no such directory"):
        source(tmp_path / "nowhere")
