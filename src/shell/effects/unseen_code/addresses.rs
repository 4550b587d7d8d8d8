//! Programs and packages that are named by an address: no registry keeps them, and nobody has seen them.

use crate::shell::effects::services::http::is_here;
use crate::shell::model::Command;

/// Hosts that keep what they once gave out.
const REGISTRIES: &[&str] = &[
    "deno.land",
    "jsr.io",
    "esm.sh",
    "registry.npmjs.org",
    "cdn.jsdelivr.net",
    "unpkg.com",
    "pypi.org",
    "files.pythonhosted.org",
    "download.pytorch.org",
    "rubygems.org",
];
/// How names of repositories begin for package managers.
const REPOSITORIES: &[&str] =
    &["git+", "git://", "git@", "ssh://", "github:", "gitlab:", "bitbucket:", "gist:"];
/// Options whose value says what a runner runs a program of.
const FROM: &[&str] = &["--from", "--spec", "-p", "--package"];

/// `deno run https://…`, `npx github:someone/tool`, `uvx --from git+https://… tool`.
pub(crate) fn runs_one(command: &Command) -> bool {
    // What `npx` and `uv run` start is a command by itself.
    let itself = command.words.first().map_or("", |word| word.text.as_str());
    if is_foreign(itself) && !itself.contains("git@") {
        return true;
    }
    let words = || command.words.iter().skip(1).map(|word| word.text.as_str());
    let is_run = || matches!(words().next(), Some("run" | "x" | "exec" | "dlx"));
    let runs = match command.program() {
        "deno" | "uv" | "bun" | "pipx" | "pnpm" | "yarn" => is_run(),
        "npx" | "bunx" | "uvx" | "pnpx" => true,
        // A module by its address, with whatever it runs.
        "python" | "python3" | "node" | "ruby" | "perl" | "php" => {
            return words().find(|word| !word.starts_with('-')).is_some_and(is_web_address);
        }
        _ => false,
    };
    runs && (given(command).is_some_and(is_foreign)
        || words().find(|word| !word.starts_with('-')).is_some_and(is_foreign)
        || (is_run() && words().skip(1).find(|word| !word.starts_with('-')).is_some_and(is_foreign)))
}

/// `pip install git+https://…`, `npm install https://…`: what is installed runs scripts of its own.
pub(crate) fn installs_one(command: &Command) -> bool {
    let mut words = command.words.iter().skip(1).map(|word| word.text.as_str()).peekable();
    if matches!(command.program(), "python" | "python3") && words.next_if_eq(&"-m").is_none() {
        return false;
    }
    let manager = match command.program() {
        "python" | "python3" => words.next().unwrap_or_default(),
        "uv" => words.next_if_eq(&"pip").unwrap_or("uv"),
        name => name,
    };
    let installs = match manager {
        "pip" | "pip3" | "pipx" | "uv" => matches!(words.next(), Some("install" | "add" | "tool")),
        "npm" | "pnpm" | "yarn" | "bun" => matches!(words.next(), Some("install" | "i" | "add")),
        "gem" => matches!(words.next(), Some("install" | "specific_install")),
        _ => false,
    };
    installs
        && words.any(|word| is_foreign(word.rsplit(" @ ").next().unwrap_or(word)) && !word.starts_with('-'))
}

/// The value of the option that says what a program is of.
fn given(command: &Command) -> Option<&str> {
    let words = command.words.get(1..).unwrap_or_default();
    words.iter().enumerate().find_map(|(at, word)| match word.text.split_once('=') {
        Some((name, value)) if FROM.contains(&name) => Some(value),
        _ if FROM.contains(&word.text.as_str()) => words.get(at + 1).map(|next| next.text.as_str()),
        _ => None,
    })
}

/// Whether a name is that of a repository, or of a file of the network that no registry keeps.
fn is_foreign(name: &str) -> bool {
    REPOSITORIES.iter().any(|start| name.starts_with(start)) && !is_here(name) || is_web_address(name)
}

fn is_web_address(name: &str) -> bool {
    let Some((scheme, rest)) = name.split_once("://") else { return false };
    let host = rest.split('/').next().unwrap_or_default();
    let is_kept = REGISTRIES.iter().any(|own| host == *own || host.ends_with(&format!(".{own}")));
    matches!(scheme, "http" | "https") && !is_kept && !is_here(name)
}
