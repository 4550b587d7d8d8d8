//! Configuration of compilers, linters and coverage: checks switched off, gates lowered.
//!
//! Values are compared with their direction: a gate may rise, a rule may become stricter.

use crate::detectors::checks::both_settings::{both, code_settings};
use crate::detectors::checks::build_switches::{is_strict_elsewhere, switched};
use crate::detectors::checks::checker_levels::levels;
use crate::detectors::checks::checker_rules::{
    ENABLED, are_formatters, is_checker_file, is_formatter, is_known_rule, is_level_off, is_rule_off,
    is_succeeded, items, rule,
};
use crate::detectors::checks::compiler_flags::silenced;
use crate::detectors::checks::ignore_files::ignored;
use crate::detectors::checks::lint_levels::{denies_warnings, lowered};
use crate::detectors::checks::moved_gates::{is_moved_on, is_named_elsewhere};
use crate::detectors::checks::moved_rules::are_asked_elsewhere;
use crate::detectors::checks::needless_rules::{is_needless, takes_more};
use crate::detectors::checks::raised_limits::raised;
use crate::detectors::checks::scoped_options::is_of_generated;
use crate::detectors::checks::setting_keys::{SettingFinding, SettingRemark, has, place, push};
use crate::detectors::checks::side_files;
use crate::detectors::checks::source_globs::{GlobReach, reach};
use crate::detectors::checks::split_settings::are_checked_elsewhere;
use crate::detectors::checks::strict_settings::said_less;
use crate::detectors::checks::stricter_sets::takes_stricter_set;
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::SettingEntry;
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
        proof: PatternProof::Changes,
    },
    detect: relaxed,
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

/// Lists of files to leave out, by the end of their keys.
const EXCLUDED: &[&str] = &[
    "Exclude",
    "exclude",
    "extend-exclude",
    "extend_exclude",
    "force-exclude",
    "excluded",
    "ignorePatterns",
    "ignores",
    "exclude-dirs",
    "exclude-files",
    "skip-dirs",
    "skip-files",
    "excludePaths",
    "exclude_paths",
    "exclude_dirs",
    "files.ignore",
    "analyzer.exclude",
    "exclusions.paths",
    "ignoreFiles",
    "ignore-paths",
];

/// Folders that hold most of a project's code, as a list of files to leave out names them.
const WHOLE: &[&str] = &["src", "lib", "app", "pkg", "internal", "Sources", "Source"];

fn relaxed(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes.iter().filter(|change| change.before != change.after) {
        let found = worst(case, change, findings);
        push(&RELAXED, change, found, findings);
    }
}

/// What is said of a change: the first that is more than advice, or the first advice.
fn worst(case: &Case, change: &Change, findings: &[Finding]) -> Option<SettingRemark> {
    let remark = |found: Option<SettingFinding>| found.map(SettingRemark::from);
    let searches: [&dyn Fn() -> Option<SettingRemark>; 7] = [
        &|| remark(levels(change)),
        &|| {
            let is_kept =
                |what: &str| is_moved_on(case, &change.path, what) || is_strict_elsewhere(case, change);
            remark(switched(change).filter(|(what, ..)| !is_kept(what)))
        },
        &|| ignored(change),
        &|| remark(silenced(change)),
        &|| remark(lowered(change).filter(|found| !is_moved(case, change, found))),
        &|| options(change).filter(|it| !are_asked_elsewhere(case, &change.path, &it.found.0)),
        &|| {
            remark(said_less(change).filter(|(what, line, severity)| {
                !is_told(findings, change)
                    && !are_checked_elsewhere(case, &change.path, what)
                    && (*severity > Severity::Medium || !has_reason(change, *line))
            }))
        },
    ];
    let mut advice = None;
    for search in searches {
        match search() {
            Some(found) if found.found.2 > Severity::Medium => return Some(found),
            Some(found) => advice = advice.or(Some(found)),
            None => {}
        }
    }
    advice
}

/// Whether something is said of the file already.
fn is_told(findings: &[Finding], change: &Change) -> bool {
    findings.iter().any(|it| it.path == change.path && it.severity > Severity::Low)
}

/// Whether another file of the session names the lint that is lost: `unwrap_used = "deny"` in the manifest.
fn is_moved(case: &Case, change: &Change, (what, ..): &SettingFinding) -> bool {
    let name = what.split('`').nth(1).unwrap_or_default();
    let denies = |other: &Change| {
        other.path != change.path
            && !other.path.ends_with(".md")
            && other.after.as_deref().is_some_and(denies_warnings)
    };
    if name == "warnings" && case.all_changes().any(denies) {
        return true;
    }
    is_named_elsewhere(case, &change.path, name.rsplit([':', '/']).next().unwrap_or(name))
}

