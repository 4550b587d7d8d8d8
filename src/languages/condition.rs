//! When a condition under which a test is skipped holds.
//!
//! Only a condition that is plainly constant, or plainly about a CI server, is called so; any other may be honest.

use super::outline::When;

/// The constant that a condition is, if it is one.
pub(super) fn constant(condition: &str) -> Option<bool> {
    let bare = condition.trim().trim_start_matches('(').trim_end_matches(')').trim();
    match bare {
        "true" | "True" | "1" | "!0" | "!false" | "not False" | "all()" | "all(" => return Some(true),
        "false" | "False" | "0" | "!1" | "!true" | "not True" | "None" | "null" | "any()" | "any(" => {
            return Some(false);
        }
        _ => {}
    }
    let (left, right) = bare.split_once("===").or_else(|| bare.split_once("=="))?;
    let number = |text: &str| text.trim().parse::<u64>().ok();
    Some(number(left)? == number(right)?)
}

/// Whether an asserted condition holds whatever the code under test does: `true`, `x || true`, `len(x) >= 0`.
pub(super) fn holds(condition: &str) -> bool {
    const COUNTS: &[&str] = &["len", "length", "size", "count"];
    if constant(condition) == Some(true) || condition.trim() == "Bool(true)" {
        return true;
    }
    let bare: String = condition.chars().filter(|c| !c.is_whitespace()).take(200).collect();
    let bare = bare.strip_prefix('(').and_then(|it| it.strip_suffix(')')).unwrap_or(&bare);
    let whole = condition.trim().trim_end_matches(')').trim_end();
    if bare.starts_with("true||") || bare.ends_with("||true") || whole.ends_with(" or True") {
        return true;
    }
    if bare.contains("size_of_val(") && ["<usize::MAX", "<=usize::MAX"].iter().any(|it| bare.ends_with(it)) {
        return true;
    }
    let Some(counted) = bare.strip_suffix(">=0").or_else(|| bare.strip_suffix("<=usize::MAX")) else {
        return false;
    };
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let called = counted.rfind('(').map_or(counted, |at| &counted[..at]);
    let first = counted.split(|c| !is_part(c)).next().unwrap_or_default().to_lowercase();
    let last = called.rsplit(|c| !is_part(c)).next().unwrap_or_default().to_lowercase();
    COUNTS.contains(&last.as_str()) || COUNTS.contains(&first.as_str())
}

/// When a condition under which a test is skipped holds; `None` for never.
pub(super) fn when(condition: &str) -> Option<When> {
    const SERVERS: &[&str] = &[
        "CI",
        "GITHUB_ACTIONS",
        "GITLAB_CI",
        "CONTINUOUS_INTEGRATION",
        "TRAVIS",
        "CIRCLECI",
        "BUILDKITE",
        "isCI",
        "is_ci",
        "IS_CI",
    ];
    match constant(condition) {
        Some(true) => return Some(When::Always),
        Some(false) => return None,
        None => {}
    }
    let bare = condition.trim().trim_start_matches('(').trim_start();
    if bare.ends_with("or True")
        || bare.ends_with("|| true")
        || bare.starts_with("True or")
        || bare.starts_with("true ||")
    {
        return Some(When::Always);
    }
    let mut words = bare.split(|c: char| !c.is_alphanumeric() && c != '_');
    let inverted = bare.starts_with('!') || bare.starts_with("not ");
    if !inverted && words.any(|word| SERVERS.contains(&word)) {
        Some(When::InCi)
    } else {
        Some(When::Sometimes)
    }
}

/// The condition's opposite, for marks that say when a test runs.
pub(super) fn when_not(condition: &str) -> Option<When> {
    match constant(condition) {
        Some(true) => None,
        Some(false) => Some(When::Always),
        None => Some(When::Sometimes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_weighed() {
        let cases = [
            ("(true)", Some(When::Always)),
            ("True", Some(When::Always)),
            ("1 == 1", Some(When::Always)),
            ("x or True", Some(When::Always)),
            ("false", None),
            ("(1 === 2)", None),
            ("process.env.CI", Some(When::InCi)),
            ("os.environ.get('CI') == 'true'", Some(When::InCi)),
            ("!process.env.CI", Some(When::Sometimes)),
            ("CIRCLE > 3", Some(When::Sometimes)),
            ("sys.platform == 'win32'", Some(When::Sometimes)),
            ("", Some(When::Sometimes)),
        ];
        for (condition, expected) in cases {
            assert_eq!(when(condition), expected, "{condition}");
        }
        for always in ["true", "x == y || true", "len(x) >= 0", "x.size() >= 0", "x.Count >= 0", "Bool(true)"]
        {
            assert!(holds(always), "{always}");
        }
        for honest in ["x", "len(x) >= 1", "x >= 0", "a || b", "(a == b) || is_true", "age(x) >= 0"] {
            assert!(!holds(honest), "{honest}");
        }
        assert_eq!(when_not("false"), Some(When::Always));
        assert_eq!(when_not("true"), None);
    }
}
