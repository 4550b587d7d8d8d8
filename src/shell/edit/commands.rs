//! The commands whose words are an edit: which of them is the program, which are files, and where the result goes.

use crate::shell::edit::pattern::Flavour;
use crate::shell::edit::values::{Assignment, Format, Key, Values, dotted, plain, program};
use crate::shell::edit::{Step, TextEdit, filters, perl, sed};
use crate::shell::model::{Command, Word};

/// The words of a command that are all known, without the program.
fn texts(command: &Command) -> Option<Vec<&str>> {
    let words = command.words.get(1..)?;
    words.iter().all(|word| word.known).then(|| words.iter().map(|word| word.text.as_str()).collect())
}

/// The edit that `sed -i` or `perl -pi` makes in its files.
pub(in crate::shell) fn in_place(command: &Command) -> Option<TextEdit> {
    // The files may be unknown: only the program must be known.
    let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    let is_known = |text: &str| command.words.iter().any(|word| word.known && word.text == text);
    match command.program() {
        "sed" | "gsed" => sed_words(&words, is_known).map(|(edit, _)| edit),
        "perl" | "ruby" => perl_words(command.program(), &words, is_known).map(|(edit, _)| edit),
        "gawk" | "awk" => {
            let at = words.windows(2).position(|pair| matches!(pair, ["-i", "inplace"]))?;
            let text = words.iter().skip(at + 2).find(|word| !word.starts_with('-'))?;
            is_known(text).then(|| filters::awk(text)).flatten()
        }
        _ => None,
    }
}

/// The edit between what a command reads and what it prints, and the files that it reads one after the other: none for
/// its input.
pub(in crate::shell) fn filter(command: &Command) -> Option<(TextEdit, Vec<&Word>)> {
    let words = texts(command)?;
    let (edit, files) = match command.program() {
        "sed" | "gsed" => sed_words(&words, |_| true)?,
        name @ ("perl" | "ruby") => perl_words(name, &words, |_| true)?,
        "grep" => filters::grep(&words, Flavour::Basic, false)?,
        "egrep" => filters::grep(&words, Flavour::Extended, false)?,
        "fgrep" => filters::grep(&words, Flavour::Basic, true)?,
        "head" => filters::ends(&words, true)?,
        "tail" => filters::ends(&words, false)?,
        "awk" | "gawk" | "mawk" | "nawk" => {
            if words.first()?.starts_with('-') {
                return None;
            }
            (filters::awk(words.first()?)?, (1..words.len()).collect())
        }
        "cat" => (TextEdit { steps: Vec::new() }, files_only(&words)?),
        "jq" | "yq" | "gojq" | "jaq" => query(command.program(), &words)?,
        "toml" => toml_set(&words)?,
        _ => return None,
    };
    // Of several files most programs print more than their lines, or number them in their own way.
    let may_be_several = command.program() == "cat";
    match files.as_slice() {
        [one] if words.get(*one) == Some(&"-") => Some((edit, Vec::new())),
        [_, _, ..] if !may_be_several || files.iter().any(|at| words.get(*at) == Some(&"-")) => None,
        files => Some((edit, files.iter().filter_map(|at| command.words.get(at + 1)).collect())),
    }
}

fn files_only(words: &[&str]) -> Option<Vec<usize>> {
    words.iter().all(|word| !word.starts_with('-') || *word == "-").then(|| (0..words.len()).collect())
}

/// A program of `sed` and the places of its files.
fn sed_words(words: &[&str], is_known: impl Fn(&str) -> bool) -> Option<(TextEdit, Vec<usize>)> {
    let mut flavour = Flavour::Basic;
    let (mut quiet, mut after_options) = (false, false);
    let mut scripts: Vec<&str> = Vec::new();
    let mut files = Vec::new();
    let mut index = 0;
    while let Some(word) = words.get(index).copied() {
        index += 1;
        match word.strip_prefix('-').filter(|rest| !rest.is_empty() && !after_options) {
            None => files.push(index - 1),
            Some("-") => after_options = true,
            Some("-expression") => {
                scripts.push(words.get(index)?);
                index += 1;
            }
            Some("-regexp-extended") => flavour = Flavour::Extended,
            Some("-quiet" | "-silent") => quiet = true,
            Some(long) if long.starts_with("-expression=") => scripts.push(long.split_once('=')?.1),
            Some(long)
                if long.starts_with("-in-place") || matches!(long, "-posix" | "-sandbox" | "-unbuffered") => {
            }
            Some(long) if long.starts_with('-') => return None,
            Some(letters) => {
                for (at, letter) in letters.char_indices() {
                    match letter {
                        'E' | 'r' => flavour = Flavour::Extended,
                        'n' => quiet = true,
                        // What follows is the ending of a copy; BSD has it as a word of its own when it is empty.
                        'i' => break,
                        'e' => {
                            match letters.get(at + 1..).filter(|glued| !glued.is_empty()) {
                                Some(glued) => scripts.push(glued),
                                None => {
                                    scripts.push(words.get(index)?);
                                    index += 1;
                                }
                            }
                            break;
                        }
                        's' | 'u' | 'b' => {}
                        _ => return None,
                    }
                }
            }
        }
    }
    files.retain(|at| words.get(*at).is_some_and(|word| !word.is_empty()));
    if scripts.is_empty() {
        // BSD's `-i .bak`: an ending before the script.
        let is_ending = |at: &usize| {
            words.get(*at).is_some_and(|it| it.starts_with('.') && !it.contains('/') && files.len() > 2)
        };
        if files.first().is_some_and(is_ending) && at_option(words, *files.first()?) {
            files.remove(0);
        }
        scripts.push(words.get(*files.first()?)?);
        files.remove(0);
    }
    if !scripts.iter().all(|script| words.contains(script) && is_known(script) || is_part(words, script)) {
        return None;
    }
    let program = sed::read(&scripts, flavour, quiet)?;
    Some((TextEdit { steps: vec![Step::Run(program)] }, files))
}

