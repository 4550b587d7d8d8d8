//! Tests that a runner lists, of which the session takes away again what it added itself.

use serde_json::{Value, json};

use crate::place::Place;
use crate::whose_loss::{bash, denied, losses, write};

const GO: &str = "package shop\n\nimport \"testing\"\n\nfunc TestAdds(t *testing.T) {\n\tif add(1, 2) != 3 {\n\t\tt.Fatal(1)\n\t}\n}\n";
const GO_LIST: &str =
    "grep -ho 'func Test[A-Za-z]*' *_test.go | sed 's/func //'; printf 'ok  \\tshop\\t0.01s\\n'\n";
const RUST: &str = "pub fn one() -> u32 {\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn is_one() {\n        assert_eq!(one(), 1);\n    }\n}\n";
const RUST_LIST: &str = "grep -A1 '#.test.' src/lib.rs | grep -o 'fn [a-z_]*' | sed 's/fn \\(.*\\)/tests::\\1: test/'\n\
    echo; echo \"$(grep -c '#.test.' src/lib.rs) tests, 0 benchmarks\"\n";
const ROWS: &str =
    "import pytest\n\n\n@pytest.mark.parametrize('n', [1, 2])\ndef test_counts(n):\n    assert n > 0\n";
const ROWS_LIST: &str = "n=0; for file in tests/test_rows*.py; do\n\
    for row in $(sed -n 's/.*\\[\\(.*\\)\\].*/\\1/p' $file | tr -d ','); do\n\
    echo \"$file::$(sed -n 's/^def \\(test[a-z_]*\\).*/\\1/p' $file)[$row]\"; n=$((n + 1)); done; done; echo; echo \"$n tests collected in 0.01s\"\n";

/// A path and a text.
type File<'t> = (&'t str, &'t str);

/// A project whose tests a script lists in the form of a runner, with a loop of its own.
fn listing(list: &str, path: &str, text: &str) -> Place {
    let place = Place::new();
    place.write("aiwg.yml", "agent_persistence:\n  commands:\n    list: sh list.sh\n");
    place.write("list.sh", list);
    place.write(path, text);
    place.commit("Tests that are listed");
    place.start_loop("one");
    place.start("s1");
    place
}

fn listed(place: &Place) -> Value {
    place.state("one")["iteration_history"][0]["metrics_snapshot"]["test_count"].clone()
}

#[test]
fn what_the_session_added_and_takes_away_is_no_loss_of_a_count() {
    let go_probe = GO.replace("TestAdds", "TestProbe");
    let inline = RUST.replace(
        "    #[test]\n",
        "    #[test]\n    fn probe() {\n        assert_eq!(one() + 1, 2);\n    }\n\n    #[test]\n",
    );
    let more_rows = ROWS.replace("[1, 2]", "[3, 4, 5]").replace("test_counts", "test_counts_on");
    // how it is listed, the file of the start, the file with more tests, and how it goes
    let rows: &[(&str, File, File, Option<&str>)] = &[
        (GO_LIST, ("add_test.go", GO), ("probe_test.go", &go_probe), Some("rm probe_test.go")),
        (GO_LIST, ("add_test.go", GO), ("probe_test.go", &go_probe), Some("git clean -fq probe_test.go")),
        (RUST_LIST, ("src/lib.rs", RUST), ("src/lib.rs", &inline), None),
        (
            ROWS_LIST,
            ("tests/test_rows.py", ROWS),
            ("tests/test_rows_on.py", &more_rows),
            Some("rm tests/test_rows_on.py"),
        ),
    ];
    for (list, (path, text), (more_path, more), how) in rows {
        let place = listing(list, path, text);
        assert!(!denied(write(&place, "s1", more_path, more).as_ref()), "{more_path}");
        place.stop("s1");
        assert!(
            listed(&place).as_u64() > Some(1),
            "{more_path}: {}",
            place.state("one")["iteration_history"]
        );
        match how {
            Some(command) => assert_eq!(bash(&place, "s1", command), (false, None), "{command}"),
            None => assert!(!denied(write(&place, "s1", path, text).as_ref()), "{path}"),
        }
        place.write("done", "");
        place.stop("s1");
        assert_eq!(
            (&place.state("one")["status"], losses(&place, "one")),
            (&json!("completed"), Vec::new()),
            "{more_path}: {how:?}"
        );
    }
}

#[test]
fn what_a_person_added_meanwhile_is_missed_by_its_count() {
    let place = listing(GO_LIST, "add_test.go", GO);
    place.write("hers_test.go", GO.replace("TestAdds", "TestHers"));
    place.stop("s1");
    // Nothing has seen it go, and no name tells it.
    place.write("list.sh", GO_LIST.replace("*_test.go", "add_test.go"));
    place.write("done", "");
    place.stop("s1");
    assert_eq!(place.state("one")["status"], "running", "{:?}", losses(&place, "one"));
}
