//! Errors of several pieces of work that came up, and stand in results now which nobody reads: `Promise.allSettled`,
//! `gather(…, return_exceptions=True)`.

use crate::detectors::Case;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::{is_named, short};
use crate::detectors::product::functions::called_in;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::{bare, plain};
use crate::model::finding::Severity;

/// What keeps errors in its results.
struct KeptErrors {
    /// The endings of paths.
    ends: &'static [&'static str],
    /// What let them come up, without white space; one is enough.
    was: &'static [&'static str],
    /// What keeps them, without white space.
    is: &'static str,
    /// What has to stand in the same statement.
    with: &'static str,
}

const KEPT: &[KeptErrors] = &[
    KeptErrors {
        ends: &["js", "ts", "jsx", "tsx", "mjs", "cjs", "mts", "cts"],
        was: &["await", "Promise.all("],
        is: "Promise.allSettled(",
        with: "",
    },
    KeptErrors {
        ends: &["py"],
        was: &["await", "gather(", "TaskGroup("],
        is: "gather(",
        with: "return_exceptions=True",
    },
    KeptErrors { ends: &["py"], was: &["gather(", "TaskGroup("], is: "asyncio.wait(", with: "" },
    KeptErrors { ends: &["py"], was: &[".result()", ".map("], is: "futures.wait(", with: "" },
    KeptErrors { ends: &["kt", "kts"], was: &["awaitAll("], is: "joinAll(", with: "" },
    KeptErrors { ends: &["kt", "kts"], was: &[".await()"], is: ".join()", with: "" },
    KeptErrors { ends: &["kt", "kts"], was: &["coroutineScope{"], is: "supervisorScope{", with: "" },
    KeptErrors { ends: &["cs"], was: &["Task.WhenAll(", "await"], is: "Task.WhenAny(", with: "" },
    KeptErrors { ends: &["rs"], was: &["try_join_all("], is: "join_all(", with: "" },
    KeptErrors { ends: &["rs"], was: &["try_join!("], is: "join!(", with: "" },
    KeptErrors {
        ends: &["go"],
        was: &["err:=g.Wait()", "err=g.Wait()", "returng.Wait()"],
        is: "g.Wait()",
        with: "",
    },
    KeptErrors {
        ends: &["ex", "exs"],
        was: &["Task.await_many(", "Task.await("],
        is: "Task.yield_many(",
        with: "",
    },
    KeptErrors { ends: &["ex", "exs"], was: &["Task.await("], is: "Task.start(", with: "" },
    KeptErrors { ends: &["rb"], was: &[".value!"], is: ".wait", with: "" },
    KeptErrors { ends: &["php"], was: &["Utils::unwrap(", "Utils::all("], is: "Utils::settle(", with: "" },
    KeptErrors { ends: &["java"], was: &[".get()", ".join()"], is: "invokeAll(", with: "" },
    KeptErrors { ends: &["swift"], was: &["withThrowingTaskGroup("], is: "withTaskGroup(", with: "" },
];
/// What a result is read by behind the call.
const READ: &[&str] =
    &[".then", ".map", ".filter", ".find", ".some", ".every", ".forEach", "[", ".each", ".reduce"];

/// First words of functions that end as well as they can.
const ENDING: &[&str] = &[
    "close",
    "shutdown",
    "stop",
    "dispose",
    "cleanup",
    "teardown",
    "cancel",
    "aclose",
    "disconnect",
    "destroy",
];

/// The first work whose errors nobody hears any more.
pub(super) fn unheard(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let extension = revision.change.path.rsplit('.').next()?;
    let mut kinds = KEPT.iter().filter(|it| it.ends.contains(&extension));
    kinds.find_map(|kind| {
        revision.hunks().iter().find_map(|hunk| {
            let line = of_place(revision, hunk, kind)?;
            let gone = hunk.gone.first()?;
            let name = revision.old_function_at(gone.at).map_or("", |it| it.name);
            let what = format!("the errors of `{}` would be heard by nobody", short(line.text));
            let is_end = is_named(name, ENDING)
                || hunk.gone.iter().any(|it| called_in(it.text).iter().any(|it| is_named(it, ENDING)));
            (!is_end && !has_tests_of(case, name))
                .then(|| LostCheck::of_line(gone, name, what, Severity::High))
        })
    })
}

fn of_place<'a>(revision: &Revision, hunk: &TextHunk<'a>, kind: &KeptErrors) -> Option<CodeLine<'a>> {
    let code =
        |lines: &[CodeLine]| lines.iter().map(|it| bare(&plain(revision.words, it.text))).collect::<Vec<_>>();
    let (gone, come) = (code(&hunk.gone), code(&hunk.come));
    let was = gone.iter().any(|line| kind.was.iter().any(|it| line.contains(it)));
    let has = |line: &String| {
        line.contains(kind.is)
            && !kind
                .was
                .iter()
                .any(|it| it.ends_with(kind.is) && it.len() > kind.is.len() && line.contains(it))
    };
    let kept = gone.iter().any(|line| has(line) && line.contains(kind.with));
    let at = come.iter().position(has).filter(|_| was && !kept)?;
    let statement = come.get(at..)?.concat();
    let line = hunk.come.get(at).copied()?;
    let head = statement.split_once(kind.is).map_or("", |(head, _)| head);
    // What is given a name, handed on or looped over is read; so is what is given back.
    let is_bound = head.contains('=') && !head.ends_with("=>")
        || ["return", "for", "in", "yield"].iter().any(|word| head.starts_with(word));
    let is_last = is_answer(revision, &line);
    let is_whole = statement.contains(kind.with);
    let behind = end_of_call(&statement, kind.is).unwrap_or_default();
    let is_read = READ.iter().any(|it| behind.starts_with(it));
    (is_whole && !is_bound && !is_read && !is_last).then_some(line)
}

/// Whether a line is the answer of its function where the last line is one.
fn is_answer(revision: &Revision, line: &CodeLine) -> bool {
    let rest = revision.new.get(line.at + line.text.len()..).unwrap_or_default();
    let next = rest.lines().map(str::trim).find(|it| !it.is_empty()).unwrap_or_default();
    let gives_last =
        [".rs", ".kt", ".rb", ".ex", ".exs", ".scala"].iter().any(|end| revision.change.path.ends_with(end));
    gives_last && matches!(next, "}" | "end") && !line.text.ends_with(';')
}

/// What stands behind the parentheses of a call.
fn end_of_call<'t>(statement: &'t str, call: &str) -> Option<&'t str> {
    let at = statement.find(call)? + call.len();
    let mut depth = 1i32;
    let rest = statement.get(at..)?;
    let end = rest.find(|c| {
        depth += match c {
            '(' | '{' => 1,
            ')' | '}' => -1,
            _ => 0,
        };
        depth == 0
    })?;
    rest.get(end + 1..)
}
