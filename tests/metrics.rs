//! Measuring with real runners: what the baseline says equals what the runner says, and a loop's iterations are
//! recorded, compared and reported.
//!
//! Rust's runner is always there. The others are installed by `.ci/run`; a project whose runner is missing is skipped
//! aloud.

#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "a test")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

/// A project in git, with a HOME beside it.
struct Place(tempfile::TempDir);

impl Place {
    fn with(files: &[(&str, &str)]) -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        fs::create_dir_all(place.root()).unwrap();
        for (path, text) in files {
            place.write(path, text);
        }
        place
            .write(".gitignore", "target\nnode_modules\n__pycache__\n.pytest_cache\n.coverage\nCargo.lock\n");
        for arguments in [
            &["init", "--quiet"][..],
            &["add", "--all"],
            &["-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "--quiet", "-m", "First"],
        ] {
            assert!(place.run("git", arguments).status.success());
        }
        place
    }

    fn root(&self) -> PathBuf {
        self.0.path().canonicalize().unwrap().join("project")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let tools = ["python/bin", "node_modules/.bin", "cargo/bin"].map(|path| tools().join(path));
        let usual = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(tools.into_iter().chain(std::env::split_paths(&usual))).unwrap();
        command.current_dir(self.root()).env("PATH", path).env_remove("CLAUDECODE").stdin(Stdio::null());
        command
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Output {
        self.command(program).args(arguments).output().unwrap()
    }

    fn steadfast(&self, arguments: &[&str]) -> String {
        let output = self.run(env!("CARGO_BIN_EXE_steadfast"), arguments);
        let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(output.status.success(), "{arguments:?}: {}{}", said(&output.stdout), said(&output.stderr));
        said(&output.stdout)
    }

    fn baseline(&self) -> Value {
        serde_json::from_str(&self.steadfast(&["baseline", "--json"])).unwrap()
    }

    /// Sends an event of the session `s1`.
    fn event(&self, argument: &str, fields: Value) -> Value {
        let mut event = json!({"session_id": "s1", "cwd": self.root(), "permission_mode": "default"});
        event.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let mut hook = self
            .command(env!("CARGO_BIN_EXE_steadfast-hook"))
            .arg(argument)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        hook.stdin.take().unwrap().write_all(event.to_string().as_bytes()).unwrap();
        let output = hook.wait_with_output().unwrap();
        assert!(output.status.success());
        if output.stdout.is_empty() { Value::Null } else { serde_json::from_slice(&output.stdout).unwrap() }
    }

    fn state(&self) -> Value {
        self.json(".aiwg/ralph/loops/l1/state.json")
    }

    fn json(&self, path: &str) -> Value {
        serde_json::from_slice(&fs::read(self.root().join(path)).unwrap()).unwrap()
    }
}

/// Where `.ci/run` puts runners.
fn tools() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/test-tools")
}

fn is_there(place: &Place, program: &str) -> bool {
    let found = place.command("sh").args(["-c", &format!("command -v {program}")]).output().unwrap();
    if !found.status.success() {
        eprintln!("SKIPPED: {program} is missing; .ci/run installs it");
    }
    found.status.success()
}

const CARGO: &str = "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";

const RUST: &str = "/// ```\n/// assert_eq!(shop::total(&[1, 2]), 3);\n/// ```\npub fn total(items: &[i64]) -> i64 {\n    items.iter().sum()\n}\n
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn adds() {
        assert_eq!(total(&[1, 2]), 3);
    }
    #[test]
    fn empty() {
        assert_eq!(total(&[]), 0);
    }
    #[test]
    #[ignore]
    fn slow() {}
}
";

#[test]
fn a_rust_project() {
    let place = Place::with(&[("Cargo.toml", CARGO), ("src/lib.rs", RUST)]);
    let baseline = place.baseline();
    assert_eq!(baseline["test_count"], 4, "three tests and a doc test: {baseline}");
    assert_eq!(baseline["inventory_test_count"], 3);
    assert_eq!((&baseline["lint_errors"], &baseline["file_count"]), (&json!(0), &json!(3)));
    if is_there(&place, "cargo-llvm-cov") {
        let report = ["llvm-cov", "--json", "--summary-only", "--output-path", "target/own.json"];
        assert!(place.run("cargo", &report).status.success());
        let own = place.json("target/own.json")["data"][0]["totals"]["lines"]["percent"].as_f64().unwrap();
        let rounded = (own * 100.0).round() / 100.0;
        assert_eq!(baseline["coverage_percentage"].as_f64(), Some(rounded), "{baseline}");
    } else {
        assert!(baseline["unavailable"]["coverage_percentage"].as_str().unwrap().contains("llvm-cov"));
    }
    // The same tree is not measured again: without the tools the figures are still known.
    let output = place
        .command(env!("CARGO_BIN_EXE_steadfast"))
        .args(["baseline", "--json"])
        .env("PATH", "/usr/bin:/bin")
        .output()
        .unwrap();
    let again: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(again["test_count"], 4, "{again}");
    assert_eq!(again["sources"], baseline["sources"]);
}

