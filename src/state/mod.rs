//! What is kept on disk under `.aiwg/ralph/`.

pub mod atomic;
pub mod layout;
pub mod lock;
