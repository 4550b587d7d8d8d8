//! Types of the tests' own in the place of what the tests are about: a subtype that answers for one of its methods, also
//! one without a name, a type of the same name, and one that holds the real one and answers before it.
//!
//! A type that only hands on, or counts what it is asked, answers for nothing.

use std::ops::Range;

use crate::detectors::testing::overriding_methods::{
    OVERRIDES, body, head_above_line, is_named_after, lines_of, overridden, overrides_above, statement_head,
    statement_of,
};
use crate::detectors::testing::replaced_subjects::ChangedTestLines;
use crate::detectors::testing::stand_in_values::{doubles_in, is_double};
use crate::detectors::testing::test_lines::{
    bound, constructs, declared, defined_name, defines, go_receiver, is_import, words_of,
};
use crate::model::words::{has_word, is_name_part};

/// Words that begin or end a branch, after which something else may be answered.
const BRANCHES: &[&str] = &[
    "if ", "if(", "guard ", "match ", "when ", "when(", "switch ", "case ", "unless ", "? ", ".get(", "[",
    "cond do",
];

/// What the tests asked of the project's type, with the line of the own one.
pub(super) fn answered_by_subtype(
    asked: &ChangedTestLines,
    again: &[(Range<u32>, (String, String))],
) -> Option<(String, u32)> {
    let own = own_types(asked);
    let by_type =
        || own.iter().find_map(|it| in_place(asked, it).or_else(|| asked_instead(asked, again, it)));
    by_type()
        .or_else(|| own.iter().find_map(|it| same_named(asked, it).or_else(|| under_its_name(asked, it))))
        .or_else(|| nameless(asked).or_else(|| of_tested(asked)))
        .or_else(|| defined_away(asked))
}

/// A type that the tests have now.
struct OwnType<'t> {
    name: &'t str,
    line: u32,
    head: &'t str,
    /// The methods that answer by themselves.
    answering: Vec<&'t str>,
}

fn own_types<'t>(asked: &ChangedTestLines<'t>) -> Vec<OwnType<'t>> {
    let is_new = |name: &str| !asked.old.lines().any(|line| declared(line) == Some(name));
    let all = asked.come.iter().filter_map(|(at, line)| Some((*at, *line, declared(line)?)));
    all.filter(|(_, line, name)| is_new(name) && !line.contains('\n'))
        .map(|(at, head, name)| {
            let body = body(asked.new, at);
            // Methods of Go and Rust stand outside of their type.
            let of_other = asked.come.iter().filter(|(number, line)| {
                go_receiver(line).as_deref() == Some(name) || stands_in_impl(asked.new, *number, name)
            });
            let heads = asked
                .come
                .iter()
                .filter(|(number, _)| body.contains(number) && *number != at)
                .chain(of_other);
            let whole = |number: &u32, line: &'t str| statement_of(asked.new, *number).unwrap_or(line);
            // What the file is about is asked by whatever of it is another.
            let is_of_tested = words_of(head).any(|it| it != name && asked.is_about(it));
            let answer = |number: u32, line: &'t str| {
                let of_tested = || {
                    let overrides = is_of_tested && overrides_above(asked.new, number, line);
                    overrides.then(|| overridden(asked, number, line)).flatten()
                };
                answers_itself(asked, number, line).or_else(of_tested)
            };
            let answering = heads.filter_map(|(number, line)| answer(*number, whole(number, line))).collect();
            OwnType { name, line: at, head, answering }
        })
        .collect()
}

