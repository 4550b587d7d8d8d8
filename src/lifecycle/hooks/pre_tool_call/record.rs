//! What a judged call leaves in the state and in the log.

use serde_json::{Value, json};

use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::lifecycle::hooks::pre_tool_call::HOOK;
use crate::lifecycle::hooks::pre_tool_call::judged::JudgedCall;
use crate::lifecycle::regression::{questions, records};
use crate::model::finding::{Finding, Severity};
use crate::model::verdict::Verdict;
use crate::state::atomic::Durability;
use crate::state::records::RiskyAction;

impl JudgedCall<'_> {
    /// Records the call where it is risky: in the state with its findings, and what a person is asked about it.
    pub(super) fn record(&self, context: &mut HookContext, verdict: &Verdict) {
        let checkpoint = self.kept.as_ref().map(|kept| kept.checkpoint_id.clone());
        let mut record = HookRecord::of(&[]).heard(&self.heard).outcome(verdict.name()).found(&self.findings);
        record.outcomes.extend(checkpoint.iter().map(|name| Value::from(format!("kept: {name}"))));
        if !self.view.risks.is_empty() || !self.findings.is_empty() {
            let action = self.risky_action(context, verdict, checkpoint);
            record = record.change(
                "last_risky_action",
                json!({
                    "tool": action.tool,
                    "target": action.target,
                    "risk_level": action.risk_level,
                    "tool_use_id": action.tool_use_id,
                }),
            );
            let now = context.env.now;
            context.change_state(Durability::Process, |state| {
                state.push_risky_action(action);
                for finding in &self.findings {
                    records::push_pattern(state, finding, verdict.name(), now);
                }
            });
            if let Verdict::Ask(reason) = verdict {
                questions::remember_question(context, self.tool_call, &self.findings, reason);
            }
        }
        context.log(HOOK, record);
    }

    fn risky_action(
        &self,
        context: &HookContext,
        verdict: &Verdict,
        checkpoint: Option<String>,
    ) -> RiskyAction {
        let worst_risk = self.view.risks.iter().max_by_key(|risk| risk.level);
        let level = self.worst().unwrap_or(Severity::Low);
        let of_finding = |f: &Finding| f.regression_type.map_or(f.pattern_id, |kind| kind.name());
        let risk =
            worst_risk.map(|risk| risk.name.as_ref()).or_else(|| self.findings.first().map(of_finding));
        RiskyAction {
            timestamp: context.env.now,
            iteration: context.iteration(),
            tool_use_id: self.tool_call.id.clone(),
            tool: self.tool_call.tool.clone(),
            target: self.view.target.clone(),
            risk: risk.unwrap_or_default().to_owned(),
            risk_level: level.name().to_owned(),
            verdict: verdict.name().to_owned(),
            checkpoint,
        }
    }
}
