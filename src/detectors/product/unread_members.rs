//! What a file keeps for itself and reads nowhere any more: a constant, a field, what an object was given when it was made.
//!
//! Who takes a feature out on purpose takes what it lived by along; a declaration that stays was left by a change of the rest.

use crate::detectors::Case;
use crate::detectors::engine::code_lines::lines;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::functions::is_part_of_more;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::Language;
use crate::languages::code::{BodyKind, identifiers, is_log, plain};
use crate::model::finding::Severity;
use crate::model::words::is_name_part;

/// More lines than these, gone and new, are a rewrite.
const REWRITE: usize = 16;
/// A name shorter than this stands for many things.
const TELLING: usize = 4;
/// Attributes of Elixir's modules that are no constants.
const ATTRIBUTES: &[&str] =
    &["doc", "moduledoc", "spec", "type", "typep", "impl", "behaviour", "callback", "tag", "derive"];

/// The first of what a file keeps that nothing of it reads any more.
pub(super) fn member_unread(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let gone: Vec<&CodeLine> = revision.hunks().iter().flat_map(|it| &it.gone).collect();
    let come = revision.hunks().iter().map(|it| it.come.len()).sum::<usize>();
    if gone.is_empty() || gone.len() + come > REWRITE || revision.after.broken {
        return None;
    }
    let (line, name, owner) = gone.iter().filter(|line| !is_log(line.text)).find_map(|line| {
        let old = revision.owner_at(line.at)?;
        let new = revision.successor(old)?;
        let works = revision.after.functions.get(new)?.body_kind == BodyKind::Work;
        let owner = revision.before.functions.get(old)?.name;
        let code = plain(revision.words, line.text);
        let name = identifiers(&code).find(|name| is_left(revision, line, name)).map(str::to_owned)?;
        works.then_some((**line, name, owner))
    })?;
    if has_tests_of(case, owner) || has_tests_of(case, &name) || is_part_of_more(case, revision) {
        return None;
    }
    let what = format!("`{name}` would make no difference any more: the file keeps it and reads it nowhere");
    Some(LostCheck::of_line(&line, owner, what, Severity::Medium))
}

/// Whether a line that is gone was the last to read a name that the file still keeps for itself.
fn is_left(revision: &Revision, line: &CodeLine, name: &str) -> bool {
    let Some(kept) = Kept::of(revision, name) else { return false };
    name.len() >= TELLING && kept.reads(line.text) && !kept.is_read(revision)
}

/// A name that a file keeps for itself.
struct Kept<'n> {
    name: &'n str,
    /// What stands in front of the name where it is read: `@`, `self.`; empty where it stands alone.
    sign: &'static str,
}

impl<'n> Kept<'n> {
    /// The name as the text after declares it, if only this file can read it.
    fn of(revision: &Revision, name: &'n str) -> Option<Self> {
        let language = Language::of_path(&revision.change.path)?;
        let (new, declares) = (revision.new, |head: &str| is_declared(revision.new, head, name));
        let sign = match language {
            Language::Ruby => {
                let given = new
                    .lines()
                    .any(|line| line.trim().starts_with("attr_") && line.contains(&format!(":{name}")));
                let is_private = || new.contains(&format!("@{name} = ")) && !given;
                is_private().then_some("@")?
            }
            Language::Elixir => {
                let starts = |line: &str| line.trim().starts_with(&format!("@{name} "));
                (!ATTRIBUTES.contains(&name) && new.lines().any(starts)).then_some("@")?
            }
            Language::Python if name.starts_with('_') && new.contains(&format!("self.{name} = ")) => "self.",
            Language::Python => new.lines().any(|line| is_constant(line, name)).then_some("")?,
            Language::Rust => ["const ", "static "].iter().any(|it| declares(it)).then_some("")?,
            Language::Go => ["const ", "var ", "\t"].iter().any(|it| declares(it)).then_some("")?,
            Language::Cpp => (name.ends_with('_') || ["constexpr ", "const "].iter().any(|it| declares(it)))
                .then_some("")?,
            Language::Dart => name.starts_with('_').then_some("")?,
            Language::Php => declares("private ").then_some("")?,
            _ => ["private ", "const "].iter().any(|it| declares(it)).then_some("")?,
        };
        let kept = Kept { name, sign };
        let all = lines(revision.words.comment, new, 0..new.len());
        all.into_iter().any(|line| kept.writes(line.text)).then_some(kept)
    }

