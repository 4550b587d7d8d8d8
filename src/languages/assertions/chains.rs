//! What an assertion claims in the languages whose assertions are chains of calls: `assertThat(a).isEqualTo(b)`,
//! `expect(a).to eq b`, `a.must_equal b`, `EXPECT_EQ(a, b)`, `assert a == b`.
//!
//! Read from the assertion's own text, bounded and in one pass. What doesn't balance claims nothing.

use tree_sitter::Node;

use crate::languages::assertions::model::{Claim, Strength, compared};
use Strength::{Exact, Exists, Kind, Partial};

/// Longer assertions hold data; their claim isn't read.
const LONGEST: usize = 2_000;
const MOST_LINKS: usize = 24;

/// Words that say nothing of how much a matcher says, taken off its name from the front.
const SHARED: &[&str] = &[
    "boost", "static", "xct", "assert", "expect", "require", "check", "refute", "are", "is", "tohave", "to",
    "should", "must", "wont", "have", "has", "be",
];
/// Matchers by their names in lower case, without `_` and the words of [`SHARED`].
const MATCHERS: &[(&str, Strength)] = &[
    ("equal", Exact),
    ("equals", Exact),
    ("equalto", Exact),
    ("eq", Exact),
    ("eql", Exact),
    ("same", Exact),
    ("sameas", Exact),
    ("sameinstance", Exact),
    ("identical", Exact),
    ("identicalto", Exact),
    ("streq", Exact),
    ("strcaseeq", Exact),
    ("doubleeq", Exact),
    ("floateq", Exact),
    ("jsonequals", Exact),
    ("jsonstringequalsjsonstring", Exact),
    ("arrayequals", Exact),
    ("contentequals", Exact),
    ("iterableequals", Exact),
    ("linesmatch", Exact),
    ("equivalent", Exact),
    ("equivalentto", Exact),
    ("exactly", Exact),
    ("containexactly", Exact),
    ("containsexactly", Exact),
    ("containsexactlyelementsin", Exact),
    ("containsexactlyinanyorder", Exact),
    ("matcharray", Exact),
    ("elementsmatch", Exact),
    ("size", Exact),
    ("length", Exact),
    ("count", Exact),
    ("messagethat", Exact),
    ("message", Exact),
    ("contain", Partial),
    ("contains", Partial),
    ("include", Partial),
    ("includes", Partial),
    ("in", Partial),
    ("match", Partial),
    ("matches", Partial),
    ("startwith", Partial),
    ("startswith", Partial),
    ("endwith", Partial),
    ("endswith", Partial),
    ("stringcontainsstring", Partial),
    ("stringstartswith", Partial),
    ("matchesregularexpression", Partial),
    ("near", Partial),
    ("almostequal", Partial),
    ("closeto", Partial),
    ("within", Partial),
    ("between", Partial),
    ("indelta", Partial),
    ("equalswithdelta", Partial),
    ("greater", Partial),
    ("greaterthan", Partial),
    ("greaterthanorequalto", Partial),
    ("less", Partial),
    ("lessthan", Partial),
    ("lessthanorequalto", Partial),
    ("gt", Partial),
    ("ge", Partial),
    ("lt", Partial),
    ("le", Partial),
    ("key", Partial),
    ("arraykey", Partial),
    ("item", Partial),
    ("that", Partial),
    ("true", Kind),
    ("false", Kind),
    ("null", Exact),
    ("nil", Exact),
    ("none", Exact),
    ("empty", Exact),
    ("notempty", Kind),
    ("truthy", Kind),
    ("falsey", Kind),
    ("falsy", Kind),
    ("instanceof", Kind),
    ("instanceoftype", Kind),
    ("kindof", Kind),
    ("aninstanceof", Kind),
    ("akindof", Kind),
    ("typeof", Kind),
    ("type", Kind),
    ("assignablefrom", Kind),
    ("a", Kind),
    ("an", Kind),
    ("notnull", Exists),
    ("notnullvalue", Exists),
    ("nullvalue", Exact),
    ("notnil", Exists),
    ("notbenull", Exists),
    ("notbenil", Exists),
    ("notequal", Exists),
    ("notequals", Exists),
    ("notequalto", Exists),
    ("notsame", Exists),
    ("ne", Exists),
    ("present", Exists),
    ("exist", Exists),
    ("exists", Exists),
    ("defined", Exists),
    ("nothrow", Exists),
    ("nothrown", Exists),
    ("doesnotthrow", Exists),
    ("doesnotthrowanyexception", Exists),
    ("anything", Exists),
];
/// Matchers about an error that is thrown; its kind is an argument or a type.
const THROWING: &[&str] = &[
    "throw",
    "throws",
    "throwsasync",
    "throwsexactly",
    "throwsany",
    "throwsanyasync",
    "anythrow",
    "throwany",
    "throwas",
    "throwswith",
    "failswith",
    "raise",
    "raises",
    "raiseerror",
    "raiseexception",
    "throwserror",
    "exception",
    "throwexception",
];
/// Kinds of error that every error is, and those that nearly every one is.
const ANY: &[&str] = &["", "Throwable", "BaseException"];
const NEARLY_ANY: &[&str] = &["Exception", "StandardError", "Error", "exception", "NSError"];
/// Calls whose first argument is what the rest of the chain is about.
const OPENERS: &[&str] =
    &["expect", "assertThat", "assert_that", "That", "expectThat", "assertWithMessage", "expectTypeOf", "_"];

