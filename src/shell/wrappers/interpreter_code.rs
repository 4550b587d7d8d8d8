//! Source text of inline interpreters (`python -c`, `node -e`): the calls in it that delete, write or run shell text.
//!
//! A small reader of tokens, not of a language: strings and comments are never code, and an argument counts as known
//! only when it is a literal, a list of them, or a name that was given one before.

pub(crate) mod tokens;

use std::collections::HashMap;

use crate::shell::model::{EffectKind, Language};
use crate::shell::parse::unquote::in_quotes;
use crate::shell::wrappers::interpreter_code::tokens::{Token, tokens};

use EffectKind::{Copy, Delete, Move, Overwrite, Truncate};
use Language::{Awk, JavaScript, Perl, Php, Python, Ruby};

/// The longest source that is read, in bytes.
const LONGEST_SOURCE: usize = 64 * 1024;

/// The most tokens of one expression: hostile nesting must not cost a square.
const LONGEST_EXPRESSION: usize = 256;

/// A call that changes files.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FileCall {
    pub(crate) kind: EffectKind,
    /// The function as written.
    pub(crate) name: String,
    /// Each file: its name and whether it is a pattern. `None` when it isn't known.
    pub(crate) targets: Option<Vec<(String, bool)>>,
    pub(crate) recursive: bool,
}

/// What a function does with its arguments.
#[derive(Clone, Copy)]
enum Does {
    Files(EffectKind, bool),
    /// Two paths: from, to.
    Pair(EffectKind),
    /// Writes the file when its mode argument says so.
    Opens,
    /// Runs its first argument as shell text, or a list of words.
    Shell,
}

/// A function by the end of its dotted name. A single name matches bare calls and methods alike, so it must be one
/// that nothing else has.
struct Function {
    language: Language,
    names: &'static [&'static str],
    does: Does,
}

