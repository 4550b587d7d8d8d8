//! Answers that the test serves itself: the function that its assertions are about is replaced in the test's own file,
//! by a stand-in or by a function of the same name.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::detectors::Case;
use crate::detectors::testing::answered_parts::answered;
use crate::detectors::testing::replaced_subjects::{
    Asked, answered_by_shell, is_double, own_function, replaced,
};
use crate::detectors::testing::same_subjects::Subjects;
use crate::detectors::testing::test_lines::{
    bound, brings, declared, fixture_above, has_word, is_fake, is_import, new_lines, words_of,
};
use crate::detectors::testing::word_edit::line_at;
use crate::languages::differing::Middle;
use crate::languages::{Assertion, Strength, Test};
use crate::model::finding::{Change, Severity};
use crate::model::words::is_name_part;

/// What makes a stand-in, or says what one answers.
const STUBS: &[&str] = &[
    "jest.fn(",
    "vi.fn(",
    "mock.fn(",
    "spyOn(",
    "mockReturnValue",
    "mockResolvedValue",
    "mockRejectedValue",
    "mockImplementation",
    "Mock(",
    "MagicMock(",
    "setattr(",
    "patch(",
    "patch.object(",
    "create_autospec(",
    "sinon.stub",
    "sinon.fake",
    ".returns(",
    ".Returns(",
    ".ReturnsAsync(",
    "thenReturn(",
    "thenAnswer(",
    "willReturn(",
    "willReturnCallback(",
    "every {",
    "every{",
    "coEvery",
    "and_return",
    "receive(",
    "receive_messages",
    ".stub(",
    ".stubs(",
    "with_mock",
    "ON_CALL(",
    "doReturn(",
    "mockStatic(",
    "= lambda",
    "mock.method(",
    "define_method(",
    "td.replace(",
    "Mimic.",
    "stub(",
    "doThrow(",
    "doNothing(",
    "doAnswer(",
    "thenThrow(",
    "willThrow(",
    "and_raise(",
    ".Throws(",
    ".ThrowsAsync(",
    ".rejects(",
    "andThrow(",
];
/// How a line begins that brings a name in from elsewhere.
const IMPORTS: &[&str] =
    &["import ", "from ", "use ", "using ", "alias ", "const ", "let ", "var ", "require"];
/// How a line begins that defines a function.
const DEFINES: &[&str] =
    &["const ", "let ", "var ", "def ", "function ", "async function ", "fun ", "func ", "fn ", "class ", ""];

/// A function under test that the test's file would answer for, with the line and how sure that is.
pub(super) fn served(case: &Case, change: &Change) -> Option<(String, u32, Severity)> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    // A line that both texts have around their difference has neither come nor gone.
    let middle = Middle::of(old, new);
    let come = new_lines(old, new, &middle);
    let surely = |(name, line)| (name, line, Severity::High);
    if [".bats", ".sh"].iter().any(|end| change.path.ends_with(end)) {
        return answered_by_shell(old, new, &come).map(surely);
    }
    // Most changes bring neither.
    let may_stub = come.iter().any(|(_, line)| is_stub(line) || may_replace(line));
    if !may_stub && !middle.before.lines().any(|line| may_import(line) && !new.contains(line)) {
        return None;
    }
    let tested = Tested::of(case, change);
    let gone = new_lines(new, old, &Middle { before: middle.after, after: middle.before, ..middle });
    let asked = Asked { old, new, come, gone, functions: tested.before, roots: tested.roots };
    let is_meant = |(name, ..): &(String, u32, Severity)| !asked.was_double(name);
    let own = || tested.within.iter().find_map(|test| self_answered(&asked, test)).map(surely);
    replaced(&asked)
        .map(surely)
        .filter(is_meant)
        .or_else(|| own().filter(is_meant))
        .or_else(|| answered(&asked).filter(is_meant))
        .or_else(|| {
            let mut functions = tested.after.iter().filter(|(name, _)| !asked.was_double(name));
            functions.find_map(|(name, receiver)| stubbed_or_shadowed(&asked, name, receiver))
        })
}

