//! The files that `find` names, and whether it deletes them itself.

use crate::shell::model::{Command, Word};
use crate::shell::parse::output::{names, paths};

/// What `find` names: its roots, narrowed by `-name` where that is the only test.
pub(crate) fn find_words(command: &Command) -> Vec<Word> {
    let operands = command.words.get(1..).unwrap_or_default();
    let is_expression = |word: &&Word| !matches!(word.text.chars().next(), Some('-' | '(' | '!'));
    let operands = operands.get(find_options(operands)..).unwrap_or_default();
    let mut given =
        command.words.iter().skip(1).take(find_options(command.words.get(1..).unwrap_or_default()));
    let mut roots: Vec<Word> = operands.iter().take_while(is_expression).cloned().collect();
    // With these a root that is a link is the folder that it leads to, as with a slash behind it.
    let follows = given.rfind(|word| matches!(word.text.as_str(), "-H" | "-L" | "-P"));
    if follows.is_some_and(|word| word.text != "-P") {
        roots.iter_mut().filter(|root| !root.text.ends_with('/')).for_each(|root| root.text.push('/'));
    }
    let tests = operands.get(roots.len()..).unwrap_or_default();
    if roots.is_empty() {
        roots.push(Word::literal("."));
    }
    let tests = behind_pruned(tests);
    let (by_path, tests) = paths::apart(tests);
    let (names, partial) = find_tests(&tests);
    let chosen = ChosenNames { names, partial };
    roots.iter().flat_map(|root| named_below(root, by_path.as_deref(), &chosen)).collect()
}

/// Names that tests choose, and whether other tests choose too.
struct ChosenNames {
    names: Vec<String>,
    partial: bool,
}

/// What is named below one root.
fn named_below(root: &Word, by_path: Option<&str>, chosen: &ChosenNames) -> Vec<Word> {
    let mut root = Word { partial: chosen.partial || root.partial, below: true, ..root.clone() };
    let mut names = chosen.names.clone();
    if let Some(pattern) = by_path {
        let found = paths::below(&root.text, pattern).filter(|it| it.name.is_none() || names.is_empty());
        match found {
            Some(found) => {
                root.text = found.folder;
                root.partial |= !found.exact;
                names.extend(found.name);
            }
            None => {
                root.partial = true;
                names.clear();
            }
        }
    }
    names::below(root, &names)
}

/// How many words before the roots say how `find` walks: `-H`, `-O3`, `-D tree`, and BSD's `-x`.
fn find_options(operands: &[Word]) -> usize {
    let mut count = 0;
    while let Some(word) = operands.get(count) {
        count += match word.text.as_str() {
            "-H" | "-L" | "-P" | "-E" | "-X" | "-x" | "-s" => 1,
            "-D" => 2,
            level
                if level
                    .strip_prefix("-O")
                    .is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_digit())) =>
            {
                1
            }
            _ => break,
        };
    }
    count.min(operands.len())
}

/// Whether `find` itself deletes: a `-delete` in the words of `-exec` is none.
pub(crate) fn find_deletes(command: &Command) -> bool {
    // What is empty holds nothing that could be lost.
    let asks = |name: &str| command.words.iter().any(|word| word.text == name);
    let is_turned = |pair: &[Word]| matches!(pair, [not, test] if matches!(not.text.as_str(), "!" | "-not") && test.text == "-empty");
    if asks("-empty") && !asks("-o") && !asks("-or") && !command.words.windows(2).any(is_turned) {
        return false;
    }
    let mut in_exec = false;
    let mut words = command.words.iter();
    while let Some(word) = words.next() {
        match word.text.as_str() {
            "-exec" | "-execdir" | "-ok" | "-okdir" => in_exec = true,
            ";" | "+" => in_exec = false,
            "-delete" if !in_exec => return true,
            test if !in_exec && VALUED_TESTS.contains(&test) => {
                words.next();
            }
            _ => {}
        }
    }
    false
}

/// Whether `find` goes through links to wherever they lead.
pub(crate) fn find_follows(command: &Command) -> bool {
    command.words.iter().any(|word| matches!(word.text.as_str(), "-L" | "-follow"))
}