static FUNCTIONS: &[Function] = &[
    Function {
        language: Python,
        names: &["os.remove", "os.unlink", "os.rmdir", "os.removedirs", "send2trash"],
        does: Does::Files(Delete, false),
    },
    Function { language: Python, names: &["shutil.rmtree", "rmtree"], does: Does::Files(Delete, true) },
    Function { language: Python, names: &["os.truncate"], does: Does::Files(Truncate, false) },
    Function { language: Python, names: &["os.rename", "os.replace", "shutil.move"], does: Does::Pair(Move) },
    Function {
        language: Python,
        names: &["shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree"],
        does: Does::Pair(Copy),
    },
    Function { language: Python, names: &["open"], does: Does::Opens },
    Function {
        language: Python,
        names: &[
            "os.system",
            "os.popen",
            "subprocess.run",
            "subprocess.call",
            "subprocess.check_call",
            "subprocess.check_output",
            "subprocess.Popen",
            "subprocess.getoutput",
        ],
        does: Does::Shell,
    },
    Function {
        language: JavaScript,
        names: &[
            "unlinkSync",
            "rmdirSync",
            "fs.unlink",
            "fs.rmdir",
            "promises.unlink",
            "promises.rmdir",
            "fsp.unlink",
            "().unlink",
            "().rmdir",
        ],
        does: Does::Files(Delete, false),
    },
    Function {
        language: JavaScript,
        names: &[
            "rmSync",
            "fs.rm",
            "promises.rm",
            "fsp.rm",
            "().rm",
            "rimraf",
            "rimraf.sync",
            "rimrafSync",
            "fs.removeSync",
            "fs.remove",
            "Deno.remove",
            "Deno.removeSync",
            "emptyDirSync",
        ],
        does: Does::Files(Delete, true),
    },
    Function {
        language: JavaScript,
        names: &["truncateSync", "fs.truncate"],
        does: Does::Files(Truncate, false),
    },
    Function {
        language: JavaScript,
        names: &[
            "writeFileSync",
            "fs.writeFile",
            "promises.writeFile",
            "fsp.writeFile",
            "().writeFile",
            "Bun.write",
            "Deno.writeTextFile",
            "Deno.writeTextFileSync",
        ],
        does: Does::Files(Overwrite, false),
    },
    Function {
        language: JavaScript,
        names: &["renameSync", "fs.rename", "promises.rename"],
        does: Does::Pair(Move),
    },
    Function {
        language: JavaScript,
        names: &["copyFileSync", "fs.copyFile", "promises.copyFile", "cpSync"],
        does: Does::Pair(Copy),
    },
    Function {
        language: JavaScript,
        names: &[
            "execSync",
            "child_process.exec",
            "spawnSync",
            "child_process.spawn",
            "execFileSync",
            "child_process.execFile",
            "().exec",
            "().spawn",
        ],
        does: Does::Shell,
    },
    Function { language: Awk, names: &["system", "os.execute", "io.popen"], does: Does::Shell },
    // Lua's, which is read like awk.
    Function { language: Awk, names: &["os.remove"], does: Does::Files(Delete, false) },
    Function { language: Awk, names: &["os.rename"], does: Does::Pair(Move) },
    Function { language: Perl, names: &["unlink", "rmdir"], does: Does::Files(Delete, false) },
    Function { language: Perl, names: &["rmtree", "remove_tree"], does: Does::Files(Delete, true) },
    Function { language: Perl, names: &["truncate"], does: Does::Files(Truncate, false) },
    Function { language: Perl, names: &["rename", "move"], does: Does::Pair(Move) },
    Function { language: Perl, names: &["system", "exec"], does: Does::Shell },
    Function {
        language: Ruby,
        names: &["File.delete", "File.unlink", "FileUtils.rm", "FileUtils.rm_f", "Dir.rmdir", "Dir.delete"],
        does: Does::Files(Delete, false),
    },
    Function {
        language: Ruby,
        names: &[
            "FileUtils.rm_r",
            "FileUtils.rm_rf",
            "FileUtils.remove_dir",
            "FileUtils.remove_entry",
            "rm_rf",
        ],
        does: Does::Files(Delete, true),
    },
    Function { language: Ruby, names: &["File.write", "IO.write"], does: Does::Files(Overwrite, false) },
    Function { language: Ruby, names: &["File.truncate"], does: Does::Files(Truncate, false) },
    Function { language: Ruby, names: &["File.rename", "FileUtils.mv"], does: Does::Pair(Move) },
    Function { language: Ruby, names: &["system", "exec", "spawn"], does: Does::Shell },
    Function { language: Php, names: &["unlink", "rmdir"], does: Does::Files(Delete, false) },
    Function { language: Php, names: &["file_put_contents"], does: Does::Files(Overwrite, false) },
    Function { language: Php, names: &["rename"], does: Does::Pair(Move) },
    Function { language: Php, names: &["system", "exec", "shell_exec", "passthru"], does: Does::Shell },
];

/// Methods of a path: `Path('x').unlink()`.
static METHODS: &[(&str, EffectKind, bool)] = &[
    ("unlink", Delete, false),
    ("rmdir", Delete, false),
    ("rmtree", Delete, true),
    ("delete", Delete, false),
    ("write_text", Overwrite, false),
    ("write_bytes", Overwrite, false),
];

/// Functions that give back the path they get.
const PATHS: &[&str] = &["Path", "pathlib.Path", "PurePath", "Pathname.new", "Bun.file"];
const JOINS: &[&str] = &["os.path.join", "path.join", "path.resolve", "File.join"];
const GLOBS: &[&str] = &["glob.glob", "glob", "glob.iglob", "Dir.glob", "glob.sync", "globSync"];

/// Functions that give back the names of what is in a folder.
const LISTINGS: &[&str] = &["os.listdir", "listdir", "readdirSync", "fs.readdirSync", "Dir.children"];
/// Methods of a path that give back the paths in it, and how they say that folders below are meant.
const BELOW: &[(&str, &str)] = &[("rglob", "**/"), ("glob", ""), ("iterdir", "*")];

