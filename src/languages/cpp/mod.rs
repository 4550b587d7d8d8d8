//! C and C++.

pub(crate) mod code;
pub(crate) mod testing;
