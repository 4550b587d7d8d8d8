//! A definition file's text -> definitions, laid over others, and everything that is wrong with it.
//!
//! What a file does not say keeps the value that it is laid over; a list that it gives takes the place of the whole
//! list. Fields that nobody knows are left alone, so files of other tools and versions can be read.

use super::builtin::BUILTIN;
use super::hook_parse::hook;
use super::model::{Audit, Definitions, Execution, Performance, Text, Then};
use super::names::{HookName, OnFailure};
use super::problem::{Problem, Weight};
use super::reader::{Reader, put};
use super::tree::{self, Node, Place, Tree};
use crate::state::layout;

/// The schema that is understood, however its `$id` begins.
const SCHEMA: &str = "ralph-persistence-hooks/v1";
const FIELDS: &[&str] =
    &["$schema", "$id", "title", "description", "hooks", "execution", "performance", "audit"];

/// What a file says.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The result; worth nothing when a problem is an error.
    pub definitions: Definitions,
    /// The hooks that the file names, and in which line.
    pub named: Vec<(HookName, u32)>,
    /// What is wrong with it, in the order of its lines.
    pub problems: Vec<Problem>,
}

impl Parsed {
    /// Whether the file can be used.
    pub fn is_usable(&self) -> bool {
        self.problems.iter().all(|problem| problem.weight == Weight::Warning)
    }
}

/// A conditional action that fires a hook.
pub(super) struct Trigger {
    pub(super) from: HookName,
    pub(super) to: HookName,
    pub(super) at: Place,
}

/// Reads a file's text and lays it over `base`.
pub fn parse(text: &str, base: &Definitions) -> Parsed {
    let mut parsed = Parsed { definitions: base.clone(), named: Vec::new(), problems: Vec::new() };
    let root = match tree::parse(text) {
        Ok(root) => root,
        Err(error) => {
            parsed.problems.push(Problem::new(Weight::Error, text, error.at, error.message, None));
            return parsed;
        }
    };
    let mut reader = Reader::new(text);
    if root.value != Tree::Null {
        definitions(&mut reader, &root, &mut parsed);
    }
    parsed.problems = reader.finish();
    parsed
}

fn definitions(reader: &mut Reader, root: &Node, parsed: &mut Parsed) {
    let definitions = &mut parsed.definitions;
    for (key, value) in reader.fields(root, FIELDS) {
        match key.name.as_str() {
            "$id" => schema(reader, value),
            "hooks" => parsed.named = hooks(reader, value, definitions),
            "execution" => execution(reader, value, &mut definitions.execution),
            "performance" => performance(reader, value, &mut definitions.performance),
            "audit" => audit(reader, value, &mut definitions.audit),
            _ => {}
        }
    }
}

fn schema(reader: &mut Reader, node: &Node) {
    if let Some(id) = reader.text(node)
        && !id.ends_with(SCHEMA)
    {
        reader.error(node.at, format!("files of the schema {SCHEMA} are understood, not of {id:?}"));
    }
}

fn hooks(reader: &mut Reader, node: &Node, definitions: &mut Definitions) -> Vec<(HookName, u32)> {
    let (mut named, mut triggers) = (Vec::new(), Vec::new());
    for (key, value) in reader.entries(node).unwrap_or_default() {
        let Some(name) = HookName::of(&key.name) else {
            reader.unknown(key.at, "hook", &key.name, hook_names());
            continue;
        };
        named.push((name, key.at.line));
        if value.value != Tree::Null {
            hook(reader, value, &mut definitions.hooks[name as usize], name, &mut triggers);
        }
    }
    for trigger in triggers {
        if reaches(definitions, trigger.to, trigger.from, &mut Vec::new()) {
            let (from, to) = (trigger.from.name(), trigger.to.name());
            reader.error(trigger.at, format!("{from} would fire itself again through {to}"));
        }
    }
    named
}

/// Whether `from` fires `to`, itself or through others.
fn reaches(definitions: &Definitions, from: HookName, to: HookName, seen: &mut Vec<HookName>) -> bool {
    if from == to {
        return true;
    }
    if seen.contains(&from) {
        return false;
    }
    seen.push(from);
    definitions.hook(from).conditional_actions.iter().any(|conditional| match conditional.then {
        Then::Trigger(next) => reaches(definitions, next, to, seen),
        Then::Act(_) => false,
    })
}