/// Functions that change nothing, by their last name.
const READERS: &[&str] = &[
    "print",
    "len",
    "str",
    "int",
    "float",
    "repr",
    "sorted",
    "list",
    "dict",
    "set",
    "tuple",
    "range",
    "enumerate",
    "zip",
    "sum",
    "min",
    "max",
    "any",
    "all",
    "type",
    "isinstance",
    "load",
    "loads",
    "dumps",
    "read",
    "readlines",
    "split",
    "strip",
    "join",
    "format",
    "get",
    "keys",
    "values",
    "items",
    "log",
    "error",
    "stringify",
    "parse",
    "readFileSync",
    "existsSync",
    "puts",
    "p",
    "exists",
    "isfile",
    "isdir",
    "basename",
    "dirname",
    "listdir",
    "match",
    "search",
    "findall",
    "map",
    "filter",
    "forEach",
    "require",
    "startswith",
    "endswith",
    "round",
    "version",
    "exit",
    "hex",
    "abs",
    "toString",
    "slice",
    "includes",
    "fromEntries",
    "entries",
    "find",
    "if",
    "for",
    "while",
    "and",
    "in",
    "not",
    "or",
    "return",
    "switch",
    "open",
    "now",
    "append",
    "push",
    "getattr",
    "hasattr",
    "dir",
    "replace",
    "sort",
    "reverse",
];

/// The calls of a source that change files.
pub(crate) fn file_calls(language: Language, source: &str) -> Vec<FileCall> {
    let mut calls = Vec::new();
    each_call(language, source, |name, does, arguments, base| {
        let target = |index: usize| arguments.get(index).and_then(Clone::clone);
        let call = |kind, targets, recursive| FileCall { kind, name: name.to_owned(), targets, recursive };
        match does {
            Some(Does::Files(kind, recursive)) if language == Perl || language == Ruby => {
                let all: Option<Vec<_>> = arguments.iter().cloned().collect();
                let all = all.map(|all| all.concat()).filter(|all| !all.is_empty());
                let first = if kind == Delete { all } else { target(0) };
                calls.push(call(kind, first, recursive));
            }
            Some(Does::Files(kind, recursive)) => calls.push(call(kind, target(0), recursive)),
            Some(Does::Pair(kind)) => {
                let pair = target(0).zip(target(1)).map(|(from, to)| [from, to].concat());
                calls.push(call(kind, pair, false));
            }
            Some(Does::Opens) => {
                let mode = target(1).and_then(|mode| mode.into_iter().next()).map(|(mode, _)| mode);
                if mode.is_some_and(|mode| mode.starts_with('w')) {
                    calls.push(call(Overwrite, target(0), false));
                }
            }
            Some(Does::Shell) => {}
            None => {
                let method = name.rsplit(['.', ':']).next().unwrap_or_default();
                let found = METHODS.iter().find(|(known, _, _)| *known == method);
                if let (Some((_, kind, recursive)), Some(base)) = (found, base) {
                    calls.push(call(*kind, Some(base.to_vec()), *recursive));
                }
            }
        }
    });
    calls
}

