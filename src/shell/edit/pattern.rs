//! Patterns and replacements of `sed`, `perl`, `awk`, `grep` and their like, put into one form.
//!
//! Exact or nothing: what another engine would read in another way (a reference back, a look around, a variable) is
//! no pattern here.

use regex::{Captures, Regex, RegexBuilder};
use regex_syntax::hir::{Class, Hir, HirKind};

/// The longest pattern, in bytes.
const LONGEST_PATTERN: usize = 2_000;
/// The most memory of one compiled pattern, in bytes.
const LARGEST: usize = 1 << 20;
/// The longest text that a pattern is shown by, in bytes.
const LONGEST_SAMPLE: usize = 400;

/// Whose patterns they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::shell) enum Flavour {
    /// `sed` and `grep` without `-E`.
    Basic,
    /// `sed -E`, `grep -E`, `awk`.
    Extended,
    /// Perl, and what is like it: Python, JavaScript.
    Perl,
    /// Ruby: `^` and `$` mean lines.
    Ruby,
}

/// How a pattern is meant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::shell) struct Flags {
    pub(in crate::shell) ignore_case: bool,
    /// `^` and `$` mean lines.
    pub(in crate::shell) lines: bool,
    /// `.` means the end of a line too.
    pub(in crate::shell) dot_all: bool,
    /// White space and comments say nothing.
    pub(in crate::shell) spaced: bool,
    /// The text is one line with its end, so that `$` is before that.
    pub(in crate::shell) ended_line: bool,
}

/// A pattern that can be looked for.
#[derive(Debug, Clone)]
pub(in crate::shell) struct Pattern {
    source: String,
    flags: Flags,
    regex: Regex,
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source && self.flags == other.flags
    }
}

impl Eq for Pattern {}

impl Pattern {
    /// Reads a pattern.
    pub(in crate::shell) fn new(text: &str, flavour: Flavour, flags: Flags) -> Option<Pattern> {
        if text.is_empty() || text.len() > LONGEST_PATTERN {
            return None;
        }
        let source = match flavour {
            Flavour::Basic => posix(text, true)?,
            Flavour::Extended => posix(text, false)?,
            Flavour::Perl | Flavour::Ruby => perl(text, flavour, flags)?,
        };
        Pattern::build(source, Flags { lines: flags.lines || flavour == Flavour::Ruby, ..flags })
    }

    /// The text itself.
    pub(in crate::shell) fn literal(text: &str) -> Option<Pattern> {
        if text.is_empty() || text.len() > LONGEST_PATTERN {
            return None;
        }
        Pattern::build(regex::escape(text), Flags::default())
    }

    /// The same between the ends of a line, or of a word.
    pub(in crate::shell) fn within(&self, before: &str, after: &str) -> Option<Pattern> {
        Pattern::build(format!("{before}(?:{}){after}", self.source), self.flags)
    }

    /// Takes capitals and small letters for the same from now on.
    pub(in crate::shell) fn ignore_case(&mut self) {
        let flags = Flags { ignore_case: true, ..self.flags };
        if let Some(other) = Pattern::build(self.source.clone(), flags) {
            *self = other;
        }
    }

    fn build(source: String, flags: Flags) -> Option<Pattern> {
        let regex = RegexBuilder::new(&source)
            .case_insensitive(flags.ignore_case)
            .multi_line(flags.lines)
            .dot_matches_new_line(flags.dot_all)
            .ignore_whitespace(flags.spaced)
            .size_limit(LARGEST)
            .nest_limit(100)
            .build()
            .ok()?;
        Some(Pattern { source, flags, regex })
    }

