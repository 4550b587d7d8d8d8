//! What a banner shows of a runner's output: not the tests that passed, and of a pass the sum at its end alone.

/// So many lines of a runner's end are its summary.
const SUMMARY: usize = 12;

/// The output without empty lines and without those that name one test that passed.
pub(super) fn without_passes(output: &str) -> String {
    kept(output).collect::<Vec<_>>().join("\n")
}

/// The last lines of the same.
pub(super) fn summary(output: &str) -> String {
    let kept: Vec<&str> = kept(output).collect();
    kept.get(kept.len().saturating_sub(SUMMARY)..).unwrap_or_default().join("\n")
}

fn kept(output: &str) -> impl Iterator<Item = &str> {
    output.lines().map(str::trim_end).filter(|line| !line.trim().is_empty() && !is_one_pass(line))
}

/// Whether a line says of one test, and of nothing else, that it passed: in the forms of the runners that print one.
fn is_one_pass(line: &str) -> bool {
    let line = line.trim_start();
    let is_marked = ["✓ ", "✔ ", "√ ", "--- PASS: ", "=== RUN ", "=== PAUSE ", "=== CONT ", "# Subtest: "];
    let is_tap =
        || line.strip_prefix("ok ").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let is_rust = || line.starts_with("test ") && line.ends_with(" ... ok");
    let is_python = || line.ends_with(" ... ok") || (line.contains("::") && line.contains(" PASSED"));
    is_marked.iter().any(|mark| line.starts_with(mark)) || is_tap() || is_rust() || is_python()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_passing_tests_the_runners_own_sum_is_left() {
        let tests: String = (0..433).map(|n| format!("✔ adds {n} (0.{n}ms)\n")).collect();
        let sum = "ℹ tests 433\nℹ suites 0\nℹ pass 433\nℹ fail 0\nℹ duration_ms 812.1";
        assert_eq!(
            summary(&format!("> test\n> node --test\n\n{tests}{sum}\n")),
            format!("> test\n> node --test\n{sum}")
        );
        let cargo: String = (0..90).map(|n| format!("test a{n} ... ok\n")).collect();
        let cargo = format!("running 90 tests\n{cargo}\ntest result: ok. 90 passed; 0 failed\n");
        assert_eq!(summary(&cargo), "running 90 tests\ntest result: ok. 90 passed; 0 failed");
        let go = "=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\nok  \tx\t0.003s";
        assert_eq!(summary(go), "PASS\nok  \tx\t0.003s");
        let lines: String = (0..100).map(|n| format!("line {n}\n")).collect();
        assert_eq!(summary(&lines).lines().count(), SUMMARY);
    }

    #[test]
    fn what_failed_stays() {
        let output = "ok 1 - adds\nnot ok 2 - subtracts\n  ---\n  error: 1 !== 2\ntests/a.py::test_x PASSED\n\
                      tests/a.py::test_y FAILED\n✖ multiplies\n✓ divides";
        let kept = "not ok 2 - subtracts\n  ---\n  error: 1 !== 2\ntests/a.py::test_y FAILED\n✖ multiplies";
        assert_eq!(without_passes(output), kept);
    }
}
