//! Runs of tests that the commands around them make say less: claims that ask no run, filters that take failures out of
//! what is shown, reports and programs that stand in for those of a run.

use crate::shell::effects::weakened_test_runs::{
    by_text, is_test_run, pipelines, stand_ins, told_away, unheeded,
};
use crate::shell::model::option::has_letter;
use crate::shell::model::{Command, CommandInput, Effect, EffectKind, Script};
use crate::shell::parse::output::text::text_of;

use EffectKind::HidesFailure;

/// How the detail of an effect begins that nobody means well.
pub(crate) const FEIGNED: &str = "feigned: ";

/// What a command makes of the runs beside it.
pub(crate) fn effects(script: &Script, index: usize, command: &Command) -> Vec<Effect> {
    let earlier = script.commands.get(..index).unwrap_or_default();
    let runs_before = || earlier.iter().any(is_test_run);
    let runs_after = || script.commands.iter().skip(index + 1).any(is_test_run);
    let hidden =
        |detail: &str| vec![Effect::of(HidesFailure, command, detail, &[], command.directory.as_deref())];
    if command.background && is_test_run(command) && ends_unheard(script, index, command) {
        return hidden("its end in the background, which nobody hears");
    }
    if let Some(effect) = pipelines::effect(script, index, command) {
        return vec![effect];
    }
    if pipelines::ends_in_a_copy(script, index, command) {
        return hidden("`| cat`, which ends well anyhow");
    }
    let left = by_text::left_for_every_shell(script, index, command);
    if !left.is_empty() {
        return left;
    }
    if unheeded::runs_tests(command) {
        return hidden("source that does not ask how the run has ended");
    }
    let program = command.program();
    let told = || told_away::detail(script, index, command);
    if let Some(detail) = matches!(program, "echo" | "printf").then(told).flatten() {
        return hidden(&detail);
    }
    if matches!(program, "grep" | "egrep" | "rg" | "sed") && takes_failures_out(earlier, command) {
        return hidden("its failures are taken out of what is shown");
    }
    if program == "trap" && ends_well_anyhow(command) && (runs_after() || runs_before()) {
        return hidden("trap 'exit 0'");
    }
    let feigned = feigned(script, index, command, &runs_after);
    feigned.map_or(Vec::new(), |what| hidden(&format!("{FEIGNED}{what}")))
}

/// `npm test & wait`, `pytest & git push`: a bare `wait` ends well, and so does what never waits. Whoever waits for the
/// process itself, or reads what it has written, hears it.
fn ends_unheard(script: &Script, index: usize, command: &Command) -> bool {
    const READERS: &[&str] = &["cat", "tail", "head", "less", "grep", "rg", "fg"];
    let later = || script.commands.iter().skip(index + 1);
    let operands = |command: &Command| command.words.len() - 1;
    let hears = |other: &Command| match other.program() {
        "wait" => operands(other) > 0,
        name => READERS.contains(&name) && !command.redirects.is_empty(),
    };
    let goes_on = |other: &Command| match other.program() {
        "wait" => operands(other) == 0,
        "git" => other
            .words
            .get(1)
            .is_some_and(|word| matches!(word.text.as_str(), "commit" | "push" | "merge" | "tag")),
        _ => false,
    };
    later().any(goes_on) && !later().any(hears)
}

/// `npm test | grep -v FAIL`.
fn takes_failures_out(earlier: &[Command], command: &Command) -> bool {
    const FAILURES: &[&str] = &["fail", "not ok", "error", "✗", "✖", "✕"];
    let CommandInput::From(index) = &command.input else { return false };
    if !earlier.get(*index).is_some_and(is_test_run) {
        return false;
    }
    let words = command.words.get(1..).unwrap_or_default();
    let inverts = |text: &str| text == "--invert-match" || has_letter(text, 'v');
    let names = |text: &str| FAILURES.iter().any(|word| text.to_lowercase().contains(word));
    match command.program() {
        "sed" => words.iter().any(|word| word.text.ends_with("/d") && names(&word.text)),
        _ => words.iter().any(|word| inverts(&word.text)) && words.iter().any(|word| names(&word.text)),
    }
}

/// `trap "exit 0" EXIT`.
fn ends_well_anyhow(command: &Command) -> bool {
    let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    let ends = words.first().is_some_and(|text| text.split(';').any(|part| part.trim() == "exit 0"));
    ends && words.iter().skip(1).any(|signal| matches!(*signal, "EXIT" | "ERR" | "0"))
}

