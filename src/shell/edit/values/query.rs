//! Programs of `jq` and `yq` that only assign and delete.

use serde_json::Value;

use crate::shell::edit::values::{ValueAssignment, ValueStep};

/// The assignments of a `jq` or `yq` program. `None` for anything else.
pub(in crate::shell) fn program(text: &str, arguments: &[(String, Value)]) -> Option<Vec<ValueAssignment>> {
    let mut rest = text.trim();
    let mut assignments = Vec::new();
    loop {
        if let Some(inside) = rest.strip_prefix("del(") {
            let (path, after) = path(inside.trim_start())?;
            rest = after.trim_start().strip_prefix(')')?;
            assignments.push(ValueAssignment { path, value: None });
        } else {
            let (path, after) = path(rest)?;
            let after = after.trim_start();
            let after = after.strip_prefix("|=").or_else(|| after.strip_prefix('='))?.trim_start();
            if after.starts_with('=') {
                return None;
            }
            let (value, after) = value(after, arguments)?;
            rest = after;
            assignments.push(ValueAssignment { path, value: Some(value) });
        }
        rest = rest.trim_start();
        match rest.strip_prefix('|') {
            Some(after) => rest = after.trim_start(),
            None => return rest.is_empty().then_some(assignments),
        }
    }
}

pub(crate) fn path(text: &str) -> Option<(Vec<ValueStep>, &str)> {
    let mut keys = Vec::new();
    let mut rest = text.strip_prefix('(').unwrap_or(text);
    let bracketed = rest.len() < text.len();
    loop {
        if let Some(after) = rest.strip_prefix(".[").or_else(|| rest.strip_prefix('[')) {
            let (inside, after) = after.split_once(']')?;
            keys.push(match inside.trim().parse() {
                Ok(item) => ValueStep::Item(item),
                Err(_) if matches!(inside.trim(), "" | "*") => ValueStep::Each,
                Err(_) => ValueStep::Name(inside.trim().strip_prefix('"')?.strip_suffix('"')?.to_owned()),
            });
            rest = after;
        } else if let Some(after) = rest.strip_prefix(".\"") {
            let (name, after) = after.split_once('"')?;
            keys.push(ValueStep::Name(name.to_owned()));
            rest = after;
        } else if let Some(after) = rest.strip_prefix(".*") {
            keys.push(ValueStep::Each);
            rest = after;
        } else if let Some(after) = rest.strip_prefix('.') {
            let end = after
                .find(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | '-' | '$')))
                .unwrap_or(after.len());
            let (name, after) = after.split_at(end);
            if name.is_empty() {
                return None;
            }
            keys.push(ValueStep::Name(name.to_owned()));
            rest = after;
        } else {
            break;
        }
    }
    let rest = if bracketed { rest.trim_start().strip_prefix(')')? } else { rest };
    (!keys.is_empty()).then_some((keys, rest))
}

pub(crate) fn value<'t>(text: &'t str, arguments: &[(String, Value)]) -> Option<(Value, &'t str)> {
    if let Some(after) = text.strip_prefix('$') {
        let end = after.find(|it: char| !(it.is_alphanumeric() || it == '_')).unwrap_or(after.len());
        let (name, rest) = after.split_at(end);
        let value = arguments.iter().find(|(known, _)| known == name)?.1.clone();
        return Some((value, rest));
    }
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = stream.next()?.ok()?;
    let rest = text.get(stream.byte_offset()..)?;
    Some((value, rest))
}
