//! What source text loses of languages that are not read further (Go, Rust, Elixir, Groovy, Kotlin): the calls that
//! delete, rename or run a command, as a shell would write them.

use std::sync::LazyLock;

use regex::Regex;

use crate::model::shell_word::in_quotes;
use crate::shell::wrappers::project_scripts::brackets::{in_brackets, parted};
use crate::shell::wrappers::project_scripts::foreign_values::ForeignValues;

/// The longest source that is looked into, in bytes.
const LONGEST_SOURCE: usize = 64 * 1024;

type CallPattern = LazyLock<Option<Regex>>;
static DELETIONS: CallPattern = LazyLock::new(|| {
    Regex::new(
        r"(?m)(?:\bos\.RemoveAll|\bos\.Remove|\bremove_dir_all|\bremove_file|\bFile\.rm_rf!?|\bFile\.rm!?|\bFile\.rmdir!?|\bFiles\.delete(?:IfExists)?|\bFileUtils\.(?:deleteDirectory|forceDelete)|(?:^|[{;\s])(?:project\.)?delete\b(?:\s*=)?)",
    )
    .ok()
});
static RECEIVERS: CallPattern = LazyLock::new(|| {
    Regex::new(r"(?m)(?:^|[{;]|->)([^;{}\n]*?)\.(?:deleteRecursively|deleteDir|delete|deleteOnExit)\(\)").ok()
});
static RUNS: CallPattern = LazyLock::new(|| {
    Regex::new(
        r"\bexec\.Command(?:Context)?\b|\bcommandLine\b(?:\s*=)?|\bSystem\.cmd\b|\bSystem\.shell\b|\bMix\.shell\(\)\.cmd\b|\bProcessBuilder\b",
    )
    .ok()
});
static BUILT_UP: CallPattern = LazyLock::new(|| {
    Regex::new(r#"\bCommand::new\(\s*("[^"\n]*")\s*\)((?:\s*\.(?:arg|args|current_dir)\([^;]*?\))*)"#).ok()
});
static EXECUTED: CallPattern = LazyLock::new(|| Regex::new(r#"["']([^"'\n]+)["']\.execute\(\)"#).ok());
static RENAMES: CallPattern =
    LazyLock::new(|| Regex::new(r"\bos\.Rename|\bfs::rename|\bFile\.rename!?|\bFiles\.move").ok());

/// What a source deletes, renames and runs. The names that stand for values may be told in another part of its file.
pub(super) fn losses(source: &str, whole: &str) -> Vec<String> {
    if whole.len() > LONGEST_SOURCE {
        return Vec::new();
    }
    let source = ForeignValues::with_places(source);
    let values = ForeignValues::of(&ForeignValues::with_places(whole));
    let mut found = Vec::new();
    for arguments in arguments_of(&DELETIONS, &source) {
        let paths = parted(arguments).into_iter().filter_map(|part| values.of_expression(part));
        found.extend(paths.flatten().map(|path| format!("rm -rf {}", in_place(&path))));
    }
    for receiver in captures(&RECEIVERS, &source, 1) {
        let paths = values.of_expression(receiver).unwrap_or_default();
        found.extend(paths.into_iter().map(|path| format!("rm -rf {}", in_place(&path))));
    }
    for arguments in arguments_of(&RENAMES, &source) {
        let parts: Vec<_> = parted(arguments).into_iter().filter_map(|it| values.of_expression(it)).collect();
        if let [from, to] = parts.as_slice() {
            let pairs = from.iter().zip(to);
            found.extend(pairs.map(|(from, to)| format!("mv {} {}", in_place(from), in_place(to))));
        }
    }
    found.extend(arguments_of(&RUNS, &source).into_iter().filter_map(|it| command(it, &values)));
    for built in BUILT_UP.iter().flat_map(|pattern| pattern.captures_iter(&source)) {
        let text = |index| built.get(index).map_or("", |found| found.as_str());
        found.extend(command(&format!("{}, {}", text(1), arguments_in(text(2))), &values));
    }
    found.extend(captures(&EXECUTED, &source, 1).into_iter().map(str::to_owned));
    found
}

fn captures<'t>(pattern: &'static CallPattern, text: &'t str, group: usize) -> Vec<&'t str> {
    let found = pattern.iter().flat_map(|pattern| pattern.captures_iter(text));
    found.filter_map(|found| found.get(group)).map(|found| found.as_str()).collect()
}

/// The arguments of each call: in its brackets, or up to the end of its line.
fn arguments_of<'t>(pattern: &'static CallPattern, text: &'t str) -> Vec<&'t str> {
    let ends = pattern.iter().flat_map(|pattern| pattern.find_iter(text)).map(|found| found.end());
    let rests = ends.filter_map(|end| text.get(end..));
    rests
        .filter_map(|rest| match rest.trim_start_matches(' ').starts_with('(') {
            true => in_brackets(rest, '(', ')').map(|(inside, _)| inside),
            false => Some(rest.split(['\n', ';', '}']).next().unwrap_or_default()),
        })
        .collect()
}

/// `.arg("x").args(["y", "z"])` as a list of arguments.
fn arguments_in(chain: &str) -> String {
    let calls = chain.split(".arg").skip(1).filter_map(|call| in_brackets(call, '(', ')'));
    calls.map(|(inside, _)| inside.trim().trim_start_matches('&').to_owned()).collect::<Vec<_>>().join(", ")
}

/// The words that a call hands to a program; nothing where the program is not known.
fn command(arguments: &str, values: &ForeignValues) -> Option<String> {
    let mut words: Vec<String> = Vec::new();
    for part in parted(arguments) {
        let list = part.trim().trim_start_matches("listOf").trim_start_matches("[]string");
        let inner = match list.trim_start().chars().next() {
            Some('[') => in_brackets(list, '[', ']').map_or(vec![part], |(inside, _)| parted(inside)),
            Some('{') => in_brackets(list, '{', '}').map_or(vec![part], |(inside, _)| parted(inside)),
            Some('(') if list.len() < part.trim().len() => {
                in_brackets(list, '(', ')').map_or(vec![part], |(inside, _)| parted(inside))
            }
            _ => vec![part],
        };
        for one in inner {
            match values.of_expression(one) {
                Some(known) => words.extend(known),
                None if words.is_empty() => {}
                None => break,
            }
        }
    }
    match words.as_slice() {
        [] => None,
        [text] => Some(text.clone()),
        words => Some(words.iter().map(|word| in_place(word)).collect::<Vec<_>>().join(" ")),
    }
}

/// A path as a word of the shell, with the home as the shell writes it.
pub(super) fn in_place(path: &str) -> String {
    match path.strip_prefix('~') {
        Some("") => "~".to_owned(),
        Some(rest) if rest.starts_with('/') => format!("~{}", in_quotes(rest)),
        _ => in_quotes(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_other_languages_lose_is_written_as_a_shell_does() {
        for (source, expected) in [
            ("home, _ := os.UserHomeDir()\nos.RemoveAll(filepath.Join(home, \"notes\"))", "rm -rf ~'/notes'"),
            (
                "for _, d := range []string{\"a\", \"b\"} {\n os.RemoveAll(filepath.Join(os.Getenv(\"HOME\"), d))\n}",
                "rm -rf ~'/a' rm -rf ~'/b'",
            ),
            ("if err := os.RemoveAll(\"build/gen\"); err != nil { }", "rm -rf 'build/gen'"),
            ("exec.Command(\"kubectl\", \"delete\", \"ns\", \"x\").Run()", "'kubectl' 'delete' 'ns' 'x'"),
            ("os.RemoveAll(dir)", ""),
            (
                "std::fs::remove_dir_all(std::path::Path::new(&std::env::var(\"HOME\").unwrap()).join(\"a/b\"))",
                "rm -rf ~'/a/b'",
            ),
            ("Command::new(\"rm\").args([\"-rf\", \"src\"]).status()", "'rm' '-rf' 'src'"),
            ("let p = dirs::home_dir().unwrap();\nfs::remove_dir_all(format!(\"{}/x\", p))", "rm -rf ~'/x'"),
            ("File.rm_rf!(Path.join(System.user_home!(), \"x\"))", "rm -rf ~'/x'"),
            ("System.cmd(\"rm\", [\"-rf\", \"x\"])", "'rm' '-rf' 'x'"),
            ("delete layout.buildDirectory, \"${System.getProperty('user.home')}/x\"", "rm -rf ~'/x'"),
            ("delete(System.getProperty(\"user.home\") + \"/x\")", "rm -rf ~'/x'"),
            ("commandLine 'rm', '-rf', \"${System.env.HOME}/x\"", "'rm' '-rf' ~'/x'"),
            ("new File(System.getenv('HOME'), 'x').deleteDir()", "rm -rf ~'/x'"),
            ("\"rm -rf src\".execute()", "rm -rf src"),
            ("val old = file(\"src/old\")\nold.deleteRecursively()", "rm -rf 'src/old'"),
            ("println(\"delete it\")", ""),
        ] {
            assert_eq!(losses(source, source).join(" "), expected, "{source}");
        }
    }
}
