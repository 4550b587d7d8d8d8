use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::definitions::condition::parse::LENGTH;

fn world(name: &str) -> Option<Value> {
    let world = json!({
        "iteration": 5, "quality_delta": 0.01, "regression_detected": true, "severity": "critical",
        "error_count": 3, "same_error_repeated": false, "recovery_attempts": 0, "nothing": null,
        "regression.type": "test_deletion", "list": ["a"], "empty": [], "note": "it's",
    });
    world.get(name).cloned()
}

#[test]
fn conditions_hold_or_not() {
    let rows = [
        ("iteration >= 5 AND quality_delta < 0.05", true),
        ("iteration > 5 AND quality_delta < 0.05", false),
        ("regression_detected == true", true),
        ("regression_detected == TRUE", true),
        ("regression_detected != true", false),
        ("severity == 'critical'", true),
        ("severity == \"critical\"", true),
        ("severity=='high'", false),
        ("regression.type == 'test_deletion'", true),
        ("error_count >= 3 AND same_error_repeated", false),
        ("error_count >= 3 AND NOT same_error_repeated", true),
        ("error_count >= 3 OR same_error_repeated", true),
        ("error_count<=3", true),
        ("3 <= error_count", true),
        // AND binds stronger than OR, NOT strongest
        ("true OR false AND false", true),
        ("(true OR false) AND false", false),
        ("NOT false AND false", false),
        ("NOT (false AND false)", true),
        ("not not true", true),
        // kinds that don't fit
        ("severity > 3", false),
        ("severity <= 'critical'", false),
        ("nothing == null", true),
        ("nothing < 1", false),
        ("nothing != 0", true),
        ("iteration == '5'", false),
        ("iteration == 5.0", true),
        ("iteration == 0.5e1", true),
        ("recovery_attempts > -1", true),
        // alone
        ("iteration", true),
        ("recovery_attempts", false),
        ("nothing", false),
        ("list AND NOT empty", true),
        ("note == \"it's\"", true),
    ];
    for (text, expected) in rows {
        let condition = HookCondition::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(condition.evaluate(&world), Ok(expected), "{text}");
    }
}

#[test]
fn what_is_no_condition_says_where() {
    let rows = [
        ("", 1, "missing"),
        ("   ", 4, "missing"),
        ("iteration >=", 13, "missing"),
        ("iteration = 5", 11, "equality is =="),
        ("iteration >= 5 quality", 16, "quality is not expected"),
        ("a AND", 6, "missing"),
        ("a && b", 3, "AND"),
        ("a || b", 3, "OR"),
        ("!a", 1, "NOT"),
        ("(a", 3, "`)` is missing"),
        ("a)", 2, ") is not expected"),
        ("a == 'b", 6, "no end"),
        ("é == 1", 1, "means nothing"),
        ("'é' == é", 8, "means nothing"),
        ("a..b", 1, "no name"),
        ("a == 1.2.3", 6, "no number"),
        ("a == 5x", 6, "no number"),
        ("a == 1e999", 6, "no number"),
        ("a == -", 6, "no number"),
        ("a == b == c", 8, "== is not expected"),
        ("AND", 1, "missing"),
    ];
    for (text, column, message) in rows {
        let error = HookCondition::parse(text).expect_err(text);
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.message.contains(message), "{text}: {error}");
    }
}

#[test]
fn an_unknown_name_is_an_error_even_where_the_result_is_settled() {
    for text in ["iteraton >= 5", "false AND iteraton", "true OR iteraton == 1"] {
        let result = HookCondition::parse(text).unwrap().evaluate(&world);
        assert_eq!(result, Err(UnknownName("iteraton".into())), "{text}");
    }
}

#[test]
fn names_are_listed_in_their_order() {
    let condition = HookCondition::parse("b.c >= a AND NOT (d OR 'e' == f) OR true").unwrap();
    assert_eq!(condition.names(), ["b.c", "a", "d", "f"]);
}

#[test]
fn nesting_and_length_are_bounded() {
    let rows = ["(".repeat(1_500), "NOT ".repeat(400) + "a", "a AND ".repeat(2_000), "x".repeat(100_000)];
    for text in rows {
        assert!(HookCondition::parse(&text).is_err(), "{}", &text[..20]);
    }
    let wide = "a OR ".repeat(300) + "true";
    assert_eq!(HookCondition::parse(&wide).unwrap().names().len(), 300);
}

/// Texts that are conditions more often than not.
fn condition_text() -> impl Strategy<Value = String> {
    let operand = prop_oneof![
        "v[a-z_]{0,5}(\\.[a-z]{1,3})?",
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(|number| number.to_string()),
        any::<i32>().prop_map(|number| number.to_string()),
        "'[a-zé\" ()]{0,6}'",
        "\"[a-zé' =]{0,6}\"",
        Just("null".to_owned()),
    ];
    let sign = prop_oneof![Just("=="), Just("!="), Just("<"), Just("<="), Just(">"), Just(">=")];
    let leaf = prop_oneof![
        operand.clone(),
        (operand.clone(), sign, operand).prop_map(|(a, s, b)| format!("{a} {s} {b}"))
    ];
    leaf.prop_recursive(5, 32, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|node| format!("NOT {node}")),
            inner.clone().prop_map(|node| format!("({node})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} AND {b}")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("{a} OR {b}")),
        ]
    })
}

proptest! {
    #[test]
    fn a_condition_shown_parses_to_the_same(text in condition_text()) {
        if let Ok(condition) = HookCondition::parse(&text) {
            let shown = condition.to_string();
            prop_assert_eq!(HookCondition::parse(&shown), Ok(condition), "{} shown as {}", text, shown);
        } else {
            prop_assert!(text.len() > LENGTH, "{}", text);
        }
    }

    #[test]
    fn any_text_is_read_or_refused_within_it(text in "\\PC{0,60}") {
        if let Err(error) = HookCondition::parse(&text) {
            prop_assert!((1..=text.chars().count() + 1).contains(&error.column), "{:?}", error);
        }
    }

    #[test]
    fn any_run_of_tokens_is_read_or_refused(
        tokens in prop::collection::vec(
            prop::sample::select(vec!["(", ")", "AND", "OR", "NOT", "a", "1", "-", ".", "e", "'", "\"", "==", "<", "=", "é"]),
            0..40,
        ),
        space in prop::bool::ANY,
    ) {
        let text = tokens.join(if space { " " } else { "" });
        if let Ok(condition) = HookCondition::parse(&text) {
            prop_assert_eq!(HookCondition::parse(&condition.to_string()), Ok(condition));
        }
    }
}
