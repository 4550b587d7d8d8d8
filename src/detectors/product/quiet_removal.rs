//! Work that goes from the middle of a function, or an entry from a dispatch, when the edit brings nothing in its place.
//!
//! Only an edit that takes away and adds nothing at all counts; a log line, and a value that nobody uses any more, is tidied
//! up.

use crate::detectors::Case;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::constant_values::{alternative_lost, bound_to_nothing};
use crate::detectors::product::does_less::does_less;
use crate::detectors::product::dropped_parameters::parameter_dropped;
use crate::detectors::product::fixed_answers::fixed_answer;
use crate::detectors::product::functions::is_part_of_more;
use crate::detectors::product::handed_work::is_handed_on;
use crate::detectors::product::idle_inputs::unheeded;
use crate::detectors::product::initializers::is_asked_by_initializer;
use crate::detectors::product::kept_refusals::is_checked_when_made;
use crate::detectors::product::lasting_effects::{is_bare_effect, is_effect_call, is_lasting, is_shown};
use crate::detectors::product::lookups::looked_up;
use crate::detectors::product::lost_callbacks::{hook_lost, option_lost};
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::lost_clauses::clause_lost;
use crate::detectors::product::lost_cleaning::uncleaned;
use crate::detectors::product::lost_elements::element_lost;
use crate::detectors::product::lost_operands::operand_lost;
use crate::detectors::product::lost_parts::part_lost;
use crate::detectors::product::lost_retries::{interrupted, tried_once};
use crate::detectors::product::lost_stages::stage_lost;
use crate::detectors::product::named_effects::named_effect_lost;
use crate::detectors::product::put_off::puts_off;
use crate::detectors::product::refusals::{has_tests_of, is_tested_no_more};
use crate::detectors::product::repeated_work::is_repeated;
use crate::detectors::product::run_marks::has_run;
use crate::detectors::product::softened_handlers::is_telling;
use crate::detectors::product::uncalled::uncalled;
use crate::detectors::product::unmissed_refusals::is_in_force;
use crate::detectors::product::unread_members::member_unread;
use crate::detectors::product::whole_writes::written_in_place;
use crate::languages::code::{BodyKind, Code, Guard, bare, identifiers, is_log, plain};
use crate::model::finding::Severity;
use crate::model::words::is_name_part;

/// More lines than these are a part of the design that goes.
const MOST: usize = 12;
/// How lines begin that offer something to the outside.
const ENTRIES: &[&str] = &[
    "app.get(",
    "app.post(",
    "app.put(",
    "app.delete(",
    "app.patch(",
    "router.",
    "r.HandleFunc(",
    "mux.Handle",
    "http.Handle",
    "r.GET(",
    "r.POST(",
    "r.PUT(",
    "r.DELETE(",
    "Route::",
    "$router->",
    "path(",
    "re_path(",
    "url(",
    "resources :",
    "get '",
    "post '",
    "put '",
    "delete '",
    "get \"",
    "post \"",
    "put \"",
    "delete \"",
    ".route(",
    ".option(",
    ".command(",
    "parser.add_argument(",
    "subparsers.",
    "flag.",
    "app.Map",
    "MapGet(",
    "MapPost(",
    "emitter.on(",
    "bus.on(",
    "socket.on(",
    "register(",
    "dispatcher.",
    "case ",
    "when ",
];
/// Entries that answer whoever asks for them by name.
pub(super) const ROUTES: &[&str] = &[
    "app.get(",
    "app.post(",
    "app.put(",
    "app.delete(",
    "app.patch(",
    "router.",
    "r.HandleFunc(",
    "mux.Handle",
    "http.Handle",
    "r.GET(",
    "r.POST(",
    "Route::",
    "$router->",
    "app.Map",
    "get '",
    "post '",
    "resources :",
];
/// How lines begin that bring names in.
const IMPORTS: &[&str] = &["import ", "from ", "use ", "using ", "#include", "alias ", "require "];
/// Calls that only show or measure.
const IDLE: &[&str] =
    &["debug", "trace", "assert", "println", "print", "puts", "console", "dump", "dbg", "sleep", "defer"];

