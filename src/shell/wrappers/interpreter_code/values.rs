//! What an expression of literals stands for: texts, paths joined of them, the home and the working folder by whichever
//! function, and the files that a pattern, a folder or a listing names.

use std::collections::HashMap;

use crate::shell::wrappers::interpreter_code::tokens::{Token, opening, parted};

/// The literals that an expression stands for, each with whether it is a pattern.
pub(crate) type Literals = Option<Vec<(String, bool)>>;

/// The names that were given a value before.
type Known = HashMap<String, Vec<(String, bool)>>;

/// The most values of one expression.
const MOST_VALUES: usize = 64;
/// How deep expressions may stand in each other.
const DEEPEST: u32 = 16;

/// Functions that give back the path they get, by the end of their names.
const SAME: &[&str] = &[
    "Path",
    "PurePath",
    "PosixPath",
    "Pathname.new",
    "Bun.file",
    "expanduser",
    "abspath",
    "realpath",
    "normpath",
    "fspath",
    "File.expand_path",
    "File.realpath",
    "path.normalize",
    "String",
    "str",
    "sorted",
    "list",
    "set",
    "reversed",
    "Array.from",
    "realpathSync",
    "shlex.quote",
    "quote",
    "iter",
    "tuple",
];

const JOINS: &[&str] = &["os.path.join", "path.join", "path.resolve", "File.join", "join", "resolve"];

const GLOBS: &[&str] = &["glob.glob", "glob", "glob.iglob", "iglob", "Dir.glob", "glob.sync", "globSync"];

/// Functions that give back the names of what is in a folder.
const LISTINGS: &[&str] = &["os.listdir", "listdir", "readdirSync", "Dir.children", "Dir.entries", "scandir"];

/// Functions that give the home.
const HOMES: &[&str] = &["homedir", "Path.home", "Dir.home"];
/// Functions that give the working folder.
const HERE: &[&str] = &["getcwd", "Path.cwd", "process.cwd", "Dir.pwd", "Dir.getwd", "cwd"];
/// Functions that give the folder for temporary files, or a new one in it.
const TEMPORARY: &[&str] =
    &["mkdtemp", "mkdtempSync", "gettempdir", "tmpdir", "Dir.mktmpdir", "Dir.tmpdir", "TemporaryDirectory"];
/// Functions that run a command and give back what it prints.
const RUNS: &[&str] = &["check_output", "getoutput", "execSync", "execFileSync", "popen", "subprocess.run"];

/// Methods that give back what they are called on, or a part of its elements.
const SAME_METHODS: &[&str] = &[
    "expanduser",
    "resolve",
    "absolute",
    "toString",
    "trim",
    "strip",
    "split",
    "splitlines",
    "decode",
    "filter",
    "sort",
    "slice",
    "read",
    "stdout",
    "as_posix",
    "chomp",
    "lines",
    "to_s",
    "readlines",
    "reverse",
    "select",
    "reject",
];

/// Methods of a path that give back the paths in it, and how they say that folders below are meant.
const BELOW: &[(&str, &str)] = &[("rglob", "**/"), ("glob", ""), ("iterdir", "*"), ("children", "*")];

/// The literals of an expression.
pub(crate) fn literals(tokens: &[Token], known: &Known) -> Literals {
    let tokens: Vec<&Token> = tokens.iter().filter(|token| **token != Token::Sign('\n')).collect();
    value(&tokens, known, 0)
}

