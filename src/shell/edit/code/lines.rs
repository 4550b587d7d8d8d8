//! Python that reads a file as a list of lines, takes some out or puts others in by their numbers, and writes the list back.
//!
//! Exact or nothing: a statement with the list in it that is not understood leaves nothing known.

use crate::shell::edit::EditStep;
use crate::shell::edit::code::texts::{TextVariables, name};
use crate::shell::model::ScriptLanguage;

/// The most statements with the list in them.
const MOST: usize = 30;

/// The list of a file's lines.
struct LineList<'s> {
    name: &'s str,
    /// Whether each line is held with its end.
    ended: bool,
}

/// The steps in which a source changes the list of its file's lines: none where it has no such list. `None` where they
/// can't be known.
pub(super) fn edits(language: ScriptLanguage, source: &str, names: &TextVariables) -> Option<Vec<EditStep>> {
    let statements = || source.lines().map(str::trim);
    let Some(lines) = statements().find_map(list_of).filter(|_| language == ScriptLanguage::Python) else {
        return Some(Vec::new());
    };
    let mut steps = Vec::new();
    let after = statements().skip_while(|it| list_of(it).is_none()).skip(1).collect::<Vec<_>>().join("\n");
    let mut rest = after.as_str();
    for _ in 0..MOST {
        let Some(at) = lines.place(rest) else { return Some(steps) };
        let start = rest.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
        let (changed, left) = lines.statement(rest.get(start..)?, names)?;
        steps.extend(changed);
        rest = left;
    }
    None
}

/// `lines = open(f).readlines()` and its like.
fn list_of(statement: &str) -> Option<LineList<'_>> {
    let (name, given) = name(statement)?;
    let given = given.trim_start().strip_prefix('=')?.trim();
    let ends = [
        (".readlines()", true),
        (".splitlines(keepends=True)", true),
        (".splitlines(True)", true),
        (".splitlines()", false),
        (".split('\\n')", false),
        (".split(\"\\n\")", false),
    ];
    let ended = ends.iter().find(|(end, _)| given.ends_with(end))?.1;
    Some(LineList { name, ended })
}

impl LineList<'_> {
    /// Where the list is named next.
    fn place(&self, text: &str) -> Option<usize> {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        text.match_indices(self.name).map(|(at, _)| at).find(|at| {
            let (before, after) = (text.get(..*at), text.get(at + self.name.len()..));
            !before.is_some_and(|it| it.ends_with(is_part))
                && !after.is_some_and(|it| it.starts_with(is_part))
        })
    }

    /// The steps of a statement with the list in it, and what comes after it.
    fn statement<'t>(&self, text: &'t str, names: &TextVariables) -> Option<(Vec<EditStep>, &'t str)> {
        let line = text.split('\n').next()?;
        let after = text.get(line.len()..)?;
        if let Some(rest) = line.strip_prefix("del ") {
            let (from, to) = self.slice(rest)?.0;
            return Some((vec![spliced(from, to, String::new())], after));
        }
        if let Some(rest) = text.strip_prefix(self.name) {
            if let Some(rest) = rest.strip_prefix(".insert(") {
                let (at, rest) = rest.split_once(',')?;
                let (text, rest) = names.value(rest.trim_start(), true)?;
                let at: usize = at.trim().parse().ok()?;
                return Some((vec![spliced(at, at, self.line(text)?)], rest.strip_prefix(')')?));
            }
            if rest.starts_with('[') {
                let ((from, to), rest) = self.slice(text)?;
                let given = rest.trim_start().strip_prefix('=')?.trim_start();
                let (lines, rest) = match given.starts_with('[') {
                    true => names.list(given)?,
                    false => names.value(given, false).map(|(text, rest)| (vec![text], rest))?,
                };
                let with: Option<String> = lines.into_iter().map(|it| self.line(it)).collect();
                return Some((vec![spliced(from, to, with?)], rest));
            }
        }
        let (steps, rest) = self.joined(text, names)?;
        Some((steps, rest))
    }

    /// `lines[:8] + ["…"] + lines[12:]` anywhere in a statement, or the list as it is where it is only written.
    fn joined<'t>(&self, text: &'t str, names: &TextVariables) -> Option<(Vec<EditStep>, &'t str)> {
        // Where it is assigned to, the list is named before.
        let own = text.strip_prefix(self.name).and_then(|it| it.trim_start().strip_prefix('='));
        let text = own.unwrap_or(text);
        let rest = text.get(self.place(text)? + self.name.len()..)?;
        let Some(rest) = rest.strip_prefix("[:") else {
            return rest.starts_with(')').then_some((Vec::new(), rest));
        };
        let (from, rest) = rest.split_once(']')?;
        let mut rest = rest.trim_start().strip_prefix('+')?.trim_start();
        let mut with = String::new();
        while rest.starts_with('[') {
            let (lines, after) = names.list(rest)?;
            for line in lines {
                with.push_str(&self.line(line)?);
            }
            rest = after.trim_start().strip_prefix('+')?.trim_start();
        }
        let (to, rest) = rest.strip_prefix(self.name)?.strip_prefix('[')?.split_once(":]")?;
        Some((vec![spliced(from.trim().parse().ok()?, to.trim().parse().ok()?, with)], rest))
    }

    /// The bounds of `lines[8:12]` or `lines[8]`, and what comes after them.
    fn slice<'t>(&self, text: &'t str) -> Option<((usize, usize), &'t str)> {
        let (inside, rest) = text.strip_prefix(self.name)?.strip_prefix('[')?.split_once(']')?;
        let bounds = match inside.split_once(':') {
            Some((from, to)) => {
                let from = if from.trim().is_empty() { 0 } else { from.trim().parse().ok()? };
                (from, if to.trim().is_empty() { usize::MAX } else { to.trim().parse().ok()? })
            }
            None => inside.trim().parse().ok().map(|at: usize| (at, at + 1))?,
        };
        Some((bounds, rest))
    }

    /// A line of the list as it comes to stand in the file.
    fn line(&self, text: String) -> Option<String> {
        match self.ended {
            true => (text.is_empty() || text.ends_with('\n')).then_some(text),
            false => Some(text + "\n"),
        }
    }
}

fn spliced(from: usize, to: usize, with: String) -> EditStep {
    EditStep::Splice { from, to, with }
}