#[test]
fn a_python_project() {
    let place = Place::with(&[
        ("pyproject.toml", "[tool.pytest.ini_options]\n[tool.coverage.run]\nomit = [\"test_*\"]\n"),
        ("shop.py", "def total(items):\n    if not items:\n        return 0\n    return sum(items)\n"),
        (
            "test_shop.py",
            "import pytest\nfrom shop import total\n\n@pytest.mark.parametrize('n', [1, 2, 3])\ndef test_one(n):\n    assert total([n]) == n\n\nclass TestMore:\n    def test_two(self):\n        assert total([1, 1]) == 2\n",
        ),
    ]);
    if !is_there(&place, "pytest") {
        return;
    }
    let baseline = place.baseline();
    assert_eq!(baseline["test_count"], 4, "{baseline}");
    place.run("pytest", &["-q", "--cov", "--cov-report=json:report.json"]);
    let own = &place.json("report.json")["totals"]["percent_covered"];
    assert_eq!(&baseline["coverage_percentage"], own);
    assert_eq!(own, &json!(75.0));
}

#[test]
fn a_go_project() {
    let place = Place::with(&[
        ("go.mod", "module example.com/shop\n\ngo 1.19\n"),
        (
            "shop.go",
            "package shop\n\nfunc Total(items []int) int {\n\tif len(items) == 0 {\n\t\treturn 0\n\t}\n\tn := 0\n\tfor _, i := range items {\n\t\tn += i\n\t}\n\treturn n\n}\n",
        ),
        (
            "shop_test.go",
            "package shop\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) {\n\tif Total([]int{1}) != 1 {\n\t\tt.Fatal()\n\t}\n}\n\nfunc TestTwo(t *testing.T) {}\n\nfunc BenchmarkOne(b *testing.B) {}\n",
        ),
    ]);
    if !is_there(&place, "go") {
        return;
    }
    let baseline = place.baseline();
    assert_eq!(baseline["test_count"], 2, "{baseline}");
    place.run("go", &["test", "-coverprofile=own.out", "./..."]);
    let own = place.run("go", &["tool", "cover", "-func=own.out"]);
    let own = String::from_utf8_lossy(&own.stdout).into_owned();
    let percent = own.trim_end().rsplit('\t').next().unwrap().trim_end_matches('%').to_owned();
    assert_eq!(baseline["coverage_percentage"].as_f64().map(|percent| percent.to_string()), Some(percent));
}

const SUM: &str = "export function sum(a, b) {\n  if (a > 100) {\n    return 0;\n  }\n  return a + b;\n}\n";

/// Gives a project the packages that `.ci/run` has installed.
fn with_packages(place: &Place) {
    std::os::unix::fs::symlink(tools().join("node_modules"), place.root().join("node_modules")).unwrap();
}

#[test]
fn a_vitest_project() {
    let place = Place::with(&[
        (
            "package.json",
            r#"{"type":"module","devDependencies":{"vitest":"3","@vitest/coverage-v8":"3","typescript":"5"}}"#,
        ),
        (
            "tsconfig.json",
            r#"{"compilerOptions":{"strict":true,"skipLibCheck":true,"types":[]},"include":["bad.ts"]}"#,
        ),
        ("bad.ts", "export const a: number = \"no\";\nexport const b: string = 1;\n"),
        ("src/sum.js", SUM),
        (
            "src/sum.test.js",
            "import { expect, it, describe } from 'vitest';\nimport { sum } from './sum.js';\ndescribe('sum', () => {\n  it.each([1, 2, 3])('adds %i', (n) => { expect(sum(n, 1)).toBe(n + 1); });\n  it('is one', () => { expect(sum(1, 0)).toBe(1); });\n});\n",
        ),
    ]);
    if !is_there(&place, "vitest") {
        return;
    }
    with_packages(&place);
    let baseline = place.baseline();
    assert_eq!(baseline["test_count"], 4, "{baseline}");
    assert_eq!(baseline["typescript_errors"], 2, "{baseline}");
    let report = ["run", "--coverage", "--coverage.reporter=json-summary", "--coverage.reportsDirectory=own"];
    place.run("vitest", &report);
    let own = &place.json("own/coverage-summary.json")["total"]["lines"]["pct"];
    assert_eq!(baseline["coverage_percentage"].as_f64(), own.as_f64());
}

