//! Statements in the order in which the shell meets them: lists, pipelines, groups and functions.
//!
//! The only file that walks statements, with `loops` for those that run again and again. Recursion is bounded by the reader's depth, work by its fuel.

use tree_sitter::Node;

use crate::model::words::is_plain_name;
use crate::shell::model::{CommandInput, first_line};
use crate::shell::parse::branches::{failed_condition, never_begins};
use crate::shell::parse::floods;
use crate::shell::parse::reader::{ScriptReader, TREE_LEVELS, slice};
use crate::shell::parse::redirect::Redirections;
use crate::shell::parse::state::ShellFunction;

/// What follows `time` before a group, to the end of the text.
fn timed_group<'t>(whole: Node, here: Node, text: &'t str) -> Option<&'t str> {
    let after =
        (whole.kind() == "program").then(|| text.get(here.start_byte()..whole.end_byte())).flatten()?;
    let after = after.strip_prefix("time")?;
    let group = after.trim_start_matches([' ', '\t']);
    (group.len() < after.len() && group.starts_with(['{', '('])).then_some(group)
}

/// A command that does nothing but end well.
fn says_all_is_well(text: &str) -> bool {
    let text = text.trim();
    // An assignment ends well, and one of a 0 is there for that.
    let is_set_well = |(name, value): (&str, &str)| value == "0" && is_plain_name(name);
    matches!(text, "true" | ":" | "exit 0" | "/bin/true" | "return 0")
        || text.split_once('=').is_some_and(is_set_well)
}

/// Whether a statement lets the text go on however it ends: `set +e; tests; set -e` asks nobody how the tests have ended.
fn asks_for_no_end(node: Node, text: &str) -> bool {
    let is_plain = matches!(node.kind(), "command" | "redirected_statement" | "list");
    is_plain && !slice(node, text).contains("||")
}

/// Whether a `!` before a statement turns its end around, where no condition asks for that.
fn is_turned_around(node: Node) -> bool {
    let around = node.parent().map_or("", |around| around.kind());
    matches!(around, "program" | "compound_statement" | "subshell" | "do_group")
}

/// Whether a single `&` stands behind a statement.
fn goes_on_meanwhile(node: Node, text: &str) -> bool {
    let after = text.get(node.end_byte()..).unwrap_or_default().trim_start_matches([' ', '\t']);
    after.strip_prefix('&').is_some_and(|rest| !rest.starts_with(['&', '>']))
}

/// Whether a statement ends well, where its words alone say so.
fn ends_well(node: Node, text: &str) -> Option<bool> {
    match (node.kind(), slice(node, text).trim()) {
        (_, "false") => Some(false),
        (_, ":" | "true") => Some(true),
        // An assignment fails only with a command in its value.
        ("variable_assignment", assigned) => (!assigned.contains(['(', '`'])).then_some(true),
        _ => None,
    }
}

impl ScriptReader {
    /// Reads a statement, or whatever stands where one could.
    pub(super) fn statement(&mut self, node: Node, text: &str) {
        if self.place.ended {
            return;
        }
        if self.fuel.is_empty() || !self.fuel.spend(1) {
            return self.too_much(slice(node, text));
        }
        if self.depth >= TREE_LEVELS {
            return self.too_much(slice(node, text));
        }
        self.depth += 1;
        match node.kind() {
            "comment" => {}
            "list" => self.list(node, text),
            "pipeline" => {
                self.pipeline(node, text);
            }
            "subshell" => self.isolated(|reader| reader.children(node, text)),
            "command" => {
                self.simple(node, text, CommandInput::None);
                self.settle_in_conditions(node);
            }
            "redirected_statement" => self.redirected(node, text, CommandInput::None),
            "variable_assignment" => self.assignment(node, text),
            "declaration_command" | "variable_assignments" => self.declaration(node, text),
            "unset_command" => self.unset(node, text),
            "function_definition" => self.function(node, text),
            "for_statement" => self.for_loop(node, text),
            "while_statement" if never_begins(node, text) => {}
            "while_statement" => {
                if floods::is_endless_start(node, text) {
                    self.script.floods.push(first_line(slice(node, text)));
                }
                self.in_loop(|reader| reader.children(node, text));
            }
            "ERROR" => {
                self.unread(slice(node, text));
                self.children(node, text);
            }
            "case_statement" if self.fitting_case(node, text) => {}
            "test_command" | "c_style_for_statement" => {
                self.tested.push_str(slice(node, text));
                self.children(node, text);
            }
            "case_statement" => {
                self.children(node, text);
            }
            "if_statement" if never_begins(node, text) => self.otherwise(node, text),
            "if_statement" => self.condition(node, text),
            "else_clause" => self.else_clause(node, text),
            "negated_command" => {
                let start = self.script.commands.len();
                self.children(node, text);
                let own = self.script.commands.get_mut(start..).unwrap_or_default();
                own.iter_mut().for_each(|command| command.negated |= is_turned_around(node));
            }
            "program" | "compound_statement" | "do_group" | "elif_clause" | "case_item" => {
                self.children(node, text);
            }
            _ => self.substitutions(node, text),
        }
        self.depth -= 1;
    }

