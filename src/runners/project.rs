//! A project as a runner's file sees it: what it may ask, and the commands that it answers with.
//!
//! Everything comes in through [`ProjectFiles`], so that a runner reads no file itself.

/// The kind of project that a runner tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ecosystem {
    /// With a `Cargo.toml`.
    Rust,
    /// With a `package.json`.
    Node,
    /// Python.
    Python,
    /// With a `go.mod`.
    Go,
    /// Any other.
    Other,
}

/// What a runner may ask of the project at hand.
pub trait ProjectFiles {
    /// Whether a file of this path is there.
    fn is_file(&self, path: &str) -> bool;
    /// The text of a file at the root.
    fn text(&self, name: &str) -> Option<String>;
    /// Whether a file at the root has one of these endings.
    fn has_ending(&self, endings: &[&str]) -> bool;
    /// Whether `package.json` names the package as a dependency.
    fn depends(&self, package: &str) -> bool;
    /// Whether the script `test` of `package.json` holds the word.
    fn script_has(&self, word: &str) -> bool;
    /// Whether a known command that runs the tests begins so.
    fn tests_begin(&self, beginning: &str) -> bool;
    /// A program of the project's own environment, or the one that is in the path.
    fn program(&self, name: &str) -> String;
}

/// The commands that a project offers for a runner.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunnerCommands {
    /// Lists the tests.
    pub list: Option<String>,
    /// Measures coverage.
    pub coverage: Option<String>,
}
