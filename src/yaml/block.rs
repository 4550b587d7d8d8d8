//! One owner's block in a YAML file that has several owners.
//!
//! The block is read by itself where it can be, so that a fault in another owner's part of the file, or its size, does
//! not cost this one its settings.

use memchr::memmem;

use super::parse::{NotYaml, entries};
use super::tree::{Position, YamlBlock, YamlNode, YamlTree};

/// The value of a block; `None` without it, or when the file is something else altogether.
pub(crate) fn block<B: YamlBlock>(text: &str) -> Result<Option<YamlNode>, NotYaml> {
    if memmem::find(text.as_bytes(), B::NAME.as_bytes()).is_none() {
        return Ok(None);
    }
    if let Some((start, end)) = isolated(text, B::NAME) {
        let before = text[..start].bytes().filter(|byte| *byte == b'\n').count();
        if let Ok(found) = read::<B>(&text[start..end], before) {
            return Ok(found);
        }
    }
    read::<B>(text, 0)
}

/// The lines that belong to the key in a plainly written file: from the one line that begins with it to the next that
/// begins with anything but a blank or a comment. A wrong cut can't be parsed, and then the whole file is.
fn isolated(text: &str, name: &str) -> Option<(usize, usize)> {
    let mut found: Option<(usize, usize)> = None;
    let mut start = 0;
    let mut inside = false;
    for line in text.split_inclusive('\n') {
        let value = line.strip_prefix(name).map(|rest| rest.trim_start_matches(' '));
        if value.is_some_and(|rest| rest.starts_with(':')) {
            if found.is_some() {
                return None;
            }
            found = Some((start, text.len()));
            inside = true;
        } else if inside && !line.starts_with([' ', '\t', '\r', '\n', '#']) {
            found = found.map(|(first, _)| (first, start));
            inside = false;
        }
        start += line.len();
    }
    found
}

fn read<B: YamlBlock>(text: &str, lines_before: usize) -> Result<Option<YamlNode>, NotYaml> {
    let moved = |at: Position| Position { line: at.line + lines_before, ..at };
    let entries = entries::<B>(text).map_err(|broken| NotYaml { at: broken.at.map(moved), ..broken })?;
    let mut entries = entries.into_iter();
    let Some((_, mut node)) = entries.next() else { return Ok(None) };
    if let Some((again, _)) = entries.next() {
        let message = format!("{} is there a second time", B::NAME);
        return Err(NotYaml { at: Some(moved(again.at)), message });
    }
    if lines_before > 0 {
        shift(&mut node, &moved);
    }
    Ok(Some(node))
}

/// The depth of a node is bounded by the parser's budget.
fn shift(node: &mut YamlNode, moved: &impl Fn(Position) -> Position) {
    node.at = moved(node.at);
    match &mut node.value {
        YamlTree::List(items) => items.iter_mut().for_each(|item| shift(item, moved)),
        YamlTree::Map(entries) => {
            for (key, value) in entries {
                key.at = moved(key.at);
                shift(value, moved);
            }
        }
        _ => {}
    }
}
