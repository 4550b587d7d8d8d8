//! Where checks may have gone: what other files have gained, which of it is about a function, and which is asked there.

use crate::detectors::product::lost_statements::LostStatement;
use crate::languages::code::{Refusing, identifiers, refuses};
use crate::languages::{Language, file_name, is_test_path};
use crate::model::counted::beyond;
use crate::model::finding::Change;
use crate::model::words::has_word;

/// A change of which checks are missed.
pub(super) struct SearchedChange<'a> {
    pub(super) path: &'a str,
    pub(super) before: &'a str,
    pub(super) after: &'a str,
    pub(super) words: &'static Refusing,
    /// The lines that are new.
    pub(super) come: Vec<&'a str>,
}

/// A file that has gained lines.
pub(super) struct CheckSource<'a> {
    pub(super) path: &'a str,
    pub(super) is_new: bool,
    /// Its lines now.
    pub(super) lines: Vec<&'a str>,
    /// Which of them are new.
    pub(super) gained: Vec<usize>,
}

/// Documents check nothing.
const PROSE: &[&str] = &[".md", ".rst", ".txt", ".adoc"];
/// Words that declare something under a name.
const DECLARING: &[&str] = &[
    "const",
    "let",
    "var",
    "val",
    "def",
    "fn",
    "func",
    "fun",
    "function",
    "class",
    "struct",
    "record",
    "type",
    "object",
    "interface",
    "enum",
    "trait",
    "defmodule",
    "defp",
    "protocol",
];
/// Heads of lines that import.
const IMPORTS: &[&str] = &["import ", "from ", "use ", "using ", "#include", "require", "alias ", "export {"];
/// Calls by which a schema says what is wrong, and whoever asks has to refuse.
const ASKING: &[&str] =
    &[".safeParse(", ".safeParseAsync(", ".validate(", ".is_valid(", ".errors", "changeset("];
/// Heads of lines that put something before all functions of a file or a folder.
const FRONTS: &[&str] = &[
    ".use(",
    ".Use(",
    "before_action",
    "beforeAction",
    "before_request",
    "plug ",
    "pipe_through",
    "middleware",
    "dependencies=",
    "addHook(",
    ".wrap(",
    "group(",
    "Group(",
    "route_layer(",
    ".layer(",
    "scope",
];

/// What other changes than a searched one have gained.
pub(super) fn sources<'a>(others: impl Iterator<Item = &'a Change>) -> Vec<CheckSource<'a>> {
    let kept = others.filter(|it| !is_test_path(&it.path) && !PROSE.iter().any(|end| it.path.ends_with(end)));
    kept.filter_map(source).filter(|it| !it.gained.is_empty()).collect()
}

fn source(change: &Change) -> Option<CheckSource<'_>> {
    let lines: Vec<&str> = change.after.as_deref()?.lines().collect();
    let comment = Language::of_path(&change.path).map_or("#", |language| language.refusing().comment);
    let before = change.before.as_deref().unwrap_or_default().lines().map(str::trim);
    let mut gained = beyond(lines.iter().map(|line| line.trim()).enumerate(), before, |(_, line)| *line);
    gained.retain(|(_, line)| !line.is_empty() && !line.starts_with(comment));
    let gained = gained.into_iter().map(|(at, _)| at).collect();
    Some(CheckSource { path: &change.path, is_new: change.before.is_none(), lines, gained })
}

impl<'a> CheckSource<'a> {
    pub(super) fn gained_lines(&self) -> impl Iterator<Item = &'a str> {
        self.gained.iter().filter_map(|at| self.lines.get(*at).copied())
    }

    /// The names that the file declares.
    pub(super) fn declared(&self) -> Vec<&'a str> {
        let mut all = Vec::new();
        for line in &self.lines {
            let mut words = identifiers(line);
            while let Some(word) = words.next() {
                if word == "defmodule" {
                    all.extend(words.by_ref().filter(|it| it.len() > 2 && *it != "do").last());
                    break;
                }
                if DECLARING.contains(&word) {
                    all.extend(words.by_ref().find(|it| !DECLARING.contains(it)).filter(|it| it.len() > 2));
                    break;
                }
            }
        }
        all
    }

    /// A gained line with what belongs to it: what it opens, or what it goes on with.
    pub(super) fn window(&self, at: usize) -> String {
        let line = |at: usize| self.lines.get(at).copied().unwrap_or_default();
        let depth = |line: &str| line.len() - line.trim_start().len();
        let own = depth(line(at));
        let text = line(at).trim();
        let goes_on = text.starts_with(['.', '|', '&', ')']) || text.starts_with("->") || text.ends_with(',');
        let is_front = FRONTS.iter().any(|it| text.contains(it)) && !text.ends_with(['{', '[']);
        let mut from = at;
        if (goes_on || is_front) && own > 0 {
            from =
                (0..at).rev().find(|it| !line(*it).trim().is_empty() && depth(line(*it)) < own).unwrap_or(at);
        }
        let head = depth(line(from));
        let below = (from + 1..self.lines.len()).take(60);
        let within = below.take_while(|it| line(*it).trim().is_empty() || depth(line(*it)) > head);
        std::iter::once(from).chain(within).map(line).collect::<Vec<_>>().join("\n")
    }
}

