use std::fs;

use proptest::prelude::*;

use super::*;
use crate::model::finding::{RegressionType, Severity};
use crate::state::loop_state::Level;

fn parse(text: &str) -> LoadedConfig {
    Config::parse(text.as_bytes())
}

/// A block with the given body, indented by two.
fn block(body: &str) -> String {
    let lines: Vec<String> = body.lines().map(|line| format!("  {line}\n")).collect();
    format!("agent_persistence:\n{}", lines.concat())
}

/// The document's own example, in values.
const EXAMPLE: &str = r#"other_tool:
  - x: 1
agent_persistence:
  enabled: true
  detection:
    mode: "minimal"
    patterns_enabled:
      - test_deletion
      - VALIDATION_BYPASS
      - test_skip
  reinforcement:
    default_level: "standard"
    escalation_thresholds:
      iteration_2: "AGGRESSIVE"
      iteration_7: adaptive
    quality_plateau_threshold: 0.1
    templates_dir: texts
    token_budgets: {minimal: 10, session: 500}
  recovery:
    max_retries: 5
    auto_escalate_on_critical: false
    human_gate_timeout_minutes: 30
  best_output_selection:
    enabled: false
    quality_threshold: 80
    require_verification: true
  performance:
    detection_latency_budget_ms: 250
    max_integration_overhead_percentage: 2.5
  commands:
    test: npm test
    lint: npx eslint .
    coverage: npm run coverage
    types: npx tsc --noEmit
    build: npm run build
    list: npx vitest list
  custom_metrics:
    todos: grep -c TODO src
  measuring: {start_seconds: 5, stop_seconds: 6}
  protected_paths: [migrations/, "*.lock"]
  denied_commands: [npm publish, "make deploy-*"]
  allowed_commands: rm -r fixtures/tmp
  allowed_paths:
    - generated/**
  pattern_severity:
    LP-012: low
    lp-003: OFF
    LP-T003: medium
    LP-TODO: off
  notes: off
  notify:
    command: notify-send "$STEADFAST"
    terminal: off
  verification:
    timeout_seconds: 60
    prove: always
  build_folders: [out]
  checkpoints: {max_file_mb: 1, max_call_mb: 2, max_call_files: 3, max_total_mb: 5, retention_days: 4, keep: 6}
and_another: yes
"#;

#[test]
fn every_key_is_read() {
    let LoadedConfig { config, problems, lines, .. } = parse(EXAMPLE);
    assert_eq!(problems, []);
    assert_eq!(config.detection.mode, Mode::Minimal);
    assert!(config.looks_for(RegressionType::TestDeletion) && config.looks_for(RegressionType::TestSkipping));
    assert!(!config.looks_for(RegressionType::ErrorSuppression));
    let levels: Vec<Level> = [1, 2, 6, 7, 99].map(|n| config.reinforcement.level_at(n)).to_vec();
    use Level::{Adaptive, Aggressive, Standard};
    assert_eq!(levels, [Standard, Aggressive, Aggressive, Adaptive, Adaptive]);
    assert_eq!(config.reinforcement.token_budgets.at(Level::Minimal), 10);
    assert_eq!(config.recovery.human_gate_timeout_minutes, Some(30));
    assert_eq!(config.best_output_selection.quality_threshold, 80.0);
    assert_eq!(config.commands.types.as_deref(), Some("npx tsc --noEmit"));
    assert!(
        config.protects("db/migrations/1.sql") && config.protects("Cargo.lock") && !config.protects("a.rs")
    );
    assert!(config.allows("generated/a/b.rs"));
    assert_eq!(config.severity_of("LP-012", Severity::Critical), Some(Severity::Low));
    assert_eq!(config.severity_of("LP-003", Severity::Critical), None);
    assert_eq!(config.severity_of("LP-T003", Severity::Critical), Some(Severity::Medium));
    assert_eq!(config.severity_of("LP-TODO", Severity::Critical), None);
    assert_eq!(config.severity_of("LP-001", Severity::Critical), Some(Severity::Critical));
    // Every key but those that the example leaves out differs from its default and has its line.
    let left_out = ["standard", "aggressive", "adaptive"].map(|n| format!("reinforcement.token_budgets.{n}"));
    for key in KEYS {
        let set = !left_out.contains(&key.path.to_owned());
        assert_eq!(lines.contains_key(key.path), set, "{}", key.path);
        let differs = (key.value)(&config) != (key.value)(&Config::DEFAULT);
        assert_eq!(differs, set && key.path != "enabled", "{}", key.path);
    }
    assert_eq!((lines["enabled"], lines["detection.mode"], lines["checkpoints.keep"]), (4, 6, 58));
}

#[test]
fn thresholds_that_nobody_has_set_lower_no_level() {
    let levels = |settings: &str| {
        let text = format!("agent_persistence:\n  reinforcement:\n{settings}");
        let config = parse(&text).config;
        [1, 2, 3, 4, 5].map(|n| config.reinforcement.level_at(n).name()).join(" ")
    };
    let rows = [
        ("    default_level: STANDARD\n", "STANDARD STANDARD STANDARD STANDARD AGGRESSIVE"),
        ("    default_level: AGGRESSIVE\n", "AGGRESSIVE AGGRESSIVE AGGRESSIVE AGGRESSIVE AGGRESSIVE"),
        ("    default_level: ADAPTIVE\n", "ADAPTIVE ADAPTIVE ADAPTIVE ADAPTIVE ADAPTIVE"),
        (
            "    default_level: AGGRESSIVE\n    escalation_thresholds: {iteration_3: MINIMAL}\n",
            "AGGRESSIVE AGGRESSIVE MINIMAL MINIMAL MINIMAL",
        ),
        (
            "    escalation_thresholds: {iteration_2: AGGRESSIVE}\n",
            "MINIMAL AGGRESSIVE AGGRESSIVE AGGRESSIVE AGGRESSIVE",
        ),
    ];
    for (settings, expected) in rows {
        assert_eq!(levels(settings), expected, "{settings}");
    }
}

#[test]
fn the_defaults_are_the_documents() {
    let config = Config::DEFAULT;
    let levels = [1, 2, 3, 4, 5, 50].map(|n| config.reinforcement.level_at(n).name());
    assert_eq!(levels, ["MINIMAL", "MINIMAL", "STANDARD", "STANDARD", "AGGRESSIVE", "AGGRESSIVE"]);
    for (path, value) in [
        ("enabled", "true"),
        ("detection.mode", "\"standard\""),
        ("detection.patterns_enabled", "null"),
        ("reinforcement.quality_plateau_threshold", "0.05"),
        ("recovery.max_retries", "3"),
        ("recovery.auto_escalate_on_critical", "true"),
        ("recovery.human_gate_timeout_minutes", "null"),
        ("best_output_selection.enabled", "true"),
        ("best_output_selection.quality_threshold", "70.0"),
        ("best_output_selection.require_verification", "false"),
        ("performance.detection_latency_budget_ms", "500"),
        ("performance.max_integration_overhead_percentage", "10.0"),
    ] {
        let key = KEYS.iter().find(|key| key.path == path).unwrap();
        assert_eq!((key.value)(&config).to_string(), value, "{path}");
    }
}

#[test]
fn what_is_absent_or_empty_has_its_default_and_is_no_problem() {
    for text in [
        "",
        "\n",
        "a: 1\n",
        "- agent_persistence\n",
        "just agent_persistence",
        "agent_persistence:\n",
        "agent_persistence: ~\n",
        "agent_persistence: {}\n",
        "# agent_persistence: {enabled: false}\n",
        "agent_persistence_too:\n  enabled: false\n",
        "x: |\n  agent_persistence:\n    enabled: false\n",
        "agent_persistence:\n  enabled:\n  detection:\n  recovery: {max_retries: }\n",
    ] {
        assert_eq!(parse(text), LoadedConfig::default(), "{text:?}");
    }
}

#[test]
fn ways_to_write_the_same() {
    for text in [
        "agent_persistence:\n  enabled: false\n",
        "agent_persistence:\n    enabled:   False # no\n",
        "agent_persistence: {enabled: false}",
        "agent_persistence: {\n  enabled: false\n}\n",
        "{\"agent_persistence\": {\"enabled\": false}}",
        "\"agent_persistence\":\n  enabled: off\n",
        "'agent_persistence' :\n  enabled: no\n",
        "\u{feff}agent_persistence:\r\n  enabled: false\r\n",
        "%YAML 1.2\n---\nagent_persistence:\n  enabled: false\n...\n",
        "a: &a\n  enabled: false\nagent_persistence: *a\n",
        "a: &a\n  enabled: false\nagent_persistence:\n  <<: *a\n",
        "agent_persistence:\n\n# a comment\n\n  enabled: false\nb: 1\n",
        "b:\n\tbroken: [\nagent_persistence:\n  enabled: false\n",
        "b: 1\nb: 2\nagent_persistence:\n  enabled: false\n",
        "b: !custom 1\nagent_persistence:\n  enabled: false\nb: *nowhere\n",
    ] {
        let loaded = parse(text);
        assert_eq!((loaded.config.enabled, loaded.problems), (false, vec![]), "{text:?}");
    }
    // `off` without quotes is a word where a word is meant.
    assert_eq!(parse(&block("detection: {mode: off}")).config.detection.mode, Mode::Off);
}

#[test]
fn a_wrong_value_leaves_its_default_says_where_and_spoils_no_other() {
    for (body, line, column, message) in [
        ("enabled: 7", 2, 12, "enabled must be true or false, not 7"),
        ("enabled: \"false\"", 2, 12, "enabled must be true or false, not the text \"false\""),
        (
            "detection:\n  mode: strict",
            3,
            11,
            "detection.mode must be one of off, minimal, standard, aggressive, not the text \"strict\"",
        ),
        ("detection:\n  mode: agressive", 3, 11, "(did you mean aggressive?)"),
        ("detection: on", 2, 14, "detection must be a mapping of keys, not true"),
        (
            "detection:\n  patterns_enabled:\n    - test_deletion\n    - test_skiping",
            5,
            9,
            "(did you mean test_skipping?)",
        ),
        ("detection:\n  patterns_enabled: test_deletion", 3, 23, "must be a list of regression types"),
        (
            "reinforcement:\n  default_level: LOUD",
            3,
            20,
            "one of OFF, MINIMAL, STANDARD, AGGRESSIVE, ADAPTIVE",
        ),
        (
            "reinforcement:\n  escalation_thresholds: {iter_3: STANDARD}",
            3,
            29,
            "keys like iteration_3, not \"iter_3\"",
        ),
        ("reinforcement:\n  escalation_thresholds: {iteration_0: STANDARD}", 3, 29, "not \"iteration_0\""),
        ("reinforcement:\n  quality_plateau_threshold: 5", 3, 32, "a number from 0 to 1, not 5"),
        ("reinforcement:\n  quality_plateau_threshold: .nan", 3, 32, "a number from 0 to 1"),
        ("recovery:\n  max_retries: -1", 3, 18, "a whole number from 0 to 100, not -1"),
        ("recovery:\n  max_retries: 99999999999999999999999", 3, 18, "a whole number from 0 to 100"),
        ("recovery:\n  max_retries: 2.5", 3, 18, "a whole number from 0 to 100, not 2.5"),
        ("recovery:\n  human_gate_timeout_minutes: 0", 3, 33, "a whole number from 1 to"),
        ("commands:\n  test: true", 3, 11, "commands.test must be a text"),
        ("commands:\n  test: [a]", 3, 11, "not a list"),
        ("pattern_severity:\n  nonsense: low", 3, 5, "keys like LP-012, not \"nonsense\""),
        ("pattern_severity:\n  LP-001: lower", 3, 13, "(did you mean low?)"),
        ("denied_commands: ['*']", 2, 21, "a program, and arguments after it, not the text"),
        ("allowed_commands:\n  - 7", 3, 7, "a program, and arguments after it, not 7"),
        ("protected_paths:\n  - '[a'", 3, 7, "\"[a\" is no glob"),
        ("- enabled: false", 2, 3, "agent_persistence must be a mapping of keys, not a list"),
    ] {
        let loaded = parse(&format!("first: 1\n{}", block(body)));
        let [problem] = loaded.problems.as_slice() else { panic!("{body}: {:?}", loaded.problems) };
        assert_eq!(problem.weight, ProblemWeight::Error, "{body}");
        assert_eq!((problem.line, problem.column), (line + 1, column), "{body}: {problem}");
        assert!(problem.message.contains(message), "{body}: {problem}");
        assert_eq!(loaded.config, Config::DEFAULT, "{body}");
    }
    let loaded =
        parse(&block("enabled: false\nrecovery:\n  max_retries: many\nverification: {timeout_seconds: 5}"));
    assert!(!loaded.config.enabled);
    assert_eq!(loaded.config.verification.timeout_seconds, 5);
    assert_eq!(loaded.config.recovery.max_retries, 3);
}

#[test]
fn a_bad_entry_costs_no_protection() {
    let loaded = parse(&block("protected_paths: [7, a.sql]\npattern_severity: {LP-001: huge, LP-002: off}"));
    assert_eq!(loaded.config.protected_paths, ["a.sql"]);
    assert_eq!(loaded.config.severity_of("LP-001", Severity::High), Some(Severity::High));
    assert_eq!(loaded.config.severity_of("LP-002", Severity::High), None);
    assert_eq!(loaded.problems.len(), 2);
}

#[test]
fn an_unknown_key_is_a_warning_with_the_near_one() {
    for (body, message) in [
        ("enable: true", "unknown key enable; did you mean enabled?"),
        ("detection:\n  moed: off", "unknown key detection.moed; did you mean detection.mode?"),
        ("mode: off", "unknown key mode; did you mean detection.mode?"),
        ("recovery:\n  maxRetries: 3", "did you mean recovery.max_retries?"),
        ("dashboard: {port: 1}", "unknown key dashboard"),
        ("detction:\n  mode: off", "did you mean detection?"),
    ] {
        let loaded = parse(&block(body));
        let [problem] = loaded.problems.as_slice() else { panic!("{body}: {:?}", loaded.problems) };
        assert_eq!(problem.weight, ProblemWeight::Warning, "{body}");
        assert!(problem.message.ends_with(message), "{body}: {problem}");
        assert_eq!(loaded.config, Config::DEFAULT, "{body}");
    }
}

#[test]
fn a_key_that_is_there_twice_is_an_error_and_the_first_holds() {
    let loaded = parse(&block("enabled: false\nenabled: true"));
    assert!(!loaded.config.enabled);
    assert_eq!(loaded.problems[0].message, "enabled is there twice; the value in line 2 holds");
    assert_eq!(loaded.problems[0].line, 3);
    let loaded = parse("agent_persistence:\n  enabled: false\nx: 1\nagent_persistence: {}\n");
    assert!(loaded.config.enabled);
    assert_eq!(loaded.problems[0].line, 4);
    assert!(loaded.problems[0].message.contains("a second time"), "{}", loaded.problems[0]);
}

#[test]
fn a_broken_file_leaves_the_defaults_and_says_where() {
    let deep = format!("agent_persistence:\n  x: {}", "[".repeat(20_000));
    let bomb = format!(
        "agent_persistence:\n  a0: &a0 [x]\n{}",
        (1..30).map(|n| format!("  a{n}: &a{n} [*a{0}, *a{0}, *a{0}, *a{0}]\n", n - 1)).collect::<String>()
    );
    for (text, line) in [
        ("agent_persistence:\n\tenabled: false\n", 2),
        ("a: 1\nagent_persistence:\n  enabled: false\n b: 1\n", 4),
        ("agent_persistence: {enabled: false\n", 1),
        ("agent_persistence: *nowhere\n", 1),
        (&deep, 2),
        (&bomb, 0),
    ] {
        let loaded = parse(text);
        let start = &text[..text.len().min(60)];
        assert_eq!(loaded.config, Config::DEFAULT, "{start:?}");
        let [problem] = loaded.problems.as_slice() else { panic!("{start:?}: {:?}", loaded.problems) };
        assert_eq!(problem.weight, ProblemWeight::Error, "{start:?}");
        assert!(problem.message.contains("defaults hold"), "{start:?}: {problem}");
        // The place is the parser's, at the fault or right after it.
        assert!(line == 0 || (line..=line + 1).contains(&problem.line), "{start:?}: {problem}");
    }
    let loaded = Config::parse(b"a: 1\nagent_persistence:\n  x: \xff\n");
    assert_eq!((loaded.problems[0].line, loaded.problems[0].column), (3, 6));
    assert!(loaded.config.enabled);
}

#[test]
fn the_file_system_can_be_anything() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(Config::read(dir.path()), (Config::DEFAULT, vec![]));
    let path = dir.path().join(FILE);
    fs::create_dir(&path).unwrap();
    let (config, problems) = Config::read(dir.path());
    assert_eq!(config, Config::DEFAULT);
    assert!(notice(&problems).unwrap().contains("can't be read"));
    fs::remove_dir(&path).unwrap();
    let text = format!("{}{}", block("enabled: false"), "# x\n".repeat(250_000));
    fs::write(&path, &text).unwrap();
    assert!(!Config::read(dir.path()).0.enabled);
    fs::write(&path, text.repeat(2)).unwrap();
    let (config, problems) = Config::read(dir.path());
    assert!(config.enabled);
    assert!(problems[0].message.contains("larger than 1 MiB"));
}

#[test]
fn a_pipe_in_place_of_the_file_is_not_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("mkfifo").arg(dir.path().join(FILE)).status().unwrap();
    assert!(made.success());
    assert!(Config::read(dir.path()).0.enabled);
}

#[test]
fn a_problem_is_shown_with_its_line() {
    let problems = parse(&block("colour: red\ndetection:\n  mode: strict")).problems;
    assert_eq!(problems[1].snippet(), "4 |     mode: strict\n  |           ^");
    let notice = notice(&problems).unwrap();
    assert!(notice.starts_with("Steadfast: aiwg.yml line 4, column 11: detection.mode must be"), "{notice}");
    assert!(notice.ends_with("(1 more: `steadfast config check`)"), "{notice}");
    assert_eq!(super::notice(&[]), None);
    let long = parse(&block(&format!("enabled: \"{}\u{1b}[31m\"", "x".repeat(1000)))).problems;
    assert!(long[0].message.len() < 200);
    assert!(!long[0].snippet().contains('\u{1b}') && long[0].snippet().len() < 300);
}

proptest! {
    #[test]
    fn no_bytes_panic_and_none_disarm_but_a_clear_word(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let loaded = Config::parse(&bytes);
        prop_assert!(loaded.config.enabled);
        let mut ours = b"agent_persistence:\n  ".to_vec();
        ours.extend(bytes);
        let loaded = Config::parse(&ours);
        prop_assert!(loaded.config.enabled);
        loaded.problems.iter().for_each(|problem| { problem.snippet(); });
    }

    #[test]
    fn no_yaml_like_text_panics(text in "(agent_persistence|enabled|detection|mode|[:\\-\\[\\]{}&*!|>'\"#,?% \n\t]|a|1){0,60}") {
        let loaded = Config::parse(text.as_bytes());
        loaded.problems.iter().for_each(|problem| { problem.snippet(); });
    }
}
