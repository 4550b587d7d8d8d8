//! What a command prints, where its words alone decide it: the text that `echo`, `printf` or a heredoc gives to the
//! next command, and the files that `find` or `git ls-files` names for `xargs`.

use std::path::{Path, PathBuf};

use crate::shell::edit;
use crate::shell::edit::TextEdit;
use crate::shell::model::{Command, Input, Script, Word};

/// How far a text is followed through `cat` and `tee`.
const LONGEST_PIPELINE: u32 = 8;
/// A directory that `mktemp` might have made.
pub(crate) const FRESH_DIRECTORY: &str = "/tmp/mktemp.fresh";
/// The same, where it has become the home: to delete `$HOME` is not done on the word of an assignment before it.
pub const FRESH_HOME: &str = "/tmp/mktemp.home";

/// The text that the command with this index prints.
pub(crate) fn text_of(script: &Script, index: usize) -> Option<String> {
    text_within(script, index, LONGEST_PIPELINE)
}

/// The text that comes in.
pub(crate) fn text_from(script: &Script, input: &Input) -> Option<String> {
    text_in(script, input, LONGEST_PIPELINE)
}

/// The text that comes in, good enough to read commands from: parts of it may be unknown.
pub(crate) fn sketch_from(script: &Script, input: &Input) -> Option<String> {
    match input {
        Input::Sketch(text) => Some(text.clone()),
        Input::From(index) => match script.commands.get(*index)? {
            command if command.program() == "cat" && matches!(command.input, Input::Sketch(_)) => {
                sketch_from(script, &command.input)
            }
            _ => text_from(script, input),
        },
        _ => text_from(script, input),
    }
}

/// Whether the text that comes in was decoded by `echo` from escapes, which not every shell's own does.
pub(crate) fn is_reckoned(script: &Script, input: &Input) -> bool {
    let Input::From(index) = input else { return false };
    let Some(command) = script.commands.get(*index) else { return false };
    let escapes = || command.words.iter().skip(1).any(|word| word.text.contains('\\'));
    match command.program() {
        "echo" => escapes(),
        // Each input is an earlier command, so this ends.
        "cat" | "tee" => {
            matches!(&command.input, Input::From(before) if before < index)
                && is_reckoned(script, &command.input)
        }
        _ => false,
    }
}

fn text_in(script: &Script, input: &Input, depth: u32) -> Option<String> {
    match input {
        Input::Text(text) => Some(text.clone()),
        Input::File(file) if file.text == "/dev/null" => Some(String::new()),
        Input::From(index) if depth > 0 => text_within(script, *index, depth - 1),
        _ => None,
    }
}

fn text_within(script: &Script, index: usize, depth: u32) -> Option<String> {
    let command = script.commands.get(index)?;
    let operands = command.words.get(1..)?;
    if command.remote || !operands.iter().all(|word| word.known && !word.glob) {
        return None;
    }
    match command.program() {
        "echo" => Some(echo(operands)),
        "printf" => printf(operands),
        "pwd" if operands.is_empty() => Some(command.directory.as_ref()?.to_string_lossy().into_owned()),
        "mktemp" => Some(FRESH_DIRECTORY.to_owned()),
        "which" | "command" | "type" | "realpath" | "whereis" => own_program(operands),
        "cat" | "tee" if operands.iter().all(|word| word.text == "-") || command.program() == "tee" => {
            text_in(script, &command.input, depth)
        }
        _ => None,
    }
}

/// Where the guard's own programs are, for who asks in order to write there: any place where programs are found.
fn own_program(operands: &[Word]) -> Option<String> {
    let name = &operands.iter().rfind(|word| !word.text.starts_with('-'))?.text;
    matches!(name.as_str(), "steadfast" | "steadfast-hook").then(|| format!("/usr/local/bin/{name}"))
}

/// The files whose text the command with this index prints, the edit on the way, and where the command runs.
pub(crate) fn derived(script: &Script, index: usize) -> Option<(Vec<Word>, TextEdit, Option<PathBuf>)> {
    derived_within(script, index, LONGEST_PIPELINE)
}

