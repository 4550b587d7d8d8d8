//! `sed -i` and `perl -pi -e` where the result can be computed: substitutions and deletions of simple patterns.
//!
//! Exact or nothing: whatever is not understood to the letter gives no result, never a guess.

/// The longest text that is edited, in bytes.
const LONGEST_TEXT: usize = 1024 * 1024;
/// The most steps that matching may take in all.
const MOST_STEPS: usize = 4_000_000;

/// An edit that can be computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineEdit {
    commands: Vec<LineCommand>,
    /// Whether lines are printed only when asked to (`-n`): then nothing is computed but deletions.
    quiet: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct LineCommand {
    address: Address,
    action: Action,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Address {
    All,
    Line(usize),
    Lines(usize, Option<usize>),
    Last,
    Matching(Vec<Atom>),
    NotMatching(Vec<Atom>),
    /// From each line that fits to the next that does, both included.
    Between(Point, Point),
}

/// Where a range begins or ends.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Point {
    Matching(Vec<Atom>),
    Line(usize),
    Last,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Action {
    Delete,
    Replace { pattern: Vec<Atom>, with: Vec<Piece>, all: bool },
}

/// One piece of a pattern: what it matches, and whether it may be there any number of times.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Atom {
    what: What,
    repeated: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    Letter(char),
    Any,
    Start,
    End,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Matched,
}

/// Whose patterns they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    /// `sed` without `-E`: `+`, `?`, `|`, `(` and `{` are letters.
    Basic,
    /// `sed -E` and perl: they act, and are left alone here.
    Extended,
}

impl LineEdit {
    /// Reads scripts, one for each `-e`. `None` for anything but `s` and `d` with simple patterns.
    pub(super) fn parse(scripts: &[&str], syntax: Syntax, quiet: bool) -> Option<LineEdit> {
        let mut commands = Vec::new();
        for script in scripts {
            let mut rest = *script;
            loop {
                rest = rest.trim_start_matches([' ', ';', '\n', '\t']);
                if rest.is_empty() {
                    break;
                }
                let (command, after) = command(rest, syntax)?;
                commands.push(command);
                rest = after;
            }
        }
        (!commands.is_empty() && !quiet).then_some(LineEdit { commands, quiet })
    }

    /// The text after the edit. `None` when it takes too long.
    pub fn apply(&self, text: &str) -> Option<String> {
        if text.len() > LONGEST_TEXT {
            return None;
        }
        let count = text.lines().count();
        let mut steps = 0usize;
        let mut result = String::with_capacity(text.len());
        // For each command whether its range is open.
        let mut open = vec![false; self.commands.len()];
        for (index, line) in text.split_inclusive('\n').enumerate() {
            let (mut now, end) = match line.strip_suffix('\n') {
                Some(line) => (line.to_owned(), "\n"),
                None => (line.to_owned(), ""),
            };
            let mut deleted = false;
            for (command, open) in self.commands.iter().zip(&mut open) {
                let place = (index + 1, count);
                if !command.address.holds(place, &now, open, &mut steps)? {
                    continue;
                }
                match &command.action {
                    Action::Delete => {
                        deleted = true;
                        break;
                    }
                    Action::Replace { pattern, with, all } => {
                        now = replaced(&now, pattern, with, *all, &mut steps)?
                    }
                }
            }
            if !deleted {
                result.push_str(&now);
                result.push_str(end);
            }
        }
        Some(result)
    }
}

impl Address {
    /// Whether a line is meant; `open` says whether the range began in an earlier one.
    fn holds(
        &self,
        (line, count): (usize, usize),
        text: &str,
        open: &mut bool,
        steps: &mut usize,
    ) -> Option<bool> {
        Some(match self {
            Address::All => true,
            Address::Line(one) => line == *one,
            Address::Lines(from, to) => line >= *from && to.is_none_or(|to| line <= to.max(*from)),
            Address::Last => line == count,
            Address::Matching(pattern) => found(&letters(text), pattern, 0, steps)?.is_some(),
            Address::NotMatching(pattern) => found(&letters(text), pattern, 0, steps)?.is_none(),
            Address::Between(from, to) => {
                if *open {
                    // A line number that is behind already ends the range before this line.
                    let is_behind = matches!(to, Point::Line(last) if line > *last);
                    *open = !is_behind && !to.fits((line, count), text, steps)?;
                    if !is_behind {
                        return Some(true);
                    }
                }
                let begins = from.fits((line, count), text, steps)?;
                // A pattern is looked for from the next line on, a line number may be this one or behind it.
                *open = begins
                    && match to {
                        Point::Line(last) => *last > line,
                        Point::Last => line < count,
                        Point::Matching(_) => true,
                    };
                begins
            }
        })
    }
}