/// Tests of `find` whose value is the next word, whatever it looks like.
const VALUED_TESTS: &[&str] = &[
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-regex",
    "-iregex",
    "-lname",
    "-type",
    "-xtype",
    "-size",
    "-mtime",
    "-mmin",
    "-atime",
    "-amin",
    "-ctime",
    "-cmin",
    "-newer",
    "-anewer",
    "-cnewer",
    "-perm",
    "-user",
    "-uid",
    "-group",
    "-gid",
    "-maxdepth",
    "-mindepth",
    "-fstype",
    "-inum",
    "-links",
    "-samefile",
    "-printf",
    "-fprint",
    "-fprintf",
    "-fls",
    "-used",
];

/// Folders in which a tool keeps what is its own: nobody means them.
const OF_TOOLS: &[&str] =
    &["node_modules", ".git", "dist", "build", "target", "vendor", ".venv", "venv", "__pycache__", ".next"];

/// The tests behind `-path ./node_modules -prune -o`, however often; all of them where another folder is left out.
fn behind_pruned(tests: &[Word]) -> &[Word] {
    let is_of_tools = |path: &str| OF_TOOLS.contains(&path.trim_start_matches("*/").trim_start_matches("./"));
    let mut rest = tests;
    loop {
        let texts: Vec<&str> = rest.iter().take(6).map(|word| word.text.as_str()).collect();
        let pruned = match texts.as_slice() {
            ["-path" | "-name" | "-wholename", path, "-prune", "-o" | "-or", ..] if is_of_tools(path) => 4,
            ["(", "-path" | "-name", path, "-prune", ")", "-o" | "-or", ..] if is_of_tools(path) => 6,
            ["-type", "d", "-name", path, "-prune", "-o" | "-or", ..] if is_of_tools(path) => 6,
            _ => return rest,
        };
        rest = rest.get(pruned..).unwrap_or_default();
    }
}

/// `( -name '*.a' -o -name '*.b' )`: the names, and how many words that is behind the bracket.
fn alternatives(tests: &[&Word]) -> Option<(Vec<String>, usize)> {
    let mut names = Vec::new();
    let mut at = 0;
    loop {
        let [test, name, next] = tests.get(at..at + 3)? else { return None };
        (test.text == "-name" && name.known).then(|| names.push(name.text.clone()))?;
        at += 3;
        match next.text.as_str() {
            ")" => return Some((names, at)),
            "-o" | "-or" => {}
            _ => return None,
        }
    }
}

/// The only `-name` of the tests, or several of which each will do, and whether other tests choose too. What a `!` leaves
/// out is few: the rest is meant.
fn find_tests(tests: &[Word]) -> (Vec<String>, bool) {
    let mut names = Vec::new();
    let mut partial = false;
    let all_kinds =
        !tests.windows(2).any(|pair| matches!(pair, [kind, of] if kind.text == "-type" && of.text != "d"));
    let folders_go = tests.iter().any(|word| word.text == "-exec") && all_kinds;
    let mut tests = tests.iter().peekable();
    while let Some(test) = tests.next() {
        match test.text.as_str() {
            "-name" if names.is_empty() => {
                names.extend(tests.next().filter(|word| word.known).map(|word| word.text.clone()));
            }
            "(" if names.is_empty() => match alternatives(&tests.clone().collect::<Vec<_>>()) {
                Some((several, length)) => {
                    names = several;
                    tests.nth(length - 1);
                }
                None => partial = true,
            },
            "-type" | "-mindepth" => {
                // Directories alone are still everything that is in them.
                tests.next();
            }
            // With what is in them, the entries of one level are everything.
            "-maxdepth" => partial |= tests.next().is_none_or(|_| !folders_go),
            "!" | "-not" if tests.peek().is_some_and(|next| leaves_out(&next.text)) => {
                tests.nth(1);
            }
            "-exec" | "-execdir" | "-ok" | "-okdir" => break,
            "-delete" | "-print" | "-print0" | "-depth" | "-d" | "-xdev" | "-mount" | "-follow"
            | "-prune" => {}
            _ => partial = true,
        }
    }
    if partial { (Vec::new(), true) } else { (names, false) }
}

/// Tests by a name, of which `!` leaves out what fits.
fn leaves_out(test: &str) -> bool {
    matches!(test, "-name" | "-iname" | "-path" | "-ipath" | "-wholename")
}