/// The name of a method that begins in a line, that the tests called before, and that answers by itself.
fn answers_itself<'t>(asked: &ChangedTestLines, at: u32, line: &'t str) -> Option<&'t str> {
    let of_go = line.trim_start().strip_prefix("func (").and_then(|it| it.split_once(") ")).map(|it| it.1);
    let name = match line.split("MOCK_METHOD(").nth(1) {
        Some(rest) => rest.split(',').nth(1)?.trim(),
        None if of_go.is_some() => of_go?.split('(').next()?,
        None => defined_name(line.split("=>").next()?.split('{').next()?),
    };
    let is_method = name.len() > 1 && (defines(line, name) || OVERRIDES.iter().any(|it| line.contains(it)));
    // A file without tests makes for others what they ask; Ruby and Scala call without parentheses.
    let is_called = asked.tests.is_empty()
        || [".", "->", "&."].iter().any(|sign| {
            let call = format!("{sign}{name}");
            asked.old.match_indices(&call).any(|(at, _)| {
                let rest = asked.old.get(at + call.len()..).unwrap_or_default();
                !rest.starts_with(is_name_part)
            })
        });
    let lines: Vec<&str> = lines_of(asked.new, &body(asked.new, at));
    let hands_on = |text: &&str| {
        text.contains(&format!(".{name}(")) || text.contains(&format!("::{name}(")) || text.contains("super")
    };
    let is_way = lines.iter().any(hands_on);
    let has_branch = lines.iter().any(|text| BRANCHES.iter().any(|word| text.contains(word)));
    let answers = lines.iter().filter(|text| !hands_on(text)).any(|text| {
        ["return ", "throw ", "raise ", "=> ", "Err(", "Ok(", "Some("].iter().any(|word| text.contains(word))
    });
    (is_method && is_called && (!is_way || has_branch && answers)).then_some(name)
}

/// A line that made the project's type and makes a subtype of it now.
fn in_place(asked: &ChangedTestLines, own: &OwnType) -> Option<(String, u32)> {
    let answer = own.answering.first()?;
    let above: Vec<&str> = words_of(own.head)
        .filter(|word| word.starts_with(char::is_uppercase) && *word != own.name && *word != "Mock")
        .collect();
    let makes_own = asked
        .come
        .iter()
        .any(|(at, line)| *at != own.line && (constructs(line, own.name) || has_word(line, own.name)));
    let made = |line: &str| above.iter().any(|class| has_word(line, class));
    // One of the tests' own takes the place of another double.
    let is_double = |line: &str| doubles_in(line).any(made) || bound(line).is_some_and(|it| is_double(it.1));
    let was_made = asked.gone.iter().any(|(_, line)| made(line) && !is_import(line) && !is_double(line));
    (makes_own && was_made).then(|| ((*answer).to_owned(), own.line))
}

/// A function that a test asks as before, of an object of an own type that answers for it, or of the type itself.
fn asked_instead(
    asked: &ChangedTestLines,
    again: &[(Range<u32>, (String, String))],
    own: &OwnType,
) -> Option<(String, u32)> {
    let is_own = |text: &str| constructs(text, own.name) || has_word(text, own.name);
    again.iter().find_map(|(lines, (name, receiver))| {
        let root = words_of(receiver).next()?;
        let made = |(at, line): &&(u32, &str)| {
            lines.contains(at) && bound(line).is_some_and(|(to, value)| to == root && is_own(value))
        };
        let is_asked = own.answering.contains(&name.as_str()) && asked.come.iter().any(|it| made(&it));
        let was_called = || asked.gone.iter().any(|(_, line)| line.contains(&format!(".{name}(")));
        let is_static = receiver == own.name && was_called();
        (is_asked || is_static).then(|| (name.clone(), own.line))
    })
}

/// A type under the name of the project's, of which the tests ask something by that name.
fn same_named(asked: &ChangedTestLines, own: &OwnType) -> Option<(String, u32)> {
    let uses = |line: &str| {
        let is_made = constructs(line, own.name) || line.contains(&format!("{}.", own.name));
        !is_import(line) && is_made && !line.contains(&format!(".{}", own.name))
    };
    let is_used = |text: &str| text.lines().any(uses);
    let is_inner = own.head.starts_with([' ', '\t']) || own.head.contains("private ");
    let holds = |name: &str| {
        let mut bindings = asked.new.lines().filter_map(bound);
        bindings.any(|(to, value)| to == name && constructs(value, own.name))
    };
    let is_asked = asked.functions.iter().any(|(_, of)| {
        let root = words_of(of).next();
        root == Some(own.name) || root.is_some_and(holds)
    });
    (is_inner
        && is_asked
        && own.name.starts_with(char::is_uppercase)
        && is_used(asked.old)
        && is_used(asked.new))
    .then(|| (own.name.to_owned(), own.line))
}

