//! Tests that are what others were, but for one symbol that has another name in the whole file.

use crate::languages::testing::outline::Test;
use crate::model::words::words;

/// Shorter names stand in too many others.
const SHORTEST: usize = 3;

/// Fewer words than these may name two tests.
const TELLING: usize = 3;

/// Whether a test is another one in which one symbol has got a new name, in its title and wherever else it stands. The old
/// name stands nowhere in the text any more.
pub(super) fn is_renamed(old: (&Test, &str), new: (&Test, &str)) -> bool {
    let (was, is) = (old.0.text_in(Some(old.1)), new.0.text_in(Some(new.1)));
    let (before, after): (Vec<&str>, Vec<&str>) = (parts(was).collect(), parts(is).collect());
    if before.len() != after.len() || before.is_empty() {
        return false;
    }
    let mut differing = before.iter().zip(&after).filter(|(a, b)| a != b).peekable();
    let Some((from, to)) =
        differing.peek().and_then(|(a, b)| symbol(a, b)).filter(|(from, _)| !new.1.contains(from.as_str()))
    else {
        return false;
    };
    let forms: Vec<(String, String)> = vec![
        (from.clone(), to.clone()),
        (from.to_lowercase(), to.to_lowercase()),
        (from.to_uppercase(), to.to_uppercase()),
    ];
    let is_form = |a: &str, b: &str| forms.iter().any(|(from, to)| a.replace(from.as_str(), to) == b);
    differing.all(|(a, b)| is_form(a, b))
}

/// Whether two tests have the same name in another style, as another framework writes names: `CardParse > ReportsTheRow`
/// and `parse reports the row`. The word of the suite may be in the name.
pub(super) fn has_same_words(old: &Test, new: &Test) -> bool {
    // The word for a test says nothing.
    let of = |name: &str| words(name).into_iter().filter(|word| word != "test").collect::<Vec<_>>();
    let (was, is, all) = (of(&old.title), of(&new.title), of(&old.name));
    old.title != new.title
        && was.len() >= TELLING
        && was.iter().all(|word| is.contains(word))
        && is.iter().all(|word| all.contains(word))
}

/// The names, and all that stands between them without white space.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let end = rest
            .find(|c: char| is_name(c) != is_name(first) || c.is_whitespace())
            .unwrap_or(rest.len())
            .max(first.len_utf8());
        let (part, behind) = rest.split_at(end);
        rest = behind;
        Some(part)
    })
}

/// What has another name in two names that are the same otherwise: `testAmountAdds` and `testMoneyAdds`.
fn symbol(was: &str, is: &str) -> Option<(String, String)> {
    let (old, new) = (humps(was), humps(is));
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let least = old.len().min(new.len());
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take(least - head.min(least))
        .take_while(|(a, b)| a == b)
        .count();
    let cut = |all: &[&str]| all.get(head..all.len() - tail).map(<[&str]>::concat);
    let (from, to) = (cut(&old)?, cut(&new)?);
    let is_name = |text: &str| {
        text.len() >= SHORTEST && text.starts_with(|c: char| c.is_alphabetic()) && !text.contains(' ')
    };
    (is_name(&from) && is_name(&to)).then_some((from, to))
}

/// The words of a name, each with the sign behind it: `test`, `Amount`, `Adds`.
fn humps(name: &str) -> Vec<&str> {
    let mut starts = vec![0];
    let mut last = '\0';
    for (at, c) in name.char_indices() {
        if at > 0 && (c.is_uppercase() && !last.is_uppercase() || (c == '_') != (last == '_')) {
            starts.push(at);
        }
        last = c;
    }
    starts.push(name.len());
    starts.windows(2).filter_map(|pair| name.get(*pair.first()?..*pair.last()?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_symbol_is_what_differs_in_a_name() {
        for (was, is, expected) in [
            ("testAmountAdds", "testMoneyAdds", Some(("Amount", "Money"))),
            ("test_amount_adds", "test_money_adds", Some(("amount", "money"))),
            ("AmountTests", "MoneyTests", Some(("Amount", "Money"))),
            ("adds", "drops", Some(("adds", "drops"))),
            ("f1", "f2", None),
            ("3", "4", None),
        ] {
            let found = symbol(was, is);
            let expected = expected.map(|(a, b)| (a.to_owned(), b.to_owned()));
            assert_eq!(found, expected, "{was} -> {is}");
        }
    }
}