/// A report, a program or a module that is written to stand in for what a run would say.
fn feigned(
    script: &Script,
    index: usize,
    command: &Command,
    runs_after: &dyn Fn() -> bool,
) -> Option<String> {
    if let ["export", "-f", name, body] =
        command.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>()[..]
        && stand_ins::RUNTIMES.contains(&name)
        && answers_for(body)
    {
        return Some(format!("{name} is a function that stands before the program of that name"));
    }
    let later = script.commands.get(index + 1..).unwrap_or_default();
    if let Some(what) =
        stand_ins::stood_before(command, later).or_else(|| stand_ins::put_in_its_place(command))
    {
        return Some(what);
    }
    let written = command.redirects.iter().find(|redirect| redirect.output && !redirect.append);
    let text = written.and_then(|redirect| Some((redirect.target.text.clone(), text_of(script, index)?)));
    if let Some((name, text)) = text {
        if is_report(&name, &text) {
            return Some(format!("{name} is a report that no run has written"));
        }
        if stand_ins::stands_in(&name, &text)
            && (stand_ins::is_found_first(&name) || (runs_after() && !is_data(&name)))
        {
            return Some(format!("{name} stands before the program of that name"));
        }
    }
    if let Some(what) = given_by_hand(command) {
        return Some(what);
    }
    let written = |name: &str| {
        script.commands.get(..index)?.iter().enumerate().find_map(|(at, writer)| {
            let to = writer.redirects.iter().find(|redirect| redirect.output)?;
            let is_it = to.target.text.trim_start_matches("./") == name.trim_start_matches("./");
            is_it.then(|| text_of(script, at)).flatten()
        })
    };
    let ends_well = |module: &&str| written(module).is_some_and(|text| ends_every_run_well(&text));
    let loaded = modules(command).into_iter().find(ends_well);
    loaded.map(|module| format!("{module} makes every run end well"))
}

/// Modules of the project that a command has loaded before each run: `--require ./x.js`, `-r ./x.js`, `--import ./x.mjs`.
fn modules(command: &Command) -> Vec<&str> {
    const LOADING: &[&str] = &["--require", "-r", "--import", "--loader"];
    let values = command.assignments.iter().filter_map(|(_, value)| value.as_deref());
    let texts = command.words.iter().map(|word| word.text.as_str()).chain(values);
    let words: Vec<&str> = texts.flat_map(|text| text.split([' ', '=', '"', '\''])).collect();
    let loaded = words.windows(2).filter_map(|pair| match pair {
        [option, path] if LOADING.contains(option) && path.contains('/') => Some(*path),
        _ => None,
    });
    loaded.collect()
}

/// Whether a module sets how its process ends.
fn ends_every_run_well(text: &str) -> bool {
    let text: String = text.split_whitespace().collect();
    ["exitCode=0", "process.exit=", "os._exit(0)", "sys.exit=", "reallyExit=", "exit!(0)", "exit!0"]
        .iter()
        .any(|way| text.contains(way))
}

/// Whether a text is a report of a run without failures, under the name of one, and no data for a test.
fn is_report(name: &str, text: &str) -> bool {
    let is_junit =
        text.contains("<testsuite") && text.contains("failures=\"0\"") && text.contains("tests=\"");
    let is_coverage = text.contains("<coverage") && text.contains("line-rate=\"1");
    let is_summary = name.ends_with("coverage-summary.json") && text.contains("\"pct\"");
    let is_jest = text.contains("\"numFailedTests\":0") || text.contains("\"numFailedTests\": 0");
    let is_scratch = name.starts_with("/tmp/") || name.starts_with("/var/");
    (is_junit || is_coverage || is_summary || is_jest) && !is_scratch && !is_data(name)
}

/// Whether a file is by its name data for a test.
fn is_data(name: &str) -> bool {
    const DATA: &[&str] =
        &["fixture", "testdata", "sample", "example", "mock", "snapshot", "test/", "tests/", "spec/"];
    DATA.iter().any(|it| name.contains(it))
}

/// Whether a function's body says something of its own in the program's place and ends well.
fn answers_for(body: &str) -> bool {
    let mut statements = body.split([';', '\n', '{', '}', '&', '|']).map(str::trim);
    statements.any(|it| {
        matches!(it, "return 0" | "return" | "true" | ":" | "exit 0")
            || it.starts_with("echo ")
            || it.starts_with("printf ")
    })
}

/// `gh api repos/o/r/statuses/SHA -f state=success`: the word of a run that a code host shows, without one.
fn given_by_hand(command: &Command) -> Option<String> {
    if !matches!(command.program(), "gh" | "glab" | "curl" | "http" | "https") {
        return None;
    }
    let names = |part: &str| command.words.iter().skip(1).any(|word| word.text.contains(part));
    let is_status = names("/statuses/") && (names("state=success") || names("\"state\":\"success\""));
    let is_check = names("/check-runs") && names("conclusion=success");
    (is_status || is_check).then(|| "a status of success that no run has given".to_owned())
}
