//! Ruby.

pub(crate) mod assertion;
pub(crate) mod block;
pub(crate) mod call;
pub(crate) mod code;
pub(crate) mod meaning;
pub(crate) mod statement;
pub(crate) mod testing;
pub(crate) mod token;
