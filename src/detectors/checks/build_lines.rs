//! Lines of build files that are not read as values, by which tests are made known, left out or kept from failing.

use crate::detectors::Case;
use crate::detectors::checks::build_exclusions::is_of_coverage;
use crate::detectors::checks::setting_keys::SettingFinding;
use crate::detectors::engine::code_lines::{PLAIN_QUOTES, quoted};
use crate::detectors::engine::documents::is_prose;
use crate::languages::code::bare;
use crate::languages::{file_name, is_test_name};
use crate::model::finding::{Change, Severity};
use crate::runners;

/// Lines of build files that no runner owns and that are not read as values: which file (`*` stands for any beginning), what
/// the line says without white space, and whether the line being there (or going) is the loss.
const LINES: &[(&str, &str, bool)] = &[
    ("CMakeLists.txt", "-Werror", false),
    ("CMakeLists.txt", "-fsanitize-recover", true),
    ("CMakeLists.txt", "-fno-sanitize-recover", false),
    ("meson.build", "-fsanitize-recover", true),
    ("CMakeLists.txt", "add_subdirectory(test", false),
    ("CMakeLists.txt", "DISABLEDTRUE", true),
    ("CMakeLists.txt", "WILL_FAILTRUE", true),
    ("CMakeLists.txt", "WILL_FAILON", true),
    ("mix.exs", "warnings_as_errors:false", true),
    ("mix.exs", "test_pattern:", true),
    ("mix.exs", "test_load_filters:", true),
    ("Directory.Build.props", "<TreatWarningsAsErrors>false", true),
    ("Directory.Build.props", "<IsTestProject>false", true),
    ("*.csproj", "<IsTestProject>false", true),
    ("*.fsproj", "<IsTestProject>false", true),
    ("CMakeLists.txt", "enable_testing()", false),
    ("CMakeLists.txt", "include(CTest)", false),
    ("phpunit.xml", "<group>", true),
    ("phpunit.xml.dist", "<group>", true),
    ("Rakefile", "default:[]", true),
    ("Package.swift", ".testTarget(", false),
    ("meson.build", "should_fail:true", true),
    (".scalafix.conf", "DisableSyntax.no", false),
];

/// Whether a line of CMake, without blanks, is an option that builds tests, or builds with checks.
fn is_check_option(line: &str) -> bool {
    let name = line.strip_prefix("option(").map(|rest| rest.split('"').next().unwrap_or(rest));
    let words = ["TEST", "SANITI", "WERROR", "WARNING", "COVERAGE", "TIDY", "ANALY", "STRICT"];
    name.is_some_and(|name| words.iter().any(|word| name.contains(word)))
}

/// Whether the tests with the tags that are left out are taken by another task of the file: `includeTags("slow")`.
fn is_run_elsewhere(before: &str, after: &str, mark: &str) -> bool {
    const TWINS: &[(&str, &str)] =
        &[("excludeTags", "includeTags"), ("excludeCategories", "includeCategories")];
    let Some((_, twin)) = TWINS.iter().find(|(out, _)| *out == mark) else { return false };
    let tags = |text: &str, word: &str| -> Vec<String> {
        let calls = text.split(word).skip(1).filter_map(|rest| rest.split([')', '\n']).next());
        calls.flat_map(|inside| quoted(inside, PLAIN_QUOTES).map(str::to_owned).collect::<Vec<_>>()).collect()
    };
    let (known, taken) = (tags(before, mark), tags(after, twin));
    let out: Vec<String> = tags(after, mark).into_iter().filter(|tag| !known.contains(tag)).collect();
    !out.is_empty() && out.iter().all(|tag| taken.contains(tag))
}

/// Whether a line that does what the mark's line did, and more, stands in the text: CTest's module switches tests on itself.
fn has_successor(after: &str, mark: &str) -> bool {
    const SUCCESSORS: &[(&str, &str)] = &[("enable_testing()", "include(CTest)")];
    let is_it = |next: &str| after.lines().any(|line| bare(line).starts_with(next));
    SUCCESSORS.iter().any(|(old, new)| *old == mark && is_it(new))
}

