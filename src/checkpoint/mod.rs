//! The bytes that are kept before something may destroy them, and their return.
