//! A first look that spares the parser: texts of bare and simply quoted words whose programs only read or check.
//!
//! It may only ever say "harmless" of what the parser would find harmless too; anything else is left to the parser.

use crate::shell::effects::command_class::CommandClass;
use crate::shell::effects::{command_class, git, git_call, services, weakened_test_runs};
use crate::shell::model::{Command, ShellReading, Word};
use crate::shell::wrappers::project_scripts;
use crate::shell::wrappers::unwrap::texts;

/// The most bytes worth a first look.
const LONGEST: usize = 2_000;

/// The reading of a text that does nothing but read and check; `None` when the parser must say.
pub(crate) fn harmless(text: &str) -> Option<ShellReading> {
    if text.len() > LONGEST {
        return None;
    }
    let mut reading = ShellReading { read_only: true, ..ShellReading::default() };
    for words in commands(text)? {
        let command = Command { words, ..Command::default() };
        // What follows a check may hide what it says.
        if matches!(command.program(), "true" | ":" | "exit" | "trap")
            || (reading.runs_checks && speaks_for_a_check(&command))
            || !weakened_test_runs::effects(&command, true).is_empty()
            || services::effect(&command).is_some()
            // Some readers are told to run a command.
            || texts::texts(&command).is_some()
            || (matches!(command.program(), "sed" | "gsed") && !texts::of_sed(&command).is_empty())
        {
            return None;
        }
        let class = match command.program() {
            // A setting of its own may name a program.
            "git" if command.words.iter().any(|word| word.text == "-c") => return None,
            "git" if git::effects(&command).is_empty() => git_call::class::class(&command),
            "git" => return None,
            // These run what follows, change the shell, or are the shell's own grammar.
            "sudo" | "env" | "time" | "command" | "exec" | "cd" | "pushd" | "popd" | "export" | "local"
            | "unset" | "read" | "alias" | "set" | "sort" | "find" | "fd" | "curl" | "awk" | "[["
            | "hash" | "shopt" | "python" | "python3" | "node" | "gh" | "coverage" | "steadfast" => {
                return None;
            }
            _ => command_class::class(&command),
        };
        reading.runs.extend(project_scripts::manifests(&command));
        reading.runs_git |= command.program() == "git";
        match class {
            CommandClass::Reads => {}
            CommandClass::Checks => {
                reading.read_only = false;
                reading.runs_checks = true;
            }
            CommandClass::Makes | CommandClass::RunsCode => return None,
        }
    }
    Some(reading)
}

/// Whether a command behind a check may say what that should say, or leave out some of it.
fn speaks_for_a_check(command: &Command) -> bool {
    let inverts = |word: &Word| word.text.starts_with('-') && word.text.contains('v');
    match command.program() {
        "echo" | "printf" | "sed" | "gsed" => true,
        "cat" => command.words.len() == 1,
        "grep" | "egrep" | "rg" => command.words.iter().any(inverts),
        _ => false,
    }
}

/// The commands of a text without any syntax but `|`, `&&`, `||`, `;`, line breaks, plain quotes, and output sent to
/// nowhere.
fn commands(text: &str) -> Option<Vec<Vec<Word>>> {
    let mut commands: Vec<Vec<Word>> = vec![Vec::new()];
    let mut rest = text.trim_end();
    if rest.ends_with(['|', '&']) {
        return None;
    }
    while !rest.is_empty() {
        let first = rest.chars().next()?;
        rest = match first {
            ' ' | '\t' => rest.get(1..)?,
            '\n' if commands.last()?.is_empty() => rest.get(1..)?,
            '|' | ';' | '\n' => {
                (!commands.last()?.is_empty()).then_some(())?;
                commands.push(Vec::new());
                rest.strip_prefix("||").or_else(|| rest.get(1..))?
            }
            '&' => {
                (!commands.last()?.is_empty()).then_some(())?;
                commands.push(Vec::new());
                rest.strip_prefix("&&")?
            }
            _ => match ["2>&1", "2>/dev/null", ">/dev/null", "> /dev/null"]
                .iter()
                .find_map(|s| rest.strip_prefix(s))
            {
                Some(after) if after.is_empty() || after.starts_with([' ', ';', '|', '\n', ')']) => after,
                Some(_) => return None,
                None => {
                    let (word, after) = word(rest)?;
                    let words = commands.last_mut()?;
                    // A quoted program, an assignment and a keyword are the parser's business.
                    if words.is_empty()
                        && (rest.starts_with(['\'', '"']) || word.contains('=') || is_keyword(&word))
                    {
                        return None;
                    }
                    words.push(Word::literal(word));
                    after
                }
            },
        };
    }
    commands.retain(|words| !words.is_empty());
    (!commands.is_empty()).then_some(commands)
}

fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "if" | "for" | "while" | "until" | "case" | "function" | "select" | "then" | "do" | "else" | "!"
    )
}

fn word(text: &str) -> Option<(String, &str)> {
    let mut word = String::new();
    let mut rest = text;
    loop {
        let Some(first) = rest.chars().next() else { return Some((word, rest)) };
        match first {
            ' ' | '\t' | '\n' | '|' | ';' | '&' => return Some((word, rest)),
            '\'' => {
                let (inside, after) = rest.get(1..)?.split_once('\'')?;
                word.push_str(inside);
                rest = after;
            }
            '"' => {
                let (inside, after) = rest.get(1..)?.split_once('"')?;
                if inside.contains(['$', '`', '\\', '!']) {
                    return None;
                }
                word.push_str(inside);
                rest = after;
            }
            _ if first.is_alphanumeric() || "-_./:,=@%+*?^".contains(first) => {
                word.push(first);
                rest = rest.get(first.len_utf8()..)?;
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_readers_and_checks_are_harmless() {
        for (text, read_only) in [
            ("ls -la src", true),
            ("git status --short && git log -3 | head -5", true),
            ("grep -rn \"rm -rf\" src", true),
            ("cargo test --lib 2>&1 | tail -20", false),
            ("npm run test:unit", false),
        ] {
            let reading = harmless(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(reading.read_only, read_only, "{text}");
        }
    }

    #[test]
    fn everything_else_is_left_to_the_parser() {
        for text in [
            "rm x",
            "ls > f",
            "ls $(rm x)",
            "r''m x",
            "\"rm\" x",
            "A=1 ls",
            "ls & rm x",
            "git clean -fd",
            "cat <<E\nE",
            "eslint --fix",
            "find . -delete",
            "ls; (rm x)",
            "ls `rm x`",
            "if ls; then rm x; fi",
            "",
            "./ls",
            // Whether a test has such a name is looked up.
            "cargo test --lib shell",
        ] {
            assert_eq!(harmless(text), None, "{text}");
        }
    }
}
