//! Source text that reads a file, replaces something in it and writes it back: `python -c`, `node -e`, `ruby -e`, `php -r`.
//!
//! A reader of calls with literals, not of a language: a replacement that it can't read gives no result at all.

mod lines;
mod objects;
mod replacing;
mod texts;
pub(crate) mod written;

use crate::shell::edit::code::objects::object_edit;
use crate::shell::edit::code::replacing::replacement;
use crate::shell::edit::code::texts::{TextVariables, literal};
use crate::shell::edit::code::written::{beside, written};
use crate::shell::edit::machine::program::{Address, EditAction, EditCommand, EditProgram, RangePoint};
use crate::shell::edit::pattern::TextPattern;
use crate::shell::edit::{ComputedEdit, EditStep};
use crate::shell::model::ScriptLanguage;

/// The most calls that are read.
const MOST_CALLS: usize = 100;

/// What a source makes of the one file that it writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::shell) enum Rewriting {
    /// An edit of what is there.
    Edit(ComputedEdit),
    /// This text.
    Text(String),
}

/// How a call's arguments are meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArgumentMeaning {
    /// Two texts; every match, or the first.
    Texts { all: bool },
    /// A pattern, then the text in its place.
    Pattern,
    /// A text or a pattern between slashes; every match, or as its flags say.
    Either { all: bool },
}

/// The calls of a language that replace.
fn calls(language: ScriptLanguage) -> &'static [(&'static str, ArgumentMeaning)] {
    match language {
        ScriptLanguage::Python => {
            &[(".replace(", ArgumentMeaning::Texts { all: true }), ("re.sub(", ArgumentMeaning::Pattern)]
        }
        ScriptLanguage::JavaScript => &[
            (".replaceAll(", ArgumentMeaning::Either { all: true }),
            (".replace(", ArgumentMeaning::Either { all: false }),
        ],
        ScriptLanguage::Ruby => &[
            (".gsub!(", ArgumentMeaning::Either { all: true }),
            (".gsub(", ArgumentMeaning::Either { all: true }),
            (".sub!(", ArgumentMeaning::Either { all: false }),
            (".sub(", ArgumentMeaning::Either { all: false }),
        ],
        ScriptLanguage::Php => &[
            ("str_replace(", ArgumentMeaning::Texts { all: true }),
            ("preg_replace(", ArgumentMeaning::Pattern),
        ],
        _ => &[],
    }
}

/// What the source makes of its file.
pub(in crate::shell) fn rewriting(language: ScriptLanguage, source: &str) -> Option<Rewriting> {
    let mut steps = Vec::new();
    let mut at = 0;
    let mut count = 0;
    let calls = calls(language);
    let names = TextVariables::of(language, source);
    while let Some((start, name, call)) = next_call(source, at, calls) {
        count += 1;
        if count > MOST_CALLS {
            return None;
        }
        let arguments = source.get(start + name.len()..)?;
        let substitution = replacement(language, call, &names, arguments);
        at = start + name.len();
        // A replacement of something that is no file's text, or one that can't be read.
        steps.push(EditCommand::always(EditAction::Replace(substitution?)));
    }
    let mut edits: Vec<EditStep> = steps
        .into_iter()
        .map(|command| {
            EditStep::Run(EditProgram { commands: vec![command], whole: true, ..EditProgram::default() })
        })
        .collect();
    edits.extend(dropped_lines(language, source).map(EditStep::Run));
    let of_lines = lines::edits(language, source, &names)?;
    if edits.is_empty() && of_lines.is_empty() {
        edits = object_edit(language, source).map(|edit| edit.steps).unwrap_or_default();
    } else if edits.is_empty() {
        edits = of_lines;
    } else if !of_lines.is_empty() {
        // Which of them comes first is not known.
        return None;
    }
    if !edits.is_empty() {
        return Some(Rewriting::Edit(ComputedEdit { steps: edits }));
    }
    let beside = beside(source).map(|step| Rewriting::Edit(ComputedEdit { steps: vec![step] }));
    beside.or_else(|| written(source, &names).map(Rewriting::Text))
}

fn next_call(
    source: &str,
    from: usize,
    calls: &[(&'static str, ArgumentMeaning)],
) -> Option<(usize, &'static str, ArgumentMeaning)> {
    let rest = source.get(from..)?;
    let found = calls.iter().filter_map(|(name, call)| Some((from + rest.find(name)?, *name, *call)));
    found.min_by_key(|(start, ..)| *start)
}

/// Lines that are left out: `if 'x' not in line`, `.filter(l => !l.includes('x'))`, `reject { |l| l.include?('x') }`.
fn dropped_lines(language: ScriptLanguage, source: &str) -> Option<EditProgram> {
    let (text, _) = match language {
        ScriptLanguage::Python => {
            let (before, after) = source.split_once(" not in ")?;
            let is_line = after.trim_start().starts_with(|it: char| it.is_alphabetic());
            let start = before.rfind("if ")?;
            let (text, rest) = literal(before.get(start + 3..)?.trim_start())?;
            (is_line && rest.trim().is_empty()).then_some((text, ()))?
        }
        ScriptLanguage::JavaScript => {
            let after = source.split_once(".filter(")?.1;
            let (head, after) = after.split_once(".includes(")?;
            let (text, _) = literal(after)?;
            (head.contains("=> !") || head.contains("=>!")).then_some((text, ()))?
        }
        ScriptLanguage::Ruby => {
            let after = source.split_once("reject")?.1;
            let (text, _) = literal(after.split_once(".include?(")?.1)?;
            (text, ())
        }
        _ => return None,
    };
    let address = Address::One(RangePoint::Fits(TextPattern::literal(&text)?));
    Some(EditProgram {
        commands: vec![EditCommand { address, negated: false, action: EditAction::Delete }],
        ..EditProgram::default()
    })
}