/// The shell texts that a source runs, where they are literal.
pub(crate) fn shell_texts(language: Language, source: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let tokens = tokens(language, source);
    texts.extend(tokens.iter().filter_map(|token| match token {
        Token::Shell(text) => Some(text.clone()),
        _ => None,
    }));
    if language == Awk {
        // `print | "command"`, `"command" | getline`, and `do shell script "command"`.
        texts.extend(tokens.windows(2).filter_map(|pair| match pair {
            [Token::Sign('|'), Token::Text(Some(text))] | [Token::Text(Some(text)), Token::Sign('|')] => {
                Some(text.clone())
            }
            [Token::Name(script), Token::Text(Some(text))] if script == "script" => Some(text.clone()),
            _ => None,
        }));
    }
    each_call(language, source, |_, does, arguments, _| {
        if !matches!(does, Some(Does::Shell)) {
            return;
        }
        let words: Option<Vec<_>> = arguments.iter().take_while(|a| a.is_some()).cloned().collect();
        let words = words.unwrap_or_default().concat();
        match words.as_slice() {
            [] => {}
            [(only, _)] => texts.push(only.clone()),
            several => {
                let quoted = several.iter().map(|(word, _)| in_quotes(word));
                texts.push(quoted.collect::<Vec<_>>().join(" "));
            }
        }
    });
    texts
}

/// Whether an awk program runs a field of its input (`system($0)`).
pub(crate) fn runs_fields(source: &str) -> bool {
    // A field is a name to the tokens, without its `$`.
    tokens(Awk, source).windows(3).any(|three| {
        matches!(three, [Token::Name(system), Token::Sign('('), Token::Name(field)]
            if system == "system" && (field.is_empty() || field.bytes().all(|byte| byte.is_ascii_digit())))
    })
}

/// Names of functions that take an encoding off.
const DECODERS: &[&str] = &[
    "b64decode",
    "urlsafe_b64decode",
    "standard_b64decode",
    "a85decode",
    "unhexlify",
    "fromhex",
    "decompress",
    "atob",
];

/// Functions that run text of the source's own language.
static EVALUATORS: &[(Language, &[&str])] = &[
    (Language::Python, &["exec", "eval"]),
    (Language::JavaScript, &["eval", "Function"]),
    (Language::Ruby, &["eval", "instance_eval"]),
    (Language::Php, &["eval"]),
    (Language::Perl, &["eval"]),
];
/// Functions that fetch a text from the network.
const FETCHERS: &[&str] = &[
    "urlopen",
    "requests.get",
    "httpx.get",
    "fetch",
    "https.get",
    "http.get",
    "Net.HTTP.get",
    "URI.open",
    "LWP.Simple.get",
];

/// Whether a source runs, as source of its own language, what it fetches from the network.
pub(crate) fn runs_fetched(language: Language, source: &str) -> bool {
    let tokens = tokens(language, source);
    let fetches = |name: &str| {
        let name = name.replace("::", ".");
        FETCHERS
            .iter()
            .any(|known| name == *known || name.strip_suffix(known).is_some_and(|rest| rest.ends_with('.')))
    };
    let evaluators = EVALUATORS.iter().find(|(own, _)| *own == language).map_or(&[][..], |(_, names)| *names);
    let calls = |pair: &[Token]| matches!(pair, [Token::Name(name), Token::Sign('(')] if evaluators.contains(&name.as_str()));
    tokens.iter().any(|token| matches!(token, Token::Name(name) if fetches(name)))
        && tokens.windows(2).any(calls)
}

/// Whether a call runs shell text that the source decodes first.
pub(crate) fn runs_decoded(language: Language, source: &str) -> bool {
    let decodes = |name: &str| DECODERS.contains(&name.rsplit(['.', ':']).next().unwrap_or_default());
    let tokens = tokens(language, source);
    if !tokens.iter().any(|token| matches!(token, Token::Name(name) if decodes(name))) {
        return false;
    }
    // A name that was given another value is not the module.
    let assigned = |name: &str| {
        let base = name.split('.').next().unwrap_or_default();
        tokens.windows(3).any(|three| {
            matches!(three, [Token::Name(given), Token::Sign('='), next]
                if given == base && *next != Token::Sign('='))
        })
    };
    let mut runs = false;
    each_call(language, source, |name, does, arguments, _| {
        let unknown = arguments.iter().any(Option::is_none);
        runs |= matches!(does, Some(Does::Shell)) && unknown && !assigned(name);
    });
    runs
}

