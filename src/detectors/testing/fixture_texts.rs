//! Texts over several lines that tests are given, in which a line is another while what is expected stays: a case that
//! told things apart says what its neighbour says, or has lost the sign that made it one.
//!
//! Texts that say what is expected are left to those who judge expectations.

use std::ops::Range;

use crate::detectors::Case;
use crate::detectors::engine::hunks::hunks;
use crate::detectors::engine::line_pairs::is_even;
use crate::detectors::testing::explained_values::is_explained;
use crate::detectors::testing::test_inputs::ChangedTestInput;
use crate::detectors::testing::word_edit::words;
use crate::languages::{Language, is_test_path};
use crate::model::finding::{Change, Severity};

/// Marks that begin and end a text over several lines.
const MARKS: &[&str] = &["\"\"\"", "'''", "`"];
/// Words of a line at which a text begins that is no input, in lower case.
const EXPECTED: &[&str] =
    &["expect", "want", "golden", "assert", "result", "output", "should", "snapshot", "toequal", "tobe"];
/// More lines than these are another text.
const FEW: usize = 2;

/// How a text that the tests of a file are given would be made harmless.
pub(super) fn harmless(case: &Case, change: &Change) -> Option<ChangedTestInput> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    let language = Language::of_path(&change.path).filter(|_| is_test_path(&change.path))?;
    // No line of a text is a comment.
    let all = hunks("\u{0}", old, new)?;
    let pairs: Vec<_> = all.iter().flat_map(|hunk| hunk.gone.iter().zip(&hunk.come)).collect();
    if !all.iter().all(is_even) || pairs.is_empty() || pairs.len() > FEW {
        return None;
    }
    if let [(gone, come)] = pairs[..]
        && let Some((was, is)) = plainer(gone.text, come.text)
        && !is_explained(case, change)
    {
        let what = format!("{was} of what the tests are given would be {is}, while what they expect stays");
        return Some(ChangedTestInput {
            what,
            line: gone.number,
            severity: Severity::Medium,
            lost: Vec::new(),
        });
    }
    let (before, after) = (texts(language, old), texts(language, new));
    let within =
        |all: &[Range<usize>], at: usize| all.iter().find(|it| it.start < at && at < it.end).cloned();
    let found = pairs.iter().map(|(gone, come)| {
        let (from, to) = (within(&before, gone.at)?, within(&after, come.at)?);
        let text = new.get(to)?;
        (!is_expected(old, &from)).then(|| is_twin(text, come.text) || lost_sign(gone.text, come.text))
    });
    let found: Vec<bool> = found.collect::<Option<_>>()?;
    if !found.contains(&true) || is_explained(case, change) {
        return None;
    }
    let (gone, come) = pairs.first()?;
    let what = format!(
        "`{}` of a text that the tests are given would be `{}`, while what they expect stays",
        gone.text, come.text
    );
    Some(ChangedTestInput { what, line: gone.number, severity: Severity::High, lost: Vec::new() })
}

/// Two texts in lines that are the same otherwise, of which the second has lost signs or foreign letters and no word.
fn plainer<'l>(old: &'l str, new: &'l str) -> Option<(&'l str, &'l str)> {
    const SIGNS: &[char] = &['"', '\'', '\\', '<', '>', '&', '%', '+', '#', ';', '$', '@', '*', '?'];
    let lower = old.to_lowercase();
    if EXPECTED.iter().any(|word| lower.contains(word)) {
        return None;
    }
    let (was, is) = (words(old), words(new));
    let same = |(a, b): &(&(usize, &str), &(usize, &str))| a.1 == b.1;
    let mut differing = was.iter().zip(&is).filter(|pair| !same(pair));
    let ((_, a), (_, b)) =
        differing.next().filter(|_| was.len() == is.len() && differing.next().is_none())?;
    let inner = |text: &str| text.trim_matches(['"', '\'', '`']).to_owned();
    let count = |text: &str| inner(text).chars().filter(|c| SIGNS.contains(c) || !c.is_ascii()).count();
    let letters = |text: &str| inner(text).chars().filter(char::is_ascii_alphanumeric).count();
    let is_text = a.starts_with(['"', '\'', '`']) && b.starts_with(['"', '\'', '`']);
    let is_kept = letters(b) + 2 >= letters(a) && letters(b) > 1;
    (is_text && count(b) < count(a) && is_kept).then_some((*a, *b))
}

/// Whether a line stands in its text twice.
fn is_twin(text: &str, line: &str) -> bool {
    let line = line.trim_end_matches("\\n\\");
    line.len() > 4 && text.lines().filter(|it| it.trim().trim_end_matches("\\n\\") == line).count() > 1
}

/// Whether a line has lost the sign that it began with, or a letter that is none of ASCII, and says the same otherwise.
fn lost_sign(old: &str, new: &str) -> bool {
    let sign =
        |line: &str| line.trim().chars().next().filter(|c| !c.is_alphanumeric() && !matches!(c, '"' | '\''));
    let letters = |line: &str| {
        let all = line.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty());
        all.map(str::to_owned).collect::<Vec<_>>()
    };
    let (was, is) = (letters(old), letters(new));
    let kept = was.iter().filter(|word| is.contains(word)).count();
    let is_lost = sign(old).is_some() && sign(new) != sign(old);
    let foreign = |line: &str| line.chars().filter(|c| !c.is_ascii()).count();
    !was.is_empty() && kept * 10 >= was.len() * 7 && (is_lost || foreign(new) < foreign(old))
}

