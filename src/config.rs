//! The `agent_persistence` block of `aiwg.yml`, with the documents' keys and defaults.
//!
//! The file has other owners, so every other key is ignored. A file that can't be read leaves the defaults and the
//! guard on, and the reader says so. This is the only file that names the YAML crate.

use std::path::Path;
use std::{fs, io};

use serde::Deserialize;

use crate::finding::RegressionType;

/// What a project configured.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default)]
pub struct Config {
    /// False: every hook passes.
    pub enabled: bool,
    /// What is looked for.
    pub detection: Detection,
    /// The bounds of a verification.
    pub verification: Verification,
    /// How many checkpoints are kept, and how long.
    pub checkpoints: Checkpoints,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            enabled: true,
            detection: Detection::default(),
            verification: Verification::default(),
            checkpoints: Checkpoints::default(),
        }
    }
}

/// `agent_persistence.detection`.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct Detection {
    /// How strictly findings are acted on.
    pub mode: Mode,
    /// The regression types that are looked for; none named means all of them.
    pub patterns_enabled: Option<Vec<String>>,
}

/// How strictly findings are acted on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Nothing is detected.
    Off,
    /// Critical findings alone act.
    Minimal,
    /// Critical and high findings act; medium ones are advice.
    #[default]
    Standard,
    /// Medium findings act like high ones.
    Aggressive,
}

/// `agent_persistence.verification`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default)]
pub struct Verification {
    /// Seconds that the completion commands may take at the end of an iteration.
    pub timeout_seconds: u64,
}

impl Default for Verification {
    fn default() -> Self {
        Verification { timeout_seconds: 600 }
    }
}

/// `agent_persistence.checkpoints`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default)]
pub struct Checkpoints {
    /// Iterations of a loop whose trees are kept, the newest ones; the baseline, the best and others that matter stay
    /// anyway.
    pub keep: usize,
    /// Days after which a checkpoint is given up.
    pub days: u64,
    /// Megabytes from which the status warns of the space that all checkpoints take.
    pub warn_megabytes: u64,
}

impl Default for Checkpoints {
    fn default() -> Self {
        Checkpoints { keep: 20, days: 30, warn_megabytes: 2_000 }
    }
}

impl Config {
    /// Reads `aiwg.yml` in `project`. No file: the defaults. The second value says what is wrong with the file.
    pub fn read(project: &Path) -> (Config, Option<String>) {
        let path = project.join("aiwg.yml");
        match fs::read_to_string(&path) {
            Ok(text) => match Config::parse(&text) {
                Ok(config) => (config, None),
                Err(reason) => (Config::default(), Some(problem(&path, &reason))),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => (Config::default(), None),
            Err(error) => (Config::default(), Some(problem(&path, &error.to_string()))),
        }
    }

    /// Parses the text of an `aiwg.yml`.
    pub fn parse(text: &str) -> Result<Config, String> {
        #[derive(Deserialize)]
        struct File {
            #[serde(default)]
            agent_persistence: Option<Config>,
        }
        if !text.contains("agent_persistence") {
            return Ok(Config::default());
        }
        let file: File = serde_saphyr::from_str(text).map_err(|error| error.to_string())?;
        Ok(file.agent_persistence.unwrap_or_default())
    }

    /// Whether a regression type is looked for. Names are matched without case, and the documents' older spellings
    /// count (`test_skip`).
    pub fn looks_for(&self, kind: RegressionType) -> bool {
        let Some(names) = &self.detection.patterns_enabled else { return true };
        names.iter().any(|name| {
            let name = name.to_ascii_lowercase();
            name == kind.name() || (name == "test_skip" && kind == RegressionType::TestSkipping)
        })
    }
}

fn problem(path: &Path, reason: &str) -> String {
    format!(
        "Steadfast can't read {}, so the built-in defaults hold and the guard stays on. {reason}",
        path.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documents_block_is_read_and_foreign_keys_are_left_alone() {
        let text = "other_tool:\n  - x: 1\nagent_persistence:\n  enabled: true\n  detection:\n    mode: \"minimal\"\n    patterns_enabled:\n      - test_deletion\n      - validation_bypass\n  recovery:\n    max_retries: 3\n";
        let config = Config::parse(text).unwrap();
        assert_eq!(config.detection.mode, Mode::Minimal);
        assert!(config.looks_for(RegressionType::TestDeletion));
        assert!(!config.looks_for(RegressionType::TestSkipping));
    }

    #[test]
    fn what_is_absent_has_its_default() {
        for text in ["", "a: 1\n", "agent_persistence:\n", "agent_persistence: {}\n", "# only a comment\n"] {
            assert_eq!(Config::parse(text), Ok(Config::default()), "{text:?}");
        }
        assert!(!Config::parse("agent_persistence:\n  enabled: false\n").unwrap().enabled);
    }

    #[test]
    fn a_wrong_type_is_an_error_with_its_line() {
        let error = Config::parse("agent_persistence:\n  detection:\n    mode: 7\n").unwrap_err();
        assert!(error.contains('3'), "{error}");
    }
}
