//! Editors that are told everything beforehand: `ed`, `ex`, `vim -c`, with the file that they write back.
//!
//! An order that isn't understood to the letter gives no edit, never a guess; the file is known all the same.

mod orders;

use crate::shell::edit::editors::orders::read;
use crate::shell::edit::{ComputedEdit, EditStep};
use crate::shell::model::{Command, CommandInput, Word};

/// Whose orders they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Editor {
    Ed,
    Ex,
    Vim,
}

/// The files that an editor writes without asking anybody, and the edit where it can be computed; `None` where nothing
/// says that it writes. `input` is what it reads, where that is known.
pub(in crate::shell) fn session(
    command: &Command,
    input: Option<&str>,
) -> Option<(Vec<Word>, Option<ComputedEdit>)> {
    let call = EditorCall::read(command, editor(command)?);
    if call.files.is_empty() || call.never_writes {
        return None;
    }
    let reads_input = call.editor != Editor::Vim && (input.is_some() || command.input != CommandInput::None);
    if !reads_input && call.orders.as_ref().is_some_and(Vec::is_empty) {
        return None;
    }
    let orders: Option<Vec<String>> = match (reads_input, input) {
        (false, _) => call.orders.clone(),
        (true, Some(text)) => {
            call.orders.as_ref().map(|orders| [orders.as_slice(), &[text.to_owned()]].concat())
        }
        (true, None) => None,
    };
    let known = orders.filter(|_| command.words.iter().all(|word| word.known || call.files.contains(word)));
    let read = known.and_then(|orders| read(&orders, call.editor, call.extended));
    match read {
        Some((session, _)) if !session.saves() => None,
        Some((session, for_each)) if for_each || call.files.len() == 1 => {
            let edit = ComputedEdit { steps: vec![EditStep::Session(session)] };
            Some((call.files, Some(edit)))
        }
        _ => Some((call.files, None)),
    }
}

/// Whether it is an editor that can be told beforehand.
pub(in crate::shell) fn is_editor(command: &Command) -> bool {
    editor(command).is_some()
}

fn editor(command: &Command) -> Option<Editor> {
    Some(match command.program() {
        "ed" | "red" => Editor::Ed,
        "ex" | "exim" => Editor::Ex,
        "vi" | "vim" | "nvim" | "gvim" | "mvim" => Editor::Vim,
        _ => return None,
    })
}

/// The shell's commands among an editor's orders: `!rm x`, `r !ls`, `%!sort`, `call system('rm x')`.
pub(in crate::shell) fn shell_orders(command: &Command) -> Vec<String> {
    let Some(editor) = editor(command) else { return Vec::new() };
    let mut orders = EditorCall::read(command, editor).orders.unwrap_or_default();
    if let CommandInput::Text(text) | CommandInput::Sketch(text) = &command.input {
        orders.extend(without_typed(text).map(str::to_owned));
    }
    let shell = |order: &String| {
        let mut rest = order.trim_start_matches([' ', ':']);
        for word in ["silent!", "silent", "sil!", "sil", "execute", "exe"] {
            rest = rest.strip_prefix(word).unwrap_or(rest).trim_start_matches([' ', '\'', '"']);
        }
        if let Some((_, text)) =
            rest.strip_prefix("call system").and_then(|text| text.split_once(['\'', '"']))
        {
            return text.rsplit_once(['\'', '"']).map(|(text, _)| text.to_owned());
        }
        let rest =
            rest.trim_start_matches(|it: char| it.is_ascii_digit() || matches!(it, '%' | '$' | '.' | ','));
        let rest = rest.strip_prefix(['r', 'w']).map_or(rest, |rest| rest.trim_start_matches(' '));
        Some(rest.strip_prefix('!')?.trim_end_matches(['\'', '"']).to_owned())
    };
    orders.iter().filter_map(shell).filter(|text| !text.trim().is_empty()).collect()
}

/// The lines of a script without the text that is put in.
fn without_typed(text: &str) -> impl Iterator<Item = &str> {
    let mut in_text = false;
    text.lines().filter(move |line| {
        let was_in_text = in_text;
        let before = line.trim_end().strip_suffix(['a', 'i', 'c']);
        let begins = before.is_some_and(|it| {
            it.is_empty()
                || it.ends_with(|it: char| it.is_ascii_digit() || matches!(it, '.' | '$' | '/' | '?' | ','))
        });
        in_text = if was_in_text { *line != "." } else { begins };
        !was_in_text
    })
}

/// The words of a call.
struct EditorCall {
    editor: Editor,
    /// `None` when there are some that aren't in its words.
    orders: Option<Vec<String>>,
    files: Vec<Word>,
    extended: bool,
    never_writes: bool,
}

impl EditorCall {
    fn read(command: &Command, editor: Editor) -> EditorCall {
        let mut call = EditorCall {
            editor,
            orders: Some(Vec::new()),
            files: Vec::new(),
            extended: false,
            never_writes: false,
        };
        let mut words = command.words.iter().skip(1);
        let mut only_files = false;
        while let Some(word) = words.next() {
            let text = word.text.as_str();
            match text.strip_prefix(['-', '+']) {
                _ if only_files => call.files.push(word.clone()),
                None => call.files.push(word.clone()),
                Some("-") if text.starts_with('-') => only_files = true,
                Some(order) if text.starts_with('+') => {
                    call.told(editor, if order.is_empty() { "$" } else { order })
                }
                Some("") => {}
                Some(option) => call.option(option, &mut words),
            }
        }
        call
    }

    fn told(&mut self, editor: Editor, order: &str) {
        if let (Some(orders), true) = (&mut self.orders, editor != Editor::Ed) {
            orders.push(order.to_owned());
        }
    }

    fn option<'w>(&mut self, option: &str, words: &mut impl Iterator<Item = &'w Word>) {
        if self.editor == Editor::Ed {
            match option {
                "p" => _ = words.next(),
                "E" | "r" | "-extended-regexp" => self.extended = true,
                _ => {}
            }
            return;
        }
        match option {
            "u" | "U" | "i" | "T" | "-cmd" | "w" | "W" => _ = words.next(),
            "S" | "q" | "t" | "l" => {
                words.next();
                self.orders = None;
            }
            "s" if self.editor == Editor::Vim => {
                words.next();
                self.orders = None;
            }
            long if long.starts_with('-') => {}
            letters => {
                if letters.contains(['e', 'E']) && self.editor == Editor::Vim {
                    self.editor = Editor::Ex;
                }
                self.never_writes |= letters.contains(['m', 'M']);
                if letters.ends_with('c') {
                    let order = words.next().map_or("", |word| word.text.as_str()).to_owned();
                    self.told(self.editor, &order);
                }
            }
        }
    }
}
