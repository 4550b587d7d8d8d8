//! From the grammar's tree to commands in the order the shell meets them, with `cd` and literal variables followed.
//!
//! The only file that walks statements. Recursion is bounded by the reader's depth, work by the number of commands.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tree_sitter::{Node, Parser};

use super::unquote::{self, Mark, Marks};
use super::{Command, DEEPEST_NESTING, Input, LONGEST_TEXT, Script, Word, first_line};

/// How many levels of the tree one level of nesting may take.
pub(super) const TREE_LEVELS: u32 = DEEPEST_NESTING * 4;
/// How often text may be run by text (`bash -c`, `eval`, a function's body).
const DEEPEST_TEXT: u32 = 12;
/// How many texts may be run by text, in all: functions that call each other multiply.
const MOST_INNER_TEXTS: usize = 256;
/// The most bytes of text run by text, in all.
const MOST_INNER_TEXT: usize = 4 * LONGEST_TEXT;

/// Each variable's values: several for a loop or an array, `None` when unknown.
pub(super) type Variables = HashMap<String, Option<Vec<Marks>>>;

/// The state of a shell, as far as it is known.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    /// Where it stands.
    pub(super) directory: Option<PathBuf>,
    /// Where it stood before.
    pub(super) previous: Option<PathBuf>,
    /// Its variables, shared until a subshell changes one.
    pub(super) variables: Rc<Variables>,
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
    /// Files that the text itself wrote, with known content.
    pub(super) files: HashMap<PathBuf, String>,
    pub(super) depth: u32,
    text_depth: u32,
    inner_text: usize,
    inner_texts: usize,
}

/// A function of the text.
pub(super) struct Function {
    pub(super) body: String,
    pub(super) called: bool,
}

