//! The project directory: where it begins, and git's questions about it.
