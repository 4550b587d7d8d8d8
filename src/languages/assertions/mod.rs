//! What an assertion claims: its model, and the matchers and chains that state a claim.

pub(crate) mod calls;
pub(crate) mod chains;
mod conditions;
pub(crate) mod dart_claims;
pub(crate) mod links;
pub(crate) mod local_names;
pub(crate) mod looseness;
mod matchers;
pub(crate) mod model;
pub(crate) mod openings;
pub(crate) mod refinement;
pub(crate) mod spied_calls;
pub(crate) mod statements;
mod thrown_errors;
mod tolerances;