/// Whether a source only calls functions that change nothing.
pub(crate) fn only_reads(language: Language, source: &str) -> bool {
    let mut only = source.len() <= LONGEST_SOURCE && language != Language::Shell;
    let tokens = tokens(language, source);
    only &= !tokens.iter().any(|token| matches!(token, Token::Shell(_)));
    for (index, token) in tokens.iter().enumerate() {
        let Token::Name(name) = token else { continue };
        if tokens.get(index + 1) == Some(&Token::Sign('(')) {
            let last = name.rsplit(['.', ':']).next().unwrap_or_default();
            only &= READERS.contains(&last);
        } else if matches!(language, Perl | Ruby) {
            only &= READERS.contains(&name.as_str()) || find(language, name).is_none();
        }
    }
    only && file_calls(language, source).is_empty()
}

fn find(language: Language, name: &str) -> Option<Does> {
    let name = name.replace("::", ".").replace("->", ".");
    let matches = |known: &&str| {
        name == **known || name.strip_suffix(*known).is_some_and(|before| before.ends_with('.'))
    };
    FUNCTIONS.iter().find(|f| f.language == language && f.names.iter().any(matches)).map(|f| f.does)
}

/// The literals that an expression stands for, each with whether it is a pattern.
type Literals = Option<Vec<(String, bool)>>;

/// Calls `visit` with each call: its name, what is known of it, its arguments, and the path it is a method of.
fn each_call(
    language: Language,
    source: &str,
    mut visit: impl FnMut(&str, Option<Does>, &[Literals], Option<&[(String, bool)]>),
) {
    if source.len() > LONGEST_SOURCE || language == Language::Shell {
        return;
    }
    let tokens = tokens(language, source);
    let mut known = of_comprehensions(&tokens);
    for index in 0..tokens.len() {
        remember(&tokens, index, &mut known);
        let Some(Token::Name(name)) = tokens.get(index) else { continue };
        let does = find(language, name);
        let arguments = match tokens.get(index + 1) {
            Some(Token::Sign('(')) => arguments(&tokens, index + 2, &known, false),
            // Perl and Ruby call without parentheses too.
            Some(Token::Text(_) | Token::Name(_)) if does.is_some() && matches!(language, Perl | Ruby) => {
                arguments(&tokens, index + 1, &known, true)
            }
            _ => continue,
        };
        let base = match name.rsplit_once('.') {
            Some(("()", _)) => base_of_method(&tokens, index, &known),
            Some((variable, _)) => known.get(variable).cloned(),
            None => None,
        };
        visit(name, does, &arguments, base.as_deref());
    }
}

/// The names of `[… for x in …]`, which stand before what they are given.
fn of_comprehensions(tokens: &[Token]) -> HashMap<String, Vec<(String, bool)>> {
    let mut known = HashMap::new();
    for (index, pair) in tokens.windows(2).enumerate() {
        let is_inside = !matches!(pair, [Token::Sign(';' | '\n' | ':'), _]);
        if is_inside && pair.get(1) == Some(&Token::Name("for".to_owned())) {
            remember(tokens, index + 2, &mut known);
        }
    }
    known
}

/// Notes `for r, d, f in os.walk('x')`: the folder, and what may be below it.
fn remember_walk(
    tokens: &[Token],
    index: usize,
    known: &mut HashMap<String, Vec<(String, bool)>>,
) -> Option<()> {
    let [
        Token::Name(root),
        Token::Sign(','),
        Token::Name(folders),
        Token::Sign(','),
        Token::Name(files),
        is_in,
        walk,
    ] = tokens.get(index..index + 7)?
    else {
        return None;
    };
    if *is_in != Token::Name("in".to_owned()) || *walk != Token::Name("os.walk".to_owned()) {
        return None;
    }
    let start = arguments(tokens, index + 8, known, false).into_iter().next()??;
    known.insert(root.clone(), start);
    for below in [folders, files] {
        known.insert(below.clone(), vec![("**/*".to_owned(), true)]);
    }
    Some(())
}

