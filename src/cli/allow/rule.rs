//! A rule from a refusal: the command in `aiwg.yml`, or what was found in a file silent there.

use std::io;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use jiff::Timestamp;

use crate::config::{Config, FILE, rule};
use crate::lifecycle::call::decision::{CallDecision, act_on};
use crate::lifecycle::call::explain;
use crate::lifecycle::context::in_force;
use crate::model::finding::Finding;
use crate::project::Project;
use crate::state::allowance::{Allowance, RefusedFinding, ShellText};
use crate::state::atomic::{self, Durability};
use crate::state::false_alarms::{FalseAlarm, FalseAlarms, SilenceScope};
use crate::state::layout::Layout;

/// Writes the rule; answers what holds from now on.
pub(super) fn write(
    project: &Project,
    layout: &Layout,
    refused: &Allowance,
    pattern: &str,
    now: Timestamp,
) -> Result<String> {
    let Some(shell) = &refused.shell else {
        ensure!(pattern.is_empty(), "{} is no shell command, so no pattern of one fits it", refused.command);
        return in_files(layout, &refused.findings, now);
    };
    let file = project.root().join(FILE);
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| file.display().to_string()),
    };
    // What a command does to a file's tests and checks is a matter of that file, whatever command does it.
    if pattern.is_empty() && stopping(shell, &text).iter().all(is_of_file) {
        return in_files(layout, &refused.findings, now);
    }
    let (pattern, new) =
        if pattern.is_empty() { derived(shell, &text)? } else { given(shell, &text, pattern)? };
    let left: Vec<RefusedFinding> = stopping(shell, &new).iter().map(RefusedFinding::from).collect();
    let also = if left.is_empty() { String::new() } else { format!("\n{}", in_files(layout, &left, now)?) };
    let real = file.canonicalize().unwrap_or_else(|_| file.clone());
    atomic::write(&real, new.as_bytes(), Durability::Power).with_context(|| file.display().to_string())?;
    in_force::accept(layout, project.root());
    let place = file.display();
    Ok(format!(
        "Allowed from now on: {pattern}\nThat is a line under allowed_commands in {place}; without it all is as before.{also}"
    ))
}

fn given(shell: &ShellText, text: &str, pattern: &str) -> Result<(String, String)> {
    let new = rule::with_allowed_command(text, pattern).with_context(|| by_hand(pattern))?;
    let is_enough = stopping(shell, &new).iter().all(is_of_file);
    ensure!(is_enough, "with {pattern:?} allowed the command would still be refused, so nothing was written");
    Ok((pattern.to_owned(), new))
}

/// The one command of the text that has to be allowed.
fn derived(shell: &ShellText, text: &str) -> Result<(String, String)> {
    let explained = explain::command(&shell.text, &shell.folder, &home());
    let lines = explained.commands.iter().map(|command| command.line.clone());
    // What is not known beforehand, or would fit more than this, makes no rule by itself.
    let exact: Vec<String> = lines.filter(|line| !line.contains(['…', '*', '?', '\n'])).collect();
    for line in &exact {
        let new = rule::with_allowed_command(text, line).with_context(|| by_hand(line))?;
        if stopping(shell, &new).iter().all(is_of_file) {
            return Ok((line.clone(), new));
        }
    }
    bail!(
        "no single command of it makes a rule; `--always='PROGRAM ARGUMENTS'` says which, as in --always='git push --force'"
    )
}

/// What would stop the command under this text of `aiwg.yml`.
fn stopping(shell: &ShellText, text: &str) -> Vec<Finding> {
    let config = Config::parse(text.as_bytes()).config;
    let explained = explain::command_under(&shell.text, &shell.folder, &home(), &config);
    let stops = |finding: &Finding| act_on(finding.severity, config.detection.mode) == CallDecision::Stop;
    explained.findings.into_iter().filter(stops).collect()
}

/// Whether a finding is about what a file holds, and not about the command.
fn is_of_file(finding: &Finding) -> bool {
    finding.regression_type.is_some() && !finding.path.is_empty()
}

fn by_hand(pattern: &str) -> String {
    format!(
        "{FILE} is written in a way that only its writer should change; add {pattern:?} to agent_persistence.allowed_commands there"
    )
}

fn home() -> PathBuf {
    std::env::var_os("HOME").map_or_else(|| PathBuf::from("/"), PathBuf::from)
}

/// What was found in files is silent there from now on.
fn in_files(layout: &Layout, findings: &[RefusedFinding], now: Timestamp) -> Result<String> {
    let silenced: Vec<&RefusedFinding> = findings.iter().filter(|finding| !finding.path.is_empty()).collect();
    ensure!(
        !silenced.is_empty(),
        "nothing is known of what was found in it; refused once more it can be allowed"
    );
    for finding in &silenced {
        let alarm = FalseAlarm {
            event_id: format!("always-{}-{}", finding.pattern_id, finding.path),
            pattern_id: finding.pattern_id.clone(),
            path: finding.path.clone(),
            lost: finding.lost.clone(),
            what: Some(finding.what.clone()),
            reason: "always allowed by a person".to_owned(),
            marked_at: now,
            scope: SilenceScope::File,
            expires_at: None,
        };
        FalseAlarms::add(layout, alarm)?;
    }
    let mut told: Vec<String> =
        silenced.iter().map(|finding| format!("{} in {}", finding.pattern_id, finding.path)).collect();
    told.dedup();
    let place = layout.root().join("false-positives.json");
    Ok(format!(
        "Silent from now on: {}\nThat is an entry of {}; without it all is as before.",
        told.join(", "),
        place.display()
    ))
}
