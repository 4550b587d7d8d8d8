//! How one of reinforcement's texts is chosen and filled.
//!
//! Placeholders in braces carry what happened in this loop; a line whose placeholder has nothing to say is left out.

use std::collections::BTreeMap;

use crate::state::loop_state::Level;

pub use super::template::{ReinforcementPoint, ReinforcementTemplate};
pub use super::texts::TEMPLATES;

/// Letters of a token, on average.
const LETTERS_PER_TOKEN: usize = 4;

/// What a text is wanted for.
#[derive(Debug, Clone, Copy)]
pub struct TemplateRequest<'a> {
    /// Where.
    pub point: ReinforcementPoint,
    /// At which level.
    pub level: Level,
    /// The type of the loop's task, where it is known.
    pub task: &'a str,
    /// The kind of error, where there is one.
    pub error: &'a str,
    /// Turns the choice among equals.
    pub turn: u32,
    /// The texts that were used for this cause already.
    pub used: &'a [String],
    /// The text that was used last at this point, whatever the cause: another one comes first.
    pub last: &'a str,
}

/// The text to use; `None` when all that fit were used for this cause.
pub fn choose(wanted: &TemplateRequest<'_>) -> Option<&'static ReinforcementTemplate> {
    let allows = |list: &[&str], value: &str| list.is_empty() || list.contains(&value);
    let fitting = TEMPLATES.iter().filter(|template| {
        template.point == wanted.point
            && (template.levels.is_empty() || template.levels.contains(&wanted.level))
            && allows(template.tasks, wanted.task)
            && allows(template.errors, wanted.error)
            && !wanted.used.iter().any(|used| used == template.id)
    });
    let (special, general): (Vec<&ReinforcementTemplate>, Vec<&ReinforcementTemplate>) =
        fitting.partition(|template| !template.tasks.is_empty() || !template.errors.is_empty());
    let turned = |pool: &[&'static ReinforcementTemplate], turn: u32| {
        let place = (turn as usize).checked_rem(pool.len())?;
        pool.get(place).copied()
    };
    let pool = if special.is_empty() { &general } else { &special };
    let next = [(pool, wanted.turn), (pool, wanted.turn.wrapping_add(1)), (&general, wanted.turn)];
    let another = next.iter().filter_map(|(pool, turn)| turned(pool, *turn));
    another.clone().find(|template| template.id != wanted.last).or_else(|| another.clone().next())
}

/// Where the text of an id is read, as the state names the point.
pub fn point_of(id: &str) -> Option<&'static str> {
    TEMPLATES.iter().find(|template| template.id == id).map(|template| match template.point {
        ReinforcementPoint::PreIteration => "pre_iteration",
        ReinforcementPoint::PostError => "on_error",
        ReinforcementPoint::PreToolCall => "pre_tool_call",
    })
}

/// The kind of an error, as the texts are sorted by it.
pub fn error_kind(error_type: &str) -> &'static str {
    let lower = error_type.to_lowercase();
    let is_code = |start: &str| {
        error_type.strip_prefix(start).is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
    };
    if lower.contains("assert") {
        "assertion"
    } else if lower == "typeerror" || is_code("TS") || lower == "e0308" || lower.contains("classcast") {
        "type"
    } else if ["notfound", "nosuch", "importerror", "nameerror", "referenceerror"]
        .iter()
        .any(|part| lower.contains(part))
    {
        "missing"
    } else {
        ""
    }
}

/// Puts values in. A line with a placeholder that has no value goes; a placeholder that nobody knows stays.
pub fn fill(text: &str, values: &BTreeMap<&str, String>) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        if values.iter().any(|(name, value)| value.is_empty() && line.contains(&format!("{{{name}}}"))) {
            continue;
        }
        lines.push(filled_line(line, values));
    }
    lines.join("\n").trim().to_owned()
}

