//! Which of the project's files a finding's pattern leaves out: an exclusion that reaches no test, or no code, is no loss.
//!
//! The files are asked for only where a finding names such a pattern. A pattern that can't be read, and a project in
//! which there is nothing that it could reach, leave a finding as it is.

use regex::Regex;

use crate::languages::{Language, file_name, is_test_path};
use crate::model::finding::{Finding, LeftOut, Severity};

/// Extensions of files that JavaScript's runners find by default.
const SCRIPTS: &[&str] = &[".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts"];
/// Folders with tests of another runner, or with files that only look like tests.
const OTHERS: &[&str] =
    &["e2e", "playwright", "cypress", "fixtures", "__fixtures__", "testdata", "examples", "node_modules"];
/// Signs of a regular expression that no glob has.
const EXPRESSIONS: &[&str] = &["\\", ".*", ".+", "(?", "^", "$", "|"];

/// Takes out findings whose pattern leaves out nothing that is there, and says of the others how much it is. The
/// project's files are relative to it, with `/`.
pub(super) fn weigh(findings: &mut Vec<Finding>, files: impl FnOnce() -> Option<Vec<String>>) {
    let is_open = |left_out: &LeftOut| match left_out {
        LeftOut::OfRun(pattern) | LeftOut::OfCheck(pattern) => is_pattern(pattern),
        LeftOut::Outside { .. } => true,
    };
    if !findings.iter().filter_map(|it| it.left_out.as_ref()).any(is_open) {
        return;
    }
    let Some(files) = files() else {
        return findings.retain(|it| !matches!(it.left_out, Some(LeftOut::Outside { .. })));
    };
    findings.retain_mut(|finding| {
        let (pattern, is_meant): (_, fn(&str) -> bool) = match &finding.left_out {
            Some(LeftOut::OfRun(pattern)) => (pattern, is_test),
            Some(LeftOut::OfCheck(pattern)) => (pattern, is_code),
            Some(LeftOut::Outside { now, before }) => {
                let lost = tests_outside(&finding.path, &files, now, before);
                let Some(first) = lost.first() else { return false };
                finding.severity = Severity::High;
                finding.what =
                    format!("{}: {} would stay outside, for example {first}", finding.what, lost.len());
                return true;
            }
            None => return true,
        };
        let Some(pattern) = Some(pattern).filter(|it| is_pattern(it)).and_then(|it| reading(it)) else {
            return true;
        };
        let own: Vec<&String> = files.iter().filter(|file| is_meant(file)).collect();
        let reached: Vec<&&String> = own.iter().filter(|file| pattern.is_match(file)).collect();
        if let Some(first) = reached.first() {
            let count = reached.len();
            let files = if count == 1 { "a file".to_owned() } else { format!("{count} files") };
            finding.what = format!("{}: {files}, for example {first}", finding.what);
        }
        own.is_empty() || !reached.is_empty()
    });
}

/// The tests that were found, by the old places or by their names, and that no place reaches now. Only those below the
/// folder of the configuration at `path` and of its language.
fn tests_outside<'f>(path: &str, files: &'f [String], now: &[String], before: &[String]) -> Vec<&'f str> {
    let read = |places: &[String]| -> Option<Vec<Regex>> { places.iter().map(|it| reading(it)).collect() };
    let (Some(now), Some(before)) = (read(now), read(before)) else { return Vec::new() };
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_python = matches!(file_name(path), "pyproject.toml" | "pytest.ini" | "setup.cfg" | "tox.ini");
    let is_meant = |file: &str| {
        is_test(file)
            && (folder.is_empty() || file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
            && file.ends_with(".py") == is_python
            && (is_python || SCRIPTS.iter().any(|end| file.ends_with(end)))
            && is_named_a_test(file)
            && !file.split('/').any(|part| OTHERS.contains(&part))
    };
    let was_found = |file: &str| before.is_empty() || before.iter().any(|it| it.is_match(file));
    let is_found = |file: &str| now.iter().any(|it| it.is_match(file));
    files
        .iter()
        .map(String::as_str)
        .filter(|file| is_meant(file) && was_found(file) && !is_found(file))
        .collect()
}

