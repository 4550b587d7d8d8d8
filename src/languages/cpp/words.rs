//! The macros by which tests in C++ are known: of googletest, Catch2, doctest and Boost.Test.

/// Macros whose arguments are a suite and a case.
pub(super) const PAIRS: &[&str] =
    &["TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P", "GTEST_TEST", "FRIEND_TEST"];

/// Macros whose first argument is the case.
pub(super) const SINGLES: &[&str] = &[
    "BOOST_AUTO_TEST_CASE",
    "BOOST_FIXTURE_TEST_CASE",
    "BOOST_DATA_TEST_CASE",
    "TEST_METHOD",
    "UTEST",
    "START_TEST",
];

/// Macros whose title is a string.
pub(super) const TITLED: &[&str] = &[
    "TEST_CASE",
    "TEST_CASE_METHOD",
    "TEST_CASE_FIXTURE",
    "TEST_CASE_TEMPLATE",
    "TEMPLATE_TEST_CASE",
    "TEMPLATE_PRODUCT_TEST_CASE",
    "TEMPLATE_LIST_TEST_CASE",
    "SCENARIO",
    "SCENARIO_METHOD",
    "TEST_CASE_PERSISTENT_FIXTURE",
];

/// Parts of a test that have a name.
pub(super) const SECTIONS: &[&str] =
    &["SECTION", "DYNAMIC_SECTION", "SUBCASE", "GIVEN", "WHEN", "THEN", "AND_GIVEN", "AND_WHEN", "AND_THEN"];
