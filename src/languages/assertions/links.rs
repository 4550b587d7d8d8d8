//! The links of a chain of calls, read from its text: `assertThat(a).isEqualTo(b)` is two of them.
//!
//! Read in one pass, bounded. What doesn't balance is no chain.

const MOST_LINKS: usize = 24;

/// One link of a chain.
#[derive(Debug, Default)]
pub(super) struct Link<'t> {
    pub(super) start: usize,
    pub(super) name: &'t str,
    pub(super) generic: &'t str,
    pub(super) arguments: Vec<&'t str>,
}

/// The calls of a chain in their order, and what follows the last one.
pub(super) fn chain(text: &str) -> Option<(Vec<Link<'_>>, &str)> {
    let mut links: Vec<Link> = Vec::new();
    let mut at = first_name(text)?;
    while links.len() < MOST_LINKS {
        at += text.get(at..)?.len() - text.get(at..)?.trim_start().len();
        let (link, end) = link(text, at)?;
        at = end;
        let is_empty = link.name.is_empty() && link.arguments.is_empty();
        if !is_empty {
            links.push(link);
        }
        let rest = text.get(at..)?;
        let trimmed = without_remarks(rest.trim_start());
        let separator =
            ["?->", "->", "::", "?.", "!.", "&.", "."].iter().find(|it| trimmed.starts_with(**it));
        match separator {
            Some(separator) if !trimmed.starts_with("..") => {
                at += rest.len() - trimmed.len() + separator.len()
            }
            _ => return Some((links, trimmed.trim_end())),
        }
        if is_empty {
            return None;
        }
    }
    None
}

/// Where the first name of a chain stands.
fn first_name(text: &str) -> Option<usize> {
    let mut at = text.len() - text.trim_start_matches(['#', '$', '(']).len();
    // The end of a block that stands on lines before.
    if let Some(rest) = text.strip_prefix('}').or_else(|| text.strip_prefix("end"))
        && rest.starts_with('.')
    {
        at = text.len() - rest.len() + 1;
    }
    for prefix in ["await ", "try await ", "try ", "try! ", "try? "] {
        if text.get(at..)?.starts_with(prefix) {
            at += prefix.len();
        }
    }
    Some(at)
}

/// The link that begins at a place, and where it ends.
fn link(text: &str, start: usize) -> Option<(Link<'_>, usize)> {
    let rest = text.get(start..)?;
    let length = rest
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\\' | '@' | '$')))
        .unwrap_or(rest.len());
    // `ok?` and `save!` are names in Ruby.
    let length = match rest.get(length..).and_then(|it| it.chars().next()) {
        Some('!' | '?') if !rest.get(length + 1..)?.starts_with(['=', '.', '-']) => length + 1,
        _ => length,
    };
    let mut link = Link { start, name: rest.get(..length)?, ..Link::default() };
    let mut at = start + length;
    if let Some(generic) = generic(text.get(at..)?) {
        link.generic = generic;
        at += generic.len() + 2;
    }
    // Arguments, and blocks behind them.
    for _ in 0..4 {
        match link.take_bracket(text.get(at..)?)? {
            0 => break,
            length => at += length,
        }
    }
    Some((link, at))
}

impl<'t> Link<'t> {
    /// Takes the arguments, the block or the index that a text begins with; how long that is. `None` where it is not
    /// closed.
    fn take_bracket(&mut self, rest: &'t str) -> Option<usize> {
        let spaces = rest.len() - rest.trim_start_matches(' ').len();
        match rest.as_bytes().get(spaces) {
            Some(b'(') if spaces == 0 => {
                let end = balanced(rest)?;
                self.arguments.extend(arguments(rest.get(1..end - 1)?));
                Some(end)
            }
            // Elixir's `assert {:ok, a} == b` has a value there.
            Some(b'{') if !matches!(self.name, "assert" | "refute") => {
                let inner = rest.get(spaces..)?;
                let end = balanced(inner)?;
                self.arguments.push(inner.get(..end)?);
                Some(spaces + end)
            }
            Some(b'[') if spaces == 0 => balanced(rest),
            _ => Some(0),
        }
    }
}