fn value(tokens: &[&Token], known: &Known, depth: u32) -> Literals {
    if depth > DEEPEST {
        return None;
    }
    let inner = |tokens: &[&Token]| value(tokens, known, depth + 1);
    match tokens {
        [] => return None,
        [Token::Text(text)] => return Some(vec![(text.clone()?, false)]),
        // Texts that stand beside each other are one.
        [Token::Text(_), ..] if tokens.iter().all(|token| matches!(token, Token::Text(_))) => {
            let texts = tokens.iter().map(|token| inner(&[*token]));
            return joined(texts.collect::<Option<Vec<_>>>()?, "");
        }
        [Token::Mixed(pieces)] => {
            let pieces = pieces.iter().filter(|piece| **piece != [Token::Text(Some(String::new()))]);
            let pieces: Option<Vec<_>> =
                pieces.map(|piece| inner(&piece.iter().collect::<Vec<_>>())).collect();
            return joined(pieces?, "");
        }
        [Token::Name(name)] => return of_name(name, known),
        // Perl needs no parentheses, and has `<pattern>`.
        [Token::Name(name), rest @ ..] if name == "glob" && !matches!(rest, [Token::Sign('('), ..]) => {
            return Some(inner(rest)?.into_iter().map(|(text, _)| (text, true)).collect());
        }
        [Token::Name(name), rest @ ..] if matches!(name.as_str(), "await" | "new") => return inner(rest),
        // `os.environ["HOME"]`, `$ENV{HOME}`.
        [Token::Name(name), Token::Sign('[' | '{'), key, Token::Sign(']' | '}')]
            if matches!(name.as_str(), "os.environ" | "environ" | "process.env" | "ENV") =>
        {
            return is_home_key(key).then(|| vec![("~".to_owned(), false)]);
        }
        // `" ".join(words)`
        [
            Token::Text(Some(between)),
            Token::Sign('.'),
            Token::Name(name),
            Token::Sign('('),
            words @ ..,
            Token::Sign(')'),
        ] if name == "join" => {
            return Some(vec![one_text(&parts(words, known, depth)?, between)]);
        }
        // `Dir["src/*"]`
        [Token::Name(name), Token::Sign('['), arguments @ .., Token::Sign(']')] if name == "Dir" => {
            return Some(parts(arguments, known, depth)?.into_iter().map(|(text, _)| (text, true)).collect());
        }
        _ => {}
    }
    if let Some(value) = operator(tokens, known, depth) {
        return value;
    }
    match tokens {
        [Token::Sign('[' | '('), inside @ .., Token::Sign(']' | ')')] if opening(tokens) == Some(0) => {
            parts(inside, known, depth)
        }
        [.., Token::Sign(')' | ']')] => called(tokens, known, depth),
        // `x.stdout` and its like.
        [before @ .., Token::Name(name)]
            if name.strip_prefix("().").is_some_and(|it| SAME_METHODS.contains(&it)) =>
        {
            inner(before)
        }
        _ => None,
    }
}

/// A name that was given a value, or that of the home.
fn of_name(name: &str, known: &Known) -> Literals {
    if let Some(values) = known.get(name) {
        return Some(values.clone());
    }
    match name {
        "process.env.HOME" | "Dir.home" => Some(vec![("~".to_owned(), false)]),
        "Dir.pwd" => Some(vec![(".".to_owned(), false)]),
        _ => {
            let (base, method) = name.rsplit_once('.')?;
            let values = known.get(base)?;
            SAME_METHODS.contains(&method).then(|| values.clone())
        }
    }
}

fn is_home_key(key: &Token) -> bool {
    matches!(key, Token::Text(Some(text)) if text == "HOME" || text == "USERPROFILE")
        || matches!(key, Token::Name(name) if name == "HOME")
}

/// Texts put together by `+` or `.`, and paths by `/`. `None` for an expression without such a sign.
fn operator(tokens: &[&Token], known: &Known, depth: u32) -> Option<Literals> {
    for (sign, between) in [('+', ""), ('.', ""), ('/', "/")] {
        let pieces: Vec<&[&Token]> = parted(tokens, sign).collect();
        if pieces.len() > 1 {
            let values: Option<Vec<_>> =
                pieces.into_iter().map(|piece| value(piece, known, depth + 1)).collect();
            return Some(values.and_then(|values| joined(values, between)));
        }
    }
    None
}

/// What a call gives back: of a function, or of a method of what stands before it.
fn called(tokens: &[&Token], known: &Known, depth: u32) -> Literals {
    let open = opening(tokens)?;
    let arguments = tokens.get(open + 1..tokens.len() - 1)?;
    let (Token::Name(name), before) = tokens.get(..open)?.split_last()? else { return None };
    if let Some(method) = name.strip_prefix("().") {
        return of_method(method, before, arguments, known, depth);
    }
    before.is_empty().then_some(())?;
    let ends = |list: &[&str]| {
        list.iter().any(|one| name == one || name.strip_suffix(one).is_some_and(|rest| rest.ends_with('.')))
    };
    let one = |text: &str| Some(vec![(text.to_owned(), false)]);
    if ends(HOMES) {
        return one("~");
    }
    if ends(HERE) {
        return one(".");
    }
    if ends(TEMPORARY) {
        return one("/tmp/mktemp.fresh");
    }
    if ends(RUNS) {
        return printed(&parts(arguments, known, depth)?);
    }
    if ends(&["getenv"]) {
        return arguments.first().is_some_and(|key| is_home_key(key)).then(|| vec![("~".to_owned(), false)]);
    }
    if let Some((folder, method)) = name.rsplit_once('.')
        && let Some(folder) = known.get(folder)
    {
        if SAME_METHODS.contains(&method) {
            return Some(folder.clone());
        }
        let values = if arguments.is_empty() { Vec::new() } else { parts(arguments, known, depth)? };
        return in_folder(method, folder, &values);
    }
    if ends(LISTINGS) {
        return Some(vec![("*".to_owned(), true)]);
    }
    let values = parts(arguments, known, depth)?;
    if ends(GLOBS) {
        return Some(values.into_iter().take(1).map(|(text, _)| (text, true)).collect());
    }
    if ends(JOINS) {
        return joined(each(arguments, known, depth)?, "/");
    }
    if ends(&["File.expand_path"]) {
        return Some(values.into_iter().take(1).collect());
    }
    ends(SAME).then_some(values)
}

