//! What a command prints, where its words alone decide it: the text that `echo`, `printf` or a heredoc gives to the
//! next command, and the files that `find` or `git ls-files` names for `xargs`.

pub(crate) mod fd;
pub(crate) mod find;
mod names;
mod paths;
pub(crate) mod sketch;
mod templates;
pub(crate) mod text;

use std::path::PathBuf;

use crate::shell::edit;
use crate::shell::edit::ComputedEdit;
use crate::shell::model::{Command, CommandInput, Script, Word};
use crate::shell::parse::output::fd::fd_words;
use crate::shell::parse::output::find::find_words;
use crate::shell::parse::output::text::{LONGEST_PIPELINE, text_in};

/// The files whose text the command with this index prints, the edit on the way, and where the command runs.
pub(crate) fn derived(script: &Script, index: usize) -> Option<(Vec<Word>, ComputedEdit, Option<PathBuf>)> {
    derived_within(script, index, LONGEST_PIPELINE)
}

fn derived_within(
    script: &Script,
    index: usize,
    depth: u32,
) -> Option<(Vec<Word>, ComputedEdit, Option<PathBuf>)> {
    let command = script.commands.get(index).filter(|command| !command.remote)?;
    let (edit, files) = edit::filter(command)?;
    match (files.as_slice(), &command.input) {
        ([], CommandInput::File(file)) if file.known => {
            Some((vec![file.clone()], edit, command.directory.clone()))
        }
        ([], CommandInput::From(before)) if depth > 0 => {
            let (files, first, directory) = derived_within(script, *before, depth - 1)?;
            Some((files, first.then(edit)?, directory))
        }
        ([_, ..], _) if files.iter().all(|file| file.known && !file.glob) => {
            Some((files.into_iter().cloned().collect(), edit, command.directory.clone()))
        }
        _ => None,
    }
}

/// The words that `xargs` would get; with a place holder each line is one.
pub(crate) fn words_from(script: &Script, input: &CommandInput, by_lines: bool) -> Option<Vec<Word>> {
    if by_lines && let Some(text) = text_in(script, input, LONGEST_PIPELINE) {
        return Some(text.split(['\n', '\0']).filter(|line| !line.is_empty()).map(Word::literal).collect());
    }
    words_in(script, input, LONGEST_PIPELINE)
}

fn words_in(script: &Script, input: &CommandInput, depth: u32) -> Option<Vec<Word>> {
    if let Some(text) = text_in(script, input, depth) {
        return Some(
            text.split(['\n', ' ', '\t', '\0']).filter(|w| !w.is_empty()).map(Word::literal).collect(),
        );
    }
    let CommandInput::From(index) = input else { return None };
    let command = script.commands.get(*index)?;
    match command.program() {
        // `grep -rl x src` names some of the files below its folders.
        "grep" | "rg" if command.input == CommandInput::None => {
            let names = command.words.iter().any(|word| {
                word.text == "--files-with-matches" || (word.text.starts_with('-') && word.text.contains('l'))
            });
            let operands = command.words.iter().skip(1).filter(|word| !word.text.starts_with('-'));
            let folders = operands.skip(1).map(|word| Word { partial: true, below: true, ..word.clone() });
            names.then(|| folders.collect())
        }
        // Filters leave some of what comes in, and never add to it.
        "grep" | "head" | "tail" | "awk" | "egrep" | "fgrep" | "rg" if depth > 0 => {
            let mut words = words_in(script, &command.input, depth - 1)?;
            words.iter_mut().for_each(|word| word.partial = true);
            Some(words)
        }
        "sort" | "uniq" | "tee" | "cat" | "tr" if depth > 0 => words_in(script, &command.input, depth - 1),
        "find" => Some(find_words(command)),
        "fd" | "fdfind" => Some(fd_words(command.words.get(1..)?)),
        "git" => git_files(command),
        "ls" => Some(listed(command)),
        _ => None,
    }
}

fn git_files(command: &Command) -> Option<Vec<Word>> {
    let operands = command.words.get(1..)?;
    let (first, rest) = operands.split_first()?;
    if first.text != "ls-files" {
        return None;
    }
    let patterns: Vec<&Word> = rest.iter().filter(|word| !word.text.starts_with('-')).collect();
    if patterns.is_empty() {
        return Some(vec![Word {
            partial: rest.iter().any(|w| w.text != "-z"),
            below: true,
            ..Word::literal(".")
        }]);
    }
    let chosen = patterns.iter().map(|word| match word.text.contains('*') {
        // In git's patterns `*` goes through directories.
        true => Word { text: word.text.replacen('*', "**/*", 1), glob: true, ..(*word).clone() },
        // A folder stands for the files in it.
        false => Word { below: true, ..(*word).clone() },
    });
    Some(chosen.collect())
}

fn listed(command: &Command) -> Vec<Word> {
    let operands: Vec<&Word> =
        command.words.iter().skip(1).filter(|word| !word.text.starts_with('-')).collect();
    match operands.is_empty() {
        true => vec![Word { glob: true, ..Word::literal("*") }],
        false => operands.into_iter().cloned().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::event::ShellDialect;
    use crate::shell::parse::output::text::text_of;
    use crate::shell::read;

    #[test]
    fn the_text_of_a_pipeline_is_known_where_words_decide_it() {
        for (text, expected) in [
            ("echo a b", Some("a b\n")),
            ("echo -n a", Some("a")),
            ("echo -e 'a\\tb'", Some("a\tb\n")),
            ("printf '%s\\n' a b", Some("a\nb\n")),
            ("printf x", Some("x")),
            ("echo a | cat", Some("a\n")),
            ("cat <<'E' | tee f\nhello\nE", Some("hello\n")),
            ("echo $UNSET", None),
            ("date", None),
        ] {
            let script = read(text, ShellDialect::Posix);
            let last = script.commands.len() - 1;
            assert_eq!(text_of(&script, last).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn find_and_git_name_files_for_xargs() {
        for (text, expected, partial) in [
            ("find src -name '*.ts' | xargs", "src/**/*.ts", false),
            ("find . -mtime +3 | xargs", ".", true),
            ("find src | grep test | xargs", "src", true),
            ("git ls-files '*.spec.ts' | xargs", "**/*.spec.ts", false),
            ("ls | xargs", "*", false),
            ("echo a | xargs", "a", false),
        ] {
            let script = read(text, ShellDialect::Posix);
            let input = CommandInput::From(script.commands.len() - 2);
            let words = words_from(&script, &input, false).unwrap();
            assert_eq!((words[0].text.as_str(), words[0].partial), (expected, partial), "{text}");
        }
    }
}
