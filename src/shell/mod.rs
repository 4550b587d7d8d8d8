//! Shell text: script -> commands -> effects with targets. Never fails; what can't be read is `Unread`.
