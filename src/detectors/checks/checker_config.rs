//! Configuration of compilers, linters and coverage: checks switched off, gates lowered.
//!
//! Values are compared with their direction: a gate may rise, a rule may become stricter.

use crate::detectors::checks::runner_tampering::{both, code_settings};
use crate::detectors::{Case, Detector, Pattern, Proof};
use crate::languages::{Entry, file_name};
use crate::model::finding::{Change, Finding, RegressionType, Severity};

/// Compilers and linters told to look away.
pub(crate) static RELAXED: Detector = Detector {
    pattern: Pattern {
        id: "LP-R004",
        name: "Checker Configuration Weakening",
        aliases: &["Rule Off", "Strict Off", "Commit Hook Off"],
        regression_type: Some(RegressionType::ErrorSuppression),
        severity: Severity::High,
        what: "A compiler or a linter is told to check less.",
        why: "What the checker would have said is still true.",
        instead: "Code that the checker accepts passes; so does a rule that takes the place of another.",
        proof: Proof::Changes,
    },
    detect: relaxed,
};

/// Gates of coverage lowered.
pub(crate) static LOWERED: Detector = Detector {
    pattern: Pattern {
        id: "LP-R003",
        name: "Coverage Gate Lowered",
        aliases: &["Coverage Threshold Lowered", "Coverage Exclusion Config"],
        regression_type: Some(RegressionType::CoverageRegression),
        severity: Severity::High,
        what: "The coverage that a run has to reach is lowered or gone, or files are left out of the count.",
        why: "The gate passes while less is tested.",
        instead: "Tests for what is not covered reach the gate.",
        proof: Proof::Changes,
    },
    detect: lowered,
};

/// Compiler options that check when they are on.
const STRICT: &[&str] = &[
    "strict",
    "noImplicitAny",
    "strictNullChecks",
    "noEmitOnError",
    "strictFunctionTypes",
    "noUnusedLocals",
    "noUnusedParameters",
    "noImplicitReturns",
    "noFallthroughCasesInSwitch",
    "noUncheckedIndexedAccess",
    "strictPropertyInitialization",
    "useUnknownInCatchVariables",
    "checkJs",
    "alwaysStrict",
    "noImplicitThis",
    "disallow_untyped_defs",
    "disallow_any_generics",
    "warn_return_any",
    "check_untyped_defs",
    "strict_optional",
    "warn_unused_ignores",
    "warn_unreachable",
    "no_implicit_optional",
    "strict_equality",
    "disallow_incomplete_defs",
    "exactOptionalPropertyTypes",
    "noPropertyAccessFromIndexSignature",
];
/// Options that don't check when they are on.
const LAX: &[&str] = &[
    "ignore_errors",
    "skipLibCheck",
    "ignore_missing_imports",
    "allow_untyped_defs",
    "allow_untyped_calls",
    "suppressImplicitAnyIndexErrors",
];
/// Lists of rules to leave out, by the end of their keys.
const IGNORED: &[&str] = &[
    "lint.ignore",
    "ruff.ignore",
    "ignore",
    "extend-ignore",
    "extend_ignore",
    "disable",
    "disabled_rules",
    "per-file-ignores",
    "per_file_ignores",
    "ignorePatterns",
    "linters.disable",
    "disable_error_code",
    "skips",
    "noqa",
];
/// Lists of rules to look for.
const ENABLED: &[&str] = &["linters.enable", "select", "extend-select", "enable", "lint.select"];
/// Gates by the end of their keys.
const GATES: &[&str] = &[
    "fail_under",
    "lines",
    "branches",
    "functions",
    "statements",
    "target",
    "minimum_coverage",
    "cov-fail-under",
    "fail-under-lines",
    "break",
    "check-coverage",
    "minimum",
    "fail-under",
];
/// Lists of what isn't counted.
const UNCOUNTED: &[&str] = &[
    "omit",
    "exclude_lines",
    "coveragePathIgnorePatterns",
    "exclude_also",
    "ignore",
    "exclude",
    "sonar.coverage.exclusions",
];

