//! The `agent_persistence` block of `aiwg.yml`.
