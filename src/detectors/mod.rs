//! One family of patterns per file: literals with id, severity and words, one function over a case, and beside the file
//! its cases in Markdown. Pure: values in, findings out.

pub mod cases;
mod catalogue;
pub mod checks;
#[cfg(test)]
mod code_cases;
pub mod commands;
pub mod engine;
pub mod guard;
#[cfg(test)]
mod honest_kinds;
mod loop_figures;
mod pattern;
pub mod product;
#[cfg(test)]
mod relocated_cases;
mod relocation;
pub mod reread;
pub mod session_patterns;
pub mod testing;
pub mod trends;
#[cfg(test)]
mod whole_cases;

use std::cmp::Reverse;
use std::ops::Deref;

use crate::model::finding::{Change, Finding};
use cases::Family;

pub use crate::detectors::checks::moved_settings::other_homes;
pub use crate::detectors::engine::comparison::{Case, TestComparison, names};
pub use crate::detectors::engine::revision::Revision;
pub use crate::detectors::engine::unseen_edit::judge_unseen;
pub use crate::detectors::guard::guard_tampering::{listed_tools, weakening_of};
pub use crate::detectors::testing::expectation_edits::{ExpectationEdit, expectation_edits};
pub use crate::detectors::testing::explained_values::is_product_change;
pub use crate::detectors::testing::test_data::TEST_DATA;
pub use crate::detectors::testing::test_deletion::DELETED_TESTS;
pub use catalogue::{catalogue, is_known};
pub use pattern::{Pattern, PatternProof};

/// What detectors judge.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// The files of this call, before and after.
    pub changes: &'a [Change],
    /// Files that the same session has changed: as they were when it began, and as they are now. A test that is gone
    /// from a change and new in one of these has moved. Of a file that `changes` name as well only the beginning counts.
    pub elsewhere: &'a [Change],
}

/// A pattern that changes of files show, and how it is found.
#[derive(Debug)]
pub struct Detector {
    /// What the catalogue says of it.
    pub pattern: Pattern,
    /// Adds what it finds.
    pub detect: fn(&Case, &mut Vec<Finding>),
}

impl Deref for Detector {
    type Target = Pattern;

    fn deref(&self) -> &Pattern {
        &self.pattern
    }
}

/// Lists each file with the detectors that it declares, and takes the Markdown of the same name for its cases.
macro_rules! detectors {
    ($($room:ident::$file:ident { $($name:ident),+ })+) => {
        /// Every detector, in the order in which they judge.
        pub static DETECTORS: &[&Detector] = &[$($(&$room::$file::$name),+),+];

        /// Every file that declares detectors, with its cases.
        pub static FAMILIES: &[Family] = &[$(Family {
            file: concat!(stringify!($room), "/", stringify!($file)),
            detectors: &[$(&$room::$file::$name),+],
            cases: include_str!(concat!(stringify!($room), "/", stringify!($file), ".md")),
        }),+];
    };
}

detectors! {
    testing::test_deletion { DELETED, COMMENTED_OUT }
    testing::test_skipping { SUITE_DISABLED, TESTS_DISABLED }
    testing::assertion_weakening { TRIVIAL, REMOVED }
    testing::assertion_strength { WEAKENED }
    testing::circular_assertions { CIRCULAR }
    testing::mocked_subject { MOCKED }
    product::error_suppression { SWALLOWED, GUTTED }
    product::nulled_results { NULLED }
    product::validation_bypass { REMOVED }
    product::security_settings { SWITCHED_OFF }
    product::feature_removal { DELETED }
    product::commented_code { COMMENTED_OUT }
    product::stubs { STUBBED }
    product::early_return { CUT_OFF }
    product::feature_flags { DISABLED }
    product::incomplete_work { OMITTED }
    product::hardcoded_bypass { TEST_RUN }
    product::special_case { SPECIAL_CASE }
    checks::suppressions { SILENCED }
    checks::coverage_pragmas { UNCOUNTED }
    checks::runner_tampering { WEAKENED }
    checks::ci_weakening { WEAKENED }
    checks::checker_config { RELAXED }
    checks::coverage_gate { LOWERED }
    testing::test_process { RIGGED }
    checks::stand_ins { PUT }
    checks::hook_bypass { BYPASSED }
    testing::test_data { BENT }
    guard::guard_tampering { TAMPERED }
    testing::trivial_tests { ADDED }
    product::requirements { DROPPED }
    product::documentation { HOLLOW }
}

