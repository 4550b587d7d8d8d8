//! What follows the operator of a here-document in its line, written where the grammar reads it: commands behind the
//! document, a descriptor before the operator.

use std::collections::VecDeque;
use std::ops::Range;

/// `cat <<E; rm x`: what follows the operator's command in its line runs after the here-document, so it is written
/// there. `None` when nothing follows one that the grammar misreads.
pub(super) fn around_heredocs(text: &str) -> Option<String> {
    let mut written = String::with_capacity(text.len());
    let mut open: VecDeque<Heredoc> = VecDeque::new();
    let mut later: Option<&str> = None;
    let mut quotes = Vec::new();
    let mut moved = false;
    for line in text.split_inclusive('\n') {
        let mut next = Some(line);
        if let Some(here) = open.front() {
            written.push_str(line);
            if here.ends_with(line) {
                open.pop_front();
            }
            next = later.take_if(|_| open.is_empty());
            if next.is_some() && !written.ends_with('\n') {
                written.push('\n');
            }
        }
        let Some(line) = next else { continue };
        let (words, cut) = heredocs_of(line, &mut quotes);
        let first = match words.as_slice() {
            [only] => descriptor_first(line, only),
            _ => None,
        };
        moved |= first.is_some();
        let as_read = first.as_deref().unwrap_or(line);
        open.extend(words);
        match cut.and_then(|(end, start)| Some((as_read.get(..end)?, line.get(start..)?))) {
            Some((before, rest)) if !rest.trim().is_empty() => {
                moved = true;
                later = Some(rest);
                written.push_str(before);
                written.push('\n');
            }
            _ => written.push_str(as_read),
        }
    }
    written.push_str(later.unwrap_or_default());
    moved.then_some(written)
}

/// `bash <<E 2>&1 | tail`: a descriptor that is joined to another behind the operator stands before it, since the grammar
/// takes the pipeline for words of the command otherwise. The line keeps its length. `None` where there is none.
fn descriptor_first(line: &str, here: &Heredoc) -> Option<String> {
    let (before, operator) = (line.get(..here.at.start)?, line.get(here.at.clone())?);
    let rest = line.get(here.at.end..)?;
    let joined = rest.trim_start_matches([' ', '\t']);
    let blanks = rest.get(..rest.len() - joined.len())?;
    let (number, other) = joined.split_once(">&")?;
    let descriptor = joined.get(..number.len() + ">&1".len())?;
    let behind = joined.get(descriptor.len()..)?;
    let is_whole = number.bytes().all(|byte| byte.is_ascii_digit())
        && other.starts_with(|it: char| it.is_ascii_digit() || it == '-')
        && behind.chars().next().is_none_or(|next| ENDS.contains(&next));
    is_whole.then(|| format!("{before}{descriptor}{blanks}{operator}{behind}"))
}

/// Where the word behind an operator ends.
const ENDS: [char; 9] = [' ', '\t', ';', '&', '|', '>', '<', ')', '\n'];

/// The last line of a here-document, and whether tabs before it go.
struct Heredoc {
    end: String,
    strips: bool,
    /// Where its operator stands in its line, with the word behind.
    at: Range<usize>,
}

impl Heredoc {
    fn ends_with(&self, line: &str) -> bool {
        let bare = line.trim_end_matches('\n');
        self.end == if self.strips { bare.trim_start_matches('\t') } else { bare }
    }
}

/// The here-documents that begin in a line, up to where a `;` or `&` ends the last one's command: there what stands
/// before ends, and what runs later begins. The quotes that are open, and the substitutions in them, go on from line to
/// line.
fn heredocs_of(line: &str, quotes: &mut Vec<u8>) -> (Vec<Heredoc>, Option<(usize, usize)>) {
    const DOLLAR_QUOTE: u8 = b'$';
    let bytes = line.as_bytes();
    let at = |index: usize| bytes.get(index).copied().unwrap_or(b'\n');
    let behind = |index: usize| index.checked_sub(1).map_or(b' ', at);
    let (mut words, mut index, mut in_sum, mut is_held) = (Vec::new(), 0, false, false);
    while index < bytes.len() {
        match (quotes.last().copied().filter(|open| *open != b'('), at(index)) {
            (open, b'\\') if open != Some(b'\'') => index += 1,
            (Some(b'"'), b'(') if behind(index) == b'$' && at(index + 1) != b'(' => quotes.push(b'('),
            (Some(DOLLAR_QUOTE), b'\'') => {
                quotes.pop();
            }
            (Some(open), byte) if open == byte && open != DOLLAR_QUOTE => {
                quotes.pop();
            }
            (Some(_), _) => {}
            (None, b'\'') if behind(index) == b'$' => quotes.push(DOLLAR_QUOTE),
            (None, byte @ (b'\'' | b'"' | b'`')) => quotes.push(byte),
            (None, b'#') if matches!(behind(index), b' ' | b'\t' | b';') => break,
            (None, b'(') if at(index + 1) == b'(' => in_sum = true,
            (None, b')') if in_sum => in_sum = at(index + 1) != b')',
            (None, _) if in_sum => {}
            (None, byte @ (b'(' | b')')) => {
                // Brackets count in a quoted substitution alone. One around the operator ends on its own.
                match byte {
                    b'(' if !quotes.is_empty() => quotes.push(byte),
                    b')' => {
                        quotes.pop();
                    }
                    _ => {}
                }
                is_held |= !words.is_empty();
            }
            (None, b'<') if at(index + 1) == b'<' && at(index + 2) == b'<' => index += 2,
            (None, b'<') if at(index + 1) == b'<' => {
                let strips = at(index + 2) == b'-';
                let start = line.get(index + 2 + usize::from(strips)..).unwrap_or_default();
                let blanks = start.len() - start.trim_start_matches([' ', '\t']).len();
                let word: &str = start.get(blanks..).unwrap_or_default();
                let end = word.find(ENDS).unwrap_or(word.len());
                let last = index + 2 + usize::from(strips) + blanks + end;
                let name = word.get(..end).unwrap_or_default().replace(['\'', '"', '\\'], "");
                if !name.is_empty() && !name.bytes().all(|digit| digit.is_ascii_digit()) {
                    words.push(Heredoc { end: name, strips, at: index..last });
                }
                index = last - 1;
            }
            (None, b'&') if at(index + 1) == b'>' || matches!(behind(index), b'>' | b'<') => {}
            _ if words.is_empty() => {}
            // The grammar reads these with the operator.
            (None, b'&') if at(index + 1) == b'&' => is_held = true,
            (None, b'{' | b'|') => is_held = true,
            // `;;` ends the branch of a `case`, so it stays.
            (None, b';') if !is_held && matches!(at(index + 1), b';' | b'&') => {
                return (words, Some((index, index)));
            }
            (None, b';' | b'&') if !is_held => return (words, Some((index, index + 1))),
            _ => {}
        }
        index += 1;
    }
    (words, None)
}