    /// Whether it is somewhere in the text.
    pub(in crate::shell) fn fits(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// A text that it fits, as short as it can be; `None` where it says nothing by itself.
    pub(in crate::shell) fn sample(&self) -> Option<String> {
        let hir = regex_syntax::ParserBuilder::new()
            .multi_line(self.flags.lines)
            .ignore_whitespace(self.flags.spaced)
            .build()
            .parse(&self.source)
            .ok()?;
        let mut text = String::new();
        sample(&hir, &mut text);
        (!text.trim().is_empty() && text.len() <= LONGEST_SAMPLE).then_some(text)
    }
}

fn sample(hir: &Hir, text: &mut String) {
    if text.len() > LONGEST_SAMPLE {
        return;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(class) => text.push(member(class)),
        HirKind::Repetition(repetition) => {
            // `[0-9]+` is shown by a number of two digits, `.*` by nothing.
            let wanted = if is_digits(&repetition.sub) { 2 } else { repetition.min };
            let times = repetition.max.map_or(wanted, |most| wanted.min(most)).max(repetition.min).min(40);
            (0..times).for_each(|_| sample(&repetition.sub, text));
        }
        HirKind::Capture(capture) => sample(&capture.sub, text),
        HirKind::Concat(parts) => parts.iter().for_each(|part| sample(part, text)),
        HirKind::Alternation(ways) => {
            if let Some(first) = ways.first() {
                sample(first, text);
            }
        }
    }
}

fn is_digits(hir: &Hir) -> bool {
    matches!(hir.kind(), HirKind::Class(class) if member(class) == '9')
}

fn member(class: &Class) -> char {
    let holds = |wanted: char| match class {
        Class::Unicode(class) => class.ranges().iter().any(|it| (it.start()..=it.end()).contains(&wanted)),
        Class::Bytes(class) => u8::try_from(wanted)
            .is_ok_and(|byte| class.ranges().iter().any(|it| (it.start()..=it.end()).contains(&byte))),
    };
    let first = match class {
        Class::Unicode(class) => class.ranges().first().map(regex_syntax::hir::ClassUnicodeRange::start),
        Class::Bytes(class) => class.ranges().first().map(|it| char::from(it.start())),
    };
    ['x', 'X', '9', ' ', '"'].into_iter().find(|it| holds(*it)).or(first).unwrap_or('x')
}

/// A pattern of POSIX.
fn posix(text: &str, basic: bool) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 8);
    let mut letters = text.chars().peekable();
    // Whether an operator may not stand here, so that it is a letter.
    let mut at_start = true;
    while let Some(letter) = letters.next() {
        let was_start = std::mem::take(&mut at_start);
        match letter {
            '\\' => {
                let escaped = letters.next()?;
                let is_operator = basic && matches!(escaped, '(' | ')' | '{' | '}' | '+' | '?' | '|');
                match escaped {
                    '*' | '+' | '?' if is_operator && was_start => escape(escaped, &mut out),
                    _ if is_operator => {
                        out.push(escaped);
                        at_start = matches!(escaped, '(' | '|');
                    }
                    _ => escaped_in_posix(escaped, &mut out)?,
                }
            }
            '[' => bracket(&mut letters, &mut out, true)?,
            '.' => out.push('.'),
            '*' if was_start => out.push_str("\\*"),
            '*' => out.push('*'),
            '^' if was_start || !basic => {
                out.push('^');
                at_start = true;
            }
            '$' if !basic || ends_here(&letters) => out.push('$'),
            '(' | ')' | '|' if !basic => {
                out.push(letter);
                at_start = matches!(letter, '(' | '|');
            }
            '+' | '?' if !basic && !was_start => out.push(letter),
            '{' if !basic && !was_start && letters.peek().is_some_and(char::is_ascii_digit) => out.push('{'),
            '}' if !basic && is_open_count(&out) => out.push('}'),
            other => escape(other, &mut out),
        }
    }
    Some(out)
}

/// Whether what is left of a basic pattern ends an alternative.
fn ends_here(letters: &std::iter::Peekable<std::str::Chars>) -> bool {
    let rest: String = letters.clone().take(2).collect();
    rest.is_empty() || rest == "\\)" || rest == "\\|"
}

fn is_open_count(out: &str) -> bool {
    out.rfind('{').is_some_and(|open| {
        out.get(open + 1..).is_some_and(|count| {
            !out.get(..open).is_some_and(|before| before.ends_with('\\'))
                && !count.is_empty()
                && count.bytes().all(|byte| byte.is_ascii_digit() || byte == b',')
        })
    })
}

