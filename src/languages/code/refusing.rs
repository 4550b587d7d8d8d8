//! Which lines of code say no: they throw, return an error, answer with an error's status, or call what does.
//!
//! Judged line by line, by the words of one table for each language; text in strings and comments is no word.

use crate::languages::code::bare;
use crate::languages::code::statements::{LOG_HEADS, LOGS};
use crate::languages::code::status_constants::is_status_constant;
use crate::model::words::unparted;

/// How one language says no.
#[derive(Debug)]
pub(crate) struct Refusing {
    /// What begins a comment to the end of the line.
    pub(crate) comment: &'static str,
    /// Whether a single quote begins a string.
    pub(crate) single_quotes: bool,
    /// Words that leave with an error, or call what leaves with one.
    pub(crate) words: &'static [&'static str],
    /// How such words begin.
    pub(crate) starts: &'static [&'static str],
    /// How names of errors begin, where they are returned.
    pub(crate) returned: &'static [&'static str],
    /// Such texts that are no words, without blanks.
    pub(crate) texts: &'static [&'static str],
    /// Texts without blanks that let another's error come up.
    pub(crate) passing: &'static [&'static str],
    /// Texts without blanks that put a value in the place of an error, or of one that is missing.
    pub(crate) fallbacks: &'static [&'static str],
}

/// Statuses of HTTP that say no, as identifiers end with them, in lower case and without `_`.
const STATUSES: &[&str] = &[
    "badrequest",
    "unauthorized",
    "forbidden",
    "notfound",
    "unprocessableentity",
    "unprocessablecontent",
    "toomanyrequests",
    "internalservererror",
    "methodnotallowed",
    "http404",
    "serviceunavailable",
    "preconditionfailed",
];
/// Words near a number that make it a status, in lower case.
const NEAR_STATUS: &[&str] = &["status", "respond", "response", "send", "render", "head", "json", "reply"];
/// What a message says about a fault, in lower case.
const FAULTS: &[&str] = &[
    "invalid",
    "required",
    "must ",
    "too ",
    "error",
    "fail",
    "missing",
    "not ",
    "unsupported",
    "denied",
    "expired",
    "bad ",
    "wrong",
    " only",
    "needs ",
    "unknown",
    "forbidden",
    "cannot",
    "can't",
];
/// What identifiers have that are about errors, in lower case.
const ABOUT_ERRORS: &[&str] = &["error", "exception", "invalid", "reject", "problem", "failure"];

/// Words that begin a handler: it names the errors that it takes.
const HANDLERS: &[&str] = &["except", "catch", "rescue"];

/// A line of code without the contents of its strings and without its comment.
pub(crate) fn plain(table: &Refusing, line: &str) -> String {
    let mut code = String::with_capacity(line.len());
    let (mut quote, mut escaped) = (None, false);
    for (at, c) in line.char_indices() {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(open) if c == open => {
                quote = None;
                code.push(c);
            }
            Some(_) => {}
            None if line.get(at..).is_some_and(|rest| rest.starts_with(table.comment)) => break,
            None => {
                let is_quote = matches!(c, '"' | '`') || (c == '\'' && table.single_quotes);
                quote = is_quote.then_some(c);
                code.push(c);
            }
        }
    }
    code
}

/// The identifiers of a line of code.
pub(crate) fn identifiers(code: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '?' | '!');
    code.split(move |c| !is_part(c)).map(|it| it.trim_end_matches(['?', '!'])).filter(|it| !it.is_empty())
}

/// Whether a line of code says no.
pub(crate) fn refuses(table: &Refusing, line: &str) -> bool {
    let whole = plain(table, line);
    let code = if is_definition(&whole) {
        let Some(body) = body_beside(&whole) else { return false };
        body.to_owned()
    } else {
        // The level of a log line is no refusal: `log.error(…)`.
        behind_level(&whole).map_or(whole.clone(), str::to_owned)
    };
    // A pattern takes an error apart and gives none.
    let code = if code.contains("case Left(") { code.replace("case Left(", "case (") } else { code };
    let bare = bare(&code);
    // A process that ends well says nothing against anything.
    if bare.contains("exit(0") || bare.contains("halt(0") {
        return false;
    }
    let returns = identifiers(&code).any(|word| word == "return");
    let is_said = |word: &str| {
        let begins = |all: &[&str]| all.iter().any(|it| word.starts_with(it));
        let is_error = begins(table.starts) || (returns && begins(table.returned));
        table.words.contains(&word) || is_error || is_status(word)
    };
    identifiers(&code).any(is_said)
        || table.texts.iter().any(|it| bare.contains(it) && has_head(&code, it))
        || gives_status(&code)
        || returns && gives_status_by_key(line)
        || code
            .split_once("return")
            .is_some_and(|(_, value)| identifiers(value).any(is_fault) || is_code(value))
        || names_fault(&code, line)
}

