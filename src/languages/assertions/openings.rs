//! By which names an assertion begins in the languages of chains.

/// Calls whose first argument is what the rest of the chain is about.
pub(super) const OPENERS: &[&str] = &[
    "expect",
    "assertThat",
    "assert_that",
    "That",
    "expectThat",
    "assertWithMessage",
    "expectTypeOf",
    "_",
    "EXPECT_THAT",
    "ASSERT_THAT",
    "REQUIRE_THAT",
    "CHECK_THAT",
];
/// Names in front of a matcher that only say whose it is.
pub(super) const NAMESPACES: &[&str] = &["testing", "Catch", "Matchers", "hamcrest", "CoreMatchers"];

/// Whether a call of this name asserts by itself.
pub(super) fn asserts(name: &str) -> bool {
    #[rustfmt::skip] // Words in lines, not in a column.
    const ALONE: &[&str] = &[
        "AreEqual", "Equal", "AreSame", "Same", "IsTrue", "True", "IsFalse", "False", "IsNotNull",
        "NotNull", "IsNull", "Null", "Contains", "AreEquivalent", "Throws", "ThrowsAsync", "ThrowsAny",
        "ThrowsAnyAsync", "ThrowsExactly", "ThrowsException", "Catch", "Empty", "NotEmpty", "Single",
        "StartsWith", "IsInstanceOf", "IsType", "IsAssignableFrom", "InRange", "Greater", "NotEqual",
        "AreNotEqual", "DoesNotThrow", "expectException",
    ];
    #[rustfmt::skip] // Words in lines, not in a column.
    const OPEN: &[&str] = &[
        "assert", "refute", "XCTAssert", "EXPECT_", "ASSERT_", "REQUIRE", "CHECK", "BOOST_CHECK",
        "BOOST_REQUIRE", "BOOST_TEST", "require", "STATIC_REQUIRE", "TEST_ASSERT", "CU_ASSERT", "ck_assert",
        "cr_assert", "cr_expect", "munit_assert",
    ];
    ALONE.contains(&name) || OPEN.iter().any(|it| name.starts_with(it))
}

/// Whether a call takes the expected value first.
pub(super) fn expects_first(name: &str) -> bool {
    !name.starts_with("XCT") && !name.contains('_')
        || ["assert_", "TEST_ASSERT"].iter().any(|head| name.starts_with(head))
}