/// A function that a test asks and answers itself: by a stand-in that it makes of it, or by a function of the same name.
fn self_answered(asked: &Asked, test: &OwnTest) -> Option<(String, u32)> {
    let own = || asked.come.iter().filter(|(line, _)| test.lines.contains(line));
    let was_stub = |name: &str| asked.old.lines().any(|line| is_stub(line) && has_word(line, name));
    let stubbed = test.asked.iter().find_map(|(name, receiver)| {
        let last = receiver.rsplit(['.', ':']).next().unwrap_or_default();
        let answers = |line: &str| {
            is_stub(line)
                && has_word(given_to(line), name)
                && !asserts(line)
                && sure(line, name, receiver, None) == Some(Severity::High)
                && (last.is_empty() || has_word(line, last))
        };
        let (line, _) = own().find(|(_, text)| answers(text))?;
        (!was_stub(name)).then(|| (name.clone(), *line))
    });
    stubbed.or_else(|| {
        own().find_map(|(line, text)| {
            let (name, _) = own_function(text)?;
            let is_asked = test.asked.iter().any(|(asked, receiver)| asked == name && receiver.is_empty());
            let is_known =
                asked.old.lines().any(|old| own_function(old).is_some_and(|(other, _)| other == name));
            (is_asked && !is_known).then(|| (name.to_owned(), *line))
        })
    })
}

/// A stand-in that answers for a function, or another function of its name.
fn stubbed_or_shadowed(asked: &Asked, name: &str, receiver: &str) -> Option<(String, u32, Severity)> {
    let answers = |line: &str| is_stub(line) && has_word(given_to(line), name) && !asserts(line);
    let stub = asked.come.iter().find(|(_, line)| answers(line));
    let stubbed_before = || asked.old.lines().any(|line| is_stub(line) && has_word(line, name));
    if let Some((line, text)) = stub
        && !stubbed_before()
        && let Some(severity) = sure(text, name, receiver, fixture_above(asked.new, *line))
    {
        return Some((name.to_owned(), *line, severity));
    }
    let line = shadowed(asked.old, asked.new, &asked.come, name)?;
    Some((name.to_owned(), line, Severity::High))
}

/// Whether a line makes a stand-in, or says what one answers.
fn is_stub(line: &str) -> bool {
    STUBS.iter().any(|word| line.match_indices(word).any(|(at, _)| stands_in(line, at, word)))
}

/// Whether a line begins as one that brings a name in from elsewhere.
fn may_import(line: &str) -> bool {
    IMPORTS.iter().any(|head| line.trim_start().starts_with(head))
}

/// Whether a word that stands somewhere in a line makes a stand-in there: an application may have a `patch(` of its own.
fn stands_in(line: &str, at: usize, word: &str) -> bool {
    const MAKERS: &[&str] = &["mock.", "mocker.", "mocks.", "monkeypatch."];
    let head = line.get(..at).unwrap_or_default();
    word != "patch("
        || MAKERS.iter().any(|it| head.ends_with(it))
        || !head.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$'))
}

/// What a line gives a stand-in to: of a function that is assigned the side that gets it, else the line.
fn given_to(line: &str) -> &str {
    line.split_once("= lambda").map_or(line, |(head, _)| head)
}

/// What assertions are about that stay.
#[derive(Default)]
struct Tested {
    /// The functions that they asked, each with what it is called on.
    before: BTreeSet<(String, String)>,
    /// Those that they ask.
    after: BTreeSet<(String, String)>,
    /// The names that their subjects begin with, with the lines of the test that they stand in.
    roots: Vec<(Range<u32>, BTreeSet<String>)>,
    /// What each test asked and asks.
    within: Vec<OwnTest>,
}

/// What a test's own assertions ask, before or after, each with what it is called on.
struct OwnTest {
    lines: Range<u32>,
    asked: BTreeSet<(String, String)>,
}

