//! Commands that give up what a service holds, or publish for everybody: one file for each family of services.
//!
//! A new rule is one line in its family; a new family is a file, and a line in `FAMILIES`.
//!
//! A rule is words: programs, then operands in order (`|` between alternatives, `*` for any text in a word, `…` for
//! any operands between). `-x` must be given, `!-x` makes it harmless, and a `~` at the end spares what has the name
//! of a test or scratch place.

pub(crate) mod backups;
pub(crate) mod clouds;
pub(crate) mod clusters;
pub(crate) mod code_hosts;
pub(crate) mod containers;
pub(crate) mod databases;
pub(crate) mod infrastructure;
pub(crate) mod machine;
pub(crate) mod packages;
pub(crate) mod queues_and_secrets;

/// How much a rule weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// What is lost can't be kept or put back from here.
    Loses,
    /// It changes what others rely on, and can be done again or put back.
    Changes,
    /// It publishes, which can't be taken back.
    Releases,
    /// It goes past the checks that a change must pass.
    Bypasses,
}

/// What a rule recognises a command by, and how much it weighs.
pub(crate) type Rule = (&'static str, Weight);

/// The rules of every family; the first that fits counts.
pub(crate) static FAMILIES: &[&[Rule]] = &[
    clusters::RULES,
    infrastructure::RULES,
    clouds::RULES,
    backups::RULES,
    code_hosts::RULES,
    containers::RULES,
    databases::RULES,
    queues_and_secrets::RULES,
    packages::RULES,
    machine::RULES,
];
