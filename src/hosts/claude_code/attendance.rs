//! Whether a question of the hook reaches a person, as one table: version, entry point, permission mode and what the
//! client says of its session. Pure.
//!
//! A question that nobody can answer is a denial in every version, so a wrong "asks" loses nothing by itself. What has
//! to be told apart are the sessions in which a program, and not a person, would say yes.

/// What is known of the session that a hook is called in.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SessionFacts<'a> {
    /// `STEADFAST_ASK`: what the person set for clients that the table can't tell.
    pub(super) setting: Option<&'a str>,
    /// `CLAUDE_CODE_SESSION_ATTENDED`: `1` or `0`; older clients don't say.
    pub(super) attended: Option<&'a str>,
    /// `CLAUDE_CODE_ENTRYPOINT`.
    pub(super) entry: Option<&'a str>,
    /// `permission_mode` of the event.
    pub(super) mode: Option<&'a str>,
    /// Whether the client was started with a permission tool: its host answers what the client would ask.
    pub(super) permission_tool: bool,
}

/// What a row says of one column.
#[derive(Debug, Clone, Copy)]
enum ColumnCondition {
    Any,
    /// The variable or field is not there.
    Absent,
    One(&'static [&'static str]),
    /// It begins so.
    Begins(&'static str),
}

/// One row of the table; the first that fits counts.
struct AttendanceRow {
    setting: ColumnCondition,
    attended: ColumnCondition,
    entry: ColumnCondition,
    mode: ColumnCondition,
    /// Only where the client has a permission tool.
    with_permission_tool: bool,
    asks: bool,
}

const ROW: AttendanceRow = AttendanceRow {
    setting: ColumnCondition::Any,
    attended: ColumnCondition::Any,
    entry: ColumnCondition::Any,
    mode: ColumnCondition::Any,
    with_permission_tool: false,
    asks: false,
};

/// Entry points behind which a person sits, whatever the client says of its terminal: it has none.
const WINDOWS: ColumnCondition = ColumnCondition::One(&["claude-vscode", "claude-desktop"]);
/// Clients that a program drives.
const SDK: ColumnCondition = ColumnCondition::Begins("sdk");
/// The modes in which clients that say nothing of attendance (2.1.197) are asked.
const ASKING_MODES: ColumnCondition = ColumnCondition::One(&["default", "acceptEdits", "plan"]);

const TABLE: &[AttendanceRow] = &[
    AttendanceRow { setting: ColumnCondition::One(&["never"]), ..ROW },
    AttendanceRow { setting: ColumnCondition::One(&["always"]), asks: true, ..ROW },
    // The extension has answered yes by itself there.
    AttendanceRow {
        entry: ColumnCondition::One(&["claude-vscode"]),
        mode: ColumnCondition::One(&["bypassPermissions"]),
        ..ROW
    },
    AttendanceRow {
        entry: WINDOWS,
        attended: ColumnCondition::Absent,
        mode: ASKING_MODES,
        asks: true,
        ..ROW
    },
    AttendanceRow { entry: WINDOWS, attended: ColumnCondition::Absent, ..ROW },
    AttendanceRow { entry: WINDOWS, asks: true, ..ROW },
    // With a permission tool the host answers; without one there is nobody, also where `-p` has a terminal.
    AttendanceRow { entry: SDK, with_permission_tool: true, asks: true, ..ROW },
    AttendanceRow { entry: SDK, ..ROW },
    // A dialog opens in all modes, and above an allow rule.
    AttendanceRow { attended: ColumnCondition::One(&["1"]), asks: true, ..ROW },
    AttendanceRow {
        attended: ColumnCondition::Absent,
        entry: ColumnCondition::One(&["cli"]),
        mode: ASKING_MODES,
        asks: true,
        ..ROW
    },
    ROW,
];

impl ColumnCondition {
    fn fits(self, value: Option<&str>) -> bool {
        match self {
            ColumnCondition::Any => true,
            ColumnCondition::Absent => value.is_none(),
            ColumnCondition::One(known) => value.is_some_and(|value| known.contains(&value)),
            ColumnCondition::Begins(start) => value.is_some_and(|value| value.starts_with(start)),
        }
    }
}

/// Whether a question reaches somebody who can answer it.
pub(super) fn asks(session: &SessionFacts) -> bool {
    let fits = |row: &&AttendanceRow| {
        row.setting.fits(session.setting)
            && row.attended.fits(session.attended)
            && row.entry.fits(session.entry)
            && row.mode.fits(session.mode)
            && (!row.with_permission_tool || session.permission_tool)
    };
    TABLE.iter().find(fits).is_some_and(|row| row.asks)
}

