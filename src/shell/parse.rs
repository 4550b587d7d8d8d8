//! From the grammar's tree to commands in the order the shell meets them, with `cd` and literal variables followed.
//!
//! The only file that walks statements. Recursion is bounded by the reader's depth, work by the number of commands.

pub(crate) mod bounds;
pub(crate) mod elsewhere;
pub(crate) mod floods;
pub(crate) mod output;
pub(crate) mod powershell;
pub(crate) mod redirect;
pub(crate) mod streams;
pub(crate) mod unquote;
pub(crate) mod words;

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tree_sitter::{Node, Tree};

use crate::shell::model::{Command, DEEPEST_NESTING, Input, LONGEST_TEXT, Script, Word, first_line};
use crate::shell::parse::bounds::Fuel;
use crate::shell::parse::elsewhere::Elsewhere;
use crate::shell::parse::output::{FRESH_DIRECTORY, FRESH_HOME};
use crate::shell::parse::unquote::{Mark, Marks};

/// How many levels of the tree one level of nesting may take.
pub(super) const TREE_LEVELS: u32 = DEEPEST_NESTING * 4;
/// How often text may be run by text (`bash -c`, `eval`, a function's body).
const DEEPEST_TEXT: u32 = 12;
/// How many texts may be run by text, in all: functions that call each other multiply.
const MOST_INNER_TEXTS: usize = 256;
/// The most bytes of text run by text that are taken apart, in all.
const MOST_INNER_TEXT: usize = LONGEST_TEXT;

/// Each variable's values: several for a loop or an array, `None` when unknown.
pub(super) type Variables = HashMap<String, Option<Vec<Marks>>>;

/// What a function's own variable hides: nothing, or a value that may be unknown.
pub(super) type Hidden = Option<Option<Vec<Marks>>>;

/// The state of a shell, as far as it is known.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    /// Where it stands.
    pub(super) directory: Option<PathBuf>,
    /// Where it stood before.
    pub(super) previous: Option<PathBuf>,
    /// Its variables, shared until a subshell changes one.
    pub(super) variables: Rc<Variables>,
    /// Variables that can't be set again.
    pub(super) read_only: Vec<String>,
    /// Variables that stand for another (`declare -n`).
    pub(super) references: Vec<(String, String)>,
    /// `$1` and so on, inside of a function or script.
    pub(super) arguments: Option<Vec<Word>>,
}

/// One reading of a text.
pub(super) struct Reader {
    /// What was found so far.
    pub(super) script: Script,
    /// The shell's state.
    pub(super) place: Place,
    /// The user's home.
    pub(super) home: PathBuf,
    /// The text's functions by name.
    pub(super) functions: HashMap<String, Function>,
    /// How many functions were defined.
    pub(super) defined: usize,
    /// Files that the text itself wrote, and what it opened as `/dev/fd/N`, with known content.
    pub(super) files: HashMap<PathBuf, String>,
    /// Whether functions are exported to other shells.
    pub(super) exports_functions: bool,
    /// Builtins that `enable -n` took away.
    pub(super) disabled: Vec<String>,
    /// Descriptors that are open for writing, by number.
    pub(super) outputs: HashMap<String, Word>,
    /// What the group at hand reads: a loop with a file behind it, or in a pipeline.
    pub(super) group_input: Input,
    /// The texts of `>(…)`, by the name that the shell gives to each.
    pub(super) sinks: HashMap<String, String>,
    /// Where the text at hand runs, when that is not here.
    pub(super) elsewhere: Option<Elsewhere>,
    /// Names that `hash -p` gave to programs.
    pub(super) hashed: HashMap<String, String>,
    /// For each function that runs, the variables of its own with the values that they hide.
    pub(super) locals: Vec<Vec<(String, Hidden)>>,
    /// How many descriptors and substitutions have been given a name.
    pub(super) opened: usize,
    /// Whether the text at hand was reckoned from escapes that not every `echo` decodes.
    pub(super) reckoned: bool,
    pub(super) depth: u32,
    text_depth: u32,
    inner_text: usize,
    inner_texts: usize,
    /// Texts run by text, taken apart.
    trees: HashMap<String, Tree>,
    /// The work that is left.
    pub(super) fuel: Fuel,
}