/// Notes `x = 'literal'` and `for x in […]`.
fn remember(tokens: &[Token], index: usize, known: &mut HashMap<String, Vec<(String, bool)>>) {
    if remember_walk(tokens, index, known).is_some() {
        return;
    }
    let (Some(Token::Name(name)), Some(sign)) = (tokens.get(index), tokens.get(index + 1)) else { return };
    let assigns = *sign == Token::Sign('=') && tokens.get(index + 2) != Some(&Token::Sign('='));
    let loops = *sign == Token::Name("in".to_owned()) || *sign == Token::Name("of".to_owned());
    if !assigns && !loops {
        return;
    }
    // What its names stand for is noted with the first of them.
    if tokens.get(index + 2) == Some(&Token::Name("os.walk".to_owned())) {
        return;
    }
    let end = expression_end(tokens, index + 2);
    match literals(tokens.get(index + 2..end).unwrap_or_default(), known) {
        Some(values) => known.insert(name.clone(), values),
        None => known.remove(name),
    };
}

/// `Path('x').unlink()`: what stands in the parentheses before the dot.
fn base_of_method(tokens: &[Token], at: usize, known: &HashMap<String, Vec<(String, bool)>>) -> Literals {
    let mut depth = 0usize;
    for index in (0..at).rev().take(LONGEST_EXPRESSION) {
        match tokens.get(index)? {
            Token::Sign(')') => depth += 1,
            Token::Sign('(') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    let Some(Token::Name(name)) = tokens.get(index.checked_sub(1)?) else { return None };
                    PATHS.contains(&name.as_str()).then_some(())?;
                    return literals(tokens.get(index + 1..at - 1)?, known);
                }
            }
            _ => {}
        }
    }
    None
}

fn expression_end(tokens: &[Token], start: usize) -> usize {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(start).take(LONGEST_EXPRESSION) {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') if depth == 0 => return index,
            Token::Sign(')' | ']' | '}') => depth -= 1,
            Token::Sign(';' | '\n' | ':') if depth == 0 => return index,
            _ => {}
        }
    }
    tokens.len().min(start + LONGEST_EXPRESSION)
}

fn arguments(
    tokens: &[Token],
    start: usize,
    known: &HashMap<String, Vec<(String, bool)>>,
    bare: bool,
) -> Vec<Literals> {
    let mut arguments = Vec::new();
    let mut depth = 0usize;
    let mut from = start;
    for (index, token) in tokens.iter().enumerate().skip(start).take(LONGEST_EXPRESSION) {
        let ends = match token {
            Token::Sign('(' | '[' | '{') => {
                depth += 1;
                continue;
            }
            Token::Sign(')' | ']' | '}') if depth > 0 => {
                depth -= 1;
                continue;
            }
            Token::Sign(')' | ']' | '}') => true,
            Token::Sign(';' | '\n') => depth == 0 && bare,
            Token::Sign(',') if depth == 0 => false,
            _ => continue,
        };
        if index > from {
            arguments.push(literals(tokens.get(from..index).unwrap_or_default(), known));
        }
        from = index + 1;
        if ends {
            return arguments;
        }
    }
    if from < tokens.len() {
        let end = tokens.len().min(from + LONGEST_EXPRESSION);
        arguments.push(literals(tokens.get(from..end).unwrap_or_default(), known));
    }
    arguments
}

