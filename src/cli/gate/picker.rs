//! The open gates as a person sees them, and the question what is decided.

use std::io::{BufRead, Write};

use anstream::{print, println};
use anyhow::Result;
use jiff::Timestamp;
use owo_colors::OwoColorize;
use serde_json::json;

use super::decide::decide;
use super::diff::{brief, diff};
use super::open::{OpenGate, guarded};
use super::options;
use crate::cli::columns::{fitted, say};
use crate::cli::human;
use crate::cli::undo::shown;
use crate::config::Config;
use crate::project::Project;
use crate::state::layout::Layout;

/// Prints the open gates.
pub(super) fn list(open: &[OpenGate], json: bool, project: &Project) -> Result<u8> {
    if json {
        let gates = open.iter().map(|one| {
            json!({
                "loop_id": one.loop_id,
                "name": one.name,
                "gate_id": one.gate.gate_id,
                "subject": one.gate.subject,
                "gate_type": one.gate.gate_type,
                "iteration": one.gate.iteration,
                "opened_at": one.gate.opened_at,
                "events": one.gate.event_ids,
                "message": one.gate.message,
                "delegated_to": one.gate.delegated_to(),
                "choices": one.gate.choices,
            })
        });
        println!("{:#}", json!({"gates": gates.collect::<Vec<_>>()}));
        return Ok(0);
    }
    if open.is_empty() {
        say(format_args!("Nothing waits for a decision in {}.", project.root().display()));
    }
    let limit = Config::read(project.root()).0.recovery.human_gate_timeout_minutes;
    for one in open {
        show(one, limit);
    }
    Ok(0)
}

fn show(one: &OpenGate, limit_minutes: Option<u64>) {
    let waited = Timestamp::now().duration_since(one.gate.opened_at).as_mins().max(0);
    let overdue = limit_minutes.is_some_and(|limit| waited as u64 >= limit);
    let overdue = if overdue { ", overdue; it stays closed until you decide" } else { "" };
    println!("{} in {} (open for {waited} min{overdue})", one.gate.gate_id.bold(), shown(&one.name));
    if let Some(person) = one.gate.delegated_to() {
        println!("Left to {}.", shown(person));
    }
    say(format_args!("\n{}\n\n", lines_shown(&one.gate.message)));
}

/// A message with its line ends; nothing else in it moves a terminal's cursor.
fn lines_shown(message: &str) -> String {
    message.lines().map(shown).collect::<Vec<_>>().join("\n")
}

/// Shows each open gate and asks, with the diff on demand.
pub(super) fn pick(project: &Project, layout: &Layout, open: &[OpenGate]) -> Result<u8> {
    if open.is_empty() {
        return list(open, false, project);
    }
    guarded(layout, open, human::at_a_terminal("decide at a gate"))?;
    let limit = Config::read(project.root()).0.recovery.human_gate_timeout_minutes;
    let mut typed = std::io::stdin().lock().lines();
    for one in open {
        show(one, limit);
        brief(project, layout, one);
        loop {
            ask(one)?;
            let Some(line) = typed.next().transpose()? else { return Ok(1) };
            if is_settled(project, layout, one, line.trim())? {
                break;
            }
        }
    }
    Ok(0)
}

fn ask(one: &OpenGate) -> Result<()> {
    let choices = one.gate.choices.iter().enumerate();
    let numbers: Vec<String> = choices.map(|(n, choice)| format!("{} {}", n + 1, choice.id)).collect();
    let question = format!(
        "Enter choice ({}, d diff, h history, o other ways, w REASON whitelist, s skip):",
        numbers.join(", ")
    );
    print!("{} ", fitted(&question));
    Ok(anstream::stdout().flush()?)
}

/// Does what was typed at a gate. Whether the next one comes.
fn is_settled(project: &Project, layout: &Layout, one: &OpenGate, typed: &str) -> Result<bool> {
    match typed {
        "s" | "skip" => return Ok(true),
        "d" | "v" | "diff" | "view" => diff(project, layout, one)?,
        "h" | "history" => options::history(layout, one)?,
        "o" | "suggest" => options::suggest(layout, one)?,
        word if options::is_false_alarm(word) => return options::false_alarm(project, layout, one, word),
        word => match one.gate.meant(word) {
            Some(decision) => {
                decide(project, layout, one, decision, human::decider(None))?;
                return Ok(true);
            }
            None => println!("{word:?} is no answer here."),
        },
    }
    Ok(false)
}
