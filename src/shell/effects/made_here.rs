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
