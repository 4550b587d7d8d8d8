//! When a condition under which a test is skipped holds.
//!
//! Only a condition that is plainly constant, or plainly about a CI server, is called so; any other may be honest.

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

/// Variables that a CI server sets, and what code calls it.
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
/// How languages read a variable of the environment: what stands before its name and after it.
const VARIABLES: &[(&str, &str)] = &[
    ("process.env.", ""),
    ("process.env[", "]"),
    ("import.meta.env.", ""),
    ("Deno.env.get(", ")"),
    ("os.environ.get(", ")"),
    ("os.getenv(", ")"),
    ("environ.get(", ")"),
    ("os.Getenv(", ")"),
    ("std::env::var(", ")"),
    ("env::var(", ")"),
    ("ENV[", "]"),
    ("getenv(", ")"),
    ("env(", ")"),
    ("System.getenv(", ")"),
    ("Environment.GetEnvironmentVariable(", ")"),
    ("System.get_env(", ")"),
    ("ProcessInfo.processInfo.environment[", "]"),
    ("Platform.environment[", "]"),
    ("constbool.fromEnvironment(", ")"),
    ("bool.fromEnvironment(", ")"),
    ("System.getProperty(", ")"),
    ("Boolean.getBoolean(", ")"),
];
/// What asks whether there is no such value, at the end of a condition without white space.
const LACKS: &[&str] = &[
    "===undefined",
    "==undefined",
    "==null",
    "===null",
    "===''",
    "==''",
    "===\"\"",
    "==\"\"",
    "isNone",
    "==None",
    ".nil?",
    "==nil",
    "isnull",
    ".to_s.empty?",
    "===false",
    "==false",
    ".is_err()",
];

/// What asks whether there is such a value.
const HAS: &[&str] = &[
    "!==undefined",
    "!=undefined",
    "!==null",
    "!=null",
    "!=nil",
    "isnotNone",
    "!=None",
    "!==''",
    "!=\"\"",
    "!=''",
    ".is_ok()",
    ".present?",
];

/// Whether a condition only asks for one variable that a person has to set: `Some(true)` where it holds without it.
fn lacks_variable(condition: &str) -> Option<bool> {
    let text: String = condition.chars().filter(|c| !c.is_whitespace()).take(200).collect();
    let mut text = text.as_str();
    while let Some(inner) = text.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
        text = inner;
    }
    // `"true".equals(x)`, `x == "1"`: a value that has to be set as well.
    let yes = ["\"true\".equals(", "\"1\".equals("]
        .iter()
        .find_map(|head| text.strip_prefix(head)?.strip_suffix(')'));
    text = yes.unwrap_or(text);
    for end in
        ["==\"1\"", "==='1'", "==\"true\"", "==='true'", "=='1'", "===\"1\"", "=='true'", ".equals(\"true\")"]
    {
        text = text.strip_suffix(end).unwrap_or(text);
    }
    let mut lacks = false;
    if let Some(rest) = text.strip_prefix('!').or_else(|| text.strip_prefix("not")) {
        // What is denied is that there is such a value.
        let inner = rest.strip_prefix('(').and_then(|it| it.strip_suffix(')')).unwrap_or(rest);
        let inner = HAS.iter().find_map(|end| inner.strip_suffix(end)).unwrap_or(inner);
        (text, lacks) = (inner, true);
    } else if let Some(rest) = HAS.iter().find_map(|end| text.strip_suffix(end)) {
        text = rest;
    } else if let Some(rest) = LACKS.iter().find_map(|end| text.strip_suffix(end)) {
        (text, lacks) = (rest, true);
    } else if let Some(rest) = text.strip_suffix("notinos.environ") {
        return is_variable(rest).then_some(true);
    } else if let Some(rest) = text.strip_suffix("inos.environ") {
        return is_variable(rest).then_some(false);
    }
    let name = VARIABLES.iter().find_map(|(before, after)| text.strip_prefix(before)?.strip_suffix(after))?;
    let is_property = text.contains("getProperty(") || text.contains("getBoolean(");
    (is_variable(name) || is_property && is_own_property(name)).then_some(lacks)
}

/// Whether a property of Java is one that a person sets, and none of the system's.
fn is_own_property(name: &str) -> bool {
    let name = name.trim_matches('"');
    let systems = ["os.", "java.", "user.", "file.", "line.", "path.", "sun.", "jdk."];
    !name.is_empty() && !systems.iter().any(|head| name.starts_with(head)) && !name.contains(['(', ','])
}

/// Whether it is one variable's name, in quotes or not, that neither a server nor a system sets.
fn is_variable(name: &str) -> bool {
    let name = name.trim_matches(['"', '\'']);
    let is_word = name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    is_word
        && name.len() > 1
        && !SERVERS.contains(&name)
        && !["OS", "SHELL", "DISPLAY", "TERM"].contains(&name)
}

/// When a condition under which a test is skipped holds; `None` for never.
pub(crate) fn when(condition: &str) -> Option<SkipCondition> {
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
    // Go's tests are verbose where somebody asks for it.
    if bare.trim_end_matches(')').trim_end_matches('(').trim() == "!testing.Verbose" {
        return Some(SkipCondition::ByDefault);
    }
    let mut words = bare.split(|c: char| !c.is_alphanumeric() && c != '_');
    let inverted = bare.starts_with('!') || bare.starts_with("not ");
    if !inverted && words.any(|word| SERVERS.contains(&word)) {
        Some(SkipCondition::InCi)
    } else if lacks_variable(condition) == Some(true) {
        Some(SkipCondition::ByDefault)
    } else {
        Some(SkipCondition::Sometimes)
    }
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
