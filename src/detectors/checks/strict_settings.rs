//! Settings of checkers of all kinds by name, with what makes each of them say less: one table.
//!
//! A setting that is gone counts where its value was the strict one and no other file is extended now.

use crate::detectors::checks::both_settings::both;
use crate::detectors::checks::ci_steps::is_workflow;
use crate::detectors::checks::finding_levels::level;
use crate::detectors::checks::hook_bypass::is_hook;
use crate::detectors::checks::setting_keys::{SettingFinding, ends, list_of, place};
use crate::detectors::checks::source_globs::{GlobReach, is_about_tests, reach};
use crate::languages::{SettingEntry, file_name};
use crate::model::finding::{Change, Severity};

/// What makes a setting say less.
enum SettingLoss {
    /// It was on, and is off or gone.
    Off,
    /// It is on now.
    On,
    /// It is one of these values now.
    Becomes(&'static [&'static str]),
    /// Its list has one of these items now.
    Item(&'static [&'static str]),
    /// This item is gone from its list.
    Without(&'static str),
    /// It asks for a higher level than before, or for fewer of them.
    Level,
    /// It is there now, whatever its value is.
    There,
    /// Its list names fewer of the same places.
    Fewer,
    /// Its list, or its text of several, names sources now that it did not.
    Sources,
    /// Its list has further items: several at once are more than an exception.
    Grown,
    /// It had a value, and is empty or gone.
    Emptied,
    /// It was 0, which is no limit, and is a number now.
    Limited,
}
use SettingLoss::{Becomes, Emptied, Fewer, Grown, Item, Level, Limited, Off, On, Sources, There, Without};

/// A file's name: whole, its beginning (`tsconfig*`), its end (`*.props`), or one of two kinds by place.
const WORKFLOW: &str = "<workflow>";
const HOOKS: &str = "<hooks>";
const PYTEST: &[&str] = &["pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini"];

