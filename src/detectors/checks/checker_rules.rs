//! What the setting of a single rule means to a linter.

use crate::detectors::checks::setting_keys::{ends, in_list, place};
use crate::languages::{SettingEntry, file_name};

/// Lists of rules to look for.
pub(super) const ENABLED: &[&str] = &[
    "linters.enable",
    "opt_in_rules",
    "only_rules",
    "analyzer_rules",
    "select",
    "extend-select",
    "enable",
    "lint.select",
    "linter.rules",
];

/// Linters of golangci-lint that are gone from it, each with one that looks for the same now; none where nobody keeps it.
const SUCCESSORS: &[(&str, &[&str])] = &[
    ("golint", &["revive", "stylecheck", "staticcheck"]),
    ("deadcode", &["unused"]),
    ("structcheck", &["unused"]),
    ("varcheck", &["unused"]),
    ("gosimple", &["staticcheck"]),
    ("stylecheck", &["staticcheck"]),
    ("megacheck", &["staticcheck"]),
    ("maligned", &["govet"]),
    ("scopelint", &["exportloopref", "copyloopvar"]),
    ("exportloopref", &["copyloopvar"]),
    ("interfacer", &[]),
    ("ifshort", &[]),
    ("execinquery", &[]),
    ("nosnakecase", &["revive"]),
    ("gomnd", &["mnd"]),
    ("goerr113", &["err113"]),
    ("vet", &["govet"]),
    ("gas", &["gosec"]),
    ("exhaustivestruct", &["exhaustruct"]),
    ("tenv", &["usetesting"]),
];

/// Rules that are gone from Dart's linter, in the same form.
const GONE_FROM_DART: &[(&str, &[&str])] = &[
    ("package_api_docs", &[]),
    ("avoid_as", &[]),
    ("avoid_returning_null", &[]),
    ("avoid_returning_null_for_future", &[]),
    ("avoid_unstable_final_fields", &[]),
    ("always_require_non_null_named_parameters", &[]),
    ("enable_null_safety", &[]),
    ("invariant_booleans", &[]),
    ("iterable_contains_unrelated_type", &["collection_methods_unrelated_type"]),
    ("list_remove_unrelated_type", &["collection_methods_unrelated_type"]),
    ("prefer_bool_in_asserts", &[]),
    ("prefer_equal_for_default_values", &[]),
    ("super_goes_last", &[]),
    ("unsafe_html", &[]),
];

/// Whether a linter has given way to one of those that are looked for now.
pub(super) fn is_succeeded(path: &str, linter: &str, now: &[(&str, u32)]) -> bool {
    let name = file_name(path);
    let tables = [(".golangci", SUCCESSORS), ("analysis_options", GONE_FROM_DART)];
    let table = tables.iter().find(|(file, _)| name.starts_with(file)).map_or(&[][..], |(_, table)| *table);
    let known = table.iter().find(|(name, _)| *name == linter);
    known.is_some_and(|(_, successors)| {
        successors.is_empty() || now.iter().any(|(name, _)| successors.contains(name))
    })
}

/// Whether a level means that a rule is not looked for.
pub(super) fn is_level_off(value: &str) -> bool {
    matches!(value, "off" | "0" | "allow" | "\"off\"" | "none")
}

/// A rule's setting that means it isn't looked for.
pub(super) fn is_rule_off(path: &str, entry: &SettingEntry, value: &str) -> bool {
    let key = &entry.key;
    let name = file_name(path);
    let is_code = [".js", ".cjs", ".mjs", ".ts", ".mts", ".cts"].iter().any(|end| name.ends_with(end));
    if name.starts_with("eslint.config") || name.starts_with(".eslintrc") && is_code {
        return value == "off" || (value == "0" && key.contains('-'));
    }
    if matches!(name, ".editorconfig" | ".globalconfig") {
        return entry.name() == "severity"
            && key.contains("dotnet_")
            && matches!(value, "none" | "silent" | "suggestion");
    }
    let in_rules = key.contains("rules.") || key.contains("lints.") || key.contains("linter.");
    (in_rules && is_level_off(value))
        || (name.starts_with("analysis_options") && is_analyzed_less(key, value))
        || (name.starts_with("detekt") && entry.name() == "active" && value == "false")
        || (name.starts_with(".rubocop") && entry.name() == "Enabled" && value == "false")
}

