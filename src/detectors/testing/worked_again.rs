//! What the tests asked of the code, which they work out themselves now: in the test, or in a function that only called it.

use crate::detectors::TestComparison;
use crate::detectors::testing::same_subjects::LocalSubjects;
use crate::detectors::testing::test_lines::{
    bound, brings, defined_name, defines, is_import, new_lines, words_of,
};
use crate::languages::code::bare;
use crate::languages::{Assertion, Test};
use crate::model::finding::{Change, Severity};
use crate::model::words::{has_word, is_name_part};

/// More new lines than these are another test.
const LARGEST: usize = 24;
/// Libraries that read and write what they have written themselves.
const CODECS: &[&str] = &[
    "JSONDecoder",
    "JSONEncoder",
    "json.loads",
    "json.dumps",
    "JSON.parse",
    "ObjectMapper",
    "serde_json",
    "Marshal.",
    "json.Unmarshal",
    "JsonSerializer",
    "json_decode",
    "unserialize",
    "Jason.decode",
    "YAML.load",
    "yaml.safe_load",
    "pickle.",
    "Gson(",
];

/// How collections of a language are made, without white space.
const COLLECTIONS: &[&str] = &[
    "Map::new()",
    "Map::from(",
    "Set::from(",
    "Set::new()",
    "Vec::new()",
    "VecDeque::new()",
    "vec![",
    "newMap(",
    "newSet(",
    "newMap<",
    "newSet<",
    "newHashMap",
    "newTreeMap",
    "newArrayList",
    "newLinkedHashMap",
    "newHashSet",
    "newTreeSet",
    "mutableMapOf(",
    "mutableListOf(",
    "newDictionary<",
    "newList<",
    "newSortedDictionary<",
    "map[string]",
    "make(map",
    "defaultdict(",
    "OrderedDict(",
    "Counter(",
    "deque(",
    "std::map<",
    "std::vector<",
    "std::set<",
    "newArrayObject(",
];

/// What is no longer asked, with the line and how sure that is.
pub(super) fn worked_again(comparison: &TestComparison) -> Option<(String, u32, Severity)> {
    let change = comparison.change;
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    let come = new_lines(old, new);
    if come.is_empty() || come.len() > LARGEST {
        return None;
    }
    by_own_helper(old, new, &come).or_else(|| {
        comparison.kept().filter(|(before, _)| !before.suite).find_map(|(before, after)| {
            in_test(change, &come, before, after).or_else(|| by_collection(change, &come, before, after))
        })
    })
}

/// An assertion that stays, about a name that came of the project's code and comes of a collection of the test's own now.
fn by_collection(
    change: &Change,
    come: &[(u32, &str)],
    before: &Test,
    after: &Test,
) -> Option<(String, u32, Severity)> {
    let is_collection = |text: &str| COLLECTIONS.iter().any(|it| text.contains(it));
    let is = after.text_in(change.after.as_deref());
    let makes = |(_, line): &&(u32, &str)| is_collection(&bare(line)) && is.contains(line.trim());
    let (at, line) = come.iter().find(makes)?;
    let left = line.split('=').next().map(|it| it.trim_end_matches([' ', ':']));
    let own_name = left.and_then(|it| it.rsplit(|c: char| !is_name_part(c)).next());
    let is_of_own = |text: &str| own_name.is_some_and(|name| root(text) == name);
    let names = LocalSubjects::in_texts(change, before, after);
    let old = change.before.as_deref()?;
    let is_kept = |it: &&Assertion| after.assertions.iter().any(|new| new.text == it.text) && !it.trivial;
    before.assertions.iter().filter(is_kept).find_map(|it| {
        let ((asked, _), (asks, _)) = (names.claimed(&it.claim), names.claims(&it.claim));
        if asked == asks || is_collection(&asked) || !(is_collection(&asks) || is_of_own(&asks)) {
            return None;
        }
        let is_lost = |word: &&str| word.len() > 2 && !has_word(&asks, word) && is_of_project(old, word);
        // `new Cart(` without its blank.
        let made = |word: &'_ str| {
            word.strip_prefix("new").filter(|it| it.starts_with(char::is_uppercase)).map(str::to_owned)
        };
        let all: Vec<String> =
            words_of(&asked).map(|word| made(word).unwrap_or_else(|| word.to_owned())).collect();
        let own = all.iter().map(String::as_str).find(is_lost)?;
        Some((own.to_owned(), *at, Severity::High))
    })
}

/// The name that a text begins with.
fn root(text: &str) -> &str {
    text.split(|c: char| !is_name_part(c)).next().unwrap_or_default()
}

/// Whether a test's file has a name from the project: by an import that is not of the language's own library, or it makes
/// an object of the name.
fn is_of_project(text: &str, name: &str) -> bool {
    const LIBRARY: &[&str] = &["std::", "java.", "System", "kotlin.", "collections", "Foundation"];
    let is_own =
        |line: &str| is_import(line) && brings(line, name) && !LIBRARY.iter().any(|it| line.contains(it));
    text.lines().any(is_own) || name.starts_with(char::is_uppercase) && text.contains(&format!("new {name}("))
}

