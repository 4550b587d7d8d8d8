//! In which folder a runner looks for what it is asked to run, where its words choose one.

use std::path::PathBuf;

use crate::shell::model::Command;

/// The folder that a runner of recipes goes to first: `make -C tools`, `just -d ops`.
pub(super) fn folder_of_recipes(command: &Command) -> String {
    let options: &[&str] = match command.program() {
        "just" => &["-d", "--working-directory"],
        _ => &["-C", "--directory"],
    };
    let mut words = command.words.iter().skip(1).map(|word| word.text.as_str());
    let mut folder = PathBuf::new();
    while let Some(word) = words.next() {
        let glued = |option: &&str| match option.starts_with("--") {
            true => word.strip_prefix(*option)?.strip_prefix('='),
            false => word.strip_prefix(*option),
        };
        if options.contains(&word) {
            folder.push(words.next().unwrap_or_default());
        } else if let Some(value) = options.iter().find_map(glued) {
            folder.push(value);
        }
    }
    folder.to_string_lossy().into_owned()
}

/// The folders in which a package may be that words choose: by its folder, or by its name in a repository of several.
pub(super) fn folders_of(folder: &str, command: &Command) -> Vec<String> {
    let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    let glued = |word: &&str| {
        ["--workspace=", "-w=", "--filter="]
            .iter()
            .find_map(|option| word.strip_prefix(option))
            .map(str::to_owned)
    };
    let named = words.windows(2).find_map(|pair| match pair {
        ["--workspace" | "-w" | "--filter" | "-F", name] => Some((*name).to_owned()),
        ["workspace", name] if command.program() == "yarn" => Some((*name).to_owned()),
        _ => None,
    });
    let Some(name) = named.or_else(|| words.iter().find_map(glued)) else { return vec![folder.to_owned()] };
    let name = name.trim_start_matches("./");
    let last = name.rsplit('/').next().unwrap_or(name);
    let places = ["packages", "apps", "services", "libs"].map(|place| format!("{place}/{last}"));
    std::iter::once(name.to_owned()).filter(|name| !name.starts_with('@')).chain(places).collect()
}
