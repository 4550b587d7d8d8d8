//! Texts that the grammar takes apart wrongly, written in a way that it reads: the same commands in the same order.

use std::borrow::Cow;

/// The text as the grammar reads it.
pub(crate) fn readable(text: &str) -> Cow<'_, str> {
    let text = joined_lines(text);
    let text = match text.contains("<<") {
        true => after_heredocs(&text).map_or(text, Cow::Owned),
        false => text,
    };
    match text.contains('{') && text.contains(',') {
        true => brace_words(&text).map_or(text, Cow::Owned),
        false => text,
    }
}

/// A word that goes on in the next line is one word, which the grammar takes for two. Heredocs keep their lines, and
/// so do single quotes, in which a backslash is itself.
fn joined_lines(text: &str) -> Cow<'_, str> {
    if !text.contains("\\\n") || text.contains("<<") {
        return Cow::Borrowed(text);
    }
    let mut joined = String::with_capacity(text.len());
    let mut quote = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (Some('\''), _) => {}
            (_, '\\') => {
                let Some(escaped) = letters.next() else {
                    joined.push(letter);
                    break;
                };
                let ends_word = [' ', '\t', '\n'];
                let goes_on = letters.peek().is_some_and(|next| !ends_word.contains(next));
                if escaped != '\n' || joined.ends_with(ends_word) || !goes_on {
                    joined.extend(['\\', escaped]);
                }
                continue;
            }
            (None, '\'' | '"') => quote = Some(letter),
            (None, '#') if joined.is_empty() || joined.ends_with([' ', '\t', '\n', ';']) => {
                joined.push(letter);
                while let Some(letter) = letters.next_if(|next| *next != '\n') {
                    joined.push(letter);
                }
                continue;
            }
            _ => {}
        }
        joined.push(letter);
    }
    Cow::Owned(joined)
}

/// `cat <<E; rm x`: what follows the operator's command in its line runs after the here-document, so it is written
/// there. `None` when nothing follows one.
fn after_heredocs(text: &str) -> Option<String> {
    let mut written = String::with_capacity(text.len());
    let mut open: Vec<(String, bool)> = Vec::new();
    let mut later: Option<&str> = None;
    let mut moved = false;
    for line in text.split_inclusive('\n') {
        if let Some((end, strips)) = open.first() {
            let bare = line.trim_end_matches('\n');
            let bare = if *strips { bare.trim_start_matches('\t') } else { bare };
            let ends = bare == end;
            written.push_str(line);
            if ends {
                open.remove(0);
            }
            if let Some(rest) = later.take_if(|_| open.is_empty()) {
                if !written.ends_with('\n') {
                    written.push('\n');
                }
                written.push_str(rest);
            }
            continue;
        }
        let (words, cut) = heredocs_of(line);
        open = words;
        match cut.filter(|_| !open.is_empty()).and_then(|at| Some((line.get(..at)?, line.get(at + 1..)?))) {
            Some((before, rest)) if !rest.trim().is_empty() => {
                moved = true;
                later = Some(rest);
                written.push_str(before);
                written.push('\n');
            }
            _ => written.push_str(line),
        }
    }
    written.push_str(later.unwrap_or_default());
    moved.then_some(written)
}

/// The last lines of the here-documents that begin in a line, each with whether its tabs go, and where a `;` or `&`
/// stands after the last of them.
fn heredocs_of(line: &str) -> (Vec<(String, bool)>, Option<usize>) {
    let bytes = line.as_bytes();
    let at = |index: usize| bytes.get(index).copied().unwrap_or(b'\n');
    let (mut words, mut cut, mut index, mut quote) = (Vec::new(), None, 0, None);
    while index < bytes.len() {
        let byte = at(index);
        match (quote, byte) {
            (_, b'\\') if quote != Some(b'\'') => index += 1,
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"' | b'`') => quote = Some(byte),
            (None, b'#') if index == 0 || matches!(at(index - 1), b' ' | b'\t') => break,
            (None, b'<') if at(index + 1) == b'<' && at(index + 2) == b'<' => index += 2,
            (None, b'<') if at(index + 1) == b'<' => {
                let strips = at(index + 2) == b'-';
                let start = line.get(index + 2 + usize::from(strips)..).unwrap_or_default();
                let blanks = start.len() - start.trim_start_matches([' ', '\t']).len();
                let word: &str = start.get(blanks..).unwrap_or_default();
                let end = word.find([' ', '\t', ';', '&', '|', '>', '<', ')', '\n']).unwrap_or(word.len());
                let name = word.get(..end).unwrap_or_default().replace(['\'', '"', '\\'], "");
                if !name.is_empty() && !name.bytes().all(|digit| digit.is_ascii_digit()) {
                    words.push((name, strips));
                    cut = None;
                }
                index += 1 + usize::from(strips) + blanks + end;
            }
            (None, b'&') if at(index + 1) == b'&' => return (words, None),
            (None, b'&') if at(index + 1) == b'>' || (index > 0 && matches!(at(index - 1), b'>' | b'<')) => {}
            // A group or substitution around the operator ends on its own.
            (None, b'(' | b')' | b'{') => return (words, None),
            (None, b'|') => return (words, None),
            (None, b';' | b'&') if !words.is_empty() => cut = cut.or(Some(index)),
            _ => {}
        }
        index += 1;
    }
    (words, cut)
}