/// Runs every detector. The worst finding comes first; one cause gives one finding.
pub fn judge(evidence: &Evidence) -> Vec<Finding> {
    let found = findings(&Case::new(*evidence));
    judged_again(evidence.changes, (evidence.elsewhere, &[]), &found).unwrap_or(found)
}

/// What is found once more without what other files have now: those of the session (`elsewhere`) and those that the
/// changes `named` for it. `None` where that changes nothing.
pub fn judged_again(
    changes: &[Change],
    (elsewhere, named): (&[Change], &[Change]),
    found: &[Finding],
) -> Option<Vec<Finding>> {
    if !relocation::may_be_elsewhere(found) {
        return None;
    }
    let others: Vec<Change> = elsewhere.iter().chain(named).cloned().collect();
    let left = relocation::left_of(changes, &others)?;
    Some(findings(&Case::new(Evidence { changes: &left, elsewhere })))
}

/// Runs every detector over a call's changes, and asks for the session's other files only when something is missing
/// that they may have.
pub fn judge_lazily(changes: &[Change], elsewhere: impl FnOnce() -> Vec<Change>) -> Vec<Finding> {
    let case = Case::new(Evidence { changes, elsewhere: &[] });
    let found = findings(&case);
    if !case.needs_others() && !relocation::may_be_elsewhere(&found) {
        return found;
    }
    let others = elsewhere();
    if others.is_empty() {
        return judged_again(changes, (&others, &[]), &found).unwrap_or(found);
    }
    let found = findings(&case.widened(&others));
    judged_again(changes, (&others, &[]), &found).unwrap_or(found)
}

fn findings(case: &Case) -> Vec<Finding> {
    let mut findings = Vec::new();
    for detector in DETECTORS {
        (detector.detect)(case, &mut findings);
    }
    findings.sort_by_key(|finding| Reverse(finding.severity));
    findings
}

impl Detector {
    /// A finding of this pattern in a file, to be filled in.
    fn finding(&self, path: &str, what: String) -> Finding {
        Finding { confidence: 0.95, ..self.pattern.finding(path, what) }
    }
}