/// `cart.test.ts`, `test_cart.py`.
fn is_named_a_test(file: &str) -> bool {
    let mut words = file_name(file).split(['.', '_', '-']);
    words.any(|word| matches!(word, "test" | "tests" | "spec"))
}

fn is_test(path: &str) -> bool {
    is_test_path(path) && Language::of_path(path).is_some()
}

fn is_code(path: &str) -> bool {
    Language::of_path(path).is_some() && !path.contains("config")
}

/// Whether what is left out is a pattern of paths. A path without a wildcard is meant, whatever is there.
fn is_pattern(text: &str) -> bool {
    text.contains('/') && text.contains('*') && !text.contains(char::is_whitespace) && !text.contains("..")
}

/// A pattern as an expression that matches whole paths from the start of any folder on.
fn reading(pattern: &str) -> Option<Regex> {
    let bare = pattern.trim_matches(['"', '\'']).trim_start_matches('!');
    let bare = bare.trim_start_matches("<rootDir>").trim_start_matches("./");
    if EXPRESSIONS.iter().any(|sign| bare.contains(sign)) {
        return Regex::new(bare.trim_start_matches('^').trim_start_matches('/')).ok();
    }
    // The compiled form of a source stands for that.
    let bare = bare.trim_start_matches('/').trim_end_matches('/').trim_end_matches(".class");
    let mut expression = String::from("(?:^|/)");
    let mut rest = bare.strip_prefix("*/").map_or(bare, |rest| {
        expression.push_str("(?:.*/)?");
        rest
    });
    while let Some(first) = rest.chars().next() {
        let is_choice = expression.contains("(?:") && rest.contains('}');
        let (part, read) = wildcard(rest, is_choice).unwrap_or(("", first.len_utf8()));
        match part {
            "" => expression.push_str(&regex::escape(rest.get(..read)?)),
            _ => expression.push_str(part),
        }
        rest = rest.get(read..)?;
    }
    expression.push_str(if pattern.ends_with(".class") { "" } else { "(?:$|/)" });
    Regex::new(&expression).ok()
}

