//! What each programming language calls a test.