#[rustfmt::skip] // A row for each setting.
const SETTINGS: &[(&[&str], &[&str], SettingLoss)] = &[
    (PYTEST, &["filterwarnings"], Item(&["ignore", "ignore::Warning", "ignore::Exception", "ignore:.*", "ignore::"])),
    (PYTEST, &["filterwarnings"], Without("error")),
    (&["pyproject.toml", ".coveragerc", "setup.cfg"], &["run.branch", "coverage:run.branch"], Off),
    (&["tsconfig*"], &[
        "noUncheckedIndexedAccess", "noImplicitReturns", "noFallthroughCasesInSwitch", "noImplicitOverride",
        "exactOptionalPropertyTypes", "noPropertyAccessFromIndexSignature", "noUnusedLocals", "noUnusedParameters",
    ], Off),
    (&["tsconfig*"], &["include"], Fewer),
    (&[".golangci*"], &["new", "issues.new"], On),
    (&[".golangci*"], &["new-from-rev", "new-from-patch"], There),
    (&[".golangci*"], &["run.tests"], Becomes(&["false"])),
    (&[".golangci*"], &["issues-exit-code"], Becomes(&["0"])),
    (&[".golangci*"], &["check-type-assertions", "check-blank", "enable-all"], Off),
    (&[".golangci*"], &["max-issues-per-linter", "max-same-issues"], Limited),
    (&["Cargo.toml"], &["overflow-checks", "debug-assertions"], Off),
    (&["deny.toml"], &[
        "yanked", "vulnerability", "unmaintained", "unsound", "multiple-versions", "wildcards", "unknown-registry",
        "unknown-git", "unlicensed", "copyleft",
    ], Becomes(&["allow"])),
    (&["deny.toml", "audit.toml"], &["advisories.ignore", "bans.skip"], Grown),
    (&[".gitlab-ci*"], &["allow_failure.exit_codes"], There),
    (&[".rubocop*"], &["NewCops"], Becomes(&["disable"])),
    (&[".rubocop*"], &["AllCops.DisabledByDefault", "AllCops.SuggestExtensions"], On),
    (&[".rubocop*"], &[
        "Lint.Enabled", "Style.Enabled", "Metrics.Enabled", "Security.Enabled", "Rails.Enabled", "Performance.Enabled",
        "RSpec.Enabled", "Naming.Enabled", "Layout.Enabled",
    ], Becomes(&["false"])),
    (&[".swiftlint*"], &["included"], Fewer),
    (&[".swiftlint*"], &["lenient", "allow_zero_lintable_files"], On),
    (&[".swiftlint*", "detekt*"], &["strict", "warningsAsErrors", "maxIssues"], Off),
    (&["phpstan*"], &["checkMissingIterableValueType", "treatPhpDocTypesAsCertain", "checkUninitializedProperties"], Off),
    (&["analysis_options*"], &["strict-casts", "strict-inference", "strict-raw-types"], Off),
    (&["biome*"], &["linter.enabled", "recommended"], Becomes(&["false"])),
    (&[".hadolint*", "*checkov.yaml", "*checkov.yml", ".checkov*"], &["no-fail", "soft-fail"], On),
    (&[".hadolint*", "trivy*", ".trivy*", ".grype*", ".snyk"], &["failure-threshold", "severity", "fail-on-severity"], Level),
    (&["trivy*", ".trivy*"], &["exit-code"], Becomes(&["0"])),
    (&[".clang-tidy"], &["WarningsAsErrors"], Emptied),
    (&[".clang-tidy"], &["WarningsAsErrors"], Without("'*'")),
    (&[".clang-tidy"], &["WarningsAsErrors"], Without("\"*\"")),
    (&[".clang-tidy"], &["WarningsAsErrors"], Without("*")),
    (&["pyproject.toml", "pyrightconfig.json"], &["typeCheckingMode"], Without("strict")),
    (&["pyproject.toml", "pyrightconfig.json"], &["typeCheckingMode"], Becomes(&["off"])),
    (&["pyproject.toml", "pyrightconfig.json"], &[
        "reportGeneralTypeIssues", "reportMissingImports", "reportOptionalMemberAccess", "reportArgumentType",
        "reportAttributeAccessIssue", "reportReturnType", "reportCallIssue", "reportAssignmentType",
    ], Becomes(&["none", "false"])),
    (&[".shellcheckrc", "shellcheckrc", ".sqlfluff", ".ansible-lint*"], &["disable", "exclude_rules", "skip_list"], Grown),
    (&[".shellcheckrc", "shellcheckrc"], &["enable"], Emptied),
    (&[".pre-commit-config*"], &["default_stages"], Item(&["manual"])),
    (&[".pre-commit-config*"], &["ci.skip"], There),
    (&[HOOKS], &["exclude", "ci.exclude"], Sources),
    (&[".pre-commit-config*"], &["entry"], Becomes(&["true", ":", "echo", "exit 0"])),
    (&[WORKFLOW], &["with.exit-code", "exitCode"], Becomes(&["0"])),
    (&[WORKFLOW], &["with.severity", "with.severity-cutoff", "fail-on-severity", "severity-threshold"], Level),
    (&[WORKFLOW], &["fail-build", "fail_on_error", "failOnError", "fail-on-error"], Becomes(&["false"])),
    (&[WORKFLOW], &["soft_fail", "soft-fail", "only-new-issues", "warn-only", "warn_only", "exit-zero"], On),
    (&["sonar-project.properties", "pom.xml", "build.gradle*"], &["sonar.qualitygate.wait"], Off),
    (&["sonar-project.properties"], &["sonar.coverage.exclusions", "sonar.exclusions", "sonar.cpd.exclusions"], Sources),
    (&["sonar-project.properties"], &["sonar.sources"], Fewer),
    (&["sonar-project.properties"], &["sonar.issue.ignore.multicriteria", "sonar.issue.ignore.allfile"], There),
];

/// A setting that would say less.
pub(super) fn said_less(change: &Change) -> Option<SettingFinding> {
    let rows: Vec<_> =
        SETTINGS.iter().filter(|(files, ..)| files.iter().any(|it| is_of(&change.path, it))).collect();
    if rows.is_empty() {
        return None;
    }
    let (before, after) = properties(change).or_else(|| both(change))?;
    let extends = |all: &[SettingEntry]| {
        all.iter().filter(|it| it.key.starts_with("extends") || it.name() == "inherit_from").count()
    };
    let is_handed_on = extends(&after) > extends(&before);
    let sides = Sides { before: &before, after: &after, is_handed_on };
    rows.into_iter().find_map(|(_, keys, loss)| sides.lost(keys, loss)).or_else(|| {
        let is_golangci = file_name(&change.path).starts_with(".golangci");
        is_golangci.then(|| sides.excluded_rule()).flatten()
    })
}

fn is_of(path: &str, pattern: &str) -> bool {
    let name = file_name(path);
    match pattern {
        WORKFLOW => is_workflow(path),
        HOOKS => is_hook(path),
        _ => match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
            (Some(end), _) => name.ends_with(end),
            (_, Some(start)) => name.starts_with(start),
            _ => name == pattern,
        },
    }
}