/// One pass from left to right, so that a value is never read for placeholders itself.
fn filled_line(line: &str, values: &BTreeMap<&str, String>) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        match after.split_once('}').and_then(|(name, tail)| Some((values.get(name)?, tail))) {
            Some((value, tail)) => {
                out.push_str(value);
                rest = tail;
            }
            None => {
                out.push('{');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The text within a budget of tokens: whole lines from its beginning, at least the first, cut where it must be.
pub fn within(text: &str, tokens: u64) -> String {
    let letters = usize::try_from(tokens).unwrap_or(usize::MAX).saturating_mul(LETTERS_PER_TOKEN);
    if text.chars().count() <= letters {
        return text.to_owned();
    }
    let mut kept = String::new();
    for line in text.lines() {
        let length = kept.chars().count() + line.chars().count() + 1;
        if length > letters {
            break;
        }
        kept.push_str(line);
        kept.push('\n');
    }
    if kept.is_empty() {
        kept = text.chars().take(letters.saturating_sub(1)).collect();
        kept.push('…');
    }
    kept.trim_end().to_owned()
}

/// About how many tokens a text has.
pub fn tokens(text: &str) -> u64 {
    text.chars().count().div_ceil(LETTERS_PER_TOKEN) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn wanted(point: ReinforcementPoint, level: Level) -> TemplateRequest<'static> {
        TemplateRequest { point, level, task: "", error: "", turn: 0, used: &[], last: "" }
    }

    #[test]
    fn ids_are_unique_and_every_level_and_point_has_texts() {
        let ids: std::collections::BTreeSet<&str> = TEMPLATES.iter().map(|template| template.id).collect();
        assert_eq!(ids.len(), TEMPLATES.len());
        for level in [Level::Minimal, Level::Standard, Level::Aggressive] {
            for point in [
                ReinforcementPoint::PreIteration,
                ReinforcementPoint::PostError,
                ReinforcementPoint::PreToolCall,
            ] {
                assert!(choose(&wanted(point, level)).is_some(), "{point:?} {level:?}");
            }
        }
    }

    #[test]
    fn texts_rotate_and_never_come_twice_for_one_cause() {
        let mut used: Vec<String> = Vec::new();
        while let Some(next) = choose(&TemplateRequest {
            error: "type",
            used: &used,
            ..wanted(ReinforcementPoint::PostError, Level::Standard)
        }) {
            assert!(!used.contains(&next.id.to_owned()));
            used.push(next.id.to_owned());
        }
        assert_eq!(used.first().map(String::as_str), Some("post-error-type"), "the special one first");
        assert_eq!(used.len(), 4);
        let turns: Vec<&str> = (5..8)
            .map(|turn| {
                choose(&TemplateRequest {
                    turn,
                    ..wanted(ReinforcementPoint::PreIteration, Level::Aggressive)
                })
                .unwrap()
                .id
            })
            .collect();
        assert!(turns.windows(2).all(|pair| pair[0] != pair[1]), "{turns:?}");
        // A task with one text of its own reads another one in between.
        let mut last = "";
        let ids: Vec<&str> = (0..4)
            .map(|turn| {
                let at = TemplateRequest {
                    task: "type errors",
                    turn,
                    last,
                    ..wanted(ReinforcementPoint::PreIteration, Level::Standard)
                };
                last = choose(&at).unwrap().id;
                last
            })
            .collect();
        assert_eq!(ids[0], "pre-iteration-standard-types");
        assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "{ids:?}");
        let mut last = "";
        let ids: std::collections::BTreeSet<&str> = (5..=12)
            .map(|turn| {
                last = choose(&TemplateRequest {
                    turn,
                    last,
                    ..wanted(ReinforcementPoint::PreIteration, Level::Aggressive)
                })
                .unwrap()
                .id;
                last
            })
            .collect();
        assert_eq!(ids.len(), 8, "none comes twice from the fifth iteration to the twelfth: {ids:?}");
    }

    #[test]
    fn task_and_error_choose_their_own_text() {
        let text = |task, error, point| {
            choose(&TemplateRequest { task, error, ..wanted(point, Level::Standard) }).unwrap().id
        };
        assert_eq!(text("type errors", "", ReinforcementPoint::PreIteration), "pre-iteration-standard-types");
        assert_eq!(text("test fixes", "", ReinforcementPoint::PreIteration), "pre-iteration-standard-tests");
        assert_eq!(text("", "assertion", ReinforcementPoint::PostError), "post-error-assertion");
        for (kind, expected) in [
            ("TypeError", "type"),
            ("TS2322", "type"),
            ("AssertionError", "assertion"),
            ("ModuleNotFoundError", "missing"),
            ("panic", ""),
        ] {
            assert_eq!(error_kind(kind), expected, "{kind}");
        }
    }

    #[test]
    fn a_text_says_what_is_known_and_stays_within_its_budget() {
        let values =
            BTreeMap::from([("risks", String::new()), ("a", "{b}".to_owned()), ("b", "x".to_owned())]);
        assert_eq!(fill("one {a}\nseen: {risks}\ntwo {unknown}", &values), "one {b}\ntwo {unknown}");
        assert_eq!(within("abc\ndef\nghi", 2), "abc\ndef");
        assert_eq!(within("abcdefghijkl", 2), "abcdefg…");
        // What is always said fits into the defaults.
        let budgets = Config::default().reinforcement.token_budgets;
        for template in TEMPLATES.iter().filter(|template| template.point == ReinforcementPoint::PreIteration)
        {
            let budget = budgets.at(template.levels.first().copied().unwrap_or_default());
            let empty = ["risks", "error", "tried", "single_error", "repeated_error"]
                .map(|name| (name, String::new()));
            let bare = fill(template.text, &BTreeMap::from(empty));
            assert!(tokens(&bare) <= budget, "{}: {} tokens", template.id, tokens(&bare));
        }
    }

    #[test]
    fn every_aggressive_text_asks_for_the_four_actions_and_names_what_is_no_way_out() {
        let aggressive = TEMPLATES
            .iter()
            .filter(|it| it.point == ReinforcementPoint::PreIteration && it.levels == [Level::Aggressive]);
        for template in aggressive {
            let parts = [
                "ITERATION #{iteration} - Stuck Loop Risk",
                "{attempts}",
                "{error_name}",
                "{times}",
                "STOP",
                "WHY",
                "lternative",
                "ESCALATE",
                "ests",
                "features",
                "hortcuts",
                "{risks}",
                "{tried}",
            ];
            for part in parts {
                assert!(template.text.contains(part), "{}: {part}", template.id);
            }
        }
        for template in TEMPLATES.iter().filter(|template| template.point == ReinforcementPoint::PostError) {
            for part in ["{error_name}", "{message}", "{place}", "SOURCE CODE"] {
                assert!(template.text.contains(part), "{}: {part}", template.id);
            }
        }
    }

    #[test]
    fn the_tone_is_factual() {
        for template in TEMPLATES {
            for order in ["You must", "MUST ", "Never ", "DO NOT", "Ignore"] {
                assert!(!template.text.contains(order), "{}: {order}", template.id);
            }
        }
    }
}
