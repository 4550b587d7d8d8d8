//! Ways to the gate that are not a person's.