/// A function of the text.
pub(super) struct Function {
    pub(super) body: String,
    pub(super) called: bool,
    /// How many were defined when it first was, itself included.
    pub(super) number: usize,
}

/// Reads a whole text.
pub(super) fn read(text: &str, cwd: &Path, home: &Path) -> Script {
    let mut reader = Reader {
        script: Script::default(),
        place: Place { directory: Some(cwd.to_path_buf()), ..Place::default() },
        home: home.to_path_buf(),
        functions: HashMap::new(),
        defined: 0,
        files: HashMap::new(),
        exports_functions: false,
        disabled: Vec::new(),
        outputs: HashMap::new(),
        sinks: HashMap::new(),
        group_input: Input::None,
        elsewhere: None,
        hashed: HashMap::new(),
        locals: Vec::new(),
        opened: 0,
        reckoned: false,
        depth: 0,
        text_depth: 0,
        inner_text: 0,
        inner_texts: 0,
        trees: HashMap::new(),
        fuel: Fuel::full(),
    };
    reader.text(&joined_lines(text));
    reader.uncalled_functions();
    reader.script
}

/// A word that goes on in the next line is one word, which the grammar takes for two. Heredocs keep their lines.
fn joined_lines(text: &str) -> Cow<'_, str> {
    if !text.contains("\\\n") || text.contains("<<") {
        return Cow::Borrowed(text);
    }
    let mut joined = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\\n") {
        joined.push_str(before);
        let inside_word = !before.ends_with([' ', '\t', '\n', '\\']) && !after.starts_with([' ', '\t', '\n']);
        joined.push_str(if inside_word { "" } else { "\\\n" });
        rest = after;
    }
    joined.push_str(rest);
    Cow::Owned(joined)
}

impl Reader {
    /// Reads `text` as the current shell's next lines.
    pub(super) fn text(&mut self, text: &str) {
        let Some(tree) = bounds::tree(text) else { return self.too_much(text) };
        self.tree(&tree, text);
    }

    fn tree(&mut self, tree: &Tree, text: &str) {
        if tree.root_node().kind() == "ERROR" {
            self.unread(text);
        }
        self.children(tree.root_node(), text);
    }

    /// Reads text that a command of the text runs.
    pub(super) fn inner_text(&mut self, text: &str) {
        self.inner_text_with(text, Input::None);
    }

    /// Reads text that a command of the text runs, and that reads `input` first.
    pub(super) fn inner_text_with(&mut self, text: &str, input: Input) {
        self.inner_texts += 1;
        if self.text_depth >= DEEPEST_TEXT || self.inner_texts > MOST_INNER_TEXTS {
            return self.unread(text);
        }
        // A function that is called again is not taken apart again.
        let tree = match self.trees.get(text) {
            Some(tree) => tree.clone(),
            None => {
                self.inner_text += text.len();
                let tree = (self.inner_text <= MOST_INNER_TEXT).then(|| bounds::tree(text)).flatten();
                let Some(tree) = tree else { return self.too_much(text) };
                self.trees.insert(text.to_owned(), tree.clone());
                tree
            }
        };
        self.text_depth += 1;
        let root = tree.root_node();
        match root.named_child(0).filter(|_| input != Input::None && root.named_child_count() == 1) {
            Some(only) if only.kind() == "pipeline" => {
                self.pipeline_after(only, text, input);
            }
            Some(only) => self.stage(only, text, input),
            None => self.tree(&tree, text),
        }
        self.text_depth -= 1;
    }

    /// Notes that a bound was met.
    pub(super) fn too_much(&mut self, text: &str) {
        self.script.too_much = true;
        self.unread(text);
    }

    pub(super) fn unread(&mut self, text: &str) {
        if self.script.unread.len() < 64 {
            self.script.unread.push(first_line(text));
        }
    }

