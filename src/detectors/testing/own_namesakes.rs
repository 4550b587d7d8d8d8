//! What a test file calls as the project calls it, and asks in its place: a function of a test's own, a type of the same name, a
//! new type with the method that the assertions ask.

use crate::detectors::TestComparison;
use crate::detectors::testing::stand_in_values::own_function;
use crate::detectors::testing::test_lines::{bound, declared, defines, go_receiver, is_import, new_lines};
use crate::languages::Test;
use crate::model::finding::Severity;
use crate::model::words::{has_word, is_name_part};

/// More new lines than these are another test.
const LARGEST: usize = 24;
/// What stands between an object and what it is asked.
const SIGNS: &[&str] = &["?.", "!.", ".", "->", "::"];
/// Words of lines that claim something, in lower case.
const CLAIMS: &[&str] = &["assert", "expect", "should", "require", "verify", "check(", "if "];
/// So many lines belong to a function or a type at most.
const BODY: usize = 10;

/// What is answered by something of the test's own that is called as it is, with the line.
pub(super) fn namesake(comparison: &TestComparison) -> Option<(String, u32, Severity)> {
    let (old, new) = (comparison.change.before.as_deref()?, comparison.change.after.as_deref()?);
    let come = new_lines(old, new);
    if come.is_empty() || come.len() > LARGEST {
        return None;
    }
    let file = ChangedFile { path: &comparison.change.path, old, new, come };
    let kept = || comparison.kept().filter(|(before, _)| !before.suite);
    let texts = |(before, after): (&Test, &Test)| -> Option<(String, String)> {
        let (was, is) = (before.text_in(Some(old)), after.text_in(Some(new)));
        (was != is).then(|| (was.to_owned(), is.to_owned()))
    };
    let changed: Vec<(String, String)> = kept().filter_map(texts).collect();
    let found =
        changed.iter().find_map(|(was, is)| file.function(was, is).or_else(|| file.answering(was, is)));
    let of_type = || kept().find_map(|(before, _)| file.type_of_name(before.text_in(Some(old))));
    let of_file = || kept().find_map(|(before, _)| file.shadowing(before.text_in(Some(old))));
    let (name, line) = found.or_else(of_type).or_else(of_file)?;
    Some((name, line, Severity::High))
}

/// A file of tests that changes.
struct ChangedFile<'t> {
    path: &'t str,
    old: &'t str,
    new: &'t str,
    /// The lines that have come, with their numbers.
    come: Vec<(u32, &'t str)>,
}

impl<'t> ChangedFile<'t> {
    /// `total = fn …` of a test that asked `Cart.total(…)`, and asks its own now.
    fn function(&self, was: &str, is: &str) -> Option<(String, u32)> {
        self.come.iter().filter(|(_, line)| is.contains(line.trim())).find_map(|(at, line)| {
            let name = local_function(line).filter(|name| name.len() > 2)?;
            if self.old.lines().any(|it| local_function(it) == Some(name)) {
                return None;
            }
            let gone: Vec<&str> = was.lines().filter(|it| !is.contains(it.trim())).collect();
            let holder = gone.iter().find_map(|it| holder_of(it, name))?;
            let is_asked = is
                .lines()
                .any(|it| it.trim() != line.trim() && has_word(it, name) && holder_of(it, name).is_none());
            let is_left = is.lines().any(|it| holder_of(it, name).is_some());
            let is_way = self.body(*at).any(|it| has_word(it, holder));
            (is_asked && !is_left && !is_way).then(|| (name.to_owned(), *at))
        })
    }