#[test]
fn a_jest_project() {
    let place = Place::with(&[
        ("package.json", r#"{"devDependencies":{"jest":"30"}}"#),
        ("sum.js", "exports.sum = (a, b) => {\n  if (a > 100) {\n    return 0;\n  }\n  return a + b;\n};\n"),
        (
            "sum.test.js",
            "const { sum } = require('./sum');\ntest('adds', () => { expect(sum(1, 2)).toBe(3); });\ntest('is one', () => { expect(sum(1, 0)).toBe(1); });\n",
        ),
    ]);
    if !is_there(&place, "jest") {
        return;
    }
    with_packages(&place);
    let baseline = place.baseline();
    assert_eq!(baseline["test_count"], 2, "{baseline}");
    place.run("jest", &["--coverage", "--coverageReporters=json-summary", "--coverageDirectory=own"]);
    let own = &place.json("own/coverage-summary.json")["total"]["lines"]["pct"];
    assert_eq!(baseline["coverage_percentage"].as_f64(), own.as_f64());
}

/// A test that fails once when a file beside the project says so, and passes when it is run again.
const FLAKY: &str = "pub fn total() -> i64 {\n    0\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn shaky() {\n        assert!(std::fs::remove_file(\"../fail-once\").is_err());\n    }\n    #[test]\n    fn adds() {\n        assert_eq!(super::total(), 3);\n    }\n}\n";

#[test]
fn a_test_that_passes_when_it_is_run_again_is_flaky_and_no_regression() {
    let place = Place::with(&[("Cargo.toml", CARGO), ("src/lib.rs", FLAKY)]);
    place.steadfast(&["loop", "start", "Mend it", "--until", "cargo test passes", "--loop-id", "l1"]);
    place.event("session-start", json!({"source": "startup"}));
    let stop = json!({"last_assistant_message": "I looked at it."});
    place.event("stop", stop.clone());
    fs::write(place.root().join("../fail-once"), "").unwrap();
    place.event("stop", stop);
    let state = place.state();
    let second = &state["iteration_history"][1];
    assert_eq!(second["test_results"]["failed"], 2, "the run as it was: {second:#}");
    assert_eq!(second["test_results"]["flaky"], json!(["src/lib.rs > tests::shaky"]), "{second:#}");
    assert_eq!((&state["regression_events"], &second["regression_detected"]), (&json!([]), &json!(false)));
    let tests = place.json(".aiwg/ralph/loops/l1/tests.json");
    assert_eq!(tests["flaky"], json!(["src/lib.rs > tests::shaky"]), "{tests}");
    assert!(!place.root().join("../fail-once").exists());
}

/// A library with two tests; `body` is what `total` does.
fn shop(body: &str, tests: &str) -> String {
    format!(
        "pub fn total(items: &[i64]) -> i64 {{\n    {body}\n}}\n\n#[cfg(test)]\nmod tests {{\n    use super::*;\n{tests}}}\n"
    )
}

const TWO: &str = "    #[test]\n    fn adds() {\n        assert_eq!(total(&[1, 2]), 3);\n    }\n    #[test]\n    fn empty() {\n        assert_eq!(total(&[]), 0);\n    }\n";

#[test]
fn the_iterations_of_a_loop() {
    let place = Place::with(&[
        ("Cargo.toml", CARGO),
        ("src/lib.rs", &shop("items.len() as i64", TWO)),
        ("aiwg.yml", "agent_persistence:\n  custom_metrics:\n    lines: wc -l < src/lib.rs\n"),
    ]);
    let started = place.steadfast(&[
        "loop",
        "start",
        "Fix the total",
        "--until",
        "cargo test passes",
        "--loop-id",
        "l1",
    ]);
    assert!(started.contains("Baseline: 2 tests"), "{started}");
    let transcript = place.root().join("../transcript.jsonl");
    place.event("session-start", json!({"source": "startup"}));

    // Iteration 1: one test of two fails.
    let answer = |tokens: u32, id: &str| {
        let at = jiff::Timestamp::now();
        json!({"type": "assistant", "timestamp": at, "message": {"id": id, "usage": {"input_tokens": tokens}}}).to_string()
    };
    fs::write(&transcript, answer(100, "a") + "\n").unwrap();
    let stop = json!({"transcript_path": transcript, "last_assistant_message": "I looked at it."});
    place.event("stop", stop.clone());
    let first = place.state()["iteration_history"][0].clone();
    assert_eq!(first["test_results"]["passed"], 1, "{first}");
    assert_eq!(first["test_results"]["failed"], 1);
    assert_eq!(first["metrics_snapshot"]["custom_metrics"]["lines"], 16.0, "{first}");
    assert_eq!(first["quality_breakdown"].as_object().unwrap().len(), 5);
    assert_eq!(first["quality_breakdown"]["validation"], 50.0);

    // Iteration 2: the other one fails instead. A test that passed and fails now is a regression.
    place.write("src/lib.rs", &shop("items.iter().sum::<i64>() + i64::from(items.is_empty())", TWO));
    place.event("stop", stop.clone());
    let state = place.state();
    let event = &state["regression_events"][0];
    assert_eq!(event["details"]["diff"]["lost"], json!(["src/lib.rs > tests::empty"]), "{event}");
    assert_eq!(state["iteration_history"][1]["regression_detected"], true);
    assert_eq!(state["iteration_history"][1]["artifacts"][0]["path"], "src/lib.rs");

    // Iteration 3: all pass, the regression is closed, and the loop is complete.
    place.write("src/lib.rs", &shop("items.iter().sum()", TWO));
    fs::OpenOptions::new()
        .append(true)
        .open(&transcript)
        .unwrap()
        .write_all(answer(30, "b").as_bytes())
        .unwrap();
    place.event("stop", stop);
    let state = place.state();
    assert_eq!((&state["status"], &state["selected_iteration"]), (&json!("completed"), &json!(3)), "{state}");
    assert_eq!(state["regression_events"][0]["recovery_outcome"], "success");
    assert_eq!(state["metrics"]["total_tokens"], 130);
    let analytics = place.json(".aiwg/ralph/loops/l1/analytics/analytics.json");
    assert_eq!(analytics["costs"]["total_tokens"], 130, "{analytics}");
    assert_eq!(analytics["costs"]["total_cost_usd"], "unknown");
    let tokens: Vec<&Value> =
        analytics["iterations"].as_array().unwrap().iter().map(|one| &one["tokens_used"]).collect();
    assert_eq!(tokens, [&json!(100), &Value::Null, &json!(30)]);
    assert!(place.root().join(".aiwg/ralph/loops/l1/iterations/history.jsonl.gz").is_file());

    let lines = place.steadfast(&["status", "l1", "--persistence", "--regressions", "--quality"]);
    for line in [
        "Baseline Metrics: 2 tests",
        "Best Iteration: 3 (quality:",
        "⬅ BEST",
        "⬅ REGRESSION",
        "feature_removal (HIGH)",
    ] {
        assert!(lines.contains(line), "{line}: {lines}");
    }

    // The best iteration's files come back, and newer work stays unless it is forced.
    let best = shop("items.iter().sum()", TWO);
    assert!(place.steadfast(&["best", "l1"]).contains("3 of 3"));
    place.write("src/lib.rs", "// newer\n");
    let refused = place.run(env!("CARGO_BIN_EXE_steadfast"), &["best", "l1", "--apply"]);
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(fs::read_to_string(place.root().join("src/lib.rs")).unwrap(), "// newer\n");
    place.steadfast(&["best", "l1", "--apply", "--force"]);
    assert_eq!(fs::read_to_string(place.root().join("src/lib.rs")).unwrap(), best);
    // A person may choose another one, with a reason.
    let output = place.run(env!("CARGO_BIN_EXE_steadfast"), &["best", "l1", "--use", "1"]);
    assert_eq!(output.status.code(), Some(2));
    place.steadfast(&["best", "l1", "--use", "1", "--reason", "to compare"]);
    assert_eq!(place.state()["selection_override"]["reason"], "to compare");
    assert_eq!(place.state()["selected_iteration"], 1);
}
