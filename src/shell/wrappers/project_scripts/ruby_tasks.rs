//! The tasks of a Rakefile that words ask for, as Ruby that runs them alone.

use regex::Regex;

use crate::model::shell_word::in_quotes;
use crate::shell::wrappers::project_scripts::following::followed;

/// A task with its whole name, those that it needs, and its body.
struct RakeTask {
    name: String,
    needs: Vec<String>,
    body: String,
}

/// The commands that run the asked tasks alone: Ruby with what the file has for all of them.
pub(super) fn task_texts(text: &str, asked: &[String]) -> Vec<String> {
    let (tasks, plain) = tasks(text);
    let asked = if asked.is_empty() { vec!["default".to_owned()] } else { asked.to_vec() };
    // What a task is given stands in brackets behind its name.
    let names = asked.iter().map(|name| name.split('[').next().unwrap_or_default().to_owned());
    let bodies = followed(names.collect(), |name| {
        let called = || tasks.iter().filter(|task| task.name == name);
        (called().map(|it| it.body.clone()).collect(), called().flat_map(|it| it.needs.clone()).collect())
    });
    let bodies = bodies.concat();
    match bodies.trim().is_empty() {
        true => Vec::new(),
        false => {
            // What `sh` runs ends the task where it fails.
            let heard =
                if bodies.contains("sh ") || bodies.contains("sh(") { "raise unless $?\n" } else { "" };
            vec![format!("ruby -e {}", in_quotes(&format!("{plain}{bodies}{heard}")))]
        }
    }
}

/// The tasks of a file with their whole names, and its other lines.
fn tasks(text: &str) -> (Vec<RakeTask>, String) {
    let head = Regex::new(r#"^(\s*)task[\s(]+:?["']?([\w:.-]+)["']?(.*)$"#);
    let space = Regex::new(r#"^(\s*)namespace[\s(]+:?["']?(\w+)"#);
    let (Ok(head), Ok(space)) = (head, space) else { return Default::default() };
    let (mut found, mut plain) = (Vec::<RakeTask>::new(), String::new());
    let mut spaces: Vec<(usize, String)> = Vec::new();
    let mut open: Option<usize> = None;
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let ends = line.trim() == "end" || line.trim() == "}";
        if let Some(from) = open {
            match ends && indent <= from {
                true => open = None,
                false => found.last_mut().into_iter().for_each(|task| add(&mut task.body, line.trim_start())),
            }
        } else if let Some(found) = space.captures(line) {
            spaces.push((indent, found.get(2).map_or("", |it| it.as_str()).to_owned()));
        } else if ends && spaces.last().is_some_and(|(from, _)| *from == indent) {
            spaces.pop();
        } else if let Some(parts) = head.captures(line) {
            let part = |index| parts.get(index).map_or("", |it| it.as_str());
            let names = spaces.iter().map(|(_, name)| name.as_str()).chain([part(2).trim_end_matches(':')]);
            let (task, is_open) = task(names.collect::<Vec<_>>().join(":"), part(3));
            open = is_open.then_some(indent);
            found.push(task);
        } else {
            add(&mut plain, line);
        }
    }
    (found, plain)
}

/// A task whose head goes on with `rest`, and whether its block is open at the end of the line.
fn task(name: String, rest: &str) -> (RakeTask, bool) {
    let (needs, body) = rest.split_once('{').unwrap_or((rest, ""));
    let opens =
        rest.split_whitespace().any(|word| word == "do") || (rest.contains('{') && !rest.contains('}'));
    let needs = needs.split(" do").next().unwrap_or_default();
    // Names of arguments stand before the arrow.
    let needs = needs.split_once("=>").map_or(needs, |(_, needs)| needs);
    let words = needs.split(|it: char| !(it.is_alphanumeric() || "_:-".contains(it)));
    let needs = words.map(|word| word.trim_matches(':').to_owned()).filter(|word| !word.is_empty()).collect();
    let mut own = String::new();
    if !body.is_empty() {
        add(&mut own, body.trim().trim_end_matches('}'));
    }
    (RakeTask { name, needs, body: own }, opens)
}

fn add(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_of_a_rakefile_are_read_with_what_they_need() {
        let text = "OUT = 'x'\ntask default: :clean\n\ntask :clean do\n  rm_rf 'build'\nend\n\nnamespace :db do\n  desc 'x'\n  task :wipe, [:env] => [:clean] do |_, args|\n    if args.env\n      sh 'rm x'\n    end\n  end\nend\ntask(:one) { rm_rf OUT }\n";
        for (asked, expected) in [
            ("clean", &["rm_rf 'build'"][..]),
            ("default", &["rm_rf 'build'"]),
            ("db:wipe", &["rm_rf 'build'", "sh 'rm x'"]),
            ("db:wipe[prod]", &["sh 'rm x'"]),
            ("one", &["rm_rf OUT"]),
        ] {
            let read = task_texts(text, &[asked.to_owned()]).concat().replace("'\\''", "'");
            assert!(expected.iter().all(|line| read.contains(line)), "{asked}: {read}");
            assert!(
                expected.len() > 1 || !read.contains("sh 'rm x'") || asked.contains("wipe"),
                "{asked}: {read}"
            );
        }
        assert!(task_texts(text, &["none".to_owned()]).is_empty());
    }
}