    /// `const FakeCart cart;` in a test that made a `Cart`, with a `total()` of its own that the test asks as it did.
    fn answering(&self, was: &str, is: &str) -> Option<(String, u32)> {
        let types = self.come.iter().filter_map(|(at, line)| Some((declared(line)?, *at)));
        types.filter(|(own, _)| !has_word(self.old, own)).find_map(|(own, at)| {
            let used = is.lines().find(|it| stands_first(it, own) && declared(it) != Some(own))?;
            let is_handed = given_name(used, own).is_some_and(|name| {
                let hands = |it: &str| {
                    let rest = it.split_once('(').map(|(_, rest)| rest).unwrap_or_default();
                    let claims = CLAIMS.iter().any(|word| it.to_lowercase().contains(word));
                    !claims && has_word(rest, name)
                };
                is.lines().any(|it| was.contains(it.trim()) && hands(it))
            });
            let gone = was.lines().filter(|it| !is.contains(it.trim()) && it.contains('('));
            let is_replaced = gone.count() > 0 && !is_handed;
            let asked = asked_members(is).into_iter().find(|name| {
                asked_members(was).contains(name) && self.answers(own, at, name) && !is_common(name)
            })?;
            is_replaced.then_some((asked, at))
        })
    }

    /// Whether a new type has a method of this name.
    fn answers(&self, own: &str, at: u32, name: &str) -> bool {
        let of_go = |it: &str| go_receiver(it).as_deref() == Some(own) && defines(it, name);
        let of_body = |it: &str| {
            has_word(it, name)
                && (defines(it, name)
                    || it.contains(&format!("get {name}"))
                    || it.contains(&format!("def {name}"))
                    || it.contains(&format!(" {name}(")) && it.trim_end().ends_with(['{', '}']))
        };
        self.come.iter().any(|(_, it)| of_go(it)) || self.body(at).skip(1).any(of_body)
    }

    /// A type or an object of the name that a test asked: `object Gauge:` where `Gauge.read(…)` is claimed.
    fn type_of_name(&self, was: &str) -> Option<(String, u32)> {
        self.come.iter().find_map(|(at, line)| {
            let own = declared(line).filter(|own| own.len() > 2 && own.starts_with(char::is_uppercase))?;
            let is_own = self.old.lines().any(|it| declared(it) == Some(own));
            let claims = |it: &str| {
                let is_claim = CLAIMS.iter().any(|word| it.to_lowercase().contains(word));
                is_claim
                    && [".", "::"].iter().any(|sign| {
                        it.contains(&format!("{own}{sign}")) && !it.contains(&format!(".{own}{sign}"))
                    })
            };
            (!is_own && was.lines().any(claims)).then(|| (own.to_owned(), *at))
        })
    }

    /// A function of C++ that a file of tests has outside of its tests, of the name that they ask.
    fn shadowing(&self, was: &str) -> Option<(String, u32)> {
        if ![".cpp", ".cc", ".cxx"].iter().any(|end| self.path.ends_with(end)) {
            return None;
        }
        self.come.iter().find_map(|(at, line)| {
            let head = line.split('(').next().filter(|head| head.len() < line.len())?;
            let name = head.rsplit(|c: char| !is_name_part(c)).next().filter(|it| it.len() > 2)?;
            let is_function = !line.starts_with([' ', '\t', '}', '#', '/'])
                && defines(&line.replace("static ", ""), name)
                || line.starts_with("static ") && defines(line, name);
            let is_asked = was
                .lines()
                .any(|it| it.contains("EXPECT") && has_word(it, name) && it.contains(&format!("{name}(")));
            let is_own = self.old.lines().any(|it| defines(it, name));
            let is_way = self.body(*at).any(|it| it.contains(&format!("::{name}(")));
            (is_function && is_asked && !is_own && !is_way).then(|| (name.to_owned(), *at))
        })
    }

    /// The lines of what a line begins.
    fn body(&self, at: u32) -> impl Iterator<Item = &'t str> {
        let indent = |line: &str| line.len() - line.trim_start().len();
        let mut lines = self.new.lines().skip(usize::try_from(at).unwrap_or(1).saturating_sub(1));
        let head = lines.next().unwrap_or_default();
        let depth = indent(head);
        let inner = lines.take(BODY).take_while(move |it| it.trim().is_empty() || indent(it) > depth);
        std::iter::once(head).chain(inner)
    }
}