/// One link of a chain.
#[derive(Debug, Default)]
struct Link<'t> {
    start: usize,
    name: &'t str,
    generic: &'t str,
    arguments: Vec<&'t str>,
}

/// Reads the assertion that a node is.
pub(crate) fn of_node(node: Node, source: &str) -> Claim {
    claim(crate::languages::tree::text(node, source))
}

/// Reads an assertion from its text.
pub(crate) fn claim(text: &str) -> Claim {
    let text = text.trim().trim_end_matches(';');
    if text.len() > LONGEST {
        return Claim::default();
    }
    let mut claim = read(text).unwrap_or_default();
    claim.circular = claim.strength == Some(Exact)
        && !claim.negated
        && claim.subject == claim.expected
        && claim.subject.len() > 1;
    claim
}

fn read(text: &str) -> Option<Claim> {
    let (links, rest) = chain(text)?;
    for (at, link) in links.iter().enumerate() {
        let later = links.get(at + 1..).unwrap_or_default();
        if OPENERS.contains(&link.name) && !link.arguments.is_empty() {
            return opened(link, later, rest);
        }
        if is_receiving(link.name) {
            let subject = text.get(..link.start)?.trim_end_matches(['.', '-', '>', '?', '!']);
            return received(subject, link, later, rest);
        }
        let values = if link.arguments.is_empty() && later.is_empty() {
            arguments(rest)
        } else {
            link.arguments.clone()
        };
        if let Some(found) = plain(link, &values) {
            return Some(found);
        }
    }
    // `a shouldBe b`.
    let (link, _) = infix(rest)?;
    received(text.get(..text.len().checked_sub(rest.len())?)?, &link, &[], "")
}

/// Whether a name says that what stands before it is asserted about.
fn is_receiving(name: &str) -> bool {
    ["must_", "wont_", "should_", "Should"].iter().any(|it| name.starts_with(it))
        || name == "should"
        || name.strip_prefix("should").is_some_and(|it| it.starts_with(char::is_uppercase))
}

/// `expect(a).to eq(b)`, `assertThat(a).isEqualTo(b)`, `assertThat(a, is(b))`, `#expect(a == b)`.
fn opened(opener: &Link, later: &[Link], rest: &str) -> Option<Claim> {
    let subject = opener.arguments.first()?;
    if let [only] = later
        && matches!(only.name, "to" | "not_to" | "to_not")
    {
        let inner = if only.arguments.is_empty() { rest } else { only.arguments.first()? };
        return inner_matcher(subject, inner, only.name != "to");
    }
    if later.is_empty() {
        return match opener.arguments.get(1).filter(|_| opener.name != "expect") {
            Some(matcher) => inner_matcher(subject, matcher, false),
            None => condition(subject),
        };
    }
    chained((*subject).to_owned(), later)
}

/// The strongest matcher of a chain; what stands before it belongs to what it is about.
fn chained(mut subject: String, links: &[Link]) -> Option<Claim> {
    let mut best: Option<Claim> = None;
    let mut negated = false;
    for link in links {
        if matches!(link.name, "not" | "Not" | "not_to") {
            negated = true;
            continue;
        }
        match matched(&subject, link, &link.arguments, negated) {
            Some(found) if best.as_ref().is_none_or(|known| known.strength < found.strength) => {
                best = Some(found)
            }
            Some(_) => {}
            None if best.is_none() && !matches!(link.name, "as" | "describedAs" | "And" | "and") => {
                subject = format!("{subject}.{}({})", link.name, link.arguments.join(","));
            }
            None => {}
        }
    }
    best
}