/// What stands for more than itself at the start of a glob, as an expression, and how long it is there.
fn wildcard(glob: &str, is_choice: bool) -> Option<(&str, usize)> {
    Some(match glob.chars().next()? {
        '*' if glob.starts_with("**/") => ("(?:.*/)?", 3),
        '*' if glob.starts_with("**") => (".*", 2),
        '*' => ("[^/]*", 1),
        '?' => ("[^/]", 1),
        '{' => ("(?:", 1),
        '}' => (")", 1),
        ',' if is_choice => ("|", 1),
        '[' | ']' | '-' => (glob.get(..1)?, 1),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::{Evidence, judge};
    use crate::model::finding::Change;

    const FILES: &[&str] = &[
        "src/pay.ts",
        "src/pay.test.ts",
        "src/api/tax.ts",
        "tests/e2e/login.test.ts",
        "tests/unit/tax.test.ts",
        "docs/use.md",
    ];

    fn files() -> Option<Vec<String>> {
        Some(FILES.iter().map(|it| (*it).to_owned()).collect())
    }

    #[test]
    fn a_pattern_reaches_what_its_tool_would() {
        for (pattern, expected) in [
            ("**/e2e/**", 1),
            ("tests/**", 2),
            ("tests", 2),
            ("./tests/", 2),
            ("<rootDir>/tests/e2e", 1),
            ("/tests/e2e/", 1),
            ("tests/e2e/login.test.ts", 1),
            ("**/*.{test,spec}.ts", 3),
            ("src/*.ts", 2),
            ("*/e2e/*", 1),
            ("src\\/.*\\.test\\.ts$", 1),
            ("**/.claude/worktrees/**", 0),
            ("**/generated/**", 0),
            ("src/ap", 0),
            ("META-INF/versions/9/module-info.class", 0),
        ] {
            let reached = reading(pattern).map(|it| FILES.iter().filter(|file| it.is_match(file)).count());
            assert_eq!(reached, Some(expected), "{pattern}");
        }
    }

    fn told(pattern: &str) -> Vec<Finding> {
        let text = |list: &str| Some(format!("export default {{ test: {{ exclude: [{list}] }} }};\n"));
        let after = text(&format!("'**/node_modules/**', '{pattern}'"));
        let change =
            Change { path: "vitest.config.ts".to_owned(), before: text("'**/node_modules/**'"), after };
        judge(&Evidence { changes: &[change], elsewhere: &[] })
    }

    #[test]
    fn an_exclusion_that_leaves_out_no_test_is_no_finding() {
        let mut found = told("**/integration/**");
        assert_eq!(found.len(), 1, "nobody knows the files: {found:?}");
        weigh(&mut found, files);
        assert!(found.is_empty(), "{found:?}");
        let mut found = told("**/unit/**");
        weigh(&mut found, files);
        assert_eq!(found.len(), 1);
        assert!(found[0].what.ends_with("a file, for example tests/unit/tax.test.ts"), "{}", found[0].what);
    }

    /// What is left of a suspicion about a setting that is new in a configuration.
    fn outside(path: &str, before: &str, after: &str, files: Option<&[&str]>) -> Vec<String> {
        let text = |text: &str| Some(text.to_owned()).filter(|it| !it.is_empty());
        let change = Change { path: path.to_owned(), before: text(before), after: text(after) };
        let mut found = judge(&Evidence { changes: &[change], elsewhere: &[] });
        weigh(&mut found, || Some(files?.iter().map(|it| (*it).to_owned()).collect()));
        found.into_iter().map(|it| it.what).collect()
    }

    #[test]
    fn a_place_that_is_searched_anew_is_a_loss_where_tests_stay_outside() {
        let plain = "module.exports = {\n  verbose: true,\n};\n";
        let searching = |what: &str| format!("module.exports = {{\n  verbose: true,\n  {what},\n}};\n");
        let told = |what: &str| outside("jest.config.js", plain, &searching(what), Some(FILES));
        assert_eq!(
            told("roots: ['<rootDir>/src']"),
            [
                "`roots` would look for tests in `<rootDir>/src` and nowhere else: 1 would stay outside, for example tests/unit/tax.test.ts"
            ]
        );
        assert!(told("roots: ['<rootDir>/src', '<rootDir>/tests']").is_empty());
        assert!(told("testMatch: ['**/*.test.ts']").is_empty());
        assert_eq!(told("testMatch: ['**/none/**']").len(), 1);
        assert!(outside("jest.config.js", plain, &searching("roots: ['<rootDir>/src']"), None).is_empty());
        let both = (searching("testMatch: ['**/*.test.ts']"), searching("testMatch: ['**/pay*.test.ts']"));
        assert_eq!(outside("jest.config.js", &both.0, &both.1, Some(FILES)).len(), 1, "one of two is left");
        let manifest = "{\n  \"name\": \"a\",\n  \"jest\": {\"roots\": [\"src/api\"]}\n}\n";
        let bare = "{\n  \"name\": \"a\"\n}\n";
        assert_eq!(outside("package.json", bare, manifest, Some(FILES)).len(), 1);
        assert_eq!(outside("web/package.json", bare, manifest, Some(FILES)).len(), 0, "nothing is below");
        assert_eq!(
            outside("jest.config.json", "", "{\"roots\": [\"src\"]}", Some(FILES)).len(),
            1,
            "a new file"
        );
    }

    #[test]
    fn what_nobody_can_list_or_read_stays_a_finding() {
        let mut found = told("**/unit/**");
        weigh(&mut found, || None);
        assert_eq!(found.len(), 1);
        weigh(&mut found, || Some(vec!["src/pay.ts".to_owned()]));
        assert_eq!(found.len(), 1, "a project without a test file that can be seen");
        found[0].left_out = None;
        weigh(&mut found, || panic!("nothing asks for the files"));
        assert_eq!(found.len(), 1);
    }
}