/// The first piece of work that goes quietly.
pub(super) fn gone_quietly(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let known = worked_less(case, revision);
    if known.as_ref().is_some_and(LostCheck::is_severe) {
        return known;
    }
    let other = unheeded(case, revision).filter(|it| it.is_severe() || !is_fixed(case, revision));
    let found = if other.as_ref().is_some_and(LostCheck::is_severe) { other } else { known.or(other) };
    // What says that it is put off is no tidying up.
    let is_put_off =
        || revision.new_admissions().next().is_some() || revision.new_comments().any(|it| puts_off(it.text));
    found.map(|it| if is_put_off() { it.severe() } else { it })
}

/// Whether work became a fixed answer, which is told as that.
fn is_fixed(case: &Case, revision: &Revision) -> bool {
    fixed_answer(case, revision).is_some() || looked_up(revision).is_some()
}

fn worked_less(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let found = less_of_it(case, revision);
    if found.as_ref().is_some_and(LostCheck::is_severe) {
        return found;
    }
    uncalled(case, revision)
        .or_else(|| named_effect_lost(case, revision))
        .or(found)
        .or_else(|| part_lost(case, revision))
        .or_else(|| member_unread(case, revision))
        .or_else(|| operand_lost(case, revision))
        .or_else(|| stage_lost(case, revision).filter(|_| !is_fixed(case, revision)))
}

fn less_of_it(case: &Case, revision: &Revision) -> Option<LostCheck> {
    interrupted(case, revision)
        .or_else(|| taken_away(case, revision))
        .or_else(|| hook_lost(case, revision))
        .or_else(|| without_effect(case, revision))
        .or_else(|| tried_once(case, revision))
        .or_else(|| alternative_lost(case, revision))
        .or_else(|| bound_to_nothing(case, revision))
        .or_else(|| uncleaned(case, revision))
        .or_else(|| written_in_place(case, revision))
        .or_else(|| does_less(case, revision).filter(|_| !is_fixed(case, revision)))
        .or_else(|| option_lost(case, revision))
        .or_else(|| parameter_dropped(case, revision).filter(|_| !is_fixed(case, revision)))
        .or_else(|| element_lost(case, revision))
        .or_else(|| clause_lost(case, revision))
}

/// A call for an effect that is gone from a function that goes on.
fn without_effect(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let last = |callee: &str| callee.rsplit(['.', ':', '>']).next().unwrap_or_default().to_owned();
    let lost = revision.before.calls.iter().filter(|call| call.alone).find(|call| {
        let name = last(call.callee);
        let count = |code: &Code| code.calls.iter().filter(|it| last(it.callee) == name).count();
        is_lasting(&name)
            && call.callee.contains(['.', '>', ':'])
            && !is_shown(call.callee)
            && count(&revision.before) > count(&revision.after)
    })?;
    let (old, hunks) = (lost.owner?, revision.hunks());
    let new = revision.successor(old)?;
    let come: usize = hunks.iter().map(|it| it.come.len()).sum();
    let gone: usize = hunks.iter().map(|it| it.gone.len()).sum();
    let works = revision.after.functions.get(new)?.body_kind == BodyKind::Work;
    let name = revision.before.functions.get(old)?.name;
    let place = hunks.iter().flat_map(|it| &it.gone).find(|it| it.number == lost.line);
    if !works
        || place.is_some_and(|line| is_repeated(revision, &[*line]))
        || is_handed_on(hunks, lost.callee)
        || come > 2
        || gone == 0
        || gone > MOST
        || has_tests_of(case, name)
        || is_part_of_more(case, revision)
    {
        return None;
    }
    let what = format!("`{}` would not be called any more", short(lost.callee));
    // With something in its place the effect may be there under another name.
    let only_tells = hunks.iter().flat_map(|it| &it.come).all(|line| is_telling(line.text));
    let severity = if only_tells { Severity::High } else { Severity::Medium };
    Some(LostCheck::new(lost.line, name, what, severity))
}

