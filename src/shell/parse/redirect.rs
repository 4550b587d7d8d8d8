//! Redirections: the files that they write, and the text that they feed in.

use std::path::{Path, PathBuf};

use tree_sitter::Node;

use crate::shell::model::{Command, CommandInput, Redirect, UNKNOWN, UNSEEN, Word, first_line};
use crate::shell::parse::reader::{ScriptReader, slice};

mod parts;

use parts::RedirectParts;

/// How a command that stands behind a heredoc is joined to the one before it.
#[derive(Clone, Copy)]
enum JoinedBy {
    Pipe,
    Then,
}

/// What is redirected from and to a statement.
#[derive(Default)]
pub(crate) struct Redirections {
    pub(super) redirects: Vec<Redirect>,
    /// Words of the command that stand behind them.
    pub(super) extra: Vec<Word>,
    pub(super) input: CommandInput,
}

fn is_statement(kind: &str) -> bool {
    kind.ends_with("_statement")
        || kind.ends_with("_command")
        || matches!(kind, "command" | "list" | "subshell")
}

/// Redirections of more than one command, whose text in all is not known.
fn unprinted(mut redirects: Vec<Redirect>) -> Vec<Redirect> {
    redirects.iter_mut().for_each(|redirect| redirect.output = false);
    redirects
}

impl ScriptReader {
    pub(crate) fn redirected(&mut self, node: Node, text: &str, input: CommandInput) {
        let mut given = Redirections { input, ..Redirections::default() };
        let mut after = Vec::new();
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.named_children(&mut cursor).collect();
        let body = node.child_by_field_name("body");
        for part in parts.iter().filter(|part| Some(**part) != body) {
            match part.kind() {
                "file_redirect" => self.file_redirect(*part, text, &mut given),
                "heredoc_redirect" => given.input = self.heredoc(*part, text, &mut given, &mut after),
                "herestring_redirect" => given.input = self.herestring(*part, text),
                "ERROR" => self.unread(slice(*part, text)),
                _ => {}
            }
        }
        let before = self.script.commands.len();
        self.with_redirections(body, node, text, given);
        for (kind, next) in after {
            let last = self.script.commands.len();
            let fed = if last > before { CommandInput::From(last - 1) } else { CommandInput::Unknown };
            match (kind, next.kind()) {
                (JoinedBy::Pipe, "pipeline") => self.isolated(|reader| {
                    reader.pipeline_after(next, text, fed);
                }),
                (JoinedBy::Pipe, _) => self.isolated(|reader| reader.stage(next, text, fed)),
                (JoinedBy::Then, _) => self.statement(next, text),
            }
        }
    }