type Found = (String, u32, Severity);

fn relaxed(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes.iter().filter(|change| change.before != change.after) {
        let found = levels(change).or_else(|| options(change));
        push(&RELAXED, change, found, findings);
    }
}

fn push(detector: &Detector, change: &Change, found: Option<Found>, findings: &mut Vec<Finding>) {
    findings.extend(found.map(|(what, line, severity)| {
        let mut finding = detector.finding(&change.path, what);
        finding.line = Some(line).filter(|line| *line > 0);
        finding.severity = severity;
        finding.confidence = 0.9;
        finding
    }));
}

/// Whether the file configures a compiler or a linter.
fn is_checker_file(path: &str) -> bool {
    let name = file_name(path);
    (name.starts_with("tsconfig") && name.ends_with(".json"))
        || name.starts_with(".eslintrc")
        || name.starts_with("eslint.config")
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
        )
}

fn ends(key: &str, names: &[&str]) -> bool {
    let key = key.trim_end_matches("[]");
    names.iter().any(|name| key.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
}

/// The level that PHPStan checks at, and compiler warnings that a .NET project doesn't want to see.
fn levels(change: &Change) -> Option<Found> {
    let name = file_name(&change.path);
    let (before, after) = (change.before.as_deref()?, change.after.as_deref()?);
    if name.starts_with("phpstan") && name.contains(".neon") {
        let level = |text: &str| {
            let mut all = (1u32..).zip(text.lines());
            all.find_map(|(at, line)| Some((line.trim().strip_prefix("level:")?.trim().to_owned(), at)))
        };
        if let Some(found) = unreported(before, after) {
            return Some(found);
        }
        let value = |text: &str| if text == "max" { Some(99) } else { text.parse::<u32>().ok() };
        let ((was, _), (is, line)) = (level(before)?, level(after)?);
        let is_lower = value(&is)? < value(&was)?;
        return is_lower.then(|| (format!("`level` would go from {was} to {is}"), line, Severity::High));
    }
    if !name.ends_with(".csproj") && !name.ends_with(".props") {
        return None;
    }
    let codes = |text: &str| -> Vec<(String, u32)> {
        let all = (1u32..).zip(text.lines()).filter(|(_, line)| line.contains("<NoWarn>"));
        let split = all.flat_map(|(at, line)| {
            let inside = line.split("<NoWarn>").nth(1).unwrap_or_default();
            let inside = inside.split("</").next().unwrap_or_default();
            inside.split([';', ',']).map(move |code| (code.trim().to_owned(), at)).collect::<Vec<_>>()
        });
        split.filter(|(code, _)| code.starts_with("CS") || code.parse::<u32>().is_ok()).collect()
    };
    let known = codes(before);
    // That public members lack a comment is no fault.
    let is_new = |it: &(String, u32)| {
        !known.iter().any(|(code, _)| *code == it.0) && !matches!(it.0.as_str(), "CS1591" | "1591" | "CS1573")
    };
    let (code, line) = codes(after).into_iter().find(is_new)?;
    Some((format!("the compiler's `{code}` would not be seen"), line, Severity::Medium))
}

/// The entries of PHPStan's `ignoreErrors`, with their lines.
fn ignored_errors(text: &str) -> Vec<(&str, u32)> {
    let (mut list, mut found) = (None, Vec::new());
    for (at, line) in (1u32..).zip(text.lines()) {
        let (indent, bare) = (line.len() - line.trim_start().len(), line.trim());
        if bare.starts_with("ignoreErrors:") {
            list = Some(indent);
        } else if list.is_some_and(|outer| indent <= outer && !bare.is_empty()) {
            list = None;
        } else if list.is_some() && bare.starts_with("- ") {
            found.push((bare, at));
        }
    }
    found
}

/// Errors that PHPStan would not report: all of them, or entries of its list that hold nothing any more.
fn unreported(before: &str, after: &str) -> Option<Found> {
    const EVERYTHING: &[&str] = &["#.*#", "#.+#", "~.*~", "~.+~", "/.*/", "#^.*$#", "#^.*#", "#^#"];
    let known = ignored_errors(before);
    let is_all = |rule: &str| {
        let pattern = rule.trim_start_matches("- ").trim_start_matches("message:").trim();
        EVERYTHING.contains(&pattern.trim_matches(['\'', '"']))
    };
    let all = ignored_errors(after);
    let new = all.into_iter().find(|(rule, _)| is_all(rule) && !known.iter().any(|(old, _)| old == rule));
    if let Some((rule, line)) = new {
        return Some((
            format!("no error would be reported: `ignoreErrors` has `{rule}`"),
            line,
            Severity::High,
        ));
    }
    let is_lax = |line: &str| {
        line.split_once(':').is_some_and(|(key, value)| {
            key.trim() == "reportUnmatchedIgnoredErrors" && value.trim() == "false"
        })
    };
    let (line, _) = (1u32..).zip(after.lines()).find(|(_, line)| is_lax(line))?;
    let what = "`reportUnmatchedIgnoredErrors` would be `false`".to_owned();
    (!before.lines().any(is_lax)).then_some((what, line, Severity::Medium))
}

fn options(change: &Change) -> Option<Found> {
    if !is_checker_file(&change.path) {
        return None;
    }
    let (before, after) = both(change).or_else(|| code_settings(change))?;
    let old = |key: &str| before.iter().find(|it| it.key == key);
    for new in &after {
        let was = old(&new.key).map(|it| it.value.to_lowercase());
        let is = new.value.to_lowercase();
        if was.as_deref() == Some(is.as_str())
            || before.iter().any(|it| it.key == new.key && it.value == new.value)
        {
            continue;
        }
        let name = new.name();
        let is_off = (STRICT.contains(&name) && is == "false")
            || (LAX.contains(&name)
                && is == "true"
                && name != "skipLibCheck"
                && name != "ignore_missing_imports");
        if is_off {
            return Some((format!("`{name}` would be `{}`", new.value), new.line, Severity::High));
        }
        if is_rule_off(&change.path, new, &is) && was.is_some_and(|was| !is_level_off(&was)) {
            return Some((format!("the rule `{}` would be off", rule(new)), new.line, Severity::High));
        }
        if is_rule_off(&change.path, new, &is)
            && old(&new.key).is_none()
            && !is_formatter(new)
            && is_known_rule(&before, new)
        {
            return Some((format!("the rule `{}` would be off", rule(new)), new.line, Severity::Medium));
        }
    }
    // The option for all of them is gone, and none of them is there instead.
    let strict = |all: &[Entry], on: &str| {
        all.iter().filter(|it| STRICT.contains(&it.name()) && it.value == on).count()
    };
    let is_about_types = |it: &&Entry| it.key.contains("mypy") || it.key.contains("compilerOptions");
    let gone = before.iter().filter(is_about_types).find(|it| {
        let section = it.key.rsplit_once('.').map_or("", |(section, _)| section);
        it.name() == "strict"
            && it.value.eq_ignore_ascii_case("true")
            && !after.iter().any(|new| new.key == it.key)
            && after.iter().any(|new| new.key.starts_with(section))
    });
    if let Some(gone) = gone.filter(|_| strict(&after, "true") < strict(&before, "true")) {
        return Some(("`strict` would be gone".to_owned(), gone.line, Severity::High));
    }
    let items = |all: &[Entry], names: &[&str]| -> Vec<(String, u32)> {
        all.iter()
            .filter(|it| ends(&it.key, names) || in_list(&it.key, names))
            .map(|it| (it.value.clone(), it.line))
            .collect()
    };
    let (was, is) = (items(&before, IGNORED), items(&after, IGNORED));
    let is_linter_list = |value: &str| !value.contains('/') && !value.is_empty() && !value.contains('*');
    if let Some((value, line)) =
        is.iter().find(|(value, _)| !was.iter().any(|(old, _)| old == value) && is_linter_list(value))
        && is.len() > was.len()
    {
        return Some((format!("the rule `{value}` would be left out"), *line, Severity::High));
    }
    // A value that is one text of several rules.
    if let Some((value, line)) = is.iter().find(|(value, _)| {
        was.iter()
            .any(|(old, _)| value.len() > old.len() && !old.is_empty() && value.starts_with(old.as_str()))
    }) {
        return Some((format!("more rules would be left out (`{value}`)"), *line, Severity::High));
    }
    let (was, is) = (items(&before, ENABLED), items(&after, ENABLED));
    let lost: Vec<&(String, u32)> =
        was.iter().filter(|(value, _)| !is.iter().any(|(new, _)| new == value)).collect();
    let (value, line) = lost.first()?;
    let is_replaced =
        is.len() >= was.len() || is.iter().any(|(new, _)| matches!(new.as_str(), "ALL" | "all"));
    (!is_replaced && !value.is_empty())
        .then(|| (format!("`{value}` would no longer be checked"), *line, Severity::High))
}

/// `linters.enable[0]` is in the list `linters.enable`.
fn in_list(key: &str, names: &[&str]) -> bool {
    key.rsplit_once('[').is_some_and(|(list, rest)| rest.ends_with(']') && ends(list, names))
}

fn is_level_off(value: &str) -> bool {
    matches!(value, "off" | "0" | "allow" | "\"off\"" | "none")
}

/// A rule's setting that means it isn't looked for.
fn is_rule_off(path: &str, entry: &Entry, value: &str) -> bool {
    let key = &entry.key;
    let name = file_name(path);
    if name.starts_with("eslint.config") {
        return value == "off" || (value == "0" && key.contains('-'));
    }
    let in_rules = key.contains("rules.") || key.contains("lints.") || key.contains("linter.");
    (in_rules && is_level_off(value))
        || (name.starts_with(".rubocop") && entry.name() == "Enabled" && value == "false")
}

/// Whether a rule that is switched off by a field of its own section had that section before.
fn is_known_rule(before: &[Entry], new: &Entry) -> bool {
    let section = new.key.rsplit_once('.').map_or("", |(section, _)| section);
    new.name() != "Enabled" || before.iter().any(|it| it.key.starts_with(&format!("{section}.")))
}

/// Rules about layout, which a formatter owns.
fn is_formatter(entry: &Entry) -> bool {
    ["indent", "quotes", "semi", "comma", "max-len", "spacing", "prettier", "style"]
        .iter()
        .any(|word| entry.key.contains(word))
}

fn rule(entry: &Entry) -> &str {
    let key = entry.key.trim_end_matches("[]");
    key.rsplit_once("rules.").map_or(key, |(_, rule)| rule)
}

fn lowered(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes.iter().filter(|change| change.before != change.after) {
        let found = match both(change).or_else(|| code_settings(change)) {
            Some((before, after)) => gates(change, &before, &after),
            None => minimum(change),
        };
        push(&LOWERED, change, found, findings);
    }
}

/// The least coverage in a build file that is not read as values: `minimum = "0.85"`, `minimum_coverage 90`.
fn minimum(change: &Change) -> Option<Found> {
    let name = file_name(&change.path);
    if !matches!(
        name,
        "build.gradle"
            | "build.gradle.kts"
            | "pom.xml"
            | "spec_helper.rb"
            | ".simplecov"
            | "Rakefile"
            | "Directory.Build.props"
    ) && !name.ends_with(".csproj")
    {
        return None;
    }
    let numbers = |text: &str| -> Vec<(f64, u32)> {
        let number = |line: &str| {
            let rest = line.split("minimum").nth(1).or_else(|| line.split("<Threshold>").nth(1))?;
            let rest = rest.trim_start_matches(|c: char| !c.is_ascii_digit());
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
            rest.get(..end)?.parse().ok()
        };
        (1u32..).zip(text.lines()).filter_map(|(at, line)| Some((number(line)?, at))).collect()
    };
    let (was, is) = (numbers(change.before.as_deref()?), numbers(change.after.as_deref()?));
    let (old, (new, line)) =
        was.iter().zip(&is).find(|((old, _), (new, _))| was.len() == is.len() && new < old)?;
    Some((format!("the least coverage would go from {} to {new}", old.0), *line, Severity::High))
}

/// Whether a key of the file is about coverage.
fn is_gate(path: &str, entry: &Entry) -> bool {
    let name = file_name(path);
    let key = entry.key.to_lowercase();
    let is_coverage_file = name.contains("nycrc")
        || name.contains("coverage")
        || name.contains("codecov")
        || name.starts_with("c8")
        || name.starts_with("stryker");
    let is_named = key.contains("cov")
        || key.contains("threshold")
        || matches!(entry.name(), "fail_under" | "fail-under" | "minimum_coverage");
    let is_runner_code =
        name.contains("config") && matches!(entry.name(), "lines" | "branches" | "functions" | "statements");
    ends(&entry.key, GATES) && (is_coverage_file || is_named || is_runner_code)
}

fn number(value: &str) -> Option<f64> {
    value.trim().trim_end_matches('%').parse().ok()
}

fn gates(change: &Change, before: &[Entry], after: &[Entry]) -> Option<Found> {
    for old in before.iter().filter(|it| is_gate(&change.path, it)) {
        let Some(was) = number(&old.value) else { continue };
        // In code several settings have one name: each is compared with its own place.
        let nth = before.iter().filter(|it| it.key == old.key).position(|it| it == old).unwrap_or(0);
        match after.iter().filter(|it| it.key == old.key).nth(nth) {
            Some(new) if number(&new.value).is_some_and(|is| is < was) => {
                return Some((
                    format!("`{}` would go from {} to {}", old.name(), old.value, new.value),
                    new.line,
                    Severity::High,
                ));
            }
            None if !after.iter().any(|it| it.name() == old.name()) => {
                return Some((
                    format!("the gate `{}: {}` would be gone", old.name(), old.value),
                    old.line,
                    Severity::High,
                ));
            }
            _ => {}
        }
    }
    let name = file_name(&change.path);
    let is_coverage = |it: &&Entry| {
        let key = it.key.to_lowercase();
        let named = key.contains("cov")
            || key.contains("nyc")
            || key.contains("omit")
            || key.starts_with("run.")
            || key.starts_with("report.");
        let in_file = name.contains("nycrc") || name.contains("codecov") || name.contains("coveragerc");
        (ends(&it.key, UNCOUNTED) || in_list(&it.key, UNCOUNTED))
            && (named || in_file)
            && !it.value.is_empty()
    };
    let mut new = after
        .iter()
        .filter(is_coverage)
        .filter(|it| !before.iter().filter(is_coverage).any(|old| old.value == it.value));
    let grown = after.iter().filter(is_coverage).count() > before.iter().filter(is_coverage).count();
    let is_other = |value: &str| {
        [
            "test",
            "vendor",
            "node_modules",
            "generated",
            "dist",
            "migrations",
            "examples",
            "docs",
            "mock",
            "fixtures",
            "__main__",
            "pragma",
            "TYPE_CHECKING",
            "stories",
        ]
        .iter()
        .any(|word| value.contains(word))
    };
    let found = new.find(|it| !is_other(&it.value))?;
    grown.then(|| (format!("`{}` would not be counted any more", found.value), found.line, Severity::High))
}
