//! From the grammar's tree to commands in the order the shell meets them, with `cd` and literal variables followed.
//!
//! The only file that walks statements. Recursion is bounded by the reader's depth, work by the number of commands.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tree_sitter::{Node, Parser};

use super::unquote::{self, Mark, Marks};
use super::unwrap::{self, Peeled};
use super::{
    Code, Command, DEEPEST_NESTING, Input, LONGEST_TEXT, Language, MOST_COMMANDS, Redirect, Script, Word,
    first_line, inline, output, resolve,
};

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
    previous: Option<PathBuf>,
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
    functions: HashMap<String, Function>,
    /// Files that the text itself wrote, with known content.
    files: HashMap<PathBuf, String>,
    pub(super) depth: u32,
    text_depth: u32,
    inner_text: usize,
    inner_texts: usize,
}

struct Function {
    body: String,
    called: bool,
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
    fn text(&mut self, text: &str) {
        let mut parser = Parser::new();
        if parser.set_language(&tree_sitter_bash::LANGUAGE.into()).is_err() {
            return self.unread(text);
        }
        match parser.parse(text, None) {
            Some(tree) => self.children(tree.root_node(), text),
            None => self.unread(text),
        }
    }

    /// Reads text that a command of the text runs.
    fn inner_text(&mut self, text: &str) {
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
            "command" => self.simple(node, text, Vec::new(), Input::None),
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
    fn list(&mut self, node: Node, text: &str) {
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
    fn pipeline(&mut self, node: Node, text: &str) {
        self.pipeline_after(node, text, Input::None);
    }

    fn pipeline_after(&mut self, node: Node, text: &str, first_input: Input) {
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
    fn stage(&mut self, node: Node, text: &str, input: Input) {
        match node.kind() {
            "command" => self.simple(node, text, Vec::new(), input),
            "redirected_statement" => self.redirected(node, text, input),
            _ => self.statement(node, text),
        }
    }

    fn redirected(&mut self, node: Node, text: &str, input: Input) {
        let mut input = input;
        let mut redirects = Vec::new();
        let mut extra = Vec::new();
        let mut after = Vec::new();
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.named_children(&mut cursor).collect();
        let body = node.child_by_field_name("body");
        for part in parts.iter().filter(|part| Some(**part) != body) {
            match part.kind() {
                "file_redirect" => self.file_redirect(*part, text, &mut redirects, &mut extra, &mut input),
                "heredoc_redirect" => {
                    input = self.heredoc(*part, text, &mut redirects, &mut extra, &mut after);
                }
                "herestring_redirect" => input = self.herestring(*part, text),
                "ERROR" => self.unread(slice(*part, text)),
                _ => {}
            }
        }
        let before = self.script.commands.len();
        match body {
            Some(body) if body.kind() == "command" => {
                let mut command = self.command(body, text, input);
                command.redirects.append(&mut redirects);
                command.words.append(&mut extra);
                self.run(command);
            }
            Some(body) => {
                self.statement(body, text);
                // What a group prints in all is not known.
                redirects.iter_mut().for_each(|redirect| redirect.output = false);
                self.redirects_alone(node, text, redirects);
            }
            None => self.redirects_alone(node, text, redirects),
        }
        for (kind, next) in after {
            let last = self.script.commands.len();
            let fed = if last > before { Input::From(last - 1) } else { Input::Unknown };
            match (kind, next.kind()) {
                (After::Pipe, "pipeline") => self.isolated(|reader| reader.pipeline_after(next, text, fed)),
                (After::Pipe, _) => self.isolated(|reader| reader.stage(next, text, fed)),
                (After::Then, _) => self.statement(next, text),
            }
        }
    }

    /// Redirections of nothing (`> f`) or of a group.
    fn redirects_alone(&mut self, node: Node, text: &str, redirects: Vec<Redirect>) {
        if !redirects.is_empty() {
            let source = first_line(slice(node, text));
            let directory = self.place.directory.clone();
            self.push(Command { redirects, source, directory, ..Command::default() });
        }
    }

    fn file_redirect(
        &mut self,
        node: Node,
        text: &str,
        redirects: &mut Vec<Redirect>,
        extra: &mut Vec<Word>,
        input: &mut Input,
    ) {
        let mut cursor = node.walk();
        let mut operator = "";
        let mut descriptor = "";
        let mut words = Vec::new();
        let parts: Vec<Node> = node.children(&mut cursor).collect();
        for part in parts {
            match part.kind() {
                "file_descriptor" => descriptor = slice(part, text),
                sign if !part.is_named() => operator = sign,
                _ => words.extend(self.words_of(part, text)),
            }
        }
        let mut words = words.into_iter();
        let Some(target) = words.next() else { return };
        extra.extend(words);
        match operator {
            "<" => *input = Input::Unknown,
            ">&" | "<&" | ">&-" | "<&-" if target.text.bytes().all(|byte| byte.is_ascii_digit()) => {}
            ">" | ">|" | ">>" | "&>" | "&>>" | ">&" | "<>" => redirects.push(Redirect {
                append: matches!(operator, ">>" | "&>>" | "<>"),
                output: operator != "<>" && matches!(descriptor, "" | "1"),
                target,
            }),
            _ => {}
        }
    }

    /// A heredoc is the command's input; the rest of its line hangs below it in the tree.
    fn heredoc<'t>(
        &mut self,
        node: Node<'t>,
        text: &str,
        redirects: &mut Vec<Redirect>,
        extra: &mut Vec<Word>,
        after: &mut Vec<(After, Node<'t>)>,
    ) -> Input {
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.named_children(&mut cursor).collect();
        let start = parts.iter().find(|part| part.kind() == "heredoc_start").map_or("", |s| slice(*s, text));
        let literal = start.contains(['\'', '"', '\\']);
        let mut input = Input::Text(String::new());
        for part in parts {
            match part.kind() {
                "heredoc_start" | "heredoc_end" | "comment" => {}
                "heredoc_body" => input = self.heredoc_body(part, text, literal, node),
                "file_redirect" => {
                    let mut other = Input::None;
                    self.file_redirect(part, text, redirects, extra, &mut other);
                }
                "herestring_redirect" | "heredoc_redirect" => {}
                "pipeline" => after.push((After::Pipe, part)),
                kind if is_statement(kind) => after.push((After::Then, part)),
                "ERROR" => self.unread(slice(part, text)),
                _ => extra.extend(self.words_of(part, text)),
            }
        }
        input
    }

    fn heredoc_body(&mut self, body: Node, text: &str, literal: bool, redirect: Node) -> Input {
        let raw = slice(body, text);
        let strips = slice(redirect, text).starts_with("<<-");
        let content = if literal || !raw.contains(['$', '`', '\\']) {
            raw.to_owned()
        } else {
            let marks = self.quoted_marks(body, text);
            let word = unquote::word(&marks, &self.home);
            if !word.known {
                return Input::Sketch(word.text);
            }
            word.text
        };
        Input::Text(match strips {
            true => content.lines().map(|line| format!("{}\n", line.trim_start_matches('\t'))).collect(),
            false => content,
        })
    }

    fn herestring(&mut self, node: Node, text: &str) -> Input {
        let mut cursor = node.walk();
        let word = node.named_children(&mut cursor).last();
        match word.map(|word| self.word_of(word, text)) {
            Some(word) if word.known => Input::Text(word.text + "\n"),
            _ => Input::Unknown,
        }
    }

    fn simple(&mut self, node: Node, text: &str, redirects: Vec<Redirect>, input: Input) {
        let mut command = self.command(node, text, input);
        command.redirects.extend(redirects);
        self.run(command);
    }

    /// The command as written, its words as the program gets them.
    fn command(&mut self, node: Node, text: &str, input: Input) -> Command {
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

    /// Follows what a command does to the shell, takes wrappers off, and keeps what is left.
    pub(super) fn run(&mut self, mut command: Command) {
        if self.script.commands.len() >= MOST_COMMANDS {
            return self.unread(&command.source.clone());
        }
        command.directory = command.directory.or_else(|| self.place.directory.clone());
        if self.builtin(&command) || self.call(&command) {
            self.redirects_of(command);
            return;
        }
        if self.depth >= TREE_LEVELS {
            return self.unread(&command.source.clone());
        }
        self.depth += 1;
        self.peel(command);
        self.depth -= 1;
    }

    /// A builtin that was followed still writes where it is redirected.
    fn redirects_of(&mut self, command: Command) {
        if !command.redirects.is_empty() {
            self.push(Command { words: vec![Word::literal(":")], ..command });
        }
    }

    fn peel(&mut self, command: Command) {
        let input_words = || output::words_from(&self.script, &command.input);
        match unwrap::peel(&command, input_words) {
            Peeled::Plain => self.push(command),
            Peeled::Inner { words, directory, keeps } => {
                let inner = Command { words, ..command.clone() };
                if keeps {
                    self.push(command.clone());
                }
                match directory {
                    Some(to) => {
                        let to = self.path(&to, inner.directory.as_deref());
                        self.isolated(|reader| {
                            reader.place.directory.clone_from(&to);
                            reader.run(Command { directory: to, ..inner });
                        });
                    }
                    None => self.run(inner),
                }
            }
            Peeled::ShellText { text, arguments } => {
                self.shell_text(&text, Some(arguments), &command);
                self.redirects_of(command);
            }
            Peeled::ShellInput => match output::sketch_from(&self.script, &command.input) {
                Some(text) => {
                    self.shell_text(&text, None, &command);
                    self.redirects_of(command);
                }
                None => self.push_code(command, Language::Shell, None),
            },
            Peeled::ShellFile { path, arguments } => {
                let file =
                    self.path(&path, command.directory.as_deref()).and_then(|p| self.files.get(&p).cloned());
                match file {
                    Some(text) => self.shell_text(&text, Some(arguments), &command),
                    None => self.push_code(command, Language::Shell, None),
                }
            }
            Peeled::Code { language, text } => self.push_code(command, language, text),
            Peeled::CodeInput { language } => {
                let text = output::sketch_from(&self.script, &command.input);
                self.push_code(command, language, text);
            }
            Peeled::Remote => self.push(Command { remote: true, ..command }),
        }
    }

    /// Text run by a new shell.
    fn shell_text(&mut self, text: &str, arguments: Option<Vec<Word>>, command: &Command) {
        self.isolated(|reader| {
            reader.place.directory.clone_from(&command.directory);
            for (name, value) in &command.assignments {
                reader.set(name.clone(), value.as_ref().map(|value| vec![unquote::quoted(value)]));
            }
            reader.place.arguments = arguments;
            reader.inner_text(text);
        });
    }

    /// Keeps a command with its code, and reads the shell texts that the code runs.
    fn push_code(&mut self, command: Command, language: Language, text: Option<String>) {
        let shells = text.as_deref().map(|text| inline::shell_texts(language, text)).unwrap_or_default();
        self.push(Command { code: Some(Code { language, text }), ..command.clone() });
        for shell in shells {
            self.shell_text(&shell, None, &command);
        }
    }

    fn push(&mut self, command: Command) {
        if self.script.commands.len() >= MOST_COMMANDS {
            return self.unread(&command.source);
        }
        self.script.commands.push(command);
        self.remember_files();
    }

    /// What the last command wrote whole with known content, so that running the file runs that text.
    fn remember_files(&mut self) {
        let Some(index) = self.script.commands.len().checked_sub(1) else { return };
        let Some(command) = self.script.commands.get(index) else { return };
        let Some(redirect) = command.redirects.iter().find(|redirect| redirect.output) else { return };
        let Some(path) = self.path(&redirect.target, command.directory.as_deref()) else { return };
        match output::text_of(&self.script, index) {
            Some(text) if redirect.append => self.files.entry(path).or_default().push_str(&text),
            Some(text) => {
                self.files.insert(path, text);
            }
            None => {
                self.files.remove(&path);
            }
        }
    }

    fn path(&self, word: &Word, directory: Option<&Path>) -> Option<PathBuf> {
        (word.known && !word.glob).then_some(())?;
        match Path::new(&word.text).is_absolute() {
            true => Some(resolve(Path::new("/"), &word.text)),
            false => Some(resolve(directory?, &word.text)),
        }
    }

    /// Builtins that change the shell's state or run text in it. Says whether it was one.
    fn builtin(&mut self, command: &Command) -> bool {
        let operands: Vec<&Word> = command.words.iter().skip(1).collect();
        match command.program() {
            "cd" | "pushd" | "popd" | "Set-Location" => self.change_directory(command.program(), &operands),
            "read" | "mapfile" | "readarray" | "getopts" => {
                for word in operands {
                    self.set(word.text.clone(), None);
                }
            }
            "export" | "declare" | "local" | "readonly" | "typeset" => {
                for word in operands {
                    if let Some((name, value)) = word.text.split_once('=') {
                        let value = word.known.then(|| vec![unquote::quoted(value)]);
                        self.set(name.to_owned(), value);
                    }
                }
            }
            "eval" => {
                let text = operands.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
                self.inner_text(&text);
            }
            "trap" => {
                if let Some(word) = operands.first().filter(|word| word.known && !word.text.starts_with('-'))
                {
                    self.inner_text(&word.text.clone());
                }
            }
            "source" | "." => {
                let directory = command.directory.as_deref();
                let path = operands.first().and_then(|word| self.path(word, directory));
                match path.and_then(|path| self.files.get(&path).cloned()) {
                    Some(text) => self.inner_text(&text),
                    None => self.push_code(command.clone(), Language::Shell, None),
                }
            }
            _ => return false,
        }
        true
    }

    fn change_directory(&mut self, program: &str, operands: &[&Word]) {
        let target = operands.iter().find(|word| word.text == "-" || !word.text.starts_with('-'));
        let from = self.place.directory.clone();
        self.place.directory = match target {
            _ if program == "popd" => self.place.previous.clone(),
            Some(word) if word.text == "-" => self.place.previous.clone(),
            Some(word) => self.path(word, from.as_deref()),
            None if program == "cd" => Some(self.home.clone()),
            None => None,
        };
        self.place.previous = from;
    }

    /// A call of a function of the text.
    fn call(&mut self, command: &Command) -> bool {
        let Some(name) = command.words.first().filter(|word| word.known).map(|word| word.text.clone()) else {
            return false;
        };
        let Some(function) = self.functions.get_mut(&name) else { return false };
        function.called = true;
        let body = function.body.clone();
        let arguments = command.words.get(1..).unwrap_or_default().to_vec();
        let outer = self.place.arguments.replace(arguments);
        self.inner_text(&body);
        self.place.arguments = outer;
        true
    }

    fn function(&mut self, node: Node, text: &str) {
        let name = node.child_by_field_name("name").map_or("", |name| slice(name, text));
        let body = node.child_by_field_name("body").map_or("", |body| slice(body, text));
        self.functions.insert(name.to_owned(), Function { body: body.to_owned(), called: false });
    }

    /// A function that nobody calls here may be called later (a trap, an exported one): its body counts once.
    fn uncalled_functions(&mut self) {
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

    fn for_loop(&mut self, node: Node, text: &str) {
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

    fn declaration(&mut self, node: Node, text: &str) {
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.named_children(&mut cursor).collect();
        for part in parts {
            match part.kind() {
                "variable_assignment" => self.assignment(part, text),
                _ => self.substitutions(part, text),
            }
        }
    }

    fn unset(&mut self, node: Node, text: &str) {
        let mut cursor = node.walk();
        for part in node.named_children(&mut cursor) {
            self.set(slice(part, text).to_owned(), None);
        }
    }

    fn assignment(&mut self, node: Node, text: &str) {
        let (name, values) = self.assigned(node, text);
        self.set(name, values);
    }

    fn assigned(&mut self, node: Node, text: &str) -> (String, Option<Vec<Marks>>) {
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

    fn set(&mut self, name: String, values: Option<Vec<Marks>>) {
        Rc::make_mut(&mut self.place.variables).insert(name, values);
    }

    fn known_text(&self, marks: &Marks) -> Option<String> {
        let word = unquote::word(marks, &self.home);
        word.known.then_some(word.text)
    }
}

#[derive(Clone, Copy)]
enum After {
    Pipe,
    Then,
}

fn is_statement(kind: &str) -> bool {
    kind.ends_with("_statement")
        || kind.ends_with("_command")
        || matches!(kind, "command" | "list" | "subshell")
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
