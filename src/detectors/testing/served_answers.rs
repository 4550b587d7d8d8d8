//! Answers that the test serves itself: the function that its assertions are about is replaced in the test's own file,
//! by a stand-in or by a function of the same name.

use std::collections::BTreeSet;

use crate::detectors::Case;
use crate::detectors::testing::same_subjects::Subjects;
use crate::languages::differing::Middle;
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
];
/// How a line begins that brings a name in from elsewhere.
const IMPORTS: &[&str] =
    &["import ", "from ", "use ", "using ", "const {", "const ", "let ", "var ", "require"];
/// How a line begins that defines a function.
const DEFINES: &[&str] =
    &["const ", "let ", "var ", "def ", "function ", "async function ", "fun ", "func ", "fn ", "class ", ""];

/// A function under test that the test's file would answer for, with the line and how sure that is.
pub(super) fn served(case: &Case, change: &Change) -> Option<(String, u32, Severity)> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    // A line that both texts have around their difference has neither come nor gone.
    let middle = Middle::of(old, new);
    let come = come(old, new, &middle);
    let is_stub = |line: &str| {
        STUBS.iter().any(|word| line.match_indices(word).any(|(at, _)| stands_in(line, at, word)))
    };
    let is_import = |line: &str| IMPORTS.iter().any(|head| line.trim_start().starts_with(head));
    // Most changes bring neither.
    let may_stub = come.iter().any(|(_, line)| is_stub(line));
    if !may_stub && !middle.before.lines().any(|line| is_import(line) && !new.contains(line)) {
        return None;
    }
    under_test(case, change).into_iter().find_map(|(name, receiver)| {
        let stubbed_before = old.lines().any(|line| is_stub(line) && has_word(line, &name));
        let stub =
            come.iter().find(|(_, line)| is_stub(line) && has_word(given_to(line), &name) && !asserts(line));
        if let Some((line, text)) = stub.filter(|_| !stubbed_before)
            && let Some(severity) = sure(text, &name, &receiver)
        {
            return Some((name, *line, severity));
        }
        let line = shadowed(old, new, &come, &name)?;
        Some((name, line, Severity::High))
    })
}

/// The lines of the text after that stand nowhere in the text before, with their numbers.
fn come<'t>(old: &str, new: &'t str, middle: &Middle<'t>) -> Vec<(u32, &'t str)> {
    let lines = (middle.first_line(new)..).zip(middle.after.lines());
    let mut come: Vec<(u32, &str)> = lines.filter(|(_, line)| line.trim().len() > 4).collect();
    let new: BTreeSet<&str> = come.iter().map(|(_, line)| line.trim()).collect();
    let known: BTreeSet<&str> =
        old.lines().map(str::trim).filter(|line| line.len() > 4 && new.contains(line)).collect();
    come.retain(|(_, line)| !known.contains(line.trim()));
    come
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

/// The functions that assertions which stay are about, each with what it is called on.
fn under_test(case: &Case, change: &Change) -> BTreeSet<(String, String)> {
    let outline = |text: &Option<String>| {
        case.read(&change.path, text.as_deref()?, |reading| reading.outline_at(&change.path))
    };
    let (Some(old), Some(new)) = (outline(&change.before), outline(&change.after)) else {
        return BTreeSet::new();
    };
    let mut found = BTreeSet::new();
    let pairs = old
        .tests
        .iter()
        .filter_map(|before| Some((before, new.tests.iter().find(|after| after.name == before.name)?)));
    for (before, after) in pairs {
        let names = Subjects::in_texts(change, before, after);
        for assertion in &after.assertions {
            if !before.assertions.iter().any(|old| old.text == assertion.text) {
                continue;
            }
            let (subject, _) = names.claims(&assertion.claim);
            found.extend(callee(&subject));
        }
    }
    found
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
fn sure(line: &str, name: &str, receiver: &str) -> Option<Severity> {
    let at = line.find(name)?;
    let before = line.get(..at).unwrap_or_default();
    let own = before.strip_suffix('.').or_else(|| before.strip_suffix("->")).map(|head| {
        head.rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).next().unwrap_or_default()
    });
    let last = receiver.rsplit(['.', ':']).next().unwrap_or(receiver);
    match own {
        Some(own) if own == last => Some(Severity::High),
        Some(_) if !receiver.is_empty() => None,
        _ if receiver.is_empty() || has_word(line, last) => Some(Severity::High),
        _ => Some(Severity::Medium),
    }
}

/// A name that came from elsewhere and is defined in the test's file now.
fn shadowed(old: &str, new: &str, come: &[(u32, &str)], name: &str) -> Option<u32> {
    let imports = |text: &str| {
        text.lines().any(|line| {
            IMPORTS.iter().any(|head| line.trim_start().starts_with(head))
                && has_word(line, name)
                && (line.contains("import")
                    || line.contains("require(")
                    || line.trim_start().starts_with("use "))
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

fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line.get(..at).and_then(|it| it.chars().next_back());
        let after = line.get(at + word.len()..).and_then(|it| it.chars().next());
        !before.is_some_and(is_name_part) && !after.is_some_and(is_name_part)
    })
}
