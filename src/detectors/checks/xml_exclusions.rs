//! What build files in XML leave out: tests of PHPUnit and Maven, classes that JaCoCo does not count.
//!
//! Read by lines, with the elements that are open; what a tool writes, and what starts a program, may be left out.

use crate::detectors::checks::setting_keys::{SettingFinding, SettingRemark};
use crate::detectors::checks::source_globs::{GlobReach, is_about_tests, reach};
use crate::languages::file_name;
use crate::model::finding::{Change, Severity};

/// Elements that leave out what stands in them.
const LEAVING_OUT: &[&str] = &["exclude", "excludes"];
/// Parts of names of classes that start a program, only hold values or are written by a tool, in lower case.
const OTHERS: &[&str] = &["application", "mapperimpl", "dto", "entity", "exception", "constants", "kernel"];

/// A value in an element, and the elements around it.
struct Value {
    text: String,
    within: Vec<String>,
    line: u32,
}

/// What is newly left out, or a suite of tests that is gone.
pub(super) fn left_out(change: &Change) -> Option<SettingRemark> {
    let name = file_name(&change.path);
    let is_phpunit = name.starts_with("phpunit") && name.contains(".xml");
    if !is_phpunit && name != "pom.xml" {
        return None;
    }
    let (before, after) = (change.before.as_deref()?, change.after.as_deref()?);
    let (old, new) = (values(before), values(after));
    let is_known = |value: &Value| old.iter().any(|it| it.text == value.text && is_left_out(it));
    let names_one = after.contains("defaultTestSuite") && !before.contains("defaultTestSuite");
    let is_run = |value: &Value| !names_one && is_taken_by_another(value, &new);
    let mut come = new.iter().filter(|it| is_left_out(it) && !is_known(it) && !is_run(it));
    let found = come.find(|it| is_missed(it, is_phpunit));
    if let Some(value) = found {
        let what = format!("`{}` would be left out", value.text);
        return Some(SettingRemark::of_check(what, value.line, &value.text));
    }
    suite_gone(&old, &new).filter(|_| is_phpunit).map(SettingRemark::from)
}

fn is_left_out(value: &Value) -> bool {
    value.within.iter().any(|it| LEAVING_OUT.contains(&it.as_str()))
}

/// Whether tests that one suite leaves out are those of another: of a suite of PHPUnit, of Maven's integration tests.
fn is_taken_by_another(value: &Value, all: &[Value]) -> bool {
    let is_in = |it: &Value, name: &str| it.within.iter().any(|own| own == name);
    let takes = |it: &Value| {
        let is_suite = is_in(value, "testsuite") && is_in(it, "testsuite")
            || is_in(value, "maven-surefire-plugin") && is_in(it, "maven-failsafe-plugin");
        is_suite && !is_left_out(it) && it.text.trim_end_matches('/') == value.text.trim_end_matches('/')
    };
    all.iter().any(takes)
}

/// Whether what is left out is missed: tests, or code of the project's own where coverage is counted.
fn is_missed(value: &Value, is_phpunit: bool) -> bool {
    let in_tests = value.within.iter().any(|it| it == "testsuite" || it == "maven-surefire-plugin");
    let in_count = value.within.iter().any(|it| {
        let of_phpunit = matches!(it.as_str(), "source" | "coverage" | "whitelist" | "filter");
        it == "jacoco-maven-plugin" || of_phpunit && is_phpunit
    });
    let lower = value.text.to_lowercase();
    let is_other = reach(&value.text) == GlobReach::Others || OTHERS.iter().any(|part| lower.contains(part));
    if in_tests || is_phpunit && is_about_tests(&value.text) {
        return true;
    }
    in_count && !is_other
}

/// A suite of PHPUnit whose folder no other suite has.
fn suite_gone(old: &[Value], new: &[Value]) -> Option<SettingFinding> {
    let of_suite = |it: &&Value| it.within.iter().any(|name| name == "testsuite") && !is_left_out(it);
    let kept: Vec<&str> = new.iter().filter(of_suite).map(|it| it.text.as_str()).collect();
    let has = |path: &str| kept.iter().any(|it| path.starts_with(it));
    let lost = old.iter().filter(of_suite).find(|it| !has(&it.text))?;
    let is_replaced = new.iter().filter(of_suite).count() >= old.iter().filter(of_suite).count();
    (!kept.is_empty() && !is_replaced).then(|| {
        (format!("the tests in `{}` would not be run any more", lost.text), lost.line, Severity::High)
    })
}