/// Whether a setting of Dart's analyzer takes a rule or an error away: `errors: unused_import: ignore`.
fn is_analyzed_less(key: &str, value: &str) -> bool {
    key.contains("linter.rules.") && value == "false"
        || key.contains("analyzer.errors.") && matches!(value, "ignore" | "false")
}

/// Whether a rule that is switched off by a field of its own section had that section before.
pub(super) fn is_known_rule(before: &[SettingEntry], new: &SettingEntry) -> bool {
    let section = format!("{}.", place(new));
    new.name() != "Enabled" || before.iter().any(|it| it.key.starts_with(&section))
}

/// Rules about layout, which a formatter owns.
pub(super) fn is_formatter(entry: &SettingEntry) -> bool {
    ["indent", "quotes", "semi", "comma", "max-len", "spacing", "prettier", "style"]
        .iter()
        .any(|word| entry.key.contains(word))
}

/// Rules of layout that the output of a formatter breaks, as the formatter's own documents list them: Black and Ruff's
/// formatter for pycodestyle, flake8-quotes and Pylint; Prettier for stylelint; google-java-format and ktfmt for theirs.
const FORMATTED: &[&str] = &[
    "E203",
    "E501",
    "E701",
    "E704",
    "W503",
    "W504",
    "W191",
    "E111",
    "E114",
    "E117",
    "D206",
    "D300",
    "Q000",
    "Q001",
    "Q002",
    "Q003",
    "COM812",
    "COM819",
    "ISC001",
    "ISC002",
    "C0301",
    "C0330",
    "line-too-long",
    "bad-continuation",
    "line_length",
    "trailing_comma",
    "opening_brace",
];

/// Whether a text names only rules that are a formatter's: `E203, W503`.
pub(super) fn are_formatters(rules: &str) -> bool {
    let mut all = rules.split([',', ' ']).filter(|it| !it.is_empty()).peekable();
    all.peek().is_some() && all.all(|rule| FORMATTED.contains(&rule))
}

/// The rule that a setting is about.
pub(super) fn rule(entry: &SettingEntry) -> &str {
    let key = entry.key.trim_end_matches("[]");
    key.rsplit_once("rules.").map_or(key, |(_, rule)| rule)
}

/// Whether the file configures a compiler or a linter.
pub(super) fn is_checker_file(path: &str) -> bool {
    let name = file_name(path);
    (name.starts_with("tsconfig") && name.ends_with(".json"))
        || name.starts_with(".eslintrc")
        || name.starts_with("eslint.config")
        || name.starts_with(".stylelintrc")
        || name.starts_with("stylelint.config")
        || name.starts_with("biome.json")
        || name.starts_with(".oxlintrc")
        || name.starts_with(".golangci")
        || matches!(
            name,
            "pyproject.toml"
                | "setup.cfg"
                | "tox.ini"
                | "mypy.ini"
                | ".mypy.ini"
                | ".flake8"
                | "ruff.toml"
                | ".ruff.toml"
                | ".pylintrc"
                | "clippy.toml"
                | "Cargo.toml"
                | ".rubocop.yml"
                | "pyrightconfig.json"
                | ".swiftlint.yml"
                | ".stylelintrc.json"
                | ".rubocop_todo.yml"
                | "phpstan.neon"
                | "detekt.yml"
                | "package.json"
                | "analysis_options.yaml"
                | ".bandit"
                | ".credo.exs"
                | ".editorconfig"
                | ".globalconfig"
        )
}

/// The values of the lists with these names, with their lines.
pub(super) fn items<'e>(all: &'e [SettingEntry], names: &[&str]) -> Vec<(&'e str, u32)> {
    let listed = all.iter().filter(|it| ends(&it.key, names) || in_list(&it.key, names));
    listed.map(|it| (it.value.as_str(), it.line)).collect()
}