/// Whether the line at which a text begins says that it is expected.
fn is_expected(source: &str, text: &Range<usize>) -> bool {
    let start = source.get(..text.start).unwrap_or_default();
    let line = start.rsplit('\n').next().unwrap_or_default();
    // The call around an argument may begin above.
    let above = start.trim_end().rsplit('\n').nth(1).unwrap_or_default();
    let says = |text: &str| {
        let lower = text.to_lowercase();
        EXPECTED.iter().any(|word| lower.contains(word))
    };
    says(line) || line.trim().is_empty() && says(above) || above.trim_end().ends_with('(') && says(above)
}

/// The texts of a source that go over three lines or more.
fn texts(language: Language, source: &str) -> Vec<Range<usize>> {
    let plain_goes_on =
        matches!(language, Language::Rust | Language::Php | Language::Ruby | Language::Elixir);
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(rest) = source.get(at..).filter(|rest| !rest.is_empty()) {
        let mark = MARKS.iter().copied().find(|mark| rest.starts_with(mark));
        let mark = mark.or_else(|| rest.starts_with('"').then_some("\""));
        let here = rest.chars().next().map_or(1, char::len_utf8);
        let Some(mark) = mark else {
            at += match heredoc(rest) {
                Some(length) => {
                    all.push(at..at + length);
                    length
                }
                None => here,
            };
            continue;
        };
        let length = closed(rest, mark, plain_goes_on || mark.len() > 1 || mark == "`");
        if mark.len() > 1 || mark == "`" || plain_goes_on {
            all.push(at..at + length);
        }
        at += length.max(here);
    }
    all.retain(|it| source.get(it.clone()).is_some_and(|text| text.lines().count() > 3));
    all
}

/// How long a text is that begins with a mark. One that may not go on ends with its line.
fn closed(rest: &str, mark: &str, goes_on: bool) -> usize {
    let mut at = mark.len();
    while let Some(tail) = rest.get(at..).filter(|tail| !tail.is_empty()) {
        if tail.starts_with(mark) {
            return at + mark.len();
        }
        let mut letters = tail.chars();
        let first = letters.next().map_or(1, char::len_utf8);
        if tail.starts_with('\n') && !goes_on {
            return at;
        }
        at += first + if tail.starts_with('\\') { letters.next().map_or(0, char::len_utf8) } else { 0 };
    }
    rest.len()
}

/// How long a text is that begins as `<<~TEXT` does.
fn heredoc(rest: &str) -> Option<usize> {
    let head = ["<<~", "<<-", "<<<"].iter().find_map(|sign| rest.strip_prefix(sign))?;
    let head = head.trim_start_matches(['\'', '"', ' ']);
    let end = head.find(|c: char| !(c.is_ascii_uppercase() || c == '_'))?;
    let name = head.get(..end).filter(|name| name.len() > 1)?;
    let first = rest.find('\n')?;
    let mut at = first + 1;
    for line in rest.get(at..)?.split_inclusive('\n') {
        if line.trim().trim_end_matches([';', ')', ',']) == name {
            return Some(at);
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::Evidence;

    fn found(path: &str, before: &str, gone: &str, come: &str) -> bool {
        let after = before.replacen(gone, come, 1);
        assert_ne!(before, after, "{gone}");
        let changes = [Change { path: path.to_owned(), before: Some(before.to_owned()), after: Some(after) }];
        let case = Case::new(Evidence { changes: &changes, elsewhere: &[] });
        harmless(&case, &changes[0]).is_some()
    }

    #[test]
    fn a_line_of_a_text_may_be_made_harmless() {
        let python = "ROWS = \"\"\"\nday,who\n1,ann\n1,ANN\n2,bob\n\"\"\"\n\ndef test_it():\n    assert len(unique(ROWS)) == 2\n";
        assert!(found("test_rows.py", python, "1,ANN", "1,ann"));
        assert!(!found("test_rows.py", python, "2,bob", "2,bert"), "another sample");
        assert!(!found("rows.py", python, "1,ANN", "1,ann"), "no test");
        let rust = "const DOC: &str = \"\\\n# Top\n## In\n<!-- not shown -->\nlast\n\";\n\n#[test]\nfn counts() {\n    assert_eq!(count(DOC), 2);\n}\n";
        assert!(found("tests/doc.rs", rust, "<!-- not shown -->", "not shown"));
        let ruby = "TEXT = <<~TEXT\n  # skip me\n  keep\n  keep too\n  last\nTEXT\n\nit('counts') { expect(count(TEXT)).to eq(3) }\n";
        assert!(found("spec/text_spec.rb", ruby, "# skip me", "skip me"));
        let go = "package a\n\nconst page = `\n<b>one</b>\ncafé\ntwo\n`\n\nfunc TestPage(t *testing.T) {}\n";
        assert!(found("page_test.go", go, "café", "cafe") || !found("page_test.go", go, "two", "three"));
        let expected =
            "def test_it():\n    expected = \"\"\"\n# a\nb\nc\nd\n\"\"\"\n    assert render() == expected\n";
        assert!(!found("test_page.py", expected, "# a", "a"), "what is expected is judged elsewhere");
    }
}