fn derived_within(
    script: &Script,
    index: usize,
    depth: u32,
) -> Option<(Vec<Word>, TextEdit, Option<PathBuf>)> {
    let command = script.commands.get(index).filter(|command| !command.remote)?;
    let (edit, files) = edit::filter(command)?;
    match (files.as_slice(), &command.input) {
        ([], Input::File(file)) if file.known => Some((vec![file.clone()], edit, command.directory.clone())),
        ([], Input::From(before)) if depth > 0 => {
            let (files, first, directory) = derived_within(script, *before, depth - 1)?;
            Some((files, first.then(edit)?, directory))
        }
        ([_, ..], _) if files.iter().all(|file| file.known && !file.glob) => {
            Some((files.into_iter().cloned().collect(), edit, command.directory.clone()))
        }
        _ => None,
    }
}

fn echo(operands: &[Word]) -> String {
    let is_option = |word: &&Word| {
        word.text.len() > 1
            && word.text.starts_with('-')
            && word.text.bytes().skip(1).all(|byte| matches!(byte, b'n' | b'e' | b'E'))
    };
    let options: Vec<&Word> = operands.iter().take_while(is_option).collect();
    let has = |letter: char| options.iter().any(|word| word.text.contains(letter));
    let rest = operands.get(options.len()..).unwrap_or_default();
    let mut text = rest.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    if has('e') {
        text = unescaped_by_echo(&text);
    }
    if !has('n') {
        text.push('\n');
    }
    text
}

fn printf(operands: &[Word]) -> Option<String> {
    let operands = if operands.first()?.text == "--" { operands.get(1..)? } else { operands };
    let (format, values) = operands.split_first()?;
    if format.text.starts_with("-v") {
        return None;
    }
    let format = unescaped(&format.text);
    let mut values = values.iter().map(|word| word.text.as_str()).peekable();
    let mut text = String::new();
    loop {
        let before = values.len();
        let mut characters = format.chars();
        while let Some(character) = characters.next() {
            match (character, character == '%') {
                (_, true) => match characters.next()? {
                    '%' => text.push('%'),
                    's' | 'd' => text.push_str(values.next().unwrap_or_default()),
                    'b' => text.push_str(&unescaped_by_echo(values.next().unwrap_or_default())),
                    _ => return None,
                },
                (other, false) => text.push(other),
            }
        }
        if values.peek().is_none() || values.len() == before {
            return Some(text);
        }
    }
}

/// `echo -e` and `%b` leave a backslash before a quote, and write octal numbers as `\0nnn`.
fn unescaped_by_echo(text: &str) -> String {
    unescaped(&text.replace("\\\"", "\\\\\"").replace("\\'", "\\\\'").replace("\\0", "\\"))
}

fn unescaped(text: &str) -> String {
    let marks = crate::shell::parse::unquote::ansi_c(text);
    crate::shell::parse::unquote::word(&marks, Path::new("~")).text
}

/// The words that `xargs` would get; with a place holder each line is one.
pub(crate) fn words_from(script: &Script, input: &Input, by_lines: bool) -> Option<Vec<Word>> {
    if by_lines && let Some(text) = text_in(script, input, LONGEST_PIPELINE) {
        return Some(text.split(['\n', '\0']).filter(|line| !line.is_empty()).map(Word::literal).collect());
    }
    words_in(script, input, LONGEST_PIPELINE)
}

