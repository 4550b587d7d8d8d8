//! What an assertion claims: its model, and the matchers and chains that state a claim.

pub(crate) mod calls;
pub(crate) mod chains;
mod links;
mod matchers;
pub(crate) mod model;
pub(crate) mod openings;
pub(crate) mod statements;