fn escaped_in_posix(escaped: char, out: &mut String) -> Option<()> {
    match escaped {
        'n' | 't' | 'w' | 'W' | 's' | 'S' | 'b' | 'B' | 'r' => out.extend(['\\', escaped]),
        '<' => out.push_str("\\b{start}"),
        '>' => out.push_str("\\b{end}"),
        '`' => out.push_str("\\A"),
        '\'' => out.push_str("\\z"),
        '\n' => out.push_str("\\n"),
        other if other.is_alphanumeric() => return None,
        other => escape(other, out),
    }
    Some(())
}

fn escape(letter: char, out: &mut String) {
    let mut buffer = [0u8; 4];
    out.push_str(&regex::escape(letter.encode_utf8(&mut buffer)));
}

/// A class in brackets, its `[` being read. In POSIX a backslash is a letter, unless it is `\n`, `\t` or `\]`.
fn bracket(letters: &mut std::iter::Peekable<std::str::Chars>, out: &mut String, posix: bool) -> Option<()> {
    out.push('[');
    if letters.peek() == Some(&'^') {
        letters.next();
        out.push('^');
    }
    let mut first = true;
    loop {
        let letter = letters.next()?;
        match letter {
            ']' if !first => break,
            ']' => out.push_str("\\]"),
            '[' if letters.peek() == Some(&':') => {
                let mut name = String::from("[");
                loop {
                    let next = letters.next()?;
                    name.push(next);
                    if next == ']' {
                        break;
                    }
                    if name.len() > 20 {
                        return None;
                    }
                }
                out.push_str(&name);
            }
            '\\' if posix && !matches!(letters.peek(), Some('n' | 't' | ']' | 's' | 'w')) => {
                out.push_str("\\\\");
            }
            '\\' => {
                let escaped = letters.next()?;
                // A POSIX class ends at this bracket, and what was meant is an escape.
                out.extend(['\\', escaped]);
            }
            '-' => out.push('-'),
            '&' | '~' | '[' => out.extend(['\\', letter]),
            other => out.push(other),
        }
        first = false;
    }
    out.push(']');
    Some(())
}

/// A pattern of Perl or Ruby.
fn perl(text: &str, flavour: Flavour, flags: Flags) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 8);
    let mut letters = text.chars().peekable();
    let mut quoted = false;
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next()? {
                'Q' => quoted = true,
                'E' => quoted = false,
                _ if quoted => return None,
                'Z' => out.push_str("\\z"),
                'h' => out.push_str("[ \\t]"),
                'R' => out.push_str("(?:\\r?\\n)"),
                escaped @ ('1'..='9' | 'K' | 'G' | 'X' | 'k' | 'g' | 'l' | 'u' | 'L' | 'U') => {
                    let _ = escaped;
                    return None;
                }
                escaped if escaped.is_ascii_alphanumeric() => out.extend(['\\', escaped]),
                escaped => escape(escaped, &mut out),
            },
            _ if quoted => escape(letter, &mut out),
            '[' => bracket(&mut letters, &mut out, false)?,
            '$' if flavour == Flavour::Perl => match letters.peek() {
                None | Some(')' | '|') => out.push_str(match (flags.lines, flags.ended_line) {
                    (true, _) => "$",
                    (false, true) => "(?m:$)",
                    (false, false) => "\\z",
                }),
                _ => return None,
            },
            '@' if flavour == Flavour::Perl && letters.peek().is_some_and(|next| next.is_alphabetic()) => {
                return None;
            }
            '#' if flavour == Flavour::Ruby && letters.peek() == Some(&'{') => return None,
            '{' if !letters.peek().is_some_and(char::is_ascii_digit) => out.push_str("\\{"),
            '}' if !is_open_count(&out) => out.push_str("\\}"),
            other => out.push(other),
        }
    }
    Some(out)
}

/// One piece of a replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::shell) enum Piece {
    /// This text.
    Text(String),
    /// What a group matched; 0 is the whole.
    Group(usize),
}

/// What stands in the place of a match.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::shell) struct Template(Vec<Piece>);

/// How a replacement is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::shell) enum Writing {
    /// `&` and `\1`.
    Sed,
    /// `&` only, as in awk.
    Awk,
    /// `$1`, `${1}`, `$&` and `\1`.
    Perl,
    /// `\1`, `\g<1>` and `\0`: Python and Ruby.
    Backslash,
    /// `$1`, `$&` and `$$`.
    Dollar,
}