/// A line with an effect that an edit takes away and brings nothing for.
fn taken_away(case: &Case, revision: &Revision) -> Option<LostCheck> {
    // An import goes with what was done by it.
    let is_import = |line: &CodeLine| IMPORTS.iter().any(|head| line.text.starts_with(head));
    let all = revision.hunks().iter();
    let hunks: Vec<&TextHunk> =
        all.filter(|it| !it.come.is_empty() || !it.gone.iter().all(is_import)).collect();
    let lines: usize = hunks.iter().map(|it| it.gone.len()).sum();
    if hunks.iter().any(|it| brings(it)) || lines > MOST || hunks.len() > 2 {
        return None;
    }
    let hunk = hunks.iter().find(|it| !it.gone.is_empty())?;
    // A branch that goes with what it alone brought in is a switch on its way out.
    if hunks.len() < revision.hunks().len() && !lasts(&hunk.gone) {
        return None;
    }
    let first = hunk.gone.first()?;
    let name = owner_name(revision, first)?;
    let effect = hunk.gone.iter().find(|it| has_effect(revision, it))?;
    let only_logs = hunk.gone.iter().filter(|it| it.at != effect.at).all(|it| is_log(it.text));
    if only_logs && hunk.gone.len() > 1 {
        return None;
    }
    if has_tests_of(case, name) || is_part_of_more(case, revision) || is_repeated(revision, &[*effect]) {
        return None;
    }
    let mut guards = revision.before.guards.iter().filter(|it| it.line == effect.number);
    let is_known = |it: &Guard| is_checked_when_made(revision, it) || is_asked_by_initializer(revision, it);
    if guards.any(is_known) || is_in_force(revision, hunk) {
        return None;
    }
    let is_entry = is_route(effect.text);
    if is_entry && is_tested_no_more(case, effect.text.split(['"', '\'']).nth(1).unwrap_or_default()) {
        return None;
    }
    let what = format!("`{}` would not be done any more, with nothing in its place", short(effect.text));
    let is_sure = is_entry || lasts(&hunk.gone) || is_counted_no_more(revision, effect);
    let severity = if is_sure { Severity::High } else { Severity::Medium };
    Some(LostCheck::of_line(effect, name, what, severity))
}

/// Whether a place brings something for what is gone: a line of the log does nothing in its place.
fn brings(hunk: &TextHunk) -> bool {
    hunk.come.iter().any(|line| !is_log(line.text) || hunk.gone.iter().any(|gone| is_log(gone.text)))
}

/// Whether a line offers a place that others ask by its name, also of a field: `s.mux.HandleFunc("GET /items", s.list)`.
fn is_route(line: &str) -> bool {
    let held =
        line.split_once('.').filter(|(holder, _)| holder.chars().all(is_name_part)).map(|(_, rest)| rest);
    let begins = |text: &str| ROUTES.iter().any(|head| text.starts_with(head));
    begins(line) || held.is_some_and(begins)
}

/// Whether one of the lines calls for an effect that outlives the call, or the lines are a loop with its work.
fn lasts(lines: &[CodeLine]) -> bool {
    let first = lines.first().and_then(|it| identifiers(it.text).next()).unwrap_or_default();
    let is_loop = matches!(first, "for" | "while" | "repeat" | "loop" | "foreach") && lines.len() > 1;
    is_loop || lines.iter().any(|line| is_effect_call(line.text) || is_bare_effect(line.text))
}

/// The name of the function of a line that goes on without it; an empty one for an entry outside of functions.
fn owner_name<'a>(revision: &Revision<'a>, line: &CodeLine<'a>) -> Option<&'a str> {
    let is_entry = ENTRIES.iter().any(|head| line.text.starts_with(head)) || is_route(line.text);
    // A handler without a name has none that owns its lines.
    let Some(old) = revision.owner_at(line.at) else {
        return (is_entry || is_effect_call(line.text)).then_some("");
    };
    let function = revision.before.functions.get(old)?;
    let new = revision.successor(old)?;
    let works = revision.after.functions.get(new)?.body_kind == BodyKind::Work;
    let left = revision.new_lines(new).len();
    (works && line.at > function.body.start && left >= 1 && revision.old_lines(old).len() > 2)
        .then_some(function.name)
}

