"""The environment of a build: what it needs and what chooses its compiler, and nothing else of the caller's.

May import: nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

FLAGS = (
    "AR", "AS", "CC", "CFLAGS", "CPPFLAGS", "CXX", "CXXFLAGS", "LD", "LDFLAGS", "LDLIBS", "RUSTC", "RUSTFLAGS",
    "CARGO_BUILD_TARGET", "CARGO_ENCODED_RUSTFLAGS", "RUSTUP_TOOLCHAIN", "GOFLAGS", "GOARCH", "GOAMD64", "CGO_CFLAGS",
    "CGO_CXXFLAGS", "CGO_ENABLED", "GHCFLAGS", "DFLAGS", "CMAKE_BUILD_TYPE", "CMAKE_GENERATOR",
)  # fmt: skip
"""Variables that choose a compiler or what it makes: they pass, and are recorded."""

_PASSED = frozenset({
    "PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "CARGO_HOME", "RUSTUP_HOME", "GOPATH", "GOCACHE", "GOMODCACHE",
    "GOPROXY", "JAVA_HOME", "DOTNET_ROOT", "CCACHE_DIR", "PKG_CONFIG_PATH", "LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy",
    "https_proxy", "no_proxy",
})  # fmt: skip
"""Without these compilers do not find themselves, their caches or the network; MAKEFLAGS is not among them: it would
hand the job server of a caller's make down."""

_OF_ONE_REPOSITORY = frozenset({
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_CONFIG", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS",
    "GIT_DIR", "GIT_GRAFT_FILE", "GIT_INDEX_FILE", "GIT_NAMESPACE", "GIT_NO_REPLACE_OBJECTS", "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX", "GIT_QUARANTINE_PATH", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_WORK_TREE",
})  # fmt: skip
"""What ``git rev-parse --local-env-vars`` lists, and the like: inside a hook they name the hook's repository."""


def flags_of(environment: Mapping[str, str], own: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the variables that decide what a build makes: those of the caller that are known to, and the settings'."""
    return {name: environment[name] for name in FLAGS if environment.get(name)} | dict(own)


def build_environment(environment: Mapping[str, str], *, flags: Mapping[str, str], moment: int) -> dict[str, str]:
    """Return the environment in which a revision is built.

    Parameters
    ----------
    environment : Mapping
        The caller's.
    flags : Mapping
        From ``flags_of``.
    moment : int
        Seconds since 1970 of the commit: compilers that know SOURCE_DATE_EPOCH write it instead of today's date.
    """
    passed = {name: value for name, value in environment.items() if name in _PASSED}
    return {**passed, "LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": str(moment), **flags}


def git_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the caller's environment for git, which must find the repository by itself and ask nobody."""
    kept = {name: value for name, value in environment.items() if name not in _OF_ONE_REPOSITORY}
    return {**kept, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"}