/// Files with a key and a value in each line, as Java's properties.
fn properties(change: &Change) -> Option<(Vec<SettingEntry>, Vec<SettingEntry>)> {
    let read = |text: &str| -> Vec<SettingEntry> {
        let lines = (1u32..).zip(text.lines()).filter(|(_, line)| !line.trim_start().starts_with(['#', '!']));
        let pairs = lines.filter_map(|(at, line)| {
            let (key, value) = line.split_once('=').or_else(|| line.split_once(": "))?;
            Some(
                value
                    .split(',')
                    .map(|it| (key.trim().to_owned(), it.trim().to_owned(), at))
                    .collect::<Vec<_>>(),
            )
        });
        pairs.flatten().map(|(key, value, line)| SettingEntry { key, value, line }).collect()
    };
    let name = file_name(&change.path);
    let is_properties =
        [".properties", "shellcheckrc"].iter().any(|end| name.ends_with(end)) || name == ".clang-tidy";
    // Without this file every rule holds.
    let is_first = name.ends_with("shellcheckrc");
    let before = change.before.as_deref().or(is_first.then_some(""));
    let texts = before.zip(change.after.as_deref()).filter(|_| is_properties)?;
    Some((read(texts.0), read(texts.1)))
}

struct Sides<'a> {
    before: &'a [SettingEntry],
    after: &'a [SettingEntry],
    /// Whether another file is extended now that was not.
    is_handed_on: bool,
}

impl Sides<'_> {
    fn lost(&self, keys: &[&str], loss: &SettingLoss) -> Option<SettingFinding> {
        let own = |all: &'_ [SettingEntry]| -> Vec<SettingEntry> {
            all.iter().filter(|it| ends(list_of(&it.key), keys)).cloned().collect()
        };
        let pair = SettingChange { was: own(self.before), is: own(self.after), sides: self };
        match loss {
            Off => pair.switched_off(),
            On => pair.now(is_yes),
            Becomes(values) => pair.now(|it| {
                let value = it.value.as_str();
                values.contains(&value) || values.contains(&"echo") && value.starts_with("echo ")
            }),
            Item(values) => pair.new_item(|it| values.contains(&it.value.as_str())),
            Without(value) => pair.without(value),
            Level => pair.higher(),
            There => pair.new_item(|it| !it.value.is_empty()).filter(|_| pair.was.is_empty()),
            Fewer => pair.fewer(),
            Sources => pair.new_sources(),
            Grown => pair.grown(),
            Emptied => pair.emptied(),
            Limited => {
                let zero = pair.was.iter().find(|it| it.value == "0")?;
                pair.is.iter().find(|it| it.key == zero.key && it.value != "0").map(told)
            }
        }
    }

    /// A rule of golangci-lint's list that leaves findings of the sources out.
    fn excluded_rule(&self) -> Option<SettingFinding> {
        let is_path = |it: &&SettingEntry| it.name() == "path" && it.key.contains("rules[");
        let new = self.after.iter().filter(is_path).find(|it| {
            !self.before.iter().any(|old| old.value == it.value && old.name() == "path")
                && is_sources(it.value.trim_start_matches('^'))
        })?;
        // One file may have its reason; a folder of sources is most of what there is.
        let is_file = new.value.contains(".go");
        let severity = if is_file { Severity::Medium } else { Severity::High };
        Some((format!("what is found in `{}` would be left out", new.value), new.line, severity))
    }
}

/// One setting, or several of a kind, before and after.
struct SettingChange<'a> {
    was: Vec<SettingEntry>,
    is: Vec<SettingEntry>,
    sides: &'a Sides<'a>,
}