/// An assertion of the same expectation about what the test works out itself.
fn in_test(
    change: &Change,
    come: &[(u32, &str)],
    before: &Test,
    after: &Test,
) -> Option<(String, u32, Severity)> {
    const SIGNS: &[&str] = &["*", "+", "/", " if ", "?", "=>", "->"];
    let is = after.text_in(change.after.as_deref());
    let old_text = change.before.as_deref()?;
    let works =
        |value: &str| value.chars().any(|c| c.is_ascii_digit()) && SIGNS.iter().any(|it| value.contains(it));
    let pairs = before.assertions.iter().zip(&after.assertions).filter(|(old, new)| old.text != new.text);
    pairs
        .filter(|(old, new)| before.assertions.len() == after.assertions.len() && wants_same(old, new))
        .find_map(|(old, new)| {
            let member = last_name(&old.claim.subject)?;
            if old_text.lines().any(|line| defines(line, member)) {
                return None;
            }
            // A name of the test may be called as what was called.
            let is_call = old.claim.subject.contains(&format!("{member}("));
            let is_asked =
                |text: &str| has_word(text, member) && (!is_call || text.contains(&format!("{member}(")));
            if is.lines().any(is_asked) {
                return by_codec(old, new);
            }
            let own = come.iter().find(|(_, line)| {
                bound(line).is_some_and(|(name, value)| name == new.claim.subject && works(value))
            });
            let line = own.map(|(at, _)| *at).or_else(|| {
                let (subject, _) = LocalSubjects::in_texts(change, before, after).claims(&new.claim);
                works(&subject).then_some(new.line)
            })?;
            Some((member.to_owned(), line, Severity::High))
        })
}

/// A codec of a library in the place of the code that the assertion was about.
fn by_codec(old: &Assertion, new: &Assertion) -> Option<(String, u32, Severity)> {
    let (was, is) = (old.claim.subject.as_str(), new.claim.subject.as_str());
    let own = words_of(was).find(|word| word.starts_with(char::is_uppercase))?;
    let is_codec = CODECS.iter().any(|it| is.contains(it) && !was.contains(it));
    (is_codec && !has_word(is, own)).then(|| (own.to_owned(), new.line, Severity::High))
}

fn wants_same(old: &Assertion, new: &Assertion) -> bool {
    old.claim.expected == new.claim.expected
        && old.claim.matcher == new.claim.matcher
        && !old.claim.expected.is_empty()
        && old.claim.subject != new.claim.subject
}

/// The last name of a subject that is a member of something or a call: `total` of `cart.total()`.
fn last_name(subject: &str) -> Option<&str> {
    let head = subject.split('(').next().unwrap_or(subject);
    let name = head.rsplit(|c: char| !is_name_part(c)).find(|it| !it.is_empty())?;
    const LIBRARY: &[&str] = &[
        "len", "sum", "size", "length", "count", "sorted", "map", "filter", "reduce", "join", "round", "abs",
        "max", "min",
    ];
    (name.len() > 2 && subject.len() > name.len() && !LIBRARY.contains(&name)).then_some(name)
}

/// A function of the tests that only called the code, and does its work itself now.
fn by_own_helper(old: &str, new: &str, come: &[(u32, &str)]) -> Option<(String, u32, Severity)> {
    const HEADS: &[&str] = &[
        "private static",
        "static ",
        "def ",
        "func ",
        "fun ",
        "fn ",
        "function ",
        "const ",
        "defp ",
        "private ",
    ];
    let is_head = |line: &str| HEADS.iter().any(|head| line.starts_with(head)) && line.contains('(');
    let is_gone = |line: &&str| is_head(line) && !new.lines().any(|it| it.trim() == *line);
    old.lines().map(str::trim).filter(is_gone).find_map(|line| {
        let name = defined_name(line);
        // What it called: a function of a type, `Reader.read(…)`.
        let body = line
            .split_once("=>")
            .or_else(|| line.split_once(" = "))
            .or_else(|| line.split_once(") {"))
            .map(|(_, it)| it)?;
        let called = body.split('(').next()?.trim().trim_start_matches("return ").trim_start_matches("new ");
        let (owner, _) = called.split_once('.').or_else(|| called.split_once("::"))?;
        let is_type = owner.starts_with(char::is_uppercase) && owner.chars().all(is_name_part);
        let is_left = || new.lines().filter(|it| !is_import(it)).any(|it| has_word(it, owner));
        let (at, _) = come.iter().find(|(_, it)| is_head(it.trim()) && defined_name(it.trim()) == name)?;
        (is_type && come.len() > 4 && name.len() > 1 && !is_left())
            .then(|| (owner.to_owned(), *at, Severity::High))
    })
}
