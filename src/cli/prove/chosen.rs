//! Which work is proved by which command, from the command line.

use std::env;
use std::path::{Path, PathBuf};

use super::ProveArgs;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::store::Store;
use crate::checkpoint::watch::Watch;
use crate::cli::check::diff::Span;
use crate::config::Config;
use crate::lifecycle::changes::touched;
use crate::lifecycle::criterion::loop_contract::LoopContract;
use crate::lifecycle::measuring::measure::known_commands;
use crate::loops::criteria::{Check, Criteria, parse};
use crate::loops::project_facts::{CommandPurpose, ProjectFacts};
use crate::project::Project;
use crate::proof::work::ProvedWork;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::registry::Registry;

/// What is proved, and by what.
pub(super) struct ProofInputs {
    pub work: ProvedWork,
    pub criteria: Criteria,
    /// Where its commands run, relative to the project.
    pub folder: PathBuf,
    /// The loop or session whose work it is.
    pub of_loop: Option<String>,
}

impl ProofInputs {
    pub(super) fn by(args: &ProveArgs, project: &Project, cwd: &Path) -> Result<ProofInputs, String> {
        let layout = Layout::of_project(project.root());
        let of_loop = match (&args.of_loop, &args.session) {
            (Some(id), _) => Some(id.clone()),
            (None, Some(session)) => Some(loop_of(session, &layout)?),
            (None, None) => None,
        };
        let work = match (&of_loop, &args.range) {
            (Some(id), _) => since_start(id, project, &layout)?,
            (None, Some(range)) => of_range(range, project)?,
            (None, None) => uncommitted(project)?,
        };
        if work.changed.is_empty() {
            return Err(format!("nothing differs from {}; --range A..B proves commits", work.from));
        }
        let contract = of_loop.as_ref().and_then(|id| LoopContract::read(&layout, id));
        let facts = known_commands(project.root(), &Config::read(project.root()).0);
        let below = cwd.strip_prefix(project.root()).unwrap_or(Path::new("")).to_path_buf();
        let (text, folder) = match (&args.until, contract) {
            (Some(text), _) => (Some(text.clone()), below),
            (None, Some(contract)) if !contract.criteria.is_empty() => {
                (Some(contract.criteria), PathBuf::from(contract.folder))
            }
            (None, _) => (None, PathBuf::new()),
        };
        Ok(ProofInputs { work, criteria: criteria(text, &facts)?, folder, of_loop })
    }
}

/// A criterion as loops take them, or a command as it stands.
fn criteria(text: Option<String>, facts: &ProjectFacts) -> Result<Criteria, String> {
    let of_command = |command: String| Criteria {
        text: format!("{command} passes"),
        checks: vec![Check::CommandPasses { command }],
    };
    match text {
        Some(text) => Ok(parse(&text, facts).unwrap_or_else(|_| of_command(text))),
        None => {
            let known = facts.commands.iter().find(|(kind, _)| *kind == CommandPurpose::Test);
            let none = || "no test command is known here; --until \"COMMAND\" names it".to_owned();
            known.map(|(_, command)| of_command(command.clone())).ok_or_else(none)
        }
    }
}

fn in_git(project: &Project) -> Result<(), String> {
    let missing = || format!("{} is in no git repository", project.root().display());
    project.git().top().map(|_| ()).ok_or_else(missing)
}

fn uncommitted(project: &Project) -> Result<ProvedWork, String> {
    in_git(project)?;
    if project.git().names_commit("HEAD") != Some(true) {
        return Err("there is no commit yet to compare with".to_owned());
    }
    ProvedWork::since_commit(project, "HEAD", "the last commit")
}

fn of_range(range: &str, project: &Project) -> Result<ProvedWork, String> {
    in_git(project)?;
    let span = Span::of_range(range)?;
    let (revisions, to) = span.revisions(&project.git().patient())?;
    let revisions: Vec<&str> = revisions.iter().map(String::as_str).collect();
    ProvedWork::of_commits(project, &revisions, &to, range)
}

/// The loop in which a session works; without an id the session around this command, or the newest.
fn loop_of(session: &str, layout: &Layout) -> Result<String, String> {
    let registry = Registry::read(layout).map_err(|error| error.to_string())?;
    let around = env::var("CLAUDE_CODE_SESSION_ID").ok();
    if !session.is_empty() {
        let known = registry.sessions.get(session).cloned();
        let by_loop = || registry.loops.contains_key(session).then(|| session.to_owned());
        return known.or_else(by_loop).ok_or_else(|| format!("no session {session} is known here"));
    }
    if let Some(id) = around.and_then(|around| registry.sessions.get(&around)) {
        return Ok(id.clone());
    }
    let newest = registry.loops.iter().max_by_key(|(_, entry)| entry.last_active);
    newest.map(|(id, _)| id.clone()).ok_or_else(|| "no session is known here".to_owned())
}

fn since_start(id: &str, project: &Project, layout: &Layout) -> Result<ProvedWork, String> {
    crate::state::loop_id::check(id).map_err(|error| error.to_string())?;
    let state = LoopState::read(layout, id).map_err(|error| error.to_string())?;
    let store = Store::of_project(project.root());
    let words = format!("the start of {id}");
    if let Some(name) = state.baseline_snapshot.as_deref().and_then(|path| Path::new(path).file_name()) {
        let manifest =
            Manifest::read(&layout.checkpoints(id).join(name)).map_err(|error| error.to_string())?;
        return ProvedWork::since_checkpoint(&store, manifest, &words);
    }
    let began = Watch::read(layout, id).and_then(|watch| watch.base_commit);
    let began = began.ok_or_else(|| format!("the commit at the start of {id} is not known"))?;
    let mut work = ProvedWork::since_commit(project, &began, &words)?;
    work.begin_at(&store, &touched::origins_of(layout, id));
    Ok(work)
}
