//! Roles, abilities and guards of a function that its route, a configuration for the whole application or a base asks now.

use crate::detectors::product::check_sources::{CheckSource, SearchedChange, is_about, is_import};
use crate::detectors::product::lost_statements::{LostStatement, normal};
use crate::languages::code::identifiers;
use crate::model::words::is_name_part;

/// What a line that asks who somebody is has, in lower case.
const GUARDING: &[&str] = &[
    "role",
    "authorit",
    "can(",
    "can:",
    "middleware",
    "authorize",
    "permission",
    "guard",
    "polic",
    "before_action",
    "login",
    "require",
    "admin",
    "auth",
    "abilit",
    "access",
    "plug",
    "depends",
    "security",
    ".use(",
    "verified",
];
/// What stands in front of everything.
const FOR_ALL: &[&str] =
    &["APP_GUARD", "useGlobalGuards", "anyRequest()", "MapControllers(", "FallbackPolicy", "AuthorizeFilter"];
/// Words for what a mark asks, whatever the role.
const PLAIN: &[&str] = &["isauthenticated", "authenticated", "permitall"];
/// Methods of HTTP.
const METHODS: &[&str] = &["get", "post", "put", "patch", "delete"];

/// Whether a source asks now what a lost mark or call asked.
pub(super) fn is_granted(change: &SearchedChange, lost: &LostStatement, sources: &[CheckSource]) -> bool {
    let tokens = tokens(&lost.text);
    let method = method_around(change, lost);
    !tokens.is_empty()
        && sources.iter().any(|source| {
            source.gained.iter().any(|at| {
                let line = source.lines.get(*at).copied().unwrap_or_default();
                let asking = asking_part(line);
                let texts = asking.split(['"', '\'']).skip(1).step_by(2);
                let known: Vec<String> = identifiers(asking).chain(texts).map(normal).collect();
                let has_token = |token: &String| {
                    let bare = token.trim_start_matches("is").trim_start_matches("role");
                    known.iter().any(|it| it == token || it == bare && bare.len() > 3)
                        || token.contains('.') && line.contains(token.as_str())
                };
                !asking.is_empty()
                    && !is_import(line)
                    && tokens.iter().all(has_token)
                    && is_for_it(change, lost, source, (*at, line), method.as_deref())
            })
        })
}

/// Whether a guarding line is for the function of a lost statement: it names it, its path, or stands before all.
fn is_for_it(
    change: &SearchedChange,
    lost: &LostStatement,
    source: &CheckSource,
    (at, line): (usize, &str),
    method: Option<&str>,
) -> bool {
    let own = methods(line);
    if method.is_some_and(|it| !own.is_empty() && !own.iter().any(|own| own == it)) {
        return false;
    }
    let paths = paths(line);
    if paths.iter().any(|path| path.len() > 1) {
        let known: Vec<&str> =
            change.before.lines().flat_map(self::paths).filter(|it| it.len() > 1).collect();
        if !known.is_empty() {
            return paths.iter().any(|path| known.iter().any(|it| is_below(it, path)));
        }
    }
    let is_base = || {
        let is_filter = line.trim_start().starts_with("before_action")
            && !line.contains("only")
            && !line.contains("except");
        is_filter && source.declared().iter().any(|name| identifiers(change.after).any(|word| word == *name))
    };
    is_about(change, lost, &source.window(at)) || FOR_ALL.iter().any(|it| line.contains(it)) || is_base()
}

/// A line from its first word on that asks who somebody is: what stands before, as a path does, is no role.
fn asking_part(line: &str) -> &str {
    let lower = line.to_lowercase();
    let first = GUARDING.iter().filter_map(|word| lower.find(word)).min();
    let Some(head) = first.and_then(|at| line.get(..at)) else { return "" };
    let start = head.rfind(|c: char| !is_name_part(c)).map_or(0, |at| at + 1);
    line.get(start..).unwrap_or_default()
}

