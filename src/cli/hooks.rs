//! `steadfast hooks`: what the hooks are defined to do, and whether a definition file is right.

pub mod fire;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use owo_colors::OwoColorize;
use serde_json::json;

use crate::cli::{faults, pages};
use crate::definitions::check::{self, DefinitionsCheck};
use crate::definitions::model::Definitions;
use crate::definitions::names::HookName;
use crate::definitions::problem::{Problem, ProblemWeight};
use crate::definitions::{FILE, LoadedDefinitions, render, yaml_text};
use crate::model::finding::counted;
use crate::yaml::{nearest, third};

/// Show or check what the hooks are defined to do.
#[derive(Debug, Clone, clap::Args)]
pub struct HooksArgs {
    /// What to do
    #[command(subcommand)]
    pub command: HooksCommand,
}

/// What to do with definitions.
#[derive(Debug, Clone, clap::Subcommand)]
pub enum HooksCommand {
    /// Say what is wrong with a definition file, by line and column
    Check {
        /// The file; the project's own when none is given
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the definitions that hold in this project
    Show {
        /// Only this hook
        #[arg(value_name = "NAME")]
        name: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Runs the command in the project at `project`, called from `cwd`. Answers the exit code: 0 when all is well, 1 when a
/// file has errors, 2 when there is no hook of the name.
pub fn run(args: &HooksArgs, project: &Path, cwd: &Path) -> u8 {
    answer(args, project, cwd, &mut anstream::stdout().lock(), &mut anstream::stderr())
        .unwrap_or_else(|why| faults::failed("steadfast hooks", &why, 2))
}

/// Writes are not checked: whoever has closed a pipe has read enough.
fn answer(
    args: &HooksArgs,
    project: &Path,
    cwd: &Path,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<u8, String> {
    Ok(match &args.command {
        HooksCommand::Check { file, json } => {
            let path = file.as_ref().map_or_else(|| project.join(FILE), |file| cwd.join(file));
            // A project needs no file; one that is named has to be there.
            let is_left_out = file.is_none() && !path.exists();
            let report = if is_left_out { DefinitionsCheck::default() } else { check::check_file(&path) };
            let shown = file.as_deref().unwrap_or(Path::new(FILE));
            let _ = match (json, is_left_out) {
                (true, _) => write_json(out, &json!(report)),
                (false, true) => writeln!(out, "{FILE} does not exist; the built-in definitions hold."),
                (false, false) => write_report(out, shown, &report),
            };
            u8::from(report.errors > 0)
        }
        HooksCommand::Show { name, json } => {
            let hook = name.as_deref().map(hook_name).transpose()?;
            let loaded = Definitions::read(project);
            for problem in &loaded.problems {
                let _ = writeln!(err, "{FILE}:{problem}");
            }
            let _ = pages::paged_to(out, |out| Ok(show(out, &loaded, hook, *json)));
            u8::from(loaded.problems.iter().any(|problem| problem.weight == ProblemWeight::Error))
        }
    })
}

fn hook_name(name: &str) -> Result<HookName, String> {
    HookName::of(name).ok_or_else(|| {
        let names: Vec<&str> = HookName::ALL.iter().map(|hook| hook.name()).collect();
        let near = nearest(name, names.iter().copied(), third);
        let near = near.map(|near| format!("; perhaps {near} is meant")).unwrap_or_default();
        format!("there is no hook {name:?}{near}\nThe hooks are {}.", names.join(", "))
    })
}

fn write_report(out: &mut dyn Write, path: &Path, report: &DefinitionsCheck) -> io::Result<()> {
    for problem in &report.problems {
        write_problem(out, path, problem)?;
    }
    let path = path.display();
    match (report.errors, report.warnings) {
        (0, 0) if report.hooks.is_empty() => writeln!(out, "{path} is right; it names no hook."),
        (0, 0) => writeln!(out, "{path} is right. It defines {}.", report.hooks.join(", ")),
        (0, warnings) => writeln!(out, "{path} can be used, with {}.", counted(warnings, "warning")),
        (errors, _) => {
            writeln!(
                out,
                "{path} has {}; it would not be used, and the built-in definitions would hold.",
                counted(errors, "error")
            )
        }
    }
}

fn write_problem(out: &mut dyn Write, path: &Path, problem: &Problem) -> io::Result<()> {
    let text = problem.to_string();
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    write!(out, "{}:{}", path.display(), first.bold())?;
    if rest.is_empty() { writeln!(out) } else { writeln!(out, "\n{}", rest.dimmed()) }
}

fn write_json(out: &mut dyn Write, value: &serde_json::Value) -> io::Result<()> {
    writeln!(out, "{value:#}")
}

/// Where a hook's definition comes from.
fn source(loaded: &LoadedDefinitions, hook: HookName) -> String {
    match loaded.named.iter().find(|(name, _)| *name == hook) {
        Some((_, line)) => format!("{FILE}:{line}, over the built-in definition"),
        None => "built-in".to_owned(),
    }
}

fn show(
    out: &mut dyn Write,
    loaded: &LoadedDefinitions,
    hook: Option<HookName>,
    json: bool,
) -> io::Result<()> {
    match hook {
        Some(hook) => show_one(out, loaded, hook, json),
        None => show_all(out, loaded, json),
    }
}

fn show_all(out: &mut dyn Write, loaded: &LoadedDefinitions, json: bool) -> io::Result<()> {
    let all = render::definitions(&loaded.definitions);
    if json {
        let sources = HookName::ALL.iter().map(|hook| (hook.name().to_owned(), json!(source(loaded, *hook))));
        let sources: serde_json::Map<_, _> = sources.collect();
        return write_json(out, &json!({"sources": sources, "definitions": all}));
    }
    let (from, own): (_, Vec<HookName>) = match &loaded.file {
        Some(_) => (FILE, loaded.named.iter().map(|(hook, _)| *hook).collect()),
        None => ("built-in", Vec::new()),
    };
    writeln!(out, "# source: {from}")?;
    for hook in own {
        writeln!(out, "# {}: {}", hook.name(), source(loaded, hook))?;
    }
    write!(out, "{}", yaml_text::yaml(&all))
}

fn show_one(out: &mut dyn Write, loaded: &LoadedDefinitions, hook: HookName, json: bool) -> io::Result<()> {
    let definition = render::hook(loaded.definitions.hook(hook));
    let execution = &loaded.definitions.execution;
    let limit = execution.timeout(hook);
    if json {
        return write_json(
            out,
            &json!({
                "name": hook, "source": source(loaded, hook), "definition": definition,
                "timeout_ms": limit.map(|limit| limit.as_millis() as u64),
                "blocking": execution.is_blocking(hook), "async": execution.is_async(hook),
                "on_failure": execution.on_failure(hook),
            }),
        );
    }
    let limit = limit.map_or("no time limit".to_owned(), |limit| format!("at most {} ms", limit.as_millis()));
    let waits = match (execution.is_blocking(hook), execution.is_async(hook)) {
        (true, _) => ", blocking",
        (_, true) => ", asynchronous",
        _ => "",
    };
    writeln!(out, "# source: {}", source(loaded, hook))?;
    writeln!(out, "# {limit}{waits}; on failure {}", execution.on_failure(hook).name())?;
    write!(out, "{}", yaml_text::yaml(&json!({"hooks": {hook.name(): definition}})))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definitions::builtin::BUILTIN;
    use crate::definitions::parse::parse;
    use std::fs;

    fn project(text: &str) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FILE);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        dir
    }

    fn shown(project: &Path, hook: Option<HookName>, json: bool) -> String {
        let mut out = Vec::new();
        show(&mut out, &Definitions::read(project), hook, json).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_is_shown_is_a_definition_file() {
        let dir =
            project("hooks:\n  on_error:\n    trigger: \"mine\"\nexecution:\n  timeout_ms: {on_error: 7}\n");
        let definitions = Definitions::read(dir.path()).definitions.into_owned();
        let all = shown(dir.path(), None, false);
        assert_eq!(parse(&all, &BUILTIN).definitions, definitions);
        assert!(all.starts_with("# source: .aiwg/ralph/hooks/persistence-hooks.yaml\n# on_error: "), "{all}");
        let one = shown(dir.path(), Some(HookName::OnError), false);
        assert!(
            one.starts_with("# source: .aiwg/ralph/hooks/persistence-hooks.yaml:2, over the built-in"),
            "{one}"
        );
        assert!(one.contains("# at most 7 ms; on failure log_and_continue\n"), "{one}");
        assert_eq!(parse(&one, &BUILTIN).definitions.hooks, definitions.hooks);
        let other = shown(dir.path(), Some(HookName::StuckLoopDetected), false);
        let head = "# source: built-in\n# no time limit, blocking; on failure force_pause\nhooks:\n";
        assert!(other.starts_with(head), "{other}");
    }

    #[test]
    fn json_says_where_a_definition_comes_from() {
        let dir = project("hooks:\n  on_error:\n    trigger: mine\n");
        let all: serde_json::Value = serde_json::from_str(&shown(dir.path(), None, true)).unwrap();
        assert_eq!(all["sources"]["loop_start"], "built-in");
        assert_eq!(all["definitions"]["hooks"]["on_error"]["trigger"], "mine");
        let one: serde_json::Value =
            serde_json::from_str(&shown(dir.path(), Some(HookName::StuckLoopDetected), true)).unwrap();
        assert_eq!((&one["timeout_ms"], &one["blocking"]), (&serde_json::Value::Null, &json!(true)));
    }

    #[test]
    fn exit_codes_say_whether_a_file_is_right() {
        let right = project("hooks:\n  on_error: {trigger: x}\n");
        let odd = project("hooks:\n  on_error: {triger: x}\n");
        let wrong = project("hooks:\n  on_eror: {}\n");
        let none = tempfile::tempdir().unwrap();
        let check = |file: Option<&str>| HooksCommand::Check { file: file.map(PathBuf::from), json: true };
        let show = |name: &str| HooksCommand::Show { name: Some(name.into()), json: false };
        let rows = [
            (&right, check(None), 0, "\"errors\": 0", ""),
            (&odd, check(None), 0, "\"warnings\": 1", ""),
            (&wrong, check(None), 1, "\"near\": \"on_error\"", ""),
            (&none, check(None), 0, "\"errors\": 0", ""),
            (&none, check(Some("no.yaml")), 1, "the file does not exist", ""),
            (&right, check(Some(FILE)), 0, "\"on_error\"", ""),
            (&right, show("on_error"), 0, "trigger: x", ""),
            (&wrong, show("on_error"), 1, "# source: built-in", "\"on_eror\" is no hook"),
            (&right, show("on_eror"), 2, "", "perhaps on_error is meant"),
        ];
        for (dir, command, code, printed, said) in rows {
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let args = HooksArgs { command };
            let done = answer(&args, dir.path(), dir.path(), &mut out, &mut err);
            assert_eq!(done.as_ref().map_or(2, |code| *code), code, "{args:?}");
            let (out, err) = (String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap());
            let err = done.err().unwrap_or(err);
            assert!(out.contains(printed) && err.contains(said), "{args:?}\n{out}\n{err}");
        }
    }

    #[test]
    fn a_report_reads_as_sentences() {
        let rows = [
            ("hooks:\n  on_error: {trigger: x}\n", "f.yaml is right. It defines on_error.\n"),
            ("title: x\n", "f.yaml is right; it names no hook.\n"),
            (
                "hooks:\n  on_eror: {}\n",
                "f.yaml:2:3: \"on_eror\" is no hook; perhaps on_error is meant\n      on_eror: {}\n      ^\n\
                 f.yaml has 1 error; it would not be used, and the built-in definitions would hold.\n",
            ),
            (
                "audits: {}\n",
                "f.yaml:1:1: warning: \"audits\" has no effect; perhaps audit is meant\n    audits: {}\n    ^\n\
                 f.yaml can be used, with 1 warning.\n",
            ),
        ];
        for (text, expected) in rows {
            let mut out = anstream::StripStream::new(Vec::new());
            write_report(&mut out, Path::new("f.yaml"), &check::check(text)).unwrap();
            assert_eq!(String::from_utf8(out.into_inner()).unwrap(), expected, "{text}");
        }
    }
}
