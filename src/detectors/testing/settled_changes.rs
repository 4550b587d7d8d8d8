//! Changes of the session to the product: which of them may make the code that tests are about answer otherwise, and which
//! take away what a test asked.

use crate::detectors::Case;
use crate::detectors::engine::hunks::{CodeLine, hunks};
use crate::detectors::testing::test_inputs::is_product_change;
use crate::detectors::testing::test_lines::{defined_name, defines};
use crate::languages::Language;
use crate::model::finding::Change;
use crate::model::words::has_word;

/// Calls that only say what happens.
const SAYING: &[&str] = &[
    "log.", "LOG.", "logger.", "_log.", "logging.", "console.", "slog.", "print(", "println", "puts ",
    "Logger.",
];

/// Whether a change is one of product code by which what was there may answer otherwise: not where only functions, comments
/// or lines of a log came on top.
pub(super) fn may_answer_otherwise(change: &Change) -> bool {
    is_product_change(change) && !only_comes_on_top(change)
}

fn only_comes_on_top(change: &Change) -> bool {
    let (Some(old), Some(new)) = (change.before.as_deref(), change.after.as_deref()) else { return false };
    let Some(language) = Language::of_path(&change.path) else { return false };
    let Some(all) = hunks(language.refusing().comment, old, new) else { return false };
    let is_said = |line: &&CodeLine| SAYING.iter().any(|call| line.text.starts_with(call));
    let is_definition = |line: &CodeLine| {
        let name = defined_name(line.text.split("=>").next().unwrap_or_default());
        name.len() > 2 && defines(line.text, name) && !old.contains(name)
    };
    all.iter().all(|hunk| {
        let gone = hunk.gone.iter().filter(|line| !is_said(line)).count();
        let mut come =
            hunk.come.iter().filter(|line| !is_said(line) && !matches!(line.text, "}" | "end" | "};"));
        gone == 0 && come.next().is_none_or(is_definition)
    })
}

/// Whether the session took a name out of the product: what asked it needs another.
pub(super) fn is_taken_away(case: &Case, change: &Change, name: &str) -> bool {
    case.all_changes().filter(|it| it.path != change.path && is_product_change(it)).any(|it| {
        let has = |text: &Option<String>| text.as_deref().is_some_and(|text| has_word(text, name));
        has(&it.before) && !has(&it.after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_on_top_changes_no_answer() {
        let before = "class Till:\n    def total(self):\n        return self.sum\n\n    def pay(self, amount):\n        self.sum -= amount\n";
        for (from, to, may) in [
            ("    def pay", "    def lines(self):\n        return self.rows\n\n    def pay", false),
            ("        self.sum -=", "        log.info(\"paid\")\n        self.sum -=", false),
            ("        self.sum -=", "        amount = abs(amount)\n        self.sum -=", true),
            ("return self.sum", "return round(self.sum)", true),
        ] {
            let text = |text: String| Some(text);
            let change = Change {
                path: "shop/till.py".to_owned(),
                before: text(before.to_owned()),
                after: text(before.replacen(from, to, 1)),
            };
            assert_eq!(may_answer_otherwise(&change), may, "{to}");
        }
    }
}