/// The literals of an expression.
fn literals(tokens: &[Token], known: &HashMap<String, Vec<(String, bool)>>) -> Literals {
    let tokens: Vec<&Token> = tokens.iter().filter(|token| **token != Token::Sign('\n')).collect();
    match tokens.as_slice() {
        [Token::Text(text)] => Some(vec![(text.clone()?, false)]),
        [Token::Name(name)] => known.get(name).cloned(),
        // Perl needs no parentheses.
        [Token::Name(name), Token::Text(text)] if name == "glob" => Some(vec![(text.clone()?, true)]),
        [Token::Sign('[' | '('), inner @ .., Token::Sign(']' | ')')] => all_texts(inner, known),
        [.., Token::Sign(')')] if tokens.iter().any(|token| is_method(token)) => path_method(&tokens, known),
        [Token::Name(name), Token::Sign('('), inner @ .., Token::Sign(')')] => {
            let values = all_texts(inner, known)?;
            let name = name.as_str();
            if PATHS.contains(&name) {
                Some(values)
            } else if JOINS.contains(&name) {
                let parts: Vec<&str> = values.iter().map(|(text, _)| text.as_str()).collect();
                Some(vec![(parts.join("/"), values.iter().any(|(_, glob)| *glob))])
            } else if LISTINGS.contains(&name) {
                Some(vec![("*".to_owned(), true)])
            } else if let Some((folder, method)) = name.rsplit_once('.')
                && let Some(folder) = known.get(folder)
            {
                in_folder(method, folder, &values)
            } else if GLOBS.contains(&name) {
                Some(values.into_iter().take(1).map(|(text, _)| (text, true)).collect())
            } else {
                None
            }
        }
        [Token::Text(Some(before)), Token::Sign('+'), Token::Name(name)] => {
            let values = known.get(name)?.iter();
            Some(values.map(|(text, glob)| (format!("{before}{text}"), *glob)).collect())
        }
        _ => None,
    }
}

/// Whether a name is a method of what a call gives back.
fn is_method(token: &Token) -> bool {
    matches!(token, Token::Name(name) if name.starts_with("()."))
}

/// `Path('x').glob('y')`.
fn path_method(tokens: &[&Token], known: &HashMap<String, Vec<(String, bool)>>) -> Literals {
    let at = tokens.iter().position(|token| is_method(token))?;
    let (Token::Name(method), [Token::Name(path), Token::Sign('('), folder @ .., Token::Sign(')')]) =
        (tokens.get(at)?, tokens.get(..at)?)
    else {
        return None;
    };
    let [Token::Sign('('), inner @ .., Token::Sign(')')] = tokens.get(at + 1..)? else { return None };
    PATHS.contains(&path.as_str()).then_some(())?;
    in_folder(method.strip_prefix("().")?, &all_texts(folder, known)?, &all_texts(inner, known)?)
}

/// What `Path('x').glob('y')` and its like stand for.
fn in_folder(method: &str, folder: &[(String, bool)], values: &[(String, bool)]) -> Literals {
    let (_, below) = BELOW.iter().find(|(known, _)| *known == method)?;
    let pattern = values.first().map_or("", |(text, _)| text.as_str());
    Some(folder.iter().map(|(folder, _)| (format!("{folder}/{below}{pattern}"), true)).collect())
}

