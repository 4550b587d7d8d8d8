//! RSpec: the numbered list under `Failures:`.

use crate::loops::failures::{Failure, indent, labelled, place_in_stack};

pub(crate) fn read(lines: &[&str]) -> Vec<Failure> {
    let Some(from) = lines.iter().position(|line| *line == "Failures:") else { return Vec::new() };
    let list = lines.get(from + 1..).unwrap_or_default();
    let end = list.iter().position(|line| line.starts_with("Finished in ")).unwrap_or(list.len());
    let list = list.get(..end).unwrap_or_default();
    let title = |line: &str| {
        let (count, name) = line.trim().split_once(") ")?;
        (indent(line) == 2 && count.bytes().all(|byte| byte.is_ascii_digit())).then(|| name.to_owned())
    };
    let starts: Vec<(usize, String)> =
        list.iter().enumerate().filter_map(|(at, line)| Some((at, title(line)?))).collect();
    let mut failures = Vec::new();
    for (nth, (at, name)) in starts.iter().enumerate() {
        let end = starts.get(nth + 1).map_or(list.len(), |(next, _)| *next);
        failures.push(block(name, list.get(at + 1..end).unwrap_or_default()));
    }
    failures
}

fn block(name: &str, body: &[&str]) -> Failure {
    let lines: Vec<&str> = body.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    let find = |label: &str| lines.iter().find_map(|line| labelled(line, label));
    let raised = lines.iter().position(|line| {
        line.strip_suffix(':')
            .is_some_and(|class| class.starts_with(|c: char| c.is_ascii_uppercase()) && !class.contains(' '))
    });
    let message = match raised {
        Some(at) => lines.get(at + 1).copied().map(str::to_owned),
        None => {
            let told = lines.iter().find_map(|line| line.strip_prefix("Failure/Error: "));
            let got = find("expected").is_none().then(|| lines.get(1).copied()).flatten();
            told.or(got).map(str::to_owned)
        }
    };
    let class = raised.and_then(|at| lines.get(at)).map(|line| line.trim_end_matches(':').to_owned());
    Failure {
        test: Some(name.to_owned()),
        message: message.unwrap_or_else(|| format!("{name} failed")),
        expected: find("expected:"),
        actual: find("got:"),
        place: body.iter().find_map(|line| place_in_stack(line)),
        error_type: Some(class.unwrap_or_else(|| "assertion".to_owned())),
    }
}
