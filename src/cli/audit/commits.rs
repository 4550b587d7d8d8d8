//! Past commits, each judged against the one before it.

use super::said::{Audit, Said, SaidAt, brief};
use crate::cli::check;
use crate::cli::progress;
use crate::config::Config;
use crate::project::Project;
use crate::state::false_alarms::FalseAlarms;
use crate::state::layout::Layout;

/// Audits the commits of a range, oldest first. Merges are left out: what they bring was judged where it was made.
pub(super) fn audit(project: &Project, range: &str) -> Result<Audit, String> {
    let Some((from, to)) = range.split_once("..").filter(|(_, to)| !to.starts_with('.')) else {
        return Err(format!("`{range}` is no range of commits; A..B is one"));
    };
    let name = |name: &str| if name.is_empty() { "HEAD".to_owned() } else { name.to_owned() };
    let (from, to) = (name(from), name(to));
    let git = project.git().patient();
    for end in [&from, &to] {
        if git.names_commit(end) != Some(true) {
            return Err(format!("{end:?} is no commit of {}", project.root().display()));
        }
    }
    let listed =
        git.ask(&["log", "--reverse", "--no-merges", "--format=%H %ct %s", &format!("{from}..{to}"), "--"]);
    let listed = listed.ok_or("git does not answer; `git status` here says why")?;
    let listed = String::from_utf8_lossy(&listed);
    let commits: Vec<&str> = listed.lines().collect();
    let (config, _) = Config::read(project.root());
    let alarms = FalseAlarms::in_force(&Layout::of_project(project.root()), jiff::Timestamp::now());
    let mut audit =
        Audit { of: range.to_owned(), kind: "commit", sources: commits.len(), ..Audit::default() };
    progress::shown("judging commits", |meter| {
        meter.expect(commits.len());
        for line in &commits {
            one(project, line, &config, &alarms, &mut audit);
            meter.tick();
        }
    });
    Ok(audit.grouped())
}

fn one(project: &Project, line: &str, config: &Config, alarms: &FalseAlarms, audit: &mut Audit) {
    let mut words = line.splitn(3, ' ');
    let (Some(commit), Some(time)) = (words.next(), words.next()) else { return };
    let subject = words.next().unwrap_or_default();
    let at = time.parse().ok().and_then(|seconds| jiff::Timestamp::from_second(seconds).ok());
    let Ok(judged) = check::of_commit(project, commit, config, alarms) else {
        audit.not_judged += 1;
        return;
    };
    audit.judged += judged.files;
    audit.not_judged += judged.unread;
    let short: String = commit.chars().take(10).collect();
    for (finding, line) in &judged.findings {
        let line = line.map(|line| format!(":{line}")).unwrap_or_default();
        let place = SaidAt { at, place: format!("{short} {}{line}", finding.path), call: brief(subject) };
        audit.said.extend(Said::of(finding, config, place));
    }
}
