//! Texts that the grammar takes apart wrongly, written in a way that it reads: the same commands in the same order.

use std::borrow::Cow;

mod heredocs;

use heredocs::around_heredocs;

/// The text as the grammar reads it.
pub(crate) fn readable(text: &str) -> Cow<'_, str> {
    let text = joined_lines(text);
    let text = match text.contains("<<") {
        true => around_heredocs(&text).map_or(text, Cow::Owned),
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

/// `{rm,-rf,src}` where a command begins: the words that the shell makes of it. `None` when there is none.
fn brace_words(text: &str) -> Option<String> {
    let mut written = String::new();
    let mut rest = text;
    let mut changed = false;
    let mut quotes = OpenQuotes::default();
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        written.push_str(before);
        quotes.read(before);
        let starts = quotes.quote.is_none() && begins_a_command(&written);
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

/// Whether a text that is read on and on stands within quotes; a substitution in double quotes has quotes of its own.
#[derive(Default)]
struct OpenQuotes {
    quote: Option<char>,
    around: Vec<Option<char>>,
    is_escaped: bool,
    is_after_dollar: bool,
}

impl OpenQuotes {
    fn read(&mut self, text: &str) {
        text.chars().for_each(|letter| self.take(letter));
    }

    fn take(&mut self, letter: char) {
        let is_after_dollar = std::mem::replace(&mut self.is_after_dollar, letter == '$');
        if std::mem::take(&mut self.is_escaped) {
            return;
        }
        match (self.quote, letter) {
            (Some('\''), '\'') => self.quote = None,
            (Some('\''), _) => {}
            (_, '\\') => self.is_escaped = true,
            (_, '(') if is_after_dollar => self.around.push(self.quote.take()),
            (None, ')') => self.quote = self.around.pop().flatten(),
            (Some('"'), '"') => self.quote = None,
            (None, '"' | '\'') => self.quote = Some(letter),
            _ => {}
        }
    }
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
            ("echo \"$({rm,-f,a}\n)\"", "echo \"$(rm -f a\n)\""),
            ("echo \"{a,b}\"; ls \"$(pwd)/{c,d}\"", "echo \"{a,b}\"; ls \"$(pwd)/{c,d}\""),
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
