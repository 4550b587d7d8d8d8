//! Conditions of queries that are gone: for whom, what is not deleted, in which order. In files of queries, and in code.

use crate::detectors::Case;
use crate::detectors::engine::hunks::{TextHunk, hunks};
use crate::detectors::product::check_words::short;
use crate::detectors::product::functions::has_company;
use crate::detectors::product::lost_check::LostCheck;
use crate::languages::code::{bare, identifiers};
use crate::languages::{Language, is_test_path};
use crate::model::finding::{Change, Severity};

/// How conditions begin, in upper case.
const BEGINNING: &[&str] = &["AND ", "WHERE ", "HAVING ", "ORDER BY ", "LIMIT "];
/// How parts of a statement begin that take their conditions with them.
const STATEMENTS: &[&str] =
    &["SELECT ", "UPDATE ", "DELETE ", "INSERT ", "JOIN ", "LEFT JOIN ", "INNER JOIN ", "WITH ", "FROM "];
/// Words of columns that keep rows from who may not see them, in lower case.
const KEEPING: &[&str] = &[
    "tenant",
    "owner",
    "account",
    "organi",
    "org_id",
    "user_id",
    "deleted",
    "archived",
    "visible",
    "published",
    "active",
    "company",
    "workspace",
    "team_id",
    "customer_id",
    "status",
];
/// Paths of files that change a database once.
const ONCE: &[&str] = &["migrat", "schema", "seed", "fixture", "down.sql", "up.sql", "init.sql", "dump"];

/// The first condition that a query has no more.
pub(super) fn condition_lost(case: &Case, change: &Change) -> Option<LostCheck> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    let language = Language::of_path(&change.path);
    let is_sql = change.path.ends_with(".sql");
    let lower = change.path.to_lowercase();
    let is_once = is_sql && ONCE.iter().any(|it| lower.contains(it));
    if !is_sql
        && (language.is_none()
            || !old.contains("SELECT") && !old.contains("UPDATE ") && !old.contains("DELETE "))
        || is_test_path(&change.path)
        || is_once
    {
        return None;
    }
    let mark = language.map_or("--", |it| it.refusing().comment);
    let places = hunks(mark, old, new)?;
    let known: Vec<&str> = identifiers(old).collect();
    let mut come = places.iter().flat_map(|it| &it.come).flat_map(|line| identifiers(line.text));
    if come.any(|word| !known.contains(&word)) || has_company(case, change) {
        return None;
    }
    let left = bare(&new.to_lowercase());
    places.iter().find_map(|hunk| of_place(hunk, new, &left))
}

fn of_place(hunk: &TextHunk, new: &str, left: &str) -> Option<LostCheck> {
    let is_part = |text: &str| STATEMENTS.iter().any(|head| words_of(text).starts_with(head));
    let goes_whole =
        hunk.gone.iter().any(|line| is_part(line.text)) && !hunk.come.iter().any(|line| is_part(line.text));
    let stands = hunk
        .gone
        .iter()
        .position(|line| is_part(line.text))
        .filter(|_| goes_whole)
        .unwrap_or(hunk.gone.len());
    let lost = hunk
        .gone
        .iter()
        .take(stands)
        .flat_map(|line| conditions(line.text).into_iter().map(move |it| (line, it)));
    let lost: Vec<_> = lost
        .filter(|(_, condition)| !left.contains(&bare(condition)) && !is_elsewhere(new, hunk, condition))
        .collect();
    let is_sure = |condition: &str| {
        let has_place = condition.contains(['$', '?', '@', ':', '%']) || condition.contains("#{");
        let keeps = KEEPING.iter().any(|word| condition.contains(word)) || condition.contains("is null");
        keeps || has_place && !condition.starts_with("limit")
    };
    let (line, condition) = lost.iter().find(|(_, it)| is_sure(it)).or_else(|| lost.first())?;
    let severity = if is_sure(condition) { Severity::High } else { Severity::Medium };
    let what = format!("the query would not ask for `{}` any more", short(condition));
    Some(LostCheck::new(line.number, line.text, what, severity))
}

/// A line without the quotes and signs that code has around a part of a query, in upper case.
fn words_of(line: &str) -> String {
    line.trim_matches(|c: char| c.is_whitespace() || "\"'`+\\.,;&|".contains(c)).to_uppercase()
}

/// The conditions of a line, in lower case.
fn conditions(line: &str) -> Vec<String> {
    let text = words_of(line);
    let Some(head) = BEGINNING.iter().find(|head| text.starts_with(**head)) else { return Vec::new() };
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || "\"'`+\\.,;".contains(c)).to_lowercase();
    if head.starts_with("ORDER") || head.starts_with("LIMIT") {
        return vec![text];
    }
    let rest = text.get(head.len()..).unwrap_or_default();
    rest.split(" and ")
        .map(|it| it.trim().to_owned())
        .filter(|it| {
            it.contains(['=', '<', '>'])
                || it.contains(" is ")
                || it.contains(" in ")
                || it.contains(" in(")
                || it.contains(" like ")
        })
        .collect()
}

/// Whether the column of a condition is asked for as often elsewhere now: in a join, in another form.
fn is_elsewhere(new: &str, hunk: &TextHunk, condition: &str) -> bool {
    let column = condition.split(['=', '<', '>', ' ', '!']).next().unwrap_or_default();
    let column = column.rsplit('.').next().unwrap_or_default();
    let has = |text: &str| identifiers(&text.to_lowercase()).any(|word| word == column);
    let is_code = new.contains("SELECT") || new.contains("select");
    column.len() > 2 && is_code && hunk.come.iter().any(|line| has(line.text))
}
