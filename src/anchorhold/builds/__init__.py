"""Main from source: revisions of a git repository, built in clean worktrees and kept by commit and command."""