/// `eq(b)`, `eq b`, `Is.Not.EqualTo(b)`, `raise_error(X)`.
fn inner_matcher(subject: &str, matcher: &str, negated: bool) -> Option<Claim> {
    let (links, rest) = chain(matcher)?;
    let negated = negated ^ links.iter().any(|it| matches!(it.name, "Not" | "not"));
    // `is(notNullValue())`, `not(equalTo(3))`.
    if let [only] = &links[..]
        && matches!(only.name, "is" | "not")
        && let [inner] = only.arguments[..]
        && inner.ends_with(')')
        && let Some(found) = inner_matcher(subject, inner, negated)
    {
        return Some(found);
    }
    links.iter().find_map(|link| {
        let own = arguments(rest);
        let values = if link.arguments.is_empty() { &own } else { &link.arguments };
        matched(subject, link, values, negated)
    })
}

/// `a.must_equal b`, `a.should eq(b)`, `a.Should().Be(b)`, `a.ShouldEqual(b)`.
fn received(subject: &str, link: &Link, later: &[Link], rest: &str) -> Option<Claim> {
    match link.name {
        "should" if link.arguments.is_empty() => inner_matcher(subject, rest, false),
        "should" => inner_matcher(subject, link.arguments.first()?, false),
        "should_not" => inner_matcher(subject, rest, true),
        "Should" => chained(subject.to_owned(), later),
        name => {
            let own = arguments(rest);
            let values = if link.arguments.is_empty() { &own } else { &link.arguments };
            let negated = name.starts_with("wont_") || name.starts_with("shouldNot");
            matched(subject, link, values, negated)
        }
    }
}

/// `assertEquals(b, a)`, `Assert.NotNull(a)`, `assert a == b`, `REQUIRE(a == b)`.
fn plain(link: &Link, values: &[&str]) -> Option<Claim> {
    let name = core(link.name);
    if !asserts(link.name) {
        return None;
    }
    if THROWING.contains(&name.as_str()) {
        return Some(thrown("raise", link, values));
    }
    if name.is_empty() || matches!(name.as_str(), "true" | "that") {
        return condition(values.first()?);
    }
    let first = values.first()?;
    let cast = first.strip_prefix("(void)").map(str::trim);
    let first = cast.and_then(|it| it.strip_prefix('(')?.strip_suffix(')')).or(cast).unwrap_or(first);
    let strength = strength(&name)?;
    // Which side is the expected one differs; a literal is.
    let takes_two = strength > Kind || matches!(name.as_str(), "ne" | "notequal" | "notequals" | "notsame");
    let (subject, expected) = match values.get(1).filter(|_| takes_two) {
        None => (first, ""),
        Some(second) if is_literal(second) => (first, *second),
        Some(second) if is_literal(first) || expects_first(link.name) => (*second, first),
        Some(second) => (first, *second),
    };
    let negated = link.name.starts_with("refute");
    Some(compared(subject, link.name, expected, if negated { Exists } else { strength }, negated))
}

/// Whether a call of this name asserts by itself.
fn asserts(name: &str) -> bool {
    const ALONE: &[&str] = &[
        "AreEqual",
        "Equal",
        "AreSame",
        "Same",
        "IsTrue",
        "True",
        "IsFalse",
        "False",
        "IsNotNull",
        "NotNull",
        "IsNull",
        "Null",
        "Contains",
        "AreEquivalent",
        "Throws",
        "ThrowsAsync",
        "ThrowsAny",
        "ThrowsAnyAsync",
        "ThrowsExactly",
        "ThrowsException",
        "Catch",
        "Empty",
        "NotEmpty",
        "Single",
        "StartsWith",
        "IsInstanceOf",
        "IsType",
        "IsAssignableFrom",
        "InRange",
        "Greater",
        "NotEqual",
        "AreNotEqual",
        "DoesNotThrow",
        "expectException",
    ];
    const OPEN: &[&str] = &[
        "assert",
        "refute",
        "XCTAssert",
        "EXPECT_",
        "ASSERT_",
        "REQUIRE",
        "CHECK",
        "BOOST_CHECK",
        "BOOST_REQUIRE",
        "BOOST_TEST",
        "require",
        "STATIC_REQUIRE",
    ];
    ALONE.contains(&name) || OPEN.iter().any(|it| name.starts_with(it))
}

