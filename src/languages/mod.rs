//! What each programming language calls a test, and what its code does about errors and input.
//!
//! Two tiers: [`scan`] counts with a lexer and over-suspects; [`outline`] parses and decides. A folder for each language
//! holds all that is known of it, and [`registry`] is the table of them. Pure: text in, values out.

pub mod assertions;
mod body;
#[cfg(test)]
mod cases;
pub mod code;
mod cpp;
mod csharp;
mod dart;
mod definitions;
mod descriptor;
pub mod differing;
mod elixir;
mod go;
mod java;
mod javascript;
mod kotlin;
mod lexer;
pub mod modules;
pub mod mutants;
mod parsing;
mod php;
mod python;
mod reading;
pub mod registry;
mod ruby;
mod rust;
mod scala;
mod settings;
mod swift;
pub mod testing;
mod tree;

pub use crate::languages::assertions::local_names::LocalNames;
pub(crate) use crate::languages::assertions::local_names::assigned;
pub(crate) use crate::languages::assertions::looseness::{
    LooserBy, chance, gives_up_bound, is_close_enough, is_coarse, looser,
};
pub use crate::languages::assertions::model::{AssertionClaim, Strength};
pub(crate) use crate::languages::assertions::refinement::{FILLED, measured};
pub use crate::languages::definitions::definitions;
pub use crate::languages::lexer::LexerCounts;
pub(crate) use crate::languages::modules::imports::folder;
pub use crate::languages::reading::{ParsedSource, code, outline, outline_of};
pub use crate::languages::registry::{Language, file_name};
pub use crate::languages::testing::counts::{
    count_tests, counted, is_suspicious, may_have_tests, running_tests, scan, test_names,
};
pub use crate::languages::testing::gained_tests::{GainedTests as Pool, carries_on};
pub use crate::languages::testing::matching::{Fate, pair};
pub use crate::languages::testing::outline::{
    Assertion, DeadRegion, Outline, Skip, SkipCondition, StrayFunction, Test, bare_lines,
};
pub use crate::languages::testing::paths::{data_of_tests, is_test_name, is_test_path, subject};
pub use crate::languages::testing::specimen::specimens;
pub use body::Body;
pub use settings::{SettingEntry, settings};

#[cfg(test)]
mod tests;
