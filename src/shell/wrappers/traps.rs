//! Texts that a shell runs at a signal: those of its end see the variables as they are by then.

use crate::shell::model::Word;
use crate::shell::parse::reader::ScriptReader;

impl ScriptReader {
    /// `trap TEXT SIGNAL…`: the text of another signal than the end may run at any time, and is read where it stands.
    pub(crate) fn set_trap(&mut self, operands: &[&Word]) {
        let behind = usize::from(operands.first().is_some_and(|word| word.text == "--"));
        let Some((text, signals)) = operands.get(behind..).and_then(<[&Word]>::split_first) else { return };
        let is_option = text.text.starts_with('-') && text.text != "-";
        if is_option || !text.known {
            return;
        }
        let is_the_end = |word: &&Word| matches!(word.text.as_str(), "EXIT" | "exit" | "0");
        match (signals.iter().any(is_the_end), text.text.as_str()) {
            (true, "-" | "") => self.place.at_exit = None,
            (true, text) => self.place.at_exit = Some(text.to_owned()),
            (false, "-") => {}
            (false, text) => self.inner_text(text),
        }
    }

    /// Reads what the shell at hand runs when it ends.
    pub(crate) fn run_exit_trap(&mut self) {
        if let Some(text) = self.place.at_exit.take() {
            self.place.ended = false;
            self.inner_text(&text);
        }
    }
}