impl Point {
    fn fits(&self, (line, count): (usize, usize), text: &str, steps: &mut usize) -> Option<bool> {
        Some(match self {
            Point::Matching(pattern) => found(&letters(text), pattern, 0, steps)?.is_some(),
            Point::Line(one) => line == *one,
            Point::Last => line == count,
        })
    }
}

fn letters(text: &str) -> Vec<char> {
    text.chars().collect()
}

/// One command and what comes after it.
fn command(text: &str, syntax: Syntax) -> Option<(LineCommand, &str)> {
    let (address, rest) = address(text, syntax)?;
    let rest = rest.trim_start_matches(' ');
    let mut characters = rest.chars();
    match characters.next()? {
        'd' => {
            let after = characters.as_str();
            let ends = after.is_empty() || after.starts_with([';', '\n', ' ', '}']);
            (ends && !after.starts_with('}'))
                .then_some((LineCommand { address, action: Action::Delete }, after))
        }
        's' => {
            let sign = characters
                .next()
                .filter(|sign| !sign.is_alphanumeric() && !matches!(sign, '\\' | '\n' | ' '))?;
            let (pattern, rest) = pattern_until(characters.as_str(), sign)?;
            let (with, rest) = until(rest, sign)?;
            let end = rest.find([';', '\n', ' ']).unwrap_or(rest.len());
            let (flags, after) = rest.split_at_checked(end)?;
            let all = match flags {
                "" => false,
                "g" => true,
                _ => return None,
            };
            let action =
                Action::Replace { pattern: atoms(&pattern, syntax)?, with: pieces(&with, syntax)?, all };
            Some((LineCommand { address, action }, after))
        }
        _ => None,
    }
}

fn address(text: &str, syntax: Syntax) -> Option<(Address, &str)> {
    if let Some(rest) = text.strip_prefix('/') {
        let (pattern, rest) = pattern_until(rest, '/')?;
        let pattern = atoms(&pattern, syntax)?;
        return match rest.strip_prefix('!') {
            Some(rest) => Some((Address::NotMatching(pattern), rest)),
            None => match rest.strip_prefix(',') {
                Some(rest) => {
                    let (to, rest) = point(rest, syntax)?;
                    Some((Address::Between(Point::Matching(pattern), to), rest))
                }
                None => Some((Address::Matching(pattern), rest)),
            },
        };
    }
    if let Some(rest) = text.strip_prefix('$') {
        return Some((Address::Last, rest));
    }
    let digits = text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let (number, rest) = text.split_at_checked(digits)?;
    if number.is_empty() {
        return Some((Address::All, rest));
    }
    let from: usize = number.parse().ok().filter(|from| *from > 0)?;
    let Some(rest) = rest.strip_prefix(',') else {
        return (!rest.starts_with(['~', '!'])).then_some((Address::Line(from), rest));
    };
    if let Some(rest) = rest.strip_prefix('$') {
        return Some((Address::Lines(from, None), rest));
    }
    match point(rest, syntax)? {
        (Point::Line(to), rest) => Some((Address::Lines(from, Some(to)), rest)),
        (to, rest) => Some((Address::Between(Point::Line(from), to), rest)),
    }
}

/// The end of a range.
fn point(text: &str, syntax: Syntax) -> Option<(Point, &str)> {
    if let Some(rest) = text.strip_prefix('/') {
        let (pattern, rest) = pattern_until(rest, '/')?;
        return (!rest.starts_with('!')).then_some((Point::Matching(atoms(&pattern, syntax)?), rest));
    }
    if let Some(rest) = text.strip_prefix('$') {
        return Some((Point::Last, rest));
    }
    let digits = text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let (number, rest) = text.split_at_checked(digits)?;
    (!rest.starts_with('!')).then_some((Point::Line(number.parse().ok()?), rest))
}

