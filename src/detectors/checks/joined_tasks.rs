//! Runs of one program that one run of it takes over, by the program's own way of doing several things in a row:
//! `sbt "scalafmtCheck; test"`, `mix do format --check-formatted, test`, `make lint test`.

use crate::detectors::checks::check_command::words;

/// Programs whose plain arguments are tasks.
const PLAIN: &[&str] = &[
    "gradle",
    "gradlew",
    "mvn",
    "mvnw",
    "make",
    "gmake",
    "just",
    "rake",
    "task",
    "ant",
    "run-s",
    "run-p",
    "npm-run-all",
    "invoke",
    "inv",
];
/// Programs whose arguments are each a list of tasks.
const LISTS: &[&str] = &["sbt", "sbtn"];
/// Programs that do a list of tasks behind a word of their own.
const DOING: &[&str] = &["mix", "rebar3", "lein"];
/// Flags about how a run looks, or how much of it goes on at once.
const BESIDE: &[&str] =
    &["-j", "--jobs", "--parallel", "--no-daemon", "--stacktrace", "-B", "--batch-mode", "-q"];

/// What a command runs.
struct Tasks {
    program: String,
    all: Vec<String>,
    flags: Vec<String>,
}

/// Whether a new command runs all of the tasks of an old one, and others besides.
pub(super) fn joins_tasks(old: &str, new: &str) -> bool {
    let (Some(was), Some(is)) = (Tasks::of(old), Tasks::of(new)) else { return false };
    let is_beside = |flag: &&String| BESIDE.iter().any(|it| flag.starts_with(it));
    let within = |some: &[String], all: &[String]| {
        some.iter().filter(|it| !is_beside(it)).all(|flag| all.contains(flag))
    };
    was.program == is.program
        && !was.all.is_empty()
        && was.all.len() < is.all.len()
        && was.all.iter().all(|task| is.all.contains(task))
        && within(&was.flags, &is.flags)
        && within(&is.flags, &was.flags)
}

impl Tasks {
    /// `None` where the shell decides what runs, or the program is none that runs tasks.
    fn of(command: &str) -> Option<Tasks> {
        if command.contains(['|', '&', '\n', '>', '`', '$']) {
            return None;
        }
        let all = words(command);
        let mut rest = all.iter().skip_while(|word| word.contains('='));
        let program = rest.next()?.rsplit('/').next().unwrap_or_default().to_owned();
        let rest: Vec<&String> = rest.collect();
        let trimmed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let known = |names: &[&str]| names.contains(&program.as_str());
        if known(DOING) {
            let text = rest.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(" ");
            let parts = match text.strip_prefix("do ") {
                Some(list) => list.replace(" + ", ",").split(',').map(trimmed).collect(),
                None => vec![trimmed(&text)],
            };
            return Some(Tasks { program, all: parts, flags: Vec::new() });
        }
        if !known(PLAIN) && !known(LISTS) {
            return None;
        }
        let is_list = known(LISTS);
        let (flags, given): (Vec<&String>, Vec<&String>) =
            rest.into_iter().partition(|it| it.starts_with('-'));
        let parts = |word: &String| -> Vec<String> {
            if is_list { word.split(';').map(trimmed).collect() } else { vec![word.clone()] }
        };
        let tasks = given.into_iter().flat_map(parts).filter(|task| !task.is_empty());
        Some(Tasks { program, all: tasks.collect(), flags: flags.into_iter().cloned().collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_may_do_several_things() {
        for (old, new, expected) in [
            ("sbt test", "sbt \"scalafmtCheckAll; test; coverageReport\"", true),
            ("sbt coverage test", "sbt 'clean; coverage; test'", true),
            ("sbt test", "sbt scalafmtCheckAll test", true),
            ("sbt test", "sbt \"scalafmtCheckAll; testOnly shop.CartSpec\"", false),
            ("sbt test", "sbt \"scalafmtCheckAll; test\" || true", false),
            ("mix test --cover", "mix do format --check-formatted, test --cover", true),
            ("mix test --cover", "mix do format --check-formatted, test", false),
            ("mix credo --strict", "mix do credo --strict + test", true),
            ("make lint", "make lint test", true),
            ("make lint", "make -j4 lint test", true),
            ("make lint", "make -i lint test", false),
            ("./gradlew detekt", "./gradlew detekt test", true),
            ("./gradlew detekt", "./gradlew detekt test -x detekt", false),
            ("mvn -B verify", "mvn -B checkstyle:check", false),
            ("cargo test", "cargo clippy test", false),
        ] {
            assert_eq!(joins_tasks(old, new), expected, "{old} -> {new}");
        }
    }
}
