//! Whether a source calls only functions that change nothing.

use crate::shell::model::ScriptLanguage;
use crate::shell::wrappers::interpreter_code::calls::LONGEST_SOURCE;
use crate::shell::wrappers::interpreter_code::file_calls;
use crate::shell::wrappers::interpreter_code::functions::find;
use crate::shell::wrappers::interpreter_code::names::named_tokens;
use crate::shell::wrappers::interpreter_code::tokens::SourceToken;

use ScriptLanguage::{Perl, Ruby};

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

/// Whether a source only calls functions that change nothing.
pub(crate) fn only_reads(language: ScriptLanguage, source: &str) -> bool {
    let mut only = source.len() <= LONGEST_SOURCE && language != ScriptLanguage::Shell;
    let tokens = named_tokens(language, source);
    for (index, token) in tokens.iter().enumerate() {
        let SourceToken::Name(name) = token else { continue };
        if tokens.get(index + 1) == Some(&SourceToken::Sign('(')) {
            let last = name.rsplit(['.', ':']).next().unwrap_or_default();
            only &= READERS.contains(&last);
        } else if matches!(language, Perl | Ruby) {
            only &= READERS.contains(&name.as_str()) || find(language, name).is_none();
        }
    }
    only && file_calls(language, source).is_empty()
}