    /// Reads a statement, or whatever stands where one could.
    pub(super) fn statement(&mut self, node: Node, text: &str) {
        if self.fuel.is_empty() || !self.fuel.spend(1) {
            return self.too_much(slice(node, text));
        }
        if self.depth >= TREE_LEVELS {
            return self.unread(slice(node, text));
        }
        self.depth += 1;
        match node.kind() {
            "comment" => {}
            "list" => self.list(node, text),
            "pipeline" => {
                self.pipeline(node, text);
            }
            "subshell" => self.isolated(|reader| reader.children(node, text)),
            "command" => self.simple(node, text, Input::None),
            "redirected_statement" => self.redirected(node, text, Input::None),
            "variable_assignment" => self.assignment(node, text),
            "declaration_command" | "variable_assignments" => self.declaration(node, text),
            "unset_command" => self.unset(node, text),
            "function_definition" => self.function(node, text),
            "for_statement" => self.for_loop(node, text),
            "while_statement" => {
                if floods::is_endless_start(node, text) {
                    self.script.floods.push(first_line(slice(node, text)));
                }
                self.children(node, text);
            }
            "ERROR" => {
                self.unread(slice(node, text));
                self.children(node, text);
            }
            "test_command" | "c_style_for_statement" | "case_statement" => {
                self.children(node, text);
            }
            "program" | "compound_statement" | "do_group" | "if_statement" | "elif_clause"
            | "else_clause" | "case_item" | "negated_command" => self.children(node, text),
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
        let mut before = self.script.commands.len();
        for (index, here) in parts.iter().enumerate() {
            let start = self.script.commands.len();
            // The grammar takes `time` before a group for a program, and the group apart.
            if let Some(group) = timed_group(node, *here, text) {
                return self.inner_text(group);
            }
            self.statement(*here, text);
            // `tests; true`: the last statement is what the whole says.
            let last = index + 1 == parts.len();
            if last && start > before && says_all_is_well(slice(*here, text)) {
                self.hide_failures(before, start);
            }
            before = start;
        }
    }

    fn hide_failures(&mut self, from: usize, to: usize) {
        let commands = self.script.commands.get_mut(from..to).unwrap_or_default();
        commands.iter_mut().for_each(|command| command.failure_hidden = true);
    }

    /// Runs in a subshell: its directory, variables and functions end with it.
    pub(super) fn isolated(&mut self, run: impl FnOnce(&mut Reader)) {
        let place = self.place.clone();
        let before = self.defined;
        run(self);
        self.place = place;
        if self.defined > before {
            self.functions.retain(|_, function| function.number <= before);
        }
    }

    /// `a && b || c`: nested to the left, so the left spine is taken apart without recursion.
    pub(super) fn list(&mut self, node: Node, text: &str) {
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
        self.statement(left, text);
        let mut ended_well = ends_well(left, text);
        for (right, is_or) in rights.into_iter().rev() {
            let end = self.script.commands.len();
            // An assignment that does not run leaves the variable as it is.
            let runs = ended_well != Some(is_or);
            if runs || right.kind() != "variable_assignment" {
                self.statement(right, text);
            }
            if runs {
                ended_well = ended_well.and_then(|_| ends_well(right, text));
            }
            if is_or && says_all_is_well(slice(right, text)) {
                self.hide_failures(start, end);
            }
        }
    }

    /// `a | b | c`; gives the index of the last command.
    pub(super) fn pipeline(&mut self, node: Node, text: &str) {
        let _ = self.pipeline_after(node, text, Input::None);
    }

    /// The stages of a pipeline; how many commands the last one is.
    pub(super) fn pipeline_after(&mut self, node: Node, text: &str, first_input: Input) -> usize {
        let mut input = first_input;
        let mut last = 0;
        let mut cursor = node.walk();
        let stages: Vec<Node> = node.named_children(&mut cursor).collect();
        for stage in stages {
            let before = self.script.commands.len();
            let given = std::mem::take(&mut input);
            self.isolated(|reader| reader.stage(stage, text, given));
            let after = self.script.commands.len();
            input = if after > before { Input::From(after - 1) } else { Input::Unknown };
            last = after - before;
        }
        last
    }

    /// One stage of a pipeline: a simple command gets its input, a compound one gives it to nobody in particular.
    pub(super) fn stage(&mut self, node: Node, text: &str, input: Input) {
        match node.kind() {
            "command" => self.simple(node, text, input),
            "redirected_statement" => self.redirected(node, text, input),
            _ => self.fed(input, |reader| reader.statement(node, text)),
        }
    }

    /// Reads a group whose commands share what comes in.
    pub(super) fn fed(&mut self, input: Input, read: impl FnOnce(&mut Reader)) {
        let outer = std::mem::replace(&mut self.group_input, input);
        read(self);
        self.group_input = outer;
    }

    pub(super) fn simple(&mut self, node: Node, text: &str, input: Input) {
        let command = self.command(node, text, input);
        self.run(command);
    }

    /// The command as written, its words as the program gets them.
    pub(super) fn command(&mut self, node: Node, text: &str, input: Input) -> Command {
        let mut command = Command { source: first_line(slice(node, text)), input, ..Command::default() };
        let mut extra = Vec::new();
        let mut skip_to = 0;
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.named_children(&mut cursor).collect();
        for part in parts {
            if part.start_byte() < skip_to {
                continue;
            }
            match part.kind() {
                "variable_assignment" => {
                    let (name, values) = self.assigned(part, text);
                    let value = values.as_deref().and_then(|values| self.known_text(values.first()?));
                    command.assignments.push((name, value));
                }
                "file_redirect" => {
                    let mut input = std::mem::take(&mut command.input);
                    self.file_redirect(part, text, &mut command.redirects, &mut extra, &mut input);
                    command.input = input;
                }
                "herestring_redirect" => command.input = self.herestring(part, text),
                "comment" => {}
                // `!(keep)`: the grammar takes the pattern apart; it names some files of the directory.
                "ERROR" if matches!(slice(part, text), "!" | "?" | "*" | "+" | "@") => {
                    skip_to = part.next_sibling().map_or(0, |next| next.end_byte());
                    let text = "*".to_owned();
                    command.words.push(Word {
                        text,
                        known: true,
                        glob: true,
                        partial: true,
                        ..Word::default()
                    });
                }
                "ERROR" => {
                    self.unread(slice(part, text));
                    self.substitutions(part, text);
                }
                _ => command.words.extend(self.words_of(part, text)),
            }
        }
        command.words.append(&mut extra);
        command
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
        let function = Function { body: body.to_owned(), called: false, number };
        self.functions.insert(name.to_owned(), function);
    }

    /// A function that nobody calls here ends with the text, unless it is exported to programs that may call it: then
    /// its body counts once.
    pub(super) fn uncalled_functions(&mut self) {
        let mut bodies: Vec<(String, String)> = self
            .functions
            .iter()
            // The shell itself calls a function of this name for a program that isn't there.
            .filter(|(name, _)| self.exports_functions || *name == "command_not_found_handle")
            .filter(|(_, function)| !function.called)
            .map(|(name, function)| (name.clone(), function.body.clone()))
            .collect();
        bodies.sort();
        for (_, body) in bodies {
            self.place.arguments = None;
            self.inner_text(&body);
        }
    }

    pub(super) fn for_loop(&mut self, node: Node, text: &str) {
        let name = node.child_by_field_name("variable").map_or("", |name| slice(name, text)).to_owned();
        let mut cursor = node.walk();
        let values: Vec<Node> = node.children_by_field_name("value", &mut cursor).collect();
        let mut words = Vec::new();
        for value in &values {
            words.extend(self.words_of(*value, text));
        }
        let known = !words.is_empty() && words.iter().all(|word| word.known);
        let values = known.then(|| words.iter().map(pattern_marks).collect());
        self.set(name, values);
        if let Some(body) = node.child_by_field_name("body") {
            self.statement(body, text);
        }
    }

    pub(super) fn declaration(&mut self, node: Node, text: &str) {
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.named_children(&mut cursor).collect();
        // All words are expanded before the first is assigned: `export A=rm B=$A` has the old `A` in `B`.
        let mut assigned = Vec::new();
        for part in parts {
            match part.kind() {
                "variable_assignment" => assigned.push(self.assigned(part, text)),
                _ => self.substitutions(part, text),
            }
        }
        let written = slice(node, text);
        self.exports_functions |=
            ["export -f", "declare -fx", "typeset -fx"].iter().any(|start| written.starts_with(start));
        let own = ["local", "declare", "typeset"].iter().any(|word| slice(node, text).starts_with(word));
        for (name, values) in assigned {
            if own {
                self.hide(&name);
            }
            let target = values.as_deref().and_then(|values| self.known_text(values.first()?));
            self.set(name.clone(), values);
            if written.starts_with("readonly") || written.starts_with("declare -r") {
                self.place.read_only.push(name);
            } else if let Some(target) =
                target.filter(|_| written.starts_with("declare -n") || written.starts_with("local -n"))
            {
                self.place.references.push((name, target));
            }
        }
    }

    /// Notes what a function's own variable hides.
    fn hide(&mut self, name: &str) {
        let old = self.place.variables.get(name).cloned();
        if let Some(frame) = self.locals.last_mut() {
            frame.push((name.to_owned(), old));
        }
    }

    pub(super) fn unset(&mut self, node: Node, text: &str) {
        let mut cursor = node.walk();
        for part in node.named_children(&mut cursor) {
            self.set(slice(part, text).to_owned(), None);
        }
    }

    pub(super) fn assignment(&mut self, node: Node, text: &str) {
        let (name, mut values) = self.assigned(node, text);
        let fresh = unquote::quoted(FRESH_DIRECTORY);
        if name == "HOME" && values.as_ref().is_some_and(|values| values.iter().all(|marks| *marks == fresh))
        {
            values = Some(vec![unquote::quoted(FRESH_HOME)]);
        }
        self.set(name, values);
    }

    pub(super) fn assigned(&mut self, node: Node, text: &str) -> (String, Option<Vec<Marks>>) {
        let target = node.child_by_field_name("name");
        let name = target.map_or("", |name| slice(name, text)).to_owned();
        let adds = slice(node, text).get(name.len()..).is_some_and(|rest| rest.starts_with("+="));
        let values = match node.child_by_field_name("value") {
            None => Some(vec![Marks::new()]),
            Some(value) if value.kind() == "array" => {
                let mut cursor = value.walk();
                let parts: Vec<Node> = value.named_children(&mut cursor).collect();
                let words: Vec<Word> = parts.into_iter().flat_map(|part| self.words_of(part, text)).collect();
                words.iter().all(|word| word.known).then(|| words.iter().map(pattern_marks).collect())
            }
            Some(value) => {
                let values = self.marks_of(value, text).into_iter();
                Some(values.map(|marks| unquote::assigned(marks, &self.home)).collect())
            }
        };
        let values = match (adds, self.place.variables.get(&name), values) {
            (true, Some(Some(old)), Some(new)) if old.len() == 1 && new.len() == 1 => Some(vec![
                old.iter().chain(new.iter()).flat_map(|marks| marks.iter().copied()).collect::<Marks>(),
            ]),
            (true, _, _) => None,
            (false, _, values) => values,
        };
        (name, values)
    }

    pub(super) fn set(&mut self, name: String, values: Option<Vec<Marks>>) {
        // Another PATH makes the shell look for every program anew.
        if name == "PATH" {
            self.hashed.clear();
        }
        if self.place.read_only.contains(&name) {
            return;
        }
        Rc::make_mut(&mut self.place.variables).insert(name, values);
    }

    pub(super) fn forget(&mut self, name: &str) {
        Rc::make_mut(&mut self.place.variables).remove(name);
    }

    pub(super) fn known_text(&self, marks: &Marks) -> Option<String> {
        let word = unquote::word(marks, &self.home);
        word.known.then_some(word.text)
    }
}

/// A word as the value of a loop's variable: its pattern stays one, in quotes too.
pub(super) fn pattern_marks(word: &Word) -> Marks {
    word.text
        .chars()
        .map(|letter| if word.glob { Mark::Pattern(letter) } else { Mark::Quoted(letter) })
        .collect()
}

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
    matches!(text.trim(), "true" | ":" | "exit 0" | "/bin/true" | "return 0")
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

/// The text of a node; empty if the node does not fit the text.
pub(super) fn slice<'t>(node: Node, text: &'t str) -> &'t str {
    text.get(node.byte_range()).unwrap_or_default()
}
