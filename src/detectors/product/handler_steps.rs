//! What the statements of a handler come to: whether it gave up with what is wrong, goes on with a value in its place, or
//! answers with data of its own.

use crate::languages::code::{Handler, HandlerEffect};

/// How statements begin that leave a function, a loop or a program.
const LEAVING: &[&str] = &[
    "return", "throw", "raise", "continue", "break", "next", "panic", "exit", "sys.exit", "abort", "Err(",
    "yield",
];

/// The statements of a handler.
fn steps<'s>(handler: &Handler<'s>) -> impl Iterator<Item = &'s str> {
    handler
        .body
        .lines()
        .flat_map(|line| line.split(['{', '}', ';']))
        .map(str::trim)
        .filter(|it| !it.is_empty())
}

/// Whether a handler left its function with something that says what is wrong.
pub(super) fn gave_up(handler: &Handler) -> bool {
    steps(handler).any(|it| {
        let value = it.strip_prefix("return ").unwrap_or_default();
        it.starts_with("throw ") || it.starts_with("raise ") || value.contains(['{', '(', '"', '\''])
    }) || handler.body.contains("return {")
}

/// Whether a handler answers with data of its own, whatever its comment says of that.
pub(super) fn gives_samples(handler: &Handler) -> bool {
    let code = handler
        .body
        .lines()
        .filter(|it| !it.trim_start().starts_with("//") && !it.trim_start().starts_with('#'));
    let texts = code.map(|it| it.matches(['"', '\'']).count() / 2).sum::<usize>();
    handler.effect == HandlerEffect::Constant && texts > 2
}

/// Whether a handler only puts a value in the place of what failed, and goes on.
pub(super) fn goes_on_instead(handler: &Handler) -> bool {
    let is_end = |it: &str| LEAVING.iter().any(|word| it.starts_with(word));
    let is_put = |it: &str| it.split_once(" = ").is_some_and(|(_, value)| !value.contains('('));
    let all: Vec<&str> = steps(handler)
        .filter(|it| !it.contains("catch") && !it.starts_with("except") && !it.starts_with("rescue"))
        .collect();
    !all.is_empty() && all.iter().all(|it| is_put(it) && !is_end(it))
}
