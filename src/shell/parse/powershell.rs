//! PowerShell's common ways to delete and write, said in the words of the POSIX programs that do the same.
//!
//! Simple on purpose: cmdlets and their aliases, `;` and `|` and line breaks. What it doesn't know stays a command of
//! an unknown program.

use std::path::Path;

use crate::shell::model::{
    Command, CommandInput, MOST_COMMANDS, Redirect, Script, UNKNOWN, Word, first_line, resolve, unreadable,
};

/// Cmdlets and aliases by the program they act like.
static CMDLETS: &[(&[&str], &str)] = &[
    (&["remove-item", "ri", "rm", "del", "erase", "rd", "rmdir"], "rm"),
    (&["move-item", "mi", "mv", "move", "rename-item", "rni", "ren"], "mv"),
    (&["copy-item", "cpi", "cp", "copy"], "cp"),
    (&["clear-content", "clc"], "truncate"),
    (&["set-content", "sc", "out-file"], "tee"),
    (&["add-content", "ac"], "tee -a"),
    (&["set-location", "sl", "cd", "chdir"], "cd"),
    (&["write-output", "write", "echo"], "echo"),
    (&["get-content", "gc", "cat", "type"], "cat"),
    (&["get-childitem", "gci", "ls", "dir"], "ls"),
];

/// Parameters that name a path.
const PATHS: &[&str] = &["-path", "-literalpath", "-filepath", "-destination", "-newname", "-lp", "-pspath"];
/// Parameters whose value is no path.
const VALUED: &[&str] =
    &["-value", "-filter", "-include", "-exclude", "-encoding", "-erroraction", "-ea", "-inputobject"];

/// Reads a whole text.
pub(crate) fn read(text: &str, cwd: &Path, home: &Path) -> Script {
    let Some(statements) = statements(text) else {
        return Script { unread: vec![first_line(text)], ..Script::default() };
    };
    let mut script = Script::default();
    let mut directory = Some(cwd.to_path_buf());
    let mut listed = None;
    for (words, piped) in statements {
        if script.commands.len() >= MOST_COMMANDS {
            return unreadable(text);
        }
        let input = match (piped, script.commands.len().checked_sub(1)) {
            (true, Some(last)) => CommandInput::From(last),
            _ => CommandInput::None,
        };
        let mut command = translated(words, home);
        command.directory.clone_from(&directory);
        command.input = input;
        if command.program() == "cd" {
            let to = command.words.get(1).filter(|word| word.known);
            directory = to.and_then(|to| Some(resolve(directory.as_deref()?, &to.text)));
            continue;
        }
        listed = listing(&command, piped, listed);
        // `Get-ChildItem x | Remove-Item` deletes what is listed.
        let own = |word: &&Word| !word.text.starts_with('-');
        let names_nothing =
            || command.words.iter().skip(1).filter(own).all(|word| word.text.starts_with("$_"));
        if command.program() == "rm" && names_nothing() {
            command.words.retain(|word| !word.text.starts_with("$_"));
            command.words.extend(listed.clone().unwrap_or_else(|| vec![Word::unknown()]));
        }
        script.commands.push(command);
    }
    script
}

/// What a pipeline hands on after a command: what was listed, or some of that behind a filter. What stands in the braces
/// of a filter or a loop belongs to it.
fn listing(command: &Command, piped: bool, before: Option<Vec<Word>>) -> Option<Vec<Word>> {
    const FILTERS: &[&str] = &["where-object", "where", "?", "select-object", "select"];
    const PASSES: &[&str] = &["sort-object", "sort", "foreach-object", "foreach", "%", "rm"];
    let program = command.words.first().map_or(String::new(), |word| word.text.to_ascii_lowercase());
    if program == "ls" {
        let all = command.words.iter().any(|word| word.text == "-r");
        let own = command.words.iter().skip(1).filter(|word| !word.text.starts_with('-'));
        let found: Vec<Word> = own.map(|word| Word { below: all, ..word.clone() }).collect();
        let here = || vec![Word { below: all, ..Word::literal(".") }];
        return Some(if found.is_empty() { here() } else { found });
    }
    let filters = FILTERS.contains(&program.as_str()) || program.starts_with("$_");
    (filters || PASSES.contains(&program.as_str()) || !piped).then_some(())?;
    let mut words = before.filter(|_| filters || piped || program == "rm")?;
    words.iter_mut().for_each(|word| word.partial |= filters);
    Some(words)
}

type Statement = (Vec<Word>, bool);

fn finish(word: &mut Option<Word>, statements: &mut [Statement]) {
    if let (Some(done), Some(statement)) = (word.take(), statements.last_mut()) {
        statement.0.push(done);
    }
}

