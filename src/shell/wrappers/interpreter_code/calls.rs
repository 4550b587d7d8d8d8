//! The calls of a source, each with what is known of its arguments.
//!
//! An argument counts as known only when it is a literal, a list of them, or a name that was given one before.

use crate::shell::model::{ScriptLanguage, UNKNOWN, resolve};
use crate::shell::wrappers::interpreter_code::functions::{EVALUATORS, FunctionEffect, find};
use crate::shell::wrappers::interpreter_code::known::{
    hand_over, of_comprehensions, of_modifiers, parameters, remember,
};
use crate::shell::wrappers::interpreter_code::literals::{Literals, arguments, base_of_method, closing};
use crate::shell::wrappers::interpreter_code::names::named_tokens;
use crate::shell::wrappers::interpreter_code::tokens::SourceToken;
use crate::shell::wrappers::interpreter_code::values::KnownValues;

use std::path::Path;

use ScriptLanguage::{Perl, Php, Ruby};

/// The longest source that is read, in bytes.
pub(crate) const LONGEST_SOURCE: usize = 64 * 1024;
/// How deep a source may run a source.
const DEEPEST_SOURCE: u32 = 4;

/// Functions that change where the process stands.
const MOVES: &[&str] = &["os.chdir", "process.chdir", "Deno.chdir", "chdir", "Dir.chdir", "FileUtils.cd"];
/// Functions that call another one with each element of a list.
const HANDS_OVER: &[&str] = &["map", "array_map", "array_walk", "forEach", "each"];

/// One call of a source.
pub(crate) struct SourceCall<'c> {
    /// The function, by the name that it has in its module.
    pub(crate) name: &'c str,
    /// What it is known to do.
    pub(crate) does: Option<FunctionEffect>,
    /// Its arguments as far as they are known.
    pub(crate) arguments: &'c [Literals],
    /// The path that it is a method of.
    pub(crate) base: Option<&'c [(String, bool)]>,
    /// The tokens between its brackets.
    pub(crate) inside: &'c [SourceToken],
    /// What stands behind it.
    pub(crate) behind: &'c [SourceToken],
    /// What names stand for here.
    pub(crate) known: &'c KnownValues,
    /// Where the process stands by then; nothing where the source has not moved it.
    pub(crate) folder: Option<&'c str>,
}

/// Calls `visit` with each call of a source.
pub(crate) fn each_call(language: ScriptLanguage, source: &str, mut visit: impl FnMut(&SourceCall)) {
    calls_within(language, source, 0, &mut visit);
}

fn calls_within(language: ScriptLanguage, source: &str, depth: u32, visit: &mut dyn FnMut(&SourceCall)) {
    if source.len() > LONGEST_SOURCE || language == ScriptLanguage::Shell || depth > DEEPEST_SOURCE {
        return;
    }
    let tokens = named_tokens(language, source);
    let mut start = of_comprehensions(&tokens);
    of_modifiers(language, &tokens, &mut start);
    let own = parameters(&tokens);
    if own.values().any(|names| !names.is_empty()) {
        let mut handed = KnownValues::new();
        walk(language, &tokens, start.clone(), &mut |call| {
            if let Some(names) = own.get(call.name) {
                hand_over(names, call.arguments, &mut handed);
            }
        });
        start.extend(handed.into_iter().filter(|(_, values)| !values.is_empty()));
    }
    walk(language, &tokens, start, &mut |call| {
        visit(call);
        let evaluators = EVALUATORS.iter().find(|(known, _)| *known == language).map_or(&[][..], |it| it.1);
        if let Some(Some([(text, false)])) = call.arguments.first().map(Option::as_deref)
            && evaluators.contains(&call.name)
        {
            calls_within(language, text, depth + 1, visit);
        }
    });
}

