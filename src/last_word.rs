//! The answer that is given when everything else has failed: the only file with unsafe code.
