//! Located YAML for the configuration and the definitions: one tree, one kind of problem, one reader.
//!
//! Every value knows its line and column, so whatever is wrong with a file is said at its place. Depth, size and
//! aliases of a text are bounded. Only [`parse`] names the YAML crate.

mod block;
mod nearest;
mod parse;
mod problem;
mod reader;
mod tree;

pub(crate) use block::block;
pub(crate) use nearest::{few_slips, nearest, third};
pub(crate) use parse::{NotYaml, document};
pub use problem::{Problem, ProblemWeight};
pub(crate) use problem::{position_of, worst};
pub(crate) use reader::YamlReader;
pub(crate) use tree::YamlBlock;
pub use tree::{LIMIT, Position, YamlKey, YamlNode, YamlTree};