    /// A statement with what is redirected from and to it.
    pub(crate) fn with_redirections(
        &mut self,
        body: Option<Node>,
        node: Node,
        text: &str,
        mut given: Redirections,
    ) {
        match body {
            Some(body) if body.kind() == "command" => {
                let mut command = self.command(body, text, given.input);
                command.redirects.append(&mut given.redirects);
                command.words.append(&mut given.extra);
                self.run(command);
            }
            // The redirections of a pipeline are its last command's.
            Some(body) if body.kind() == "pipeline" => {
                let last = self.pipeline_after(body, text, given.input);
                match self.script.commands.last_mut().filter(|_| last == 1) {
                    Some(command) => command.redirects.append(&mut given.redirects),
                    None => self.redirects_alone(node, text, unprinted(given.redirects)),
                }
            }
            // And those behind `a && b` are of `b`, though the grammar hangs them on both.
            Some(body) if body.kind() == "list" => self.list_before(body, text, Some(given)),
            Some(body) => {
                self.fed(given.input, |reader| reader.statement(body, text));
                // What a group prints in all is not known.
                self.redirects_alone(node, text, unprinted(given.redirects));
            }
            None => self.redirects_alone(node, text, given.redirects),
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

    pub(crate) fn file_redirect(&mut self, node: Node, text: &str, given: &mut Redirections) {
        let before = self.script.commands.len();
        let RedirectParts { operator, descriptor, is_here, is_output, words } = self.parts_of(node, text);
        let mut words = words.into_iter();
        let Some(target) = words.next() else { return };
        given.extra.extend(words);
        // `< <(git ls-files)`: what it prints comes in, whether its text is known or not.
        let last = self.script.commands.len().checked_sub(1).filter(|last| *last >= before);
        if let (true, "<", "" | "0", Some(last)) =
            (is_output && target.text == UNKNOWN.to_string(), operator, descriptor, last)
        {
            given.input = CommandInput::From(last);
        } else if is_here {
            let read = self.here_word(descriptor, Some(target));
            if matches!(descriptor, "" | "0") {
                given.input = read;
            }
        } else {
            self.redirect(operator, descriptor, target, given);
        }
    }

    /// What an operator with a file does.
    fn redirect(&mut self, operator: &str, descriptor: &str, target: Word, given: &mut Redirections) {
        let redirects = &mut given.redirects;
        match operator {
            "<" | "<&" if self.opens(descriptor, &target, &mut given.input) => {}
            "<" => given.input = CommandInput::File(target),
            ">&" if matches!(descriptor, "" | "1") && self.outputs.contains_key(&target.text) => {
                let file = self.outputs.get(&target.text).cloned().unwrap_or(target);
                redirects.push(Redirect { target: file, append: true, output: true });
            }
            ">&" | "<&" | ">&-" | "<&-" if target.text.bytes().all(|byte| byte.is_ascii_digit()) => {}
            ">" | ">>" | "<>" if !matches!(descriptor, "" | "1" | "2") => {
                self.outputs.insert(descriptor.to_owned(), target.clone());
                redirects.push(Redirect { append: operator != ">", output: false, target });
            }
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
        given: &mut Redirections,
        after: &mut Vec<(JoinedBy, Node<'t>)>,
    ) -> CommandInput {
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.named_children(&mut cursor).collect();
        let start = parts.iter().find(|part| part.kind() == "heredoc_start").map_or("", |s| slice(*s, text));
        let literal = start.contains(['\'', '"', '\\']);
        let mut input = CommandInput::Text(String::new());
        let mut descriptor = "";
        for part in parts {
            match part.kind() {
                "file_descriptor" => descriptor = slice(part, text),
                "heredoc_start" | "heredoc_end" | "comment" => {}
                "heredoc_body" => input = self.heredoc_body(part, text, literal, node),
                // Whatever it feeds in, the heredoc is the input.
                "file_redirect" => self.file_redirect(part, text, given),
                "herestring_redirect" | "heredoc_redirect" => {}
                "pipeline" => after.push((JoinedBy::Pipe, part)),
                kind if is_statement(kind) => after.push((JoinedBy::Then, part)),
                "ERROR" => self.unread(slice(part, text)),
                _ => given.extra.extend(self.words_of(part, text)),
            }
        }
        match (descriptor, input) {
            ("" | "0", input) => input,
            // A descriptor of its own keeps the text for later.
            (number, CommandInput::Text(text) | CommandInput::Sketch(text)) => {
                let name = self.descriptor(number);
                self.files.insert(name, text);
                CommandInput::None
            }
            (_, input) => input,
        }
    }

    /// `< file` and `<& 3` where what is in them is known, or known to be unseen. A descriptor of its own can be read
    /// by its name later.
    fn opens(&mut self, descriptor: &str, target: &Word, input: &mut CommandInput) -> bool {
        let network = ["/dev/tcp/", "/dev/udp/"].iter().any(|prefix| target.text.starts_with(prefix));
        let number = !target.text.is_empty() && target.text.bytes().all(|byte| byte.is_ascii_digit());
        let text = if network || target.text.contains(UNSEEN) {
            Some(UNSEEN.to_string())
        } else if number {
            self.files.get(&self.descriptor(&target.text)).cloned()
        } else {
            let directory = self.place.directory.clone();
            let path = self.path(target, directory.as_deref());
            path.iter().for_each(|path| self.note_list(path.clone()));
            path.and_then(|path| self.files.get(&path).cloned())
        };
        if !matches!(descriptor, "" | "0") {
            let name = self.descriptor(descriptor);
            self.files.remove(&name);
            self.files.extend(text.clone().map(|text| (name, text)));
        }
        match text {
            Some(text) if text.contains([UNSEEN, UNKNOWN]) => *input = CommandInput::Sketch(text),
            Some(text) => *input = CommandInput::Text(text),
            None => return false,
        }
        true
    }

    pub(crate) fn descriptor(&self, number: &str) -> PathBuf {
        Path::new("/dev/fd").join(number)
    }
}
