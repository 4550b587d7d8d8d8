//! Conditions and cases of which the text itself says which branch runs.

use tree_sitter::Node;

use crate::shell::parse::reader::{ScriptReader, slice};

/// `if false`, `while false`: what follows the condition never runs.
pub(super) fn never_begins(node: Node, text: &str) -> bool {
    let condition = node.child_by_field_name("condition").map_or("", |condition| slice(condition, text));
    matches!(condition.trim(), "false" | "/bin/false" | "! true") && !slice(node, text).starts_with("until")
}

/// `if ! tests; then …; fi`: the condition, where all else of an `if` runs only because it has failed.
pub(super) fn failed_condition(node: Node) -> Option<usize> {
    let condition = (node.kind() == "if_statement").then(|| node.child_by_field_name("condition"))??;
    let mut cursor = node.walk();
    let has_others = node.named_children(&mut cursor).any(|part| part.kind().ends_with("_clause"));
    (condition.kind() == "negated_command" && !has_others).then_some(condition.id())
}

impl ScriptReader {
    /// `if cd x; then`: what follows knows how that ended.
    pub(super) fn settle_in_conditions(&mut self, command: Node) {
        let around = command.parent().map_or("", |around| around.kind());
        if matches!(around, "if_statement" | "elif_clause" | "while_statement" | "negated_command") {
            self.place.astray = None;
        }
    }

    /// `case dev in prod) …`: where the subject and the patterns are plain words, only what fits runs. Says whether that
    /// was so.
    pub(super) fn fitting_case(&mut self, node: Node, text: &str) -> bool {
        let is_plain = |text: &str| {
            !text.is_empty()
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        };
        let subject = node
            .child_by_field_name("value")
            .map_or("", |value| slice(value, text))
            .trim_matches(['"', '\'']);
        let mut cursor = node.walk();
        let items: Vec<Node> =
            node.named_children(&mut cursor).filter(|item| item.kind() == "case_item").collect();
        let patterns = |item: &Node| -> Vec<String> {
            let mut cursor = item.walk();
            let values = item.children_by_field_name("value", &mut cursor);
            values.map(|value| slice(value, text).trim_matches(['"', '\'']).to_owned()).collect()
        };
        let known = |item: &Node| patterns(item).iter().all(|pattern| is_plain(pattern) || pattern == "*");
        // What goes on into the next branch (`;&`) is not followed.
        let goes_on = slice(node, text).contains(";&");
        if !is_plain(subject) || items.is_empty() || goes_on || !items.iter().all(known) {
            return false;
        }
        let fits = |item: &&Node| patterns(item).iter().any(|pattern| pattern == "*" || pattern == subject);
        if let Some(item) = items.iter().find(fits) {
            self.children(*item, text);
        }
        true
    }

    /// The other branches of an `if` whose first never runs.
    pub(super) fn otherwise(&mut self, node: Node, text: &str) {
        let mut cursor = node.walk();
        let others = |part: &Node| matches!(part.kind(), "elif_clause" | "else_clause");
        let parts: Vec<Node> = node.named_children(&mut cursor).filter(others).collect();
        parts.into_iter().for_each(|part| self.statement(part, text));
    }
}
