//! Variables by which an interpreter loads other code before that of a run: a module of nobody's suite can make every test
//! pass.

use crate::shell::model::program_name;

/// The variables, with the options by which each names what is loaded; none where its whole value does.
pub(crate) const VARIABLES: &[(&str, &[&str])] = &[
    ("PYTHONSTARTUP", &[]),
    ("PYTEST_PLUGINS", &[]),
    ("BASH_ENV", &[]),
    ("RUBYOPT", &["-r"]),
    ("PERL5OPT", &["-M", "-I"]),
    ("NODE_OPTIONS", &["--require", "-r", "--import", "--loader", "--experimental-loader"]),
    ("JAVA_TOOL_OPTIONS", &["-javaagent:", "-Xbootclasspath/a:"]),
    ("JDK_JAVA_OPTIONS", &["-javaagent:"]),
    ("_JAVA_OPTIONS", &["-javaagent:"]),
    ("MAVEN_OPTS", &["-javaagent:"]),
];

/// Parts of the names of what prepares, measures or translates, and changes no test.
const PREPARES: &[&str] = &[
    "setup",
    "register",
    "loader",
    "instrument",
    "trac",
    "telemetry",
    "otel",
    "newrelic",
    "datadog",
    "dd-",
    "env",
    "polyfill",
    "jacoco",
    "mockito",
    "byte-buddy",
    "cover",
    "simplecov",
    "pnp",
    "hook",
    "warn",
    "bundler",
    "rubygems",
    "strict",
    "tsx",
    "ts-node",
    "esbuild",
    "swc",
    "babel",
    "preload",
    "xdist",
    "asyncio",
    "django",
    "config",
    "utf8",
    "lib",
    "inspect",
];

/// Whether a variable of a run names code that is loaded first, by a path or as a module of its own.
pub(crate) fn brings_code(name: &str, value: &str) -> bool {
    let Some((_, options)) = VARIABLES.iter().find(|(known, _)| *known == name) else { return false };
    let words: Vec<&str> = value.split([' ', '=', '"', '\'']).filter(|word| !word.is_empty()).collect();
    if options.is_empty() {
        return words.iter().any(|path| is_other_code(path));
    }
    let named = words.iter().enumerate().filter_map(|(at, word)| {
        let option = options.iter().find(|option| word.starts_with(**option))?;
        let glued = word.get(option.len()..).filter(|rest| !rest.is_empty());
        glued.or_else(|| words.get(at + 1).copied())
    });
    let is_by_name = matches!(name, "PERL5OPT");
    named.into_iter().any(|path| (is_by_name || is_path(path)) && is_other_code(path))
}

fn is_path(text: &str) -> bool {
    text.starts_with(['.', '/', '~']) || text.contains('/') && text.ends_with(".rb")
}

fn is_other_code(path: &str) -> bool {
    let name = program_name(path).to_lowercase();
    !name.is_empty() && name != "null" && !PREPARES.iter().any(|part| name.contains(part))
}
