//! Asking the agents that a hook's definition names, by message: the built-in ones, or the programs that a project
//! puts in their place.

use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::agents;
use crate::config::Config;
use crate::definitions::LoadedDefinitions;
use crate::definitions::envelope::{AgentRequest, AgentVerdict, Reply, RequestMetadata};
use crate::definitions::external;
use crate::definitions::inputs;
use crate::definitions::model::Definitions;
use crate::definitions::names::{Agent, HookName};
use crate::lifecycle::context::facts::Facts;
use crate::project::Project;
use crate::state::loop_state::LoopState;

/// Who asks, and where.
#[derive(Debug, Clone, Copy)]
pub struct Asker<'a> {
    /// The definitions that hold.
    pub definitions: &'a Definitions,
    /// Whether programs may answer: not those of a definition file that came with the repository.
    pub programs_allowed: bool,
    /// The loop.
    pub loop_id: &'a str,
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
pub struct AgentReplies {
    /// Every agent that was asked, by name, with its reply.
    pub replies: Vec<(String, Reply)>,
    /// Failures, as the log words them.
    pub failures: Vec<String>,
    /// Whether a required agent failed.
    pub required_failed: bool,
    /// The names of agents that a program answered for.
    pub programs: Vec<String>,
}

impl AgentReplies {
    /// One agent's reply.
    pub fn of(&self, agent: &str) -> Option<&Reply> {
        self.replies.iter().find(|(name, _)| name == agent).map(|(_, reply)| reply)
    }

    /// The names of those that were asked.
    pub fn names(&self) -> Vec<String> {
        self.replies.iter().map(|(name, _)| name.clone()).collect()
    }

    /// The worst verdict.
    pub fn verdict(&self) -> Option<AgentVerdict> {
        self.replies.iter().filter_map(|(_, reply)| reply.metadata.verdict).max()
    }

    /// What a program answered in an agent's place under a name.
    pub fn program_says(&self, agent: Agent, name: &str) -> Option<&Value> {
        let answered = self.programs.iter().any(|program| program == agent.name());
        self.of(agent.name()).filter(|_| answered)?.metadata.extra.get(name)
    }

    /// What a program of the project blocks, in its own words.
    pub fn blocked_by_program(&self) -> Option<&Reply> {
        self.replies
            .iter()
            .find(|(name, reply)| {
                self.programs.contains(name) && reply.metadata.verdict == Some(AgentVerdict::Block)
            })
            .map(|(_, reply)| reply)
    }
}

/// Whether a hook may ask programs: one names some, in a definition file that is this machine's own. One that came with
/// the repository could start anything on everybody's machine.
pub fn programs_allowed(project: &Project, loaded: &LoadedDefinitions, hook: HookName) -> bool {
    let names_programs = loaded.definitions.hook(hook).agents.iter().any(|agent| agent.command.is_some());
    let tracked = || {
        let file = loaded.file.iter().cloned().collect::<Vec<_>>();
        project.git().tracked(&file).is_some_and(|tracked| !tracked.is_empty())
    };
    names_programs && !tracked()
}

/// Asks the agents of a hook that fires outside of a session's events: at the beginning and the end of a loop.
pub fn ask_of_loop(
    project: &Project,
    loaded: &LoadedDefinitions,
    hook: HookName,
    state: &LoopState,
    longest: Option<Duration>,
    now: Timestamp,
) -> AgentReplies {
    let asker = Asker {
        definitions: &loaded.definitions,
        programs_allowed: programs_allowed(project, loaded, hook),
        loop_id: &state.loop_id,
        directory: project.root(),
        now,
        longest,
    };
    ask(asker, hook, &Facts::of(state), &Map::new())
}

/// Asks every agent of a hook, in order. `own` are facts that an agent gets beside the inputs of its definition.
pub fn ask(asker: Asker, hook: HookName, facts: &Facts, own: &Map<String, Value>) -> AgentReplies {
    let definition = asker.definitions.hook(hook);
    let defined = asker.definitions.execution.timeout(hook);
    let timeout = defined.into_iter().chain(asker.longest).min();
    let mut heard = AgentReplies::default();
    let iteration = facts.get("iteration").and_then(|it| it.as_u64()?.try_into().ok()).unwrap_or_default();
    for invocation in definition.agents.iter() {
        let mut inputs = inputs::fill(&invocation.inputs, &|name| facts.get(name)).value;
        for (name, value) in own {
            inputs.entry(name.clone()).or_insert_with(|| value.clone());
        }
        if hook == HookName::LoopStart {
            as_configured(&mut inputs, asker.directory);
        }
        let metadata = RequestMetadata {
            hook_name: hook.name().to_owned(),
            loop_id: asker.loop_id.to_owned(),
            // The one that the hook is about: that which begins is not the state's yet.
            iteration,
            inputs,
        };
        let request = AgentRequest::new(&invocation.purpose, metadata, asker.now);
        let program = invocation.command.as_ref().filter(|_| asker.programs_allowed);
        let reply = match (program, Agent::of(&invocation.agent)) {
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

/// What is looked for in a loop is the configuration's to say, where it says so.
fn as_configured(inputs: &mut Map<String, Value>, project: &Path) {
    let (config, _) = Config::read(project);
    let kinds = config.detection.patterns_enabled.as_ref();
    let kinds = kinds.map(|kinds| kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>());
    if let (Some(kinds), Some(asked)) = (kinds, inputs.get_mut("patterns_enabled")) {
        *asked = json!(kinds);
    }
    if let Some(asked) = inputs.get_mut("detection_mode") {
        *asked = json!(config.detection.mode);
    }
}
