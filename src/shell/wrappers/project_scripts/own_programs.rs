//! Programs of a project that `go run`, `cargo xtask` and `cargo run` name: what their source loses.

use std::path::{Path, PathBuf};

use crate::shell::model::{Command, resolve};
use crate::shell::parse::reader::ScriptReader;
use crate::shell::wrappers::project_scripts::foreign_code;
use crate::shell::wrappers::project_scripts::named_tasks::option;

impl ScriptReader {
    /// The files of a program that `go run` names, and the folder where it runs.
    pub(super) fn go_program(&mut self, command: &Command, words: &[&str]) -> (Vec<String>, Option<PathBuf>) {
        let here = command.directory.clone();
        let (folder, words) = match words {
            ["-C", folder, rest @ ..] => (*folder, rest),
            words => ("", words),
        };
        let ["run", rest @ ..] = words else { return (Vec::new(), here) };
        let mut operands = rest.iter().copied().skip_while(|word| word.starts_with('-'));
        let Some(package) = operands.next().filter(|it| !it.contains('@')) else { return (Vec::new(), here) };
        let within = Path::new(folder).join(package);
        let last = within.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let candidates = match package.ends_with(".go") {
            true => vec![within.clone()],
            false => vec![within.join("main.go"), within.join(format!("{last}.go"))],
        };
        let text = candidates.iter().find_map(|file| self.beside(&file.to_string_lossy(), command));
        let texts = text.map(|text| foreign_code::losses(&text, &text)).unwrap_or_default();
        (texts, here.map(|here| resolve(&here, folder)))
    }

    /// `cargo xtask`, and a program or example of the project by its name.
    pub(super) fn cargo_program(&mut self, command: &Command, words: &[&str]) -> Vec<String> {
        let named = |names: &[&str]| option(words, names);
        let file = match words.first() {
            Some(&"xtask") => "xtask/src/main.rs".to_owned(),
            Some(&"run" | &"r") => {
                match (named(&["-p", "--package"]), named(&["--bin"]), named(&["--example"])) {
                    (Some(package), _, _) => format!("{package}/src/main.rs"),
                    (_, Some(program), _) => format!("src/bin/{program}.rs"),
                    (_, _, Some(example)) => format!("examples/{example}.rs"),
                    _ => return Vec::new(),
                }
            }
            _ => return Vec::new(),
        };
        let text = self.beside(&file, command);
        text.map(|text| foreign_code::losses(&text, &text)).unwrap_or_default()
    }
}
