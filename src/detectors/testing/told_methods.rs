//! Lines that tell a method of an object what to answer, in the words of each library of stand-ins.

use crate::model::words::{is_name_part, words};

/// Words of what the code under test is given: tests may make a method of it fail.
const BESIDE: &[&str] = &[
    "repo",
    "repository",
    "store",
    "db",
    "api",
    "gateway",
    "mailer",
    "client",
    "fake",
    "mock",
    "stub",
    "cache",
    "queue",
    "bus",
    "fs",
    "window",
    "document",
    "process",
    "console",
    "global",
];

/// The object and the method of a line that makes the method answer.
pub(super) fn stubbed<'t>(line: &'t str) -> Option<(&'t str, &'t str)> {
    // A method's name goes on up to what can't stand in one.
    let is_end = |c: char| !(is_name_part(c) || matches!(c, '?' | '!'));
    let name = |text: &'t str| text.split(is_end).next().unwrap_or_default();
    if let Some(rest) = line.split("allow(").nth(1).or_else(|| line.split("allow_any_instance_of(").nth(1)) {
        let (receiver, rest) = rest.split_once(')')?;
        let method = rest.split("receive(:").nth(1)?;
        return Some((receiver, name(method)));
    }
    // Python's own names of the file: `monkeypatch.setitem(globals(), "total", …)`.
    if let Some(rest) = line.split("setitem(globals(),").nth(1) {
        let quoted = rest.trim_start().trim_start_matches(['"', '\'']);
        return Some(("", name(quoted)));
    }
    let spied = ["spyOn(", "patch.object(", "mock.method(", "setattr(", "sinon.stub("]
        .iter()
        .find_map(|head| line.split(head).nth(1));
    if let Some(rest) = spied {
        let (receiver, rest) = rest.split_once(',')?;
        let method = rest.trim_start().trim_start_matches(['"', '\'', '`']);
        let is_silent = line.contains("spyOn(")
            && ![
                "mockReturn",
                "mockResolved",
                "mockRejected",
                "mockImpl",
                "mockThrow",
                "and.return",
                "and.throw",
            ]
            .iter()
            .any(|it| line.contains(it));
        // TypeScript's `client as unknown as { read(): string }` is the client.
        let receiver = receiver.split(" as ").next().unwrap_or(receiver).trim().trim_matches(['(', ' ']);
        let receiver = receiver.strip_prefix("<any>").unwrap_or(receiver);
        return (!is_silent && rest.trim_start().starts_with(['"', '\'', '`']))
            .then(|| (receiver, name(method)));
    }
    // `every { desk.fine(any()) } returns 3`, and of a private one `every { desk["fine"](any()) }`.
    if let Some(rest) = ["every {", "every{", "coEvery {"].iter().find_map(|head| line.split(head).nth(1)) {
        let (receiver, rest) = rest.trim_start().split_once(['.', '['])?;
        let is_one = !receiver.is_empty() && receiver.chars().all(is_name_part);
        return is_one.then(|| (receiver, name(rest.trim_start_matches(['"', '\'']))));
    }
    // `self.desk._check = lambda …`, `desk.fine = () => 3`.
    if let Some((left, value)) = line.split_once(" = ") {
        let makes = ["lambda", "() =>", "async () =>", "vi.fn(", "jest.fn(", "sinon.stub("];
        let (object, method) = left.trim().rsplit_once('.').unwrap_or_default();
        let object = object.rsplit('.').next().unwrap_or(object);
        let is_put = makes.iter().any(|head| value.starts_with(head))
            && object.chars().all(is_name_part)
            && !words(object).iter().any(|word| BESIDE.contains(&word.as_str()));
        if is_put && !object.is_empty() {
            return Some((object, name(method)));
        }
    }
    // PHP's `$rates->method('today')`, `$rates->shouldReceive('today')`.
    if let Some((head, rest)) =
        ["->method(", "->shouldReceive("].iter().find_map(|call| line.split_once(call))
    {
        let own = head.split("->").next()?.rsplit(|c: char| !is_name_part(c)).next()?;
        return Some((own, name(rest.trim_start_matches(['"', '\'']))));
    }
    // `doReturn(3).when(cart).rate()`, also over several lines.
    let rest = line.split(".when(").nth(1).filter(|_| line.contains("doReturn("))?;
    let (receiver, rest) = rest.split_once(')')?;
    Some((receiver, name(rest.trim_start().strip_prefix('.')?)))
}