/// A text without the comments in front of a chain's next link.
fn without_remarks(text: &str) -> &str {
    let mut rest = text;
    for _ in 0..MOST_LINKS {
        let Some(comment) = rest.strip_prefix("//") else { break };
        rest = comment.split_once('\n').map_or("", |(_, below)| below.trim_start());
    }
    if rest.starts_with(['.', '?', '-']) { rest } else { text }
}

/// The claims of a chain that goes on about another value, with where each begins: Pest's
/// `expect(a)->toBe(b)->and(c)->toBe(d)` is `expect(a)->toBe(b)` and `expect(c)->toBe(d)`.
pub(crate) fn joined(text: &str) -> Vec<(usize, String)> {
    const AND: &str = "->and(";
    if !text.starts_with("expect(") || !text.contains(AND) {
        return Vec::new();
    }
    let (mut scan, mut starts) = (BracketScan::default(), vec![0]);
    for (at, byte) in text.bytes().enumerate() {
        if scan.is_outside() && text.get(at..).is_some_and(|rest| rest.starts_with(AND)) {
            starts.push(at);
        }
        scan.take(byte);
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let claims = starts.iter().zip(ends).filter_map(|(start, end)| Some((*start, text.get(*start..end)?)));
    claims
        .map(|(start, claim)| (start, claim.replacen("->and(", "expect(", usize::from(start > 0))))
        .collect()
}

/// `shouldBe 3`: a name and its argument.
pub(super) fn infix(rest: &str) -> Option<(Link<'_>, &str)> {
    let (name, value) = rest.split_once(char::is_whitespace)?;
    is_receiving(name).then(|| (Link { name, arguments: vec![value.trim()], ..Link::default() }, value))
}

/// The inside of `<X>` before arguments or a block.
fn generic(rest: &str) -> Option<&str> {
    let end = rest.strip_prefix('<')?.find('>')?;
    let inside = rest.get(1..=end)?;
    let is_type =
        inside.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '?' | ',' | ' ' | ':'));
    let follows = rest.get(end + 2..)?.trim_start();
    (is_type && follows.starts_with(['(', '{'])).then_some(inside)
}

/// Where the bracket that a text begins with is closed.
pub(super) fn balanced(text: &str) -> Option<usize> {
    let mut scan = BracketScan::default();
    for (at, byte) in text.bytes().enumerate() {
        scan.take(byte);
        if scan.depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// Values parted by commas outside of brackets and strings.
pub(super) fn arguments(text: &str) -> Vec<&str> {
    let (mut scan, mut from, mut found) = (BracketScan::default(), 0, Vec::new());
    for (at, byte) in text.bytes().enumerate() {
        if byte == b',' && scan.is_outside() {
            found.extend(text.get(from..at));
            from = at + 1;
        }
        scan.take(byte);
    }
    found.extend(text.get(from..));
    found.into_iter().map(str::trim).filter(|it| !it.is_empty()).collect()
}

/// The two sides of an operator outside of brackets and strings.
pub(super) fn parted<'t>(text: &'t str, operator: &str) -> Option<(&'t str, &'t str)> {
    let mut scan = BracketScan::default();
    for (at, byte) in text.bytes().enumerate() {
        if scan.is_outside() && text.as_bytes().get(at..)?.starts_with(operator.as_bytes()) {
            let (left, right) = (text.get(..at)?, text.get(at + operator.len()..)?);
            return (!left.trim().is_empty() && !right.starts_with('=')).then_some((left, right));
        }
        scan.take(byte);
    }
    None
}

/// Brackets and strings, byte by byte.
#[derive(Default)]
struct BracketScan {
    depth: usize,
    quote: Option<u8>,
    escaped: bool,
}

impl BracketScan {
    fn is_outside(&self) -> bool {
        self.depth == 0 && self.quote.is_none()
    }

    fn take(&mut self, byte: u8) {
        if let Some(quote) = self.quote {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                _ if byte == quote => self.quote = None,
                _ => {}
            }
            return;
        }
        match byte {
            b'"' | b'\'' | b'`' => self.quote = Some(byte),
            b'(' | b'[' | b'{' => self.depth += 1,
            b')' | b']' | b'}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }
}

/// Whether a name says that what stands before it is asserted about.
pub(super) fn is_receiving(name: &str) -> bool {
    ["must_", "wont_", "should_", "Should"].iter().any(|it| name.starts_with(it))
        || name == "should"
        || name.strip_prefix("should").is_some_and(|it| it.starts_with(char::is_uppercase))
}
