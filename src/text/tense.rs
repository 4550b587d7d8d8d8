//! What a finding says would happen, said of what has happened.
//!
//! Findings are worded for a call that has not run: "2 of 5 tests would be gone". After it has run, they are.

/// Words whose form for one thing is no plain `s`.
const IRREGULAR: &[(&str, &str)] =
    &[("be", "is"), ("have", "has"), ("do", "does"), ("go", "goes"), ("pass", "passes")];
/// What may stand between `would` and its verb.
const BETWEEN: &[&str] = &["no", "longer", "only", "still", "also", "then", "never"];

/// The sentence with each `would` taken out.
pub fn happened(what: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut words = what.split(' ').peekable();
    let mut in_code = false;
    while let Some(word) = words.next() {
        let ticks = word.matches('`').count();
        if word != "would" || in_code {
            in_code ^= ticks % 2 == 1;
            out.push(word.to_owned());
            continue;
        }
        let one = is_one(&out);
        if words.peek() == Some(&"not") {
            words.next();
            out.extend(negated(words.next().unwrap_or_default(), one));
            continue;
        }
        while let Some(between) = words.next_if(|word| BETWEEN.contains(word)) {
            out.push(between.to_owned());
        }
        out.extend(words.next().map(|verb| conjugated(verb, one)));
    }
    out.join(" ")
}

/// `is not`, `do not run`.
fn negated(verb: &str, one: bool) -> Vec<String> {
    let negation = match (verb, one) {
        ("be", _) => return vec![conjugated("be", one), "not".to_owned()],
        (_, true) => "does",
        (_, false) => "do",
    };
    [negation, "not", verb].map(str::to_owned).to_vec()
}

fn conjugated(verb: &str, one: bool) -> String {
    match (verb, one) {
        ("be", false) => "are".to_owned(),
        (_, false) => verb.to_owned(),
        (_, true) => {
            let irregular = IRREGULAR.iter().find(|(base, _)| *base == verb);
            irregular.map_or_else(|| format!("{verb}s"), |(_, form)| (*form).to_owned())
        }
    }
}

/// Whether the words before a verb are about one thing: a count of one, or no plural.
fn is_one(before: &[String]) -> bool {
    let clause = before.iter().rposition(|word| word.ends_with([':', ';']) || *word == "and");
    let clause = before.get(clause.map_or(0, |at| at + 1)..).unwrap_or(before);
    let count = clause.iter().find_map(|word| word.parse::<u64>().ok());
    if let Some(count) = count {
        return count == 1;
    }
    let is_several = clause.iter().any(|word| matches!(word.as_str(), "they" | "all" | "these" | "several"));
    let named =
        clause.last().is_none_or(|word| word.contains('`') || word.contains('.') || word.contains('/'));
    let plural = || clause.iter().find(|word| !word.contains('`')).is_some_and(|word| is_plural(word));
    let last_is_plural = || clause.last().is_some_and(|word| is_plural(word));
    !is_several && if named { !(clause.len() > 1 && plural()) } else { !last_is_plural() }
}

fn is_plural(word: &str) -> bool {
    word.len() > 3
        && word.ends_with('s')
        && !word.ends_with("ss")
        && !word.ends_with("us")
        && !word.ends_with("is")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_happen_is_said_as_what_has_happened() {
        for (before, after) in [
            ("2 of 5 tests would be gone", "2 of 5 tests are gone"),
            ("1 of 3 tests would be gone", "1 of 3 tests is gone"),
            ("1 test would no longer run", "1 test no longer runs"),
            ("3 tests would no longer run", "3 tests no longer run"),
            ("`price` would be gone", "`price` is gone"),
            ("the hook would no longer run `lint`", "the hook no longer runs `lint`"),
            ("the least coverage would go from 80 to 0", "the least coverage goes from 80 to 0"),
            ("`src` would not be counted any more", "`src` is not counted any more"),
            ("`a` would not run `b` first", "`a` does not run `b` first"),
            ("failures of the target `all` would be ignored", "failures of the target `all` are ignored"),
            ("more rules would be left out (`x`)", "more rules are left out (`x`)"),
            ("`--x` would let any coverage pass", "`--x` lets any coverage pass"),
            ("a test `it would be gone` would be skipped", "a test `it would be gone` is skipped"),
            ("src/a.js would be deleted", "src/a.js is deleted"),
            ("nothing to say", "nothing to say"),
        ] {
            assert_eq!(happened(before), after);
        }
    }
}
