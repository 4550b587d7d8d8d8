//! What the tests are about, made otherwise in their own file: a double under the same name, a class that answers for
//! it, an import from where stand-ins lie, a function of the test that is called instead.
//!
//! Only tests that stay count: each name here is asked by an assertion that is the same before and after.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::detectors::engine::code_lines::head_above;
use crate::detectors::testing::own_answers::is_framework;
use crate::detectors::testing::stand_in_values::{is_double, is_lambda, is_object_of_doubles, own_function};
use crate::detectors::testing::test_lines::{
    bound, brings, constructs, declared, defines, fixture_above, go_receiver, is_fake, is_import, origin,
    words_of,
};
use crate::languages::code::bare;
use crate::model::words::{has_word, is_name_part};

/// The lines of a change of tests, and what its assertions that stay ask.
pub(super) struct ChangedTestLines<'t> {
    /// What the file is about by its name, in lower case and without signs.
    pub(super) about: String,
    pub(super) old: &'t str,
    pub(super) new: &'t str,
    /// Lines that have come and lines that are gone, with their numbers.
    pub(super) come: Vec<(u32, &'t str)>,
    pub(super) gone: Vec<(u32, &'t str)>,
    /// The functions that assertions are about, each with what it is called on.
    pub(super) functions: BTreeSet<(String, String)>,
    /// What the subjects of assertions begin with, by the lines of their tests.
    pub(super) roots: Vec<(Range<u32>, BTreeSet<String>)>,
    /// The lines of each test, and of each that asked a function and asks it still, with its name.
    pub(super) tests: Vec<Range<u32>>,
    pub(super) asking: Vec<(Range<u32>, String)>,
}

/// The name that something else stands for, and the line that does it.
pub(super) fn replaced(asked: &ChangedTestLines) -> Option<(String, u32)> {
    asked
        .made_as_double()
        .or_else(|| asked.made_within())
        .or_else(|| asked.method_assigned())
        .or_else(|| asked.defined_again())
        .or_else(|| asked.imported_from_fakes())
        .or_else(|| asked.answered_by_a_value())
        .or_else(|| asked.made_of_own_type())
}

impl ChangedTestLines<'_> {
    /// Whether the file is named after a type.
    pub(super) fn is_about(&self, class: &str) -> bool {
        class.starts_with(char::is_uppercase) && class.to_lowercase() == self.about
    }

    /// `cart = Cart("DE")` becomes `cart = Mock()`, or an object of a class that the file has now.
    fn made_as_double(&self) -> Option<(String, u32)> {
        self.gone.iter().find_map(|(at, line)| {
            let (name, value) = bound(line)?;
            if !value.contains(['(', '{']) && !value.contains(".new") || is_fake(value) || is_double(value) {
                return None;
            }
            let given = self.come.iter().find(|(number, new)| {
                bound(new).is_some_and(|(other, value)| other == name && self.is_stand_in(*number, value))
            })?;
            // `err := cart.Add(1)` asks what `cart` was made with.
            let is_receiver =
                || self.functions.iter().any(|(_, receiver)| receiver.len() > 3 && *receiver == bare(value));
            // One of the tests' own types that is handed to what is tested keeps what it is told.
            let is_kept_store =
                || !is_double(bound(given.1).map_or("", |it| it.1)) && self.is_handed_on(name);
            let is_meant = self.is_asked(name, given.0, fixture_above(self.old, *at))
                || is_receiver()
                || self.is_claimed(name, given.0);
            (is_meant && !is_kept_store()).then(|| (name.to_owned(), given.0))
        })
    }

    /// Whether a line that stays gives a name to a call that is no claim.
    fn is_handed_on(&self, name: &str) -> bool {
        const CLAIMS: &[&str] = &["assert", "expect", "verify", "should", "require", "check"];
        let is_given = |line: &str| {
            line.split_once('(').is_some_and(|(head, arguments)| {
                let is_claim = CLAIMS.iter().any(|word| head.to_lowercase().contains(word));
                !is_claim && !has_word(head, name) && has_word(arguments, name)
            })
        };
        self.new.lines().any(|line| is_given(line) && self.old.contains(line.trim()))
    }

    /// Whether a stand-in for a function that stands in a line can answer what assertions ask: outside of a test, or in one
    /// that asks the function itself.
    pub(super) fn may_answer(&self, line: u32, name: &str) -> bool {
        !self.tests.iter().any(|lines| lines.contains(&line))
            || self.asking.iter().any(|(lines, asked)| lines.contains(&line) && asked == name)
    }

    /// Whether a line stands for tests that were there: outside of all tests, or in one that asks what it asked.
    pub(super) fn stands_for_kept(&self, line: u32) -> bool {
        !self.tests.iter().any(|lines| lines.contains(&line))
            || self.roots.iter().any(|(lines, roots)| lines.contains(&line) && !roots.is_empty())
    }

    /// Whether a line stands in a test that was there.
    pub(super) fn is_in_kept(&self, line: u32) -> bool {
        self.roots.iter().any(|(lines, _)| lines.contains(&line))
    }

    /// Whether a claim that stays in the test around a line asks a name.
    fn is_claimed(&self, name: &str, line: u32) -> bool {
        const CLAIMS: &[&str] = &["assert", "expect", "verify", "should", "require"];
        let Some(lines) = self.tests.iter().find(|it| it.contains(&line)) else { return false };
        (1u32..).zip(self.new.lines()).filter(|(at, _)| lines.contains(at)).any(|(_, text)| {
            let lower = text.to_lowercase();
            let asks = [".", "->"].iter().any(|sign| text.contains(&format!("{name}{sign}")));
            asks && CLAIMS.iter().any(|it| lower.contains(it)) && self.old.contains(text.trim())
        })
    }

    /// Whether a name had a double before: then it is nothing that the tests are about.
    pub(super) fn was_double(&self, name: &str) -> bool {
        self.old.lines().any(|line| {
            line.split_once('=').is_some_and(|(to, value)| {
                has_word(to, name) && (is_double(value) || is_object_of_doubles(value))
            })
        })
    }

    /// Whether what a function is called on is this name.
    pub(super) fn is_receiver(&self, receiver: &str, name: &str) -> bool {
        let of_test = || self.roots.iter().any(|(_, roots)| roots.contains(name));
        // RSpec's own name of what a file is about.
        let is_described = name == "described_class" && !receiver.is_empty();
        is_described || last(receiver) == name || receiver.starts_with(name) && of_test()
    }

    /// A test that makes a stand-in of its own for what its setup has made: `cart = { save: () => 3 };`.
    fn made_within(&self) -> Option<(String, u32)> {
        self.come.iter().find_map(|(at, line)| {
            let (name, value) = bound(line)?;
            let (_, roots) = self.roots.iter().find(|(lines, _)| lines.contains(at))?;
            let is_declared =
                ["const ", "let ", "var ", "val "].iter().any(|head| line.trim_start().starts_with(head));
            let was_made = || {
                self.old.lines().filter_map(bound).any(|(other, value)| {
                    other == name && value.contains(['(', '{']) && !is_fake(value) && !is_double(value)
                })
            };
            let may_answer = || is_double(value) || !self.is_handed_on(name);
            (roots.contains(name)
                && !is_declared
                && self.is_stand_in(*at, value)
                && was_made()
                && may_answer())
            .then(|| (name.to_owned(), *at))
        })
    }

    /// `cart.save = async () => 3` where `cart.save()` is asked.
    fn method_assigned(&self) -> Option<(String, u32)> {
        self.come.iter().find_map(|(at, line)| {
            let (name, value) = bound(line)?;
            let is_function = own_function(line).is_some();
            let left = line.trim_start().split(name).next()?.trim_end_matches(['.', '>', '-']);
            let own = last(left.trim_start_matches("self.").trim_start_matches("this."));
            // Go's `total = func(…)` puts a function in the place of the package's.
            let declares = ["const ", "let ", "var ", "val ", "auto "];
            let is_put = own.is_empty()
                && !line.contains(":=")
                && value.starts_with("func(")
                && !declares.iter().any(|head| line.trim_start().starts_with(head));
            let is_meant = |(asked, receiver): &(String, String)| {
                asked == name && is_put && receiver.is_empty()
                    || asked == name
                        && !own.is_empty()
                        && (own == last(receiver) || fixture_above(self.new, *at) == Some(last(receiver)))
            };
            (is_function && value.len() > 2 && self.functions.iter().any(is_meant))
                .then(|| (name.to_owned(), *at))
        })
    }

    /// `Till(bank).pay(3)` that became `OwnTill(bank).pay(3)`, of a type that the test has.
    fn made_of_own_type(&self) -> Option<(String, u32)> {
        let types: Vec<(&str, u32)> = self.new_types().collect();
        self.come.iter().find_map(|(at, line)| {
            let (own, _) = types.iter().find(|(own, of)| of != at && constructs(line, own))?;
            self.gone.iter().find_map(|(_, old)| {
                let is_lost = |name: &&String| name.starts_with(char::is_uppercase) && !has_word(line, name);
                let (was, is) = (called_in(old), called_in(line));
                let lost = was.iter().find(is_lost).filter(|it| own.contains(it.as_str()))?;
                let asks_same =
                    was.iter().any(|name| !name.starts_with(char::is_uppercase) && is.contains(name));
                asks_same.then(|| (lost.clone(), *at))
            })
        })
    }

    /// Whether assertions ask a name that is made in this line, or the fixture that it is made in. Within a test its own
    /// assertions count.
    fn is_asked(&self, name: &str, line: u32, fixture: Option<&str>) -> bool {
        let own = self.roots.iter().find(|(lines, _)| lines.contains(&line));
        match own {
            Some((_, roots)) => roots.contains(name),
            None => [Some(name), fixture].into_iter().flatten().any(|name| {
                self.roots.iter().any(|(_, roots)| roots.contains(name))
                    || self.functions.iter().any(|(_, receiver)| last(receiver) == name)
            }),
        }
    }

    /// Whether a value stands in for something: a double, an object of functions, or of a class that has come.
    pub(super) fn is_stand_in(&self, line: u32, value: &str) -> bool {
        if is_double(value) {
            return true;
        }
        let below = || self.come.iter().filter(|(at, _)| *at >= line && *at < line + 8);
        let is_object = value.starts_with('{')
            && below()
                .any(|(_, text)| text.contains("=>") || text.contains("function") || text.contains(".fn("));
        // A type without a name, that is made where it is given: `object : Rates { … }`, `new class implements Rates {`.
        let is_nameless = ["object :", "object:", "new class", "Class.new", "Struct.new"]
            .iter()
            .any(|head| value.starts_with(head));
        let made = value.trim_start_matches("new ").trim_start_matches(['&', '*']);
        is_object
            || is_nameless
            || is_lambda(value)
            || self.new_types().any(|(name, _)| {
                // Rust's `OwnRates;` has no arguments.
                made == name || made.starts_with(name) && constructs(made, name) && !value.ends_with('{')
            })
    }

    /// The types that have come, with their lines.
    fn new_types(&self) -> impl Iterator<Item = (&str, u32)> {
        self.come
            .iter()
            .filter_map(|(at, line)| Some((declared(line)?, *at)))
            .filter(|(name, _)| !self.old.lines().any(|line| declared(line) == Some(name)))
    }

    /// A type of the file that defines what is asked, and of which what is asked is now.
    fn defined_again(&self) -> Option<(String, u32)> {
        self.functions.iter().find_map(|(name, receiver)| {
            let (at, line) = self.come.iter().find(|(_, line)| defines(line, name))?;
            if self.old.lines().any(|line| defines(line, name)) {
                return None;
            }
            // A type of the tests' own that was there stands for nothing new.
            if go_receiver(line).is_some_and(|class| self.old.contains(&format!("type {class} "))) {
                return None;
            }
            let owner = self.owner(*at, line)?;
            let is_own = last(receiver);
            // One of the tests' own takes the place of another double.
            if self.was_double(is_own) {
                return None;
            }
            let says =
                |word: &str| !word.is_empty() && words_of(&owner).any(|it| it.eq_ignore_ascii_case(word));
            let made = |class: &str| {
                self.come.iter().any(|(number, text)| {
                    number != at
                        && bound(text).is_some_and(|(to, value)| {
                            constructs(value, class)
                                && self.is_asked(to, *number, fixture_above(self.new, *number))
                        })
                })
            };
            let class = declared(&owner).map(str::to_owned).or_else(|| go_receiver(line));
            let is_meant = says(is_own) || class.is_some_and(|class| made(&class));
            let is_assigned = bound(&owner).is_some_and(|(to, _)| self.is_asked(to, *at, None));
            (is_meant || is_assigned).then(|| (name.clone(), *at))
        })
    }

    /// The line that a definition belongs to: the first above it that stands further out.
    fn owner(&self, at: u32, line: &str) -> Option<String> {
        if line.trim_start().starts_with("func (") {
            return Some(line.to_owned());
        }
        let before = usize::try_from(at).ok()?.checked_sub(1)?;
        let above: Vec<&str> = self.new.lines().take(before).collect();
        head_above(&above, line).map(str::to_owned)
    }

    /// `from tests.fakes import Cart` for `from shop.cart import Cart`.
    fn imported_from_fakes(&self) -> Option<(String, u32)> {
        let mut names: BTreeSet<&str> = self.functions.iter().map(|(name, _)| name.as_str()).collect();
        names.extend(self.roots.iter().flat_map(|(_, roots)| roots).map(String::as_str));
        self.come.iter().find_map(|(at, line)| {
            // Of several names in braces each has its own kind: `use till::{MockBank, Desk}`.
            let from = origin(line).split('{').next()?;
            if !is_import(line) || !is_fake(from) || from.contains("unittest") {
                return None;
            }
            let moved = |name: &str| {
                let from_product = |old: &&str| is_import(old) && brings(old, name) && !is_fake(origin(old));
                brings(line, name) && self.gone.iter().map(|(_, old)| *old).any(|old| from_product(&old))
            };
            let asked = words_of(line)
                .filter(|word| word.len() > 1)
                .find(|word| moved(word) && (names.contains(word) || constructs(self.new, word)))?;
            Some((asked.to_owned(), *at))
        })
    }

    /// A function of the test itself that is called where what is asked was called: `parse := func(…) { … }`.
    fn answered_by_a_value(&self) -> Option<(String, u32)> {
        self.come.iter().find_map(|(at, line)| {
            let (name, value) = own_function(line)?;
            if self.old.lines().any(|line| has_word(line, name)) {
                return None;
            }
            let is_call = |text: &str| calls(text, name) && !text.contains(&format!(".{name}("));
            let (_, call) = self.come.iter().find(|(other, text)| other > at && is_call(text))?;
            // What was called in its place, in the line that is most like it.
            let like = self.gone.iter().max_by_key(|(_, old)| shared(old, call));
            let given = |text: &str| text.split_once('(').map(|(_, rest)| rest.to_owned());
            let (_, was) = like.filter(|(_, old)| shared(old, call) > 1 || given(old) == given(call))?;
            let is_lost = |it: &String| {
                let is_asked = self.functions.iter().any(|(asked, _)| asked == it);
                let is_called = || self.new.lines().any(|line| calls(line, it));
                !self.come.iter().any(|(_, text)| calls(text, it))
                    && !calls(value, it)
                    && !is_framework(it)
                    && it != name
                    && (is_asked
                        || !is_called()
                        || is_named_alike(name, it)
                        || is_method_of_name(name, it, was))
            };
            called_in(was).into_iter().find(is_lost).map(|lost| (lost, *at))
        })
    }
}

