//! The words by which blocks, tests and errors in Ruby are known.

pub(crate) const TESTS: &[&str] = &["it", "specify", "example", "scenario", "test", "its"];

pub(crate) const SUITES: &[&str] = &[
    "describe",
    "context",
    "feature",
    "shared_examples",
    "shared_examples_for",
    "shared_context",
    "example_group",
];

/// Calls that take in the examples of a shared group.
pub(crate) const SHARED: &[&str] = &["it_behaves_like", "it_should_behave_like"];

/// Methods and blocks that run before each test.
pub(crate) const HOOKS: &[&str] = &["before", "setup", "around", "prepend_before"];

pub(crate) const SKIPS: &[&str] = &["skip", "pending", "omit", "pend"];

/// Words that open a block up to `end` wherever they stand.
pub(crate) const OPENERS: &[&str] = &["class", "module", "def", "begin", "case"];

/// Words that do so at the start of a statement only.
pub(crate) const BRANCHES: &[&str] = &["if", "unless", "while", "until", "for"];

pub(crate) const KEYWORDS: &[&str] = &[
    "do", "end", "if", "unless", "else", "elsif", "then", "def", "class", "module", "begin", "rescue",
    "ensure", "case", "when", "while", "until", "for", "in", "return", "next", "self", "true", "false",
    "nil", "and", "or", "not",
];
/// Calls that leave with an error.
pub(crate) const RAISES: &[&str] = &["raise", "fail", "abort", "exit", "throw", "halt", "head"];
