//! `xargs` and `parallel`: the command that they run, with the words that come in filled in.

use crate::shell::model::{UNKNOWN, Word};
use crate::shell::wrappers::peeled::PeeledCommand;

/// The most words that filling in may make.
const MOST_FILLED: usize = 20_000;

/// The most runs of one text that are read.
const MOST_RUNS: usize = 64;

const XARGS_VALUED: &[&str] = &[
    "-n",
    "-P",
    "-L",
    "-s",
    "-E",
    "-d",
    "-a",
    "--max-args",
    "--max-procs",
    "--max-lines",
    "--delimiter",
    "-j",
    "--jobs",
    "--arg-file",
    "--process-slot-var",
    "--results",
    "--joblog",
    "--colsep",
    "--tmpdir",
    "--workdir",
    "--wd",
    "-R",
    "-S",
];

pub(crate) fn xargs(
    parallel: bool,
    rest: &[Word],
    input_words: impl FnOnce(bool) -> Option<Vec<Word>>,
) -> PeeledCommand {
    let mut rest = rest;
    let mut place_holder: Option<String> = None;
    let mut needs_input = false;
    let mut whole_lines = parallel;
    // Nobody has read the file that the words come from.
    let mut from_file = false;
    while let Some((word, after)) = rest.split_first() {
        let text = word.text.as_str();
        match text {
            "-I" | "-J" => {
                place_holder = after.first().map(|holder| holder.text.clone());
                rest = after.get(1..).unwrap_or_default();
            }
            "-i" | "--replace" => {
                place_holder = Some("{}".to_owned());
                rest = after;
            }
            _ if text.starts_with("-I") => {
                place_holder = text.get(2..).map(str::to_owned);
                rest = after;
            }
            _ if text.starts_with("--replace=") => {
                let holder = text.split_once('=').map_or("", |(_, holder)| holder);
                place_holder = Some(if holder.is_empty() { "{}" } else { holder }.to_owned());
                rest = after;
            }
            "-0" | "--null" => {
                whole_lines = true;
                rest = after;
            }
            // It only shows what it would run.
            "--dry-run" | "--dryrun" if parallel => return PeeledCommand::Plain,
            "-r" | "--no-run-if-empty" => {
                needs_input = true;
                rest = after;
            }
            "-a" | "--arg-file" => {
                from_file = true;
                rest = after.get(1..).unwrap_or_default();
            }
            _ if text.starts_with("-a") || text.starts_with("--arg-file=") => {
                from_file = true;
                rest = after;
            }
            _ if XARGS_VALUED.contains(&text) => rest = after.get(1..).unwrap_or_default(),
            _ if text.starts_with('-') => rest = after,
            _ => break,
        }
    }
    let given = rest.split(|word| word.text == ":::").next().unwrap_or_default();
    let given = given.split(|word| word.text == "::::").next().unwrap_or_default();
    let literal = rest.get(given.len() + 1..).map(<[Word]>::to_vec);
    let from_file = from_file || rest.get(given.len()).is_some_and(|word| word.text == "::::");
    let by_lines = place_holder.is_some() || whole_lines;
    let values = literal
        .filter(|_| !from_file)
        .or_else(|| input_words(by_lines).filter(|_| !from_file))
        .unwrap_or_else(|| vec![Word { partial: true, ..Word::unknown() }]);
    if needs_input && values.is_empty() {
        return PeeledCommand::Plain;
    }
    if parallel && is_template(given) {
        return PeeledCommand::ShellText { text: filled_template(given, &values), arguments: Vec::new() };
    }
    if given.is_empty() {
        // `parallel ::: 'a' 'b'` runs each word as shell text.
        let texts: Vec<&str> = values.iter().map(|word| word.text.as_str()).collect();
        return match parallel {
            true => PeeledCommand::ShellText { text: texts.join("\n"), arguments: Vec::new() },
            false => PeeledCommand::Plain,
        };
    }
    let holder = place_holder.or_else(|| given.iter().any(|word| word.text == "{}").then(|| "{}".to_owned()));
    let words = match holder {
        Some(holder) => fill(given, &holder, &values),
        None => given.iter().chain(&values).cloned().collect(),
    };
    PeeledCommand::Inner { words, directory: None, keeps: false }
}

/// Whether a word is the text of commands, and not one of a command's own words.
fn is_script(text: &str) -> bool {
    text.contains([' ', ';', '|', '\n'])
}

/// Whether what `parallel` is given is text for a shell: one word that holds a command's words, or signs of the shell.
fn is_template(given: &[Word]) -> bool {
    const SIGNS: &[&str] = &["&&", "||", ";", "|", ">", "<"];
    given.first().is_some_and(|word| is_script(&word.text))
        || given.iter().any(|word| SIGNS.contains(&word.text.as_str()))
}

/// The text of each run. `{}` is a value, and the shell gets it behind the text where nothing stands for it; what
/// `{.}`, `{//}` or `{2}` make of one is not known.
fn filled_template(given: &[Word], values: &[Word]) -> String {
    let template: Vec<&str> = given.iter().map(|word| word.text.as_str()).collect();
    let template = template.join(" ");
    let parts = ["{.}", "{/}", "{//}", "{/.}", "{#}", "{%}", "{1}", "{2}", "{3}", "{4}"];
    let has_holder = template.contains("{}") || parts.iter().any(|part| template.contains(part));
    let mut texts = String::new();
    for value in values.iter().take(MOST_RUNS) {
        let known = value.handed();
        let mut text = template.replace("{}", &known);
        for part in parts {
            text = text.replace(part, &UNKNOWN.to_string());
        }
        texts.push_str(&text);
        if !has_holder {
            texts.push(' ');
            texts.push_str(&known);
        }
        texts.push('\n');
    }
    texts
}

/// The words with every place holder filled; one that is part of a word takes the first value only.
pub(crate) fn fill(words: &[Word], holder: &str, values: &[Word]) -> Vec<Word> {
    let mut filled = Vec::new();
    for word in words {
        if filled.len() + values.len() > MOST_FILLED {
            filled.push(Word::unknown());
            break;
        }
        if word.text == holder {
            filled.extend_from_slice(values);
        } else if word.text.contains(holder) && is_script(&word.text) {
            // Each value fills the text of its own run.
            let texts: Vec<String> =
                values.iter().map(|value| word.text.replace(holder, &value.handed())).collect();
            filled.push(Word { text: texts.join("\n"), ..word.clone() });
        } else if let (true, Some(value)) = (word.text.contains(holder), values.first()) {
            filled.push(Word {
                text: word.text.replace(holder, &value.text),
                known: word.known && value.known && values.len() == 1,
                glob: word.glob || value.glob,
                partial: value.partial,
                printed: word.printed || value.printed,
                ..Word::default()
            });
        } else {
            filled.push(word.clone());
        }
    }
    filled
}
