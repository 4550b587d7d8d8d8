//! A definition file's text -> definitions, laid over others, and everything that is wrong with it.
//!
//! What a file does not say keeps the value that it is laid over; a list that it gives takes the place of the whole
//! list. Fields that nobody knows are left alone, so files of other tools and versions can be read.

mod execution;
mod gate;
mod hook;
mod updates;

use self::execution::{audit, execution, performance};
use self::hook::hook;
use super::model::{ConditionOutcome, Definitions};
use super::names::HookName;
use crate::yaml::{self, Position, Problem, ProblemWeight, YamlNode, YamlReader, YamlTree};

/// The schema that is understood, however its `$id` begins.
const SCHEMA: &str = "ralph-persistence-hooks/v1";
/// The most problems that are collected of one file.
const MOST: usize = 200;
const FIELDS: &[&str] =
    &["$schema", "$id", "title", "description", "hooks", "execution", "performance", "audit"];

/// What a file says.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedDefinitions {
    /// The result; worth nothing when a problem is an error.
    pub definitions: Definitions,
    /// The hooks that the file names, and in which line.
    pub named: Vec<(HookName, usize)>,
    /// What is wrong with it, in the order of its lines.
    pub problems: Vec<Problem>,
}

impl ParsedDefinitions {
    /// Whether the file can be used.
    pub fn is_usable(&self) -> bool {
        self.problems.iter().all(|problem| problem.weight == ProblemWeight::Warning)
    }
}

/// Reads a file's text and lays it over `base`.
pub fn parse(text: &str, base: &Definitions) -> ParsedDefinitions {
    let mut parsed = ParsedDefinitions { definitions: base.clone(), named: Vec::new(), problems: Vec::new() };
    let root = match yaml::document(text) {
        Ok(root) => root,
        Err(error) => {
            parsed.problems.push(Problem::new(
                ProblemWeight::Error,
                text,
                error.at.unwrap_or(Position::START),
                error.message,
                None,
            ));
            return parsed;
        }
    };
    let mut reader = YamlReader::new(text, MOST);
    if root.value != YamlTree::Null {
        definitions(&mut reader, &root, &mut parsed);
    }
    parsed.problems = reader.finish();
    parsed
}

fn definitions(reader: &mut YamlReader, root: &YamlNode, parsed: &mut ParsedDefinitions) {
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

fn schema(reader: &mut YamlReader, node: &YamlNode) {
    if let Some(id) = reader.text(node)
        && !id.ends_with(SCHEMA)
    {
        reader.error(node.at, format!("files of the schema {SCHEMA} are understood, not of {id:?}"));
    }
}

fn hooks(reader: &mut YamlReader, node: &YamlNode, definitions: &mut Definitions) -> Vec<(HookName, usize)> {
    let (mut named, mut triggers) = (Vec::new(), Vec::new());
    for (key, value) in reader.entries(node).unwrap_or_default() {
        let Some(name) = HookName::of(&key.name) else {
            reader.unknown(key.at, "hook", &key.name, HookName::names());
            continue;
        };
        named.push((name, key.at.line));
        if value.value != YamlTree::Null {
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
        ConditionOutcome::Trigger(next) => reaches(definitions, next, to, seen),
        ConditionOutcome::Act(_) => false,
    })
}

/// Reads a text over definitions that say nothing.
#[cfg(test)]
pub(super) fn from_nothing(text: &str) -> (Definitions, Vec<Problem>) {
    use super::model::{DefinedList, ExecutionPolicy, HookDefinition, LogPolicy, PerformanceTargets};
    use super::names::OnFailure;
    let mut nothing = super::builtin::BUILTIN.clone();
    nothing.hooks = std::array::from_fn(|_| HookDefinition::EMPTY);
    nothing.execution = ExecutionPolicy {
        async_hooks: DefinedList::EMPTY,
        blocking_hooks: DefinedList::EMPTY,
        default_timeout_ms: None,
        timeouts_ms: DefinedList::EMPTY,
        default_on_failure: OnFailure::ForcePause,
        critical: DefinedList::EMPTY,
    };
    nothing.performance = PerformanceTargets {
        target_p95_ms: 0,
        target_p99_ms: 0,
        max_overhead_percentage: 0.0,
        max_false_positive_percentage: 0.0,
    };
    nothing.audit = LogPolicy {
        log_all_hook_invocations: false,
        log_location: "".into(),
        log_format: DefinedList::EMPTY,
        retention_days: 0,
    };
    let parsed = parse(text, &nothing);
    (parsed.definitions, parsed.problems)
}

#[cfg(test)]
mod tests;