impl Template {
    /// Just this text.
    pub(in crate::shell) fn text(text: &str) -> Template {
        Template(vec![Piece::Text(text.to_owned())])
    }

    /// Reads a replacement.
    pub(in crate::shell) fn new(text: &str, writing: Writing) -> Option<Template> {
        let mut template = Template::default();
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            match (letter, writing) {
                ('\\', Writing::Dollar) => template.push('\\'),
                ('\\', _) => template.escaped(&mut letters, writing)?,
                ('&', Writing::Sed | Writing::Awk) => template.0.push(Piece::Group(0)),
                ('$', Writing::Perl | Writing::Dollar) => template.variable(&mut letters, writing)?,
                // An array of Perl that nobody has filled.
                ('@', Writing::Perl) if letters.peek().is_some_and(|next| next.is_alphabetic()) => {
                    while letters.next_if(|next| next.is_alphanumeric() || *next == '_').is_some() {}
                }
                ('#', Writing::Backslash) if letters.peek() == Some(&'{') => return None,
                (other, _) => template.push(other),
            }
        }
        Some(template)
    }

    fn push(&mut self, letter: char) {
        match self.0.last_mut() {
            Some(Piece::Text(text)) => text.push(letter),
            _ => self.0.push(Piece::Text(letter.to_string())),
        }
    }

    fn escaped(
        &mut self,
        letters: &mut std::iter::Peekable<std::str::Chars>,
        writing: Writing,
    ) -> Option<()> {
        match letters.next()? {
            'n' => self.push('\n'),
            't' => self.push('\t'),
            'r' => self.push('\r'),
            'g' if writing == Writing::Backslash && letters.next_if_eq(&'<').is_some() => {
                let number: String = std::iter::from_fn(|| letters.next_if(|it| *it != '>')).collect();
                letters.next()?;
                self.0.push(Piece::Group(number.parse().ok()?));
            }
            digit @ '0'..='9' if writing != Writing::Awk => {
                self.0.push(Piece::Group(digit.to_digit(10)? as usize));
            }
            letter if letter.is_alphanumeric() => return None,
            other => self.push(other),
        }
        Some(())
    }

    fn variable(
        &mut self,
        letters: &mut std::iter::Peekable<std::str::Chars>,
        writing: Writing,
    ) -> Option<()> {
        match letters.next() {
            Some('&') => self.0.push(Piece::Group(0)),
            Some('$') if writing == Writing::Dollar => self.push('$'),
            Some(digit @ '1'..='9') => self.0.push(Piece::Group(digit.to_digit(10)? as usize)),
            Some('{') if writing == Writing::Perl => {
                let number: String = std::iter::from_fn(|| letters.next_if(|it| *it != '}')).collect();
                letters.next()?;
                self.0.push(Piece::Group(number.parse().ok()?));
            }
            None => self.push('$'),
            Some(other) if !other.is_alphanumeric() && other != '_' => {
                self.push('$');
                self.push(other);
            }
            Some(_) => return None,
        }
        Some(())
    }

    fn expand(&self, captures: &Captures, out: &mut String) {
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Group(group) => out.push_str(captures.get(*group).map_or("", |it| it.as_str())),
            }
        }
    }
}

/// A replacement of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::shell) struct Substitution {
    pub(in crate::shell) pattern: Pattern,
    pub(in crate::shell) with: Template,
    /// The first match that is replaced, from 1.
    pub(in crate::shell) from: usize,
    /// Whether those after it are replaced too.
    pub(in crate::shell) all: bool,
}

impl Substitution {
    /// The text with what is replaced; `None` when nothing fits.
    pub(in crate::shell) fn apply(&self, text: &str) -> Option<String> {
        let mut out = String::new();
        let mut last = 0;
        let mut replaced = false;
        for (index, captures) in self.pattern.regex.captures_iter(text).enumerate() {
            let whole = captures.get(0)?;
            if index + 1 < self.from {
                continue;
            }
            out.push_str(text.get(last..whole.start())?);
            self.with.expand(&captures, &mut out);
            last = whole.end();
            replaced = true;
            if !self.all {
                break;
            }
        }
        if !replaced {
            return None;
        }
        out.push_str(text.get(last..)?);
        Some(out)
    }
}
