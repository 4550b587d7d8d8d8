//! What commands do to services: clusters, clouds, databases, registries of packages, and the machine beyond its files.
//!
//! A table of words is compared with the words that the program gets. A dry run, a listing and a question for help are
//! never more than that.

pub(crate) mod rules;
pub(crate) mod scratch;
pub(crate) mod sql;

use crate::shell::effects::services::rules::{RULES, Weight};
use crate::shell::effects::services::scratch::{SURROUNDINGS, is_scratch, names_scratch_surroundings};
use crate::shell::model::{Command, Effect, EffectKind};

/// Options with which nothing happens.
const HARMLESS: &[&str] = &[
    "--help",
    "-help",
    "--dry-run",
    "--dryrun",
    "-dry-run",
    "--what-if",
    "--whatif",
    "--check",
    "--preview",
    "--noop",
    "-WhatIf",
];
/// Programs to which `-h` is not a question for help.
const HOST_TAKERS: &[&str] = &[
    "redis-cli",
    "valkey-cli",
    "keydb-cli",
    "mysqladmin",
    "mariadb-admin",
    "dropdb",
    "dropuser",
    "pg_restore",
    "mongorestore",
    "shutdown",
    "halt",
];
/// Runners whose first operand may be a tool of the project.
const TOOL_RUNNERS: &[&str] = &["yarn", "pnpm", "bun"];

/// What a command does to a service.
pub(crate) fn effect(command: &Command) -> Option<Effect> {
    let program = command.program();
    let is_module =
        program.starts_with("python") && command.words.get(1).is_some_and(|word| word.text == "-m");
    let found = fitting(command, 0)
        .or_else(|| TOOL_RUNNERS.contains(&program).then(|| fitting(command, 1)).flatten())
        .or_else(|| is_module.then(|| fitting(command, 2)).flatten());
    if let Some((weight, detail)) = found {
        let kind = match weight {
            Weight::Loses => EffectKind::LosesElsewhere,
            Weight::Changes => EffectKind::ChangesElsewhere,
            Weight::Releases => EffectKind::Releases,
            Weight::Bypasses => EffectKind::BypassChecks,
        };
        return Some(Effect::of(kind, command, &detail, &[], command.directory.as_deref()));
    }
    ends_everything(command).then(|| Effect::of(EffectKind::LosesElsewhere, command, "kill -1", &[], None))
}

/// `kill -9 -1`: every process of the user. A single `-1` is a signal.
fn ends_everything(command: &Command) -> bool {
    command.program() == "kill"
        && command.words.len() > 2
        && command.words.last().is_some_and(|word| word.known && word.text == "-1")
}

/// One operand, with whether it may be the value of the option before it.
type Operand<'c> = (&'c str, bool);

fn operands(command: &Command, skipped: usize) -> Vec<Operand<'_>> {
    let mut after_option = false;
    let mut all = false;
    let mut operands = Vec::new();
    for word in command.words.iter().skip(1 + skipped) {
        let text = word.text.as_str();
        if !all && text == "--" {
            (all, after_option) = (true, false);
        } else if !all && text.len() > 1 && text.starts_with('-') {
            after_option = !text.contains('=');
        } else {
            operands.push((text, after_option));
            after_option = false;
        }
    }
    operands
}

/// The first rule that a command fits, with what it was recognised by.
fn fitting(command: &Command, skipped: usize) -> Option<(Weight, String)> {
    let program = crate::shell::model::program_name(
        command.words.get(skipped).filter(|word| word.known)?.text.as_str(),
    );
    let mut rules = RULES.iter().filter(|(rule, _)| {
        let programs = rule.split(' ').next().unwrap_or_default();
        programs.split('|').any(|name| name == program)
    });
    // Most commands name no program of the table, and look no further.
    let first = rules.next()?;
    let operands = operands(command, skipped);
    if asks_or_tries(command, program, &operands) {
        return None;
    }
    let spared = || works_on_scratch(command, &operands);
    std::iter::once(first).chain(rules).find_map(|(rule, weight)| {
        let words = fits(rule, command, &operands)?;
        let detail = std::iter::once(program).chain(words).collect::<Vec<_>>().join(" ");
        Some((!(rule.ends_with(" ~") && spared())).then_some((*weight, detail)))
    })?
}

