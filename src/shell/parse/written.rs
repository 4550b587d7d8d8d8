//! Texts that the grammar takes apart wrongly, written in a way that it reads: the same commands in the same order.

use std::borrow::Cow;
use std::collections::VecDeque;

/// The text as the grammar reads it.
pub(crate) fn readable(text: &str) -> Cow<'_, str> {
    let text = joined_lines(text);
    let text = match text.contains("<<") {
        true => after_heredocs(&text).map_or(text, Cow::Owned),
        false => text,
    };
    let text = match text.contains('{') && text.contains(',') {
        true => brace_words(&text).map_or(text, Cow::Owned),
        false => text,
    };
    // In a here-document it is mostly another language's.
    match text.contains("!(") && !text.contains("<<") {
        true => all_but(&text).map_or(text, Cow::Owned),
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
        open.extend(words);
        match cut.and_then(|(end, start)| Some((line.get(..end)?, line.get(start..)?))) {
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

/// The last line of a here-document, and whether tabs before it go.
struct Heredoc {
    end: String,
    strips: bool,
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
                let end = word.find([' ', '\t', ';', '&', '|', '>', '<', ')', '\n']).unwrap_or(word.len());
                let name = word.get(..end).unwrap_or_default().replace(['\'', '"', '\\'], "");
                if !name.is_empty() && !name.bytes().all(|digit| digit.is_ascii_digit()) {
                    words.push(Heredoc { end: name, strips });
                }
                index += 1 + usize::from(strips) + blanks + end;
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

/// `rm -rf !(README.md)`: what a pattern leaves out is few, and the rest is meant, so it is written `*`. The grammar
/// takes it for a subshell. `None` when there is none.
fn all_but(text: &str) -> Option<String> {
    let mut written = String::with_capacity(text.len());
    let (mut quote, mut in_test, mut changed) = (None, false, false);
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match (quote, letter) {
            (open, '\\') if open != Some('\'') => {
                written.push(letter);
                written.extend(letters.next().map(|(_, escaped)| escaped));
                continue;
            }
            (Some(open), _) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(letter),
            (None, '[' | '(') if written.ends_with(letter) => in_test = true,
            (None, ';' | '&' | '|' | '\n') => in_test = false,
            (None, '!') if !in_test => {
                if let Some(spared) = text.get(at + 1..).and_then(spared_names).filter(|_| goes_on(&written))
                {
                    changed = true;
                    written.push('*');
                    // The brackets are a letter each.
                    letters.by_ref().take(spared.chars().count() + 2).for_each(drop);
                    continue;
                }
            }
            _ => {}
        }
        written.push(letter);
    }
    changed.then_some(written)
}

/// Whether a command or one of its words goes on where a text ends. In the middle of a word, what is before it is not
/// looked at.
fn goes_on(text: &str) -> bool {
    const BEFORE_COMMANDS: &[&str] = &["if", "elif", "while", "until", "in"];
    let before = text.trim_end_matches([' ', '\t']);
    if before.len() == text.len() {
        return !text.is_empty() && !text.ends_with([';', '&', '|', '(', ')', '\n']);
    }
    let last = before.rsplit([' ', '\t', '\n', ';']).next().unwrap_or_default();
    !begins_a_command(text) && !BEFORE_COMMANDS.contains(&last)
}

/// The names in the brackets with which a text begins.
fn spared_names(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('(')?;
    let end = inside.find([')', '(', ' ', '\t', '\n', '\'', '"', '$', '`', ';', '&', '<', '>'])?;
    let names = inside.get(..end).filter(|names| !names.is_empty())?;
    inside.get(end..)?.starts_with(')').then_some(names)
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
            ("echo \"$((1<<n))\"; ls\nn\n", "echo \"$((1<<n))\"; ls\nn\n"),
            ("echo $((1<<n)); ls\nn\n", "echo $((1<<n)); ls\nn\n"),
            ("true && cat <<E; rm x\na\nE\n", "true && cat <<E\na\nE\n rm x\n"),
            ("{ cat <<E; rm x\na\nE\n}", "{ cat <<E\na\nE\n rm x\n}"),
            ("(cat <<E; rm x)\na\nE\n", "(cat <<E\na\nE\n rm x)\n"),
            ("case x in x) cat <<E; rm x\na\nE\n;; esac", "case x in x) cat <<E\na\nE\n rm x\n;; esac"),
            ("case x in x) cat <<E ;; esac\na\nE\n", "case x in x) cat <<E \na\nE\n;; esac\n"),
            ("cat <<A; cat <<B; rm x\na\nA\nb\nB\n", "cat <<A\na\nA\n cat <<B\nb\nB\n rm x\n"),
            ("m='\n(cat <<E; rm x)\n'; ls", "m='\n(cat <<E; rm x)\n'; ls"),
            ("echo \"$(cat <<E; rm x\na\nE\n)\"; ls", "echo \"$(cat <<E\na\nE\n rm x\n)\"; ls"),
            ("m=\"\n(cat <<E; rm x)\n\"; ls", "m=\"\n(cat <<E; rm x)\n\"; ls"),
            ("m=$'\\''; cat <<E; rm x\na\nE\n", "m=$'\\''; cat <<E\na\nE\n rm x\n"),
        ] {
            assert_eq!(readable(text), expected, "{text}");
        }
    }

    #[test]
    fn a_pattern_that_spares_a_few_is_the_rest() {
        for (text, expected) in [
            ("rm -rf !(README.md)", "rm -rf *"),
            ("ls && rm -rf src/!(a|b).py; ls", "ls && rm -rf src/*.py; ls"),
            ("!(ls)", "!(ls)"),
            ("if !(ls); then rm x; fi", "if !(ls); then rm x; fi"),
            ("ls; !(ls)", "ls; !(ls)"),
            ("awk '!(x)' f", "awk '!(x)' f"),
            ("echo \"a !(b)\" \\!(c)", "echo \"a !(b)\" \\!(c)"),
            ("[[ $x == !(a) ]]", "[[ $x == !(a) ]]"),
            ("echo $(( !(a) ))", "echo $(( !(a) ))"),
            ("case x in !(a)) ls;; esac", "case x in !(a)) ls;; esac"),
            ("cat <<E\nx = !(b)\nE\n", "cat <<E\nx = !(b)\nE\n"),
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