/// What a statement asks for: its texts, else the names that it is given, else its own name.
fn tokens(text: &str) -> Vec<String> {
    let depended: Vec<String> = ["Depends(", "Security("]
        .iter()
        .flat_map(|call| text.split(call).skip(1))
        .filter_map(|rest| identifiers(rest).next().map(normal))
        .collect();
    if !depended.is_empty() {
        return depended;
    }
    let quoted = |text: &str, mark: char| -> Vec<String> {
        text.split(mark).skip(1).step_by(2).filter(|it| !it.is_empty()).map(str::to_owned).collect()
    };
    let outer = if text.contains('"') { quoted(text, '"') } else { quoted(text, '\'') };
    let inner: Vec<String> = outer.iter().flat_map(|it| quoted(it, '\'')).collect();
    let texts = if inner.is_empty() { outer } else { inner };
    if !texts.is_empty() {
        let plain = |it: &String| if it.contains('.') { it.clone() } else { normal(it) };
        return texts.iter().map(plain).collect();
    }
    let symbols: Vec<String> = text
        .split([' ', '(', '['])
        .filter_map(|word| word.strip_prefix(':'))
        .map(|word| normal(word.trim_matches([',', ')', ']'])))
        .filter(|it| !it.is_empty())
        .collect();
    if !symbols.is_empty() {
        return symbols;
    }
    let names: Vec<String> = identifiers(text).map(normal).filter(|it| it.len() > 2).collect();
    match names.split_first() {
        Some((own, [])) => vec![own.clone()],
        Some((_, given)) => given.iter().filter(|it| !PLAIN.contains(&it.as_str())).cloned().collect(),
        None => Vec::new(),
    }
}

/// The method of HTTP by which a function is asked, from the marks around a lost one.
fn method_around(change: &SearchedChange, lost: &LostStatement) -> Option<String> {
    let lines: Vec<&str> = change.before.lines().collect();
    let is_mark = |line: &&&str| line.trim().starts_with(['@', '[', '#', '-']) || line.trim().is_empty();
    let above = lines.get(..lost.lines.start)?.iter().rev().take_while(is_mark).take(6);
    let below = lines.get(lost.lines.end..)?.iter().take_while(is_mark).take(6);
    above.chain(below).find_map(|line| {
        let lower = line.trim().to_lowercase();
        let is_it = |method: &&&str| {
            ["@{}mapping", "@{}(", "[http{}", ".{}("]
                .iter()
                .any(|form| lower.contains(&form.replace("{}", method)))
        };
        METHODS.iter().find(is_it).map(|it| (*it).to_owned())
    })
}

/// The methods of HTTP that a line is for.
fn methods(line: &str) -> Vec<String> {
    let words = line.split(|c: char| !c.is_alphanumeric());
    let upper =
        words.filter(|word| METHODS.iter().any(|it| it.to_uppercase() == *word)).map(str::to_lowercase);
    let lower = line.to_lowercase();
    let called = METHODS.iter().filter(|it| {
        [format!(".{it}("), format!("::{it}("), format!("{it} \""), format!("{it} '")].iter().any(|form| {
            lower.trim_start().starts_with(form.as_str())
                || lower.contains(form.as_str()) && !form.ends_with(['"', '\''])
        })
    });
    upper.chain(called.map(|it| (*it).to_owned())).collect()
}

/// The paths that a line names, without what stands for anything.
fn paths(line: &str) -> Vec<&str> {
    let texts =
        line.split(['"', '\'']).skip(1).step_by(2).filter(|it| it.starts_with('/') && !it.contains(' '));
    texts.map(|it| it.trim_end_matches(['*', '/'])).collect()
}

/// Whether one path lies below another, or the other way round.
fn is_below(one: &str, other: &str) -> bool {
    let below =
        |a: &str, b: &str| a.strip_prefix(b).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    !other.is_empty() && (below(one, other) || below(other, one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_mark_asks_is_its_texts_or_its_names() {
        assert_eq!(tokens("@PreAuthorize(\"hasRole('CHIEF')\")"), ["chief"]);
        assert_eq!(tokens("$this->authorize('update', $post);"), ["update"]);
        assert_eq!(tokens("authorize! :destroy, @post"), ["destroy"]);
        assert_eq!(tokens("@UseGuards(StaffGuard)"), ["staffguard"]);
        assert_eq!(tokens("@login_required"), ["loginrequired"]);
        assert_eq!(tokens("@permission_required(\"shop.close\")"), ["shop.close"]);
    }
}
