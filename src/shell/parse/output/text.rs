//! The text that `echo`, `printf` or a heredoc gives to the next command, where words alone decide it.

mod letters;

use std::path::Path;

use crate::shell::model::{Command, CommandInput, Script, UNKNOWN, Word, program_name};
use crate::shell::wrappers::interpreter_code::literals::literals;
use crate::shell::wrappers::interpreter_code::names::named_tokens;
use crate::shell::wrappers::interpreter_code::tokens::SourceToken;
use crate::shell::wrappers::interpreter_code::values::KnownValues;

/// How far a text is followed through `cat` and `tee`.
pub(crate) const LONGEST_PIPELINE: u32 = 8;

/// A directory that `mktemp` might have made.
pub(crate) const FRESH_DIRECTORY: &str = "/tmp/mktemp.fresh";

/// The same, where it has become the home: to delete `$HOME` is not done on the word of an assignment before it.
pub const FRESH_HOME: &str = "/tmp/mktemp.home";

/// The top of the repository that the text runs in: who looks at the disk knows it.
pub const TOP: &str = "/tmp/git.top";

/// Below it the addresses of remotes stand by their names: who looks at the repository knows them.
pub const REMOTES: &str = "/tmp/git.remotes";

/// The text that the command with this index prints.
pub(crate) fn text_of(script: &Script, index: usize) -> Option<String> {
    text_within(script, index, LONGEST_PIPELINE)
}

/// The text that comes in.
pub(crate) fn text_from(script: &Script, input: &CommandInput) -> Option<String> {
    text_in(script, input, LONGEST_PIPELINE)
}

/// Whether the text that comes in was decoded by `echo` from escapes, which not every shell's own does.
pub(crate) fn is_reckoned(script: &Script, input: &CommandInput) -> bool {
    let CommandInput::From(index) = input else { return false };
    let Some(command) = script.commands.get(*index) else { return false };
    let escapes = || command.words.iter().skip(1).any(|word| word.text.contains('\\'));
    match command.program() {
        "echo" => escapes(),
        // Each input is an earlier command, so this ends.
        "cat" | "tee" => {
            matches!(&command.input, CommandInput::From(before) if before < index)
                && is_reckoned(script, &command.input)
        }
        _ => false,
    }
}

pub(crate) fn text_in(script: &Script, input: &CommandInput, depth: u32) -> Option<String> {
    match input {
        CommandInput::Text(text) => Some(text.clone()),
        CommandInput::File(file) if file.text == "/dev/null" => Some(String::new()),
        CommandInput::From(index) if depth > 0 => text_within(script, *index, depth - 1),
        _ => None,
    }
}

fn text_within(script: &Script, index: usize, depth: u32) -> Option<String> {
    let command = script.commands.get(index)?;
    let operands = command.words.get(1..)?;
    if let Some(text) = &command.prints {
        return Some(text.clone());
    }
    if command.remote || !operands.iter().all(|word| word.known && !word.glob) {
        return None;
    }
    match command.program() {
        "echo" => Some(echo(operands)),
        "printf" => printf(operands),
        "pwd" if operands.is_empty() => Some(command.directory.as_ref()?.to_string_lossy().into_owned()),
        "git" if matches!(operands, [show, top] if show.text == "rev-parse" && top.text == "--show-toplevel") => {
            Some(TOP.to_owned())
        }
        "git" if remote_asked(operands).is_some() => Some(format!("{REMOTES}/{}", remote_asked(operands)?)),
        "mktemp" => Some(FRESH_DIRECTORY.to_owned()),
        "dirname" => operands.first().map(|word| holder(&word.text)),
        "basename" => last_name(operands),
        "rev" if operands.is_empty() => {
            let text = text_in(script, &command.input, depth)?;
            Some(text.lines().map(|line| line.chars().rev().collect::<String>() + "\n").collect())
        }
        "tr" => letters::translated(&text_in(script, &command.input, depth)?, operands),
        "which" | "command" | "type" | "realpath" | "readlink" | "whereis" => own_program(operands),
        "cat" if !operands.is_empty() && operands.iter().all(|word| word.text == "/dev/null") => {
            Some(String::new())
        }
        "cat" | "tee" if operands.iter().all(|word| word.text == "-") || command.program() == "tee" => {
            text_in(script, &command.input, depth)
        }
        _ => printed_by_source(command),
    }
}

/// The remote whose address git is asked for: `git remote get-url origin`, `git config --get remote.origin.url`.
fn remote_asked(operands: &[Word]) -> Option<&str> {
    let texts: Vec<&str> = operands.iter().map(|word| word.text.as_str()).collect();
    let name = match texts.as_slice() {
        ["remote", "get-url", name] => name,
        ["config", "--get", setting] | ["config", "get", setting] | ["config", setting] => {
            setting.strip_prefix("remote.")?.strip_suffix(".url")?
        }
        _ => return None,
    };
    (!name.is_empty() && !name.starts_with('-') && !name.contains('/')).then_some(name)
}

/// Where a look-up of the guard's own programs is taken to end.
pub(crate) const LOOKED_UP: &str = "/usr/local/bin/";

/// Where the guard's own programs are, for who asks in order to write there: any place where programs are found.
fn own_program(operands: &[Word]) -> Option<String> {
    let name = &operands.iter().rfind(|word| !word.text.starts_with('-'))?.text;
    match program_name(name) {
        "steadfast" | "steadfast-hook" if name.contains('/') => Some(name.clone()),
        "steadfast" | "steadfast-hook" => Some(format!("{LOOKED_UP}{name}")),
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

/// `python3 -c "print('text')"`: what a source prints that does nothing else.
fn printed_by_source(command: &Command) -> Option<String> {
    const PRINTS: &[&str] = &["print", "console.log", "puts", "echo", "say", "process.stdout.write"];
    let code = command.code.as_ref()?;
    let tokens = named_tokens(code.language, code.text.as_deref()?);
    let tokens: Vec<SourceToken> =
        tokens.into_iter().filter(|it| !matches!(it, SourceToken::Sign('\n' | ';'))).collect();
    let [SourceToken::Name(name), rest @ ..] = tokens.as_slice() else { return None };
    let inside = match rest {
        [SourceToken::Sign('('), inside @ .., SourceToken::Sign(')')] => inside,
        inside => inside,
    };
    let values = PRINTS.contains(&name.as_str()).then(|| literals(inside, &KnownValues::new())).flatten()?;
    match values.as_slice() {
        [(text, false)] if !text.contains(UNKNOWN) => Some(format!("{text}\n")),
        _ => None,
    }
}

/// `basename path`, `basename path suffix`.
fn last_name(operands: &[Word]) -> Option<String> {
    let (path, suffix) = operands.split_first().filter(|(path, _)| !path.text.starts_with('-'))?;
    let name = path.text.trim_end_matches('/').rsplit('/').next()?;
    let without = match suffix {
        [] => None,
        [suffix] => name.strip_suffix(suffix.text.as_str()).filter(|rest| !rest.is_empty()),
        _ => return None,
    };
    Some(without.unwrap_or(name).to_owned())
}

/// The folder in which a path lies, by its letters alone.
fn holder(path: &str) -> String {
    match path.trim_end_matches('/').rsplit_once('/') {
        None => ".".to_owned(),
        Some(("", _)) => "/".to_owned(),
        Some((before, _)) => before.to_owned(),
    }
}

pub(crate) fn printf(operands: &[Word]) -> Option<String> {
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