/// `1 of 5 tests`, `all 5 tests`, `the only test`.
fn of_all(part: usize, whole: usize) -> String {
    match (part, whole) {
        (1, 1) => "the only test".to_owned(),
        (2, 2) => "both tests".to_owned(),
        _ if part >= whole => format!("all {part} tests"),
        _ => format!("{part} of {whole} tests"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::cases::{Example, examples};
    use crate::model::finding::{RegressionType, Severity};

    fn run(example: &Example) -> Vec<Finding> {
        let elsewhere = example.elsewhere.as_slice();
        judge(&Evidence { changes: std::slice::from_ref(&example.change), elsewhere })
    }

    #[test]
    fn every_detector_catches_its_examples_and_nothing_else_does() {
        let mut faults = Vec::new();
        for detector in DETECTORS {
            let least = detector.severity.min(Severity::Medium);
            for example in &examples(detector.id).unwrap().catches {
                let found: Vec<_> = run(example).into_iter().filter(|it| it.severity >= least).collect();
                let ids: Vec<_> = found.iter().map(|it| it.pattern_id).collect();
                if ids != [detector.id] {
                    faults.push(format!(
                        "{} catches {:?}: gave {ids:?}: {example:#?}",
                        detector.id, example.name
                    ));
                }
            }
        }
        assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    }

    #[test]
    fn no_detector_finds_anything_in_what_another_spares() {
        let mut faults = Vec::new();
        for detector in DETECTORS {
            for example in &examples(detector.id).unwrap().spares {
                let found: Vec<_> =
                    run(example).into_iter().filter(|it| it.severity > Severity::Low).collect();
                if !found.is_empty() {
                    faults.push(format!(
                        "{} spares {:?}: gave {found:#?}: {example:#?}",
                        detector.id, example.name
                    ));
                }
            }
        }
        assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    }

    #[test]
    fn every_detector_has_its_proof_and_its_words() {
        for detector in DETECTORS {
            let examples = examples(detector.id).unwrap();
            assert!(examples.catches.len() >= 3, "{} catches too little", detector.id);
            assert!(examples.spares.len() >= 3, "{} spares too little", detector.id);
            let words = [detector.name, detector.what, detector.why, detector.instead];
            assert!(words.iter().all(|text| !text.is_empty()), "{} lacks words", detector.id);
        }
        let ids: std::collections::BTreeSet<_> = DETECTORS.iter().map(|detector| detector.id).collect();
        assert_eq!(ids.len(), DETECTORS.len(), "an id is used twice");
    }

    fn change(path: &str, before: Option<&str>, after: Option<&str>) -> Change {
        Change { path: path.to_owned(), before: before.map(str::to_owned), after: after.map(str::to_owned) }
    }

    #[test]
    fn a_finding_names_what_is_lost_and_where() {
        let before = "describe('cart', () => {\n  it('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n  it('drops', () => {\n    expect(drop(9)).toBe(8);\n  });\n  it('ships', () => {\n    expect(ship('x')).toBe(true);\n  });\n});\n";
        let after = "describe('cart', () => {\n  it('ships', () => {\n    expect(ship('x')).toBe(true);\n  });\n});\n";
        let changes = [change("a.test.js", Some(before), Some(after))];
        let found = judge(&Evidence { changes: &changes, elsewhere: &[] });
        let [finding] = &found[..] else { panic!("one cause gives one finding: {found:#?}") };
        assert_eq!(finding.severity, Severity::Critical);
        assert_eq!(finding.regression_type, Some(RegressionType::TestDeletion));
        assert_eq!(finding.lost, ["cart > adds", "cart > drops"]);
        assert_eq!(finding.line, Some(2));
        assert_eq!(finding.what, "2 of 3 tests would be gone");
        assert_eq!(finding.lost_names().next().unwrap(), "a.test.js: cart > adds");
    }

    #[test]
    fn a_new_test_takes_the_place_of_one_lost_test_only() {
        let before = "def test_a():\n    assert tax(100, 'DE') == 19\n\ndef test_b():\n    assert tax(100, 'FR') == 20\n";
        let moved = "def test_c():\n    assert tax(100, 'DE') == 19\n";
        let changes = [change("test_x.py", Some(before), None), change("test_y.py", None, Some(moved))];
        let found = judge(&Evidence { changes: &changes, elsewhere: &[] });
        assert_eq!(found.iter().flat_map(|it| &it.lost).collect::<Vec<_>>(), ["test_b"]);
    }

    #[test]
    fn a_move_is_fine_within_one_call_and_within_the_session() {
        let before = "def test_a():\n    assert tax(100, 'DE') == 19\n";
        let (from, to) =
            (change("test_x.py", Some(before), None), change("tests/test_y.py", None, Some(before)));
        let apart =
            judge(&Evidence { changes: std::slice::from_ref(&from), elsewhere: std::slice::from_ref(&to) });
        assert_eq!(apart, [], "moved earlier in the session");
        assert_eq!(
            judge(&Evidence { changes: &[from.clone(), to], elsewhere: &[] }),
            [],
            "moved in one call"
        );
        let hidden = change("test_y.py.bak", None, Some(before));
        assert_eq!(
            judge(&Evidence { changes: &[from, hidden], elsewhere: &[] }).len(),
            1,
            "moved where nothing runs it"
        );
    }

    #[test]
    fn losing_a_test_with_its_subject_is_only_recorded() {
        let test = change("tests/user.test.ts", Some("it('a', () => { expect(user(1)).toBe(2); });\n"), None);
        let source = change("src/user.ts", Some("export const user = 1;\n"), None);
        let severity =
            |changes: &[Change]| judge(&Evidence { changes, elsewhere: &[] }).first().unwrap().severity;
        assert_eq!(severity(std::slice::from_ref(&test)), Severity::Critical);
        assert_eq!(severity(&[test, source]), Severity::Low);
    }

    #[test]
    fn the_worst_comes_first_and_each_cause_once() {
        let before = "it('a', () => {\n  expect(f(1)).toBe(2);\n});\nit('b', () => {\n  expect(g('x')).toBe(3);\n});\nit('c', () => {\n  expect(h(true, 7)).toBe(4);\n});\n";
        let after = "it.skip('a', () => {\n  expect(f(1)).toBe(2);\n});\nit('b', () => {\n  g('x');\n});\n";
        let changes = [change("a.test.js", Some(before), Some(after))];
        let found = judge(&Evidence { changes: &changes, elsewhere: &[] });
        let seen: Vec<_> = found.iter().map(|it| (it.pattern_id, it.lost.join(","))).collect();
        let expected =
            [("LP-001", "c"), ("LP-003", "a"), ("LP-013", "b")].map(|(id, lost)| (id, lost.to_owned()));
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_skipped_copy_and_an_unrelated_suite_save_nothing() {
        let before = "it('a', () => {\n  expect(price('tea', 3)).toBe(12);\n});\n";
        let change = [change("a.test.js", Some(before), Some("// moved\n"))];
        let skipped = self::change(
            "b.test.js",
            None,
            Some("it.skip('a', () => {\n  expect(price('tea', 3)).toBe(12);\n});\n"),
        );
        let other = self::change(
            "c.test.js",
            None,
            Some("it('z', () => {\n  expect(open('door')).toBe(true);\n});\n"),
        );
        assert_eq!(judge(&Evidence { changes: &change, elsewhere: &[skipped, other] }).len(), 1);
    }

    const SHARDS: &[&str] = &[
        "it('a', () => {\n",
        "describe.skip(\"s\", function () {\n",
        "test.each([1, ...x])(`t ${",
        "})\n",
        "});\n",
        "}\n",
        "expect(f(1)).toBe(2);\n",
        "#[test]\n",
        "#[cfg(any())]\nmod a {\n",
        "fn a() {\n",
        "assert!(true);\n",
        "proptest! {",
        "r#\"",
        "'",
        "\"",
        "`",
        "\"\"\"\n",
        "/*",
        "*/",
        "//",
        "# ",
        "\n",
        "    ",
        "é%",
        "\u{0}",
        "class TestA(B):\n",
        "    def test_a(self):\n",
        "        assert 1 == 1\n",
        "@pytest.mark.skipif(",
        "if False:\n",
        "func TestA(t *testing.T) {\n",
        "t.Run(\"x\", func(t *testing.T) {\n",
        "t.Skip()\n",
        "return\n",
        "if (false) {\n",
        "const s = it.skip;\n",
        "%d",
        "[",
        "(",
        "\\",
    ];

    fn soup() -> impl proptest::strategy::Strategy<Value = String> {
        use proptest::prelude::*;
        proptest::collection::vec(proptest::sample::select(SHARDS), 0..24).prop_map(|shards| shards.concat())
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..Default::default() })]

        #[test]
        fn any_change_is_survived_and_empty_lines_are_fine(before in soup(), after in soup()) {
            for path in ["a.test.js", "a.test.tsx", "test_a.py", "src/a.rs", "a_test.go", ".claude/settings.json", "aiwg.yml", "src/a.ts", "a.py", "a.go", "package.json", "pyproject.toml", ".github/workflows/ci.yml", "tox.ini", "Makefile", ".husky/pre-commit", "jest.config.js"] {
                let changes = [change(path, Some(&before), Some(&after))];
                judge(&Evidence { changes: &changes, elsewhere: &[] });
                let same = [change(path, Some(&before), Some(&format!("{before}\n\n")))];
                let found = judge(&Evidence { changes: &same, elsewhere: &[] });
                proptest::prop_assert!(found.is_empty(), "{path}: {found:?}");
            }
        }
    }

    /// The rooms of which every file declares a detector, but for the parts named beside each.
    const ROOMS: &[(&str, &[&str])] = &[
        (
            "testing",
            &[
                "alike_lines",
                "always_true",
                "answered_fixtures",
                "answered_parts",
                "asked_of_own",
                "asked_of_told",
                "broken_values",
                "built_values",
                "called_doubles",
                "caught_refusals",
                "changed_data",
                "cut_items",
                "doubled_subjects",
                "doubled_types",
                "dropped_assertions",
                "early_exits",
                "easier_helpers",
                "easier_rows",
                "emptied_failures",
                "emptied_snapshots",
                "empty_loops",
                "exact_lists",
                "exits_by_variable",
                "expectation_edits",
                "explained_values",
                "far_inputs",
                "fitted_claims",
                "fitted_to_losses",
                "fixture_texts",
                "followed_values",
                "foreign_skips",
                "forgotten_names",
                "given_sides",
                "gone_subjects",
                "gone_words",
                "held_values",
                "hidden_assertions",
                "joined_rows",
                "kept_tests",
                "lesser_helpers",
                "lesser_parts",
                "line_tests",
                "loosened_spies",
                "looser_lines",
                "lost_claims",
                "lost_rows",
                "lost_subjects",
                "lost_values",
                "matcher_lines",
                "meant_changes",
                "mere_presence",
                "merely_counted",
                "moved_files",
                "moved_inputs",
                "needed_modules",
                "optional_claims",
                "other_answers",
                "other_forms",
                "other_questions",
                "overriding_methods",
                "overwritten_tests",
                "own_answers",
                "own_namesakes",
                "own_subjects",
                "own_subtypes",
                "parameter_rows",
                "parted_tests",
                "patched_for_all",
                "plumbing_values",
                "pytest_hooks",
                "recomposed_texts",
                "recorded_answers",
                "recorded_cases",
                "reordered_inputs",
                "replaced_claims",
                "replaced_subjects",
                "retested_calls",
                "retried_tests",
                "rewritten_answers",
                "rigged_files",
                "rigged_setup",
                "row_loops",
                "row_pieces",
                "said_elsewhere",
                "said_within",
                "same_subjects",
                "same_values",
                "served_answers",
                "shell_assertions",
                "shell_stand_ins",
                "shell_tests",
                "shifted_inputs",
                "silent_changes",
                "skipped_by_answers",
                "skipped_rows",
                "skipping_names",
                "smoothed_answers",
                "spread_claims",
                "stand_in_values",
                "statuses",
                "stricter_twins",
                "subject_names",
                "test_inputs",
                "test_lines",
                "tested_functions",
                "title_values",
                "told_methods",
                "tolerances",
                "turned_refusals",
                "unasked_errors",
                "unawaited",
                "unread_tests",
                "value_pairs",
                "weaker_assertion",
                "wider_claims",
                "word_edit",
                "worked_again",
                "written_calls",
                "yaml_suites",
            ],
        ),
        (
            "product",
            &[
                "abstract_methods",
                "asked_conditions",
                "asked_schemas",
                "asked_words",
                "body_limits",
                "both_sides",
                "bounds",
                "carried_lines",
                "carried_refusals",
                "casts_instead",
                "check_sources",
                "check_words",
                "checked_inputs",
                "checked_types",
                "checks_when_made",
                "claimed_work",
                "cleanup_failures",
                "compared_literals",
                "constant_values",
                "corrected_inputs",
                "counted_answers",
                "decided_answers",
                "declared_bounds",
                "defaults",
                "definitions",
                "discarded_inputs",
                "documented_errors",
                "does_less",
                "dropped_parameters",
                "eased_lines",
                "exercised",
                "exit_codes",
                "expected_files",
                "failing_calls",
                "failure_counts",
                "feature_words",
                "fewer_bounds",
                "filled_texts",
                "fixed_answers",
                "forgiven_arms",
                "functions",
                "giveaways",
                "guards_in_front",
                "guards_of_called",
                "handed_work",
                "handler_steps",
                "hushed_calls",
                "idle_branches",
                "idle_inputs",
                "idle_work",
                "initializers",
                "input_words",
                "joined_refusals",
                "kept_promises",
                "kept_refusals",
                "lasting_effects",
                "left_unread",
                "lesser_comparisons",
                "lesser_predicates",
                "line_conditions",
                "listed_values",
                "literal_answers",
                "literal_arms",
                "literals",
                "lookups",
                "loosened_checks",
                "lost_askers",
                "lost_callbacks",
                "lost_calls",
                "lost_check",
                "lost_choices",
                "lost_clauses",
                "lost_cleaning",
                "lost_elements",
                "lost_guards",
                "lost_marks",
                "lost_operands",
                "lost_parts",
                "lost_retries",
                "lost_stages",
                "lost_statements",
                "lost_states",
                "lost_steps",
                "lost_values",
                "made_fields",
                "made_values",
                "maker_words",
                "margins",
                "mark_words",
                "missed_effects",
                "moved_authority",
                "moved_checks",
                "moved_constraints",
                "named_effects",
                "narrowed",
                "narrowed_filters",
                "new_values",
                "off_flags",
                "open_doors",
                "options",
                "orphans",
                "other_sides",
                "parameters",
                "plain_values",
                "presence",
                "probes",
                "promises",
                "proven_arms",
                "put_off",
                "put_values",
                "quiet_removal",
                "refusal_replacement",
                "refusals",
                "refused_values",
                "refused_when_made",
                "refusing_lines",
                "relocated_checks",
                "removed_code",
                "repeated_work",
                "required_names",
                "rolled_out",
                "rule_lists",
                "run_marks",
                "safer_calls",
                "sample_values",
                "schema_files",
                "shell_calls",
                "shell_refusals",
                "shell_stubs",
                "shell_work",
                "single_answers",
                "sized_answers",
                "softened_handlers",
                "spread_conditions",
                "sql_conditions",
                "strict_conversions",
                "strict_lookups",
                "switched_checks",
                "templates",
                "tested_inputs",
                "told_errors",
                "typed_fields",
                "uncalled",
                "unfinished",
                "unguarded_entries",
                "unheard_results",
                "unmissed_refusals",
                "unread_members",
                "unread_stubs",
                "value_groups",
                "value_words",
                "weaker_forms",
                "whole_writes",
                "widened_patterns",
                "written_results",
            ],
        ),
        (
            "checks",
            &[
                "allowed_failures",
                "both_settings",
                "build_exclusions",
                "build_lines",
                "build_switches",
                "cargo_lints",
                "cargo_targets",
                "check_command",
                "checker_levels",
                "checker_rules",
                "ci_conditions",
                "ci_steps",
                "collected_tests",
                "command_files",
                "command_lists",
                "command_pairs",
                "command_words",
                "compiler_flags",
                "finding_levels",
                "flag_meanings",
                "forced_casts",
                "gate_lines",
                "handed_on",
                "hooked_checks",
                "idle_commands",
                "ignore_files",
                "joined_tasks",
                "left_out_files",
                "lint_levels",
                "listed_options",
                "lost_status",
                "make_variables",
                "makefiles",
                "moved_flags",
                "moved_gates",
                "moved_rules",
                "moved_settings",
                "named_files",
                "narrowed_command",
                "needless_rules",
                "new_runner_files",
                "project_strictness",
                "raised_limits",
                "registered_tests",
                "renamed_flags",
                "run_settings",
                "runner_settings",
                "same_scripts",
                "scoped_options",
                "searched_places",
                "setting_keys",
                "shell_marks",
                "side_files",
                "skip_variables",
                "source_globs",
                "split_settings",
                "stages",
                "strict_heads",
                "strict_settings",
                "stricter_sets",
                "successors",
                "suppression_marks",
                "swallowed_failure",
                "tagged_jobs",
                "test_sources",
                "tox_environments",
                "weaker_command",
                "widened_types",
                "written_anew",
                "xml_exclusions",
            ],
        ),
        (
            "guard",
            &["agents_hooks", "configuration", "hook_texts", "host_settings", "meant_off", "weakening"],
        ),
    ];

    #[test]
    fn every_file_of_a_detectors_room_is_listed() {
        let room = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/detectors");
        for (name, parts) in ROOMS {
            for entry in std::fs::read_dir(room.join(name)).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_none_or(|it| it != "rs") {
                    continue;
                }
                let stem = path.file_stem().unwrap().to_str().unwrap();
                let listed = FAMILIES.iter().any(|family| family.file == format!("{name}/{stem}"));
                assert!(
                    listed || stem == "mod" || parts.contains(&stem),
                    "{name}/{stem} declares no listed detector"
                );
            }
        }
    }
}