/// Whether the word before this one is `-i` alone.
fn at_option(words: &[&str], at: usize) -> bool {
    at.checked_sub(1).and_then(|before| words.get(before)).is_some_and(|word| *word == "-i")
}

fn is_part(words: &[&str], script: &str) -> bool {
    words.iter().any(|word| word.len() > script.len() && word.ends_with(script))
}

/// A program of `perl -p`, `perl -n` or `ruby -p` and the places of its files.
fn perl_words(name: &str, words: &[&str], is_known: impl Fn(&str) -> bool) -> Option<(TextEdit, Vec<usize>)> {
    let mut mode = perl::Mode { ruby: name == "ruby", ..perl::Mode::default() };
    let mut scripts: Vec<&str> = Vec::new();
    let mut files = Vec::new();
    let (mut prints, mut quiet) = (false, false);
    let mut index = 0;
    while let Some(word) = words.get(index).copied() {
        index += 1;
        let Some(letters) = word.strip_prefix('-').filter(|rest| !rest.is_empty()) else {
            files.push(index - 1);
            continue;
        };
        let mut at = 0;
        while let Some(letter) = letters.get(at..).and_then(|rest| rest.chars().next()) {
            at += letter.len_utf8();
            match letter {
                'p' => prints = true,
                'n' => quiet = true,
                'l' => mode.chomped = true,
                'w' | 's' | 'C' => {}
                '0' => {
                    let rest = letters.get(at..).unwrap_or_default();
                    let digits = rest.len() - rest.trim_start_matches(|it: char| it.is_ascii_digit()).len();
                    // `-00` reads paragraphs.
                    if rest.starts_with('0') {
                        return None;
                    }
                    mode.whole = true;
                    at += digits;
                }
                'i' => {
                    // The ending of a copy, up to a letter that is an option: `-i.bak`.
                    if letters.get(at..).is_some_and(|rest| rest.starts_with('.')) {
                        at = letters.len();
                    }
                }
                'e' | 'E' => {
                    match letters.get(at..).filter(|rest| !rest.is_empty()) {
                        Some(glued) => scripts.push(glued),
                        None => {
                            scripts.push(words.get(index)?);
                            index += 1;
                        }
                    }
                    at = letters.len();
                }
                _ => return None,
            }
        }
    }
    if scripts.is_empty() || !(prints || quiet) {
        return None;
    }
    if !scripts.iter().all(|script| is_known(script) || is_part(words, script)) {
        return None;
    }
    mode.quiet = quiet && !prints;
    let program = perl::read(&scripts.join(";"), mode)?;
    Some((TextEdit { steps: vec![Step::Run(program)] }, files))
}

/// A program of `jq` or `yq` and the places of its files.
fn query(name: &str, words: &[&str]) -> Option<(TextEdit, Vec<usize>)> {
    let mut files = Vec::new();
    let mut arguments = Vec::new();
    let mut text = None;
    let mut index = 0;
    while let Some(word) = words.get(index).copied() {
        index += 1;
        match word {
            "--arg" | "--argjson" => {
                let (key, value) = (words.get(index)?, words.get(index + 1)?);
                let value = if word == "--arg" { serde_json::Value::from(*value) } else { plain(value) };
                arguments.push(((*key).to_owned(), value));
                index += 2;
            }
            "--indent" | "-I" => index += 1,
            "eval" | "e" if text.is_none() && name == "yq" => {}
            "-n" | "--null-input" | "-s" | "--slurp" | "-R" | "--raw-input" | "-f" | "--from-file" => {
                return None;
            }
            _ if word.starts_with('-') && word.len() > 1 => {}
            _ if text.is_none() => text = Some(word),
            _ => files.push(index - 1),
        }
    }
    let assignments = program(text?, &arguments)?;
    let first = files.first().and_then(|at| words.get(*at)).copied().unwrap_or_default();
    let format = match name {
        "yq" if first.is_empty() => Format::Yaml,
        _ => Format::of(first),
    };
    Some((TextEdit { steps: vec![Step::Set(Values { format, assignments })] }, files))
}

