//! Assertions that only counted, in whose place a new test says what was counted.

use crate::detectors::TestComparison;
use crate::detectors::testing::written_calls::WrittenCalls;
use crate::languages::{Assertion, Test};

/// What counts, or says that something came, and what says what came, without blanks.
const TWINS: &[(&[&str], &[&str])] = &[
    (
        &[
            "assert_enqueued_emails",
            "assert_emails",
            "assert_enqueued_jobs",
            "assert_performed_jobs",
            "assert_no_enqueued",
        ],
        &["assert_enqueued_email_with", "assert_enqueued_with", "assert_performed_with"],
    ),
    (
        &["have_enqueued_mail", "have_enqueued_job", "have_been_enqueued"],
        &["have_enqueued_mail", "have_enqueued_job"],
    ),
    (&["have_received"], &[".with("]),
    (
        &[
            "toHaveBeenCalledTimes",
            "toHaveBeenCalled()",
            "toHaveBeenCalledOnce()",
            "toBeCalledTimes",
            "toBeCalled()",
        ],
        &[
            "toHaveBeenCalledWith",
            "toHaveBeenNthCalledWith",
            "toHaveBeenLastCalledWith",
            "toHaveBeenCalledExactlyOnceWith",
            "toBeCalledWith",
        ],
    ),
    (&["calledOnce", "callCount", "called)"], &["calledWith", "calledOnceWith", "calledOnceWithExactly"]),
    (
        &["assert_called_once()", "assert_called()", "call_count", ".called"],
        &[
            "assert_called_once_with",
            "assert_called_with",
            "assert_any_call",
            "assert_has_calls",
            "call_args",
        ],
    ),
    (&["toHaveLength", ".length)"], &["toEqual([", "toStrictEqual([", "toMatchObject(["]),
    (&["hasSize(", ".size()"], &["containsExactly(", "isEqualTo(List.of(", "containsExactlyInAnyOrder("]),
    (&["assertCount(", "toHaveCount("], &["assertSame([", "assertEquals([", "toBe([", "toEqual(["]),
    (&["assertlen(", "assertEqual(len("], &["==[", "assertListEqual", "assertEqual([", "==("]),
    (&["shouldHaveSize", ".sizeshouldBe"], &["shouldContainExactly", "shouldBelistOf("]),
    (
        &["assert.Len(", "require.Len("],
        &["assert.Equal(t,[]", "require.Equal(t,[]", "assert.ElementsMatch", "require.ElementsMatch"],
    ),
    (
        &["assertSentCount", "assertSentTimes", "assertPushedTimes", "assertQueuedCount"],
        &["assertSent(", "assertPushed(", "assertQueued(", "assertSentTo("],
    ),
    (
        &["times(", "Times.Once", "exactly="],
        &["ArgumentCaptor", "argThat", "It.Is<", "eq(", "withArg", "captor"],
    ),
    (&["assert_difference"], &["assert_equal", "assert_changes"]),
];

/// Whether a new test that makes a call of the old one says what a lost assertion only counted.
pub(super) fn has_stricter_twin(comparison: &TestComparison, test: &Test, lost: &Assertion) -> bool {
    let (before, after) = (comparison.change.before.as_deref(), comparison.change.after.as_deref());
    let asked = WrittenCalls::of(test.text_in(before), &test.title);
    TWINS.iter().filter(|(counting, _)| counting.iter().any(|it| lost.text.contains(it))).any(
        |(counting, telling)| {
            comparison.new_tests().any(|new| {
                let text = new.text_in(after);
                let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
                let says = telling
                    .iter()
                    .any(|it| bare.contains(it) && (!counting.contains(it) || bare.contains(".with(")));
                // A call without parentheses stands there by its name.
                let acts = asked.names.iter().any(|name| text.contains(name.as_str()))
                    || shares_line(test.text_in(before), text);
                says && acts
            })
        },
    )
}

/// Whether two texts share a line that does something.
fn shares_line(old: &str, new: &str) -> bool {
    let lines = |text: &'_ str| -> Vec<String> {
        let all = text.lines().map(str::trim).filter(|line| line.len() > 8 && !line.contains("assert"));
        all.map(str::to_owned).collect()
    };
    let known = lines(old);
    lines(new).iter().any(|line| known.contains(line))
}
