//! What an assertion claims in the languages whose assertions are chains of calls: `assertThat(a).isEqualTo(b)`,
//! `expect(a).to eq b`, `a.must_equal b`, `EXPECT_EQ(a, b)`, `assert a == b`.
//!
//! Read from the assertion's own text, bounded and in one pass. What doesn't balance claims nothing.

use tree_sitter::Node;

use crate::languages::assertions::conditions::{condition, is_literal};
use crate::languages::assertions::links::{Link, arguments, balanced, chain, infix, is_receiving};
use crate::languages::assertions::matchers::MatcherFamily::Chains;
use crate::languages::assertions::matchers::{core, is_about_error, strength};
use crate::languages::assertions::model::{AssertionClaim, Strength, bare, compared};
use crate::languages::assertions::openings::{NAMESPACES, OPENERS, asserts, expects_first};
use crate::languages::assertions::refinement::refined;
use crate::languages::assertions::spied_calls::verified;
use crate::languages::assertions::thrown_errors::{thrown, thrown_by, thrown_constraint};
use Strength::{Exact, Exists, Kind, Partial};

/// Longer assertions hold data; their claim isn't read.
const LONGEST: usize = 2_000;

/// Reads the assertion that a node is.
pub(crate) fn of_node(node: Node, source: &str) -> AssertionClaim {
    claim(crate::languages::tree::text(node, source))
}

/// Reads an assertion from its text.
pub(crate) fn claim(text: &str) -> AssertionClaim {
    let text = text.trim().trim_end_matches(';');
    if text.len() > LONGEST {
        return AssertionClaim::default();
    }
    let awaited = awaited(text);
    let mut claim = refined(read(awaited.as_deref().unwrap_or(text)).unwrap_or_default());
    claim.circular = claim.strength == Some(Exact)
        && !claim.negated
        && claim.subject == claim.expected
        && claim.subject.len() > 1;
    claim
}

/// `(await load(1)).Should().Be(3)` without what only waits.
fn awaited(text: &str) -> Option<String> {
    let inner = text.strip_prefix('(')?.strip_prefix("await ")?;
    let end = balanced(text)?;
    let rest = text.get(end..).filter(|it| it.starts_with(['.', '?']))?;
    Some(format!("{}{rest}", inner.get(..end.checked_sub("(await )".len())?)?))
}

fn read(text: &str) -> Option<AssertionClaim> {
    let (links, rest) = chain(text)?;
    if let Some(found) = thrown_by(&links) {
        return Some(found);
    }
    for (at, link) in links.iter().enumerate() {
        let later = links.get(at + 1..).unwrap_or_default();
        if link.name == "verify" && at == 0 {
            return verified(link, later.first()?);
        }
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

/// `expect(a).to eq(b)`, `assertThat(a).isEqualTo(b)`, `assertThat(a, is(b))`, `#expect(a == b)`.
fn opened(opener: &Link, later: &[Link], rest: &str) -> Option<AssertionClaim> {
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
            // Swift's `#expect(throws: X.a) { … }`.
            None => match subject.strip_prefix("throws:") {
                Some(kind) => {
                    let values = [kind.trim()];
                    Some(AssertionClaim { expected: bare(kind), ..thrown("raise", opener, &values) })
                }
                None => condition(subject),
            },
        };
    }
    chained((*subject).to_owned(), later)
}

/// The strongest matcher of a chain; what stands before it belongs to what it is about.
fn chained(mut subject: String, links: &[Link]) -> Option<AssertionClaim> {
    let mut best: Option<AssertionClaim> = None;
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
fn inner_matcher(subject: &str, matcher: &str, negated: bool) -> Option<AssertionClaim> {
    let (mut links, rest) = chain(matcher)?;
    links.retain(|it| !(NAMESPACES.contains(&it.name) && it.arguments.is_empty()));
    if let Some(found) = thrown_constraint(&links) {
        return Some(found);
    }
    let negated = negated ^ links.iter().any(|it| matches!(it.name, "Not" | "not"));
    // `is(notNullValue())`, `not(equalTo(3))`.
    if let [only] = &links[..]
        && matches!(only.name, "is" | "not" | "Not" | "Pointee" | "Optional")
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
fn received(subject: &str, link: &Link, later: &[Link], rest: &str) -> Option<AssertionClaim> {
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
fn plain(link: &Link, values: &[&str]) -> Option<AssertionClaim> {
    let name = core(link.name);
    if !asserts(link.name) {
        return None;
    }
    if is_about_error(&name, Chains) {
        return Some(thrown("raise", link, values));
    }
    if name.is_empty() || matches!(name.as_str(), "true" | "that") {
        return condition(values.first()?);
    }
    let first = values.first()?;
    let cast = first.strip_prefix("(void)").map(str::trim);
    let first = cast.and_then(|it| it.strip_prefix('(')?.strip_suffix(')')).or(cast).unwrap_or(first);
    let strength = strength(&name, Chains)?;
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

fn matched(subject: &str, link: &Link, values: &[&str], negated: bool) -> Option<AssertionClaim> {
    let name = core(link.name);
    if is_about_error(&name, Chains) {
        return Some(match negated {
            true => compared("raise", link.name, "", Exists, true),
            false => thrown("raise", link, values),
        });
    }
    // `toBe(3)`, `Be(3)`, `shouldBe 3`, `is(3)`.
    let is_bare = name.is_empty() && !values.is_empty() && !matches!(link.name, "to" | "should" | "have");
    // Ruby's `be > 0`.
    let is_bound = link.name == "be" && values.first().is_some_and(|it| it.starts_with(['>', '<']));
    let mut found = if is_bound {
        Partial
    } else if is_bare {
        Exact
    } else {
        strength(&name, Chains)?
    };
    if negated {
        found = Exists;
    }
    Some(compared(subject, link.name, &values.join(","), found, negated))
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
            ("Should.Throw<IoException>(() => Load())", "raise", Some(Exact)),
            ("Should.ThrowAsync<IoException>(() => Load())", "raise", Some(Exact)),
            ("act.Should().ThrowAsync<IoException>()", "raise", Some(Exact)),
            ("Load().ShouldThrowAsync<IoException>()", "raise", Some(Exact)),
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
            ("expectation(cart).add(3)", "", None),
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
