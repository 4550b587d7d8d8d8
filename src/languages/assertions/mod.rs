//! What an assertion claims: its model, and the matchers and chains that state a claim.

pub(crate) mod calls;
pub(crate) mod chains;
pub(crate) mod model;
