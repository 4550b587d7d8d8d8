#!/bin/sh
# Takes Steadfast's executable from the archive that this script came with, or builds it; installs it under its two names
# and puts the hooks into a project's Claude Code settings.

set -eu

usage() {
    cat <<'USAGE'
Usage: ./install.sh [OPTIONS] [PROJECT]

Installs steadfast and steadfast-hook, then puts the hooks into the Claude Code settings of PROJECT (default: the
current directory), and the slash commands beside them. Foreign hooks and settings stay. Running it again changes nothing
more.

The executable is the one beside this script (an unpacked release), or in a release archive for this system beside this
script, whose checksum is compared where SHA256SUMS is there as well; else it is built, which takes minutes.

Options:
  --scope SCOPE    local (default): PROJECT/.claude/settings.local.json
                   project: PROJECT/.claude/settings.json, shared with everyone
                   user: ~/.claude/settings.json, every project
  --prefix DIR     install under DIR/bin (default: $PREFIX, else ~/.local)
  --bin-dir DIR    install into DIR
  --from DIR       take the executable from DIR
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
  cargo: Rust 1.91 or newer, from https://rustup.rs or your package manager"
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

# Builds in the clone and prints the directory of the executable.
build() {
    check_tools
    # Run in the clone, so that its own cargo configuration counts.
    (cd "$source" && cargo build --release --locked --bin steadfast) >&2 || fail "the build failed"
    target=${CARGO_TARGET_DIR:-$source/target}
    host=${CARGO_BUILD_TARGET:-$(cd "$source" && rustc -vV | sed -n 's/^host: //p')}
    for directory in "$target/$host/release" "$target/release"; do
        if [ -x "$directory/steadfast" ]; then
            printf '%s\n' "$directory"
            return
        fi
    done
    fail "the build left no executable under $target"
}

# The name that releases have for this system; nothing where they have none.
system() {
    case $(uname -s)-$(uname -m) in
    Linux-x86_64) printf 'x86_64-unknown-linux-gnu' ;;
    Linux-aarch64 | Linux-arm64) printf 'aarch64-unknown-linux-gnu' ;;
    Darwin-x86_64) printf 'x86_64-apple-darwin' ;;
    Darwin-arm64) printf 'aarch64-apple-darwin' ;;
    esac
}

# Prints the SHA-256 of a file.
digest() {
    if command -v sha256sum >/dev/null 2>&1; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1
}

# Unpacks the release archive $1 into the scratch folder and prints the directory of the executable.
unpack() {
    if [ -f "$source/SHA256SUMS" ]; then
        wanted=$(grep -F "  ${1##*/}" "$source/SHA256SUMS" | cut -d' ' -f1)
        [ "$wanted" = "$(digest "$1")" ] || fail "${1##*/} is not the file that SHA256SUMS means; get both again"
    fi
    tar -xzf "$1" -C "$scratch" || fail "cannot unpack $1"
    name=${1##*/}
    printf '%s\n' "$scratch/${name%.tar.gz}"
}

# Prints the directory of the executable: beside this script, from an archive there, or built.
executable() {
    if [ -x "$source/steadfast" ] && [ ! -e "$source/Cargo.toml" ]; then
        printf '%s\n' "$source"
        return
    fi
    for archive in "$source"/steadfast-v*-"$(system)".tar.gz; do
        if [ -f "$archive" ]; then
            unpack "$archive"
            return
        fi
    done
    build
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

# Gives the installed executable the hook's name as well: under it, it is the hook.
place_second_name() {
    temporary="$bin_dir/.steadfast-hook.$$"
    if ln "$bin_dir/steadfast" "$temporary" 2>/dev/null || cp "$bin_dir/steadfast" "$temporary"; then
        mv -f "$temporary" "$bin_dir/steadfast-hook" && return
    fi
    rm -f "$temporary"
    fail "cannot install $bin_dir/steadfast-hook"
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

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
[ -n "$from" ] || from=$(executable)
[ -x "$from/steadfast" ] || fail "$from/steadfast is missing or not executable"

mkdir -p "$bin_dir"
bin_dir=$(cd "$bin_dir" && pwd)
place steadfast
# A folder of another build may hold the hook as a file of its own.
if [ -x "$from/steadfast-hook" ] && ! cmp -s "$from/steadfast" "$from/steadfast-hook"; then
    place steadfast-hook
else
    place_second_name
fi
rm -rf "$scratch"
printf 'Installed steadfast and steadfast-hook in %s.\n' "$bin_dir"
case ":${PATH:-}:" in
*":$bin_dir:"*) ;;
*) printf 'That directory is not on PATH: add it, so that "steadfast status" and "steadfast undo" are found.\n' ;;
esac

exec "$bin_dir/steadfast" install --project "$project" --scope "$scope" --bin-dir "$bin_dir" \
    ${fail_closed:+"$fail_closed"}