/// Whether a line does something that is missed: it calls for an effect, changes a value that is still used, or decides.
fn has_effect(revision: &Revision, line: &CodeLine) -> bool {
    let code = plain(revision.words, line.text);
    let first = identifiers(&code).next().unwrap_or_default();
    let is_idle =
        is_log(&code) || identifiers(&code).any(|word| IDLE.contains(&word.to_lowercase().as_str()));
    // A branch for a test run, or for one text, is no feature.
    let is_hack = has_run(&bare(line.text)) || line.text.contains("== \"") || line.text.contains("== '");
    // A mark, and no call on a field as Ruby writes it.
    let is_mark = code.starts_with('@') && !code.split('(').next().is_some_and(|it| it.contains('.'));
    if is_idle || is_hack || code.contains("import ") || is_mark || is_declared(&code) {
        return false;
    }
    if ENTRIES.iter().any(|head| line.text.starts_with(head))
        || matches!(first, "if" | "unless" | "for" | "elif" | "while")
    {
        return true;
    }
    // A count that is kept for others.
    if let Some(name) = counted(&code) {
        let is_field = code.contains(['.', '>', '@']);
        return name.len() > 1 && (is_field || revision.new.matches(name).count() > 0);
    }
    if is_arm(&code) {
        return true;
    }
    let assigned = [" = ", " := ", " += ", " -= ", " *= "].iter().find_map(|sign| code.split_once(sign));
    match assigned {
        // A value that is made here and used nowhere is dead; one of an object is seen by others, and so is a sum.
        // `:ok = desk.tell(guest)` of Elixir calls, and gives nothing a name.
        Some((left, right)) if left.trim().starts_with(':') => right.contains('('),
        Some((left, right)) => {
            let name = left.trim().rsplit(' ').next().unwrap_or_default();
            is_reckoned_on(&code, name, right) && revision.new.matches(name).count() > 1
                || left.trim_end().contains(['.', '['])
                    && !left.contains(' ')
                    && right.contains(['(', '+', '*', '-'])
        }
        None => code.contains('(') && !matches!(first, "return" | "throw" | "raise" | "else"),
    }
}

/// What a line of code counts: `++dropped_;`, `self.dropped += 1`.
fn counted(code: &str) -> Option<&str> {
    let code = code.trim().trim_end_matches(';');
    let step = ["++", "--"].iter().find_map(|sign| code.strip_prefix(sign).or(code.strip_suffix(sign)));
    let name = step.or_else(|| code.split_once(" += 1").map(|(name, _)| name.trim()))?;
    Some(name.rsplit(['.', '>', '@']).next().unwrap_or(name))
}

/// Whether a line was the last that counted something which the text still gives.
fn is_counted_no_more(revision: &Revision, line: &CodeLine) -> bool {
    let code = plain(revision.words, line.text);
    let Some(name) = counted(&code).filter(|name| name.len() > 2) else { return false };
    let mut lines = revision.new.lines().filter(|line| identifiers(line).any(|word| word == name));
    let is_step = |line: &str| {
        ["++", "--", "+=", "-="].iter().any(|sign| line.contains(sign)) || line.matches(name).count() > 1
    };
    let count = lines.clone().count();
    count > 1 && !lines.any(is_step)
}

/// `sum = sum.minus(fee)`, `sum -= fee`: a value that is worked on from what it was.
fn is_reckoned_on(code: &str, name: &str, right: &str) -> bool {
    let is_name = !name.is_empty() && name.chars().all(|c| is_name_part(c) || c == '$');
    let is_step = [" += ", " -= ", " *= "].iter().any(|sign| code.contains(sign));
    let rest = right.trim_start().strip_prefix(name);
    // `open = append(open, gate)`, `open = [...open, gate]`.
    let is_given_on = || right.contains(['(', '[']) && identifiers(right).any(|word| word == name);
    is_name
        && (is_step
            || rest.is_some_and(|rest| rest.trim_start().starts_with(['.', '+', '-', '*', '/']))
            || is_given_on())
}

/// `void drop(Handle* e);`: a function that is declared, with its type in front of its name.
fn is_declared(code: &str) -> bool {
    const CALLING: &[&str] = &[
        "await", "go", "defer", "yield", "new", "not", "do", "then", "try", "co_await", "return", "throw",
        "if", "else", "for", "while", "unless", "elif", "case", "when", "mut", "print", "echo",
    ];
    let head = code.split('(').next().unwrap_or_default();
    let mut words = head.split_whitespace();
    let first = words.next().unwrap_or_default();
    let is_type = |word: &str| word.chars().all(|c| c.is_alphanumeric() || "_:<>*&".contains(c));
    code.trim_end().ends_with(");")
        && !head.contains('=')
        && !first.is_empty()
        && words.next().is_some()
        && is_type(first)
        && !CALLING.contains(&first)
}

/// Whether a line is an arm of a choice with what is done in it.
fn is_arm(code: &str) -> bool {
    let arm = code.split_once(" => ").or_else(|| code.split_once(" -> "));
    arm.is_some_and(|(head, rest)| {
        let is_head =
            !head.contains(['(', '=', '.']) || head.starts_with(['{', '"', ':']) || head.contains("::");
        is_head && !head.contains("fn ") && rest.len() > 2 && !rest.trim_end().ends_with('{')
    })
}