fn hook_names() -> impl Iterator<Item = &'static str> {
    HookName::ALL.iter().map(|hook| hook.name())
}

/// The hook that a text names.
pub(super) fn hook_name(reader: &mut Reader, node: &Node) -> Option<HookName> {
    reader.word(node, "hook", HookName::of, HookName::ALL, HookName::name)
}

fn on_failure(reader: &mut Reader, node: &Node) -> Option<OnFailure> {
    reader.word(node, "answer to a failure", OnFailure::of, OnFailure::ALL, OnFailure::name)
}

fn execution(reader: &mut Reader, node: &Node, execution: &mut Execution) {
    for (key, value) in
        reader.fields(node, &["async_hooks", "blocking_hooks", "timeout_ms", "error_handling"])
    {
        match key.name.as_str() {
            "async_hooks" | "blocking_hooks" => {
                let blocking = key.name == "blocking_hooks";
                for (_, value) in
                    reader.fields(value, &["hooks"]).into_iter().filter(|(key, _)| key.name == "hooks")
                {
                    let list = reader.list(value, hook_name);
                    put(
                        if blocking { &mut execution.blocking_hooks } else { &mut execution.async_hooks },
                        list,
                    );
                }
            }
            "timeout_ms" => timeouts(reader, value, execution),
            "error_handling" => {
                for (_, value) in reader.fields(value, &["on_hook_failure"]) {
                    failures(reader, value, execution);
                }
            }
            _ => {}
        }
    }
    let usual = &BUILTIN.execution;
    if execution.async_hooks != usual.async_hooks || execution.blocking_hooks != usual.blocking_hooks {
        let message = "which hooks are waited for is the host's matter; changing these lists has no effect";
        reader.idle(node.at, message.to_owned());
    }
    if let Some(both) = execution.async_hooks.iter().find(|hook| execution.is_blocking(**hook)) {
        reader.error(node.at, format!("{} is both asynchronous and blocking", both.name()));
    }
}

/// Here null says something: without limit.
fn timeouts(reader: &mut Reader, node: &Node, execution: &mut Execution) {
    let mut own = execution.timeouts_ms.to_vec();
    for (key, value) in reader.entries(node).unwrap_or_default() {
        let limit = match value.value {
            Tree::Null => Some(None),
            _ => reader.whole(value, 1).map(Some),
        };
        match (HookName::of(&key.name), limit) {
            (None, limit) if key.name == "default" => put(&mut execution.default_timeout_ms, limit),
            (None, _) => reader.unknown(key.at, "hook", &key.name, hook_names().chain(["default"])),
            (Some(hook), Some(limit)) => {
                own.retain(|(name, _)| *name != hook);
                own.push((hook, limit));
            }
            (Some(_), None) => {}
        }
    }
    own.sort_by_key(|(hook, _)| *hook);
    execution.timeouts_ms = own.into();
}

fn failures(reader: &mut Reader, node: &Node, execution: &mut Execution) {
    for (key, value) in reader.fields(node, &["default", "critical_hooks"]) {
        match key.name.as_str() {
            "default" => put(&mut execution.default_on_failure, on_failure(reader, value)),
            "critical_hooks" => put(&mut execution.critical, reader.list(value, critical)),
            _ => {}
        }
    }
}

fn critical(reader: &mut Reader, node: &Node) -> Option<(HookName, OnFailure)> {
    let (mut hook, mut answer) = (None, None);
    let fields = reader.fields(node, &["hook", "on_failure"]);
    if fields.len() < 2 {
        reader.error(node.at, "a critical hook has `hook` and `on_failure`");
    }
    for (key, value) in fields {
        match key.name.as_str() {
            "hook" => hook = hook_name(reader, value),
            "on_failure" => answer = on_failure(reader, value),
            _ => {}
        }
    }
    hook.zip(answer)
}

