//! `steadfast doctor`: whether a session here is guarded, what is wrong where it is not, and how that is mended.
//!
//! Without `--fix` nothing is changed. A trial runs in a scratch folder.

mod client;
pub mod diagnosis;
mod fix;
mod programs;
mod records;
mod registrations;

use std::path::{Path, PathBuf};

use anstream::println;
use anyhow::{Result, ensure};
use clap::Args;
use owo_colors::OwoColorize;

use self::diagnosis::{Diagnosis, DoctorFinding, Outcome};
use super::columns;
use super::guard;
use super::install::client::version;
use crate::definitions;
use crate::project::Project;

/// Say whether sessions here are guarded, what is wrong where they are not, and how it is mended
///
/// Exit code: 0 guarded, with nothing worse than a warning; 1 a fault was found.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// The folder that sessions are started in [default: the current directory]
    #[arg(value_name = "DIR")]
    directory: Option<PathBuf>,
    /// Mend what is safe to mend: registrations, permissions of our own files, loops whose client is gone
    #[arg(long)]
    fix: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Looks at everything; answers 1 when there is a fault.
pub fn run(args: &DoctorArgs) -> Result<u8> {
    let start = args.directory.clone().map_or_else(std::env::current_dir, Ok)?;
    ensure!(start.is_dir(), "{} is not a directory", start.display());
    let start = start.canonicalize()?;
    let mut diagnosis = diagnose(&start);
    if args.fix {
        let project = Project::locate(&start);
        let layout = definitions::layout_of(project.root());
        let fixed = fix::mend(&diagnosis.findings, &start, project.root(), &layout);
        if !fixed.is_empty() {
            diagnosis = Diagnosis { fixed, ..diagnose(&start) };
        }
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&diagnosis)?);
    } else {
        show(&diagnosis);
    }
    Ok(u8::from(diagnosis.worst() == Outcome::Fault))
}

/// Looks at everything around the folder `start`.
fn diagnose(start: &Path) -> Diagnosis {
    let project = Project::locate(start);
    let layout = definitions::layout_of(project.root());
    let own = guard::own_folder();
    let version = version(None);
    let calling = guard::calling(start, version);
    let mut findings = programs::installed();
    findings.extend(registrations::findings(&calling));
    findings.extend(programs::versions(&calling));
    findings.extend(programs::tried(&calling));
    findings.push(client::version(version));
    findings.extend(client::trust(start, own.as_deref()));
    findings.extend(records::configuration(project.root()));
    let newest = records::newest_event(&layout);
    let unheard = client::unheard(&calling, own.as_deref(), newest.as_ref().map(|line| line.timestamp));
    findings.push(unheard.unwrap_or_else(|| records::events(newest.as_ref())));
    findings.extend(records::state(project.root(), &layout));
    findings.extend(records::permissions(project.root(), &layout));
    findings.extend(programs::speed(&calling));
    let guard::GuardStatus { guarded, why } = guard::of(start, version);
    let failed = |finding: &&DoctorFinding| finding.outcome == Outcome::Fault && finding.check == "trial";
    let (guarded, why) = match findings.iter().find(failed).filter(|_| guarded) {
        Some(trial) => (false, trial.says.clone()),
        None => (guarded, why),
    };
    Diagnosis {
        version: env!("CARGO_PKG_VERSION"),
        folder: start.to_owned(),
        project: project.root().to_owned(),
        guarded,
        why,
        findings,
        fixed: Vec::new(),
    }
}

fn show(diagnosis: &Diagnosis) {
    let width = columns::width();
    let head =
        if diagnosis.guarded { "Guarded".green().to_string() } else { "Not guarded".red().to_string() };
    println!("{}", columns::wrapped(&format!("{head}: {}", diagnosis.why), 0, width));
    println!();
    for finding in &diagnosis.findings {
        let outcome = format!("{:<7}", finding.outcome.name());
        let outcome = match finding.outcome {
            Outcome::Ok => outcome.green().to_string(),
            Outcome::Note => outcome,
            Outcome::Warning => outcome.yellow().to_string(),
            Outcome::Fault => outcome.red().to_string(),
        };
        println!("{}", columns::wrapped(&format!("{outcome} {}: {}", finding.check, finding.says), 8, width));
        if let Some(mend) = &finding.mend {
            println!("{}", columns::wrapped(&format!("        Mend: {mend}"), 8, width));
        }
    }
    for fixed in &diagnosis.fixed {
        println!("{}", columns::wrapped(&format!("Mended: {fixed}"), 8, width));
    }
    let fixable = diagnosis.findings.iter().filter(|finding| finding.fixable).count();
    if fixable > 0 {
        println!("`steadfast doctor --fix` mends {fixable} of them.");
    }
}
