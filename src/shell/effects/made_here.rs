//! What earlier commands of a text make, by its name: to delete that loses nothing that was there before.

use crate::shell::model::{Command, Effect, Word};

/// Tools that make folders of what they have fetched or built, the words by which they do, and the folders.
const REMAKERS: &[(&[&str], &[&str], &[&str])] = &[
    (&["composer"], &["install", "update", "i"], &["vendor"]),
    (&["bundle", "bundler"], &["install", "update"], &["vendor", "bundle", ".bundle"]),
    (&["go"], &["mod", "work"], &["vendor"]),
    (&["cargo"], &["vendor", "build", "test"], &["vendor", "target"]),
    (&["pod"], &["install", "update"], &["Pods"]),
    (&["carthage"], &["bootstrap", "update"], &["Carthage"]),
    (&["mix"], &["deps.get", "compile", "test"], &["deps", "_build"]),
    (&["rebar3"], &["compile", "get-deps"], &["_build", "deps"]),
    (&["terraform", "tofu", "terragrunt"], &["init", "get"], &[".terraform"]),
    (&["npm", "pnpm", "yarn", "bun"], &["install", "ci", "i"], &["node_modules", ".yarn", ".pnp.cjs"]),
    (&["flutter", "dart"], &["pub", "build"], &[".dart_tool", "build"]),
    (&["bower"], &["install"], &["bower_components"]),
];

/// Whether one of the commands makes a file or folder of that name.
pub(super) fn makes(earlier: &[Command], name: &str) -> bool {
    const MAKERS: &[&str] = &[
        "mkdir",
        "cp",
        "rsync",
        "tar",
        "unzip",
        "ln",
        "touch",
        "mv",
        "install",
        "python",
        "python3",
        "virtualenv",
        "uv",
        "npx",
        "npm",
        "cargo",
        "go",
        "cmake",
        "degit",
        "initdb",
        "git",
    ];
    let last = |text: &str| {
        text.trim_end_matches(['/', '*']).rsplit('/').next().unwrap_or_default().replace('…', "")
    };
    let name = last(name);
    let names = |word: &Word| last(&word.shown()) == name;
    !matches!(name.as_str(), "" | "." | "..")
        && earlier.iter().any(|own| MAKERS.contains(&own.program()) && own.words.iter().skip(1).any(names))
}

/// Whether an earlier command makes the branch that `git branch -D "$b"` deletes, under a name that the shell alone knows:
/// both must say it in the same words.
pub(super) fn makes_branch(earlier: &[Command], command: &Command) -> bool {
    let says = |command: &Command| {
        let words: Vec<String> = command.source.split_whitespace().map(str::to_owned).collect();
        words
            .into_iter()
            .map(|word| word.trim_matches(['"', ';', ')', '&']).to_owned())
            .filter(|word| word.contains('$'))
            .collect::<Vec<_>>()
    };
    let makes = |other: &&Command| {
        let words: Vec<&str> = other.words.iter().skip(1).map(|word| word.text.as_str()).collect();
        let is_forced =
            words.iter().any(|word| matches!(*word, "-f" | "--force" | "-B" | "-C" | "-M" | "-D" | "-d"));
        let by_switch = words.iter().any(|word| matches!(*word, "-b" | "-c" | "--create"));
        other.program() == "git"
            && !is_forced
            && match words.first() {
                Some(&"branch") => !words.iter().any(|word| matches!(*word, "-m" | "--list" | "-a" | "-r")),
                Some(&("checkout" | "switch" | "worktree")) => by_switch,
                _ => false,
            }
    };
    let own = says(command);
    !own.is_empty()
        && earlier.iter().filter(makes).any(|other| own.iter().all(|name| says(other).contains(name)))
}

/// Whether a later command has a tool make again every folder that a deletion names.
pub(super) fn is_made_again(later: &[Command], effect: &Effect) -> bool {
    let last =
        |text: &str| text.trim_end_matches(['/', '*']).rsplit('/').next().unwrap_or_default().to_owned();
    let makes = |name: &str| {
        later.iter().any(|command| {
            let first = command.words.iter().skip(1).find(|word| !word.text.starts_with('-'));
            REMAKERS.iter().any(|(tools, orders, folders)| {
                tools.contains(&command.program())
                    && first.is_some_and(|word| orders.contains(&word.text.as_str()))
                    && folders.contains(&name)
            })
        })
    };
    !effect.targets.is_empty() && effect.targets.iter().all(|target| makes(&last(&target.text)))
}
