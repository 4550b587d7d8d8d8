//! When a condition under which a test is skipped holds.
//!
//! Only a condition that is plainly constant, or plainly about a CI server, is called so; any other may be honest.

use crate::languages::testing::environment_variables::{SERVERS, alternatives, lacks_variable};
use crate::languages::testing::known_machines::everywhere;
use crate::languages::testing::outline::SkipCondition;

/// The constant that a condition is, if it is one.
pub(crate) fn constant(condition: &str) -> Option<bool> {
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
pub(crate) fn holds(condition: &str) -> bool {
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
pub(crate) fn when(condition: &str) -> Option<SkipCondition> {
    // Python's module without an import of its own.
    let direct = condition.replace("__import__(\"os\")", "os").replace("__import__('os')", "os");
    let condition = direct.as_str();
    match constant(condition).or_else(|| everywhere(condition)) {
        Some(true) => return Some(SkipCondition::Always),
        Some(false) => return None,
        None => {}
    }
    let bare = condition.trim().trim_start_matches('(').trim_start();
    if bare.ends_with("or True")
        || bare.ends_with("|| true")
        || bare.starts_with("True or")
        || bare.starts_with("true ||")
    {
        return Some(SkipCondition::Always);
    }
    if is_asked_for_in_go(bare) {
        return Some(SkipCondition::ByDefault);
    }
    let mut words = bare.split(|c: char| !c.is_alphanumeric() && c != '_');
    let inverted = bare.starts_with('!') || bare.starts_with("not ");
    if !inverted && words.any(|word| SERVERS.contains(&word)) {
        Some(SkipCondition::InCi)
    } else if alternatives(condition).any(|it| lacks_variable(it) == Some(true)) {
        Some(SkipCondition::ByDefault)
    } else {
        Some(SkipCondition::Sometimes)
    }
}

/// Whether a condition is that Go's tests are not verbose or not short, which they are where somebody asks for it.
pub(crate) fn is_asked_for_in_go(condition: &str) -> bool {
    let bare: String = condition.chars().filter(|c| !c.is_whitespace() && !matches!(c, '(' | ')')).collect();
    matches!(
        bare.as_str(),
        "!testing.Verbose"
            | "testing.Verbose==false"
            | "!testing.Short"
            | "testing.Short==false"
            | "testing.Short!=true"
    )
}

/// The condition's opposite, for marks that say when a test runs.
pub(crate) fn when_not(condition: &str) -> Option<SkipCondition> {
    match constant(condition).or_else(|| everywhere(condition).filter(|holds| !holds)) {
        Some(true) => None,
        Some(false) => Some(SkipCondition::Always),
        None if lacks_variable(condition) == Some(false) => Some(SkipCondition::ByDefault),
        None => Some(SkipCondition::Sometimes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_weighed() {
        let cases = [
            ("(true)", Some(SkipCondition::Always)),
            ("True", Some(SkipCondition::Always)),
            ("1 == 1", Some(SkipCondition::Always)),
            ("x or True", Some(SkipCondition::Always)),
            ("false", None),
            ("(1 === 2)", None),
            ("process.env.CI", Some(SkipCondition::InCi)),
            ("os.environ.get('CI') == 'true'", Some(SkipCondition::InCi)),
            ("!process.env.CI", Some(SkipCondition::Sometimes)),
            ("CIRCLE > 3", Some(SkipCondition::Sometimes)),
            ("sys.platform == 'win32'", Some(SkipCondition::Sometimes)),
            ("", Some(SkipCondition::Sometimes)),
            ("!process.env.FULL", Some(SkipCondition::ByDefault)),
            ("not os.environ.get('RUN_SLOW')", Some(SkipCondition::ByDefault)),
            ("'RUN_SLOW' not in os.environ", Some(SkipCondition::ByDefault)),
            ("os.Getenv(\"SLOW\") == \"\"", Some(SkipCondition::ByDefault)),
            ("ENV['SLOW'].nil?", Some(SkipCondition::ByDefault)),
            ("!(Boolean.getBoolean(\"slow.tests\"))", Some(SkipCondition::ByDefault)),
            ("!(System.getenv(\"SLOW\") != null)", Some(SkipCondition::ByDefault)),
            ("process.env.FAST", Some(SkipCondition::Sometimes)),
            ("process.env.NODE_ENV === 'test'", Some(SkipCondition::Always)),
            ("process.env.NODE_ENV === 'production'", Some(SkipCondition::Sometimes)),
            ("'pytest' in sys.modules", Some(SkipCondition::Always)),
            ("'numpy' in sys.modules", Some(SkipCondition::Sometimes)),
            ("!process.env.DISPLAY", Some(SkipCondition::Sometimes)),
            ("!process.env.A || x", Some(SkipCondition::Sometimes)),
            ("!process.env.SLOW || x", Some(SkipCondition::ByDefault)),
            ("!process.env.A && x", Some(SkipCondition::Sometimes)),
            ("!testing.Short()", Some(SkipCondition::ByDefault)),
            ("testing.Short() == false", Some(SkipCondition::ByDefault)),
            ("testing.Short()", Some(SkipCondition::Sometimes)),
            ("'RUN_SLOW' not in __import__('os').environ", Some(SkipCondition::ByDefault)),
            ("(sizeof(size_t) >= 4)", Some(SkipCondition::Always)),
            ("sizeof(void*) < 4", None),
            ("testing.Short() || os.Getenv(\"SLOW\") == \"\"", Some(SkipCondition::ByDefault)),
            ("not shutil.which('x') or not os.getenv('SLOW')", Some(SkipCondition::ByDefault)),
            ("std::env::var(\"SLOW\").is_err()", Some(SkipCondition::ByDefault)),
            ("sys.env.get(\"SLOW\").isEmpty", Some(SkipCondition::ByDefault)),
            ("const bool.fromEnvironment('FULL') == false", Some(SkipCondition::ByDefault)),
            ("!bool.fromEnvironment('FULL')", Some(SkipCondition::ByDefault)),
            ("Platform.environment['FULL'] == null", Some(SkipCondition::ByDefault)),
            ("Platform.environment['CI'] != null", Some(SkipCondition::InCi)),
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
        assert_eq!(when_not("false"), Some(SkipCondition::Always));
        assert_eq!(when_not("true"), None);
        assert_eq!(when_not("process.env.FULL"), Some(SkipCondition::ByDefault));
        assert_eq!(when_not("System.getenv(\"FULL\") != null"), Some(SkipCondition::ByDefault));
        assert_eq!(when("System.getenv(\"FAST\") != null"), Some(SkipCondition::Sometimes));
        assert_eq!(when_not("process.env.CI"), Some(SkipCondition::Sometimes));
        assert_eq!(when_not("sys.platform == 'linux'"), Some(SkipCondition::Sometimes));
    }
}
