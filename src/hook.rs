//! The fast path of `steadfast-hook`: read, understand, judge, record, answer.