/// Whether a text that begins with a type stands in code for a type: `foldLeft(` is no `Left(`. What makes an error may
/// have any name: `makeError(`.
fn has_head(code: &str, text: &str) -> bool {
    let is_type = |name: &str| name.starts_with(char::is_uppercase);
    let head = identifiers(text).next().unwrap_or_default();
    !is_type(head)
        || identifiers(code).any(|word| word.ends_with(head) && (is_type(word) || head.ends_with("Error")))
}

/// Whether a line says no, or may: it is about errors.
pub(crate) fn may_refuse(table: &Refusing, line: &str) -> bool {
    let code = plain(table, line);
    let is_handler = identifiers(&code).next().is_some_and(|word| HANDLERS.contains(&word));
    refuses(table, line)
        || !is_handler
            && identifiers(&code).any(|word| {
                let lower = word.to_lowercase();
                ABOUT_ERRORS.iter().any(|it| lower.contains(it)) || lower == "err"
            })
            && !is_log(&code)
}

/// Whether a line lets the error of another come up.
pub(crate) fn passes_on(table: &Refusing, line: &str) -> bool {
    let bare = bare(&plain(table, line));
    // Swift's `try?` passes nothing on.
    let bare = bare.replace("try?", "");
    table.passing.iter().any(|it| bare.contains(it))
}

/// Whether a line puts a value in the place of what is missing.
pub(crate) fn falls_back(table: &Refusing, line: &str) -> bool {
    let bare = bare(&plain(table, line));
    table.fallbacks.iter().any(|it| bare.contains(it))
}

/// Whether a line of code writes a log.
pub(crate) fn is_log(code: &str) -> bool {
    let code = code.trim_start();
    let first = code.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    let is_kept = || keeps(code.get(first.len()..).unwrap_or_default());
    LOGS.contains(&first) && !is_kept()
        || LOG_HEADS.iter().any(|head| code.starts_with(head))
        || first == "echo"
}

/// Whether what is called on something by the name of a log keeps what it gets, as a journal does: `.record(` of
/// `log.record(quote)`.
fn keeps(rest: &str) -> bool {
    const KEEPING: &[&str] =
        &["record", "add", "append", "push", "save", "store", "insert", "enqueue", "put"];
    let name = rest.strip_prefix('.').or_else(|| rest.strip_prefix("->")).unwrap_or_default();
    name.split_once('(').is_some_and(|(name, _)| KEEPING.contains(&name))
}

/// What stands behind the level of a log line: `"no user")` of `log.error("no user")`.
fn behind_level(code: &str) -> Option<&str> {
    const LEVELS: &[&str] = &[
        "error",
        "warn",
        "warning",
        "info",
        "debug",
        "trace",
        "notice",
        "critical",
        "exception",
        "log",
        "w",
        "e",
        "i",
        "d",
        "v",
        "severe",
        "fine",
    ];
    let at = code.find(['(', '{'])?;
    let (head, rest) = code.split_at(at);
    let (holder, level) = head.trim_end().rsplit_once('.')?;
    let lower = level.to_lowercase();
    (is_log(holder) && LEVELS.contains(&lower.as_str())).then_some(rest)
}

/// Heads of classes and functions name errors and raise none.
fn is_definition(code: &str) -> bool {
    let first =
        identifiers(code).find(|word| !matches!(*word, "pub" | "export" | "public" | "static" | "async"));
    let heads = ["class", "def", "defp", "fn", "func", "fun", "function", "import", "use", "from", "enum"];
    first.is_some_and(|word| heads.contains(&word))
}

/// What a function does whose body stands beside its head: `def f(_), do: raise "x"`, `fun f(): T = throw E()`.
fn body_beside(definition: &str) -> Option<&str> {
    if let Some((_, body)) = definition.split_once(", do: ") {
        return Some(body);
    }
    let is_of_kind = ["fun ", "def ", "defp "].iter().any(|it| definition.contains(it));
    let (head, body) = definition.rsplit_once(" = ").filter(|_| is_of_kind)?;
    let is_closed = head.matches('(').count() == head.matches(')').count();
    (is_closed && head.contains(')') && !body.trim().is_empty()).then_some(body)
}

fn is_status(word: &str) -> bool {
    let lower = unparted(word);
    STATUSES.iter().any(|status| lower.ends_with(status)) || is_status_constant(word)
}