/// Goes through the tokens once, noting what names are given on the way.
fn walk(
    language: ScriptLanguage,
    tokens: &[SourceToken],
    mut known: KnownValues,
    visit: &mut dyn FnMut(&SourceCall),
) {
    let mut folder: Option<String> = None;
    for index in 0..tokens.len() {
        remember(tokens, index, &mut known);
        let Some(SourceToken::Name(name)) = tokens.get(index) else { continue };
        let does = find(language, name);
        let is_bracketed = tokens.get(index + 1) == Some(&SourceToken::Sign('('));
        let arguments = match tokens.get(index + 1) {
            Some(SourceToken::Sign('(')) => arguments(tokens, index + 2, &known, false),
            // Perl's own functions take what the line is done with.
            Some(SourceToken::Name(word)) if does.is_some() && matches!(word.as_str(), "for" | "foreach") => {
                vec![known.get("_").cloned()]
            }
            // Perl and Ruby call without parentheses too.
            Some(SourceToken::Text(_) | SourceToken::Mixed(_) | SourceToken::Name(_))
                if does.is_some() && matches!(language, Perl | Ruby) =>
            {
                arguments(tokens, index + 1, &known, true)
            }
            // A method of a path may have no brackets at all.
            _ if language == Ruby && name.starts_with("().") => Vec::new(),
            _ => continue,
        };
        let end = if is_bracketed { closing(tokens, index + 1) } else { index };
        let base = match name.rsplit_once('.') {
            Some(("()", _)) => base_of_method(tokens, index, &known),
            Some((variable, _)) => known.get(variable).cloned(),
            None => None,
        };
        if is_one_of(name, MOVES) {
            let to = arguments.first().and_then(|to| to.as_ref()?.first()).map(|(to, _)| to.as_str());
            folder = Some(moved(folder.as_deref(), to));
        }
        let call = SourceCall {
            name,
            does,
            arguments: &arguments,
            base: base.as_deref(),
            inside: tokens.get(index + 2..end).unwrap_or_default(),
            behind: tokens.get(end + 1..).unwrap_or_default(),
            known: &known,
            folder: folder.as_deref(),
        };
        visit(&call);
        handed_on(language, &call, visit);
    }
}

/// `map(os.remove, files)`, `files.forEach(fs.unlinkSync)`: the function that each element is handed to.
fn handed_on(language: ScriptLanguage, call: &SourceCall, visit: &mut dyn FnMut(&SourceCall)) {
    let last = call.name.rsplit('.').next().unwrap_or_default();
    if !HANDS_OVER.contains(&last) {
        return;
    }
    let name = match call.inside {
        [SourceToken::Name(name)] | [SourceToken::Name(name), SourceToken::Sign(','), ..] => name,
        [SourceToken::Text(Some(name)), SourceToken::Sign(','), ..] if language == Php => name,
        _ => return,
    };
    let values = match call.base {
        Some(base) => Some(base.to_vec()),
        None => call.arguments.get(1).cloned().flatten(),
    };
    if let Some(does) = find(language, name) {
        visit(&SourceCall { name, does: Some(does), arguments: &[values], base: None, ..*call });
    }
}

/// Whether a name is one of a list, whatever stands before it.
pub(crate) fn is_one_of(name: &str, list: &[&str]) -> bool {
    list.iter().any(|one| name == *one || name.strip_suffix(one).is_some_and(|rest| rest.ends_with('.')))
}

/// Where a process stands after a move.
fn moved(from: Option<&str>, to: Option<&str>) -> String {
    match (from, to) {
        (_, None) => UNKNOWN.to_string(),
        (_, Some(to)) if to.starts_with(['/', '~']) || to.contains(UNKNOWN) => to.to_owned(),
        (from, Some(to)) => joined(from.unwrap_or("."), to),
    }
}

/// A path seen from a folder.
pub(crate) fn joined(folder: &str, path: &str) -> String {
    match path.starts_with(['/', '~']) {
        true => path.to_owned(),
        false => resolve(Path::new(folder), path).to_string_lossy().into_owned(),
    }
}