/// Reads a string up to its closing quote; `None` if there is none.
fn quoted(quote: char, characters: &mut impl Iterator<Item = char>, word: &mut Word) -> Option<()> {
    loop {
        match characters.next()? {
            '`' if quote == '"' => word.text.extend(characters.next()),
            end if end == quote => return Some(()),
            '$' if quote == '"' => {
                word.known = false;
                word.text.push(UNKNOWN);
            }
            inside => word.text.push(inside),
        }
    }
}

/// Statements as words, each with whether it is fed by the one before. `None` for an unclosed quote.
fn statements(text: &str) -> Option<Vec<Statement>> {
    let mut statements: Vec<Statement> = vec![(Vec::new(), false)];
    let mut word: Option<Word> = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' | '\r' => finish(&mut word, &mut statements),
            ';' | '\n' | '{' | '}' | '(' | ')' => {
                finish(&mut word, &mut statements);
                statements.push((Vec::new(), false));
            }
            '|' | '&' => {
                finish(&mut word, &mut statements);
                let doubled = characters.next_if_eq(&character).is_some();
                statements.push((Vec::new(), character == '|' && !doubled));
            }
            '#' if word.is_none() => while characters.next_if(|next| *next != '\n').is_some() {},
            '\'' | '"' => {
                quoted(character, &mut characters, word.get_or_insert_with(|| Word::literal("")))?;
            }
            '`' => {
                if let Some(escaped) = characters.next().filter(|escaped| *escaped != '\n') {
                    word.get_or_insert_with(|| Word::literal("")).text.push(escaped);
                }
            }
            '>' => {
                finish(&mut word, &mut statements);
                let append = characters.next_if_eq(&'>').is_some();
                statements.last_mut()?.0.push(Word::literal(if append { ">>" } else { ">" }));
            }
            other => {
                let current = word.get_or_insert_with(|| Word::literal(""));
                current.known &= other != '$';
                current.glob |= matches!(other, '*' | '?');
                current.text.push(other);
            }
        }
    }
    finish(&mut word, &mut statements);
    statements.retain(|(words, _)| !words.is_empty());
    Some(statements)
}

fn translated(words: Vec<Word>, home: &Path) -> Command {
    let source = first_line(&words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "));
    let mut redirects = Vec::new();
    let mut plain: Vec<Word> = Vec::new();
    let mut words = words.into_iter();
    while let Some(mut word) = words.next() {
        if matches!(word.text.as_str(), ">" | ">>") {
            let append = word.text == ">>";
            redirects.extend(words.next().map(|target| Redirect { target, append, output: true }));
            continue;
        }
        word.text = word.text.replace('\\', "/");
        for (variable, value) in [("~", home.to_string_lossy()), ("$HOME", home.to_string_lossy())] {
            if let Some(rest) =
                word.text.strip_prefix(variable).filter(|rest| rest.is_empty() || rest.starts_with('/'))
            {
                word.text = format!("{value}{rest}");
                word.known = true;
            }
        }
        plain.push(word);
    }
    let name = plain.first().map_or(String::new(), |word| word.text.to_ascii_lowercase());
    let known = CMDLETS.iter().find(|(names, _)| names.contains(&name.as_str()));
    let words = match known {
        Some((_, program)) => cmdlet(program, plain.get(1..).unwrap_or_default()),
        None => plain,
    };
    Command { words, redirects, source, ..Command::default() }
}

fn cmdlet(program: &str, arguments: &[Word]) -> Vec<Word> {
    let mut words: Vec<Word> = program.split(' ').map(Word::literal).collect();
    let mut arguments = arguments.iter();
    let mut first_only = program.starts_with("tee");
    while let Some(word) = arguments.next() {
        let parameter = word.text.to_ascii_lowercase();
        match parameter.as_str() {
            "-whatif" => return vec![Word::literal("true")],
            path if PATHS.contains(&path) => words.extend(arguments.next().cloned()),
            valued if VALUED.contains(&valued) => {
                arguments.next();
            }
            flag if flag.len() > 1 && "-recurse".starts_with(flag) || flag == "/s" => {
                words.push(Word::literal("-r"))
            }
            flag if flag.len() > 1 && "-force".starts_with(flag) || flag == "/q" => {
                words.push(Word::literal("-f"))
            }
            flag if flag.starts_with('-') => {}
            // The second position of Set-Content is the value.
            _ if program.starts_with("tee") && !std::mem::take(&mut first_only) => {}
            _ => words.extend(
                word.text
                    .split(',')
                    .filter(|text| !text.is_empty())
                    .map(|text| Word { text: text.to_owned(), ..word.clone() }),
            ),
        }
    }
    words
}
