//! The newest proof of a loop or session: the four corners, what is noticed of tests, and what became of small faults.

use jiff::Timestamp;
use serde_json::Value;

use super::ReportSources;
use crate::cli::page::Html;
use crate::cli::seen;
use crate::loops::report::duration;
use crate::model::finding::counted;
use crate::proof::kept::kept;

/// Adds the proof, where there is one.
pub(super) fn write(told: &ReportSources<'_>, html: &mut Html) {
    let Some(kept) = kept(told.layout, &told.state.loop_id) else { return };
    let proof = &kept["proof"];
    html.section("Proof", |html| {
        let verdict = match text(&proof["verdict"]) {
            "proven" => ("badge good", "proven"),
            "refuted" => ("badge bad", "refuted"),
            _ => ("badge warn", "undecided"),
        };
        let at = kept["proved_at"].as_str().and_then(|at| at.parse::<Timestamp>().ok());
        html.element("p", verdict.0, verdict.1);
        let when =
            at.map(|at| format!("Old and new tests on old and new source, {}.", seen::date_and_clock(at)));
        html.element("p", "soft", &when.unwrap_or_default());
        for reason in list(&proof["reasons"]) {
            html.element("p", "", text(reason));
        }
        html.table(
            &["Tests", "Source", "Command", "Passed", "Failed", "Took"],
            &rows(&proof["corners"], corner),
        );
        let tests = rows(&proof["tests"], test);
        if !tests.is_empty() {
            let heads = ["Test", "Noticed", "Old on old", "Old on new", "New on old", "New on new"];
            html.table(&heads, &tests);
        }
        faults(&proof["bite"], html);
    });
}

/// What became of small faults in the source, where they were asked for.
fn faults(bite: &Value, html: &mut Html) {
    let all = list(&bite["faults"]);
    if all.is_empty() {
        return;
    }
    let caught = all.iter().filter(|fault| fault["caught_by_new"].as_u64() > Some(0)).count();
    html.element("h3", "", "Do the tests still bite?");
    html.element(
        "p",
        "",
        &format!("{} in the source: the tests catch {caught}.", counted(all.len(), "small fault")),
    );
    for one in list(&bite["toothless"]) {
        let said = format!(
            "{} caught {} as it was, and catches none now.",
            text(&one["test"]),
            one["caught_before"]
        );
        html.element("p", "", &said);
    }
    let heads = ["Where", "Fault", "Line before", "Line with it", "Old tests", "New tests"];
    html.table(&heads, &rows(&bite["faults"], fault));
}

fn corner(of: &Value) -> Vec<String> {
    let took = of["millis"].as_u64().unwrap_or_default();
    let took = if took < 1000 { format!("{took} ms") } else { duration(took / 1000) };
    let ended =
        if of["passed"] == true { "passes".to_owned() } else { format!("fails: {}", text(&of["reason"])) };
    vec![
        text(&of["tests"]).to_owned(),
        text(&of["source"]).to_owned(),
        ended,
        of["passing"].to_string(),
        of["failing"].to_string(),
        took,
    ]
}

fn test(of: &Value) -> Vec<String> {
    let ends =
        ["old_tests_old_source", "old_tests_new_source", "new_tests_old_source", "new_tests_new_source"];
    let words = |name: &str| text(&of[name]).replace('_', " ");
    [words("test"), words("kind")].into_iter().chain(ends.map(words)).collect()
}

fn fault(of: &Value) -> Vec<String> {
    let old = of["caught_by_old"].as_u64().map_or("the same".to_owned(), |count| count.to_string());
    let new = of["caught_by_new"].as_u64().unwrap_or_default();
    let line = |name: &str| text(&of[name]).trim().to_owned();
    vec![
        format!("{}:{}", text(&of["path"]), of["line"]),
        line("fault"),
        line("before"),
        line("after"),
        old,
        new.to_string(),
    ]
}

fn rows(of: &Value, row: fn(&Value) -> Vec<String>) -> Vec<Vec<String>> {
    list(of).iter().map(row).collect()
}

fn list(of: &Value) -> &[Value] {
    of.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text(of: &Value) -> &str {
    of.as_str().unwrap_or_default()
}
