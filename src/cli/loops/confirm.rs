//! `--interactive`: a person sees what was understood, and chooses, before a loop starts.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::{Result, bail};

use crate::lifecycle::hooks::loop_start::LoopRequest;
use crate::loops::{criteria, project_facts};
use crate::model::finding::counted;
use crate::project::Project;

/// The request as a person confirmed it.
pub(super) fn confirmed(project: &Project, request: LoopRequest) -> Result<LoopRequest> {
    if !io::stdin().is_terminal() {
        bail!("--interactive needs a terminal");
    }
    agreed(project, request, &mut io::stdin().lock(), &mut io::stderr())
}

fn agreed(
    project: &Project,
    mut request: LoopRequest,
    answers: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<LoopRequest> {
    let facts = project_facts::read(&project.root().join(&request.folder));
    let criteria = match criteria::parse(&request.criteria, &facts) {
        Ok(criteria) => criteria,
        Err(refused) if refused.suggestions.is_empty() => return Err(refused.into()),
        Err(refused) => {
            writeln!(out, "\"{}\": {}", refused.clause, refused.reason)?;
            for (number, suggestion) in (1..).zip(&refused.suggestions) {
                writeln!(out, "  {number}. {suggestion}")?;
            }
            write!(out, "Which one? [1-{}, empty: none] ", refused.suggestions.len())?;
            let number: Option<usize> = answer(answers, out)?.parse().ok();
            let chosen = number.and_then(|number| refused.suggestions.get(number.checked_sub(1)?));
            let Some(chosen) = chosen else { bail!("no loop was started") };
            request.criteria.clone_from(chosen);
            criteria::parse(chosen, &facts)?
        }
    };
    writeln!(out, "Task: {}", request.task)?;
    for check in &criteria.checks {
        writeln!(out, "Done when: {check}")?;
    }
    let iterations = counted(request.max_iterations, "iteration");
    writeln!(out, "At most {iterations} and {}.", counted(request.timeout_minutes, "minute"))?;
    write!(out, "Start? [y/N] ")?;
    if !matches!(answer(answers, out)?.to_ascii_lowercase().as_str(), "y" | "yes") {
        bail!("no loop was started");
    }
    Ok(request)
}

fn answer(answers: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<String> {
    out.flush()?;
    let mut line = String::new();
    answers.read_line(&mut line)?;
    Ok(line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loops::criteria::typed;
    use std::time::Duration;

    fn ask(typed: &str, answers: &str) -> (Result<LoopRequest>, String) {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("package.json"), r#"{"scripts":{"test":"jest"}}"#).unwrap();
        let typed = typed::parse(typed).unwrap();
        let request = LoopRequest::of(typed, None, Duration::from_secs(1)).unwrap();
        let mut out = Vec::new();
        let agreed = agreed(&Project::at(directory.path()), request, &mut answers.as_bytes(), &mut out);
        (agreed, String::from_utf8(out).unwrap())
    }

    #[test]
    fn a_person_sees_chooses_and_confirms() {
        let (agreed, said) = ask("Fix --until 'the tests pass'", "1\ny\n");
        assert_eq!(agreed.unwrap().criteria, "npm test passes");
        assert!(said.contains("1. npm test passes") && said.contains("`npm test` exits with 0"), "{said}");
        assert!(ask("Fix --until 'npm test passes'", "yes\n").0.is_ok());
        for no in ["", "n\n", "7\n"] {
            assert!(ask("Fix --until 'npm test passes'", no).0.is_err(), "{no}");
        }
        assert!(ask("Fix --until 'the tests pass'", "7\ny\n").0.is_err());
    }
}