fn words_in(script: &Script, input: &Input, depth: u32) -> Option<Vec<Word>> {
    if let Some(text) = text_in(script, input, depth) {
        return Some(
            text.split(['\n', ' ', '\t', '\0']).filter(|w| !w.is_empty()).map(Word::literal).collect(),
        );
    }
    let Input::From(index) = input else { return None };
    let command = script.commands.get(*index)?;
    match command.program() {
        // `grep -rl x src` names some of the files below its folders.
        "grep" | "rg" if command.input == Input::None => {
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
        "find" | "fd" => Some(find_words(command)),
        "git" => git_files(command),
        "ls" => Some(listed(command)),
        _ => None,
    }
}

/// What `find` names: its roots, narrowed by `-name` where that is the only test.
pub(crate) fn find_words(command: &Command) -> Vec<Word> {
    let operands = command.words.get(1..).unwrap_or_default();
    let is_expression = |word: &&Word| !matches!(word.text.chars().next(), Some('-' | '(' | '!'));
    let operands = operands.get(find_options(operands)..).unwrap_or_default();
    let mut roots: Vec<Word> = operands.iter().take_while(is_expression).cloned().collect();
    let tests = operands.get(roots.len()..).unwrap_or_default();
    if roots.is_empty() {
        roots.push(Word::literal("."));
    }
    let (name, partial) = find_tests(tests);
    let narrowed = |root: &Word| match &name {
        Some(name) => Word {
            text: format!("{}/**/{name}", root.text.trim_end_matches('/')),
            known: root.known,
            glob: true,
            partial: partial || root.partial,
            below: false,
            ..root.clone()
        },
        None => Word { partial: partial || root.partial, below: true, ..root.clone() },
    };
    roots.iter().map(narrowed).collect()
}

/// How many words before the roots say how `find` walks: `-H`, `-O3`, `-D tree`, and BSD's `-x`.
fn find_options(operands: &[Word]) -> usize {
    let mut count = 0;
    while let Some(word) = operands.get(count) {
        count += match word.text.as_str() {
            "-H" | "-L" | "-P" | "-E" | "-X" | "-x" | "-s" => 1,
            "-D" => 2,
            level
                if level
                    .strip_prefix("-O")
                    .is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_digit())) =>
            {
                1
            }
            _ => break,
        };
    }
    count.min(operands.len())
}

/// Whether `find` itself deletes: a `-delete` in the words of `-exec` is none.
pub(crate) fn find_deletes(command: &Command) -> bool {
    let mut in_exec = false;
    let mut words = command.words.iter();
    while let Some(word) = words.next() {
        match word.text.as_str() {
            "-exec" | "-execdir" | "-ok" | "-okdir" => in_exec = true,
            ";" | "+" => in_exec = false,
            "-delete" if !in_exec => return true,
            test if !in_exec && VALUED_TESTS.contains(&test) => {
                words.next();
            }
            _ => {}
        }
    }
    false
}

/// Whether `find` goes through links to wherever they lead.
pub(crate) fn find_follows(command: &Command) -> bool {
    command.words.iter().any(|word| matches!(word.text.as_str(), "-L" | "-follow"))
}

/// Tests of `find` whose value is the next word, whatever it looks like.
const VALUED_TESTS: &[&str] = &[
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-regex",
    "-iregex",
    "-lname",
    "-type",
    "-xtype",
    "-size",
    "-mtime",
    "-mmin",
    "-atime",
    "-amin",
    "-ctime",
    "-cmin",
    "-newer",
    "-anewer",
    "-cnewer",
    "-perm",
    "-user",
    "-uid",
    "-group",
    "-gid",
    "-maxdepth",
    "-mindepth",
    "-fstype",
    "-inum",
    "-links",
    "-samefile",
    "-printf",
    "-fprint",
    "-fprintf",
    "-fls",
    "-used",
];

/// The only `-name` of the tests, and whether other tests choose too.
fn find_tests(tests: &[Word]) -> (Option<String>, bool) {
    let mut name = None;
    let mut partial = false;
    let mut tests = tests.iter();
    while let Some(test) = tests.next() {
        match test.text.as_str() {
            "-name" if name.is_none() => name = tests.next().filter(|w| w.known).map(|w| w.text.clone()),
            "-type" | "-mindepth" => {
                // Directories alone are still everything that is in them.
                tests.next();
            }
            "-exec" | "-execdir" | "-ok" | "-okdir" => break,
            "-delete" | "-print" | "-print0" | "-depth" | "-d" | "-xdev" | "-mount" | "-follow"
            | "-prune" => {}
            _ => partial = true,
        }
    }
    if partial { (None, true) } else { (name, false) }
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
        false => (*word).clone(),
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
    use crate::model::event::Dialect;
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
            let script = read(text, Dialect::Posix);
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
            let script = read(text, Dialect::Posix);
            let input = Input::From(script.commands.len() - 2);
            let words = words_from(&script, &input, false).unwrap();
            assert_eq!((words[0].text.as_str(), words[0].partial), (expected, partial), "{text}");
        }
    }
}
