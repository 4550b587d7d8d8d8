//! Values in tests that stand in for something: doubles, and functions that a test makes itself.

use crate::detectors::testing::test_lines::bound;
use crate::model::words::is_name_part;

/// What makes a double.
const DOUBLES: &[&str] = &[
    "Mock(",
    "Mock.Of<",
    "MagicMock(",
    "create_autospec(",
    "jest.fn",
    "vi.fn",
    "mock.fn",
    "sinon.",
    "mock(",
    "mockk(",
    "mockk<",
    "instance_double(",
    "double(",
    "class_double(",
    "Substitute.For",
    "Mock<",
    "createMock(",
    "createMock<",
    "createSpyFromClass(",
    "createSpyObj",
    "mockDeep",
    "mock<",
    "createStub(",
    "createConfiguredMock(",
    "Mockery::mock",
    "prophesize(",
    "td.object",
    "td.func",
    "Stub(",
    "stub(",
    "mock[",
    "stub[",
    "OpenStruct.new",
    "SimpleNamespace(",
];
/// How a value begins that is a function.
const FUNCTIONS: &[&str] =
    &["lambda", "func(", "function", "async (", "async function", "fn(", "fn ", "->", "proc ", "|"];

/// Whether a value is a double itself, and not something that is given one.
pub(super) fn is_double(value: &str) -> bool {
    let opens = value.find(['(', '{']).unwrap_or(value.len());
    DOUBLES.iter().any(|word| {
        value.match_indices(word).any(|(at, _)| {
            let head = value.get(..at).unwrap_or_default();
            let is_first = at + word.trim_end_matches('(').len() <= opens;
            is_first && (!head.ends_with(is_name_part) || word.starts_with(char::is_uppercase))
        })
    })
}

/// What stands behind each word of a line that makes a double.
pub(super) fn doubles_in(line: &str) -> impl Iterator<Item = &str> {
    DOUBLES.iter().flat_map(move |word| {
        line.match_indices(word).filter_map(move |(at, _)| {
            let is_start = !line.get(..at).is_some_and(|head| head.ends_with(is_name_part));
            line.get(at + word.len()..).filter(|_| is_start)
        })
    })
}

/// Whether a value is an object of whose members each is a double: `{ find: jest.fn(), insert: jest.fn() }`.
pub(super) fn is_object_of_doubles(value: &str) -> bool {
    let own = value.trim().trim_end_matches(';').strip_prefix('{').and_then(|it| it.strip_suffix('}'));
    own.is_some_and(|own| {
        own.split(',')
            .filter(|it| !it.trim().is_empty())
            .all(|member| member.split_once(':').is_some_and(|(_, value)| is_double(value.trim())))
    })
}

/// A function that a line makes, or a double of one, under the name that it gives.
pub(super) fn own_function(line: &str) -> Option<(&str, &str)> {
    let bare = line.trim_start();
    let named = ["def ", "fun ", "func ", "function ", "async function ", "fn "];
    if let Some(rest) = named.iter().find_map(|head| bare.strip_prefix(head)) {
        let end = rest.find(|c: char| !is_name_part(c))?;
        return rest
            .get(..end)
            .filter(|name| !name.is_empty() && rest[end..].starts_with('('))
            .map(|it| (it, rest));
    }
    let (name, value) = bound(line)?;
    let is_function = FUNCTIONS.iter().any(|head| value.starts_with(head))
        || value.contains("=>") && value.starts_with(['(', '_'])
        || is_double(value) && (!value.contains('{') || value.contains("=>") || value.contains("function"));
    is_function.then_some((name, value))
}

/// Whether a value is a function that stands for an object of one method: `sum -> 15`.
pub(super) fn is_lambda(value: &str) -> bool {
    ["->", "=>"].iter().any(|arrow| {
        value.split_once(arrow).is_some_and(|(head, _)| {
            !head.trim().is_empty()
                && head.chars().all(|c| is_name_part(c) || matches!(c, '(' | ')' | ',' | ' '))
        })
    })
}
