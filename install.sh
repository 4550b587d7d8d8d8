#!/bin/sh
# Builds Steadfast, installs its two executables and puts the hooks into a project's Claude Code settings.

set -eu

usage() {
    cat <<'USAGE'
Usage: ./install.sh [OPTIONS] [PROJECT]

Installs steadfast and steadfast-hook, then puts the hooks into the Claude Code settings of PROJECT (default: the
current directory), and the slash commands beside them. Foreign hooks and settings stay. Running it again changes nothing
more.

Options:
  --scope SCOPE    local (default): PROJECT/.claude/settings.local.json
                   project: PROJECT/.claude/settings.json, shared with everyone
                   user: ~/.claude/settings.json, every project
  --prefix DIR     install under DIR/bin (default: $PREFIX, else ~/.local)
  --bin-dir DIR    install into DIR
  --from DIR       take the executables from DIR instead of building them
  --fail-closed    clients that know it block a call when the hook itself crashes, hangs or is missing
  --uninstall      take the hooks and the slash commands out again; nothing else is removed
  -h, --help       show this
USAGE
}

fail() {
    printf 'install.sh: %s\n' "$*" >&2
    exit 1
}

# Each missing tool with the way to get it, all at once.
check_tools() {
    missing=
    if ! command -v cargo >/dev/null 2>&1; then
        missing="$missing
  cargo: Rust 1.89 or newer, from https://rustup.rs or your package manager"
    fi
    if ! command -v cc >/dev/null 2>&1; then
        missing="$missing
  cc: a C compiler for the grammars (Debian: apt install build-essential; macOS: xcode-select --install)"
    fi
    if ! command -v git >/dev/null 2>&1; then
        missing="$missing
  git: your package manager has it (Debian: apt install git)"
    fi
    [ -z "$missing" ] || fail "missing:$missing"
}

# Builds in the clone and prints the directory of the executables.
build() {
    check_tools
    # Run in the clone, so that its own cargo configuration counts.
    (cd "$source" && cargo build --release --locked --bins) >&2 || fail "the build failed"
    target=${CARGO_TARGET_DIR:-$source/target}
    host=${CARGO_BUILD_TARGET:-$(cd "$source" && rustc -vV | sed -n 's/^host: //p')}
    for directory in "$target/$host/release" "$target/release"; do
        if [ -x "$directory/steadfast-hook" ]; then
            printf '%s\n' "$directory"
            return
        fi
    done
    fail "the build left no executables under $target"
}

# Copies one executable in a single step: a session that runs the old one is not disturbed.
place() {
    temporary="$bin_dir/.$1.$$"
    if cp "$from/$1" "$temporary" && chmod 755 "$temporary" && mv -f "$temporary" "$bin_dir/$1"; then
        return
    fi
    rm -f "$temporary"
    fail "cannot install $bin_dir/$1"
}

source=$(cd "$(dirname "$0")" && pwd)
project=
scope=local
prefix=${PREFIX:-}
bin_dir=
from=
uninstall=no
fail_closed=

needs_value() {
    [ "$2" -ge 2 ] || fail "$1 needs a value"
}

while [ $# -gt 0 ]; do
    case $1 in
    --scope) needs_value "$1" $# && scope=$2 && shift ;;
    --prefix) needs_value "$1" $# && prefix=$2 && shift ;;
    --bin-dir) needs_value "$1" $# && bin_dir=$2 && shift ;;
    --from) needs_value "$1" $# && from=$2 && shift ;;
    --fail-closed) fail_closed=--fail-closed ;;
    --uninstall) uninstall=yes ;;
    -h | --help)
        usage
        exit 0
        ;;
    -*) fail "unknown option $1 (see --help)" ;;
    *)
        [ -z "$project" ] || fail "more than one project: $project and $1"
        project=$1
        ;;
    esac
    shift
done

case $scope in
local | project | user) ;;
*) fail "--scope is local, project or user, not $scope" ;;
esac
project=${project:-.}
[ -d "$project" ] || fail "$project is not a directory"
project=$(cd "$project" && pwd)

if [ -z "$bin_dir" ]; then
    [ -n "$prefix" ] || [ -n "${HOME:-}" ] || fail "HOME is not set; give --prefix or --bin-dir"
    bin_dir=${prefix:-$HOME/.local}/bin
fi

if [ "$uninstall" = yes ]; then
    for directory in "$bin_dir" ${from:+"$from"}; do
        if [ -x "$directory/steadfast" ]; then
            exec "$directory/steadfast" uninstall --project "$project" --scope "$scope"
        fi
    done
    fail "steadfast is not in $bin_dir; give --bin-dir or --from"
fi

if [ -n "$from" ]; then
    for name in steadfast steadfast-hook; do
        [ -x "$from/$name" ] || fail "$from/$name is missing or not executable"
    done
else
    from=$(build)
fi

mkdir -p "$bin_dir"
bin_dir=$(cd "$bin_dir" && pwd)
place steadfast-hook
place steadfast
printf 'Installed steadfast and steadfast-hook in %s.\n' "$bin_dir"
case ":${PATH:-}:" in
*":$bin_dir:"*) ;;
*) printf 'That directory is not on PATH: add it, so that "steadfast status" and "steadfast undo" are found.\n' ;;
esac

exec "$bin_dir/steadfast" install --project "$project" --scope "$scope" --bin-dir "$bin_dir" \
    ${fail_closed:+"$fail_closed"}
