//! The cases that prove a pattern, as a person sees them.

use std::io::{self, Write};

use anyhow::Result;
use owo_colors::OwoColorize;
use serde_json::{Value, json};

use crate::cli::checkpoint::patch::{Patch, PathSide};
use crate::detectors::cases::{Example, examples};
use crate::detectors::trends::LoopFigures;
use crate::detectors::{Pattern, PatternProof};
use crate::model::finding::Change;

pub(super) fn write_cases(
    out: &mut dyn Write,
    pattern: &Pattern,
    cases: &Cases,
    all: bool,
) -> io::Result<()> {
    let coloured = anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never;
    let most = if all { usize::MAX } else { FEW };
    let mut left_out = 0;
    for (title, list) in [("Catches", &cases.catches), ("Spares", &cases.spares)] {
        for (number, one) in list.iter().enumerate().take(most) {
            write!(out, "\n{} {} of {}", title.bold(), number + 1, list.len())?;
            one.write(out, coloured)?;
        }
        left_out += list.len().saturating_sub(most);
    }
    if left_out == 0 {
        return Ok(());
    }
    writeln!(out, "\n`steadfast patterns show {} --all` prints {left_out} more.", pattern.id)
}

/// So many cases of each kind give an idea of a pattern.
const FEW: usize = 3;

/// What proves a pattern.
pub(super) struct Cases {
    pub(super) catches: Vec<ShownCase>,
    pub(super) spares: Vec<ShownCase>,
}

/// A case, whatever it is made of.
pub(super) enum ShownCase {
    Change(Box<Example>),
    Figures(LoopFigures),
    Command(&'static str),
}

pub(super) fn cases(pattern: &Pattern) -> Result<Cases> {
    let changes = |list: Vec<Example>| list.into_iter().map(|it| ShownCase::Change(Box::new(it))).collect();
    let figures = |list: &[LoopFigures]| list.iter().copied().map(ShownCase::Figures).collect();
    let commands = |list: &[&'static str]| list.iter().copied().map(ShownCase::Command).collect();
    Ok(match pattern.proof {
        PatternProof::Changes => {
            let all = examples(pattern.id).map_err(anyhow::Error::msg)?;
            Cases { catches: changes(all.catches), spares: changes(all.spares) }
        }
        PatternProof::Figures { catches, spares } => {
            Cases { catches: figures(catches), spares: figures(spares) }
        }
        PatternProof::Commands { catches, spares } => {
            Cases { catches: commands(catches), spares: commands(spares) }
        }
        PatternProof::Session => Cases { catches: Vec::new(), spares: Vec::new() },
    })
}

impl ShownCase {
    /// After the words that count it, on the same line what it shows, and below it the case.
    fn write(&self, out: &mut dyn Write, coloured: bool) -> io::Result<()> {
        match self {
            ShownCase::Change(example) => {
                writeln!(out, ": {}", example.name)?;
                if let Some(elsewhere) = &example.elsewhere {
                    writeln!(out, "after this change earlier in the session:")?;
                    write_change(out, elsewhere, coloured)?;
                    writeln!(out, "this one:")?;
                }
                write_change(out, &example.change, coloured)
            }
            ShownCase::Figures(figures) => writeln!(out, "\n{}", figures.in_words()),
            ShownCase::Command(command) => writeln!(out, "\n{command}"),
        }
    }

    pub(super) fn json(&self) -> Value {
        match self {
            ShownCase::Change(example) => {
                let mut value = side_by_side(&example.change);
                value["name"] = example.name.as_str().into();
                if let Some(elsewhere) = &example.elsewhere {
                    value["elsewhere"] = side_by_side(elsewhere);
                }
                value
            }
            ShownCase::Figures(figures) => json!({"figures": figures.in_words()}),
            ShownCase::Command(command) => json!({"command": command}),
        }
    }
}

fn write_change(out: &mut dyn Write, change: &Change, coloured: bool) -> io::Result<()> {
    let side = |text: &Option<String>| match text {
        Some(text) => PathSide::File(text.as_str().into(), 0o644),
        None => PathSide::Absent,
    };
    let (before, after) = (side(&change.before), side(&change.after));
    Patch { path: change.path.clone(), before, after }.write(out, coloured)
}

fn side_by_side(change: &Change) -> Value {
    json!({"path": change.path, "before": change.before, "after": change.after})
}
