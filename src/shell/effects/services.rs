//! What commands do to services: clusters, clouds, databases, registries of packages, and the machine beyond its files.
//!
//! A table of words is compared with the words that the program gets. A dry run, a listing and a question for help are
//! never more than that.

mod all_containers;
mod code;
pub(crate) mod http;
pub(crate) mod keys;
pub(crate) mod local_services;
pub(crate) mod matching;
mod own_server;
mod packages;
mod plans;
pub(crate) mod rules;
pub(crate) mod scratch;
pub(crate) mod sql;

use crate::shell::effects::known_programs::is_known;
use crate::shell::effects::services::matching::{ServiceOperand, fits, given, operands};
use crate::shell::effects::services::rules::{FAMILIES, RuleWeight, may_begin_a_rule};
use crate::shell::effects::services::scratch::{
    SURROUNDINGS, is_scratch, names_scratch_surroundings, works_on_an_emulator,
};
use crate::shell::model::{Command, Effect, EffectKind, Script};

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
/// Options with which single programs only show what they would do.
const SIMULATING: &[(&[&str], &str)] = &[
    (
        &["apt", "apt-get", "aptitude", "apk", "opkg"],
        "-s|--simulate|--just-print|--no-act|--recon|--noaction|--download-only",
    ),
    (&["dpkg"], "--simulate|--no-act"),
    (&["dnf", "yum", "microdnf", "tdnf"], "--assumeno|--downloadonly"),
    (&["pacman", "yay", "paru"], "-p|--print"),
    (&["zypper"], "-D"),
    (&["emerge"], "-p|--pretend"),
    (&["cargo", "pkg", "pkgin", "brew", "gem", "xbps-remove"], "-n"),
    (&["conda", "mamba", "micromamba", "semantic-release"], "-d"),
    (&["rpm"], "--test"),
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

/// How much the rule weighs that a command fits.
pub(crate) fn weight_of(command: &Command) -> Option<RuleWeight> {
    fitting(command, 0).map(|(weight, _)| weight)
}

/// What a command does to a service.
pub(crate) fn effect(command: &Command) -> Option<Effect> {
    let program = command.program();
    let is_module =
        program.starts_with("python") && command.words.get(1).is_some_and(|word| word.text == "-m");
    let found = fitting(command, 0)
        .or_else(|| TOOL_RUNNERS.contains(&program).then(|| fitting(command, 1)).flatten())
        .or_else(|| (is_module || program == "pipx").then(|| fitting(command, 2)).flatten())
        .or_else(|| fitting(&packages::in_an_image(command)?, 0));
    if let Some((weight, detail)) = found {
        let kind = match weight {
            RuleWeight::Loses => EffectKind::LosesElsewhere,
            RuleWeight::Changes => EffectKind::ChangesElsewhere,
            RuleWeight::Releases => EffectKind::Releases,
            RuleWeight::Bypasses => EffectKind::BypassChecks,
        };
        return Some(Effect::of(kind, command, &detail, &[], command.directory.as_deref()));
    }
    ends_everything(command).then(|| Effect::of(EffectKind::LosesElsewhere, command, "kill -1", &[], None))
}

/// Whether a command hands statements to a database.
pub(crate) fn tells_a_database(command: &Command) -> bool {
    sql::clients::CLIENTS.iter().any(|client| client.names.contains(&command.program()))
}

/// `kill -9 -1`: every process of the user. A single `-1` is a signal.
fn ends_everything(command: &Command) -> bool {
    command.program() == "kill"
        && command.words.len() > 2
        && command.words.last().is_some_and(|word| word.known && word.text == "-1")
}

/// The first rule that a command fits, with what it was recognised by.
fn fitting(command: &Command, skipped: usize) -> Option<(RuleWeight, String)> {
    let program = packages::program_of(command.words.get(skipped).filter(|word| word.known)?.text.as_str());
    if !may_begin_a_rule(program) {
        return None;
    }
    let mut rules = FAMILIES.iter().copied().flatten().filter(|(rule, _)| is_of(rule, program));
    // Most commands name no program of the table, and look no further.
    let first = rules.next()?;
    let operands = operands(command, skipped);
    if asks_or_tries(command, program, &operands) || works_on_an_emulator(command) {
        return None;
    }
    let spared = || works_on_scratch(command, &operands);
    std::iter::once(first).chain(rules).find_map(|(rule, weight)| {
        let mut words = fits(rule, command, &operands)?;
        // One cluster of letters may be two of the rule's options.
        words.dedup();
        let detail = std::iter::once(program).chain(words).collect::<Vec<_>>().join(" ");
        Some((!(rule.ends_with(" ~") && spared())).then_some((*weight, detail)))
    })?
}

/// Whether a program is one of those that a rule begins with: `aws|gcloud …`.
fn is_of(rule: &str, program: &str) -> bool {
    let mut rest = rule.as_bytes();
    loop {
        let after = rest.strip_prefix(program.as_bytes());
        if after.is_some_and(|after| matches!(after.first(), None | Some(b' ' | b'|'))) {
            return true;
        }
        match rest.iter().position(|byte| matches!(byte, b' ' | b'|')) {
            Some(at) if rest.get(at) == Some(&b'|') => rest = rest.get(at + 1..).unwrap_or_default(),
            _ => return false,
        }
    }
}

fn asks_or_tries(command: &Command, program: &str, operands: &[ServiceOperand]) -> bool {
    let tries = command.words.iter().skip(1).take_while(|word| word.text != "--").any(|word| {
        let (name, value) = word.text.split_once('=').unwrap_or((&word.text, ""));
        (HARMLESS.contains(&name) && !matches!(value, "none" | "false"))
            || (name == "-h" && !HOST_TAKERS.contains(&program))
    });
    let simulates =
        |(names, options): &(&[&str], &str)| names.contains(&program) && given(command, options).is_some();
    let tries = tries || SIMULATING.iter().any(simulates);
    let tries = tries || command.words.last().is_some_and(|word| word.text == "--version");
    let is_help = |operand: Option<&ServiceOperand>| operand.is_some_and(|(text, _)| *text == "help");
    tries || is_help(operands.first()) || (program == "aws" && is_help(operands.last()))
}

/// Whether a command says that it works on what is there to be thrown away: by the environment or by a name.
fn works_on_scratch(command: &Command, operands: &[ServiceOperand]) -> bool {
    let by_variable = command.assignments.iter().any(|(name, value)| {
        SURROUNDINGS.contains(&name.as_str()) && value.as_deref().is_some_and(is_scratch)
    });
    let last = operands.last().is_some_and(|(text, _)| is_scratch(text));
    by_variable || last || names_scratch_surroundings(command)
}

/// Words by which a client that nobody here knows takes something away.
const TAKING: &[&str] = &["delete", "destroy", "purge", "terminate", "wipe", "drop", "deprovision"];

/// How far into the words of such a client one of them may stand.
const FARTHEST: usize = 3;

/// `acme clusters delete x`: a client that is not known, told to delete. What it deletes is not known either.
fn by_its_own_word(command: &Command) -> Option<Effect> {
    let program = command.program();
    let rest = command.words.get(1..)?;
    let is_told = |at: usize| {
        let word = rest.get(at).filter(|word| word.known)?;
        TAKING.contains(&word.text.as_str()).then_some(word)
    };
    // A file of that name is no order.
    let is_script = command.words.first().is_some_and(|word| word.text.starts_with(['.', '/']));
    let known = program.is_empty()
        || is_script
        || matches!(program, "git" | "echo" | "printf" | "php" | "node" | "ruby" | "perl" | "xargs" | "env")
        || program.starts_with("python");
    (!known).then_some(())?;
    let word = (0..FARTHEST.min(rest.len())).find_map(is_told).filter(|_| rest.len() > 1)?;
    let tries = rest.iter().any(|word| HARMLESS.contains(&word.text.as_str()));
    (!tries && !is_known(program, rest)).then(|| {
        let detail = format!("{program} {}", word.text);
        Effect::of(EffectKind::ChangesElsewhere, command, &detail, &[], None)
    })
}

/// Everything that a command does to services, by its words or by the statements that it hands to a database.
pub(crate) fn effects(script: &Script, index: usize, command: &Command) -> Vec<Effect> {
    let by_words =
        keys::effect(script, command).or_else(|| effect(command)).or_else(|| http::effect(command));
    let earlier = script.commands.get(..index).unwrap_or_default();
    let by_words = by_words.or_else(|| all_containers::effect(earlier, command));
    let by_words = by_words.or_else(|| plans::effect(earlier, command)).or_else(|| by_its_own_word(command));
    let by_code = sql::code::effect(command).or_else(|| code::effect(command));
    let mut found: Vec<Effect> =
        by_words.into_iter().chain(sql::effects(script, command)).chain(by_code).collect();
    let is_of_pip = |effect: &Effect| effect.detail == "pip uninstall" || effect.detail == "pip3 uninstall";
    for effect in found.iter_mut().filter(|effect| is_of_pip(effect)) {
        let names = packages::uninstalled(command);
        *effect = Effect::of(effect.kind, command, "pip uninstall", &names, command.directory.as_deref());
    }
    let in_an_environment = || packages::in_an_environment(earlier, command);
    found.retain(|effect| !is_of_pip(effect) || !in_an_environment());
    if !found.is_empty()
        && (own_server::works_on_one(earlier, command)
            || own_server::removes_its_own(earlier, command)
            || local_services::is_here_by_the_text(earlier, command))
    {
        found.clear();
    }
    found
}