fn options(change: &Change) -> Option<SettingRemark> {
    if !is_checker_file(&change.path) {
        return None;
    }
    let (before, after) = both(change).or_else(|| code_settings(change))?;
    let options = CheckerSettings { path: &change.path, before: &before, after: &after };
    let text = change.after.as_deref().unwrap_or_default();
    let all = after
        .iter()
        .filter(|new| !side_files::are_meant(text, new.line) && !side_files::are_meant_beside(&after, new));
    let switched = all.filter_map(|new| options.switched_off(new));
    let told = switched.filter(|found| found.2 > Severity::Medium || !has_reason(change, found.1));
    // The worst of them is said; sources that are left out are worse than a rule that is only said to be off.
    let switched = told.reduce(|worst, next| if next.2 > worst.2 { next } else { worst });
    if switched.as_ref().is_some_and(|it| it.2 <= Severity::Medium)
        && let Some(left_out) = options.sources_left_out()
    {
        return Some(left_out);
    }
    switched
        .or_else(|| options.strict_gone())
        .map(SettingRemark::from)
        .or_else(|| options.sources_left_out())
        .or_else(|| options.left_out().map(SettingRemark::from))
        .or_else(|| raised(options.before, options.after).map(SettingRemark::from))
        .or_else(|| options.no_longer_checked().map(SettingRemark::from))
}

/// Whether a new line has a remark of its own above it, above the new head of its section, or behind it, that says why.
fn has_reason(change: &Change, line: u32) -> bool {
    let (Some(old), Some(new)) = (change.before.as_deref(), change.after.as_deref()) else { return false };
    let at = |back: usize| {
        usize::try_from(line).ok().and_then(|at| at.checked_sub(back)).and_then(|at| new.lines().nth(at))
    };
    let behind = at(1).and_then(|text| [" #", " //"].iter().find_map(|sign| Some(&text[text.find(sign)?..])));
    let is_new_head = |text: &str| {
        let text = text.trim();
        let is_head = text.starts_with('[') || text.starts_with("- ") || text.ends_with([':', '{']);
        is_head && !old.lines().any(|it| it.trim() == text)
    };
    let above_head = at(2).filter(|text| is_new_head(text)).and_then(|_| at(3));
    [at(2), above_head, behind].into_iter().flatten().map(str::trim).any(|text| {
        let is_remark = text.starts_with('#') || text.starts_with("//");
        is_remark && text.split_whitespace().count() > 3 && !old.lines().any(|it| it.trim().ends_with(text))
    })
}

/// The settings of a checker before and after.
struct CheckerSettings<'a> {
    path: &'a str,
    before: &'a [SettingEntry],
    after: &'a [SettingEntry],
}

