//! The `agent_persistence` block of `aiwg.yml`: the documents' keys and defaults, and Steadfast's own beside them.
//!
//! Whatever is wrong with the file, the guard stays on: a value that can't be taken leaves its default, a file that
//! can't be read leaves them all, and each says so with its line. The file has other owners, whose keys are not read.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

mod file_schema;
pub mod globs;
mod model;
mod problem;
pub mod rule;
mod schema;
mod sections;
mod setting;

pub use file_schema::ConfigFile;
pub use globs::Globs;
pub use model::Config;
pub use problem::notice;
pub use schema::{ConfigKey, KEYS};
pub use sections::{
    BestOutputSelection, Checkpoints, CommandsConfig, Detection, LevelThresholds, Mode, Notes, Notify,
    PerformanceConfig, ProveMode, Recovery, Reinforcement, TerminalNotice, TokenBudgets, VerificationConfig,
};

use crate::yaml::{self, LIMIT};
pub use crate::yaml::{Problem, ProblemWeight};

/// The file's name in the project.
pub const FILE: &str = "aiwg.yml";
/// The key of the block that is ours.
pub const BLOCK: &str = "agent_persistence";
/// A larger file is refused: bytes.
const LARGEST: u64 = LIMIT as u64;

/// The block of `aiwg.yml` that is ours.
struct OwnBlock;

impl yaml::YamlBlock for OwnBlock {
    const NAME: &'static str = BLOCK;
}

impl Config {
    /// Reads `aiwg.yml` in `project`. No file: the defaults, and nothing to say.
    pub fn read(project: &Path) -> (Config, Vec<Problem>) {
        let loaded = Config::load(&project.join(FILE));
        (loaded.config, loaded.problems)
    }

    /// Reads the file at `path`, and says besides where each value comes from.
    pub fn load(path: &Path) -> LoadedConfig {
        match bytes(path) {
            Ok(Some(bytes)) => Config::parse(&bytes),
            Ok(None) => LoadedConfig::default(),
            Err(error) => LoadedConfig::refused(problem::unreadable(&error)),
        }
    }

    /// Parses the bytes of an `aiwg.yml`.
    pub fn parse(bytes: &[u8]) -> LoadedConfig {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text),
            Err(error) => return LoadedConfig::refused(problem::not_utf8(bytes, error.valid_up_to())),
        };
        match yaml::block::<OwnBlock>(text) {
            Ok(None) => LoadedConfig::default(),
            Ok(Some(node)) => schema::apply(&node, text),
            Err(broken) => LoadedConfig::refused(problem::broken(text, broken)),
        }
    }
}

/// A configuration, and how it came about.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LoadedConfig {
    /// The configuration.
    pub config: Config,
    /// What is wrong with the file, in its order.
    pub problems: Vec<Problem>,
    /// The line, from 1, of each key that the file sets, by its path in the block.
    pub lines: BTreeMap<&'static str, usize>,
    /// Each pattern that the file names, with the problem that it is if nobody knows it, see [`LoadedConfig::of_known`].
    named: Vec<(String, Problem)>,
}

impl LoadedConfig {
    /// With a problem for each pattern that is named and that `is_known` denies; the catalogue is not known here.
    pub fn of_known(mut self, is_known: impl Fn(&str) -> bool) -> Self {
        let unknown = self.named.drain(..).filter(|(id, _)| !is_known(id)).map(|(_, problem)| problem);
        self.problems.extend(unknown);
        self.problems.sort_by_key(|problem| (problem.line, problem.column));
        self
    }

    fn refused(problem: Problem) -> Self {
        LoadedConfig { problems: vec![problem], ..LoadedConfig::default() }
    }
}

/// The file's bytes; `None` without a file. A pipe in its place is not waited for.
fn bytes(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = match OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let length = file.metadata()?.len();
    let mut bytes = Vec::with_capacity(length.min(LARGEST) as usize + 1);
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::other("it is larger than 1 MiB"));
    }
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests;
