//! Setups of test runs that decide their result: a main of Go that ends well by itself, matchers that are defined anew.

use crate::detectors::testing::test_lines::new_lines;
use crate::detectors::testing::word_edit::line_at;
use crate::languages::code::bare;
use crate::languages::{file_name, is_test_path};
use crate::model::finding::{Change, Severity};

/// What is told, the line, and how bad it is.
pub(super) type RiggingFinding = (String, u32, Severity);

/// Go's `TestMain` that ends well whatever `m.Run()` gives, or runs nothing.
pub(super) fn ended_by_main(change: &Change) -> Option<RiggingFinding> {
    let body = |text: &str| -> Option<(String, u32)> {
        let at = text.find("func TestMain(")?;
        let rest = text.get(at..)?;
        let end = rest.find("\n}").unwrap_or(rest.len());
        Some((bare(rest.get(..end)?), line_at(text, at).0))
    };
    let text = change.after.as_deref().filter(|_| change.path.ends_with("_test.go"))?;
    let (new, line) = body(text)?;
    // Since Go 1.15 a main that returns ends with what the run gave.
    let ends_well = |text: &str| {
        let exits = || text.match_indices("os.Exit(").filter_map(|(at, it)| text.get(at + it.len()..));
        // A run that is left out where something is missing ends well, and the others end as they went.
        let all_well = exits().next().is_some() && exits().all(|rest| rest.starts_with("0)"));
        all_well || ![".Run()", "(m)", "(m,"].iter().any(|it| text.contains(it))
    };
    let is_same = change.before.as_deref().and_then(body).is_some_and(|(old, _)| ends_well(&old));
    (ends_well(&new) && !is_same).then(|| {
        ("`TestMain` would end with success whatever the tests find".to_owned(), line, Severity::Critical)
    })
}

/// One of the framework's own matchers that a setup defines anew: `expect.extend({ toEqual() { … } })`.
pub(super) fn matcher_replaced(change: &Change) -> Option<RiggingFinding> {
    const OWN: &[&str] = &[
        "toEqual",
        "toBe",
        "toStrictEqual",
        "toThrow",
        "toMatchObject",
        "toContain",
        "toHaveBeenCalledWith",
        "toHaveBeenCalled",
        "toHaveLength",
        "toBeTruthy",
        "toMatch",
        "toHaveBeenCalledTimes",
    ];
    if change.path.ends_with(".rb") {
        return matcher_of_rspec_replaced(change);
    }
    const SCRIPTS: &[&str] = &[".js", ".ts", ".mjs", ".cjs", ".tsx", ".jsx"];
    let is_script = SCRIPTS.iter().any(|end| change.path.ends_with(end)) && is_test_path(&change.path);
    let new = change.after.as_deref().filter(|text| is_script && text.contains("expect"))?;
    let old = change.before.as_deref().unwrap_or_default();
    let extends = new.contains("expect.extend(");
    new_lines(old, new).into_iter().find_map(|(at, line)| {
        let text = bare(line);
        let name = OWN.iter().find(|name| {
            let defined = [format!("{name}("), format!("async{name}("), format!("{name}:")];
            let starts = |text: &str| defined.iter().any(|it| text.starts_with(it.as_str()));
            let in_call = text.split("expect.extend({").nth(1).is_some_and(starts);
            in_call
                || extends && starts(&text) && text.ends_with('{')
                || text.contains(&format!(".{name}=(")) && text.contains("=>")
                || text.contains(&format!(".{name}=function"))
        })?;
        Some((format!("the matcher `{name}` would be replaced for all tests"), at, Severity::High))
    })
}

/// One of RSpec's own matchers that the tests define anew: `RSpec::Matchers.define :eq do |expected|`.
fn matcher_of_rspec_replaced(change: &Change) -> Option<RiggingFinding> {
    const OWN: &[&str] = &[
        "eq",
        "eql",
        "equal",
        "be",
        "be_nil",
        "be_truthy",
        "be_falsey",
        "be_empty",
        "include",
        "match",
        "match_array",
        "contain_exactly",
        "raise_error",
        "change",
        "have_attributes",
        "be_within",
        "start_with",
        "end_with",
        "be_a",
    ];
    let new = change.after.as_deref().filter(|_| is_test_path(&change.path))?;
    let old = change.before.as_deref().unwrap_or_default();
    new_lines(old, new).into_iter().find_map(|(at, line)| {
        let text = bare(line);
        let rest = ["Matchers.define:", "Matchers.define(:", "Matchers.send(:define_method,:"]
            .iter()
            .find_map(|head| text.split(head).nth(1))?;
        let name = OWN.iter().find(|name| {
            let behind = rest.strip_prefix(**name);
            behind.is_some_and(|it| {
                it.is_empty() || it.starts_with([')', '{', ',']) || it == "do" || it.starts_with("do|")
            })
        })?;
        Some((format!("the matcher `{name}` would be replaced for all tests"), at, Severity::High))
    })
}

/// A runner's configuration that has a setup of the session run first, which defines a matcher anew.
pub(super) fn rigged_setup_named(change: &Change, elsewhere: &[Change]) -> Option<RiggingFinding> {
    let name = file_name(&change.path);
    if !["jest.config", "vitest.config", "package.json", ".mocharc"].iter().any(|it| name.starts_with(it)) {
        return None;
    }
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    new_lines(old, new).into_iter().find_map(|(at, line)| {
        let setup = elsewhere.iter().find(|it| line.contains(&it.path) && it.path.len() > 4)?;
        let (what, _, severity) = matcher_replaced(setup)?;
        Some((format!("{what}, by `{}`", setup.path), at, severity))
    })
}

/// A tag that ExUnit's own tests carry for what they need, left out of every run: `exclude: [:tmp_dir]`.
pub(super) fn own_tag_excluded(change: &Change) -> Option<RiggingFinding> {
    const OWN: &[&str] =
        &[":tmp_dir", ":capture_log", ":capture_io", ":test", ":describe", ":module", ":file", ":line"];
    let new = change.after.as_deref().filter(|_| file_name(&change.path) == "test_helper.exs")?;
    let old = change.before.as_deref().unwrap_or_default();
    new_lines(old, new).into_iter().find_map(|(at, line)| {
        let (_, list) = line.split_once("exclude:")?;
        let list = list.split(']').next().unwrap_or(list);
        let has = |text: &str, tag: &str| text.split([',', '[', ' ', '(']).any(|it| it.trim() == tag);
        let tag = OWN.iter().find(|tag| has(list, tag) && !old.contains(**tag))?;
        Some((format!("tests with `{tag}` would be left out of every run"), at, Severity::High))
    })
}