    /// Whether a line has the name, as it is read or written.
    fn places<'t>(&self, line: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
        let (name, sign) = (self.name.to_owned(), self.sign);
        let all: Vec<usize> = line.match_indices(name.as_str()).map(|(at, _)| at).collect();
        all.into_iter().filter_map(move |at| {
            let (head, rest) = (line.get(..at)?, line.get(at + name.len()..)?);
            let is_whole = !head.ends_with(is_name_part) && !rest.starts_with(is_name_part);
            (is_whole && head.ends_with(sign)).then_some((head, rest))
        })
    }

    fn writes(&self, line: &str) -> bool {
        self.places(line).any(|(head, rest)| self.is_written(line, head, rest))
    }

    fn reads(&self, line: &str) -> bool {
        self.places(line).any(|(head, rest)| !self.is_written(line, head, rest))
    }

    /// Whether a place gives the name a value, declares or counts it.
    fn is_written(&self, line: &str, head: &str, rest: &str) -> bool {
        let (bare, first) = (rest.trim_start(), line.trim_start());
        let is_given = bare.starts_with('=') && !bare.starts_with("==") && !bare.starts_with("=>")
            || ["+=", "-=", "++", "--"].iter().any(|it| bare.starts_with(it))
            || head.ends_with("++")
            || head.ends_with("--");
        let is_kept =
            ["private ", "const ", "static ", "constexpr ", "readonly "].iter().any(|it| first.contains(it))
                && !head.contains(['=', '{'])
                && (bare.is_empty() || bare.starts_with([':', ';', ',', ')', '{']));
        // `: held_(held)` of C++, `@max 20` of Elixir, `std::size_t lost_;`.
        let is_made = self.name.ends_with('_') && bare.starts_with(['(', '{']) && head.contains([':', ',']);
        let is_field = self.name.ends_with('_')
            && bare.starts_with(';')
            && head.trim_end().contains(' ')
            && !head.contains("return");
        let is_attribute = self.sign == "@"
            && head.trim() == "@"
            && rest.starts_with(' ')
            && !bare.starts_with(['|', '<', '>', '+', '-', '*', '/', '&', '?', '.']);
        // `this.rates = rates`: the second is what is given.
        let is_handed = first.starts_with(&format!("this.{} = {}", self.name, self.name));
        is_given || is_kept || is_made || is_field || is_attribute || is_handed
    }

    /// Whether the text after reads the name.
    fn is_read(&self, revision: &Revision) -> bool {
        let mut all = lines(revision.words.comment, revision.new, 0..revision.new.len());
        all.any(|line| self.reads(line.text))
    }
}

/// Whether a line of a text declares a name for the file itself, behind a word.
fn is_declared(text: &str, word: &str, name: &str) -> bool {
    text.lines().any(|line| {
        let is_open = ["export", "public", "pub ", "internal ", "protected "]
            .iter()
            .any(|it| line.trim_start().starts_with(it));
        // What stands in a function is its own.
        let depth = line.len() - line.trim_start().len();
        let is_outer = word == "private "
            || depth == 0
            || word == "\t" && line.starts_with('\t') && !line.starts_with("\t\t");
        let head = line.split(['=', ';']).next().unwrap_or(line);
        let is_named = identifiers(head).any(|it| it == name);
        let begins = if word == "\t" {
            line.trim_start().starts_with(name) && line.contains(" = ")
        } else {
            line.contains(word)
        };
        is_outer && !is_open && begins && is_named && !head.contains('(')
    })
}

/// `_LIMIT = 3` of Python, outside of functions.
fn is_constant(line: &str, name: &str) -> bool {
    let is_upper = name.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit());
    is_upper && line.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with(['=', ':']))
}
