//! Substitutions and patterns of `ed`, `ex` and `vim`.

use crate::shell::edit::buffer::session::OrderAction;
use crate::shell::edit::editors::Editor;
use crate::shell::edit::editors::orders::OrderReader;
use crate::shell::edit::pattern::replacement::{ReplacementTemplate, Substitution, Writing};
use crate::shell::edit::pattern::{Flags, Flavour, TextPattern};

/// Up to the next `sign` that is not escaped, or to the end; an escaped one is itself.
pub(crate) fn until(rest: &mut &str, sign: char) -> String {
    let mut inside = String::new();
    let mut letters = rest.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some((_, escaped)) if escaped == sign => inside.push(sign),
                Some((_, escaped)) => inside.extend(['\\', escaped]),
                None => inside.push('\\'),
            },
            here if here == sign => {
                *rest = rest.get(at + here.len_utf8()..).unwrap_or_default();
                return inside;
            }
            here => inside.push(here),
        }
    }
    *rest = "";
    inside
}

/// A pattern of Vim as one of the others; `None` where it has no like.
fn of_vim(text: &str, flags: &mut Flags) -> Option<(String, Flavour)> {
    flags.ignore_case |= text.contains("\\c");
    let text = text.replace("\\c", "");
    let very = text.strip_prefix("\\v");
    let text = very.unwrap_or(&text);
    let own = ["\\n", "\\{", "\\z", "\\_", "\\%", "\\@", "\\&", "\\v", "\\V", "\\m", "\\M", "\\C", "~"];
    if own.iter().any(|it| text.contains(it))
        || (very.is_some() && text.contains(['<', '>', '=', '@', '&', '%']))
    {
        return None;
    }
    let flavour = if very.is_some() { Flavour::Extended } else { Flavour::Basic };
    let text = text
        .replace("\\=", "\\?")
        .replace("\\d", "[0-9]")
        .replace("\\a", "[A-Za-z]")
        .replace("\\h", "[A-Za-z_]");
    Some((text, flavour))
}

impl OrderReader {
    pub(crate) fn pattern(&mut self, text: &str, ignore_case: bool) -> Option<TextPattern> {
        if text.is_empty() {
            return self.last.clone();
        }
        let mut flags = Flags { ignore_case, ..Flags::default() };
        let (text, flavour) = match self.editor {
            Editor::Ed => (text.to_owned(), self.flavour),
            _ => of_vim(text, &mut flags)?,
        };
        let pattern = TextPattern::new(&text, flavour, flags)?;
        self.last = Some(pattern.clone());
        Some(pattern)
    }

    pub(crate) fn substitution(&mut self, arguments: &str) -> Option<OrderAction> {
        let sign = arguments.chars().next().filter(|it| it.is_ascii_punctuation() && *it != '\\')?;
        let mut rest = arguments.get(1..)?;
        let text = until(&mut rest, sign);
        let mut with = until(&mut rest, sign);
        // A line of the replacement that ends in `\` goes on in the next one.
        while self.editor == Editor::Ed && with.ends_with('\\') && rest.is_empty() {
            let line = self.lines.pop()?;
            let mut more = line.as_str();
            with = format!("{}\\n{}", with.trim_end_matches('\\'), until(&mut more, sign));
            rest = "";
        }
        let flags = rest.trim();
        if !flags.chars().all(|flag| matches!(flag, 'g' | 'i' | 'I' | 'e' | 'n' | 'p' | '&'))
            || flags.contains('n')
        {
            return None;
        }
        let has_own = |with: &str| with.contains(['~']) || with.contains("\\r") || with.contains("\\=");
        if self.editor != Editor::Ed && (has_own(&with) || with.contains("\\n")) {
            return None;
        }
        let pattern = self.pattern(&text, flags.contains('i'))?;
        let with = ReplacementTemplate::new(&with, Writing::Sed)?;
        Some(OrderAction::Replace(Substitution { pattern, with, from: 1, all: flags.contains('g') }))
    }
}