/// The values of a text with the elements around each. The plugin of Maven whose configuration it is counts as one.
fn values(text: &str) -> Vec<Value> {
    let (mut open, mut all): (Vec<String>, Vec<Value>) = (Vec::new(), Vec::new());
    for (line, row) in (1u32..).zip(text.lines()) {
        for piece in row.split('<').skip(1) {
            let (tag, inside) = piece.split_once('>').unwrap_or((piece, ""));
            let name = tag.split([' ', '/']).find(|it| !it.is_empty()).unwrap_or_default();
            if let Some(closed) = tag.strip_prefix('/') {
                let at = open.iter().rposition(|it| it == closed.trim());
                open.truncate(at.unwrap_or(open.len()));
                continue;
            }
            if tag.starts_with(['?', '!']) || tag.ends_with('/') {
                continue;
            }
            open.push(name.to_owned());
            let value = inside.trim();
            if value.is_empty() {
                continue;
            }
            if name == "artifactId" && open.iter().any(|it| it == "plugin") {
                let at = open.len() - 1;
                open.insert(at, value.to_owned());
            }
            all.push(Value { text: value.to_owned(), within: open.clone(), line });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(path: &str, before: &str, after: &str) -> Option<String> {
        let text = |it: &str| Some(it.to_owned());
        left_out(&Change { path: path.to_owned(), before: text(before), after: text(after) })
            .map(|it| it.found.0)
    }

    #[test]
    fn what_is_left_out_of_phpunit_is_told_by_what_it_is() {
        let file = |suites: &str, excluded: &str| {
            format!(
                "<phpunit>\n<testsuites>\n{suites}</testsuites>\n<source>\n<include><directory>src</directory></include>\n{excluded}</source>\n</phpunit>\n"
            )
        };
        let one = "<testsuite name=\"unit\">\n<directory>tests/Unit</directory>\n</testsuite>\n";
        let two = "<testsuite name=\"db\">\n<directory>tests/Db</directory>\n</testsuite>\n";
        let both = format!("{one}{two}");
        let of = |path: &str| format!("<exclude>\n<directory>{path}</directory>\n</exclude>\n");
        assert_eq!(told("phpunit.xml.dist", &file(one, ""), &file(one, &of("src/Generated"))), None);
        assert!(told("phpunit.xml", &file(one, ""), &file(one, &of("src/Payment"))).is_some());
        assert!(told("phpunit.xml", &file(&both, ""), &file(one, "")).unwrap().contains("tests/Db"));
        assert_eq!(told("phpunit.xml", &file(one, ""), &file(&both, "")), None);
    }

    #[test]
    fn tests_may_go_to_a_suite_of_their_own() {
        let file = |head: &str, more: &str| {
            format!(
                "<phpunit{head}>\n<testsuites>\n<testsuite name=\"all\">\n<directory>spec</directory>\n{more}</testsuites>\n</phpunit>\n"
            )
        };
        let out = "<exclude>spec/Browser</exclude>\n</testsuite>\n";
        let own =
            format!("{out}<testsuite name=\"browser\">\n<directory>spec/Browser</directory>\n</testsuite>\n");
        let before = file("", "</testsuite>\n");
        assert_eq!(told("phpunit.xml", &before, &file("", &own)), None);
        assert!(told("phpunit.xml", &before, &file("", out)).is_some());
        assert!(told("phpunit.xml", &before, &file(" defaultTestSuite=\"all\"", &own)).is_some());
    }

    #[test]
    fn what_jacoco_does_not_count_is_told() {
        let file = |excluded: &str| {
            format!(
                "<build><plugins>\n<plugin>\n<artifactId>jacoco-maven-plugin</artifactId>\n<configuration>\n{excluded}</configuration>\n</plugin>\n</plugins></build>\n"
            )
        };
        let of = |path: &str| format!("<excludes>\n<exclude>{path}</exclude>\n</excludes>\n");
        assert!(told("pom.xml", &file(""), &file(&of("shop/Prices*"))).is_some());
        assert_eq!(told("pom.xml", &file(""), &file(&of("**/generated/**"))), None);
    }
}
