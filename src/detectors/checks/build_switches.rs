//! Switches in build files that are not read as values: failures of checks ignored, warnings that stop no build, tests
//! that are not built.
//!
//! Lines are compared in lower case without white space, quotes and `_`.

use crate::detectors::Case;
use crate::detectors::checks::setting_keys::SettingFinding;
use crate::languages::file_name;
use crate::model::finding::{Change, Severity};

/// What a new line says that lets a check fail, or keeps it from running.
const OFF: &[&str] = &[
    "isignorefailures=true",
    "ignorefailures.set(true)",
    "ignorefailures=>true",
    "abortonerror=false",
    "abortonerrorfalse",
    "checkreleasebuilds=false",
    "warningsaserrors=false",
    "warningsaserrors:false",
    "warningsaserrors>false",
    "allwarningsaserrors=false",
    "<failonviolation>false",
    "<failsonerror>false",
    "<failonerror>false",
    "<haltonfailure>false",
    "<haltonerror>false",
    "<failifnotests>false",
    "<failonwarning>false",
    "<enablenetanalyzers>false",
    "<runanalyzers>false",
    "<nullable>disable",
    "<analysislevel>none",
    "<warninglevel>0",
    "<enforcecodestyleinbuild>false",
    "-wno-error",
    "treatwarningsaserrors=no",
    "haltonfailure=false",
    "haltonerror=false",
    "failonrisky=false",
    "failonwarning=false",
    "iswarningsaserrors=false",
    "ignoreexitstatus:true",
    "failonerror=false",
    "failonerror:false",
    "strict:false",
    ",false}",
    "exitstatus:0",
    "coveragefailonminimum:=false",
    "test/skip:=true",
    "skipintest:=true",
    "test/test:={}",
    "testintest:={}",
    "tests.filter(",
    "tests.exclude(",
    "<warningsnotaserrors>",
    "onlyif{false}",
    "onlyif{project.hasproperty",
    "<skip>true",
    "<failbuildoncvss>11",
    "<rerunfailingtestscount>",
    "<exclude><group>",
];
/// What an old line says that makes a build strict, and is missed when no line says it any more.
const ON: &[&str] = &[
    "-werror",
    "warningsaserrors=true",
    "warningsaserrors:true",
    "warningsaserrors>true",
    "<failonwarning>true",
    "<failonviolation>true",
    "unsafeflags([-warnings-as-errors",
    "treatallwarnings(aserrors",
    "usejunitplatform",
    "-xlint:all",
    "-xfatal-warnings",
    "coveragefailonminimum:=true",
    "failonwarning=true",
    "failonrisky=true",
    "failonerror>true",
    "<haltonfailure>true",
    "analyzers>true",
    "<failbuildoncvss>",
];

/// The same in a makefile, and in a build by CMake.
const OFF_IN_C: &[&str] = &["-wno-error"];
const ON_IN_C: &[&str] = &["-werror"];

/// The text of a build without the profiles of Maven that are new: nothing that was built before is built by them. Their
/// lines stay, empty.
fn without_new_profiles(before: &str, after: &str) -> String {
    let mut left = String::with_capacity(after.len());
    let mut rest = after;
    while let Some(start) = rest.find("<profile>") {
        let end = rest.get(start..).and_then(|it| it.find("</profile>")).map_or(rest.len(), |at| start + at);
        let profile = rest.get(start..end).unwrap_or_default();
        let id = profile.split_once("<id>").and_then(|(_, it)| it.split_once("</id>")).map(|it| it.0);
        let is_new = id.is_some_and(|id| !before.contains(&format!("<id>{id}</id>")))
            && !profile.contains("<activeByDefault>true");
        left.push_str(rest.get(..start).unwrap_or_default());
        match is_new {
            true => left.extend(profile.matches('\n')),
            false => left.push_str(profile),
        }
        rest = rest.get(end..).unwrap_or_default();
    }
    left + rest
}

/// The lines without those that let one warning by its name pass where the compiler is older than a version: what it says
/// wrongly is mended in a newer one, which stays strict.
fn without_old_compilers(lines: Vec<(u32, String)>) -> Vec<(u32, String)> {
    let mut open: Vec<bool> = Vec::new();
    let mut is_of_all = |line: &str| {
        match () {
            () if line.starts_with("if(") => open.push(line.contains("compilerversionversionless")),
            // What comes then is for the others.
            () if line.starts_with("else") => open.iter_mut().rev().take(1).for_each(|it| *it = false),
            () if line.starts_with("endif(") => {
                open.pop();
            }
            () => {}
        }
        !(line.contains("-wno-error=") && open.contains(&true))
    };
    lines.into_iter().filter(|(_, line)| is_of_all(line)).collect()
}

/// Switches that turn a checker on, with how the codes of its warnings begin.
const NEW_CHECKS: &[(&str, &str)] = &[
    ("<nugetaudit>true", "nu19"),
    ("<enablenetanalyzers>true", "ca"),
    ("<enforcecodestyleinbuild>true", "ide"),
];

/// Whether a setting that a mark begins names nothing but codes that begin so: `<warningsnotaserrors>nu1901;nu1902<`.
fn names_only(said: &str, mark: &str, codes: &str) -> bool {
    let mut all = said.split(mark).skip(1).flat_map(|it| {
        let (list, _) = it.split_once('<').unwrap_or((it, ""));
        list.split([';', ',']).filter(|code| !code.starts_with("$("))
    });
    mark.ends_with("aserrors>") && all.all(|code| code.starts_with(codes))
}

