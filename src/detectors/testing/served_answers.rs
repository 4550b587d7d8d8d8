//! Answers that the test serves itself: the function that its assertions are about is replaced in the test's own file,
//! by a stand-in or by a function of the same name.

use std::ops::Range;

use crate::detectors::Case;
use crate::detectors::product::fixed_answers::is_discard;
use crate::detectors::testing::answered_parts::{answered, part_by_path};
use crate::detectors::testing::asked_of_own::asked_of_own;
use crate::detectors::testing::doubled_subjects::{
    answered_by_spy, asked_of_double, marked, with_statements,
};
use crate::detectors::testing::doubled_types::{doubled_type, subject_gone};
use crate::detectors::testing::explained_values::is_taken_away;
use crate::detectors::testing::own_subjects::{defined_besides, returned_by_fixture};
use crate::detectors::testing::own_subtypes::answered_by_subtype;
use crate::detectors::testing::replaced_subjects::{ChangedTestLines, replaced};
use crate::detectors::testing::shell_stand_ins::answered_by_shell;
use crate::detectors::testing::stand_in_values::{is_double, is_lambda, own_function};
use crate::detectors::testing::test_lines;
use crate::detectors::testing::test_lines::{
    bound, brings, declared, defined_name, defines, fixture_above, gives_nothing, is_fake, is_import,
    lost_lines, new_lines_of, origin, words_of,
};
use crate::detectors::testing::tested_functions::TestedSubjects;
use crate::detectors::testing::told_methods::stubbed as told;
use crate::languages::differing::DifferingMiddle;
use crate::languages::subject;
use crate::model::finding::{Change, Severity};
use crate::model::words::{has_word, is_name_part};

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
    "setitem(globals(",
    ":meck.expect(",
    "globals()[",
    "patch(",
    "patch.object(",
    "create_autospec(",
    "sinon.stub",
    "sinon.fake",
    ".returns",
    ".Returns",
    "thenReturn(",
    "thenAnswer(",
    "willReturn",
    "andReturn",
    "createPartialMock(",
    "->onlyMethods(",
    "mockkObject(",
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
/// What assertions about errors are called on.
const ASKING: &[&str] = &["assert", "Assert", "t", "strict", "expect", "Should", "test", "tap"];
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
    let middle = DifferingMiddle::of(old, new);
    let come = new_lines_of(old, new, &middle);
    let surely = |(name, line)| (name, line, Severity::High);
    if [".bats", ".sh"].iter().any(|end| change.path.ends_with(end)) {
        return answered_by_shell(old, new, &come).map(surely);
    }
    // Most changes bring neither.
    let is_new_test = |line: &str| gives_nothing(line) && !has_word(old, defined_name(line));
    let may_stub = |line: &str| is_stub(line) || may_replace(line) && !is_new_test(line) || is_discard(line);
    let loses_import = || middle.before.lines().any(|line| may_import(line) && !new.contains(line));
    if let Some(found) = marked(change, old, &come) {
        return Some(surely(found));
    }
    if !come.iter().any(|(_, line)| may_stub(line)) && !loses_import() {
        return None;
    }
    let tested = TestedSubjects::of(case, change);
    let asking = tested.again.iter().map(|(lines, (name, _))| (lines.clone(), name.clone())).collect();
    let gone = lost_lines(old, new, &middle);
    let asked = ChangedTestLines {
        about: subject(&change.path).replace(['_', '-'], "").to_lowercase(),
        old,
        new,
        come: with_statements(new, come),
        gone,
        functions: tested.before,
        roots: tested.roots,
        tests: tested.tests,
        asking,
    };
    let is_meant = |(name, ..): &(String, u32, Severity)| !asked.was_double(name);
    replaced(&asked)
        .or_else(|| asked_of_own(&asked, is_stub))
        .map(surely)
        .filter(is_meant)
        .or_else(|| answered(&asked).filter(is_meant))
        .or_else(|| answered_by_spy(&asked).or_else(|| asked_of_double(&asked, &tested.again)).map(surely))
        .or_else(|| doubled_type(&change.path, &asked).map(surely))
        .or_else(|| answered_by_subtype(&asked, &tested.again).map(surely).filter(is_meant))
        .or_else(|| {
            let mut functions = tested.after.iter().filter(|(name, _)| !asked.was_double(name));
            functions.find_map(|(name, receiver)| stubbed_or_shadowed(&asked, name, receiver))
        })
        .or_else(|| {
            let mut again = tested.again.iter();
            again.find_map(|(lines, (name, receiver))| stubbed(&asked, name, receiver, Some(lines)))
        })
        .or_else(|| {
            let mut own = tested.again.iter().filter(|(_, (_, receiver))| receiver.is_empty());
            own.find_map(|(lines, (name, _))| defined_within(&asked, name, lines)).map(surely)
        })
        .or_else(|| {
            let gone =
                subject_gone(&change.path, &asked).filter(|(name, _)| !is_taken_away(case, change, name));
            gone.map(surely)
        })
        .or_else(|| given_up(&asked).map(surely))
        .or_else(|| defined_besides(&asked).or_else(|| returned_by_fixture(&asked)).map(surely))
}

