//! Steps between a value and its use that are left out: sorted, without duplicates, trimmed, in one case, rounded.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::line_conditions::group;
use crate::languages::code::{bare, is_log};
use crate::model::words::unparted;

/// Names of such steps in lower case and without `_`, with another word that a test has for what they do.
const STEPS: &[(&str, &str)] = &[
    ("sort", "order"),
    ("sorted", "order"),
    ("sortby", "order"),
    ("sortedby", "order"),
    ("orderby", "sort"),
    ("orderbydescending", "sort"),
    ("sortwith", "order"),
    ("sortedwith", "order"),
    ("sortunstable", "order"),
    ("distinct", "duplicate"),
    ("distinctby", "duplicate"),
    ("uniq", "duplicate"),
    ("uniqby", "duplicate"),
    ("unique", "duplicate"),
    ("dedup", "duplicate"),
    ("arrayunique", "duplicate"),
    ("reverse", "newest"),
    ("reversed", "newest"),
    ("trim", "space"),
    ("strip", "space"),
    ("trimend", "space"),
    ("trimstart", "space"),
    ("trimmingcharacters", "space"),
    ("trimspace", "space"),
    ("tolowercase", "case"),
    ("touppercase", "case"),
    ("lower", "case"),
    ("upper", "case"),
    ("downcase", "case"),
    ("upcase", "case"),
    ("lowercase", "case"),
    ("uppercase", "case"),
    ("lowercased", "case"),
    ("uppercased", "case"),
    ("tolower", "case"),
    ("toupper", "case"),
    ("tolowerinvariant", "case"),
    ("toupperinvariant", "case"),
    ("casefold", "case"),
    ("strtolower", "case"),
    ("strtoupper", "case"),
    ("filter", "only"),
    ("filternot", "without"),
    ("reject", "without"),
    ("where", "only"),
    ("compact", "empty"),
    ("limit", "most"),
    ("take", "most"),
    ("max", "negative"),
    ("min", "most"),
    ("coerceatleast", "negative"),
    ("coerceatmost", "most"),
    ("coercein", "between"),
    ("clamp", "between"),
    ("round", "cent"),
    ("quantize", "cent"),
    ("setscale", "cent"),
    ("normalize", "same"),
    ("astimezone", "zone"),
    ("toutc", "zone"),
    ("utc", "zone"),
];

/// The other word for what a step does.
pub(super) fn other_word(name: &str) -> Option<&'static str> {
    let plain = unparted(name);
    STEPS.iter().find(|(step, _)| *step == plain).map(|(_, word)| *word)
}

/// The first step that is left out of a line, or that had a line of its own in a chain.
pub(super) fn step_lost<'a>(revision: &Revision<'a>, hunk: &TextHunk<'a>) -> Option<(CodeLine<'a>, String)> {
    let own = revision.hunks().iter().map(|it| it.gone.len() + it.come.len()).sum::<usize>() <= 4;
    match (&hunk.gone[..], &hunk.come[..]) {
        ([gone], [come]) if own && !is_log(gone.text) => {
            let (was, is) = (bare(gone.text), bare(come.text));
            let is_left_out = |name: &&str| other_word(name).is_some() && leaves(&was, &is, name);
            let name = names(gone.text).into_iter().find(is_left_out)?;
            Some((*gone, name.to_owned()))
        }
        ([gone], []) if own => {
            let rest = gone.text.strip_prefix("|>").or_else(|| gone.text.strip_prefix('.'))?.trim();
            let head = rest.split('(').next().unwrap_or(rest).trim_end_matches([';', '?', '!']);
            let name = head.rsplit(['.', ':']).next()?;
            other_word(name).map(|_| (*gone, name.to_owned()))
        }
        _ => None,
    }
}

fn names(text: &str) -> Vec<&str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|it| it.len() > 2).collect()
}

/// Whether one text is the other without a step of that name, as a call on the value or around it.
fn leaves(was: &str, is: &str, name: &str) -> bool {
    was.match_indices(name).any(|(at, _)| {
        let (head, rest) =
            (was.get(..at).unwrap_or_default(), was.get(at + name.len()..).unwrap_or_default());
        let inner = rest.starts_with('(').then(|| group(rest)).flatten();
        let tail = inner.map_or(rest, |inner| rest.get(inner.len() + 2..).unwrap_or_default());
        let without_sign = |head: &str| {
            head.strip_suffix('.').or(head.strip_suffix("?.")).or(head.strip_suffix("->")).map(str::to_owned)
        };
        let on_value = without_sign(head)
            .is_some_and(|head| format!("{head}{}", tail.trim_start_matches(['?', '!'])) == is);
        // The module of a function around the value goes along: `strings.ToLower(x)`, `Enum.sort(x)`.
        let holder = head.trim_end_matches('.').trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
        let around = inner.is_some_and(|inner| {
            let first = inner.split(',').next().unwrap_or(inner);
            // `max(0, sum)`: the bound may stand on either side.
            let last = inner.rsplit(',').next().unwrap_or(inner);
            [inner, first, last]
                .iter()
                .any(|it| [head, holder].iter().any(|head| format!("{head}{it}{tail}") == is))
        });
        on_value || around
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_left_out_of_a_line() {
        for (was, is, name, expected) in [
            ("code=find(key.toUpperCase())", "code=find(key)", "toUpperCase", true),
            ("return sorted(rows, key=day)", "return rows", "sorted", true),
            ("k := strings.ToLower(name)", "k := name", "ToLower", true),
            ("rows.uniq.map(&:id)", "rows.map(&:id)", "uniq", true),
            ("rows.sort().map(id)", "rows.map(id)", "sort", true),
            ("rows.sort(a).map(id)", "rows.sort(b).map(id)", "sort", false),
            ("trim(a)", "strip(a)", "trim", false),
        ] {
            assert_eq!(leaves(&bare(was), &bare(is), name), expected, "{was} -> {is}");
        }
    }
}
