//! What a terminal is sent to call its person: the bell, or an escape sequence for a notification on the desktop.
//!
//! Text can't leave its place in a sequence: everything that steers a terminal is taken out, and so is what a protocol
//! reads as a sign of its own.

use crate::model::verdict::{Attention, NotificationProtocol};

const BELL: &str = "\u{7}";
/// Begins and ends an operating system command.
const COMMAND: &str = "\u{1b}]";
const END: &str = "\u{1b}\\";
/// Stands first: iTerm2's protocol takes a digit at the beginning for a progress bar.
const FROM: &str = "Steadfast";
/// The longest text, in characters: notifications are cut at about this length anyway.
const LONGEST: usize = 200;

/// The bytes for a terminal.
pub(super) fn sequence(attention: &Attention) -> String {
    let Attention::Desktop { text, protocol } = attention else { return BELL.to_owned() };
    let text: String = text.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    let command = match protocol {
        NotificationProtocol::Osc9 => format!("9;{FROM}: {text}"),
        NotificationProtocol::Osc99 => format!("99;;{FROM}: {text}"),
        NotificationProtocol::Osc777 => format!("777;notify;{FROM};{}", text.replace(';', ",")),
    };
    format!("{COMMAND}{command}{END}{BELL}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_protocol_is_written_and_nothing_leaves_its_place() {
        let desktop =
            |text: &str, protocol| sequence(&Attention::Desktop { text: text.to_owned(), protocol });
        assert_eq!(sequence(&Attention::Bell), "\u{7}");
        for (protocol, text, expected) in [
            (NotificationProtocol::Osc9, "2 tests lost", "\u{1b}]9;Steadfast: 2 tests lost\u{1b}\\\u{7}"),
            (NotificationProtocol::Osc99, "a; b", "\u{1b}]99;;Steadfast: a; b\u{1b}\\\u{7}"),
            (NotificationProtocol::Osc777, "a; b", "\u{1b}]777;notify;Steadfast;a, b\u{1b}\\\u{7}"),
            (
                NotificationProtocol::Osc9,
                "a\u{1b}]0;title\u{7}\n\u{9b}31m",
                "\u{1b}]9;Steadfast: a]0;title31m\u{1b}\\\u{7}",
            ),
        ] {
            assert_eq!(desktop(text, protocol), expected);
        }
        assert!(desktop(&"x".repeat(9_000), NotificationProtocol::Osc9).len() < 300);
    }
}
