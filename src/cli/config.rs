//! `steadfast config`: whether `aiwg.yml` is as it should be, and what holds because of it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use owo_colors::OwoColorize;
use serde_json::{Map, Value, json};

use super::{columns, pages};
use crate::config::{Config, FILE, KEYS, LoadedConfig, Problem, ProblemWeight};
use crate::detectors::is_known;

/// What a row has beside its key and its value: two gaps, and `aiwg.yml line 123`.
const WIDEST_SOURCE: usize = 22;

/// Check the configuration, or show what holds
#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Report what is wrong with a configuration file; the exit code is 1 when a value was not taken
    Check(ConfigCheckArgs),
    /// Show every key, the value that holds, and where it comes from
    Show(ConfigShowArgs),
}

/// Arguments of `steadfast config check`.
#[derive(Debug, Args)]
pub struct ConfigCheckArgs {
    /// The file [default: the project's aiwg.yml]
    file: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Arguments of `steadfast config show`.
#[derive(Debug, Args)]
pub struct ConfigShowArgs {
    /// Only keys that differ from their defaults
    #[arg(long)]
    changed: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs a config command in the project at `project`. Answers the exit code.
pub fn run(command: &ConfigCommand, project: &Path) -> Result<u8> {
    super::reader_gone_is_fine(pages::paged(|out| match command {
        ConfigCommand::Check(args) => check(args, project, out),
        ConfigCommand::Show(args) => Ok(show(args, &Config::load(&project.join(FILE)), out)),
    })?)
}

fn check(args: &ConfigCheckArgs, project: &Path, out: &mut dyn Write) -> Result<io::Result<u8>> {
    let path = args.file.clone().unwrap_or_else(|| project.join(FILE));
    if args.file.is_some() {
        std::fs::metadata(&path).with_context(|| format!("failed to read {}", path.display()))?;
    }
    let problems = Config::load(&path).of_known(is_known).problems;
    if !path.exists() && !args.json {
        return Ok(
            writeln!(out, "{} does not exist; the built-in defaults hold.", path.display()).map(|()| 0)
        );
    }
    Ok(report(&problems, &path.display().to_string(), args.json, out))
}

fn report(problems: &[Problem], path: &str, as_json: bool, out: &mut dyn Write) -> io::Result<u8> {
    let errors = problems.iter().filter(|problem| problem.weight == ProblemWeight::Error).count();
    if as_json {
        let problems: Vec<Value> = problems.iter().map(as_value).collect();
        writeln!(out, "{:#}", json!({"file": path, "errors": errors, "problems": problems}))?;
        return Ok(u8::from(errors > 0));
    }
    for problem in problems {
        let word = match problem.weight {
            ProblemWeight::Error => "error".red().bold().to_string(),
            ProblemWeight::Warning => "warning".yellow().bold().to_string(),
        };
        let place = match problem.line {
            0 => path.to_owned(),
            line => format!("{path}:{line}:{}", problem.column),
        };
        writeln!(out, "{place}: {word}: {}", problem.message)?;
        for line in problem.snippet().lines() {
            writeln!(out, "  {line}")?;
        }
    }
    match (errors, problems.len() - errors) {
        (0, 0) => writeln!(out, "{path} is fine.")?,
        (errors, warnings) => writeln!(out, "Errors: {errors}. Warnings: {warnings}.")?,
    }
    Ok(u8::from(errors > 0))
}

fn as_value(problem: &Problem) -> Value {
    let weight = if problem.weight == ProblemWeight::Error { "error" } else { "warning" };
    json!({
        "severity": weight,
        "line": problem.line,
        "column": problem.column,
        "message": problem.message,
    })
}

/// A key with its value, and the line of the file that sets it.
type ConfigRow = (&'static str, Value, Option<usize>);

fn show(args: &ConfigShowArgs, loaded: &LoadedConfig, out: &mut dyn Write) -> io::Result<u8> {
    let rows: Vec<ConfigRow> = KEYS
        .iter()
        .map(|key| (key.path, (key.value)(&loaded.config), loaded.lines.get(key.path).copied()))
        .filter(|(_, _, line)| !args.changed || line.is_some())
        .collect();
    if args.json {
        let entry = |value: &Value, line: &Option<usize>| match line {
            Some(line) => json!({"value": value, "source": FILE, "line": line}),
            None => json!({"value": value, "source": "default"}),
        };
        let keys: Map<String, Value> =
            rows.iter().map(|(path, value, line)| ((*path).to_owned(), entry(value, line))).collect();
        writeln!(out, "{:#}", Value::Object(keys))?;
        return Ok(0);
    }
    write_table(&rows, out)?;
    for problem in &loaded.problems {
        writeln!(out, "{} {problem}", "!".red())?;
    }
    Ok(0)
}

fn write_table(rows: &[ConfigRow], out: &mut dyn Write) -> io::Result<()> {
    let wide = rows.iter().map(|(path, ..)| path.len()).max().unwrap_or_default();
    let values: Vec<String> = rows.iter().map(|(_, value, _)| value.to_string()).collect();
    let wide_value = values.iter().map(String::len).filter(|length| *length <= 40).max().unwrap_or_default();
    let width = columns::width();
    for ((path, _, line), value) in rows.iter().zip(&values) {
        let (value, source) = match line {
            Some(line) => (value.bold().to_string(), format!("{FILE} line {line}")),
            None => (value.clone(), "default".dimmed().to_string()),
        };
        let needed = wide.max(path.len()) + wide_value.max(columns::visible(&value)) + WIDEST_SOURCE;
        if needed > width {
            // What does not fit in a row stands below its key.
            let below = format!("    {}  {source}", value.replace(",\"", ", \""));
            writeln!(out, "{path}\n{}", columns::wrapped(&below, 4, width))?;
            continue;
        }
        // Colours have no width, so the padding goes by the plain value.
        let pad = wide_value.saturating_sub(columns::visible(&value));
        writeln!(out, "{path:wide$}  {value}{:pad$}  {source}", "")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(bytes: Vec<u8>) -> String {
        anstream::adapter::strip_str(&String::from_utf8(bytes).unwrap()).to_string()
    }

    #[test]
    fn a_fault_is_printed_with_its_place_and_fails() {
        let text = "agent_persistence:\n  detection:\n    mode: strict\n  colour: red\n";
        let mut out = Vec::new();
        let code = report(&Config::parse(text.as_bytes()).problems, "aiwg.yml", false, &mut out).unwrap();
        let out = plain(out);
        assert_eq!(code, 1);
        assert!(out.contains("aiwg.yml:3:11: error: detection.mode must be one of"), "{out}");
        assert!(out.contains("  3 |     mode: strict\n    |           ^\n"), "{out}");
        assert!(out.contains("aiwg.yml:4:3: warning: unknown key colour"), "{out}");
        assert!(out.ends_with("Errors: 1. Warnings: 1.\n"), "{out}");
    }

    #[test]
    fn a_warning_alone_does_not_fail() {
        let problems = Config::parse(b"agent_persistence: {colour: red}").problems;
        assert_eq!(report(&problems, "f", false, &mut Vec::new()).unwrap(), 0);
        let mut out = Vec::new();
        assert_eq!(report(&[], "f", false, &mut out).unwrap(), 0);
        assert_eq!(plain(out), "f is fine.\n");
        let mut out = Vec::new();
        report(&problems, "f", true, &mut out).unwrap();
        let json: Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(json["problems"][0]["line"], 1);
    }

    #[test]
    fn every_key_is_shown_with_where_it_comes_from() {
        let loaded = Config::parse(b"agent_persistence:\n  recovery:\n    max_retries: 9\n");
        let mut out = Vec::new();
        show(&ConfigShowArgs { changed: false, json: false }, &loaded, &mut out).unwrap();
        let out = plain(out);
        assert_eq!(out.lines().count(), KEYS.len());
        let words = |key: &str| -> Vec<String> {
            let line = out.lines().find(|line| line.starts_with(key)).unwrap();
            line.split_whitespace().map(str::to_owned).collect()
        };
        assert_eq!(words("recovery.max_retries"), ["recovery.max_retries", "9", "aiwg.yml", "line", "3"]);
        assert_eq!(words("enabled"), ["enabled", "true", "default"]);
        let mut out = Vec::new();
        show(&ConfigShowArgs { changed: true, json: true }, &loaded, &mut out).unwrap();
        let json: Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(json, json!({"recovery.max_retries": {"value": 9, "source": "aiwg.yml", "line": 3}}));
    }
}
