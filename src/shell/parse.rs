//! From the grammar's tree to commands in the order the shell meets them, with `cd` and literal variables followed.
//!
//! `statements` walks the tree and hands each command to `wrappers`, which follows what it runs. Recursion is bounded by
//! the reader's depth, work by its fuel.

pub(crate) mod bounds;
pub(crate) mod branches;
pub(crate) mod elsewhere;
pub(crate) mod expansions;
pub(crate) mod floods;
pub(crate) mod here;
pub(crate) mod line_ends;
pub(crate) mod loops;
pub(crate) mod marks;
pub(crate) mod outcomes;
pub(crate) mod output;
pub(crate) mod powershell;
pub(crate) mod reader;
pub(crate) mod redirect;
pub(crate) mod simple_command;
pub(crate) mod state;
pub(crate) mod statements;
pub(crate) mod streams;
pub(crate) mod unquote;
pub(crate) mod variables;
pub(crate) mod words;
pub(crate) mod written;