/// Reads a whole text.
pub(super) fn read(text: &str, cwd: &Path, home: &Path) -> Script {
    let mut reader = Reader {
        script: Script::default(),
        place: Place { directory: Some(cwd.to_path_buf()), ..Place::default() },
        home: home.to_path_buf(),
        functions: HashMap::new(),
        files: HashMap::new(),
        depth: 0,
        text_depth: 0,
        inner_text: 0,
        inner_texts: 0,
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
        let mut parser = Parser::new();
        if parser.set_language(&tree_sitter_bash::LANGUAGE.into()).is_err() {
            return self.unread(text);
        }
        match parser.parse(text, None) {
            Some(tree) => {
                if tree.root_node().kind() == "ERROR" {
                    self.unread(text);
                }
                self.children(tree.root_node(), text);
            }
            None => self.unread(text),
        }
    }

    /// Reads text that a command of the text runs.
    pub(super) fn inner_text(&mut self, text: &str) {
        self.inner_text += text.len();
        self.inner_texts += 1;
        let bounded = self.text_depth < DEEPEST_TEXT && self.inner_texts <= MOST_INNER_TEXTS;
        if !bounded || self.inner_text > MOST_INNER_TEXT || text.len() > LONGEST_TEXT {
            return self.unread(text);
        }
        self.text_depth += 1;
        self.text(text);
        self.text_depth -= 1;
    }

    pub(super) fn unread(&mut self, text: &str) {
        if self.script.unread.len() < 64 {
            self.script.unread.push(first_line(text));
        }
    }

    /// Reads a statement, or whatever stands where one could.
    pub(super) fn statement(&mut self, node: Node, text: &str) {
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
            "ERROR" => {
                self.unread(slice(node, text));
                self.children(node, text);
            }
            "test_command" | "c_style_for_statement" | "case_statement" => {
                self.children(node, text);
            }
            "program" | "compound_statement" | "do_group" | "if_statement" | "elif_clause"
            | "else_clause" | "while_statement" | "case_item" | "negated_command" => {
                self.children(node, text)
            }
            _ => self.substitutions(node, text),
        }
        self.depth -= 1;
    }

    /// Reads what a node holds, in order.
    pub(super) fn children(&mut self, node: Node, text: &str) {
        let mut cursor = node.walk();
        if cursor.goto_first_child() {
            loop {
                if cursor.node().is_named() {
                    self.statement(cursor.node(), text);
                }
                if !cursor.goto_next_sibling() {
                    break;
                }
            }
        }
    }

    /// Runs in a subshell: its directory and variables end with it.
    pub(super) fn isolated(&mut self, run: impl FnOnce(&mut Reader)) {
        let place = self.place.clone();
        run(self);
        self.place = place;
    }

    /// `a && b || c`: nested to the left, so the left spine is taken apart without recursion.
    pub(super) fn list(&mut self, node: Node, text: &str) {
        let mut rights = Vec::new();
        let mut left = node;
        while left.kind() == "list" {
            let mut cursor = left.walk();
            let parts: Vec<Node> = left.named_children(&mut cursor).collect();
            let Some((first, rest)) = parts.split_first() else { break };
            rights.extend(rest.iter().rev().copied());
            left = *first;
        }
        self.statement(left, text);
        for right in rights.into_iter().rev() {
            self.statement(right, text);
        }
    }

    /// `a | b | c`; gives the index of the last command.
    pub(super) fn pipeline(&mut self, node: Node, text: &str) {
        self.pipeline_after(node, text, Input::None);
    }

    pub(super) fn pipeline_after(&mut self, node: Node, text: &str, first_input: Input) {
        let mut input = first_input;
        let mut cursor = node.walk();
        let stages: Vec<Node> = node.named_children(&mut cursor).collect();
        for stage in stages {
            let before = self.script.commands.len();
            let given = std::mem::take(&mut input);
            self.isolated(|reader| reader.stage(stage, text, given));
            let after = self.script.commands.len();
            input = if after > before { Input::From(after - 1) } else { Input::Unknown };
        }
    }

    /// One stage of a pipeline: a simple command gets its input, a compound one gives it to nobody in particular.
    pub(super) fn stage(&mut self, node: Node, text: &str, input: Input) {
        match node.kind() {
            "command" => self.simple(node, text, input),
            "redirected_statement" => self.redirected(node, text, input),
            _ => self.statement(node, text),
        }
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
                    command.words.push(Word { text, known: true, glob: true, partial: true });
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
        self.functions.insert(name.to_owned(), Function { body: body.to_owned(), called: false });
    }

    /// A function that nobody calls here may be called later (a trap, an exported one): its body counts once.
    pub(super) fn uncalled_functions(&mut self) {
        let mut bodies: Vec<(String, String)> = self
            .functions
            .iter()
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
        for part in parts {
            match part.kind() {
                "variable_assignment" => self.assignment(part, text),
                _ => self.substitutions(part, text),
            }
        }
    }

    pub(super) fn unset(&mut self, node: Node, text: &str) {
        let mut cursor = node.walk();
        for part in node.named_children(&mut cursor) {
            self.set(slice(part, text).to_owned(), None);
        }
    }

    pub(super) fn assignment(&mut self, node: Node, text: &str) {
        let (name, values) = self.assigned(node, text);
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
            Some(value) => Some(self.marks_of(value, text)),
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
        Rc::make_mut(&mut self.place.variables).insert(name, values);
    }

    pub(super) fn known_text(&self, marks: &Marks) -> Option<String> {
        let word = unquote::word(marks, &self.home);
        word.known.then_some(word.text)
    }
}

/// A word as the value of a loop's variable: its pattern stays one, in quotes too.
fn pattern_marks(word: &Word) -> Marks {
    word.text
        .chars()
        .map(|letter| if word.glob { Mark::Pattern(letter) } else { Mark::Quoted(letter) })
        .collect()
}

/// The text of a node; empty if the node does not fit the text.
pub(super) fn slice<'t>(node: Node, text: &'t str) -> &'t str {
    text.get(node.byte_range()).unwrap_or_default()
}
