//! Definitions back into the documents' form, as JSON.

use serde_json::{Map, Value, json};

use super::model::{
    AgentInvocation, ConditionOutcome, ConditionalStep, Definitions, ExecutionPolicy, FieldChange,
    FieldUpdate, GateDefinition, HookDefinition, LogPolicy, PerformanceTargets, RecoveryDefinition, RiskRule,
    ThresholdAt, UpdateSource,
};
use super::names::HookName;

/// Everything, with the schema's id.
pub fn definitions(definitions: &Definitions) -> Value {
    let hooks = HookName::ALL.iter().map(|name| (name.name().to_owned(), hook(definitions.hook(*name))));
    json!({
        "$id": "https://aiwg.io/schemas/ralph-persistence-hooks/v1",
        "hooks": hooks.collect::<Map<_, _>>(),
        "execution": execution(&definitions.execution),
        "performance": performance(&definitions.performance),
        "audit": audit(&definitions.audit),
    })
}

/// One hook. What it doesn't have is left out.
pub fn hook(hook: &HookDefinition) -> Value {
    let mut map = Map::new();
    map.insert("description".to_owned(), json!(hook.description));
    map.insert("trigger".to_owned(), json!(hook.trigger));
    map.insert("timing".to_owned(), json!(hook.timing));
    let thresholds = hook.thresholds.iter().map(|threshold| {
        let at = match threshold.at {
            ThresholdAt::Iteration(number) => format!("iteration_{number}"),
            ThresholdAt::QualityPlateau => "quality_plateau".to_owned(),
        };
        (at, json!(threshold.level))
    });
    let rest: [(&str, Value); 8] = [
        ("thresholds", Value::Object(thresholds.collect())),
        ("risk_patterns", hook.risk_patterns.iter().map(risk_pattern).collect()),
        ("agents_to_invoke", hook.agents.iter().map(invocation).collect()),
        ("actions", hook.actions.iter().map(|action| json!(action)).collect()),
        ("state_updates", hook.state_updates.iter().map(state_update).collect()),
        ("conditional_actions", hook.conditional_actions.iter().map(conditional).collect()),
        ("recovery_protocol", hook.recovery.as_ref().map_or(Value::Null, recovery)),
        ("human_gate", hook.gate.as_ref().map_or(Value::Null, gate)),
    ];
    let is_there = |value: &Value| match value {
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
        _ => false,
    };
    let rest = rest.into_iter().filter(|(_, value)| is_there(value));
    map.extend(rest.map(|(name, value)| (name.to_owned(), value)));
    Value::Object(map)
}

fn invocation(invocation: &AgentInvocation) -> Value {
    let inputs = invocation.inputs.iter().map(|(name, input)| (name.to_string(), input.to_json()));
    let mut value = json!({
        "agent": invocation.agent,
        "purpose": invocation.purpose,
        "required": invocation.required,
        "inputs": inputs.collect::<Map<_, _>>(),
    });
    if let Some(command) = &invocation.command {
        value["command"] = json!(command.to_vec());
    }
    value
}

fn state_update(update: &FieldUpdate) -> Value {
    let (change, origin) = match &update.change {
        FieldChange::Set(origin) => ("set", Some(origin)),
        FieldChange::Append(origin) => ("append", Some(origin)),
        FieldChange::Increment => ("increment", None),
    };
    let mut value = json!({ change: update.field });
    match origin {
        Some(UpdateSource::From(source)) => value["from"] = json!(source),
        Some(UpdateSource::Value(literal)) => value["value"] = literal.to_json(),
        None => {}
    }
    value
}

fn conditional(conditional: &ConditionalStep) -> Value {
    let condition = &conditional.condition;
    match conditional.then {
        ConditionOutcome::Trigger(hook) => {
            json!({"condition": condition, "action": "trigger_hook", "hook": hook})
        }
        ConditionOutcome::Act(action) => json!({"condition": condition, "action": action}),
    }
}

fn risk_pattern(pattern: &RiskRule) -> Value {
    let mut value = json!({"tool": pattern.tool});
    if let Some(file) = &pattern.file_pattern {
        value["file_pattern"] = json!(file);
    }
    if let Some(command) = &pattern.command_pattern {
        value["command_pattern"] = json!(command);
    }
    value["risk"] = json!(pattern.risk);
    value
}