impl Tested {
    fn of(case: &Case, change: &Change) -> Self {
        let outline = |text: &Option<String>| {
            case.read(&change.path, text.as_deref()?, |reading| reading.outline_at(&change.path))
        };
        let mut found = Tested::default();
        let (Some(old), Some(new)) = (outline(&change.before), outline(&change.after)) else {
            return found;
        };
        let pairs = old
            .tests
            .iter()
            .filter_map(|before| Some((before, new.tests.iter().find(|after| after.name == before.name)?)));
        for (before, after) in pairs {
            let names = Subjects::in_texts(change, before, after);
            let mut roots = BTreeSet::new();
            let was = before.assertions.iter().flat_map(|it| called_by(it, &names.claimed(&it.claim).0));
            let was: BTreeSet<(String, String)> = was.collect();
            let is = after.assertions.iter().flat_map(|it| called_by(it, &names.claims(&it.claim).0));
            // What the test has always asked, on whatever.
            let is = is.filter(|(name, _)| was.iter().any(|(known, _)| known == name)).collect::<Vec<_>>();
            let lines = lines_of(change.after.as_deref().unwrap_or_default(), after);
            found.within.push(OwnTest { lines, asked: was.into_iter().chain(is).collect() });
            for assertion in &after.assertions {
                let Some(was) = before.assertions.iter().find(|old| is_kept(old, assertion)) else {
                    continue;
                };
                let ((asked, _), (asks, _)) = (names.claimed(&was.claim), names.claims(&assertion.claim));
                found.before.extend(callee(&asked));
                roots.extend([&asked, &was.claim.subject].into_iter().filter_map(|it| root(it)));
                if was.text == assertion.text {
                    found.after.extend(callee(&asks));
                }
            }
            found.roots.push((lines_of(change.after.as_deref().unwrap_or_default(), after), roots));
        }
        found
    }
}

/// What an assertion calls last: what its subject is the answer of, or what it expects to fail.
fn called_by(assertion: &Assertion, subject: &str) -> Vec<(String, String)> {
    const HEADS: &[&str] = &["()->", "()=>", "lambda:", "fn->", "func(){", "{"];
    let claimed = assertion.claim.subject.as_str();
    if subject != "raise" && claimed != "raise" {
        return [callee(subject), last_call(subject), last_call(claimed)].into_iter().flatten().collect();
    }
    let text = assertion.text.as_str();
    let Some((_, rest)) = HEADS.iter().find_map(|head| text.split_once(head)) else { return Vec::new() };
    callee(rest.trim_start_matches(['{', '!']).trim_start_matches("await")).into_iter().collect()
}

/// The last call or member of a subject, and what it is called on: `Cart.new([1]).total` asks `total`.
fn last_call(subject: &str) -> Option<(String, String)> {
    let head = match subject.strip_suffix(')') {
        Some(inside) => {
            let mut depth = 1i32;
            let open = inside.char_indices().rev().find(|(_, c)| {
                depth += i32::from(*c == ')') - i32::from(*c == '(');
                depth == 0
            });
            inside.get(..open?.0)?
        }
        None => subject,
    };
    let start = head.rfind(|c: char| !is_name_part(c)).map_or(0, |at| at + 1);
    let (receiver, name) = (head.get(..start)?, head.get(start..)?);
    let receiver = receiver.strip_suffix('.').or_else(|| receiver.strip_suffix("->"))?;
    (name.len() > 2 && !receiver.is_empty()).then(|| (name.to_owned(), receiver.to_owned()))
}

/// Whether two assertions say the same, perhaps of something else.
fn is_kept(old: &Assertion, new: &Assertion) -> bool {
    let exact = |it: &Assertion| it.claim.strength == Some(Strength::Exact) && !it.claim.expected.is_empty();
    old.text == new.text
        || exact(old) && exact(new) && old.claim.expected == new.claim.expected && !new.claim.circular
}