/// Whether what is typed comes from a program: nobody's code is taken from it.
pub(super) fn headless(session: &SessionFacts) -> bool {
    SDK.fits(session.entry) || (session.attended == Some("0") && !WINDOWS.fits(session.entry))
}

/// The client's option that names what answers its questions.
const PERMISSION_TOOL: &[u8] = b"--permission-prompt-tool";

/// Whether a command line, as the system keeps it, names a permission tool.
pub(super) fn names_permission_tool(command_line: &[u8]) -> bool {
    let is_it = |argument: &[u8]| {
        argument.strip_prefix(PERMISSION_TOOL).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"="))
    };
    command_line.split(|byte| *byte == 0).any(is_it)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODES: [&str; 6] = ["default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"];

    /// Each row of the documented table: what is set, and the modes in which is asked.
    #[test]
    fn the_table_of_clients_and_modes() {
        let old = ["default", "acceptEdits", "plan"];
        let all = MODES;
        let not_bypass = ["default", "acceptEdits", "plan", "auto", "dontAsk"];
        type Documented<'a> = (Option<&'a str>, Option<&'a str>, bool, &'a [&'a str]);
        let rows: &[Documented] = &[
            // 2.1.197, which says nothing of attendance.
            (None, Some("cli"), false, &old),
            (None, Some("sdk-cli"), false, &[]),
            (None, Some("sdk-ts"), false, &[]),
            (None, Some("claude-vscode"), false, &old),
            (None, Some("claude-desktop"), false, &old),
            (None, None, false, &[]),
            // 2.1.332.
            (Some("1"), Some("cli"), false, &all),
            (Some("0"), Some("cli"), false, &[]),
            (Some("0"), Some("sdk-cli"), false, &[]),
            (Some("1"), Some("sdk-cli"), false, &[]),
            (Some("0"), Some("sdk-cli"), true, &all),
            (Some("0"), Some("sdk-ts"), false, &[]),
            (Some("0"), Some("sdk-ts"), true, &all),
            (Some("0"), Some("sdk-py"), true, &all),
            (Some("0"), Some("claude-vscode"), false, &not_bypass),
            (Some("1"), Some("claude-vscode"), false, &not_bypass),
            (Some("0"), Some("claude-desktop"), false, &all),
            (Some("1"), Some("an entry point of tomorrow"), false, &all),
            (Some("0"), Some("an entry point of tomorrow"), false, &[]),
            (Some("1"), None, false, &all),
            (Some("yes"), Some("cli"), false, &[]),
        ];
        for (attended, entry, permission_tool, asking) in rows {
            for mode in MODES {
                let session = SessionFacts {
                    setting: None,
                    attended: *attended,
                    entry: *entry,
                    mode: Some(mode),
                    permission_tool: *permission_tool,
                };
                assert_eq!(asks(&session), asking.contains(&mode), "{session:?}");
                assert!(asks(&SessionFacts { setting: Some("always"), ..session }), "{session:?}");
                assert!(!asks(&SessionFacts { setting: Some("never"), ..session }), "{session:?}");
                let unknown = SessionFacts { setting: Some("perhaps"), ..session };
                assert_eq!(asks(&unknown), asks(&session), "{session:?}");
            }
        }
    }

    #[test]
    fn a_mode_of_tomorrow_is_asked_in_where_a_person_sits() {
        for (attended, asked) in [(Some("1"), true), (Some("0"), false), (None, false)] {
            for mode in [Some("a mode of tomorrow"), None] {
                let session = SessionFacts { attended, entry: Some("cli"), mode, ..SessionFacts::default() };
                assert_eq!(asks(&session), asked, "{session:?}");
            }
        }
    }

    #[test]
    fn a_program_is_told_from_a_person_who_types() {
        for (attended, entry, expected) in [
            (None, Some("cli"), false),
            (None, None, false),
            (Some("1"), Some("cli"), false),
            (Some("0"), Some("cli"), true),
            (Some("0"), Some("claude-vscode"), false),
            (None, Some("sdk-cli"), true),
            (Some("1"), Some("sdk-ts"), true),
        ] {
            let session = SessionFacts { attended, entry, ..SessionFacts::default() };
            assert_eq!(headless(&session), expected, "{session:?}");
        }
    }

    #[test]
    fn a_command_line_names_a_permission_tool() {
        for (line, expected) in [
            ("claude\0-p\0--permission-prompt-tool\0stdio\0", true),
            ("claude\0--permission-prompt-tool=mcp__a__b\0", true),
            ("claude\0-p\0say --permission-prompt-tool\0", false),
            ("claude\0--permission-prompt-tools\0", false),
            ("", false),
        ] {
            assert_eq!(names_permission_tool(line.as_bytes()), expected, "{line}");
        }
    }
}