impl CheckerSettings<'_> {
    /// An option or a rule that is switched off.
    fn switched_off(&self, new: &SettingEntry) -> Option<SettingFinding> {
        // The level of a rule with options is the first of a list.
        let level = format!("{}[]", new.key);
        let old = self.before.iter().find(|it| it.key == new.key || it.key == level);
        let was = old.map(|it| it.value.to_lowercase());
        let is = new.value.to_lowercase();
        let is_kept = was.as_deref() == Some(is.as_str()) || has(self.before, new);
        if is_kept {
            return None;
        }
        if is_option_off(new.name(), &is) && !is_of_generated(self.after, new) {
            return Some((format!("`{}` would be `{}`", new.name(), new.value), new.line, Severity::High));
        }
        let severity = match was {
            _ if !is_rule_off(self.path, new, &is) => return None,
            _ if self.has_twin(new) || is_needless(self.after, rule(new)) => return None,
            None if takes_more(self.before, self.after) => return None,
            Some(was) if !is_level_off(&was) => Severity::High,
            // A configuration that is new as a whole says which rules the project has.
            None if self.before.is_empty() => return None,
            None if !is_formatter(new) && is_known_rule(self.before, new) => Severity::Medium,
            _ => return None,
        };
        Some((format!("the rule `{}` would be off", rule(new)), new.line, severity))
    }

    /// Whether another rule of the same name, of a plugin, looks for the same: `unused-imports/no-unused-vars`.
    fn has_twin(&self, off: &SettingEntry) -> bool {
        let last = |name: &str| name.rsplit('/').next().unwrap_or(name).to_owned();
        let own = rule(off).trim_matches(['"', '\'']).to_owned();
        // A plugin's rule that comes in the same edit may look for the same by another name: `only-throw-error`.
        let words = |name: &str| -> Vec<String> {
            let all = name.split(['-', '_']).filter(|word| word.len() > 3);
            all.map(str::to_owned).collect()
        };
        let is_renamed = |it: &SettingEntry, name: &str| {
            !self.before.iter().any(|old| old.key == it.key)
                && words(&last(name)).iter().any(|word| words(&last(&own)).contains(word))
        };
        self.after.iter().any(|it| {
            let name = rule(it).trim_matches(['"', '\'']).to_owned();
            name != own
                && name.contains('/')
                && (last(&name) == last(&own) || is_renamed(it, &name))
                && matches!(it.value.as_str(), "error" | "2" | "warn")
        })
    }

    /// The option for all of them is gone, and none of them is there instead.
    fn strict_gone(&self) -> Option<SettingFinding> {
        let strict = |all: &[SettingEntry]| {
            all.iter().filter(|it| STRICT.contains(&it.name()) && it.value == "true").count()
        };
        let is_about_types =
            |it: &&SettingEntry| it.key.contains("mypy") || it.key.contains("compilerOptions");
        let gone = self.before.iter().filter(is_about_types).find(|it| {
            it.name() == "strict"
                && it.value.eq_ignore_ascii_case("true")
                && !self.after.iter().any(|new| new.key == it.key)
                && self.after.iter().any(|new| new.key.starts_with(place(it)))
        })?;
        (strict(self.after) < strict(self.before))
            .then(|| ("`strict` would be gone".to_owned(), gone.line, Severity::High))
    }

    /// A rule more in a list of those that are left out.
    fn left_out(&self) -> Option<SettingFinding> {
        let (was, is) = (items(self.before, IGNORED), items(self.after, IGNORED));
        // With all rules looked for, what is left out is named.
        let all = |entries: &[SettingEntry]| {
            items(entries, ENABLED).iter().any(|(value, _)| matches!(*value, "ALL" | "all"))
        };
        if all(self.after) && !all(self.before) {
            return None;
        }
        let is_rule = |value: &str| {
            !value.contains('/')
                && !value.is_empty()
                && !value.contains('*')
                && !are_formatters(value)
                && !is_needless(self.after, value)
        };
        let is_new = |value: &str| !was.iter().any(|(old, _)| *old == value);
        let new = is.iter().find(|(value, _)| is_new(value) && is_rule(value));
        if let Some((value, line)) = new.filter(|_| is.len() > was.len()) {
            return Some((format!("the rule `{value}` would be left out"), *line, Severity::High));
        }
        // A value that is one text of several rules.
        let is_longer = |value: &str| {
            let more = |old: &&str| value.strip_prefix(old).filter(|it| !it.is_empty() && !old.is_empty());
            was.iter().any(|(old, _)| more(old).is_some_and(|it| !are_formatters(it)))
        };
        let (value, line) = is.iter().find(|(value, _)| is_longer(value))?;
        Some((format!("more rules would be left out (`{value}`)"), *line, Severity::High))
    }

    /// The sources, in a list of files that the checker leaves out.
    fn sources_left_out(&self) -> Option<SettingRemark> {
        let (was, is) = (items(self.before, EXCLUDED), items(self.after, EXCLUDED));
        let is_about_coverage =
            |it: &&SettingEntry| it.key.to_lowercase().contains("cov") || it.key.starts_with("tool.pytest");
        let counted: Vec<&str> =
            self.after.iter().filter(is_about_coverage).map(|it| it.value.as_str()).collect();
        let new = is.iter().find(|(value, _)| {
            let is_path = value.contains(['/', '*', '.']) || WHOLE.contains(value);
            is_path
                && !was.iter().any(|(old, _)| old == value)
                && !counted.contains(value)
                && reach(value) == GlobReach::Sources
        });
        let (value, line) = new.filter(|_| is.len() > was.len())?;
        Some(SettingRemark::of_check(format!("`{value}` would not be checked any more"), *line, value))
    }

    /// A rule less in a list of those that are looked for.
    fn no_longer_checked(&self) -> Option<SettingFinding> {
        let parts = |all: &'_ [(&str, u32)]| -> Vec<(String, u32)> {
            let each =
                all.iter().flat_map(|(value, line)| value.split(',').map(|it| (it.trim().to_owned(), *line)));
            each.filter(|(value, _)| !value.is_empty()).collect()
        };
        let (mut was, now) = (items(self.before, ENABLED), items(self.after, ENABLED));
        was.retain(|(value, _)| !is_succeeded(self.path, value, &now));
        let (was, is) = (parts(&was), parts(&now));
        let lost: Vec<&(String, u32)> =
            was.iter().filter(|(value, _)| !is.iter().any(|(new, _)| new == value)).collect();
        let line = lost.first()?.1;
        // Some rules by name are less than all.
        let asks_for_all =
            |all: &[(String, u32)]| all.iter().any(|(value, _)| matches!(value.as_str(), "ALL" | "all"));
        let is_replaced = is.len() >= was.len() && (asks_for_all(&is) || !asks_for_all(&was))
            || takes_stricter_set(self.before, self.after)
            || asks_for_all(&is);
        let names = lost.iter().map(|(value, _)| value.as_str()).collect::<Vec<_>>().join(",");
        (!is_replaced).then(|| (format!("`{names}` would no longer be checked"), line, Severity::High))
    }
}

/// Whether an option has the value that means to check less. Two of the lax ones are common and harmless.
fn is_option_off(name: &str, value: &str) -> bool {
    let is_common = matches!(name, "skipLibCheck" | "ignore_missing_imports");
    (STRICT.contains(&name) && value == "false") || (LAX.contains(&name) && value == "true" && !is_common)
}
