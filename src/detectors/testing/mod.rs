//! Faults in tests: tests that go, are skipped, or prove less.

pub(crate) mod assertion_strength;
pub(crate) mod assertion_weakening;
pub(crate) mod changed_data;
pub(crate) mod circular_assertions;
pub(crate) mod dropped_assertions;
pub(crate) mod empty_loops;
pub(crate) mod expectation_edits;
pub(crate) mod given_sides;
pub(crate) mod kept_tests;
pub(crate) mod mocked_subject;
pub(crate) mod recorded_answers;
pub(crate) mod retried_tests;
pub(crate) mod rewritten_answers;
pub(crate) mod said_within;
pub(crate) mod same_subjects;
pub(crate) mod served_answers;
pub(crate) mod shell_tests;
pub(crate) mod statuses;
pub(crate) mod test_data;
pub(crate) mod test_deletion;
pub(crate) mod test_inputs;
pub(crate) mod test_process;
pub(crate) mod test_skipping;
pub(crate) mod trivial_tests;
pub(crate) mod word_edit;
