//! The ten hooks of the documents and their order.

pub mod shell_call;