/// A stand-in that answers for a function, or another function of its name.
fn stubbed_or_shadowed(
    asked: &ChangedTestLines,
    name: &str,
    receiver: &str,
) -> Option<(String, u32, Severity)> {
    stubbed(asked, name, receiver, None).or_else(|| {
        let line = shadowed(asked.old, asked.new, &asked.come, name)?;
        Some((name.to_owned(), line, Severity::High))
    })
}

/// A new stand-in that answers for a function, in the lines of one test or anywhere.
fn stubbed(
    asked: &ChangedTestLines,
    name: &str,
    receiver: &str,
    within: Option<&Range<u32>>,
) -> Option<(String, u32, Severity)> {
    // What a path names last is what is answered for: `mill.grind.today` is no `grind`.
    let is_named = |line: &str| {
        let of_type = |holder: &str| name.starts_with(char::is_uppercase) && holder.ends_with(name);
        part_by_path(line).is_none_or(|(holder, last)| last == name || of_type(holder))
    };
    let answers = |line: &str| {
        is_stub(line)
            && is_named(line)
            && has_word(given_to(line), name)
            && !asserts(line)
            && reaches(asked, line, name)
    };
    let is_within = |at: u32| within.is_none_or(|lines| lines.contains(&at)) && asked.may_answer(at, name);
    let all = asked.come.iter().filter(|(at, line)| is_within(*at) && answers(line));
    let (line, severity) = all
        .filter_map(|(at, text)| Some((*at, sure(text, name, receiver, fixture_above(asked.new, *at))?)))
        .max_by_key(|(at, severity)| (*severity, std::cmp::Reverse(*at)))?;
    // An old stand-in for a method of the same name may be another's.
    let is_for_it = |line: &str| {
        let fixture = None;
        is_stub(line) && has_word(line, name) && sure(line, name, receiver, fixture).is_some()
    };
    let stubbed_before = asked.old.lines().any(is_for_it);
    (!stubbed_before).then(|| (name.to_owned(), line, severity))
}

/// A function of the name that a test asks, which the test defines itself now.
fn defined_within(asked: &ChangedTestLines, name: &str, lines: &Range<u32>) -> Option<(String, u32)> {
    let defines = |text: &str| own_function(text).is_some_and(|(own, _)| own == name);
    let (line, _) = asked.come.iter().find(|(at, text)| lines.contains(at) && defines(text))?;
    (!asked.old.lines().any(defines)).then(|| (name.to_owned(), *line))
}

/// Whether a stand-in that is given by its path, `"shop.cli.load"`, answers for the function that the tests have by its
/// name: one that they have from another module is another's.
fn reaches(asked: &ChangedTestLines, line: &str, name: &str) -> bool {
    let module = line.split(['"', '\'']).find_map(|text| text.strip_suffix(name)?.strip_suffix('.'));
    let Some(module) = module.filter(|it| !it.contains("__name__")) else { return true };
    // The file of the tests has it under the same name.
    if module.rsplit('.').next().is_some_and(|it| it.starts_with("test_") || it.ends_with("_test")) {
        return true;
    }
    let mut imports = asked.new.lines().filter(|it| is_import(it) && brings(it, name));
    imports.next().is_none_or(|it| origin(it).trim() == module)
}

/// A call whose result the test used, and gives up now for what it makes itself: `_ = Middleware(store, next)`.
fn given_up(asked: &ChangedTestLines) -> Option<(String, u32)> {
    asked.come.iter().find_map(|(at, line)| {
        let call = ["_ = ", "let _ = ", "void ", "_ := ", "var _ = ", "val _ = ", "(void)"]
            .iter()
            .find_map(|head| line.trim_start().strip_prefix(head))?;
        let call = call.trim_end_matches(';').trim();
        if let Some(name) = named_alone(asked, call) {
            return Some((name.to_owned(), *at));
        }
        let was = asked.gone.iter().filter_map(|(_, old)| bound(old)).find(|(_, value)| *value == call)?;
        let is_made_here = asked.come.iter().any(|(other, new)| {
            other != at && bound(new).is_some_and(|(name, value)| name == was.0 && !value.contains(call))
        });
        let name = call.split('(').next().and_then(|head| head.rsplit(['.', ':', ' ']).next())?;
        let is_called = call.contains('(') && !asked.old.lines().any(|line| defines(line, name));
        (is_made_here && is_called && name.len() > 2).then(|| (name.to_owned(), *at))
    })
}