fn of_method(method: &str, before: &[&Token], arguments: &[&Token], known: &Known, depth: u32) -> Literals {
    // `require('os').homedir()`: of the module, whatever gave it.
    match method {
        "homedir" => return Some(vec![("~".to_owned(), false)]),
        "tmpdir" => return Some(vec![("/tmp/mktemp.fresh".to_owned(), false)]),
        "readdirSync" => return Some(vec![("*".to_owned(), true)]),
        "join" | "resolve" if !arguments.is_empty() && value(before, known, depth + 1).is_none() => {
            return joined(each(arguments, known, depth)?, "/");
        }
        "execSync" | "execFileSync" | "check_output" => return printed(&parts(arguments, known, depth)?),
        _ => {}
    }
    let base = value(before, known, depth + 1)?;
    if SAME_METHODS.contains(&method) {
        return Some(base);
    }
    let values = if arguments.is_empty() { Vec::new() } else { parts(arguments, known, depth)? };
    match (method, values.as_slice()) {
        ("join", [(blank, _)]) if blank.trim().is_empty() => Some(vec![one_text(&base, blank)]),
        _ => in_folder(method, &base, &values),
    }
}

/// The elements of a list as one text.
fn one_text(parts: &[(String, bool)], between: &str) -> (String, bool) {
    let texts: Vec<&str> = parts.iter().map(|(text, _)| text.as_str()).collect();
    (texts.join(between), parts.iter().any(|(_, glob)| *glob))
}

/// What `Path('x').glob('y')` and its like stand for.
fn in_folder(method: &str, folder: &[(String, bool)], values: &[(String, bool)]) -> Literals {
    if matches!(method, "joinpath" | "join") {
        let parts = std::iter::once(folder.to_vec()).chain(values.iter().map(|value| vec![value.clone()]));
        return joined(parts.collect(), "/");
    }
    let (_, below) = BELOW.iter().find(|(known, _)| *known == method)?;
    let pattern = values.first().map_or("", |(text, _)| text.as_str());
    Some(folder.iter().map(|(folder, _)| (format!("{folder}/{below}{pattern}"), true)).collect())
}

/// The files that a command prints: those that git tracks, below the folders that it is asked for.
fn printed(words: &[(String, bool)]) -> Literals {
    let words: Vec<&str> = words.iter().flat_map(|(text, _)| text.split_whitespace()).collect();
    let ["git", "ls-files", rest @ ..] = words.as_slice() else { return None };
    let folders: Vec<&&str> = rest.iter().filter(|word| !word.starts_with('-')).collect();
    let chosen = folders.iter().any(|folder| folder.contains('*'));
    let only = rest.iter().any(|word| matches!(*word, "-o" | "--others" | "-d" | "-m" | "--modified"));
    (!chosen && !only).then_some(())?;
    let below = |folder: &str| (format!("{}/**/*", folder.trim_end_matches('/')), true);
    Some(if folders.is_empty() {
        vec![below(".")]
    } else {
        folders.into_iter().map(|it| below(it)).collect()
    })
}

/// Every value with every continuation, up to a bound.
fn joined(parts: Vec<Vec<(String, bool)>>, between: &str) -> Literals {
    let mut values: Vec<(String, bool)> = Vec::new();
    for (index, part) in parts.into_iter().enumerate() {
        if index == 0 {
            values = part;
            continue;
        }
        (values.len() * part.len() <= MOST_VALUES).then_some(())?;
        values = values
            .iter()
            .flat_map(|(text, glob)| {
                part.iter().map(move |(tail, tail_glob)| match between {
                    // A path that begins anew is that path.
                    "/" if tail.starts_with(['/', '~']) => (tail.clone(), *tail_glob),
                    _ => (format!("{text}{between}{tail}"), *glob || *tail_glob),
                })
            })
            .collect();
    }
    Some(values)
}

/// The elements of a list, or the arguments of a call, as one list.
fn parts(tokens: &[&Token], known: &Known, depth: u32) -> Literals {
    Some(each(tokens, known, depth)?.concat())
}

/// The values of each element of a list, or of each argument of a call.
fn each(tokens: &[&Token], known: &Known, depth: u32) -> Option<Vec<Vec<(String, bool)>>> {
    let mut values = Vec::new();
    for part in parted(tokens, ',') {
        match part {
            [] | [Token::Sign('{'), ..] => {}
            // A keyword argument names no file.
            [Token::Name(_), Token::Sign('=' | ':'), ..] => {}
            part => values.push(value(part, known, depth + 1)?),
        }
    }
    Some(values)
}
