//! Files that a command empties before it reads them: its writer is mistaken about what the command does.
//!
//! The shell opens the file of a redirection before it starts the program, so `sort F > F` sorts nothing. The same holds
//! for a program that opens a file for writing while it still reads it.

use std::path::{Path, PathBuf};

use crate::shell::edit::ComputedEdit;
use crate::shell::model::{
    Command, CommandInput, Effect, EffectKind, Redirect, Script, ScriptLanguage, Target, Word,
};

/// Programs that read the files which their operands name, and print.
const READERS: &[&str] = &[
    "awk", "base64", "black", "cat", "column", "comm", "cut", "diff", "egrep", "envsubst", "expand", "fgrep",
    "fmt", "fold", "gawk", "grep", "gsed", "head", "iconv", "jq", "join", "mawk", "mlr", "nl", "node",
    "paste", "perl", "php", "prettier", "python", "python3", "rev", "rg", "ruby", "sed", "shuf", "sort",
    "tac", "tail", "tr", "uniq", "unexpand", "xmllint", "xsltproc", "yq", "zcat",
];
/// How many commands of a pipeline are followed.
const LONGEST_PIPELINE: usize = 16;

/// Whether a redirection empties a file which its command, or one before it in the pipeline, reads.
pub(crate) fn is_emptied_first(script: &Script, index: usize, redirect: &Redirect) -> bool {
    let Some(command) = script.commands.get(index).filter(|_| redirect.output && !redirect.append) else {
        return false;
    };
    // Of a loop each round names one file.
    let is_own = |word: &&Word| redirect.target.glob && **word == redirect.target;
    let is_looped =
        || READERS.contains(&reader(command)) && command.words.iter().skip(1).any(|word| is_own(&word));
    place(&redirect.target, command).is_some_and(|file| is_read(script, index, &file)) || is_looped()
}

/// The program that reads: behind a runner of the project's tools it is one of those.
fn reader(command: &Command) -> &str {
    let own = command.program();
    let mut operands = command.words.iter().skip(1).map(|word| word.text.as_str());
    let mut tool =
        || operands.find(|text| !text.starts_with('-') && !matches!(*text, "run" | "exec" | "dlx"));
    match matches!(own, "npx" | "yarn" | "pnpm" | "bunx") {
        true => tool().unwrap_or(own),
        false => own,
    }
}

/// The same for a program that writes what it is given, as `tee` does.
pub(crate) fn is_fed_with_its_own(script: &Script, command: &Command, effect: &Effect) -> bool {
    let CommandInput::From(before) = command.input else { return false };
    !effect.append
        && effect.targets.iter().filter_map(|it| it.path.as_ref()).any(|file| is_read(script, before, file))
}

/// Notes of an editor that prints only what it is told to (`sed -n -i`) that it is told to print nothing.
pub(crate) fn emptied_by_editor(command: &Command, effect: &mut Effect) {
    effect.empties_its_input |= effect.kind == EffectKind::EditInPlace
        && is_quiet_sed(command)
        && effect.edit.as_ref().is_some_and(leaves_nothing);
}

/// `sed -n -i '' FILE`: with an empty word for its script it prints nothing; elsewhere than with GNU the word is an ending.
pub(crate) fn emptied_by_no_script(command: &Command) -> Option<Effect> {
    let words = || command.words.iter().skip(1);
    let is_in_place =
        words().any(|word| word.text == "-i" || word.text == "-ni" || word.text == "--in-place");
    let operands: Vec<&Word> = words().filter(|word| !word.text.starts_with('-')).collect();
    let [script, file] = operands[..] else { return None };
    (is_quiet_sed(command) && is_in_place && script.known && script.text.is_empty()).then(|| {
        let files = std::slice::from_ref(file);
        let directory = command.directory.as_deref();
        let mut effect = Effect::of(EffectKind::EditInPlace, command, command.program(), files, directory);
        effect.empties_its_input = true;
        effect
    })
}

fn is_quiet_sed(command: &Command) -> bool {
    let is_quiet = |word: &Word| {
        let is_short = word.text.starts_with('-') && !word.text.starts_with("--") && !word.text.contains('.');
        is_short && word.text.contains('n') || matches!(word.text.as_str(), "--quiet" | "--silent")
    };
    matches!(command.program(), "sed" | "gsed") && command.words.iter().skip(1).any(is_quiet)
}

/// Whether an edit leaves nothing of any text: neither of what its patterns fit nor of the rest.
fn leaves_nothing(edit: &ComputedEdit) -> bool {
    let mut texts = edit.samples();
    texts.push("one\ntwo\nthree\n".to_owned());
    texts.iter().all(|text| edit.apply(text).is_some_and(|left| left.is_empty()))
}

fn is_read(script: &Script, index: usize, file: &Path) -> bool {
    let mut next = Some(index);
    for _ in 0..LONGEST_PIPELINE {
        let Some(command) = next.and_then(|index| script.commands.get(index)) else { return false };
        if reads(command, file) {
            return true;
        }
        next = match command.input {
            CommandInput::From(before) => Some(before),
            _ => None,
        };
    }
    false
}

fn reads(command: &Command, file: &Path) -> bool {
    let is_file = |word: &Word| place(word, command).is_some_and(|path| path == file);
    if let CommandInput::File(word) = &command.input
        && is_file(word)
    {
        return true;
    }
    let operands = command.words.iter().skip(1).filter(|word| !word.text.starts_with('-'));
    !command.remote && READERS.contains(&reader(command)) && operands.into_iter().any(is_file)
}

fn place(word: &Word, command: &Command) -> Option<PathBuf> {
    Target::of(word, command.directory.as_deref()).path.filter(|_| !word.glob && !word.partial)
}

