"""A project whose entries carry the time of now: releases are judged by it, and the command has no other clock."""

from pathlib import Path

from anchorhold.register.store import Register
from checks.project import Project, make_project


class ProjectOfToday(Project):
    """Its register has the clock of this machine."""

    def register(self) -> Register:
        return Register.open(str(self.register_path))


def make_project_of_today(directory: Path) -> Project:
    return ProjectOfToday(make_project(directory).directory)