fn recovery(recovery: &RecoveryDefinition) -> Value {
    let steps = recovery.steps.iter().map(|(stage, text)| json!({ stage.name(): text }));
    let escalation = recovery.escalation.iter();
    let escalation = escalation.map(|step| json!({"condition": step.condition, "action": step.action}));
    json!({"steps": steps.collect::<Value>(), "escalation_conditions": escalation.collect::<Value>()})
}

fn gate(gate: &GateDefinition) -> Value {
    let options = gate.options.iter();
    let options =
        options.map(|option| json!({"id": option.id, "label": option.label, "action": option.action}));
    json!({
        "type": gate.kind,
        "timeout": gate.timeout_seconds,
        "message": gate.message,
        "options": options.collect::<Value>(),
    })
}

fn execution(execution: &ExecutionPolicy) -> Value {
    let own = execution.timeouts_ms.iter().map(|(hook, limit)| (hook.name().to_owned(), json!(limit)));
    let default = ("default".to_owned(), json!(execution.default_timeout_ms));
    let critical = execution.critical.iter();
    let critical = critical.map(|(hook, answer)| json!({"hook": hook, "on_failure": answer}));
    json!({
        "async_hooks": {"hooks": execution.async_hooks.to_vec()},
        "blocking_hooks": {"hooks": execution.blocking_hooks.to_vec()},
        "timeout_ms": std::iter::once(default).chain(own).collect::<Map<_, _>>(),
        "error_handling": {
            "on_hook_failure": {
                "default": execution.default_on_failure,
                "critical_hooks": critical.collect::<Value>(),
            },
        },
    })
}

fn performance(performance: &PerformanceTargets) -> Value {
    json!({
        "detection_latency": {
            "target_p95_ms": performance.target_p95_ms,
            "target_p99_ms": performance.target_p99_ms,
        },
        "integration_overhead": {"max_percentage": performance.max_overhead_percentage},
        "false_positive_rate": {"target": format!("<{}%", performance.max_false_positive_percentage)},
    })
}

fn audit(audit: &LogPolicy) -> Value {
    let format = audit.log_format.iter().map(|(field, kind)| (field.to_string(), json!(kind)));
    json!({
        "log_all_hook_invocations": audit.log_all_hook_invocations,
        "log_location": audit.log_location,
        "log_format": format.collect::<Map<_, _>>(),
        "retention_days": audit.retention_days,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definitions::builtin::BUILTIN;
    use crate::definitions::parse;
    use crate::definitions::yaml_text::yaml;

    #[test]
    fn what_is_rendered_reads_as_the_same_definitions() {
        let text = yaml(&definitions(&BUILTIN));
        let (read, problems) = parse::from_nothing(&text);
        assert_eq!(problems, [], "{text}");
        assert_eq!(read, BUILTIN, "{text}");
    }

    #[test]
    fn a_hook_of_a_file_survives() {
        let text = r##"
hooks:
  on_error:
    description: "- not: a list"
    agents_to_invoke:
      - {agent: x, required: false, command: ["./x", "-n", "yes", ""], inputs: {a: [], b: {}, "c d": "{task}\ttab"}}
    state_updates: [{set: last_error, value: {deep: [null, 1.5, "1.5", "null"]}}]
    risk_patterns: [{tool: Bash, risk: "# r", command_pattern: "*"}]
"##;
        let read = parse::parse(text, &BUILTIN);
        assert_eq!(read.problems, []);
        let again = yaml(&definitions(&read.definitions));
        let (again_read, problems) = parse::from_nothing(&again);
        assert_eq!((again_read, problems.len()), (read.definitions, 0), "{again}");
    }

    #[test]
    fn lines_stand_as_lines() {
        assert_eq!(yaml(&json!({"m": "{a} b\n\n# c\n"})), "m: |\n  {a} b\n\n  # c\n");
        assert_eq!(yaml(&json!({"m": " a\nb\n"})), "m: \" a\\nb\\n\"\n");
    }

    proptest::proptest! {
        #[test]
        fn any_text_survives_as_yaml(text in "[ -~\n\té\u{85}\u{2028}\u{feff}😀]{0,40}|([ -~é]{0,6}\n){0,5}") {
            let rendered = yaml(&json!({"hooks": {"on_error": {"trigger": text}}}));
            let read = parse::parse(&rendered, &BUILTIN);
            proptest::prop_assert_eq!(read.problems, []);
            proptest::prop_assert_eq!(read.definitions.hook(HookName::OnError).trigger.as_ref(), text.as_str());
        }
    }
}