/// The function that is only named, and was called: `let _ = write::<Vec<u8>>;` keeps its import in use.
fn named_alone<'c>(asked: &ChangedTestLines, call: &'c str) -> Option<&'c str> {
    let path = call.split("::<").next().unwrap_or(call);
    let name = path.rsplit(['.', ':']).next().filter(|name| name.len() > 2 && !call.ends_with(')'))?;
    let called = format!("{name}(");
    let is_called = |lines: &[(u32, &str)]| lines.iter().any(|(_, line)| line.contains(&called));
    (is_called(&asked.gone) && !is_called(&asked.come)).then_some(name)
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
    // What a test asks by is none: `await assert.rejects(…)`.
    if matches!(word, ".rejects(" | ".Throws(" | ".ThrowsAsync(") {
        let asker = head.rsplit(|c: char| !is_name_part(c)).next().unwrap_or_default();
        return !ASKING.contains(&asker);
    }
    word != "patch("
        || MAKERS.iter().any(|it| head.ends_with(it))
        || !head.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$'))
}

/// What a line gives a stand-in to: of a function that is assigned the side that gets it, else the line.
fn given_to(line: &str) -> &str {
    line.split_once("= lambda").map_or(line, |(head, _)| head)
}

/// Whether a line may put something in the place of what is asked.
fn may_replace(line: &str) -> bool {
    declared(line).is_some()
        || is_import(line) && is_fake(line)
        || own_function(line).is_some()
        || line.contains("verride")
        || line.trim_start().starts_with("#define ")
        || line.contains(".receive(") && line.contains("allow(")
        || bound(line).is_some_and(|(_, value)| {
            value.ends_with('{') || value.starts_with('{') || is_double(value) || is_lambda(value)
        })
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
    let last = receiver.rsplit(['.', ':']).next().unwrap_or(receiver).trim_start_matches(['$', '@']);
    // What is told by name, `allow(rates).to receive(:today)`, is told of the object that the line names.
    let told_of = || {
        let of_object = || bound(line).filter(|(_, value)| value.starts_with('{')).map(|(object, _)| object);
        told(line).filter(|(_, method)| *method == name).map(|(object, _)| object).or_else(of_object)
    };
    // `Desk.prototype`, `self.desk`: a class answers for its objects, and a field is called as it is.
    let bare = |it: &'_ str| -> String {
        let it = it.trim_start_matches('$').trim_end_matches(".prototype");
        it.trim_start_matches("self.").trim_start_matches("this.").to_owned()
    };
    let own = own.or_else(told_of).map(bare);
    let own = own.as_deref();
    // An object that is only given to what is asked answers for itself: `new Shop(rates).today()`.
    if own.is_some_and(|own| is_given(receiver, own)) {
        return None;
    }
    match own {
        // A class answers for its object, and what a fixture makes is called as the fixture is.
        Some(own) if own.eq_ignore_ascii_case(last) || fixture == Some(last) => Some(Severity::High),
        // `spyOn(LoanDesk.prototype, 'fee')` where `desk.fee()` is asked.
        Some(own) if line.contains(".prototype") && last.len() > 2 && ends_as(own, last) => {
            Some(Severity::High)
        }
        // `mock.Setup(it => it.Total()).Returns(3)`.
        Some(own) if !own.is_empty() && line.contains(&format!("{own} =>")) => {
            let mock = words_of(line).next().unwrap_or_default();
            (words_of(receiver).any(|it| it == mock) && !is_given(receiver, mock)).then_some(Severity::High)
        }
        // `doReturn(3).when(till).total()`.
        Some("") if !last.is_empty() && has_word(line, last) => Some(Severity::High),
        Some(_) if !receiver.is_empty() => None,
        // `allow(planner).to receive(:book)` where `planner.book(…)` is asked.
        _ if words_of(receiver).next().is_some_and(|root| before.contains(&format!("allow({root})"))) => {
            Some(Severity::High)
        }
        _ if receiver.is_empty() || words_of(line).any(|it| it.eq_ignore_ascii_case(last)) => {
            Some(Severity::High)
        }
        _ => Some(Severity::Medium),
    }
}

/// Whether a type is called as its object is, with more in front: `LoanDesk` and `desk`.
fn ends_as(class: &str, object: &str) -> bool {
    class.starts_with(char::is_uppercase) && class.to_lowercase().ends_with(&object.to_lowercase())
}

/// Whether an object stands among the arguments of the call that makes what is asked, and is not asked itself.
fn is_given(receiver: &str, object: &str) -> bool {
    let Some((head, arguments)) = receiver.split_once('(') else { return false };
    object.len() > 1 && has_word(arguments, object) && !has_word(head, object)
}

/// A name that came from elsewhere and is defined in the test's file now.
fn shadowed(old: &str, new: &str, come: &[(u32, &str)], name: &str) -> Option<u32> {
    let imports = |text: &str| {
        text.lines().any(|line| {
            may_import(line)
                && brings(line, name)
                && (line.contains("import")
                    || line.contains("require(")
                    || ["use ", "alias ", "using "].iter().any(|head| line.trim_start().starts_with(head)))
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
    let is_own = |line: &str| defines(line) || line.starts_with("static ") && test_lines::defines(line, name);
    come.iter().find(|(_, line)| is_own(line)).map(|(line, _)| *line)
}
