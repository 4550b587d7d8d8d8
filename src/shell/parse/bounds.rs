//! How much work one text may ask for: counted and never timed, so that a verdict doesn't depend on load.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, Parser, Tree};

use crate::shell::parse::line_ends;

/// The most steps of reading, in all: about one for each character of a word and each word of a command that is made.
const MOST_STEPS: usize = 1_000_000;
/// What one word of a command costs, in steps.
const STEPS_OF_A_WORD: usize = 4;
/// The most signs of one kind that the grammar takes in good time.
const MOST_SIGNS: usize = 3_500;
/// Signs whose number makes the grammar slow, because each may open something that never ends.
const SIGNS: &[u8] = b"|{>;<[";
/// How much text the grammar is given at once, in bytes.
const CHUNK: usize = 4096;
/// How often it may ask for text: it looks ahead, and again at the next sign.
const MOST_CHUNKS: usize = 3_000;
/// How often a text is read anew where the grammar took lines together.
const MOST_MENDS: usize = 8;
/// How often it may report that it is still at work; a report stands for a hundred of its own steps.
const MOST_REPORTS: usize = 5_000;

/// The steps that are left.
#[derive(Debug)]
pub(crate) struct Fuel(usize);

impl Fuel {
    /// As much as one text gets.
    pub(crate) fn full() -> Fuel {
        Fuel(MOST_STEPS)
    }

    /// Takes `steps`; false when there are not so many left, and from then on.
    pub(crate) fn spend(&mut self, steps: usize) -> bool {
        self.0 = self.0.saturating_sub(steps);
        self.0 > 0
    }

    /// Takes what a command of `words` words costs.
    pub(crate) fn spend_command(&mut self, words: usize) -> bool {
        self.spend((words + 1) * STEPS_OF_A_WORD)
    }

    /// Whether nothing is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.0 == 0
    }
}

/// The grammar's tree of a text, with as many bytes as the text; `None` when it would take too long.
pub(crate) fn tree(text: &str) -> Option<Tree> {
    let bounded = with_fewer_signs(text)?;
    let mut tree = parsed(bounded.as_bytes())?;
    if !line_ends::may_be_lost(text) {
        return Some(tree);
    }
    let mut bytes = bounded.into_owned().into_bytes();
    for _ in 0..MOST_MENDS {
        let lost = line_ends::lost(&tree, &bytes);
        if lost.is_empty() {
            break;
        }
        for at in lost {
            bytes.get_mut(at).into_iter().for_each(|end| *end = b';');
        }
        tree = parsed(&bytes)?;
    }
    Some(tree)
}

fn parsed(bytes: &[u8]) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).ok()?;
    let (chunks, reports) = (Cell::new(0), Cell::new(0));
    let is_over = || chunks.get() > MOST_CHUNKS || reports.get() > MOST_REPORTS;
    let mut still_at_work = |_: &tree_sitter::ParseState| {
        reports.set(reports.get() + 1);
        if is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut chunk = |at: usize, _| {
        chunks.set(chunks.get() + 1);
        let end = if is_over() { at } else { (at + CHUNK).min(bytes.len()) };
        bytes.get(at..end).unwrap_or_default()
    };
    let options = ParseOptions::new().progress_callback(&mut still_at_work);
    let tree = parser.parse_with_options(&mut chunk, None, Some(options));
    tree.filter(|_| !is_over())
}

/// The text with few enough signs. In here-documents they are data, mostly: where there are too many, those become
/// blanks, which stand where the signs stood. `None` when there are too many outside.
fn with_fewer_signs(text: &str) -> Option<Cow<'_, str>> {
    if text.len() < MOST_SIGNS || !has_too_many_signs(text.as_bytes()) {
        return Some(Cow::Borrowed(text));
    }
    let blanked = without_signs_of_heredocs(text);
    (!has_too_many_signs(blanked.as_bytes())).then_some(Cow::Owned(blanked))
}

fn has_too_many_signs(text: &[u8]) -> bool {
    let mut counts = [0usize; SIGNS.len()];
    for byte in text {
        if let Some(count) = SIGNS.iter().position(|sign| sign == byte).and_then(|at| counts.get_mut(at)) {
            *count += 1;
        }
    }
    counts.iter().any(|count| *count > MOST_SIGNS)
}

fn without_signs_of_heredocs(text: &str) -> String {
    let mut blanked = String::with_capacity(text.len());
    let mut open: Vec<String> = Vec::new();
    for line in text.split_inclusive('\n') {
        match open.first() {
            Some(end) if line.trim() == end => {
                open.remove(0);
                blanked.push_str(line);
            }
            Some(_) => {
                let is_sign = |letter: char| u8::try_from(letter).is_ok_and(|byte| SIGNS.contains(&byte));
                blanked.extend(line.chars().map(|letter| if is_sign(letter) { ' ' } else { letter }));
            }
            None => {
                open.extend(ends_of_heredocs(line));
                blanked.push_str(line);
            }
        }
    }
    blanked
}

/// The last lines of the here-documents that begin in a line.
fn ends_of_heredocs(line: &str) -> Vec<String> {
    let after = line.split("<<").skip(1).filter(|rest| !rest.starts_with('<'));
    let word = |rest: &str| -> String {
        let rest = rest.trim_start_matches(['-', ' ', '\'', '"', '\\']);
        rest.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
    };
    after.map(word).filter(|word| !word.is_empty()).take(8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_in_here_documents_are_no_reason_to_stop() {
        let table = "| a | b |\n".repeat(3_000);
        let text = format!("cat > f.md <<'EOF'\n{table}EOF\nrm x");
        let tree = tree(&text).unwrap();
        assert_eq!(tree.root_node().end_byte(), text.len());
        assert!(!tree.root_node().has_error());
        assert!(super::tree(&table).is_none());
    }

    #[test]
    fn texts_that_would_keep_the_grammar_busy_are_given_up() {
        for text in ["ls|".repeat(20_000), format!("cat <<E\n{}\nE\n", "$(ls) ".repeat(10_000))] {
            assert!(tree(&text).is_none(), "{}", text.chars().take(40).collect::<String>());
        }
    }
}