/// Whether a function of the tests is called as what it stands for is: `_split` for `split`.
fn is_named_alike(own: &str, asked: &str) -> bool {
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    // What is called as a type is makes one.
    let is_type = asked.starts_with(char::is_uppercase);
    let (own, asked) = (plain(own), plain(asked));
    let is_part = asked.len() > 3 && (own.ends_with(&asked) || own.starts_with(&asked));
    !is_type && (own == asked || is_part)
}

/// Whether a function of the tests has the name of a method that a line calls, but for its first letter: `send` for
/// `s.Send(…)` of Go.
fn is_method_of_name(own: &str, asked: &str, line: &str) -> bool {
    own.eq_ignore_ascii_case(asked) && line.contains(&format!(".{asked}("))
}

/// Whether a line calls a function of this name.
fn calls(line: &str, name: &str) -> bool {
    has_word(line, name) && line.contains(&format!("{name}("))
}

/// The words in which two lines are the same.
fn shared(one: &str, other: &str) -> usize {
    words_of(one).filter(|word| word.len() > 1 && has_word(other, word)).count()
}

/// The names that a line calls.
fn called_in(line: &str) -> Vec<String> {
    line.match_indices('(')
        .filter_map(|(at, _)| {
            let head = line.get(..at)?;
            let start = head.rfind(|c: char| !is_name_part(c)).map_or(0, |at| at + 1);
            head.get(start..).filter(|name| name.len() > 1).map(str::to_owned)
        })
        .collect()
}

fn last(receiver: &str) -> &str {
    receiver.rsplit(['.', ':', '$', '@', '>']).next().unwrap_or(receiver)
}
