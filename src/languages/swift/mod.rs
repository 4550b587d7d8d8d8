//! Swift.

pub(crate) mod code;
pub(crate) mod testing;