/// Whether a source opens a file for writing while it reads the same one: what it reads is empty by then.
pub(crate) fn opens_its_own(language: ScriptLanguage, source: &str) -> bool {
    if language != ScriptLanguage::Python || !source.contains("open(") {
        return false;
    }
    let lines: Vec<&str> = source.lines().collect();
    lines.iter().enumerate().any(|(at, line)| {
        let opened = opens(line);
        let is_one = opened.iter().any(|open| open.writes && is_read_meanwhile(line, open, &opened));
        is_one || opened.iter().any(|open| open.writes && is_read_below(&lines, at, open))
    })
}

/// An `open(FILE, MODE)` of a line: where it stands and ends, and whether it empties the file.
struct OpenCall<'s> {
    at: usize,
    end: usize,
    file: &'s str,
    writes: bool,
}

/// `open(p, "w").write(open(p).read())`, `with open(p) as old, open(p, "w") as new:`.
fn is_read_meanwhile(line: &str, open: &OpenCall, all: &[OpenCall]) -> bool {
    let reads = |other: &&OpenCall| !other.writes && other.file == open.file;
    let is_with = line.trim_start().starts_with("with ");
    let rest = line.get(open.end..).unwrap_or_default();
    let writes_at_once = rest.starts_with(".write(") || rest.starts_with(".writelines(");
    let ends = || {
        let from = rest.find('(').unwrap_or(0);
        open.end + closing(rest, from).unwrap_or(rest.len())
    };
    all.iter().filter(reads).any(|other| {
        is_with && !line.contains(';') || writes_at_once && other.at > open.end && other.at < ends()
    })
}

/// `with open(p, "w") as new:` and a line below that reads the file while it is open.
fn is_read_below(lines: &[&str], at: usize, open: &OpenCall) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let Some(line) = lines.get(at).filter(|line| line.trim_start().starts_with("with ")) else {
        return false;
    };
    let block = lines.iter().skip(at + 1).take_while(|it| it.trim().is_empty() || indent(it) > indent(line));
    block.into_iter().flat_map(|it| opens(it)).any(|it| !it.writes && it.file == open.file)
}

fn opens(line: &str) -> Vec<OpenCall<'_>> {
    let code = line.split(" #").next().unwrap_or(line);
    let found = code.match_indices("open(").filter(|(at, _)| {
        !code.get(..*at).unwrap_or_default().ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.')
    });
    let read = |(at, _): (usize, &str)| {
        let begin = at + "open(".len();
        let end = closing(code, begin - 1)?;
        let inside = code.get(begin..end - 1)?;
        let (file, rest) = inside.split_once(',').unwrap_or((inside, ""));
        let mode = rest.split(['"', '\'']).nth(1).unwrap_or_default();
        let is_mode = !rest.trim_start().starts_with("encoding");
        Some(OpenCall { at, end, file: file.trim(), writes: is_mode && mode.starts_with('w') })
    };
    found.filter_map(read).collect()
}

/// Where the bracket closes that stands at `from`: behind it. Brackets in texts are counted like others.
fn closing(code: &str, from: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in code.get(from..)?.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(from + at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::event::ShellDialect;
    use crate::shell;

    fn is_told(text: &str) -> bool {
        let reading = shell::effects(text, ShellDialect::Posix, Path::new("/p"), Path::new("/home/ada"));
        reading.effects.iter().any(|effect| effect.empties_its_input)
    }

    #[test]
    fn a_file_that_is_emptied_before_it_is_read_is_told() {
        for text in [
            "sort names.txt > names.txt",
            "sort < names.txt > names.txt",
            "cat head.txt src/a.ts > src/a.ts",
            "grep -v foo ./list.txt > list.txt",
            "sed s/a/b/ x.py | sort > x.py",
            "cd src && jq . a.json > ../src/a.json",
            "cat a.txt | tr a b | tee a.txt",
            "sed -n -i '' notes.txt",
            "sed -n -i s/a/b/ notes.txt",
            "python3 -c \"open('a.txt','w').write(open('a.txt').read().upper())\"",
            "python3 - <<'X'\np = 'a.txt'\nwith open(p) as old, open(p, 'w') as new:\n    new.write(old.read())\nX",
            "python3 - <<'X'\nwith open('a.txt', 'w') as f:\n    f.write(open('a.txt').read())\nX",
        ] {
            assert!(is_told(text), "{text}");
        }
    }

    #[test]
    fn a_file_that_is_read_first_or_not_at_all_is_not() {
        for text in [
            "sort -o names.txt names.txt",
            "sort names.txt > sorted.txt",
            "sort names.txt | sponge names.txt",
            "cat names.txt >> all.txt",
            "echo names.txt > names.txt",
            "echo \"$(cat names.txt)\" > names.txt",
            "sort names.txt 2> names.txt.log",
            "sort names.txt > tmp && mv tmp names.txt",
            "cat a.txt | tee b.txt",
            "sed -i s/a/b/ notes.txt",
            "sed -n -i p notes.txt",
            "sed -n -i 's/a/b/p' notes.txt",
            "python3 -c \"t = open('a.txt').read(); open('a.txt','w').write(t.upper())\"",
            "python3 - <<'X'\nopen('a.txt', 'w').write('x')\nprint(open('a.txt').read())\nX",
            "python3 - <<'X'\nwith open('a.txt') as f:\n    t = f.read()\nwith open('a.txt', 'w') as f:\n    f.write(t)\nX",
            "python3 - <<'X'\nwith open('b.txt', 'w') as f:\n    f.write(open('a.txt').read())\nX",
        ] {
            assert!(!is_told(text), "{text}");
        }
    }
}