/// The name under which a line makes a function of the test's own.
fn local_function(line: &str) -> Option<&str> {
    if is_import(line) {
        return None;
    }
    if let Some((name, _)) = own_function(line) {
        return Some(name);
    }
    let (name, value) = bound(line)?;
    let is_function = value == "fn"
        || ["static fn", "static function", "fn (", "[&](", "[=](", "[]("]
            .iter()
            .any(|head| value.starts_with(head))
        || value.starts_with('{')
            && (value.contains("->") || value.ends_with(" in") || value.contains(" in "))
        || value.contains("=>") && line.contains("Func<");
    is_function.then_some(name)
}

/// What a line asks a member of this name of: `Cart` of `Cart.total(3)`, `&Cart.total/1`, `$this->cart->total(3)`.
fn holder_of<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    line.match_indices(name).find_map(|(at, _)| {
        let rest = line.get(at + name.len()..)?;
        let head = SIGNS.iter().find_map(|sign| line.get(..at)?.strip_suffix(sign))?;
        let start = head.rfind(|c: char| !is_name_part(c)).map_or(0, |at| at + 1);
        (rest.starts_with('(') || rest.starts_with('/'))
            .then(|| head.get(start..))
            .flatten()
            .filter(|it| it.len() > 1)
    })
}

/// The members that a text's claims, and the lines that give a claim its value, ask of something.
fn asked_members(text: &str) -> Vec<String> {
    let of_line = |line: &str| -> Vec<String> {
        let all = line.match_indices('.').filter_map(|(at, _)| {
            let rest = line.get(at + 1..)?;
            let end = rest.find(|c: char| !is_name_part(c)).unwrap_or(rest.len());
            rest.get(..end).filter(|name| name.len() > 2).map(str::to_owned)
        });
        all.collect()
    };
    text.lines().flat_map(of_line).collect()
}

/// Names of members that every object may have.
fn is_common(name: &str) -> bool {
    const COMMON: &[&str] = &[
        "get", "set", "add", "size", "len", "length", "call", "run", "new", "close", "toString", "should",
        "not", "toBe", "equal", "map",
    ];
    COMMON.contains(&name)
}

/// Whether a line makes an object of a type itself, and hands it to nothing: `cart = OwnCart{3}`, `expect(OwnCart().total…`.
fn stands_first(line: &str, own: &str) -> bool {
    if !has_word(line, own) {
        return false;
    }
    let value = line.split_once(" = ").or_else(|| line.split_once(" := ")).map(|(_, value)| value.trim());
    let begins = |text: &str| {
        let text =
            text.trim_start_matches("new ").trim_start_matches("const ").trim_start_matches(['&', '*']);
        text.strip_prefix(own).is_some_and(|rest| !rest.starts_with(is_name_part))
    };
    let of_claim = || {
        let rest = line
            .trim()
            .split_once('(')
            .filter(|(head, _)| CLAIMS.iter().any(|it| head.to_lowercase().contains(it)));
        rest.is_some_and(|(_, rest)| begins(rest))
    };
    value.map_or_else(|| begins(line.trim()) || of_claim(), begins)
}

/// The name that a line gives to an object of a type.
fn given_name<'l>(line: &'l str, own: &str) -> Option<&'l str> {
    bound(line).map(|(name, _)| name).or_else(|| {
        let rest = line.split_once(own)?.1.trim_start();
        rest.split(|c: char| !is_name_part(c)).next().filter(|it| !it.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_member_is_asked_of_is_read() {
        for (line, name, expected) in [
            ("assert Enum.map([1, 2], &Ferry.toll/1) == [3, 4]", "toll", Some("Ferry")),
            ("self::assertSame(4, $this->ferry->toll($car));", "toll", Some("ferry")),
            ("EXPECT_EQ(toll(3), 4);", "toll", None),
            ("assert Ferry.toll_of(3) == 4", "toll", None),
        ] {
            assert_eq!(holder_of(line, name), expected, "{line}");
        }
    }

    #[test]
    fn an_object_that_is_handed_on_answers_nothing() {
        for (line, expected) in [
            ("    const OwnFerry ferry;", true),
            ("    var f interface{ Toll() int } = ownFerry{toll: 3}", false),
            ("    final quay = Quay(OwnFerry());", false),
            ("    expect(OwnFerry().toll, 4);", true),
        ] {
            assert_eq!(stands_first(line, "OwnFerry"), expected, "{line}");
        }
    }
}
