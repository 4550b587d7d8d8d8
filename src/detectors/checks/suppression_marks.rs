//! Marks that silence a checker, and how wide each is.

use crate::languages::code::bare;

/// How wide a mark is.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Width {
    /// The whole file.
    File,
    /// Everything of one place.
    Place,
    /// One rule of one place.
    Rule,
}

/// What a mark begins with: the text, whether it is about the whole file, and what introduces a rule.
type Mark = (&'static str, bool, &'static str);

const MARKS: &[Mark] = &[
    ("eslint-disable-next-line", false, " "),
    ("eslint-disable-line", false, " "),
    ("eslint-disable", true, " "),
    ("@ts-nocheck", true, ""),
    ("@ts-ignore", false, ""),
    ("@ts-expect-error", false, " "),
    ("biome-ignore-all", true, ""),
    ("biome-ignore", false, " "),
    ("tslint:disable", true, ":"),
    ("type: ignore", false, "["),
    ("mypy: ignore-errors", true, ""),
    ("mypy: disable-error-code", true, "="),
    ("pyright: ignore", false, "["),
    ("pyright: basic", true, ""),
    ("flake8: noqa", true, ":"),
    ("ruff: noqa", true, ":"),
    ("noqa", false, ":"),
    ("pylint: skip-file", true, ""),
    ("pylint: disable=all", true, ""),
    ("pylint: disable", false, "="),
    ("nolint", false, ":"),
    ("lint:ignore", false, " "),
    ("lint:file-ignore", true, ""),
    ("oxlint-disable", true, " "),
    ("prettier-ignore", false, " "),
    ("NOLINTNEXTLINE", false, "("),
    ("NOLINTBEGIN", false, "("),
    ("NOLINT", false, "("),
    ("cppcheck-suppress-file", true, " "),
    ("cppcheck-suppress", false, " "),
    ("clang-format off", false, ""),
    ("rubocop:disable all", true, ""),
    ("rubocop:disable", false, " "),
    ("rubocop:todo", false, " "),
    ("standard:disable all", true, ""),
    ("standard:disable", false, " "),
    ("steep:ignore", false, " "),
    ("phpcs:ignoreFile", true, " "),
    ("phpcs:ignore", false, " "),
    ("phpcs:disable", true, " "),
    ("@phpstan-ignore-file", true, ""),
    ("@phpstan-ignore-next-line", false, ""),
    ("@phpstan-ignore-line", false, ""),
    ("@phpstan-ignore", false, " "),
    ("@psalm-suppress all", true, ""),
    ("@psalm-suppress", false, " "),
    ("@codingStandardsIgnoreFile", true, ""),
    ("@codingStandardsIgnoreStart", false, ""),
    ("@codingStandardsIgnoreLine", false, ""),
    ("swiftlint:disable all", true, ""),
    ("swiftlint:disable:next", false, " "),
    ("swiftlint:disable:this", false, " "),
    ("swiftlint:disable:previous", false, " "),
    ("swiftlint:disable", false, " "),
    ("ktlint-disable", false, " "),
    ("noinspection", false, " "),
    ("credo:disable-for-this-file", true, " "),
    ("credo:disable-for-next-line", false, " "),
    ("credo:disable-for-previous-line", false, " "),
    ("credo:disable-for-lines", false, " "),
    ("sobelow_skip", false, " "),
    ("ReSharper disable All", true, ""),
    ("ReSharper disable once", false, " "),
    ("ReSharper disable", false, " "),
    ("CHECKSTYLE:OFF", false, " "),
    ("CHECKSTYLE.OFF", false, " "),
    ("NOPMD", false, " "),
    ("NOSONAR", false, " "),
    ("spotless:off", false, ""),
    ("@formatter:off", false, ""),
];

/// Marks of one language, whose words would be anything in another.
const OF_LANGUAGE: &[(&str, &[Mark])] = &[(
    ".dart",
    &[
        ("ignore_for_file: type=lint", true, ""),
        ("ignore_for_file: type=warning", true, ""),
        ("ignore_for_file:", true, " "),
        ("ignore:", false, " "),
    ],
)];

/// Marks in the code itself, without white space: how they begin, whether they are about the whole file, what names
/// every rule, and what every mark must hold.
const ATTRIBUTES: &[(&str, bool, &[&str], &str)] = &[
    ("@SuppressWarnings", false, &["\"all\""], "("),
    ("@SuppressLint", false, &["\"all\""], "("),
    ("@file:Suppress", true, &[], "("),
    ("@Suppress", false, &["\"all\"", "\"ALL\"", "\"warnings\""], "("),
    ("[SuppressMessage", false, &["\"*\""], "("),
    ("[assembly:SuppressMessage", true, &[], "("),
    ("[module:SuppressMessage", true, &[], "("),
    ("#pragmawarningdisable", false, &[], ""),
    ("#pragmawarning(disable", false, &[], ""),
    ("#pragmawarning(push,0", true, &[], ""),
    ("#pragmaGCCdiagnosticignored", false, &["-Wall", "-Weverything"], ""),
    ("#pragmaclangdiagnosticignored", false, &["-Wall", "-Weverything"], ""),
    ("#pragmaGCCsystem_header", true, &[], ""),
    ("#pragmaclangsystem_header", true, &[], ""),
    ("#nullabledisable", true, &[], ""),
    ("@dialyzer", false, &["nowarn_function", "no_return"], ""),
    ("@compile:nowarn", true, &[], ""),
    ("@compile{:no_warn", true, &[], ""),
];

