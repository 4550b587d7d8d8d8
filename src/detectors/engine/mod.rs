//! What detectors judge by: a change as tests before and after, a file's two texts, and an edit whose file can't be read.

pub(crate) mod code_lines;
pub(crate) mod comparison;
pub(crate) mod documents;
pub(crate) mod hunks;
pub(crate) mod line_pairs;
pub(crate) mod paired_code;
pub(crate) mod revision;
pub(crate) mod shortened_lines;
pub(crate) mod telling_lines;
pub(crate) mod unseen_edit;
