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

/// What the options of `xargs` and `parallel` say.
#[derive(Default)]
struct XargsOptions {
    place_holder: Option<String>,
    needs_input: bool,
    whole_lines: bool,
    /// Nobody has read the file that the words come from.
    from_file: bool,
    /// It only shows what it would run.
    is_dry: bool,
}

impl XargsOptions {
    /// The options before the command, and the command.
    fn read(parallel: bool, words: &[Word]) -> (Self, &[Word]) {
        let mut options = XargsOptions { whole_lines: parallel, ..XargsOptions::default() };
        let mut rest = words;
        while let Some((word, after)) = rest.split_first() {
            if !word.text.starts_with('-') {
                break;
            }
            let takes_next = options.take(&word.text, after.first());
            rest = if takes_next { after.get(1..).unwrap_or_default() } else { after };
        }
        (options, rest)
    }

    /// Takes one option; says whether the next word is its value.
    fn take(&mut self, option: &str, next: Option<&Word>) -> bool {
        match option {
            "-I" | "-J" => self.place_holder = next.map(|holder| holder.text.clone()),
            "-i" | "--replace" => self.place_holder = Some("{}".to_owned()),
            _ if option.starts_with("-I") => self.place_holder = option.get(2..).map(str::to_owned),
            _ if option.starts_with("--replace=") => {
                let holder = option.split_once('=').map_or("", |(_, holder)| holder);
                self.place_holder = Some(if holder.is_empty() { "{}" } else { holder }.to_owned());
            }
            "-0" | "--null" => self.whole_lines = true,
            "--dry-run" | "--dryrun" => self.is_dry = true,
            "-r" | "--no-run-if-empty" => self.needs_input = true,
            _ if option.starts_with("-a") || option == "--arg-file" || option.starts_with("--arg-file=") => {
                self.from_file = true;
            }
            _ => {}
        }
        matches!(option, "-I" | "-J") || XARGS_VALUED.contains(&option)
    }
}

pub(crate) fn xargs(
    parallel: bool,
    words: &[Word],
    input_words: impl FnOnce(bool) -> Option<Vec<Word>>,
) -> PeeledCommand {
    let (options, rest) = XargsOptions::read(parallel, words);
    if parallel && options.is_dry {
        return PeeledCommand::Plain;
    }
    let given = rest.split(|word| matches!(word.text.as_str(), ":::" | "::::")).next().unwrap_or_default();
    let from_file = options.from_file || rest.get(given.len()).is_some_and(|word| word.text == "::::");
    let literal = rest.get(given.len() + 1..).map(<[Word]>::to_vec).filter(|_| !from_file);
    let by_lines = options.place_holder.is_some() || options.whole_lines;
    let values = literal
        .or_else(|| input_words(by_lines).filter(|_| !from_file))
        .unwrap_or_else(|| vec![Word { partial: true, ..Word::unknown() }]);
    if options.needs_input && values.is_empty() {
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
    let usual = || given.iter().any(|word| word.text == "{}").then(|| "{}".to_owned());
    let words = match options.place_holder.or_else(usual) {
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
