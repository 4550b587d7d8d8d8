//! The tasks of a Gradle build that words ask for: what their blocks delete and run.

use regex::Regex;

use crate::shell::wrappers::project_scripts::brackets::in_brackets;
use crate::shell::wrappers::project_scripts::following::followed;
use crate::shell::wrappers::project_scripts::foreign_code::losses;

/// The build files of a folder, in the order in which Gradle looks for them.
pub(super) const NAMES: &[&str] = &["build.gradle.kts", "build.gradle"];

/// Options whose value is the next word.
const VALUED: &[&str] =
    &["-p", "--project-dir", "-x", "--exclude-task", "--tests", "-g", "--max-workers", "--console"];

/// What the words of a call ask for: tasks, and the files that options name.
pub(super) struct GradleCall<'w> {
    pub(super) tasks: Vec<&'w str>,
    pub(super) files: Vec<&'w str>,
    pub(super) folder: &'w str,
}

pub(super) fn call<'w>(words: &[&'w str]) -> GradleCall<'w> {
    let mut call = GradleCall { tasks: Vec::new(), files: Vec::new(), folder: "" };
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "-b" | "--build-file" | "-I" | "--init-script" => call.files.extend(words.next()),
            "-p" | "--project-dir" => call.folder = words.next().unwrap_or_default(),
            _ if VALUED.contains(&word) => _ = words.next(),
            _ if word.starts_with('-') => {}
            _ => call.tasks.push(word),
        }
    }
    call
}

/// The files that a build takes in: `apply from: 'gradle/x.gradle'`.
pub(super) fn applied(text: &str) -> Vec<String> {
    let pattern = Regex::new(r#"\bapply\s*\(?\s*from\s*[:=]\s*["']([\w./-]+)["']"#).ok();
    let found = pattern.iter().flat_map(|pattern| pattern.captures_iter(text));
    found.filter_map(|it| it.get(1)).map(|it| it.as_str().to_owned()).collect()
}

/// The shell texts that tasks run, with those of the tasks that they depend on.
pub(super) fn task_texts(text: &str, asked: &[&str]) -> Vec<String> {
    let asked = asked.iter().filter_map(|it| it.rsplit(':').next()).map(str::to_owned);
    followed(asked.collect(), |name| {
        let blocks = blocks(text, name);
        let texts = blocks.iter().flat_map(|block| losses(block, text)).collect();
        (texts, blocks.into_iter().flat_map(needed).collect())
    })
}

/// The blocks that make up a task, each with the head before it.
fn blocks<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let name = regex::escape(name);
    let heads = format!(
        r#"(?m)\btask\s*\(?\s*["']?{name}\b|\btasks?\s*\.\s*(?:register|create|named)\s*(?:<[^>\n]*>)?\s*\(\s*["']{name}["']|\bval\s+{name}\s+by\s+tasks\b|\btasks\.{name}\b|^[ \t]*{name}\s*(?:\{{|\.do(?:First|Last)|<<)"#
    );
    let Ok(heads) = Regex::new(&heads) else { return Vec::new() };
    heads
        .find_iter(text)
        .filter_map(|head| {
            let rest = text.get(head.start()..)?;
            let (inside, _) = in_brackets(rest, '{', '}')?;
            let end = rest.find('{')? + inside.len() + 2;
            rest.get(..end)
        })
        .collect()
}

/// The tasks that a block depends on.
fn needed(block: &str) -> Vec<String> {
    let Ok(pattern) = Regex::new(r"\b(?:dependsOn|finalizedBy)\b([^\n{]*)") else { return Vec::new() };
    let lists = pattern.captures_iter(block).filter_map(|found| found.get(1));
    let words = lists.flat_map(|list| list.as_str().split(|it: char| !(it.is_alphanumeric() || it == '_')));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_read_with_those_that_they_depend_on() {
        let groovy = "task wipe(type: Delete, dependsOn: [old]) {\n  delete layout.buildDirectory, \"${System.env.HOME}/x\"\n}\ntask old(type: Exec) {\n  commandLine 'rm', '-rf', 'src'\n}\nclean.doFirst { delete 'docs' }\n";
        let kotlin = "val home = System.getProperty(\"user.home\")\ntasks.register<Delete>(\"wipe\") {\n    delete(file(\"$home/x\"))\n}\nval gone by tasks.registering {\n    dependsOn(\"wipe\")\n}\n";
        for (text, task, expected) in [
            (groovy, "wipe", "rm -rf ~'/x' 'rm' '-rf' 'src'"),
            (groovy, ":old", "'rm' '-rf' 'src'"),
            (groovy, "clean", "rm -rf 'docs'"),
            (groovy, "build", ""),
            (kotlin, "wipe", "rm -rf ~'/x'"),
            (kotlin, "gone", "rm -rf ~'/x'"),
        ] {
            assert_eq!(task_texts(text, &[task]).join(" "), expected, "{task}");
        }
    }
}