/// Whether each option of CMake that is off now is on in what another file of the session configures the build with: by
/// a flag, or by a preset that a command of it names.
pub(super) fn are_set_elsewhere(case: &Case, change: &Change) -> bool {
    if file_name(&change.path) != "CMakeLists.txt" {
        return false;
    }
    let off = |text: &Option<String>| -> Vec<String> {
        let all = text.as_deref().unwrap_or_default().lines().map(bare);
        let names = all.filter(|line| is_check_option(line) && line.ends_with("OFF)"));
        names.filter_map(|line| Some(line.strip_prefix("option(")?.split('"').next()?.to_owned())).collect()
    };
    let known = off(&change.before);
    let new: Vec<String> = off(&change.after).into_iter().filter(|it| !known.contains(it)).collect();
    let others: Vec<(&str, String)> = case
        .all_changes()
        .filter(|it| it.path != change.path && !is_prose(&it.path))
        .filter_map(|it| Some((file_name(&it.path), bare(it.after.as_deref()?))))
        .collect();
    let has_preset = || others.iter().any(|(_, text)| text.contains("--preset"));
    let is_on = |name: &String| {
        others.iter().any(|(file, text)| {
            text.contains(&format!("-D{name}=ON"))
                || file.ends_with("Presets.json")
                    && text.contains(&format!("\"{name}\":\"ON\""))
                    && has_preset()
        })
    };
    !new.is_empty() && new.iter().all(is_on)
}

/// Files that are not read as values.
pub(super) fn lines(change: &Change, before: &str, after: &str) -> Option<SettingFinding> {
    let name = file_name(&change.path);
    let of_runners = runners::all().flat_map(|runner| runner.settings.lines);
    let is_it = |file: &str| file.strip_prefix('*').map_or(file == name, |end| name.ends_with(end));
    let known = LINES.iter().chain(of_runners).filter(|(file, ..)| is_it(file));
    for (_, mark, comes) in known {
        let count = |text: &str| {
            // What coverage counts is another matter than what runs.
            let is_meant = |at: usize| !mark.starts_with("exclude") || !is_of_coverage(text, at);
            text.lines()
                .enumerate()
                .filter(|(_, line)| !line.trim_start().starts_with(['#', '/']))
                .filter(|(at, line)| bare(line).contains(mark) && is_meant(*at))
                .count()
        };
        let (old, new) = (count(before), count(after));
        if *comes && is_run_elsewhere(before, after, mark) || !*comes && has_successor(after, mark) {
            continue;
        }
        if (*comes && new > old) || (!*comes && old > 0 && new == 0) {
            let line = if *comes { after } else { before }.lines().position(|line| bare(line).contains(mark));
            let line = line.and_then(|at| u32::try_from(at + 1).ok()).unwrap_or(0);
            let how = if *comes { "would be set" } else { "would be gone" };
            return Some((format!("`{mark}` {how}"), line, Severity::High));
        }
    }
    match name {
        "CMakeLists.txt" => unregistered(before, after),
        "build.sbt" => task_replaced(before, after),
        "phpunit.xml" | "phpunit.xml.dist" => suite_narrowed(before, after),
        _ if name.ends_with(".csproj") => taken_out(before, after),
        _ => None,
    }
}

/// A file of tests that a project of .NET would not build any more: `<Compile Remove="CartTests.cs" />`.
fn taken_out(before: &str, after: &str) -> Option<SettingFinding> {
    (1u32..).zip(after.lines()).find_map(|(at, line)| {
        let (_, rest) = line.split_once("<Compile Remove=\"")?;
        let file = rest.split('"').next().filter(|it| !it.contains("**") && is_test_name(it))?;
        let what = format!("the tests of `{file}` would not be built any more");
        (!before.contains(line.trim())).then_some((what, at, Severity::High))
    })
}

