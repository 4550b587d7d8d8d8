//! The files that a check's script takes in: what it imports, requires or loads and that helps it decide.
//!
//! What is being made is imported by a check as well, and has to be free to change. So a file counts where its name, its
//! folder, or what the check takes of it says that it checks.

use crate::languages::is_test_path;
use crate::languages::modules::imports::folder;
use crate::loops::criterion_inputs::{CHECK_FOLDERS, CHECK_NAMES, relative_to};

/// What behind a word of [`CHECK_NAMES`] makes a name of helpers: `checklib`, `test_utils`.
const HELPER_ENDINGS: &[&str] = &["lib", "libs", "util", "utils", "helper", "helpers", "tools", "kit", "s"];
/// Names that begin so and are of a check.
const HELPER_NAMES: &[&str] =
    &["helper", "helpers", "checker", "checkers", "verifier", "asserts", "assertions"];
/// Names whose taking makes the giver a part of the check.
const DECIDERS: &[&str] =
    &["check", "checks", "verify", "run_checks", "run_check", "check_all", "runChecks", "checkAll"];
/// Endings of files of JavaScript that an import may leave out.
const SCRIPTS: &[&str] = &["", ".js", ".mjs", ".cjs", ".ts", "/index.js"];

/// Files that a script may take in, as paths from the project: in the order in which they are tried, with whether all that
/// the script takes of it decides.
pub(super) struct TakenHelper {
    /// Where the file may be.
    pub(super) paths: Vec<String>,
    /// Whether what is taken of it is a check by its name.
    decides: bool,
}

impl TakenHelper {
    /// Whether the file at a path helps the check that stands in `folder`.
    pub(super) fn is_helper(&self, path: &str, folder: &str) -> bool {
        let mut segments: Vec<&str> = path.split('/').collect();
        let name = segments.pop().unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        let in_checks = segments.iter().any(|segment| CHECK_FOLDERS.contains(segment));
        let is_beside = segments.join("/") == folder;
        !is_test_path(path) && (in_checks || is_check_name(stem) || self.decides && is_beside)
    }
}

/// Whether a name says that its file checks or helps to: `check_api`, `checklib`, `helpers`.
pub(super) fn is_check_name(stem: &str) -> bool {
    let mut words =
        stem.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let is_made_of = |word: &str| {
        let behind = CHECK_NAMES.iter().filter_map(|name| word.strip_prefix(name));
        behind.into_iter().any(|rest| HELPER_ENDINGS.contains(&rest))
    };
    words.any(|word| CHECK_NAMES.contains(&word) || HELPER_NAMES.contains(&word) || is_made_of(word))
}

/// What the script at `path` takes in, by its language.
pub(super) fn taken(path: &str, text: &str) -> Vec<TakenHelper> {
    let folder = folder(path);
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let first = text.lines().next().filter(|line| line.starts_with("#!")).unwrap_or_default();
    let is_of = |endings: &[&str], program: &str| endings.contains(&ending) || first.contains(program);
    if is_of(&["py"], "python") {
        return text.lines().flat_map(|line| of_python(line, folder)).collect();
    }
    let named: &[&str] = if is_of(&["js", "mjs", "cjs", "ts"], "node") {
        SCRIPTS
    } else if is_of(&["rb"], "ruby") {
        &["", ".rb"]
    } else if is_of(&["pl", "php"], "perl") {
        &[""]
    } else {
        return Vec::new();
    };
    text.lines().filter_map(|line| of_quoted(line, folder, named)).collect()
}

/// `import helper`, `from checks.helper import verify`, `runpy.run_path("x.py")`.
fn of_python(line: &str, folder: &str) -> Vec<TakenHelper> {
    let line = line.trim();
    let (modules, list): (Vec<&str>, &str) =
        if let Some((from, list)) = line.strip_prefix("from ").and_then(|rest| rest.split_once(" import ")) {
            (vec![from.trim()], list)
        } else if let Some(list) = line.strip_prefix("import ") {
            (list.split(',').filter_map(|item| item.split_whitespace().next()).collect(), "")
        } else if ["run_path(", "spec_from_file_location(", "SourceFileLoader(", "exec(open("]
            .iter()
            .any(|call| line.contains(call))
        {
            return of_quoted(line, folder, &[""]).into_iter().collect();
        } else {
            return Vec::new();
        };
    let of_module = |module: &str| {
        let dots = module.bytes().take_while(|byte| *byte == b'.').count();
        let up = "../".repeat(dots.saturating_sub(1));
        let name = module.trim_start_matches('.').replace('.', "/");
        let of_list =
            list.trim_matches(['(', ')']).split(',').filter_map(|item| item.split_whitespace().next());
        // What is taken of a package may be a module of it.
        let inner = of_list.map(|item| format!("{up}{name}/{item}.py"));
        let own = (!name.is_empty()).then(|| [format!("{up}{name}.py"), format!("{up}{name}/__init__.py")]);
        let names: Vec<String> = own.into_iter().flatten().chain(inner).collect();
        let beside = names.iter().filter_map(|name| relative_to(folder, name.trim_start_matches('/')));
        let from_root = names.iter().filter(|_| dots == 0).cloned();
        TakenHelper { paths: beside.chain(from_root).collect(), decides: takes_decider(list) }
    };
    modules.into_iter().map(of_module).collect()
}

/// The file that stands in quotes in a line that takes another in: `require('./lib')`, `import x from "./y.js"`,
/// `require_relative 'z'`.
fn of_quoted(line: &str, folder: &str, endings: &[&str]) -> Option<TakenHelper> {
    let words =
        ["require", "import", "from ", "load", "include", "run_path", "Loader", "spec_from", "exec(open"];
    let line = line.trim();
    if line.starts_with(['#', '*']) || line.starts_with("//") || !words.iter().any(|word| line.contains(word))
    {
        return None;
    }
    let quote = |text: &str| text.find(['\'', '"']);
    let at = quote(line)?;
    let rest = line.get(at + 1..)?;
    let name = rest.get(..quote(rest)?)?;
    let is_path = name.starts_with("./") || name.starts_with("../") || line.starts_with("require_relative");
    let is_file = name.contains('.') && !name.contains([':', ' ']);
    if !(is_path || is_file || name.starts_with('/') && line.contains("__DIR__")) {
        return None;
    }
    let names = endings.iter().map(|ending| format!("{}{ending}", name.trim_start_matches('/')));
    let taken = line.get(..at).unwrap_or_default();
    Some(TakenHelper {
        paths: names.filter_map(|name| relative_to(folder, &name)).collect(),
        decides: takes_decider(taken),
    })
}

/// Whether a list of names has one that decides.
fn takes_decider(list: &str) -> bool {
    let mut names = list.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    names.any(|name| DECIDERS.contains(&name) || name.starts_with("assert") || name.starts_with("expect"))
}
