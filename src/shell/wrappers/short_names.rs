//! Short names that a text gives to commands before it uses them: aliases of the shell and of git, scripts of
//! `package.json`, and programs named by a pattern.

use globset::Glob;

use crate::shell::effects::git_call;
use crate::shell::model::{Command, Word, program_name};
use crate::shell::parse::reader::ScriptReader;

/// The most aliases that stand for each other.
const MOST_ALIASES: usize = 8;

/// Programs that a pattern in place of a program is compared with: those whose work can be lost by, and what runs others.
const PROGRAMS: &[&str] = &[
    "rm", "git", "mv", "dd", "shred", "unlink", "rmdir", "truncate", "find", "chmod", "chown", "cp", "sh",
    "bash", "zsh", "dash", "env", "xargs", "perl", "python3", "python", "node", "ruby", "tee", "mkfs",
    "sudo",
];

/// Runners of the scripts of `package.json`.
const SCRIPT_RUNNERS: &[&str] = &["npm", "pnpm", "yarn", "bun"];

impl ScriptReader {
    /// Puts what a short name stands for in its place.
    pub(crate) fn spelled_out(&self, command: &mut Command) {
        for _ in 0..MOST_ALIASES {
            let Some(first) = command.words.first().filter(|word| word.known && !word.glob) else { break };
            let Some(value) = self.named.aliases.get(&first.text) else { break };
            let words: Vec<Word> = value.split_whitespace().map(Word::literal).collect();
            let again = words.first().is_some_and(|word| word.text == first.text);
            command.words.splice(0..1, words);
            if again {
                break;
            }
        }
        by_pattern(command);
        if command.program() == "git" && !self.named.of_git.is_empty() {
            let name = git_call::call(command).subcommand.to_owned();
            if let Some(value) = self.named.of_git.get(&name) {
                let setting = format!("alias.{name}={value}");
                command.words.splice(1..1, [Word::literal("-c"), Word::literal(setting)]);
            }
        }
    }

    /// Notes the names that a command gives.
    pub(crate) fn note_names(&mut self, command: &Command) {
        let operands: Vec<&Word> = command.words.iter().skip(1).collect();
        match command.program() {
            "alias" => {
                for word in operands.iter().filter(|word| word.known) {
                    // One that holds more than a command's words is not followed.
                    if let Some((name, value)) = word.text.split_once('=')
                        && !value.contains([';', '|', '&', '$', '`', '(', '\'', '"', '>', '<'])
                    {
                        self.named.aliases.insert(name.to_owned(), value.to_owned());
                    }
                }
            }
            "unalias" => operands.iter().for_each(|word| {
                self.named.aliases.remove(&word.text);
            }),
            "git" => {
                let call = git_call::call(command);
                let plain = call.plain();
                let at = plain.iter().position(|word| word.text.starts_with("alias.") && word.known);
                if let ("config", Some(at)) = (call.subcommand, at)
                    && let [name, value, ..] = plain.get(at..).unwrap_or_default()
                    && value.known
                {
                    let name = name.text.trim_start_matches("alias.").to_owned();
                    self.named.of_git.insert(name, value.text.clone());
                }
            }
            program if SCRIPT_RUNNERS.contains(&program) => {
                let mut words = operands.iter().map(|word| word.text.as_str());
                if (words.next(), words.next()) == (Some("pkg"), Some("set")) {
                    let scripts = words.filter_map(|word| word.strip_prefix("scripts.")?.split_once('='));
                    let scripts = scripts.map(|(name, text)| (name.to_owned(), text.to_owned()));
                    self.named.scripts.extend(scripts.collect::<Vec<_>>());
                }
            }
            _ => {}
        }
    }

    /// The texts of scripts of `package.json` that this text has set and now runs: the one that is asked for, and those
    /// around it.
    pub(crate) fn own_scripts(&self, command: &Command) -> Vec<String> {
        let Some(name) = self.own_script(command) else { return Vec::new() };
        let around = [format!("pre{name}"), name.clone(), format!("post{name}")];
        around.iter().filter_map(|name| self.named.scripts.get(name)).cloned().collect()
    }

    fn own_script(&self, command: &Command) -> Option<String> {
        (SCRIPT_RUNNERS.contains(&command.program()) && !self.named.scripts.is_empty()).then_some(())?;
        let mut words = command.words.iter().skip(1).map(|word| word.text.as_str());
        match words.find(|word| !word.starts_with('-'))? {
            "run" | "run-script" => words.find(|word| !word.starts_with('-')).map(str::to_owned),
            "t" | "tst" => Some("test".to_owned()),
            name @ ("test" | "start" | "stop" | "restart") => Some(name.to_owned()),
            name @ ("install" | "publish" | "pack" | "version") => Some(name.to_owned()),
            // Beside npm's own, the others take the name alone.
            name if command.program() != "npm" => Some(name.to_owned()),
            _ => None,
        }
    }
}

/// `/bin/r[m]`, `/???/rm`: the program that the pattern names.
fn by_pattern(command: &mut Command) {
    let Some(word) = command.words.first_mut().filter(|word| word.known && word.glob) else { return };
    let name = program_name(&word.text);
    // A path in the project is one of its own programs, and a bare star any file.
    let is_program = !word.text.contains('/') || word.text.starts_with('/');
    let is_named = is_program && name.contains(|letter: char| letter.is_ascii_alphabetic());
    let Some(pattern) = is_named.then(|| Glob::new(name).ok()).flatten() else { return };
    let pattern = pattern.compile_matcher();
    if let Some(program) = PROGRAMS.iter().find(|program| pattern.is_match(program)) {
        *word = Word::literal(*program);
    }
}
