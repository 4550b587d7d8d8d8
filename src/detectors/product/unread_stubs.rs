//! Functions of languages that have no reader here, of which the work gives way to a word that it is not done.

use crate::detectors::engine::hunks::{CodeLine, hunks};
use crate::detectors::product::check_words::{CHECKS, is_named, short};
use crate::detectors::product::lost_check::LostCheck;
use crate::languages::code::identifiers;
use crate::languages::is_test_path;
use crate::model::finding::{Change, Severity};

/// How files end, what begins a comment there, and how code says that it does nothing yet, without white space.
const SAYING: &[(&[&str], &str, &[&str])] = &[
    (
        &[".fs", ".fsx"],
        "//",
        &["raise(NotImplementedException", "failwith\"TODO", "failwith\"notimplemented"],
    ),
    (&[".ml"], "(*", &["failwith\"TODO", "failwith\"notimplemented"]),
    (&[".hs"], "--", &["=undefined", "error\"TODO", "error\"notimplemented"]),
    (&[".lua"], "--", &["error(\"notimplemented", "error('notimplemented", "error(\"TODO"]),
    (&[".jl"], "#", &["error(\"notimplemented", "error(\"TODO"]),
    (&[".zig"], "//", &["@panic(\"TODO", "@panic(\"notimplemented"]),
    (&[".groovy"], "//", &["thrownewUnsupportedOperationException(", "thrownewNotImplementedException("]),
    (&[".clj", ".cljs", ".cljc"], ";", &["(throw(UnsupportedOperationException."]),
    (&[".cr"], "#", &["raiseNotImplementedError"]),
    (&[".nim"], "#", &["raisenewException(NotImplemented"]),
];

/// The first place where work gives way to such a word.
pub(super) fn undone(change: &Change) -> Option<LostCheck> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    let (_, comment, said) =
        SAYING.iter().find(|(ends, ..)| ends.iter().any(|end| change.path.ends_with(end)))?;
    if is_test_path(&change.path) {
        return None;
    }
    let says = |text: &str| {
        let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        said.iter().any(|it| bare.contains(it))
    };
    let count = |text: &str| text.lines().filter(|line| says(line)).count();
    if count(new) <= count(old) {
        return None;
    }
    hunks(comment, old, new)?.iter().find_map(|hunk| {
        let is_stub = hunk.come.len() <= 2 && hunk.come.iter().any(|line| says(line.text));
        let works = |line: &&CodeLine| !says(line.text) && line.text.contains(['(', '=', '+', '.']);
        let work: Vec<&CodeLine> = hunk.gone.iter().filter(works).collect();
        let first = work.first().filter(|_| is_stub && work.len() > 1)?;
        let what = format!("`{}` would not be done any more, but only said to be missing", short(first.text));
        Some(LostCheck::new(first.number, first.text, what, Severity::High))
    })
}

/// Languages without a reader in which a word throws, and is a whole word.
const THROWING: &[&str] = &[".groovy"];

/// The first refusal of such a language that something which refuses nothing takes the place of.
pub(super) fn thrown_no_more(change: &Change) -> Option<LostCheck> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    if is_test_path(&change.path) || !THROWING.iter().any(|end| change.path.ends_with(end)) {
        return None;
    }
    let throws = |line: &str| {
        identifiers(line).any(|word| matches!(word, "throw" | "rethrow" | "throwWithStackTrace"))
    };
    let is_undone = |line: &str| line.contains("Unimplemented") || line.contains("Unsupported");
    let count = |text: &str| text.lines().filter(|line| throws(line)).count();
    if count(new) >= count(old) {
        return None;
    }
    hunks("//", old, new)?.iter().find_map(|hunk| {
        let of = |lines: &[CodeLine]| lines.iter().filter(|line| throws(line.text)).count();
        let line = hunk.gone.iter().find(|line| throws(line.text) && !is_undone(line.text))?;
        // A call may refuse what was refused here.
        let may_refuse = |line: &CodeLine| {
            let name =
                line.text.split('(').next().and_then(|head| identifiers(head).last()).unwrap_or_default();
            let is_error = identifiers(line.text).any(|word| {
                matches!(word, "Err" | "Left" | "Failure" | "left" | "failure")
                    || word.ends_with("Error")
                    || word.ends_with("Exception")
            });
            is_error || line.text.contains('(') && is_named(name, CHECKS) && name != "assert"
        };
        let is_small = hunk.gone.len() <= 6 && hunk.come.len() <= 2;
        let is_lost = of(&hunk.come) < of(&hunk.gone) && is_small && !hunk.come.iter().any(may_refuse);
        let what = format!("`{}` would not be thrown any more", short(line.text));
        is_lost.then(|| LostCheck::new(line.number, line.text, what, Severity::High))
    })
}

/// The first piece of work of such a language that gives way to answers for single values.
pub(super) fn answered_by_value(change: &Change) -> Option<LostCheck> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    if is_test_path(&change.path) || !THROWING.iter().any(|end| change.path.ends_with(end)) {
        return None;
    }
    let code = |line: &CodeLine| line.text.split("//").next().unwrap_or_default().trim().to_owned();
    let is_literal = |value: &str| {
        value.parse::<f64>().is_ok()
            || value.len() > 1 && value.starts_with(['"', '\'']) && value.ends_with(['"', '\''])
    };
    let gives = |line: &CodeLine| {
        code(line).strip_prefix("return ").is_some_and(|value| is_literal(value.trim_end_matches(';')))
    };
    let asks = |line: &CodeLine| line.text.starts_with("if (") && line.text.contains("==");
    hunks("//", old, new)?.iter().find_map(|hunk| {
        let is_fixed = hunk.come.iter().all(|line| gives(line) || asks(line) || line.text == "} else {");
        let loops = |line: &CodeLine| {
            identifiers(line.text).any(|word| matches!(word, "for" | "while" | "fold" | "reduce" | "map"))
        };
        let first = hunk.gone.first().filter(|_| hunk.gone.len() > 1 && hunk.gone.iter().any(loops))?;
        let asked =
            hunk.come.iter().find(|line| asks(line)).filter(|_| is_fixed && hunk.come.iter().any(gives))?;
        let what = format!("`{}` would answer where it was worked out", short(asked.text));
        Some(LostCheck::new(first.number, first.text, what, Severity::High))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_is_only_said_to_be_missing_is_lost() {
        let told = |path: &str, old: &str, new: &str| {
            let text = |it: &str| Some(it.to_owned());
            undone(&Change { path: path.to_owned(), before: text(old), after: text(new) }).is_some()
        };
        let berth = "int free(Berth b) {\n  def taken = b.slots.findAll { isTaken(it) }\n  return b.size - taken.size()\n}\n";
        let stub = "int free(Berth b) {\n  // later\n  throw new UnsupportedOperationException()\n}\n";
        assert!(told("src/berth.groovy", berth, stub));
        assert!(!told("test/berth_test.groovy", berth, stub));
        assert!(!told("src/berth.groovy", stub, berth));
        assert!(!told(
            "src/berth.groovy",
            berth,
            &format!("{berth}\nint kept() {{\n  throw new UnsupportedOperationException()\n}}\n")
        ));
        let lua = "local function free(b)\n  local n = count(b.slots)\n  return b.size - n\nend\n";
        assert!(told("src/berth.lua", lua, "local function free(b)\n  error(\"not implemented\")\nend\n"));
    }
}