/// Whether a text is about the function of a statement, or the whole of its file.
pub(super) fn is_about(change: &SearchedChange, lost: &LostStatement, text: &str) -> bool {
    let stem = file_name(change.path).split('.').next().unwrap_or_default();
    let owner = lost.owner.as_deref().unwrap_or_default();
    owner.len() > 1 && has_word(text, owner) || stem.len() > 2 && has_word(text, stem)
}

/// The sources that are linked with a lost statement: the change asks what they declare, a route that names its function
/// does, or what they declare is a model that the change uses.
pub(super) fn linked<'s, 'a>(
    change: &SearchedChange,
    lost: &LostStatement,
    sources: &'s [CheckSource<'a>],
) -> Vec<&'s CheckSource<'a>> {
    let windows: Vec<String> = sources
        .iter()
        .flat_map(|source| source.gained.iter().map(|at| source.window(*at)))
        .filter(|window| lost.owner.as_deref().is_some_and(|owner| has_word(window, owner)))
        .collect();
    let is_routed = |name: &str| {
        Some(name) != lost.owner.as_deref()
            && windows
                .iter()
                .any(|window| window.lines().any(|line| !is_import(line) && has_word(line, name)))
    };
    let is_linked = |source: &&CheckSource| {
        let names = source.declared();
        names.iter().any(|name| is_asked(change, lost, source, name) || is_routed(name))
            || !source.is_new && names.iter().any(|name| has_word(change.after, name))
    };
    sources.iter().filter(is_linked).collect()
}

pub(super) fn is_import(line: &str) -> bool {
    let line = line.trim_start();
    IMPORTS.iter().any(|head| line.starts_with(head)) || line.contains("require(")
}

/// Whether the new lines of a change ask what a source declares, so that it refuses.
fn is_asked(change: &SearchedChange, lost: &LostStatement, source: &CheckSource, name: &str) -> bool {
    let ends = |all: &[&str]| all.iter().any(|end| change.path.ends_with(end));
    let checks_itself = |line: &str| {
        let is_type = [format!("as {name}"), format!(": {name}"), format!("<{name}>")];
        let binds = ["@Body(", "@Query(", "@Param(", "@Valid", "@Validated"];
        let is_bound = binds.iter().any(|it| line.contains(it));
        if ends(&[".ts", ".tsx", ".js", ".mjs"]) {
            return is_bound || !is_type.iter().any(|it| line.contains(it));
        }
        let refuses_when_made = || {
            let words = Language::of_path(source.path).map(Language::refusing);
            words.is_some_and(|words| source.lines.iter().any(|line| refuses(words, line)))
        };
        !ends(&[".java", ".kt"]) || is_bound || line.contains(&format!("{name}.")) || refuses_when_made()
    };
    let mut lines = change.come.iter().filter(|line| has_word(line, name) && !is_import(line));
    lines.any(|line| {
        let only_says = ASKING.iter().any(|call| line.contains(call));
        checks_itself(line) && (!only_says || is_refused(change, lost))
    })
}

/// Whether new lines of a change refuse, by a status that the lost statement gave, if it gave any.
fn is_refused(change: &SearchedChange, lost: &LostStatement) -> bool {
    let old = statuses(&lost.text);
    let refusing: Vec<&&str> = change.come.iter().filter(|line| refuses(change.words, line)).collect();
    let new: Vec<&str> = refusing.iter().flat_map(|line| statuses(line)).collect();
    !refusing.is_empty() && (old.is_empty() || new.is_empty() || old.iter().any(|it| new.contains(it)))
}

/// The statuses of HTTP that say no in a text.
fn statuses(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|it| it.len() == 3 && it.starts_with(['4', '5']) && it.bytes().all(|c| c.is_ascii_digit()))
        .collect()
}
