//! Conditions about versions and systems that hold wherever tests are run today, or nowhere.

/// What is compared with the version of a language, and the newest release of it that nobody runs any more.
const VERSIONS: &[(&str, u64)] = &[
    ("sys.version_info", 3_009),
    ("sys.version_info[:2]", 3_009),
    ("sys.version_info.major", 3_000),
    ("sys.version_info[0]", 3_000),
    ("RUBY_VERSION", 3_000),
    ("PHP_VERSION_ID", 80_000),
    ("PHP_MAJOR_VERSION", 7_000),
    ("process.versions.node", 18_000),
    ("process.version", 18_000),
];
/// How code asks for the system that it runs on.
const SYSTEMS: &[&str] = &[
    "sys.platform",
    "os.name",
    "platform.system()",
    "process.platform",
    "os.platform()",
    "runtime.GOOS",
    "PHP_OS_FAMILY",
    "PHP_OS",
];
/// Systems that tests are hardly run on.
const RARE: &[&str] = &[
    "win32", "nt", "windows", "plan9", "aix", "solaris", "freebsd", "openbsd", "sunos", "cygwin", "java",
    "js",
];
/// The system of nearly every server that runs tests.
const USUAL: &[&str] = &["linux", "posix"];

/// What holds wherever tests run, because what runs them sees to it; without white space, texts in double quotes.
const HELD_BY_RUNS: &[&str] = &[
    "process.env.NODE_ENV===\"test\"",
    "process.env.NODE_ENV==\"test\"",
    "process.env.VITEST",
    "process.env.JEST_WORKER_ID",
    "process.env.JEST_WORKER_ID!==undefined",
    "process.env.VITEST!==undefined",
    "import.meta.env.MODE===\"test\"",
    "import.meta.vitest",
    "\"PYTEST_CURRENT_TEST\"inos.environ",
    "\"pytest\"insys.modules",
    "\"unittest\"insys.modules",
    "Rails.env.test?",
    "Mix.env()==:test",
    "ENV[\"RAILS_ENV\"]==\"test\"",
    "app()->environment(\"testing\")",
    "testing.Testing()",
    "cfg!(test)",
];

/// Whether a condition holds on every machine that matters: `Some(false)` where it holds on none.
pub(crate) fn everywhere(condition: &str) -> Option<bool> {
    let text: String = condition.chars().filter(|c| !c.is_whitespace()).take(120).collect();
    let mut text = text.as_str();
    while let Some(inner) =
        text.strip_prefix('(').and_then(|it| it.strip_suffix(')')).filter(|it| balances(it))
    {
        text = inner;
    }
    if text.contains("&&") || text.contains("||") {
        return None;
    }
    if HELD_BY_RUNS.contains(&text.replace('\'', "\"").as_str()) {
        return Some(true);
    }
    let (sign, left, right) = ["!==", "===", ">=", "<=", "!=", "==", ">", "<"]
        .iter()
        .find_map(|sign| text.split_once(sign).map(|(left, right)| (*sign, left, right)))?;
    version(sign, left, right).or_else(|| system(sign, left, right)).or_else(|| word_size(sign, left, right))
}

/// A size of a type of C that has at least 4 bytes and at most 8 wherever tests are run.
fn word_size(sign: &str, left: &str, right: &str) -> Option<bool> {
    const WORDS: &[&str] = &["size_t", "void*", "long", "int", "ptrdiff_t", "uintptr_t", "intptr_t", "char*"];
    let of = left.strip_prefix("sizeof(")?.strip_suffix(')')?;
    let bound: u64 = right.trim_end_matches(['u', 'U']).parse().ok()?;
    if !WORDS.contains(&of) {
        return None;
    }
    match sign {
        ">=" if bound <= 4 => Some(true),
        ">" if bound < 4 => Some(true),
        "<=" if bound >= 8 => Some(true),
        "<" if bound <= 4 => Some(false),
        _ => None,
    }
}

fn balances(text: &str) -> bool {
    let mut depth = 0i32;
    text.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    }) && depth == 0
}

/// A comparison with a version that is older than any in use.
fn version(sign: &str, left: &str, right: &str) -> Option<bool> {
    let (_, oldest) = VERSIONS
        .iter()
        .filter(|(name, _)| left.contains(name) && (name.starts_with("process") || left == *name))
        .max_by_key(|(name, _)| name.len())?;
    let parts: Vec<u64> =
        right.split(|c: char| !c.is_ascii_digit()).filter_map(|it| it.parse().ok()).collect();
    let (major, minor) = (*parts.first()?, parts.get(1).copied().unwrap_or(0));
    let asked = if left == "PHP_VERSION_ID" { major } else { major * 1_000 + minor };
    match sign {
        ">" | ">=" if asked <= *oldest => Some(true),
        "<" | "<=" if asked <= *oldest => Some(false),
        _ => None,
    }
}

/// A comparison with the name of a system.
fn system(sign: &str, left: &str, right: &str) -> Option<bool> {
    let asks = |side: &str| SYSTEMS.contains(&side);
    let (_, name) = if asks(left) { (left, right) } else { (asks(right).then_some(right)?, left) };
    let name = name.trim_matches(['"', '\'', '`']).to_lowercase();
    let is_rare = sign.starts_with('!') && RARE.contains(&name.as_str());
    let is_usual = sign.starts_with("==") && USUAL.contains(&name.as_str());
    (is_rare || is_usual).then_some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_that_hold_everywhere_are_told() {
        for (condition, expected) in [
            ("sys.version_info >= (3, 8)", Some(true)),
            ("sys.version_info > (3, 6)", Some(true)),
            ("sys.version_info < (3, 8)", Some(false)),
            ("sys.version_info >= (3, 13)", None),
            ("sys.version_info < (3, 12)", None),
            ("(Number(process.versions.node.split('.')[0]) >= 14)", Some(true)),
            ("parseInt(process.versions.node, 10) >= 18", Some(true)),
            ("Number(process.versions.node.split('.')[0]) < 18", Some(false)),
            ("Number(process.versions.node.split('.')[0]) >= 22", None),
            ("RUBY_VERSION >= \"2.7\"", Some(true)),
            ("PHP_VERSION_ID >= 70400", Some(true)),
            ("sys.platform != 'win32'", Some(true)),
            ("runtime.GOOS != \"plan9\"", Some(true)),
            ("os.name == 'posix'", Some(true)),
            ("process.platform === 'linux'", Some(true)),
            ("sys.platform == 'win32'", None),
            ("sys.platform != 'linux'", None),
            ("process.platform === 'darwin'", None),
            ("runtime.GOOS == \"windows\" && x", None),
            ("version >= 3", None),
        ] {
            assert_eq!(everywhere(condition), expected, "{condition}");
        }
    }
}
