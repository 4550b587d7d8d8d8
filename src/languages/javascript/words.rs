//! The words and kinds of nodes by which tests in JavaScript and TypeScript are known.

pub(crate) const TESTS: &[&str] = &["it", "test", "specify", "fit", "xit", "xtest", "xspecify"];

pub(crate) const SUITES: &[&str] =
    &["describe", "context", "suite", "xdescribe", "fdescribe", "xcontext", "fcontext", "xsuite"];

/// Heads that skip or focus by their own name.
pub(crate) const SKIPPED_HEADS: &[&str] = &["xit", "xtest", "xspecify", "xdescribe", "xcontext", "xsuite"];

pub(crate) const FOCUSED_HEADS: &[&str] = &["fit", "fdescribe", "fcontext"];

/// Members of a head that skip. The ones that expect a failure let a broken test pass.
pub(crate) const SKIPS: &[&str] = &["skip", "todo", "fixme", "fails", "failing", "fail"];

pub(crate) const FOCUSES: &[&str] = &["only"];

/// Members of a head that change neither.
pub(crate) const NEUTRAL: &[&str] = &[
    "concurrent",
    "sequential",
    "serial",
    "parallel",
    "each",
    "for",
    "cb",
    "shuffle",
    "describe",
    "configure",
];

/// Objects whose `.test()` is a test: node:test contexts, tap, Deno, QUnit.
pub(crate) const HOLDERS: &[&str] = &["t", "tap", "ctx", "Deno", "QUnit", "context"];

pub(crate) const FUNCTIONS: &[&str] =
    &["arrow_function", "function_expression", "function", "generator_function"];