/// `{rm,-rf,src}` where a command begins: the words that the shell makes of it. `None` when there is none.
fn brace_words(text: &str) -> Option<String> {
    let mut written = String::new();
    let mut rest = text;
    let mut changed = false;
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        written.push_str(before);
        let is_quoted = ['\'', '"'].iter().any(|quote| written.matches(*quote).count() % 2 == 1);
        let starts = begins_a_command(&written) && !is_quoted;
        let end = from.find(['}', ' ', '\t', '\n', '\'', '"', '$', '`', ';']).filter(|_| starts);
        let inside =
            end.filter(|end| from.as_bytes().get(*end) == Some(&b'}')).and_then(|end| from.get(1..end));
        match inside.filter(|inside| inside.contains(',') && !inside.contains('{')) {
            Some(inside) => {
                changed = true;
                written.push_str(&inside.replace(',', " "));
                rest = from.get(inside.len() + 2..).unwrap_or_default();
            }
            None => {
                written.push('{');
                rest = from.get(1..).unwrap_or_default();
            }
        }
    }
    written.push_str(rest);
    changed.then_some(written)
}

/// Whether a command begins where a text ends.
fn begins_a_command(text: &str) -> bool {
    const WORDS: &[&str] = &["then", "do", "else", "{", "!", "time"];
    let before = text.trim_end_matches([' ', '\t']);
    let last = before.rsplit([' ', '\t', '\n', ';']).next().unwrap_or_default();
    before.is_empty()
        || before.ends_with([';', '&', '|', '(', ')', '\n'])
        || (WORDS.contains(&last) && before.len() < text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_a_here_document_in_its_line_runs_after_it() {
        for (text, expected) in [
            ("cat <<E; rm x\na\nE\nls", "cat <<E\na\nE\n rm x\nls"),
            ("cat <<'E' & rm x; ls\na\nE", "cat <<'E' \na\nE\n rm x; ls\n"),
            ("cat <<-E >f; rm x\n\ta\n\tE\n", "cat <<-E >f\n\ta\n\tE\n rm x\n"),
            ("cat <<A <<B; rm x\na\nA\nb\nB\n", "cat <<A <<B\na\nA\nb\nB\n rm x\n"),
            ("cat <<E && rm x\na;\nE\n", "cat <<E && rm x\na;\nE\n"),
            ("cat <<E\ncat <<F; rm x\nE\n", "cat <<E\ncat <<F; rm x\nE\n"),
            ("echo '<<E; rm x'\nls", "echo '<<E; rm x'\nls"),
            ("x=$(cat <<E\n;\nE\n); ls", "x=$(cat <<E\n;\nE\n); ls"),
            ("echo $((1<<2)); ls", "echo $((1<<2)); ls"),
        ] {
            assert_eq!(readable(text), expected, "{text}");
        }
    }

    #[test]
    fn braces_where_a_command_begins_are_its_words() {
        for (text, expected) in [
            ("{rm,-rf,src}", "rm -rf src"),
            ("ls; {git,reset,--hard} HEAD", "ls; git reset --hard HEAD"),
            ("if true; then {rm,-f,a}\nfi", "if true; then rm -f a\nfi"),
            ("ls\n{rm,-f,a}", "ls\nrm -f a"),
            ("{ {rm,-f,a}; }", "{ rm -f a; }"),
            ("cp {a,b} c", "cp {a,b} c"),
            ("echo {a,b}", "echo {a,b}"),
            ("{ ls; }", "{ ls; }"),
            ("awk '{print a,b}'", "awk '{print a,b}'"),
            ("jq '.a|{b,c}' f", "jq '.a|{b,c}' f"),
        ] {
            assert_eq!(readable(text), expected, "{text}");
        }
    }
}
