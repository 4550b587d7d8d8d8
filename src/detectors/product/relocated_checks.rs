//! Checks that another file makes now: they are taken off a change's text before, so that their loss is none.
//!
//! A check goes as a whole statement, and what it asked for has to be asked in what other files of the session gained, or in
//! a file that the change names for it. Lines become blank, so that all others keep their numbers.

use std::collections::BTreeSet;

use crate::detectors::engine::hunks::{TextHunk, hunks};
use crate::detectors::product::body_limits::is_limited;
use crate::detectors::product::carried_lines::carried;
use crate::detectors::product::check_sources::{CheckSource, SearchedChange, sources};
use crate::detectors::product::lost_statements::{LostStatement, StatementKind, statements};
use crate::detectors::product::moved_authority::is_granted;
use crate::detectors::product::moved_constraints::are_asked;
use crate::detectors::product::typed_fields::typed_away;
use crate::languages::{Language, is_test_path};
use crate::model::finding::Change;
use crate::model::words::has_word;

/// The changes with the checks taken off their texts before that one of `others` makes now; `None` where there is none.
pub(crate) fn without_relocated(changes: &[Change], others: &[Change]) -> Option<Vec<Change>> {
    let mut all = changes.to_vec();
    let mut is_any = false;
    for (at, change) in changes.iter().enumerate() {
        let beside = changes.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, it)| it);
        let others = others.iter().filter(|other| !changes.iter().any(|it| it.path == other.path));
        if let (Some(rest), Some(slot)) = (rest_of(change, &sources(beside.chain(others))), all.get_mut(at)) {
            slot.before = Some(rest);
            is_any = true;
        }
    }
    is_any.then_some(all)
}

/// The text of a change before, without its checks that stand elsewhere now.
fn rest_of(change: &Change, sources: &[CheckSource]) -> Option<String> {
    let (before, after) = (change.before.as_deref()?, change.after.as_deref()?);
    if is_test_path(&change.path) {
        return None;
    }
    let words = Language::of_path(&change.path)?.refusing();
    let differ = hunks(words.comment, before, after)?;
    let lines: Vec<&str> = before.lines().collect();
    let gone = gone_lines(&differ);
    let searched = SearchedChange { path: &change.path, before, after, words, come: come_lines(&differ) };
    let lost = statements(words, &lines, &gone);
    let moved: Vec<&LostStatement> = lost.iter().filter(|it| is_relocated(&searched, it, sources)).collect();
    let typed = typed_away(before, after, &lost);
    let carried = carried(&lines, gone.iter().copied(), &searched.come, sources);
    if moved.is_empty() && typed.is_empty() && carried.is_empty() {
        return None;
    }
    let mut blank: BTreeSet<usize> = moved.iter().flat_map(|it| it.lines.clone()).collect();
    blank.extend(typed);
    blank.extend(carried);
    blank.extend(constants_of(&moved, &lines, &gone, after));
    let kept = lines.iter().enumerate().map(|(at, line)| if blank.contains(&at) { "" } else { *line });
    let rest = kept.collect::<Vec<_>>().join("\n");
    Some(if before.ends_with('\n') { rest + "\n" } else { rest })
}

fn is_relocated(change: &SearchedChange, lost: &LostStatement, sources: &[CheckSource]) -> bool {
    match lost.kind {
        StatementKind::Authority => is_granted(change, lost, sources),
        StatementKind::Condition => is_limited(change, lost, sources) || are_asked(change, lost, sources),
        StatementKind::Rules => are_asked(change, lost, sources),
    }
}

/// The lines of the text before that are gone, from 0.
fn gone_lines(differ: &[TextHunk]) -> BTreeSet<usize> {
    let numbers = differ.iter().flat_map(|it| &it.gone).map(|line| line.number);
    numbers.filter_map(|it| usize::try_from(it).ok()?.checked_sub(1)).collect()
}

fn come_lines<'a>(differ: &[TextHunk<'a>]) -> Vec<&'a str> {
    differ.iter().flat_map(|it| &it.come).map(|line| line.text).collect()
}

/// The lines that only declared what a check compared with, and that are gone with it.
fn constants_of(moved: &[&LostStatement], lines: &[&str], gone: &BTreeSet<usize>, after: &str) -> Vec<usize> {
    let is_of_them = |at: &usize| {
        let line = lines.get(*at).copied().unwrap_or_default();
        let name = line.split('=').next().unwrap_or_default().split_whitespace().next_back();
        name.is_some_and(|name| {
            line.contains('=')
                && name.len() > 2
                && !has_word(after, name)
                && moved.iter().any(|it| has_word(&it.text, name))
        })
    };
    gone.iter().copied().filter(is_of_them).collect()
}