impl SettingChange<'_> {
    fn is_known(&self, new: &SettingEntry) -> bool {
        self.was.iter().any(|old| old.value == new.value && list_of(&old.key) == list_of(&new.key))
    }

    fn switched_off(&self) -> Option<SettingFinding> {
        self.was.iter().filter(|it| is_yes(it)).find_map(|old| {
            let is_elsewhere = || self.is.iter().any(|it| is_yes(it) && it.name() == old.name());
            match self.is.iter().find(|it| it.key == old.key) {
                Some(new) => (new.value != old.value).then(|| told(new)),
                None if is_elsewhere() || self.sides.is_handed_on => None,
                None => {
                    Some((format!("`{}: {}` would be gone", old.key, old.value), old.line, Severity::High))
                }
            }
        })
    }

    /// A value that is there now, in a place that was there before: what is new as a whole brings its own settings.
    fn now(&self, is_meant: impl Fn(&SettingEntry) -> bool) -> Option<SettingFinding> {
        let was_there =
            |it: &SettingEntry| self.sides.before.iter().any(|old| old.key.starts_with(place(it)));
        self.is.iter().find(|it| is_meant(it) && !self.is_known(it) && was_there(it)).map(told)
    }

    fn grown(&self) -> Option<SettingFinding> {
        const SEVERAL: usize = 3;
        let new: Vec<&SettingEntry> =
            self.is.iter().filter(|it| !it.value.is_empty() && !self.is_known(it)).collect();
        // One that says why is an exception that somebody has made.
        if new.iter().all(|it| it.value.contains("reason =")) {
            return None;
        }
        let is_much = new.len() >= SEVERAL || new.iter().any(|it| it.value == "all");
        let severity = if is_much { Severity::High } else { Severity::Medium };
        new.first().map(|it| (told(it).0, it.line, severity))
    }

    fn emptied(&self) -> Option<SettingFinding> {
        let says = |it: &&SettingEntry| !matches!(it.value.trim_matches(['"', '\'']), "" | "-*" | "none");
        let old = self.was.iter().find(says).filter(|_| !self.is.iter().any(|it| says(&it)))?;
        let what = format!("`{}` would not be `{}` any more", list_of(&old.key), old.value);
        Some((what, old.line, Severity::High))
    }

    fn new_item(&self, is_meant: impl Fn(&SettingEntry) -> bool) -> Option<SettingFinding> {
        self.is.iter().find(|it| is_meant(it) && !self.is_known(it)).map(told)
    }

    fn without(&self, value: &str) -> Option<SettingFinding> {
        let has = |it: &SettingEntry| it.value == value || it.value.starts_with(&format!("{value}::"));
        let old = self.was.iter().find(|it| it.value == value)?;
        let what = format!("`{}` would not be `{value}` any more", list_of(&old.key));
        (!self.is.iter().any(has)).then_some((what, old.line, Severity::High))
    }

    fn higher(&self) -> Option<SettingFinding> {
        self.was.iter().find_map(|old| {
            let new = self.is.iter().find(|it| it.key == old.key && it.value != old.value)?;
            (level(&new.value)? > level(&old.value)?).then(|| told(new))
        })
    }

    fn fewer(&self) -> Option<SettingFinding> {
        let is_there = |old: &SettingEntry| self.is.iter().any(|it| it.value == old.value);
        let gone = self.was.iter().find(|old| !old.value.is_empty() && !is_there(old))?;
        let is_within = |it: &SettingEntry| it.value.starts_with(&format!("{}/", gone.value));
        let is_part = !self.is.is_empty() && self.is.len() < self.was.len();
        let is_less = is_part && self.is.iter().all(|it| self.is_known(it))
            || self.is.len() == self.was.len() && self.is.iter().all(|it| self.is_known(it) || is_within(it));
        let what = format!("`{}` would leave `{}` out", list_of(&gone.key), gone.value);
        is_less.then_some((what, gone.line, Severity::High))
    }

    fn new_sources(&self) -> Option<SettingFinding> {
        let new = self.is.iter().find(|it| !self.is_known(it) && is_sources(&it.value))?;
        let is_grown = self.is.len() > self.was.len()
            || self.was.iter().all(|old| new.value.contains(old.value.as_str()));
        is_grown.then(|| told(new))
    }
}

fn told(it: &SettingEntry) -> SettingFinding {
    (format!("`{}` would be `{}`", list_of(&it.key), it.value), it.line, Severity::High)
}

fn is_yes(it: &SettingEntry) -> bool {
    matches!(it.value.to_lowercase().as_str(), "true" | "yes" | "on" | "1")
}

/// Whether a pattern means sources: neither tests, nor what a tool has written or others have made.
fn is_sources(pattern: &str) -> bool {
    const MADE: &[&str] = &[
        "gen",
        "pb",
        "mock",
        "vendor",
        "third_party",
        "dist",
        "build",
        "snap",
        "migrations",
        "docs",
        "fixtures",
        "testdata",
        "examples",
    ];
    let mut parts = pattern.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let is_made = parts.any(|part| {
        MADE.iter().any(|word| part == *word || part.starts_with("generated") || part.ends_with("_gen"))
    });
    !pattern.trim().is_empty()
        && !is_made
        && !is_about_tests(pattern)
        && !pattern.contains("_test")
        && reach(pattern) != GlobReach::Others
}