/// The name that a subject begins with.
fn root(subject: &str) -> Option<String> {
    let bare = subject.trim_start_matches("()=>").trim_start_matches(['$', '@', '(', '&', '*']);
    let end = bare.find(|c: char| !is_name_part(c)).unwrap_or(bare.len());
    let (name, rest) = bare.split_at(end);
    (!name.is_empty() && !rest.starts_with('(')).then(|| name.to_owned())
}

/// The lines that a test stands in.
fn lines_of(text: &str, test: &Test) -> Range<u32> {
    let line = |at: usize| line_at(text, at).0;
    line(test.span.start)..line(test.span.end).saturating_add(1)
}

/// Whether a line may put something in the place of what is asked.
fn may_replace(line: &str) -> bool {
    declared(line).is_some()
        || is_import(line) && is_fake(line)
        || own_function(line).is_some()
        || line.contains("verride")
        || line.contains(".receive(") && line.contains("allow(")
        || bound(line)
            .is_some_and(|(_, value)| value.ends_with('{') || value.starts_with('{') || is_double(value))
}

/// The name of what a subject calls, and what it is called on.
fn callee(subject: &str) -> Option<(String, String)> {
    let subject = subject.trim_start_matches("()=>").trim_start_matches("await");
    let head = subject.split('(').next()?;
    if !subject.contains('(') && !subject.contains('.') {
        return None;
    }
    let name = head.rsplit(['.', ':', '>']).next().unwrap_or(head);
    let receiver = head.strip_suffix(name).unwrap_or_default().trim_end_matches(['.', ':', '>', '-']);
    let is_name = name.len() > 2 && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '?' | '!'));
    is_name.then(|| (name.to_owned(), receiver.to_owned()))
}

/// Whether a line asserts, so that what it names is asked and not replaced.
fn asserts(line: &str) -> bool {
    let line = line.trim_start();
    ["expect(", "assert", "verify(", "EXPECT_", "self.assert"].iter().any(|head| line.starts_with(head))
}

/// How sure it is that a stand-in answers for the function itself and not for one of the same name elsewhere.
fn sure(line: &str, name: &str, receiver: &str, fixture: Option<&str>) -> Option<Severity> {
    let at = line.find(name)?;
    let before = line.get(..at).unwrap_or_default();
    let own = before.strip_suffix('.').or_else(|| before.strip_suffix("->")).map(|head| {
        head.rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).next().unwrap_or_default()
    });
    let last = receiver.rsplit(['.', ':']).next().unwrap_or(receiver);
    match own {
        // A class answers for its object, and what a fixture makes is called as the fixture is.
        Some(own) if own.eq_ignore_ascii_case(last) || fixture == Some(last) => Some(Severity::High),
        // `doReturn(3).when(till).total()`.
        Some("") if !last.is_empty() && has_word(line, last) => Some(Severity::High),
        Some(_) if !receiver.is_empty() => None,
        _ if receiver.is_empty() || words_of(line).any(|it| it.eq_ignore_ascii_case(last)) => {
            Some(Severity::High)
        }
        _ => Some(Severity::Medium),
    }
}

/// A name that came from elsewhere and is defined in the test's file now.
fn shadowed(old: &str, new: &str, come: &[(u32, &str)], name: &str) -> Option<u32> {
    let imports = |text: &str| {
        text.lines().any(|line| {
            may_import(line)
                && brings(line, name)
                && (line.contains("import")
                    || line.contains("require(")
                    || ["use ", "alias "].iter().any(|head| line.trim_start().starts_with(head)))
        })
    };
    let defines = |line: &str| {
        DEFINES.iter().any(|head| {
            let rest = line.trim_start().strip_prefix(head).and_then(|rest| rest.strip_prefix(name));
            rest.is_some_and(|rest| match *head {
                "" => rest.starts_with(" = ") && !rest.starts_with(" = ="),
                _ => {
                    rest.starts_with([' ', '(', ':', '<'])
                        && !line.contains("require(")
                        && !line.contains("import(")
                }
            })
        })
    };
    if !imports(old) || imports(new) || old.lines().any(defines) {
        return None;
    }
    come.iter().find(|(_, line)| defines(line)).map(|(line, _)| *line)
}
