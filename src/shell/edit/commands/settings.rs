//! Commands that set values in a configuration file: `npm pkg set`, `yq -i`, `composer config` and their like.

use crate::shell::edit::commands::{query, texts};
use crate::shell::edit::pattern::Flavour;
use crate::shell::edit::values::{Format, ValueAssignment, ValueEdit, ValueStep, dotted, plain};
use crate::shell::edit::{ComputedEdit, EditStep, sed};
use crate::shell::model::option::has_letter;
use crate::shell::model::{Command, Word};

pub(crate) fn one(format: Format, key: &str, value: Option<&str>) -> ComputedEdit {
    let assignment = ValueAssignment { path: dotted(key), value: value.map(plain) };
    ComputedEdit { steps: vec![EditStep::Set(ValueEdit { format, assignments: vec![assignment] })] }
}

/// The values that a command sets in a file that its words name, or that it always means.
pub(in crate::shell) fn values_of(command: &Command) -> Option<(Word, ComputedEdit)> {
    let words = texts(command)?;
    let manifest = |edit| Some((Word::literal("package.json"), edit));
    match (command.program(), words.as_slice()) {
        ("npm" | "pnpm", ["pkg", verb @ ("set" | "delete" | "rm"), rest @ ..]) => manifest(pkg(verb, rest)?),
        ("bun", ["pm", "pkg", verb @ ("set" | "delete"), rest @ ..]) => manifest(pkg(verb, rest)?),
        ("npm", ["set-script", name, value]) => {
            let path = vec![ValueStep::Name("scripts".to_owned()), ValueStep::Name((*name).to_owned())];
            let value = Some(serde_json::Value::from(*value));
            let values =
                ValueEdit { format: Format::Json, assignments: vec![ValueAssignment { path, value }] };
            manifest(ComputedEdit { steps: vec![EditStep::Set(values)] })
        }
        ("npe" | "dot-json", [.., key, value]) => {
            manifest(one(Format::Json, key.trim_start_matches("package.json"), Some(value)))
        }
        ("json", rest) if rest.contains(&"-I") => json(rest),
        ("npx" | "bunx", rest) if rest.contains(&"-I") => {
            let at = rest.iter().position(|word| *word == "json")?;
            json(rest.get(at + 1..)?)
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
        ("tomlq" | "xq", [.., file]) if words.iter().any(|it| is_in_place(it)) => {
            let (edit, _) = query("yq", &words)?;
            Some((Word::literal(*file), edit))
        }
        ("sd" | "rpl" | "replace", rest) => replaced(command.program(), rest),
        _ => None,
    }
}

/// `json -I -f FILE -e 'this.scripts.test="…"'`.
fn json(rest: &[&str]) -> Option<(Word, ComputedEdit)> {
    let after =
        |name: &str| rest.iter().position(|word| *word == name).and_then(|at| rest.get(at + 1).copied());
    let (key, value) = after("-e")?.trim().trim_end_matches(';').split_once('=')?;
    let value = value.trim().strip_prefix(['"', '\''])?.strip_suffix(['"', '\''])?;
    Some((Word::literal(after("-f")?), one(Format::Json, key.trim().strip_prefix("this.")?, Some(value))))
}

/// `sd OLD NEW FILE`, `rpl OLD NEW FILE`: a pattern of Perl's kind, or a plain text.
fn replaced(program: &str, rest: &[&str]) -> Option<(Word, ComputedEdit)> {
    if rest.iter().any(|word| matches!(*word, "-p" | "--preview" | "-s" | "--dry-run" | "-n" | "--help")) {
        return None;
    }
    let operands: Vec<&str> = rest.iter().copied().filter(|word| !word.starts_with('-')).collect();
    let [old, new, file] = operands.as_slice() else { return None };
    let is_plain = |letter: char| letter.is_alphanumeric() || letter == ' ' || letter == '_' || letter == '-';
    let pattern = match program {
        "sd" => (*old).to_owned(),
        _ => old.chars().flat_map(|it| (!is_plain(it)).then_some('\\').into_iter().chain([it])).collect(),
    };
    let new =
        new.replace('\\', "\\\\").replace('&', "\\&").replace('$', if program == "sd" { "\\" } else { "$" });
    let script = format!("s\u{1}{pattern}\u{1}{new}\u{1}g");
    let program = sed::read(&[script.as_str()], Flavour::Extended, false)?;
    Some((Word::literal(*file), ComputedEdit { steps: vec![EditStep::Run(program)] }))
}

fn is_in_place(word: &str) -> bool {
    word == "--inplace" || has_letter(word, 'i')
}

fn pkg(verb: &str, rest: &[&str]) -> Option<ComputedEdit> {
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
        assignments.push(ValueAssignment { path: dotted(key), value });
    }
    (!assignments.is_empty())
        .then(|| ComputedEdit { steps: vec![EditStep::Set(ValueEdit { format: Format::Json, assignments })] })
}

/// `composer config scripts.test "…"`, `composer config --unset scripts.test`.
fn composer(rest: &[&str]) -> Option<(Word, ComputedEdit)> {
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
fn dasel(rest: &[&str]) -> Option<(Word, ComputedEdit)> {
    let after = |names: &[&str]| {
        let at = rest.iter().position(|word| names.contains(word))?;
        rest.get(at + 1).copied()
    };
    let file = after(&["-f", "--file"])?;
    let value = after(&["-v", "--value"])?;
    let key = after(&["-s", "--selector"]).or_else(|| rest.last().copied())?;
    Some((Word::literal(file), one(Format::of(file), key, Some(value))))
}
