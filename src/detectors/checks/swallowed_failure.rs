//! What stands behind a command and turns its failure into a success.

/// What comes after a command and turns its failure into a success, without white space.
pub(super) const SWALLOWING: &[&str] =
    &["||true", "||exit0", "||echo", "||:", ";true", ";exit0", "||return0", "||printf", "&&true||"];
/// What an alternative says that fails all the same, without white space.
const FAILING: &[&str] = &[
    "exit1", "exit2", "exit$", "exit\"$", "return1", "false", "die", "fail", "abort", "kill", "test", "throw",
];

/// Whether the failure of the same command would be swallowed by what follows `||`; both texts without white space.
pub(super) fn is_swallowed(old: &str, new: &str) -> bool {
    let swallows = |text: &str| text.split("||").skip(1).filter(|rest| !fails(rest)).count();
    let is_left_alone = new.strip_prefix(old) == Some("&");
    is_left_alone || new.starts_with(old) && swallows(new) > swallows(old)
}

/// Whether what stands behind `||` fails as well, without white space.
fn fails(rest: &str) -> bool {
    let own = rest.split("||").next().unwrap_or(rest);
    FAILING.iter().any(|word| own.contains(word))
}
