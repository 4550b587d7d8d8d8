//! Asking the agents that a hook's definition names, by message: the built-in ones, or the programs that a project
//! puts in their place.

use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::facts::Facts;
use crate::agents;
use crate::definitions::envelope::{Reply, Request, RequestMetadata, Verdict};
use crate::definitions::external;
use crate::definitions::inputs;
use crate::definitions::model::Definitions;
use crate::definitions::names::HookName;

/// Who asks, and where.
#[derive(Debug, Clone, Copy)]
pub struct Asker<'a> {
    /// The definitions that hold.
    pub definitions: &'a Definitions,
    /// Whether programs may answer: not those of a definition file that came with the repository.
    pub programs_allowed: bool,
    /// The loop.
    pub loop_id: &'a str,
    /// Its iteration.
    pub iteration: u32,
    /// Where programs run.
    pub directory: &'a Path,
    /// Now.
    pub now: Timestamp,
    /// The longest that a program may take, whatever its definition says: a hook answers before its host gives up on
    /// it. `None` where nobody gives up.
    pub longest: Option<Duration>,
}

/// What the agents said.
#[derive(Debug, Default)]
pub struct Heard {
    /// Every agent that was asked, by name, with its reply.
    pub replies: Vec<(String, Reply)>,
    /// Failures, as the log words them.
    pub failures: Vec<String>,
    /// Whether a required agent failed.
    pub required_failed: bool,
    /// The names of agents that a program answered for.
    pub programs: Vec<String>,
}

impl Heard {
    /// One agent's reply.
    pub fn of(&self, agent: &str) -> Option<&Reply> {
        self.replies.iter().find(|(name, _)| name == agent).map(|(_, reply)| reply)
    }

    /// The names of those that were asked.
    pub fn names(&self) -> Vec<String> {
        self.replies.iter().map(|(name, _)| name.clone()).collect()
    }

    /// The worst verdict.
    pub fn verdict(&self) -> Option<Verdict> {
        self.replies.iter().filter_map(|(_, reply)| reply.metadata.verdict).max()
    }

    /// What a program of the project blocks, in its own words.
    pub fn blocked_by_program(&self) -> Option<&Reply> {
        self.replies
            .iter()
            .find(|(name, reply)| {
                self.programs.contains(name) && reply.metadata.verdict == Some(Verdict::Block)
            })
            .map(|(_, reply)| reply)
    }
}

/// Asks every agent of a hook, in order. `own` are facts that an agent gets beside the inputs of its definition.
pub fn ask(asker: Asker, hook: HookName, facts: &Facts, own: &Map<String, Value>) -> Heard {
    let definition = asker.definitions.hook(hook);
    let defined = asker.definitions.execution.timeout(hook);
    let timeout = defined.into_iter().chain(asker.longest).min();
    let mut heard = Heard::default();
    for invocation in definition.agents.iter() {
        let mut inputs = inputs::fill(&invocation.inputs, &|name| facts.get(name)).value;
        for (name, value) in own {
            inputs.entry(name.clone()).or_insert_with(|| value.clone());
        }
        let metadata = RequestMetadata {
            hook_name: hook.name().to_owned(),
            loop_id: asker.loop_id.to_owned(),
            iteration: asker.iteration,
            inputs,
        };
        let request = Request::new(&invocation.purpose, metadata, asker.now);
        let program = invocation.command.as_ref().filter(|_| asker.programs_allowed);
        let reply = match (program, crate::definitions::names::Agent::of(&invocation.agent)) {
            (Some(command), _) => {
                heard.programs.push(invocation.agent.to_string());
                external::call(command, &request, timeout, asker.directory)
                    .map_err(|failure| failure.to_string())
            }
            (None, Some(agent)) => Ok(agents::reply(agent, &request)),
            (None, None) => Err("nobody answers for it".to_owned()),
        };
        match reply {
            Ok(reply) => heard.replies.push((invocation.agent.to_string(), reply)),
            Err(reason) => {
                heard.required_failed |= invocation.required;
                let kind = if invocation.required { "required" } else { "optional" };
                heard.failures.push(format!("{kind} agent {} failed: {reason}", invocation.agent));
            }
        }
    }
    heard
}
