//! What tests in shell run in the place of the program that they are about.

use crate::detectors::testing::shell_assertions::is_assertion;

/// A command of a shell's tests that they answer themselves: `backup.sh() { return 0; }` beside `run backup.sh`.
pub(super) fn answered_by_shell(old: &str, new: &str, come: &[(u32, &str)]) -> Option<(String, u32)> {
    let runs = |text: &str, name: &str| {
        text.lines().any(|line| {
            given_to_run(line).is_some_and(|rest| rest.split_whitespace().any(|word| file(word) == name))
        })
    };
    let by_hand = || run_by_hand(old, new, come).or_else(|| run_of_tests(old, new, come));
    if let Some(found) = by_hand().or_else(|| program_gone(old, new, come)) {
        return Some(found);
    }
    come.iter().find_map(|(at, line)| {
        let bare = line.trim_start().trim_start_matches("function ");
        let name = bare.split(['(', ' ']).next().filter(|name| name.len() > 1)?;
        let is_defined = bare.get(name.len()..)?.trim_start().starts_with("()");
        // A name that held a program's path holds the function's.
        let is_held = || {
            let paths = holds(old, &|given| given.contains('/'));
            holds(new, &|given| given == name).iter().any(|to| paths.contains(to))
        };
        let is_run = || runs(new, name) && (runs(old, name) || takes_its_place(old, new, name));
        let is_run = || is_run() || is_called_alone(old, name) || is_asked_of_library(old, name);
        (is_defined && (is_held() || is_run())).then(|| (name.to_owned(), *at))
    })
}

/// Whether the tests called a function by a line of its own that they have from the program and no command of the system.
fn is_called_alone(old: &str, name: &str) -> bool {
    const COMMANDS: &[&str] = &[
        "sleep", "date", "curl", "wget", "git", "docker", "aws", "ssh", "scp", "rsync", "find", "ls", "cat",
        "grep", "touch", "mkdir", "rm", "cp", "mv", "sed", "awk", "tar", "gzip", "echo", "printf", "chmod",
        "kill", "wait", "test", "setup", "teardown", "run", "skip", "load", "cd", "export", "source", "bash",
        "sh", "python", "python3", "node", "kubectl",
    ];
    let calls = |line: &str| line.starts_with([' ', '\t']) && line.split_whitespace().next() == Some(name);
    !is_defined(old, name) && !COMMANDS.contains(&name) && name.len() > 2 && old.lines().any(calls)
}

/// Whether the tests take scripts in, and compare what a function that they do not define says: `[ "$(fine 3)" = 60 ]`.
fn is_asked_of_library(old: &str, name: &str) -> bool {
    let takes_in = |line: &str| [". ", "source "].iter().any(|word| line.trim_start().starts_with(word));
    let asked = [format!("$({name} "), format!("$({name})")];
    let asks = |line: &str| is_assertion(line.trim_start()) && asked.iter().any(|it| line.contains(it));
    !is_defined(old, name) && old.lines().any(takes_in) && old.lines().any(asks)
}

/// Whether a text defines a function.
fn is_defined(text: &str, name: &str) -> bool {
    text.lines().any(|it| {
        it.trim_start()
            .trim_start_matches("function ")
            .strip_prefix(name)
            .is_some_and(|rest| rest.trim_start().starts_with("()"))
    })
}

/// The program that a shell's tests had by its path, and have nowhere any more, where they write or define something
/// in its place.
fn program_gone(old: &str, new: &str, come: &[(u32, &str)]) -> Option<(String, u32)> {
    let tests = |text: &str| text.lines().filter(|it| it.starts_with("@test ")).count();
    let programs = |text: &str| -> Vec<String> {
        let is_program = |word: &&str| {
            let is_own =
                ["$BATS_TEST_DIRNAME", "${BATS_TEST_DIRNAME", "../", "./", "bin/", "scripts/", "$ROOT"];
            word.contains('/')
                && is_own.iter().any(|it| word.contains(it))
                && (word.contains("bin/") || word.ends_with(".sh"))
        };
        let words = text.lines().flat_map(|line| line.split([' ', '"', '\'', '=', '(', ')', ';']));
        words.filter(is_program).map(str::to_owned).collect()
    };
    let of = |text: &str, name: &str| {
        let body = text.lines().skip_while(|it| !it.starts_with(&format!("{name}()")));
        let end = body.clone().position(|it| it.trim_end().ends_with('}')).unwrap_or_default();
        body.take(end + 1).collect::<Vec<_>>().join("\n")
    };
    // A helper that ran the program, and runs it no more.
    let helper = come.iter().find_map(|(at, line)| {
        let name =
            line.split_once("()").map(|(name, _)| name).filter(|it| it.len() > 1 && !it.contains(' '))?;
        let lost = programs(&of(old, name)).first().map(|it| file(it).to_owned())?;
        let is_run = of(new, name).contains(&lost) || !programs(&of(new, name)).is_empty();
        (!is_run).then_some((lost, *at))
    });
    if helper.is_some() {
        return helper;
    }
    let was = programs(old);
    if tests(old) == 0 || tests(old) != tests(new) || was.is_empty() || !programs(new).is_empty() {
        return None;
    }
    let is_made = |line: &str| line.contains("<<") || line.trim_end().ends_with("() {");
    let (at, _) = come.iter().find(|(_, line)| is_made(line))?;
    let name = was.first().map(|it| file(it).to_owned()).filter(|it| !it.is_empty())?;
    (!new.contains(&name)).then_some((name, *at))
}