/// A subtype under the name of what it is a subtype of: `class Cache : public store::Cache`, `class Cache extends store.Cache`.
fn under_its_name(asked: &ChangedTestLines, own: &OwnType) -> Option<(String, u32)> {
    let (_, above) = own.head.split_once(own.name)?;
    let is_below = ["::", ".", "\\"].iter().any(|sign| {
        let whole = format!("{sign}{}", own.name);
        above
            .match_indices(&whole)
            .any(|(at, _)| !above.get(at + whole.len()..).is_some_and(|rest| rest.starts_with(is_name_part)))
    });
    let lines = lines_of(asked.new, &body(asked.new, own.line));
    let answers = lines
        .iter()
        .skip(1)
        .any(|it| it.contains("return ") || it.contains("override") || it.contains("def "));
    let is_used = |text: &str| text.lines().filter(|line| has_word(line, own.name)).count() > 1;
    (is_below && answers && is_used(asked.old) && is_used(asked.new)).then(|| (own.name.to_owned(), own.line))
}

/// A subtype without a name: `new Auction(store) { override def raise(…) = 3 }`.
fn nameless(asked: &ChangedTestLines) -> Option<(String, u32)> {
    const NEAR: u32 = 4;
    asked.come.iter().find_map(|(at, line)| {
        let opens =
            line.trim_end().ends_with(['{', ':']) && (line.contains("new ") || line.contains("object :"));
        let class = made_in(asked, line)?;
        let below = asked.come.iter().filter(|(number, _)| (at + 1..=at + NEAR).contains(number));
        let overrides = |text: &str| OVERRIDES.iter().any(|word| text.contains(word));
        let answer = below
            .filter(|(_, text)| overrides(text))
            .find_map(|(number, text)| answers_itself(asked, *number, text))?;
        (opens && !class.is_empty()).then(|| (answer.to_owned(), *at))
    })
}

/// The type that a line makes, and that the tests had before.
fn made_in<'t>(asked: &ChangedTestLines, line: &'t str) -> Option<&'t str> {
    words_of(line).find(|word| {
        let is_made = word.starts_with(char::is_uppercase) && constructs(line, word);
        is_made && asked.old.lines().any(|it| has_word(it, word))
    })
}

/// The same of the type that the file is about, of which any part may be another: also where the block stands behind values
/// that are given over several lines.
fn of_tested(asked: &ChangedTestLines) -> Option<(String, u32)> {
    asked.come.iter().filter(|(_, line)| OVERRIDES.iter().any(|it| line.contains(it))).find_map(
        |(at, line)| {
            let opener = head_above_line(asked.new, *at)?;
            let head = if opener.1.trim() == ") {" { statement_head(asked.new, opener.0)? } else { opener.1 };
            let class =
                made_in(asked, head).filter(|_| head.contains("new ") || head.contains("object :"))?;
            let is_tested = asked.is_about(class) || is_named_after(asked.new, class);
            let answer = overridden(asked, *at, line).filter(|_| is_tested)?;
            Some((answer.to_owned(), *at))
        },
    )
}

/// `#define parse_money parse_exactly` in front of tests that ask `parse_money`.
fn defined_away(asked: &ChangedTestLines) -> Option<(String, u32)> {
    asked.come.iter().find_map(|(at, line)| {
        let name = line.trim_start().strip_prefix("#define ")?.split([' ', '(']).next()?;
        let is_lower = name.starts_with(|c: char| c.is_lowercase()) && name.len() > 2;
        let is_called =
            asked.old.contains(&format!("{name}(")) || asked.functions.iter().any(|(it, _)| it == name);
        (is_lower && is_called).then(|| (name.to_owned(), *at))
    })
}

/// Whether a line stands in a block of Rust's `impl` for a type.
fn stands_in_impl(text: &str, at: u32, name: &str) -> bool {
    let before = usize::try_from(at).unwrap_or(0).saturating_sub(1);
    let above: Vec<&str> = text.lines().take(before).collect();
    let head = above.iter().rev().find(|line| !line.starts_with([' ', '\t', '}']) && !line.is_empty());
    head.is_some_and(|line| line.starts_with("impl") && has_word(line, name))
}