fn performance(reader: &mut Reader, node: &Node, performance: &mut Performance) {
    let groups = ["detection_latency", "integration_overhead", "false_positive_rate"];
    for (group, value) in reader.fields(node, &groups) {
        if !groups.contains(&group.name.as_str()) {
            continue;
        }
        let fields: &[&str] = match group.name.as_str() {
            "detection_latency" => &["target_p95_ms", "target_p99_ms"],
            "integration_overhead" => &["max_percentage"],
            _ => &["target"],
        };
        for (key, value) in reader.fields(value, fields) {
            match key.name.as_str() {
                "target_p95_ms" => put(&mut performance.target_p95_ms, reader.whole(value, 1)),
                "target_p99_ms" => put(&mut performance.target_p99_ms, reader.whole(value, 1)),
                "max_percentage" => put(&mut performance.max_overhead_percentage, reader.number(value)),
                "target" => put(&mut performance.max_false_positive_percentage, percentage(reader, value)),
                _ => {}
            }
        }
    }
}

/// A number of per cent, also written `"<5%"`.
fn percentage(reader: &mut Reader, node: &Node) -> Option<f64> {
    let Tree::Text(text) = &node.value else { return reader.number(node) };
    let number = text.trim().trim_start_matches('<').trim_end_matches('%').trim().parse::<f64>();
    let number = number.ok().filter(|number| (0.0..=100.0).contains(number));
    if number.is_none() {
        reader.error(node.at, "a percentage such as \"<5%\" is expected here");
    }
    number
}

fn audit(reader: &mut Reader, node: &Node, audit: &mut Audit) {
    let known = ["log_all_hook_invocations", "log_location", "log_format", "retention_days"];
    for (key, value) in reader.fields(node, &known) {
        match key.name.as_str() {
            "log_all_hook_invocations" => put(&mut audit.log_all_hook_invocations, reader.boolean(value)),
            "log_location" => put(&mut audit.log_location, log_location(reader, value)),
            "log_format" => {
                let entries = reader.entries(value).unwrap_or_default();
                let entries = entries
                    .iter()
                    .filter_map(|(key, value)| Some((key.name.clone().into(), reader.text(value)?)));
                audit.log_format = entries.collect::<Vec<_>>().into();
            }
            "retention_days" => {
                let days = reader.whole(value, 1).map(|days| u32::try_from(days).unwrap_or(u32::MAX));
                put(&mut audit.retention_days, days);
            }
            _ => {}
        }
    }
}

/// The log stays where the agent can't write, git does not look and an undo brings nothing back, and each loop has its
/// own.
fn log_location(reader: &mut Reader, node: &Node) -> Option<Text> {
    let text = reader.text(node)?;
    let fault = match layout::below(&text) {
        None => "the log's place is a path in .aiwg/ralph/, which the agent can't write to",
        Some(_) if !text.contains(layout::LOOP_ID) => {
            "the log's place must hold {loop_id}, or loops would share it"
        }
        Some(below) if !below.ends_with(".jsonl") => "the log's name ends in .jsonl",
        Some(_) => return Some(text),
    };
    reader.error(node.at, fault);
    None
}

/// Reads a text over definitions that say nothing.
#[cfg(test)]
pub(super) fn from_nothing(text: &str) -> (Definitions, Vec<Problem>) {
    use super::model::{Hook, List};
    let mut nothing = super::builtin::BUILTIN.clone();
    nothing.hooks = std::array::from_fn(|_| Hook::EMPTY);
    nothing.execution = Execution {
        async_hooks: List::EMPTY,
        blocking_hooks: List::EMPTY,
        default_timeout_ms: None,
        timeouts_ms: List::EMPTY,
        default_on_failure: OnFailure::ForcePause,
        critical: List::EMPTY,
    };
    nothing.performance = Performance {
        target_p95_ms: 0,
        target_p99_ms: 0,
        max_overhead_percentage: 0.0,
        max_false_positive_percentage: 0.0,
    };
    nothing.audit = Audit {
        log_all_hook_invocations: false,
        log_location: "".into(),
        log_format: List::EMPTY,
        retention_days: 0,
    };
    let parsed = parse(text, &nothing);
    (parsed.definitions, parsed.problems)
}

#[cfg(test)]
mod tests;
