//! How hooks are run, what they may cost and what they leave in the log, of a definition file.

use crate::definitions::builtin::BUILTIN;
use crate::definitions::model::{ExecutionPolicy, LogPolicy, PerformanceTargets, Text};
use crate::definitions::names::{HookName, OnFailure};
use crate::definitions::reader::{hook_name, put, text};
use crate::state::layout;
use crate::yaml::{YamlNode, YamlReader, YamlTree};

/// Lays what a file says of its `execution` over `execution`.
pub(super) fn execution(reader: &mut YamlReader, node: &YamlNode, execution: &mut ExecutionPolicy) {
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
fn timeouts(reader: &mut YamlReader, node: &YamlNode, execution: &mut ExecutionPolicy) {
    let mut own = execution.timeouts_ms.to_vec();
    for (key, value) in reader.entries(node).unwrap_or_default() {
        let limit = match value.value {
            YamlTree::Null => Some(None),
            _ => reader.whole(value, 1).map(Some),
        };
        match (HookName::of(&key.name), limit) {
            (None, limit) if key.name == "default" => put(&mut execution.default_timeout_ms, limit),
            (None, _) => reader.unknown(key.at, "hook", &key.name, HookName::names().chain(["default"])),
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

fn failures(reader: &mut YamlReader, node: &YamlNode, execution: &mut ExecutionPolicy) {
    for (key, value) in reader.fields(node, &["default", "critical_hooks"]) {
        match key.name.as_str() {
            "default" => put(&mut execution.default_on_failure, on_failure(reader, value)),
            "critical_hooks" => put(&mut execution.critical, reader.list(value, critical)),
            _ => {}
        }
    }
}

fn critical(reader: &mut YamlReader, node: &YamlNode) -> Option<(HookName, OnFailure)> {
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

/// Lays what a file says of its `performance` over `performance`.
pub(super) fn performance(reader: &mut YamlReader, node: &YamlNode, performance: &mut PerformanceTargets) {
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
fn percentage(reader: &mut YamlReader, node: &YamlNode) -> Option<f64> {
    let YamlTree::Text(text) = &node.value else { return reader.number(node) };
    let number = text.trim().trim_start_matches('<').trim_end_matches('%').trim().parse::<f64>();
    let number = number.ok().filter(|number| (0.0..=100.0).contains(number));
    if number.is_none() {
        reader.error(node.at, "a percentage such as \"<5%\" is expected here");
    }
    number
}

/// Lays what a file says of its `audit` over `audit`.
pub(super) fn audit(reader: &mut YamlReader, node: &YamlNode, audit: &mut LogPolicy) {
    let known = ["log_all_hook_invocations", "log_location", "log_format", "retention_days"];
    for (key, value) in reader.fields(node, &known) {
        match key.name.as_str() {
            "log_all_hook_invocations" => put(&mut audit.log_all_hook_invocations, reader.boolean(value)),
            "log_location" => put(&mut audit.log_location, log_location(reader, value)),
            "log_format" => {
                let entries = reader.entries(value).unwrap_or_default();
                let entries = entries
                    .iter()
                    .filter_map(|(key, value)| Some((key.name.clone().into(), text(reader, value)?)));
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
fn log_location(reader: &mut YamlReader, node: &YamlNode) -> Option<Text> {
    let text = text(reader, node)?;
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

fn on_failure(reader: &mut YamlReader, node: &YamlNode) -> Option<OnFailure> {
    reader.word(node, "answer to a failure", OnFailure::of, OnFailure::names())
}