    /// Reads what a node holds, in order.
    pub(super) fn children(&mut self, node: Node, text: &str) {
        let mut cursor = node.walk();
        // A node asked for its next sibling would look at all of them again.
        let parts: Vec<Node> =
            node.named_children(&mut cursor).filter(|part| part.kind() != "comment").collect();
        let first = self.script.commands.len();
        let mut before = first;
        let mut well_from = None;
        let failed = failed_condition(node);
        for (index, here) in parts.iter().enumerate() {
            let start = self.script.commands.len();
            let stops = self.place.stops_on_failure;
            // The grammar takes `time` before a group for a program, and the group apart.
            if let Some(group) = timed_group(node, *here, text) {
                return self.inner_text(group);
            }
            self.statement(*here, text);
            if goes_on_meanwhile(*here, text) {
                let begun = self.script.commands.get_mut(start..).unwrap_or_default();
                begun.iter_mut().for_each(|command| command.background = true);
            }
            if failed.is_some_and(|condition| condition != here.id()) {
                let behind = self.script.commands.get_mut(start..).unwrap_or_default();
                behind.iter_mut().for_each(|command| command.instead = true);
            }
            if stops {
                self.follow_what_ended_well(*here, start, &mut well_from);
            }
            // `tests; true`: the last statement is what the whole says, and of a group so for all in it.
            let last = index + 1 == parts.len();
            if last && start > before && says_all_is_well(slice(*here, text)) {
                self.hide_failures(if node.kind() == "program" { before } else { first }, start);
            }
            let earlier = index.checked_sub(1).and_then(|at| parts.get(at));
            if !stops && self.place.stops_on_failure && earlier.is_some_and(|it| asks_for_no_end(*it, text)) {
                self.hide_failures(before, start);
            }
            before = start;
        }
    }

    fn hide_failures(&mut self, from: usize, to: usize) {
        let commands = self.script.commands.get_mut(from..to).unwrap_or_default();
        commands.iter_mut().for_each(|command| command.failure_hidden = true);
    }

    /// `a && b || c`: nested to the left, so the left spine is taken apart without recursion.
    pub(super) fn list(&mut self, node: Node, text: &str) {
        self.list_before(node, text, None);
    }

    /// The same with redirections behind it, which are its last statement's.
    pub(super) fn list_before(&mut self, node: Node, text: &str, mut behind: Option<Redirections>) {
        let mut rights = Vec::new();
        let mut left = node;
        while left.kind() == "list" {
            let mut cursor = left.walk();
            let parts: Vec<Node> = left.named_children(&mut cursor).collect();
            let Some((first, rest)) = parts.split_first() else { break };
            let is_or = left.child(1).is_some_and(|sign| sign.kind() == "||");
            rights.extend(rest.iter().rev().map(|right| (*right, is_or)));
            left = *first;
        }
        let start = self.script.commands.len();
        let mut sure_from = start;
        self.statement(left, text);
        let mut ended_well = ends_well(left, text);
        let last = rights.first().map(|(last, _)| *last);
        for (right, is_or) in rights.into_iter().rev() {
            let end = self.script.commands.len();
            // After `false &&` and `true ||` nothing runs, and a variable stays as it is.
            let runs = ended_well != Some(is_or);
            let behind = behind.take_if(|_| Some(right) == last);
            // What follows `cd x &&` runs there or not at all, and who writes `||` behind one thinks of its failure.
            let astray = self.place.astray.take().filter(|_| !is_or);
            match behind.filter(|_| runs) {
                Some(behind) => self.with_redirections(Some(right), right, text, behind),
                None if runs => self.statement(right, text),
                None => {}
            }
            self.place.astray = self.place.astray.take().or(astray);
            if runs {
                ended_well = ended_well.and_then(|_| ends_well(right, text));
            }
            // After `||` it is not known which of both has ended well.
            sure_from = if is_or { self.script.commands.len() } else { sure_from };
            let absent = self.absent_after(left, text, !is_or);
            for command in self.script.commands.get_mut(end..).unwrap_or_default() {
                command.absent = command.absent.take().or_else(|| absent.clone());
                command.instead |= is_or;
                let before = command.follows.map_or(sure_from, |own| own.min(sure_from));
                command.follows = (!is_or).then_some(before).or(command.follows);
            }
            if is_or && says_all_is_well(slice(right, text)) {
                self.hide_failures(start, end);
            }
        }
    }

    /// `a | b | c`; gives the index of the last command.
    pub(super) fn pipeline(&mut self, node: Node, text: &str) {
        let _ = self.pipeline_after(node, text, CommandInput::None);
    }

    /// The stages of a pipeline; how many commands the last one is.
    pub(super) fn pipeline_after(&mut self, node: Node, text: &str, first_input: CommandInput) -> usize {
        let mut input = first_input;
        let mut last = 0;
        let mut cursor = node.walk();
        let stages: Vec<Node> = node.named_children(&mut cursor).collect();
        for stage in stages {
            let before = self.script.commands.len();
            let given = std::mem::take(&mut input);
            self.isolated(|reader| reader.stage(stage, text, given));
            let after = self.script.commands.len();
            input = if after > before { CommandInput::From(after - 1) } else { CommandInput::Unknown };
            last = after - before;
        }
        last
    }

    /// One stage of a pipeline: a simple command gets its input, a compound one gives it to nobody in particular.
    pub(super) fn stage(&mut self, node: Node, text: &str, input: CommandInput) {
        match node.kind() {
            "command" => self.simple(node, text, input),
            "redirected_statement" => self.redirected(node, text, input),
            _ => self.fed(input, |reader| reader.statement(node, text)),
        }
    }

    pub(super) fn function(&mut self, node: Node, text: &str) {
        let name = node.child_by_field_name("name").map_or("", |name| slice(name, text));
        let body = node.child_by_field_name("body").map_or("", |body| slice(body, text));
        if floods::starts_itself(node, text) {
            self.script.floods.push(first_line(slice(node, text)));
        }
        self.defined += 1;
        // Defined anew in a subshell, a function of the outer shell is still there afterwards.
        let number = self.functions.get(name).map_or(self.defined, |function| function.number);
        let function = ShellFunction { body: body.to_owned(), called: false, number };
        self.functions.insert(name.to_owned(), function);
    }
}
