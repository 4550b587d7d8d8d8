//! Files that a program of `awk` writes by itself: `print … > "file"`, the name put together of texts and variables.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::shell::model::{Command, Effect, EffectKind, Word};

/// The longest program that is looked into, in bytes.
const LONGEST_PROGRAM: usize = 8 * 1024;

/// What stands for a text: literal texts, the home, and names of variables, one behind the other.
const EXPRESSION: &str = r#"((?:\s*(?:"[^"\n]*"|ENVIRON\["HOME"\]|[A-Za-z_]\w*))+)"#;

static WRITES: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r#"\bprintf?\b((?:"[^"]*"|[^;}}\n"|])*?)(>>?){EXPRESSION}"#)).ok());
static SETS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"\b([A-Za-z_]\w*)\s*={EXPRESSION}")).ok());
static RUNS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"\bsystem\({EXPRESSION}\s*\)")).ok());
static PARTS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#""([^"\n]*)"|(ENVIRON\["HOME"\])|([A-Za-z_]\w*)"#).ok());

/// What a program of `awk` among the words of a command writes.
pub(crate) fn effects(command: &Command) -> Vec<Effect> {
    let Some(program) = program_with(command, &["print", ">"]) else { return Vec::new() };
    let Some(writes) = WRITES.as_ref() else { return Vec::new() };
    let values = values_of(program);
    writes.captures_iter(program).filter_map(|found| written(command, program, &found, &values)).collect()
}

/// What one `print` with a file behind it writes.
fn written(
    command: &Command,
    program: &str,
    found: &Captures,
    values: &HashMap<&str, String>,
) -> Option<Effect> {
    let (printed, sign, file) = (found.get(1)?.as_str(), found.get(2)?.as_str(), found.get(3)?.as_str());
    let words = match file.trim() {
        "FILENAME" => read(command, program),
        file => {
            let file = text_of(file, values).filter(|file| !file.starts_with("/dev/"))?;
            vec![Word { tilde: file.starts_with('~'), ..Word::literal(file) }]
        }
    };
    (!words.is_empty()).then_some(())?;
    let directory = command.directory.as_deref();
    let mut effect = Effect::of(EffectKind::Overwrite, command, command.program(), &words, directory);
    effect.append = sign == ">>";
    // `printf "" > file`: the file is opened and nothing comes into it.
    if !effect.append && printed.trim().trim_matches(['(', ')']).trim() == "\"\"" {
        effect.kind = EffectKind::Truncate;
        effect.content = Some(String::new());
    }
    Some(effect)
}

/// The files that a program reads.
fn read(command: &Command, program: &str) -> Vec<Word> {
    let behind = command.words.iter().skip_while(|word| word.text != program).skip(1);
    behind.filter(|word| !word.text.starts_with('-') && !word.text.contains('=')).cloned().collect()
}

/// The texts that such a program has a shell run, where they are put together like that: `system("rm " ENVIRON["HOME"])`.
pub(crate) fn shell_texts(command: &Command) -> Vec<String> {
    let Some(program) = program_with(command, &["system("]) else { return Vec::new() };
    let Some(runs) = RUNS.as_ref() else { return Vec::new() };
    let values = values_of(program);
    let texts = runs.captures_iter(program);
    texts.filter_map(|found| text_of(found.get(1)?.as_str(), &values)).collect()
}

/// The word of a command that is a program with all of these parts.
fn program_with<'c>(command: &'c Command, parts: &[&str]) -> Option<&'c str> {
    let is_program = |word: &&Word| {
        word.known && word.text.len() <= LONGEST_PROGRAM && parts.iter().all(|part| word.text.contains(part))
    };
    command.words.iter().skip(1).find(is_program).map(|word| word.text.as_str())
}

/// The variables that a program sets to texts that can be put together.
fn values_of(program: &str) -> HashMap<&str, String> {
    let mut values: HashMap<&str, String> = HashMap::new();
    let Some(sets) = SETS.as_ref() else { return values };
    for found in sets.captures_iter(program) {
        let (Some(name), Some(value)) = (found.get(1), found.get(2)) else { continue };
        if let Some(text) = text_of(value.as_str(), &values) {
            values.insert(name.as_str(), text);
        }
    }
    values
}

/// The text that an expression is; nothing where a name is not known.
fn text_of(expression: &str, values: &HashMap<&str, String>) -> Option<String> {
    let mut text = String::new();
    for part in PARTS.as_ref()?.captures_iter(expression) {
        match (part.get(1), part.get(2), part.get(3)) {
            (Some(literal), ..) => text.push_str(literal.as_str()),
            (_, Some(_), _) => text.push('~'),
            (.., Some(name)) => text.push_str(values.get(name.as_str())?),
            _ => return None,
        }
    }
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_put_together() {
        for (program, expected) in [
            ("BEGIN { print \"x\" > \"a.txt\" }", Some(("a.txt", false))),
            (
                "BEGIN { f = ENVIRON[\"HOME\"] \"/.rc\"; printf(\"%s\", 1) >> f; close(f) }",
                Some(("~/.rc", true)),
            ),
            ("{ print > \"out/\" \"b\" }", Some(("out/b", false))),
            ("{ print $1 > $2 }", None),
            ("$1 > 3 { print $2 }", None),
            ("{ print > \"/dev/stderr\" }", None),
        ] {
            let words = ["awk", program].map(Word::literal).to_vec();
            let found = effects(&Command { words, ..Command::default() });
            let found = found.first().map(|effect| (effect.targets[0].text.as_str(), effect.append));
            assert_eq!(found, expected, "{program}");
        }
    }

    #[test]
    fn a_file_that_nothing_is_printed_to_is_emptied() {
        for (program, file, expected) in [
            ("BEGIN { printf \"\" > \"a.txt\" }", "b", Some(("a.txt", EffectKind::Truncate))),
            ("BEGIN { printf(\"\") >> \"a.txt\" }", "b", Some(("a.txt", EffectKind::Overwrite))),
            ("{ printf \"\" > FILENAME }", "b.py", Some(("b.py", EffectKind::Truncate))),
            ("{ print FILENAME }", "b.py", None),
        ] {
            let words = ["awk", program, file].map(Word::literal).to_vec();
            let found = effects(&Command { words, ..Command::default() });
            let found = found.first().map(|effect| (effect.targets[0].text.as_str(), effect.kind));
            assert_eq!(found, expected, "{program}");
        }
    }
}