/// Whether a call takes the expected value first.
fn expects_first(name: &str) -> bool {
    !name.starts_with("XCT") && !name.contains('_') || name.starts_with("assert_")
}

fn matched(subject: &str, link: &Link, values: &[&str], negated: bool) -> Option<Claim> {
    let name = core(link.name);
    if THROWING.contains(&name.as_str()) {
        return Some(match negated {
            true => compared("raise", link.name, "", Exists, true),
            false => thrown("raise", link, values),
        });
    }
    // `toBe(3)`, `Be(3)`, `shouldBe 3`, `is(3)`.
    let is_bare = name.is_empty() && !values.is_empty() && !matches!(link.name, "to" | "should" | "have");
    let mut found = if is_bare { Exact } else { strength(&name)? };
    if negated {
        found = Exists;
    }
    Some(compared(subject, link.name, &values.join(","), found, negated))
}

/// `assertThrows(X.class, f)`, `assertFailsWith<X> {}`, `EXPECT_THROW(f, X)`, `raise_error X, 'why'`.
fn thrown(subject: &str, link: &Link, values: &[&str]) -> Claim {
    let kind = |text: &&str| {
        let bare =
            text.trim().trim_end_matches("::class").trim_end_matches(".class").trim_end_matches(".self");
        let bare = bare.strip_prefix("typeof(").and_then(|it| it.strip_suffix(')')).unwrap_or(bare);
        // `StandardError.message` is a mistake for `StandardError`, and `a.B` a `B`.
        let constant =
            bare.split('.').next().filter(|it| it.starts_with(char::is_uppercase) && bare.contains('('));
        let bare = constant.unwrap_or(bare);
        let last = bare.rsplit(['.', ':', '\\']).next().unwrap_or(bare).to_owned();
        let is_type = last.starts_with(char::is_uppercase) || bare.contains("::");
        (is_type && last.chars().all(|c| c.is_alphanumeric() || c == '_')).then_some(last)
    };
    let generic = Some(link.generic).filter(|it| !it.is_empty());
    let expected = generic.iter().chain(values).find_map(kind).unwrap_or_default();
    let has_message = values.iter().any(|it| it.starts_with(['"', '\'', '/'])) && generic.is_none();
    let strength = match expected.as_str() {
        it if ANY.contains(&it) && !has_message => Exists,
        it if NEARLY_ANY.contains(&it) && !has_message => Kind,
        _ => Exact,
    };
    Claim { circular: false, ..compared(subject, link.name, &expected, strength, false) }
}

/// `a == b`, `a != nil`, `not is_nil(a)`, `a`.
fn condition(text: &str) -> Option<Claim> {
    let text = text.trim();
    for (operator, strength) in [
        ("===", Exact),
        ("==", Exact),
        ("!==", Exists),
        ("!=", Exists),
        ("=~", Partial),
        (">=", Partial),
        ("<=", Partial),
        (" > ", Partial),
        (" < ", Partial),
        (" in ", Partial),
    ] {
        let Some((left, right)) = parted(text, operator) else { continue };
        let (subject, expected) = if is_literal(left) { (right, left) } else { (left, right) };
        return Some(compared(subject, operator.trim(), expected, strength, false));
    }
    let bare = text.strip_prefix("not ").or_else(|| text.strip_prefix('!')).unwrap_or(text).trim();
    let bare = bare.strip_prefix('(').and_then(|it| it.strip_suffix(')')).unwrap_or(bare);
    let absence = bare.strip_prefix("is_nil(").or_else(|| bare.strip_prefix("is_null("));
    if let Some(subject) = absence.and_then(|it| it.strip_suffix(')')) {
        return Some(compared(subject, "notnull", "", if bare == text { Exact } else { Exists }, false));
    }
    Some(compared(text, "true", "", Kind, false))
}

/// A matcher's name in lower case, without the words that all matchers share.
fn core(name: &str) -> String {
    let lower: String =
        name.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect();
    let known = |it: &str| MATCHERS.iter().any(|(word, _)| *word == it) || THROWING.contains(&it);
    let mut rest = lower.as_str();
    while !known(rest)
        && let Some(shorter) = SHARED.iter().find_map(|word| rest.strip_prefix(word))
    {
        rest = shorter;
    }
    rest.to_owned()
}