fn all_texts(tokens: &[&Token], known: &HashMap<String, Vec<(String, bool)>>) -> Literals {
    let mut texts = Vec::new();
    for part in tokens.split(|token| **token == Token::Sign(',')) {
        match part {
            [] => {}
            [Token::Text(text)] => texts.push((text.clone()?, false)),
            [Token::Name(name)] => texts.extend(known.get(name)?.iter().cloned()),
            // A keyword argument names no file.
            [Token::Name(_), Token::Sign('='), ..] => {}
            _ => return None,
        }
    }
    Some(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(language: Language, source: &str) -> String {
        let calls = file_calls(language, source);
        let one = |call: &FileCall| {
            let targets = call.targets.as_ref().map_or("?".to_owned(), |targets| {
                targets.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join(" ")
            });
            format!("{:?} {targets}", call.kind)
        };
        calls.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn calls_that_change_files_are_found_with_their_literals() {
        for (language, source, expected) in [
            (Python, "import os; os.remove('x')", "Delete x"),
            (Python, "import os\nfor f in ['a', 'b']:\n  os.unlink(f)", "Delete a b"),
            (Python, "import shutil; shutil.rmtree(\"src\")", "Delete src"),
            (Python, "from pathlib import Path; Path('x').unlink()", "Delete x"),
            (Python, "p = Path('x')\np.unlink()", "Delete x"),
            (Python, "import os; os.remove(os.path.join('a', 'b'))", "Delete a/b"),
            (Python, "import glob,os\nfor f in glob.glob('*.ts'): os.remove(f)", "Delete *.ts"),
            (Python, "for p in Path('src').rglob('*.ts'): p.unlink()", "Delete src/**/*.ts"),
            (Python, "[p.unlink() for p in Path('src').rglob('*')]", "Delete src/**/*"),
            (Python, "root = Path('src')\nfor p in root.iterdir():\n  p.unlink()", "Delete src/*"),
            (
                Python,
                "import os\nfor f in os.listdir('src'): os.remove(os.path.join('src', f))",
                "Delete src/*",
            ),
            (Python, "import os\nfor f in os.listdir('src'): os.remove('src/' + f)", "Delete src/*"),
            (
                Python,
                "import os\nfor r, d, fs in os.walk('src'):\n  for f in fs:\n    os.remove(os.path.join(r, f))",
                "Delete src/**/*",
            ),
            (Python, "open('f', 'w').write('')", "Overwrite f"),
            (Python, "os.remove(f'{x}')", "Delete ?"),
            (Python, "os.rename('a', 'b')", "Move a b"),
            (JavaScript, "require('fs').rmSync('x', {recursive: true})", "Delete x"),
            (JavaScript, "const fs = require('fs'); fs.unlinkSync(\"x\")", "Delete x"),
            (JavaScript, "fs.promises.rm('x')", "Delete x"),
            (JavaScript, "fs.writeFileSync('a', 'b')", "Overwrite a"),
            (Perl, "unlink 'a', 'b';", "Delete a b"),
            (Perl, "unlink(\"a\")", "Delete a"),
            (Perl, "unlink glob \"src/*\"", "Delete src/*"),
            (Perl, "unlink glob('src/*')", "Delete src/*"),
            (Awk, "os.remove('src/a')", "Delete src/a"),
            (Ruby, "File.delete('x')", "Delete x"),
            (Ruby, "FileUtils.rm_rf 'x'", "Delete x"),
            (Php, "unlink('x');", "Delete x"),
        ] {
            assert_eq!(shown(language, source), expected, "{source}");
        }
    }

    #[test]
    fn strings_comments_and_readers_are_not_calls() {
        for (language, source) in [
            (Python, "print(\"os.remove('x')\")"),
            (Python, "# os.remove('x')"),
            (Python, "open('f').read()"),
            (Python, "items.remove('x')"),
            (Python, "import json,sys; print(json.load(sys.stdin)['a'])"),
            (JavaScript, "// fs.unlinkSync('x')\nconsole.log(1)"),
            (JavaScript, "console.log('fs.rmSync(1)')"),
        ] {
            assert_eq!(shown(language, source), "", "{source}");
        }
        assert!(only_reads(Python, "import json,sys; print(json.load(sys.stdin)['a'])"));
        assert!(!only_reads(Python, "import x; x.work()"));
    }

    #[test]
    fn shell_texts_are_found() {
        for (language, source, expected) in [
            (Python, "import os; os.system('rm -rf src')", "rm -rf src"),
            (Python, "subprocess.run(['rm', '-rf', 'src'])", "'rm' '-rf' 'src'"),
            (JavaScript, "require('child_process').execSync('rm x')", "rm x"),
            (Ruby, "`rm x`", "rm x"),
            (Perl, "system('rm', 'x')", "'rm' 'x'"),
        ] {
            assert_eq!(shell_texts(language, source), [expected], "{source}");
        }
    }
}
