//! Tasks of Mix: the aliases in a `mix.exs`, and the modules that are tasks of their own.

use regex::Regex;

use crate::shell::wrappers::project_scripts::brackets::in_brackets;
use crate::shell::wrappers::project_scripts::following::followed;
use crate::shell::wrappers::project_scripts::foreign_code::losses;

/// The files in which the module of a task may be: `db.wipe` is in `db.wipe.ex`, `db/wipe.ex` or `db_wipe.ex`.
pub(super) fn module_files(task: &str) -> [String; 3] {
    [".", "/", "_"].map(|sign| format!("lib/mix/tasks/{}.ex", task.replace('.', sign)))
}

/// What the module of a task loses.
pub(super) fn module_texts(text: &str) -> Vec<String> {
    losses(text, text)
}

/// The commands of an alias, with those of the aliases that it names.
pub(super) fn alias_texts(text: &str, asked: &str) -> Vec<String> {
    followed(vec![asked.to_owned()], |name| {
        let (mut texts, mut needs) = (Vec::new(), Vec::new());
        for step in steps(text, name) {
            let first = step.split_whitespace().next().unwrap_or_default().to_owned();
            match step.strip_prefix("cmd ") {
                Some(command) => texts.push(command.to_owned()),
                // An alias is followed here, and not once more by its name.
                None if !steps(text, &first).is_empty() => needs.push(first),
                None => texts.push(format!("mix {step}")),
            }
        }
        (texts, needs)
    })
}

/// The texts that an alias lists: `wipe: ["cmd rm -rf x", "ecto.drop"]`, `"db.wipe": "ecto.drop"`.
fn steps(text: &str, name: &str) -> Vec<String> {
    let head = Regex::new(&format!(r#"(?m)^\s*(?:"{0}"|{0}):\s*"#, regex::escape(name)));
    let (Ok(head), Ok(texts)) = (head, Regex::new(r#""((?:[^"\\]|\\.)*)""#)) else { return Vec::new() };
    let Some(rest) = head.find(text).and_then(|found| text.get(found.end()..)) else { return Vec::new() };
    let list = match rest.starts_with('[') {
        true => in_brackets(rest, '[', ']').map_or("", |(inside, _)| inside),
        false => rest.lines().next().unwrap_or_default(),
    };
    let found = texts.captures_iter(list).filter_map(|it| it.get(1));
    found.map(|it| it.as_str().replace("\\\"", "\"")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_are_read_with_those_that_they_name() {
        let text = "defp aliases do\n  [\n    wipe: [\"cmd rm -rf x\", \"db.wipe\"],\n    \"db.wipe\": \"ecto.drop --quiet\",\n    test: [\"ecto.create\", \"test\"]\n  ]\nend\n";
        assert_eq!(alias_texts(text, "wipe"), ["rm -rf x", "mix ecto.drop --quiet"]);
        assert_eq!(alias_texts(text, "test"), ["mix ecto.create"]);
        assert!(alias_texts(text, "none").is_empty());
        assert_eq!(
            module_files("db.wipe"),
            ["lib/mix/tasks/db.wipe.ex", "lib/mix/tasks/db/wipe.ex", "lib/mix/tasks/db_wipe.ex"]
        );
    }
}
