//! Faults in product code: features that go, errors that are hidden, checks of input that are dropped, work that is not done.

pub(crate) mod documentation;
pub(crate) mod error_suppression;
pub(crate) mod feature_flags;
pub(crate) mod feature_removal;
pub(crate) mod hardcoded_bypass;
pub(crate) mod incomplete_work;
pub(crate) mod removed_code;
pub(crate) mod requirements;
pub(crate) mod validation_bypass;