/// `toml set FILE KEY VALUE`, which prints.
fn toml_set(words: &[&str]) -> Option<(TextEdit, Vec<usize>)> {
    let ["set", _, key, value] = words else { return None };
    Some((one(Format::Toml, key, Some(value)), vec![1]))
}

fn one(format: Format, key: &str, value: Option<&str>) -> TextEdit {
    let assignment = Assignment { path: dotted(key), value: value.map(plain) };
    TextEdit { steps: vec![Step::Set(Values { format, assignments: vec![assignment] })] }
}

/// The values that a command sets in a file that its words name, or that it always means.
pub(in crate::shell) fn values_of(command: &Command) -> Option<(Word, TextEdit)> {
    let words = texts(command)?;
    let manifest = |edit| Some((Word::literal("package.json"), edit));
    match (command.program(), words.as_slice()) {
        ("npm" | "pnpm", ["pkg", verb @ ("set" | "delete" | "rm"), rest @ ..]) => manifest(pkg(verb, rest)?),
        ("bun", ["pm", "pkg", verb @ ("set" | "delete"), rest @ ..]) => manifest(pkg(verb, rest)?),
        ("npm", ["set-script", name, value]) => {
            let path = vec![Key::Name("scripts".to_owned()), Key::Name((*name).to_owned())];
            let value = Some(serde_json::Value::from(*value));
            let values = Values { format: Format::Json, assignments: vec![Assignment { path, value }] };
            manifest(TextEdit { steps: vec![Step::Set(values)] })
        }
        ("npe" | "dot-json", [.., key, value]) => {
            manifest(one(Format::Json, key.trim_start_matches("package.json"), Some(value)))
        }
        ("composer", ["config", rest @ ..]) => composer(rest),
        ("yq", [.., file]) if words.iter().any(|it| is_in_place(it)) => {
            let (edit, _) = query("yq", &words)?;
            Some((Word::literal(*file), edit))
        }
        ("crudini" | "ini", ["--set", file, section, key, value]) => {
            Some((Word::literal(*file), one(Format::Toml, &format!("{section}.{key}"), Some(value))))
        }
        ("crudini", ["--del", file, section, key]) => {
            Some((Word::literal(*file), one(Format::Toml, &format!("{section}.{key}"), None)))
        }
        ("dasel", ["put", rest @ ..]) => dasel(rest),
        _ => None,
    }
}

fn is_in_place(word: &str) -> bool {
    word == "--inplace" || (word.starts_with('-') && !word.starts_with("--") && word.contains('i'))
}

fn pkg(verb: &str, rest: &[&str]) -> Option<TextEdit> {
    let json = rest.contains(&"--json");
    let mut assignments = Vec::new();
    for word in rest.iter().filter(|word| !word.starts_with("--")) {
        let (key, value) = match verb {
            "set" => {
                let (key, value) = word.split_once('=')?;
                (key, Some(if json { plain(value) } else { serde_json::Value::from(value) }))
            }
            _ => (*word, None),
        };
        // `scripts.test:unit` has its dots between names only.
        assignments.push(Assignment { path: dotted(key), value });
    }
    (!assignments.is_empty())
        .then(|| TextEdit { steps: vec![Step::Set(Values { format: Format::Json, assignments })] })
}

/// `composer config scripts.test "…"`, `composer config --unset scripts.test`.
fn composer(rest: &[&str]) -> Option<(Word, TextEdit)> {
    let unset = rest.contains(&"--unset");
    let plain_words: Vec<&&str> = rest.iter().filter(|word| !word.starts_with('-')).collect();
    let key = plain_words.first()?;
    let value = if unset { None } else { Some(**plain_words.get(1)?) };
    if !key.starts_with("scripts.") {
        return None;
    }
    Some((Word::literal("composer.json"), one(Format::Json, key, value)))
}

/// `dasel put -f FILE -t string -v VALUE SELECTOR`.
fn dasel(rest: &[&str]) -> Option<(Word, TextEdit)> {
    let after = |names: &[&str]| {
        let at = rest.iter().position(|word| names.contains(word))?;
        rest.get(at + 1).copied()
    };
    let file = after(&["-f", "--file"])?;
    let value = after(&["-v", "--value"])?;
    let key = after(&["-s", "--selector"]).or_else(|| rest.last().copied())?;
    Some((Word::literal(file), one(Format::of(file), key, Some(value))))
}