/// `kBadCrc`, `ParseErrorKind`, `TOO_LONG`: the name of a fault, as a constant or a type has it.
fn is_fault(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "Bad",
        "Invalid",
        "Error",
        "Fail",
        "TooLong",
        "TooLarge",
        "TooMany",
        "Denied",
        "Unauthorized",
        "Forbidden",
        "NotFound",
        "Missing",
        "Expired",
        "Corrupt",
        "Overflow",
        "Mismatch",
        "Rejected",
        "BAD_",
        "INVALID",
        "ERROR",
        "TOO_",
        "DENIED",
        "NOT_FOUND",
        "EXPIRED",
        "_ERR",
    ];
    if is_error_number(word) {
        return true;
    }
    let name = word.strip_prefix('k').filter(|rest| rest.starts_with(char::is_uppercase)).unwrap_or(word);
    name.starts_with(char::is_uppercase)
        && WORDS.iter().any(|it| name.contains(it))
        && !name.contains("Boundary")
}

/// `Code::unbalanced`: a value of an enumeration of errors that is not the one of success.
fn is_code(value: &str) -> bool {
    const TYPES: &[&str] =
        &["Code", "ErrorCode", "Errc", "errc", "Err", "Fault", "Failure", "Refusal", "ErrorKind"];
    const GOOD: &[&str] =
        &["ok", "Ok", "OK", "kOk", "success", "Success", "none", "None", "done", "accepted"];
    let names: Vec<&str> = identifiers(value).collect();
    names.windows(2).any(|two| match two {
        [kind, name] => {
            TYPES.contains(kind) && !GOOD.contains(name) && value.contains(&format!("{kind}::{name}"))
        }
        _ => false,
    })
}

/// `EINVAL`, `RING_EFULL`: the name of an error's number, as plain C has it.
fn is_error_number(word: &str) -> bool {
    const NUMBERS: &[&str] = &[
        "AGAIN",
        "BUSY",
        "CANCELED",
        "CLOSED",
        "CRC",
        "DENIED",
        "EMPTY",
        "EXIST",
        "EXPIRED",
        "FAULT",
        "FORMAT",
        "FULL",
        "INVAL",
        "IO",
        "LIMIT",
        "LOCKED",
        "MSGSIZE",
        "NOENT",
        "NOMEM",
        "NOSPC",
        "NOSYS",
        "NOTFOUND",
        "NOTSUP",
        "OVERFLOW",
        "PARSE",
        "PERM",
        "RANGE",
        "SIZE",
        "STATE",
        "TIMEDOUT",
        "TIMEOUT",
        "TOOBIG",
        "TYPE",
        "UNDERFLOW",
        "VERSION",
    ];
    let last = word.rsplit('_').next().unwrap_or(word);
    last.strip_prefix('E').is_some_and(|it| NUMBERS.contains(&it))
}

/// `status(404)`, `status_code=422`, `respond(…, 403)`.
fn gives_status(code: &str) -> bool {
    let is_code = |word: &str| {
        word.len() == 3 && word.starts_with(['4', '5']) && word.bytes().all(|b| b.is_ascii_digit())
    };
    identifiers(code).any(is_code)
        && identifiers(code).any(|word| {
            let lower = word.to_lowercase();
            NEAR_STATUS.iter().any(|it| lower.contains(it))
        })
}

/// `['status' => 422, …]`, `{"statusCode": 404}`: a status under its name in what is given back.
fn gives_status_by_key(line: &str) -> bool {
    let bare = bare(line);
    ["status", "statusCode", "status_code", "code"].iter().any(|key| {
        ['\'', '"'].iter().any(|quote| {
            let key = format!("{quote}{key}{quote}");
            bare.split(key.as_str()).skip(1).any(|rest| {
                let number = rest.trim_start_matches(['=', '>', ':']);
                let digits = number.bytes().take_while(u8::is_ascii_digit).count();
                digits == 3 && number.starts_with(['4', '5']) && rest.len() > number.len()
            })
        })
    })
}

/// `return 'too short'`: an answer that names a fault.
fn names_fault(code: &str, line: &str) -> bool {
    if !identifiers(code).any(|word| word == "return") {
        return false;
    }
    let Some((_, value)) = line.split_once("return") else { return false };
    let value = value.trim().trim_end_matches(';');
    let is_text = value.len() > 4 && value.starts_with(['"', '\'']) && value.ends_with(['"', '\'']);
    let lower = value.to_lowercase();
    is_text && FAULTS.iter().any(|word| lower.contains(word))
}