fn asks_or_tries(command: &Command, program: &str, operands: &[Operand]) -> bool {
    let tries = command.words.iter().skip(1).take_while(|word| word.text != "--").any(|word| {
        let (name, value) = word.text.split_once('=').unwrap_or((&word.text, ""));
        (HARMLESS.contains(&name) && !matches!(value, "none" | "false"))
            || (name == "-h" && !HOST_TAKERS.contains(&program))
    });
    let tries = tries || command.words.last().is_some_and(|word| word.text == "--version");
    let is_help = |operand: Option<&Operand>| operand.is_some_and(|(text, _)| *text == "help");
    tries || is_help(operands.first()) || (program == "aws" && is_help(operands.last()))
}

/// The operands and options by which a rule fits.
fn fits<'c>(rule: &'static str, command: &'c Command, operands: &[Operand<'c>]) -> Option<Vec<&'c str>> {
    let mut by = Vec::new();
    let mut rest = operands.iter();
    let mut skips = false;
    for token in rule.split(' ').skip(1) {
        match token.as_bytes() {
            b"~" => {}
            [b'!', ..] => {
                given(command, token.get(1..)?).is_none().then_some(())?;
            }
            [b'-', ..] => by.push(given(command, token)?),
            _ if token == "…" => skips = true,
            _ => by.push(loop {
                let (text, may_be_value) = rest.next()?;
                if !(skips && *may_be_value) && is_one_of(token, text) {
                    skips = false;
                    break *text;
                }
                (skips || *may_be_value).then_some(())?;
            }),
        }
    }
    Some(by)
}

/// The option among `names` that is given: whole, with a value, or as a letter of a cluster.
fn given<'c>(command: &'c Command, names: &str) -> Option<&'c str> {
    let texts = command.words.iter().skip(1).map(|word| word.text.as_str()).take_while(|text| *text != "--");
    let is = |text: &str, name: &str| {
        let letter = name.strip_prefix('-').filter(|letter| letter.len() == 1);
        text == name
            || text.strip_prefix(name).is_some_and(|rest| rest.starts_with('='))
            || letter.is_some_and(|letter| {
                text.strip_prefix('-').is_some_and(|cluster| {
                    cluster.len() < 5
                        && cluster.contains(letter)
                        && cluster.bytes().all(|byte| byte.is_ascii_alphabetic())
                })
            })
    };
    texts.into_iter().find(|text| names.split('|').any(|name| is(text, name)))
}

/// Whether an operand is one of the alternatives: whole, before its first `/` (`ns/prod`), or after its last.
fn is_one_of(alternatives: &str, text: &str) -> bool {
    let before = text.split('/').next().unwrap_or_default();
    let after = text.rsplit('/').next().unwrap_or_default();
    alternatives.split('|').any(|one| {
        [text, before, after].iter().any(|part| is_like(one, part))
            || text.split(',').any(|part| !one.contains('*') && is_like(one, part))
    })
}

/// A word with at most one `*` at either end, or `?` for its first letter; capitals count as small letters.
fn is_like(pattern: &str, text: &str) -> bool {
    let same = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
    if let Some(rest) = pattern.strip_prefix('?') {
        let mut letters = text.chars();
        return letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
            && is_like(rest, letters.as_str());
    }
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(""), _) => !text.is_empty(),
        (Some(end), _) => text
            .len()
            .checked_sub(end.len())
            .and_then(|at| text.get(at..))
            .is_some_and(|tail| same(tail, end)),
        (_, Some(start)) => text.get(..start.len()).is_some_and(|head| same(head, start)),
        _ => same(pattern, text),
    }
}

/// Whether a command says that it works on what is there to be thrown away: by the environment or by a name.
fn works_on_scratch(command: &Command, operands: &[Operand]) -> bool {
    let by_variable = command.assignments.iter().any(|(name, value)| {
        SURROUNDINGS.contains(&name.as_str()) && value.as_deref().is_some_and(is_scratch)
    });
    let last = operands.last().is_some_and(|(text, _)| is_scratch(text));
    by_variable || last || names_scratch_surroundings(command)
}

/// Everything that a command does to services, by its words or by the statements that it hands to a database.
pub(crate) fn effects(script: &crate::shell::model::Script, command: &Command) -> Vec<Effect> {
    effect(command).into_iter().chain(sql::effects(script, command)).collect()
}