/// sbt's own task of tests, defined anew so that a failure does not fail it.
fn task_replaced(before: &str, after: &str) -> Option<SettingFinding> {
    const HUSHED: &[&str] =
        &[".result", ".fold(", "{}", ":=()", "recover", "Inc(", ":={streams", "Def.task{}"];
    let is_task = |line: &str| {
        let text = bare(line);
        ["Test/test:=", "testinTest:=", "test.inTest:=", "(Test/test):=", "Test/testOnly:="].iter().any(
            |head| {
                text.split_once(head)
                    .is_some_and(|(_, rest)| HUSHED.iter().any(|it| format!(":={rest}").contains(it)))
            },
        )
    };
    let (at, _) =
        (1u32..).zip(after.lines()).find(|(_, line)| is_task(line) && !before.contains(line.trim()))?;
    Some(("the task of the tests would end well whatever they find".to_owned(), at, Severity::High))
}

/// A folder of a suite of which only files with a longer ending are run.
fn suite_narrowed(before: &str, after: &str) -> Option<SettingFinding> {
    let folder = |line: &str| {
        let rest = line.trim().strip_prefix("<directory")?;
        let (head, rest) = rest.split_once('>')?;
        let ending =
            head.split_once("suffix=\"").and_then(|(_, it)| it.split('"').next()).unwrap_or("Test.php");
        Some((rest.split('<').next().unwrap_or_default().to_owned(), ending.to_owned()))
    };
    let old: Vec<(String, String)> = before.lines().filter_map(folder).collect();
    (1u32..).zip(after.lines()).find_map(|(at, line)| {
        let (place, ending) = folder(line)?;
        let was = old.iter().find(|(other, _)| *other == place)?;
        let is_kept = after.lines().filter_map(folder).any(|it| it == *was);
        (ending.len() > was.1.len() && ending.ends_with(was.1.as_str()) && !is_kept)
            .then(|| (format!("only `*{ending}` of `{place}` would be run"), at, Severity::High))
    })
}

/// How many lines make tests known to CTest.
fn registers(text: &str) -> usize {
    let code = text.lines().map(bare).filter(|line| !line.starts_with('#'));
    code.filter(|line| line.starts_with("add_test(") || line.contains("_discover_tests(")).count()
}

/// How many tests of CTest pass, or are skipped, by what they print.
fn settled_by_output(text: &str) -> usize {
    let marks = ["PASS_REGULAR_EXPRESSION", "SKIP_REGULAR_EXPRESSION"];
    // A test that fails ends with 1 as well.
    let text_of_codes = bare(text);
    let codes = text_of_codes.split("SKIP_RETURN_CODE").skip(1).map(|rest| rest.trim_start_matches('"'));
    let failing =
        codes.filter(|rest| rest.starts_with('1') && !rest[1..].starts_with(|c: char| c.is_ascii_digit()));
    marks.iter().map(|it| text.matches(it).count()).sum::<usize>() + failing.count()
}

/// Tests that CTest would not know of any more, and options of CMake that would not build them.
fn unregistered(before: &str, after: &str) -> Option<SettingFinding> {
    // One in a function or a loop stands for many: `add_test(${NAME} ${NAME})`.
    let of_all = |text: &str| {
        text.lines().map(bare).filter(|line| line.starts_with("add_test(") && line.contains("${")).count()
    };
    if of_all(after) < of_all(before)
        && registers(after) < registers(before)
        && !after.lines().map(bare).any(|line| line.contains("_discover_tests(${"))
    {
        return Some(("tests would not be made known to CTest any more".to_owned(), 0, Severity::High));
    }
    if registers(before) > 0 && registers(after) == 0 && after.lines().count() >= before.lines().count() / 2 {
        return Some(("no test would be made known to CTest".to_owned(), 0, Severity::High));
    }
    // Tests that are there already, and pass by what they print.
    if settled_by_output(after) > settled_by_output(before)
        && registers(after) <= registers(before)
        && registers(before) > 0
    {
        return Some(("tests would pass, or be skipped, by what they print".to_owned(), 0, Severity::High));
    }
    // A library that is part of another build leaves its tests to its own.
    let off = |text: &str| {
        text.lines().map(bare).filter(|line| is_check_option(line) && line.ends_with("OFF)")).count()
    };
    let options = |text: &str| text.lines().map(bare).filter(|it| is_check_option(it)).count();
    if off(after) > off(before)
        && options(after) <= options(before)
        && after.lines().count() >= before.lines().count()
    {
        return Some((
            "an option that builds the tests, or with checks, would be off".to_owned(),
            0,
            Severity::High,
        ));
    }
    None
}