/// A pattern up to its sign. One with a class is left alone: the sign may stand in it.
fn pattern_until(text: &str, sign: char) -> Option<(String, &str)> {
    until(text, sign).filter(|(pattern, _)| !pattern.contains('['))
}

/// Up to the next `sign` that is not escaped; an escaped one is itself.
fn until(text: &str, sign: char) -> Option<(String, &str)> {
    let mut inside = String::new();
    let mut characters = text.chars();
    loop {
        match characters.next()? {
            '\\' => match characters.next()? {
                escaped if escaped == sign => inside.push(escaped),
                escaped => inside.extend(['\\', escaped]),
            },
            here if here == sign => return Some((inside, characters.as_str())),
            here => inside.push(here),
        }
    }
}

fn atoms(pattern: &str, syntax: Syntax) -> Option<Vec<Atom>> {
    let mut atoms: Vec<Atom> = Vec::new();
    let mut characters = pattern.chars().peekable();
    while let Some(character) = characters.next() {
        let last = characters.peek().is_none();
        let what = match character {
            '\\' => match characters.next()? {
                // Classes, groups, and what GNU adds.
                escaped if escaped.is_alphanumeric() || matches!(escaped, '<' | '>' | '`' | '\'') => {
                    return None;
                }
                '(' | ')' | '{' | '}' | '+' | '?' | '|' if syntax == Syntax::Basic => return None,
                escaped => What::Letter(escaped),
            },
            '.' => What::Any,
            '^' if atoms.is_empty() => What::Start,
            '$' if last => What::End,
            '*' => {
                let before = atoms.last_mut()?;
                if before.repeated || matches!(before.what, What::Start | What::End) {
                    return None;
                }
                before.repeated = true;
                continue;
            }
            '(' | ')' | '{' | '}' | '+' | '?' | '|' | '^' | '$' if syntax == Syntax::Extended => return None,
            '[' | ']' => return None,
            letter => What::Letter(letter),
        };
        atoms.push(Atom { what, repeated: false });
    }
    (!atoms.is_empty()).then_some(atoms)
}

fn pieces(with: &str, syntax: Syntax) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut characters = with.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next()? {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                escaped if escaped.is_alphanumeric() => return None,
                escaped => text.push(escaped),
            },
            '&' if syntax == Syntax::Basic => {
                pieces.push(Piece::Text(std::mem::take(&mut text)));
                pieces.push(Piece::Matched);
            }
            // Means the match to `sed -E` and itself to perl; `$` is a variable of perl.
            '&' | '$' | '@' if syntax == Syntax::Extended => return None,
            letter => text.push(letter),
        }
    }
    pieces.push(Piece::Text(text));
    Some(pieces)
}

fn replaced(line: &str, pattern: &[Atom], with: &[Piece], all: bool, steps: &mut usize) -> Option<String> {
    let text = letters(line);
    let mut result = String::with_capacity(line.len());
    let mut from = 0;
    while let Some((start, end)) = found(&text, pattern, from, steps)? {
        result.extend(text.get(from..start)?);
        for piece in with {
            match piece {
                Piece::Text(text) => result.push_str(text),
                Piece::Matched => result.extend(text.get(start..end)?),
            }
        }
        // An empty match takes one letter along, so that the next begins after it.
        if end == start {
            result.extend(text.get(end));
        }
        from = if end == start { end + 1 } else { end };
        if !all || from > text.len() || matches!(pattern.first(), Some(Atom { what: What::Start, .. })) {
            break;
        }
    }
    result.extend(text.get(from.min(text.len())..)?);
    Some(result)
}

/// The first place, from an index on, where the pattern matches; outer `None` when it takes too long.
fn found(text: &[char], pattern: &[Atom], from: usize, steps: &mut usize) -> Option<Option<(usize, usize)>> {
    for start in from..=text.len() {
        if let Some(end) = matched(text, pattern, start, steps)? {
            return Some(Some((start, end)));
        }
    }
    Some(None)
}

