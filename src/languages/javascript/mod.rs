//! JavaScript and TypeScript.

pub(crate) mod assertion;
pub(crate) mod code;
pub(crate) mod head;
pub(crate) mod testing;