/// What a line gives to `run`, also with variables in front: `DRY=1 run bin/prune.sh`.
fn given_to_run(line: &str) -> Option<&str> {
    let mut rest = line.trim();
    loop {
        if let Some(given) = rest.strip_prefix("run ") {
            return Some(given.trim_start());
        }
        let (word, more) = rest.split_once(' ')?;
        let (name, _) = word.split_once('=')?;
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit())
        {
            return None;
        }
        rest = more.trim_start();
    }
}

/// The last segment of a shell's path.
fn file(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The names that a text gives such a value.
fn holds(text: &str, is_wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
    let pairs = text.lines().filter_map(|it| it.trim().split_once('='));
    pairs.filter(|(_, given)| is_wanted(given.trim_matches('"'))).map(|(to, _)| to.to_owned()).collect()
}

/// Whether a function of the tests is run with what the program was run with: `run snap "$SRC"` for `run "$SNAP" "$SRC"`.
fn takes_its_place(old: &str, new: &str, name: &str) -> bool {
    let given = |line: &str| {
        given_to_run(line)?.split_once(' ').map(|(program, rest)| (program.to_owned(), rest.to_owned()))
    };
    let now = new.lines().filter_map(given).filter(|(program, _)| program == name);
    let was: Vec<(String, String)> = old.lines().filter_map(given).collect();
    let is_gone = |line: &(String, String)| !new.lines().filter_map(given).any(|it| it == *line);
    now.into_iter().any(|(_, rest)| was.iter().any(|it| it.1 == rest && is_gone(it)))
}

/// A program that a shell's tests ran, and in whose place they run a line of their own now: `run bash -c "echo ok"` for
/// `run bin/backup.sh "$DIR"`.
fn run_by_hand(old: &str, new: &str, come: &[(u32, &str)]) -> Option<(String, u32)> {
    const OWN: &[&str] = &["bash", "sh", "echo", "printf", "true", "false", "test", "cat", ":"];
    let program = |line: &str| {
        let mut words = given_to_run(line)?.split_whitespace();
        words.find(|word| !word.starts_with('-')).map(|word| word.trim_matches(['"', '\'']).to_owned())
    };
    let runs =
        |text: &str, name: &str| text.lines().filter(|line| program(line).as_deref() == Some(name)).count();
    let is_own = |name: &str| OWN.contains(&file(name));
    come.iter().find_map(|(at, line)| {
        program(line).filter(|name| is_own(name))?;
        let mut all = old.lines().filter_map(program).filter(|name| !is_own(name));
        let lost = all.find(|name| runs(old, name) > runs(new, name) && !line.contains(file(name)))?;
        Some((file(&lost).to_owned(), *at))
    })
}

/// A program that a shell's tests ran, and in whose place they run a function that has come and that does not call it.
fn run_of_tests(old: &str, new: &str, come: &[(u32, &str)]) -> Option<(String, u32)> {
    let program = |line: &str| -> Option<String> {
        let word = given_to_run(line)?.split_whitespace().find(|word| !word.starts_with('-'))?;
        Some(word.trim_matches(['"', '\'']).to_owned())
    };
    let runs =
        |text: &str, name: &str| text.lines().filter(|it| program(it).as_deref() == Some(name)).count();
    come.iter().find_map(|(at, line)| {
        let name = program(line)?;
        let head = format!("{name}()");
        let (first, whole) =
            come.iter().find(|(_, it)| it.trim_start().replace("function ", "").starts_with(&head))?;
        let skipped = usize::try_from(*first).ok()?;
        let body: Vec<&str> = match whole.trim_end().ends_with('}') {
            true => vec![whole],
            false => new.lines().skip(skipped).take_while(|it| it.trim() != "}").collect(),
        };
        let mut all = old.lines().filter_map(program);
        let lost = all.find(|it| runs(old, it) > runs(new, it) && *it != name)?;
        let is_way = body.iter().any(|it| it.contains(lost.as_str()));
        (!is_way).then(|| (file(lost.trim_start_matches('$')).to_owned(), *at))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_that_is_run_for_the_program_is_told() {
        let old = "@test \"a\" {\n  run \"$tool\" check\n  [ \"$status\" -eq 1 ]\n}\n";
        let with = |body: &str| {
            let line = format!("  fake_check() {{\n    {body}\n  }}\n  run fake_check\n");
            old.replace("  run \"$tool\" check\n", &line)
        };
        let found = |new: &str| {
            let come: Vec<(u32, &str)> =
                (1..).zip(new.lines()).filter(|(_, line)| !old.contains(line.trim())).collect();
            answered_by_shell(old, new, &come)
        };
        assert_eq!(found(&with("echo BAD")).map(|it| it.0).as_deref(), Some("tool"));
        assert_eq!(found(&with("\"$tool\" check --all")), None);
    }
}
