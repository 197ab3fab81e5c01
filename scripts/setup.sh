#!/usr/bin/env bash
# Installs what is missing, says what and why, and is done at once when nothing is.
#
#   scripts/setup.sh demo    what `anchorhold demo` needs: Python environment, six engines, Node.js, two Stockfish builds
#   scripts/setup.sh test    that, and what the tests need
#
# Python packages go into .venv, the Stockfish builds into .engines, both inside this folder. Other programs come from
# Debian's packages through apt-get (sudo when not root), each only when it is not there.
set -eu
cd "$(dirname "$0")/.."

purpose=${1:-demo}
case $purpose in
demo | test) ;;
*)
    echo "usage: scripts/setup.sh demo|test" >&2
    exit 2
    ;;
esac

say() { printf 'setup: %s\n' "$*" >&2; }
fail() {
    say "$*"
    exit 1
}
# Debian puts games where root's PATH does not look.
there() { PATH="$PATH:/usr/games" command -v "$1" >/dev/null 2>&1; }

# --- programs of the system ------------------------------------------------------------------------------------------

missing=""
# need PROGRAM PACKAGE WHY
need() {
    if ! there "$1"; then
        case " $missing " in *" $2 "*) ;; *) missing="$missing $2" ;; esac
        say "$1 is missing: package $2, $3"
    fi
}

apt_updated=""
install_packages() {
    if ! there apt-get; then
        fail "there is no apt-get here: install these (Debian's names) with your own package manager, then call again: $*"
    fi
    local root=""
    if [ "$(id -u)" != 0 ]; then
        there sudo || fail "neither root nor sudo: have an administrator run: apt-get install --no-install-recommends $*"
        root="sudo"
    fi
    say "apt-get install $*"
    if [ -z "$apt_updated" ]; then
        $root apt-get update -qq || say "apt-get update failed; trying with the package lists that are there"
        apt_updated=yes
    fi
    # shellcheck disable=SC2086  # a list of words; the environment must reach apt-get through sudo
    $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null ||
        fail "apt-get could not install: $*. Its message stands above"
}

need ethereal-chess ethereal-chess "an anchor of the demo"
need toga2 toga2 "an anchor of the demo"
need gnuchess gnuchess "an anchor of the demo"
need phalanx phalanx "an anchor of the demo"
need hoichess hoichess "an anchor of the demo"
need fairymax fairymax "an anchor of the demo"
need node nodejs "runs both Stockfish builds of the demo"
need npm npm "fetches both Stockfish builds of the demo"
if [ "$purpose" = test ]; then
    need stockfish stockfish "the tests try the recipe of every engine"
    need glaurung glaurung "the tests try the recipe of every engine"
    need sjeng sjeng "the tests try the recipe of every engine"
    need chromium chromium "the tests look at the report in a browser"
    need pg_ctlcluster postgresql "the tests keep registers in a database of their own"
    need ssh-keygen openssh-client "the tests sign releases"
    need git git "the tests push to a repository with the gate's hook, and build from one"
    need cc gcc "the tests build an engine"
    need make make "the tests build an engine"
    if ! printf '#include <stdio.h>\n' | cc -E - >/dev/null 2>&1; then
        say "the C library's headers are missing: package libc6-dev, the tests build an engine"
        missing="$missing libc6-dev"
    fi
fi
# shellcheck disable=SC2086  # a list of words
[ -z "$missing" ] || install_packages $missing

# --- Python environment ----------------------------------------------------------------------------------------------

# A `python3` may be a shim of a version manager that leads nowhere, or too old: it counts only when it runs.
find_python() {
    for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11 /usr/bin/python3; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            echo "$candidate"
            return 0
        fi
    done
    return 1
}

if ! .venv/bin/python -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
    if ! python=$(find_python); then
        say "Python 3.11 or later is missing: packages python3 and python3-venv"
        install_packages python3 python3-venv
        python=$(find_python) || fail "this system's Python is older than 3.11: install a later one and call again with PYTHON=its path"
    fi
    if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        say "Python's venv is missing: package python3-venv, makes the environment in .venv"
        install_packages python3-venv
    fi
    say "making the Python environment .venv with $("$python" --version 2>&1)"
    rm -rf .venv
    "$python" -m venv .venv
fi

# The environment is as it should be when this stamp fits: same pins, same project file, same folder.
pins=$(cat constraints.txt pyproject.toml | cksum | tr -d ' \n')
stamp="$pins $PWD"
has_stamp() { [ "$(cat ".venv/.$1" 2>/dev/null)" = "$stamp" ]; }
pip_install() { .venv/bin/python -m pip install -qq --disable-pip-version-check -c constraints.txt "$@"; }

if ! has_stamp anchorhold-test && { [ "$purpose" = test ] || ! has_stamp anchorhold-demo; }; then
    say "installing the Python packages of constraints.txt into .venv (about a minute)"
    pip_install pip
    if [ "$purpose" = test ]; then
        pip_install --build-constraint constraints.txt -e '.[postgres,dask,web]' --group dev
    else
        pip_install --build-constraint constraints.txt -e .
    fi
    printf '%s' "$stamp" >".venv/.anchorhold-$purpose"
fi
# pip compiles what it installs, but not what it links to: a short command would take twice as long to load.
.venv/bin/python -m compileall -q src/anchorhold

# --- the two versions of main ----------------------------------------------------------------------------------------

old=8.0.0
new=15.0.0
version_of() { sed -n 's/^ *"version": *"\([^"]*\)".*/\1/p' ".engines/node_modules/$1/package.json" 2>/dev/null; }

if [ "$(version_of sf-old)" != "$old" ] || [ "$(version_of sf-new)" != "$new" ]; then
    say "fetching Stockfish.js $old and $new into .engines (about 10 MB; the demo's old and new main)"
    mkdir -p .engines
    npm install --prefix .engines --no-audit --no-fund --loglevel=error \
        "sf-old@npm:stockfish@$old" "sf-new@npm:stockfish@$new" >/dev/null ||
        fail "npm could not fetch them; its message stands above"
fi

# --- the engine that comes from PyPI ---------------------------------------------------------------------------------

# In an environment of its own, as an engine's users have it: its version of `chess` is not this program's.
sunfish=2026.1
if [ "$purpose" = test ] && [ "$(cat .tools/sunfish/version 2>/dev/null)" != "$sunfish" ]; then
    say "installing Sunfish $sunfish into .tools (the tests try the recipe of every engine)"
    rm -rf .tools/sunfish
    .venv/bin/python -m venv --without-pip .tools/sunfish
    .venv/bin/python -m pip --python .tools/sunfish/bin/python install -qq --disable-pip-version-check \
        "sunfish==$sunfish" || fail "pip could not install it; its message stands above"
    printf '%s' "$sunfish" >.tools/sunfish/version
fi

# --- what looks for barriers on pages --------------------------------------------------------------------------------

axe=4.11.0
axe_there() { sed -n '0,/"version"/s/^ *"version": *"\([^"]*\)".*/\1/p' .tools/node_modules/axe-core/package.json 2>/dev/null; }
if [ "$purpose" = test ] && [ "$(axe_there)" != "$axe" ]; then
    say "fetching axe-core $axe into .tools (the tests look for barriers on pages with it)"
    mkdir -p .tools
    npm install --prefix .tools --no-audit --no-fund --loglevel=error "axe-core@$axe" >/dev/null ||
        fail "npm could not fetch it; its message stands above"
fi
