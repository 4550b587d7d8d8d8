//! The page of a loop or session.

use crate::place::Place;
use crate::snapshot::assert_same;

fn page(place: &Place, which: &[&str]) -> String {
    place.done(&[&["report"], which, &["--html", "-"]].concat())
}

#[test]
fn a_session_shows_what_was_lost_with_the_change() {
    let place = Place::new();
    assert!(place.guards("session-one"));
    place.lose_by_script("session-one").expect("the loss is seen");
    let page = page(&place, &["session-one"]);
    for part in [
        "<h1>Session session-</h1>",
        "What was lost",
        "class=\"removed\">-def test_zero():</span>",
        "What was stopped or asked",
        "Timeline",
        "What it cost",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(!page.contains("Quality over the iterations"), "a session has no iterations");
}

#[test]
fn a_loop_shows_its_figures_gates_and_decisions() {
    let place = Place::new();
    place.start_loop("one");
    place.start("s1");
    place.stop("s1");
    place.stop("s1");
    place.lose_by_script("s1").expect("the loss is seen");
    let page = page(&place, &[]);
    for part in
        ["<h1>Make it right</h1>", "Quality over the iterations", "<svg", "Decisions of persons", "waits"]
    {
        assert!(page.contains(part), "{part} in {page}");
    }
}

#[test]
fn nothing_that_a_session_says_becomes_markup_or_is_loaded() {
    let place = Place::new();
    let nasty = "</title><script>alert('x')</script><img src=http://x.example onerror=a()>";
    place.done(&["loop", "start", nasty, "--until", "sh check.sh passes", "--loop-id", "one"]);
    place.start("s1");
    place.write("why", format!("{nasty}\n"));
    place.stop("s1");
    let command = serde_json::json!({"tool_name": "Bash", "tool_input": {"command": format!("rm tests/test_calc.py # {nasty}")},
        "tool_use_id": "toolu_1"});
    place.fire("pre-tool-use", "s1", command);
    let page = page(&place, &["one"]);
    assert!(page.contains("&lt;script&gt;alert(&#39;x&#39;)"), "{page}");
    for bad in ["<script", "<img", "<link", "src=\"", "href=\"", "url(", "@import"] {
        assert!(!page.contains(bad), "{bad} in {page}");
    }
    assert!(page.contains("default-src &#39;none&#39;") || page.contains("default-src 'none'"));
}

#[test]
fn a_file_of_somebody_elses_stays_and_errors_say_how_to_mend_them() {
    let place = Place::new();
    let said = |arguments: &[&str]| {
        let output = place.steadfast(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let mut errors = said(&["report", "--html", "page.html"]);
    assert!(place.guards("session-one"));
    errors += &said(&["report", "nobody", "--html", "page.html"]);
    place.write("notes.html", "mine");
    errors += &said(&["report", "--html", "notes.html"]);
    assert_eq!(std::fs::read_to_string(place.path("notes.html")).unwrap(), "mine");
    assert_same(&place, "report-errors", &errors);
    assert_same(&place, "report", &place.done(&["report", "--html", "page.html"]));
    place.done(&["report", "--html", "page.html"]);
    assert!(std::fs::read_to_string(place.path("page.html")).unwrap().starts_with("<!doctype html>"));
}