fn strength(core: &str) -> Option<Strength> {
    MATCHERS.iter().find(|(known, _)| *known == core).map(|(_, strength)| *strength)
}

fn is_literal(text: &str) -> bool {
    let text = text.trim();
    text.starts_with(['"', '\'', ':', '@']) && !text.starts_with("::")
        || text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        || matches!(text, "true" | "false" | "nil" | "null" | "nullptr")
}

/// The calls of a chain in their order, and what follows the last one.
fn chain(text: &str) -> Option<(Vec<Link<'_>>, &str)> {
    let mut links: Vec<Link> = Vec::new();
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
    while links.len() < MOST_LINKS {
        at += text.get(at..)?.len() - text.get(at..)?.trim_start().len();
        let rest = text.get(at..)?;
        let length = rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\\' | '@' | '$')))
            .unwrap_or(rest.len());
        // `ok?` and `save!` are names in Ruby.
        let length = match rest.get(length..).and_then(|it| it.chars().next()) {
            Some('!' | '?') if !rest.get(length + 1..)?.starts_with(['=', '.', '-']) => length + 1,
            _ => length,
        };
        let mut link = Link { start: at, name: rest.get(..length)?, ..Link::default() };
        at += length;
        if let Some(generic) = generic(text.get(at..)?) {
            link.generic = generic;
            at += generic.len() + 2;
        }
        // Arguments, and blocks behind them.
        for _ in 0..4 {
            let rest = text.get(at..)?;
            let spaces = rest.len() - rest.trim_start_matches(' ').len();
            match rest.as_bytes().get(spaces) {
                Some(b'(') if spaces == 0 => {
                    let end = balanced(rest)?;
                    link.arguments.extend(arguments(rest.get(1..end - 1)?));
                    at += end;
                }
                // Elixir's `assert {:ok, a} == b` has a value there.
                Some(b'{') if !matches!(link.name, "assert" | "refute") => {
                    let inner = rest.get(spaces..)?;
                    let end = balanced(inner)?;
                    link.arguments.push(inner.get(..end)?);
                    at += spaces + end;
                }
                Some(b'[') if spaces == 0 => at += balanced(rest)?,
                _ => break,
            }
        }
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

/// A text without the comments in front of a chain's next link.
fn without_remarks(text: &str) -> &str {
    let mut rest = text;
    for _ in 0..MOST_LINKS {
        let Some(comment) = rest.strip_prefix("//") else { break };
        rest = comment.split_once('\n').map_or("", |(_, below)| below.trim_start());
    }
    if rest.starts_with(['.', '?', '-']) { rest } else { text }
}

/// `shouldBe 3`: a name and its argument.
fn infix(rest: &str) -> Option<(Link<'_>, &str)> {
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
fn balanced(text: &str) -> Option<usize> {
    let mut scan = Scan::default();
    for (at, byte) in text.bytes().enumerate() {
        scan.take(byte);
        if scan.depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// Values parted by commas outside of brackets and strings.
fn arguments(text: &str) -> Vec<&str> {
    let (mut scan, mut from, mut found) = (Scan::default(), 0, Vec::new());
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
fn parted<'t>(text: &'t str, operator: &str) -> Option<(&'t str, &'t str)> {
    let mut scan = Scan::default();
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
struct Scan {
    depth: usize,
    quote: Option<u8>,
    escaped: bool,
}

impl Scan {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_of_chains() {
        let rows = [
            // Java, Kotlin.
            ("assertEquals(3, add(1, 2))", "add(1,2)", Some(Exact)),
            ("Assertions.assertEquals(want, add(1, 2))", "add(1,2)", Some(Exact)),
            ("assertThat(add(1)).isEqualTo(3)", "add(1)", Some(Exact)),
            ("assertThat(add(1)).as(\"sum\").isNotNull()", "add(1)", Some(Exists)),
            ("assertThat(cart.rows()).hasSize(2).contains(1)", "cart.rows()", Some(Exact)),
            ("assertThat(cart, is(3))", "cart", Some(Exact)),
            ("assertThat(cart, is(notNullValue()))", "cart", Some(Exists)),
            ("assertNotNull(add(1))", "add(1)", Some(Exists)),
            ("assertTrue(add(1) > 2)", "add(1)", Some(Partial)),
            ("assertTrue(open)", "open", Some(Kind)),
            ("assertThrows(IOException.class, () -> load())", "raise", Some(Exact)),
            ("assertThrows(Throwable.class, () -> load())", "raise", Some(Exists)),
            ("assertFailsWith<IOException> { load() }.also { e -> check(e) }", "raise", Some(Exact)),
            ("assertFailsWith<Throwable> { load() }", "raise", Some(Exists)),
            ("cart.total shouldBe 3", "cart.total", Some(Exact)),
            // C#.
            ("Assert.AreEqual(3, cart.Count())", "cart.Count()", Some(Exact)),
            ("Assert.That(cart.Total, Is.EqualTo(3))", "cart.Total", Some(Exact)),
            ("Assert.That(cart.Total, Is.Not.Null)", "cart.Total", Some(Exists)),
            ("Assert.IsTrue(cart.Total != null)", "cart.Total", Some(Exists)),
            ("Assert.Throws<IoException>(() => Load())", "raise", Some(Exact)),
            ("Assert.ThrowsAny<Exception>(() => Load())", "raise", Some(Kind)),
            ("cart.Total.Should().Be(3)", "cart.Total", Some(Exact)),
            ("cart.Rows[0].Name.ShouldEqual(\"tea\")", "cart.Rows[0].Name", Some(Exact)),
            ("cart.Rows[0].Name.ShouldNotBeNull()", "cart.Rows[0].Name", Some(Exists)),
            // PHP.
            ("$this->assertSame('tea', $cart->name(1))", "$cart->name(1)", Some(Exact)),
            ("self::assertNotNull($cart->name(1))", "$cart->name(1)", Some(Exists)),
            ("expect($cart)->not->toBe(3)", "$cart", Some(Exists)),
            ("expect($cart)->toBe(3)", "$cart", Some(Exact)),
            // Swift.
            ("XCTAssertEqual(cart?.total, 3)", "cart?.total", Some(Exact)),
            ("XCTAssertNotNil(cart?.total)", "cart?.total", Some(Exists)),
            ("#expect(cart.total == 3)", "cart.total", Some(Exact)),
            // C++.
            ("EXPECT_EQ(3, add(1, 2))", "add(1,2)", Some(Exact)),
            ("EXPECT_THROW(load(), std::runtime_error)", "raise", Some(Exact)),
            ("EXPECT_ANY_THROW(load())", "raise", Some(Exists)),
            ("EXPECT_NO_THROW((void)(cart->total()))", "cart->total()", Some(Exists)),
            ("}.must_raise StandardError", "raise", Some(Kind)),
            ("REQUIRE( add(1, 2) == 3 )", "add(1,2)", Some(Exact)),
            ("REQUIRE_NOTHROW(add(1, 2))", "add(1,2)", Some(Exists)),
            // Elixir, Ruby.
            ("assert add(1, 2) == 3", "add(1,2)", Some(Exact)),
            ("assert not is_nil(add(1, 2))", "add(1,2)", Some(Exists)),
            ("assert text =~ ~r\"a\"", "text", Some(Partial)),
            ("assert text", "text", Some(Kind)),
            ("assert_equal 3, add(1, 2)", "add(1,2)", Some(Exact)),
            ("assert_raises(KeyError) { load }", "raise", Some(Exact)),
            ("expect(add(1, 2)).to eq(3)", "add(1,2)", Some(Exact)),
            ("expect(add(1, 2)).to eq 3", "add(1,2)", Some(Exact)),
            ("expect(add(1, 2)).not_to be_nil", "add(1,2)", Some(Exists)),
            ("expect { load }.to raise_error(KeyError)", "raise", Some(Exact)),
            ("expect { load }.to raise_error", "raise", Some(Exists)),
            ("cart.total.must_equal 3", "cart.total", Some(Exact)),
            ("cart.total.wont_be_nil", "cart.total", Some(Exists)),
            ("lambda { load }.must_raise KeyError", "raise", Some(Exact)),
            ("cart.total.should eq(3)", "cart.total", Some(Exact)),
            // Nobody's.
            ("verify(cart).add(3)", "", None),
            ("expect(", "", None),
        ];
        for (text, subject, strength) in rows {
            let found = claim(text);
            assert_eq!((found.subject.as_str(), found.strength), (subject, strength), "{text}: {found:?}");
        }
        assert!(claim("assertEquals(add(1), add(1))").circular);
        assert!(claim("assert cart == cart").circular);
        assert!(!claim("assertNotSame(cart, cart)").circular);
    }
}