/// A switch that would let a check fail, or keep a build from being strict.
pub(super) fn switched(change: &Change) -> Option<SettingFinding> {
    let (off, on) = match () {
        () if is_build_file(&change.path) => (OFF, ON),
        () if is_build_of_c(&change.path) => (OFF_IN_C, ON_IN_C),
        () => return None,
    };
    let (before, after) = (change.before.as_deref()?, change.after.as_deref()?);
    let lines = |text: &str| -> Vec<(u32, String)> {
        let code = (1u32..).zip(text.lines()).filter(|(_, line)| !is_remark(line));
        without_old_compilers(code.map(|(at, line)| (at, bare(line))).collect())
    };
    let after = &without_new_profiles(before, after);
    let (old, new) = (lines(before), lines(after));
    let count =
        |all: &[(u32, String)], mark: &str| all.iter().filter(|(_, line)| line.contains(mark)).count();
    // Of these two the warnings are told as a setting of the runner.
    let is_told = |mark: &str| {
        mark.contains("warningsaserrors")
            && matches!(file_name(&change.path), "mix.exs" | "Directory.Build.props")
    };
    // What a checker says that is new here failed nothing before.
    let is_of_new = |mark: &str| {
        let said: String =
            new.iter().filter(|(_, line)| line.contains(mark)).map(|(_, line)| line.as_str()).collect();
        NEW_CHECKS.iter().any(|(switch, codes)| {
            count(&new, switch) > count(&old, switch) && names_only(&said, mark, codes)
        })
    };
    let is_looser =
        |mark: &&&str| !is_told(mark) && count(&new, mark) > count(&old, mark) && !is_of_new(mark);
    if let Some(mark) = off.iter().find(is_looser) {
        let line = new.iter().rfind(|(_, line)| line.contains(mark)).map_or(0, |(at, _)| *at);
        let said = after.lines().nth(usize::try_from(line).ok()?.checked_sub(1)?).unwrap_or_default().trim();
        return Some((format!("`{said}` would let a check fail unseen"), line, Severity::High));
    }
    // A file that is mostly written anew is another build.
    let is_rewritten = new.len() * 2 < old.len();
    let is_turned = |mark: &str| {
        let (name, _) = mark.split_once(['=', ':', '>']).unwrap_or((mark, ""));
        is_told(mark) && count(&new, name) > 0
    };
    let mut gone = on.iter().filter(|mark| count(&old, mark) > 0 && count(&new, mark) == 0);
    let mark = gone.find(|mark| !is_turned(mark))?;
    let (line, _) = old.iter().find(|(_, line)| line.contains(mark))?;
    let said = before.lines().nth(usize::try_from(*line).ok()?.checked_sub(1)?).unwrap_or_default().trim();
    (!is_rewritten).then(|| (format!("`{said}` would be gone"), *line, Severity::High))
}

/// Whether another file of the session makes warnings of C stop the build now.
pub(super) fn is_strict_elsewhere(case: &Case, change: &Change) -> bool {
    let count = |text: &Option<String>| text.as_deref().unwrap_or_default().matches("-Werror").count();
    is_build_of_c(&change.path)
        && case.all_changes().any(|it| it.path != change.path && count(&it.after) > count(&it.before))
}

fn is_build_of_c(path: &str) -> bool {
    let name = file_name(path);
    matches!(name, "Makefile" | "GNUmakefile" | "makefile" | "CMakeLists.txt") || name.ends_with(".mk")
}

fn is_build_file(path: &str) -> bool {
    let name = file_name(path);
    matches!(
        name,
        "build.gradle"
            | "build.gradle.kts"
            | "pom.xml"
            | "mix.exs"
            | "Package.swift"
            | "meson.build"
            | "build.xml"
            | "Rakefile"
            | ".credo.exs"
            | "build.sbt"
            | "phpunit.xml"
            | "phpunit.xml.dist"
    ) || [".csproj", ".props", ".targets", ".xcconfig", ".gradle", ".fsproj"]
        .iter()
        .any(|end| name.ends_with(end))
}

fn is_remark(line: &str) -> bool {
    ["//", "#", "<!--", "*", ";"].iter().any(|mark| line.trim_start().starts_with(mark))
}

fn bare(line: &str) -> String {
    let kept = line.chars().filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\'' | '_'));
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_are_read_without_their_layout() {
        let change = |path: &str, before: &str, after: &str| Change {
            path: path.to_owned(),
            before: Some(before.to_owned()),
            after: Some(after.to_owned()),
        };
        for (path, before, after) in [
            ("build.gradle.kts", "detekt {\n}\n", "detekt {\n  isIgnoreFailures = true\n}\n"),
            ("app.csproj", "<A>\n<TreatWarningsAsErrors>true</TreatWarningsAsErrors>\n</A>\n", "<A>\n</A>\n"),
            ("pom.xml", "<a>\n</a>\n", "<a>\n<failOnViolation>false</failOnViolation>\n</a>\n"),
        ] {
            assert!(switched(&change(path, before, after)).is_some(), "{path}");
            assert!(switched(&change(path, after, before)).is_none(), "{path}");
        }
    }
}
