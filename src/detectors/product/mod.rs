//! Faults in product code: features that go, errors that are hidden, checks of input that are dropped, work that is not done.

pub(crate) mod check_words;
pub(crate) mod commented_code;
pub(crate) mod definitions;
pub(crate) mod documentation;
pub(crate) mod early_return;
pub(crate) mod error_suppression;
pub(crate) mod feature_flags;
pub(crate) mod feature_removal;
pub(crate) mod functions;
pub(crate) mod hardcoded_bypass;
pub(crate) mod incomplete_work;
pub(crate) mod lost_check;
pub(crate) mod lost_guards;
pub(crate) mod nulled_results;
pub(crate) mod removed_code;
pub(crate) mod requirements;
pub(crate) mod sample_values;
pub(crate) mod security_settings;
pub(crate) mod special_case;
pub(crate) mod stubs;
pub(crate) mod validation_bypass;
