//! The documents' agents: what each answers when a lifecycle hook asks it. Pure.