/// A word of each mark.
const WORDS: &[&str] = &[
    "disable",
    "ignore",
    "@ts-",
    "mypy",
    "pyright",
    "noqa",
    "skip",
    "nolint",
    "NOLINT",
    "suppress",
    "Suppress",
    "clang-format",
    "rubocop",
    "standard:",
    "phpcs",
    "@phpstan",
    "@psalm",
    "@codingStandards",
    "swiftlint",
    "noinspection",
    "credo:",
    "ReSharper",
    "CHECKSTYLE",
    "NOPMD",
    "NOSONAR",
    "spotless",
    "@formatter",
    "pragma",
    "nullable",
    "dialyzer",
    "nowarn",
    "no_warn",
    "allow",
];

/// Whether a text has a word that every mark has one of.
pub(super) fn may_have_mark(text: &str) -> bool {
    WORDS.iter().any(|word| text.contains(word))
}

/// What ends the region that a mark opens, for marks that open one.
pub(super) fn closing_mark(text: &str) -> Option<&'static str> {
    const REGIONS: &[(&str, &str)] = &[
        ("NOLINTBEGIN", "NOLINTEND"),
        ("CHECKSTYLE:OFF", "CHECKSTYLE:ON"),
        ("CHECKSTYLE.OFF", "CHECKSTYLE.ON"),
        ("@codingStandardsIgnoreStart", "@codingStandardsIgnoreEnd"),
        ("#pragma warning disable", "#pragma warning restore"),
        ("#pragma GCC diagnostic ignored", "#pragma GCC diagnostic pop"),
        ("#pragma clang diagnostic ignored", "#pragma clang diagnostic pop"),
    ];
    REGIONS.iter().find(|(open, _)| text.contains(open)).map(|(_, end)| *end)
}

pub(super) fn rank(width: Width) -> u8 {
    match width {
        Width::File => 0,
        Width::Place => 1,
        Width::Rule => 2,
    }
}

/// How wide the mark is that a comment or an attribute of a file is.
pub(super) fn width(path: &str, text: &str) -> Option<Width> {
    if text.starts_with("#[") || text.starts_with("#![") {
        return attribute(text);
    }
    if text.starts_with(['@', '['])
        || (text.starts_with('#') && text.trim_start_matches(['#', ' ']).starts_with(['p', 'n']))
    {
        let known = annotation(text);
        if known.is_some() {
            return known;
        }
    }
    let body =
        text.trim_start_matches(['/', '*', '#', '!', ' ', '\t']).trim_end_matches(['*', '/', ' ', '\t']);
    let own = OF_LANGUAGE.iter().filter(|(end, _)| path.ends_with(end)).flat_map(|(_, marks)| *marks);
    let (mark, is_file, introduces) = own.chain(MARKS).find(|(mark, ..)| {
        body.strip_prefix(mark)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
    })?;
    let rest = body.get(mark.len()..).unwrap_or_default();
    let names_rule = !introduces.is_empty() && rest.starts_with(introduces) && rest.trim().len() > 1;
    Some(match (names_rule, is_file) {
        (true, _) => Width::Rule,
        (false, true) => Width::File,
        (false, false) => Width::Place,
    })
}

/// `@SuppressWarnings("unchecked")`, `[SuppressMessage(...)]`, `#pragma warning disable`.
fn annotation(text: &str) -> Option<Width> {
    let text = bare(text);
    let (mark, is_file, all, holds) = ATTRIBUTES.iter().find(|(mark, ..)| text.starts_with(mark))?;
    let rest = text.get(mark.len()..).unwrap_or_default();
    if !rest.contains(holds) {
        return None;
    }
    Some(match (*is_file, all.iter().any(|it| rest.contains(it))) {
        (true, _) => Width::File,
        (false, true) => Width::Place,
        (false, false) if rest.is_empty() => Width::File,
        (false, false) => Width::Rule,
    })
}

/// `#![allow(warnings)]`, `#[allow(clippy::all)]`, `#[allow(dead_code)]`.
fn attribute(text: &str) -> Option<Width> {
    let text = bare(text);
    let inside = text.split_once("allow(")?.1;
    let head = text.split("allow(").next().unwrap_or_default();
    if !matches!(head, "#[" | "#![") {
        return None;
    }
    let is_all = inside
        .split([',', ')'])
        .any(|rule| matches!(rule, "warnings" | "clippy::all" | "unused" | "clippy::pedantic"));
    Some(match (head, is_all) {
        ("#![", true) => Width::File,
        (_, true) => Width::Place,
        _ => Width::Rule,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mark_has_a_word_by_which_it_is_looked_for() {
        let own = OF_LANGUAGE.iter().flat_map(|(_, marks)| *marks);
        let marks = own.chain(MARKS).map(|(mark, ..)| *mark).chain(["#[allow(x)]", "#![allow(x)]"]);
        let written = ATTRIBUTES.iter().map(|(mark, ..)| *mark);
        for mark in marks.chain(written) {
            assert!(may_have_mark(mark), "{mark}");
        }
    }
}