/// Where a match that begins here ends: the longest, atoms taking as much as they can.
fn matched(text: &[char], pattern: &[Atom], start: usize, steps: &mut usize) -> Option<Option<usize>> {
    // Each open choice: the atom, and where it stands.
    let mut open = vec![(0usize, start)];
    while let Some((atom, here)) = open.pop() {
        *steps += 1;
        if *steps > MOST_STEPS {
            return None;
        }
        let Some(Atom { what, repeated }) = pattern.get(atom) else { return Some(Some(here)) };
        let fits = |at: usize| match (what, text.get(at)) {
            (What::Letter(letter), Some(there)) => letter == there,
            (What::Any, Some(_)) => true,
            _ => false,
        };
        match what {
            What::Start if here == 0 => open.push((atom + 1, here)),
            What::End if here == text.len() => open.push((atom + 1, here)),
            What::Start | What::End => {}
            _ if *repeated => {
                let mut end = here;
                open.push((atom + 1, end));
                while fits(end) {
                    end += 1;
                    open.push((atom + 1, end));
                }
            }
            _ if fits(here) => open.push((atom + 1, here + 1)),
            _ => {}
        }
    }
    Some(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(script: &str, text: &str) -> Option<String> {
        LineEdit::parse(&[script], Syntax::Basic, false)?.apply(text)
    }

    #[test]
    fn simple_scripts_are_computed_to_the_letter() {
        for (script, text, expected) in [
            ("s/a/b/", "aa\na\n", "ba\nb\n"),
            ("s/a/b/g", "aa", "bb"),
            ("s|/x|/y|", "/x/x", "/y/x"),
            ("s/a\\/b/c/", "a/b", "c"),
            ("s/^x/y/g", "xx\nax", "yx\nax"),
            ("s/x$/y/", "xx\n", "xy\n"),
            ("s/a.*c/-/", "abcabc!", "-!"),
            ("s/ab*/-/g", "abbba", "--"),
            ("s/a/[&]/", "a", "[a]"),
            ("s/a+/b/", "a+", "b"),
            ("s/x*/-/g", "ab", "-a-b-"),
            ("2d", "a\nb\nc\n", "a\nc\n"),
            ("2,3d", "a\nb\nc\nd\n", "a\nd\n"),
            ("2,$d", "a\nb\nc\n", "a\n"),
            ("$d", "a\nb\n", "a\n"),
            ("/b/d", "a\nb\nab\nc\n", "a\nc\n"),
            ("/b/!d", "a\nb\n", "b\n"),
            ("/a/,/b/d", "a\nx\nb\ny\na\nz\n", "y\n"),
            ("/a/,$d", "a\nx\nb\ny\na\nz\n", ""),
            ("2,/y/d", "a\nx\nb\ny\na\nz\n", "a\na\nz\n"),
            ("/x/,1d", "a\nx\nb\ny\na\nz\n", "a\nb\ny\na\nz\n"),
            ("/y/,5d", "a\nx\nb\ny\na\nz\n", "a\nx\nb\nz\n"),
            ("/b/s/b/c/", "bb\nab\n", "cb\nac\n"),
            ("s/a/b/; s/b/c/", "a\n", "c\n"),
            ("s/a/x\\ny/", "a\n", "x\ny\n"),
        ] {
            assert_eq!(edited(script, text).as_deref(), Some(expected), "{script}");
        }
    }

    #[test]
    fn anything_else_is_left_alone() {
        for script in [
            "s/[ab]/x/",
            "s/\\(a\\)/\\1/",
            "s/a/b/I",
            "s/a/b/2",
            "a\\text",
            "y/a/b/",
            "1~2d",
            "/a/,/b/!d",
            "/a/,~2d",
            "s/a",
            "s/\\w/x/",
            "w f",
            "",
        ] {
            assert_eq!(edited(script, "a\n"), None, "{script}");
        }
        assert_eq!(LineEdit::parse(&["s/a+/b/"], Syntax::Extended, false), None);
        assert_eq!(edited("s/.*.*.*.*.*.*x/y/", &"a".repeat(5_000)), None, "too slow");
    }
}
