//! The tests of a file as values: their outline, which of them is which after a change, and how alike two are.

pub(crate) mod bodies;
pub(crate) mod collection;
pub(crate) mod counts;
pub(crate) mod environment_variables;
pub(crate) mod gained_tests;
mod joined_claims;
pub(crate) mod known_machines;
pub(crate) mod matching;
pub(crate) mod methods;
mod node_class;
pub(crate) mod outline;
pub(crate) mod outline_builder;
pub(crate) mod paths;
pub(crate) mod similarity;
pub(crate) mod skip_condition;
pub(crate) mod specimen;
pub(crate) mod steps;
pub(crate) mod swallowed;
