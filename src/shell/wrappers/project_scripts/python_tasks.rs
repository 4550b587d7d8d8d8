//! Tasks that a project defines as functions of Python: those of Invoke and Fabric, and the sessions of nox.

use regex::Regex;

use crate::model::shell_word::in_quotes;
use crate::shell::wrappers::project_scripts::following::followed;

/// A function of a file, with what stands above it and its body, and the plain lines between functions.
struct TaskFunction<'t> {
    name: &'t str,
    decorators: Vec<&'t str>,
    lines: Vec<&'t str>,
}

/// The commands that run the asked tasks alone: Python with what the file has for all of them. Without a name all that nox
/// would choose are meant.
pub(super) fn task_texts(text: &str, asked: &[String]) -> Vec<String> {
    let (functions, plain) = functions(text);
    let is_task = |function: &&TaskFunction| {
        function.decorators.iter().any(|it| it.contains("task") || it.contains("session"))
    };
    let asked: Vec<String> = match asked {
        [] => functions.iter().filter(is_task).map(|it| it.name.to_owned()).collect(),
        names => names.iter().map(|name| name.rsplit('.').next().unwrap_or(name).replace('-', "_")).collect(),
    };
    let bodies = followed(asked, |name| {
        let called = || functions.iter().filter(|it| is_task(it) && it.is_called(name));
        (called().map(TaskFunction::body).collect(), called().flat_map(TaskFunction::needed).collect())
    });
    let bodies = bodies.concat();
    if bodies.trim().is_empty() {
        return Vec::new();
    }
    let helpers = functions.iter().filter(|it| !is_task(it) && bodies.contains(&format!("{}(", it.name)));
    let helpers: String = helpers.flat_map(|it| it.lines.iter().flat_map(|line| [*line, "\n"])).collect();
    vec![format!("python3 -c {}", in_quotes(&format!("{plain}{helpers}{bodies}")))]
}

/// The functions of a file that stand at its left edge, and the other lines.
fn functions(text: &str) -> (Vec<TaskFunction<'_>>, String) {
    let (mut found, mut plain, mut above) = (Vec::<TaskFunction>::new(), String::new(), Vec::new());
    let mut is_inside = false;
    for line in text.lines() {
        let is_indented = line.starts_with([' ', '\t']) || line.trim().is_empty() || line.starts_with(')');
        if let Some(head) = line.strip_prefix("def ") {
            let name = head.split('(').next().unwrap_or_default().trim();
            found.push(TaskFunction { name, decorators: std::mem::take(&mut above), lines: vec![line] });
            is_inside = true;
        } else if line.starts_with('@') {
            above.push(line);
            is_inside = false;
        } else if is_indented && is_inside {
            found.last_mut().into_iter().for_each(|function| function.lines.push(line));
        } else {
            is_inside = false;
            plain.push_str(line);
            plain.push('\n');
        }
    }
    (found, plain)
}

impl TaskFunction<'_> {
    fn is_called(&self, name: &str) -> bool {
        let given = format!("name=\"{}\"", name.replace('_', "-"));
        self.name == name || self.decorators.iter().any(|it| it.replace('\'', "\"").contains(&given))
    }

    /// The tasks that run before or after: `@task(pre=[clean])`, `@task(clean)`, `session.notify("x")`.
    fn needed(&self) -> Vec<String> {
        let notified = self.lines.iter().filter_map(|line| line.split_once(".notify(")).map(|(_, rest)| rest);
        let words = self.decorators.iter().copied().chain(notified);
        let words = words.flat_map(|it| it.split(|sign: char| !(sign.is_alphanumeric() || sign == '_')));
        words.filter(|it| !it.is_empty()).map(str::to_owned).collect()
    }

    /// The body at the left edge. What its first parameter runs is run by a shell, and ends the task where it fails.
    fn body(&self) -> String {
        let head = self.lines.first().copied().unwrap_or_default();
        let first = head.split_once('(').map_or("", |(_, rest)| rest);
        let first = first.split([',', ')', ':']).next().unwrap_or_default().trim();
        let ways = format!(r"\b{}\.(?:run|sudo|local|run_always|run_install)\(", regex::escape(first));
        let ways = Regex::new(&ways).ok().filter(|_| !first.is_empty());
        let lines = self.lines.iter().skip(1);
        let indent =
            lines.clone().find(|it| !it.trim().is_empty()).map_or(0, |it| it.len() - it.trim_start().len());
        let body: String = lines.flat_map(|line| [line.get(indent..).unwrap_or_default(), "\n"]).collect();
        ways.map_or(body.clone(), |ways| ways.replace_all(&body, "subprocess.check_call(").into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_read_with_those_that_run_before() {
        let invoke = "from invoke import task\nROOT = 'x'\n\n@task\ndef clean(c):\n    c.run('rm -rf build')\n\n@task(pre=[clean])\ndef wipe_all(ctx, yes=False):\n    ctx.run(f'rm -rf {ROOT}')\n";
        let nox = "import nox\n@nox.session(name=\"wipe-all\")\ndef w(session):\n    session.run('rm', '-rf', 'x')\n";
        for (text, asked, expected) in [
            (
                invoke,
                "clean",
                "python3 -c 'from invoke import task\nROOT = '\\''x'\\''\n\nsubprocess.check_call('\\''rm -rf build'\\'')\n\n'",
            ),
            (
                nox,
                "wipe-all",
                "python3 -c 'import nox\nsubprocess.check_call('\\''rm'\\'', '\\''-rf'\\'', '\\''x'\\'')\n'",
            ),
            (nox, "tests", ""),
        ] {
            assert_eq!(task_texts(text, &[asked.to_owned()]).join(" "), expected, "{asked}");
        }
        let both = task_texts(invoke, &["wipe-all".to_owned()]).concat();
        assert!(both.contains("rm -rf build") && both.contains("{ROOT}"), "{both}");
    }
}
