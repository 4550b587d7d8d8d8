//! Python.

pub(crate) mod assertion;
pub(crate) mod code;
pub(crate) mod mark;
pub(crate) mod testing;
