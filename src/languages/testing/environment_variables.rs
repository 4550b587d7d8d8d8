//! Variables of the environment in conditions: which of them a person has to set, and which a server sets by itself.

/// Variables that a CI server sets, and what code calls it.
pub(super) const SERVERS: &[&str] = &[
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
    ("std::env::var_os(", ")"),
    ("env::var_os(", ")"),
    ("std::getenv(", ")"),
    ("sys.env.contains(", ")"),
    ("sys.env.get(", ")"),
    ("scala.util.Properties.envOrNone(", ")"),
    ("System.fetch_env(", ")"),
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
    ".is_none()",
    ".isEmpty",
    ".isNullOrEmpty()",
    ".isNullOrBlank()",
    "==nullptr",
    "==NULL",
    "isNullOrEmpty",
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
    ".is_some()",
    ".isDefined",
    ".nonEmpty",
    "!=nullptr",
    "!=NULL",
];

/// Whether a condition only asks for one variable that a person has to set: `Some(true)` where it holds without it.
pub(super) fn lacks_variable(condition: &str) -> Option<bool> {
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

/// Whether a condition reads a variable, or a property, that a person has to set, whatever it asks of it.
pub(crate) fn names_own_variable(condition: &str) -> bool {
    let text: String = condition.chars().filter(|c| !c.is_whitespace()).take(200).collect();
    VARIABLES.iter().filter(|(_, after)| !after.is_empty()).any(|(before, after)| {
        let name = text.split_once(before).and_then(|(_, rest)| rest.split_once(after)).map(|it| it.0);
        let is_property = matches!(*before, "System.getProperty(" | "Boolean.getBoolean(");
        name.is_some_and(|name| is_variable(name) || is_property && is_own_property(name))
    })
}

/// The parts of a condition one of which is enough: `testing.Short() || os.Getenv("SLOW") == ""`.
pub(super) fn alternatives(condition: &str) -> impl Iterator<Item = &str> {
    let is_mixed = condition.contains("&&") || condition.contains(" and ");
    let parts = condition.split("||").flat_map(|part| part.split(" or "));
    let all = if is_mixed { None } else { Some(parts) };
    let whole = is_mixed.then_some(condition);
    all.into_iter().flatten().chain(whole).map(balanced)
}

/// A text without the brackets that only one of its ends has.
fn balanced(text: &str) -> &str {
    let text = text.trim();
    let count = |sign: char| text.matches(sign).count();
    match count('(').cmp(&count(')')) {
        std::cmp::Ordering::Greater => text.strip_prefix('(').unwrap_or(text),
        std::cmp::Ordering::Less => text.strip_suffix(')').unwrap_or(text),
        std::cmp::Ordering::Equal => text,
    }
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
