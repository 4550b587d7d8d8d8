//! The terminal while a view is on it: another screen, no cursor, and keys that come at once.

use std::io::{self, Read, Write};
use std::time::Duration;

use rustix::termios::{OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};

/// How often the view is looked at anew.
pub(super) const TICK: Duration = Duration::from_millis(500);
/// The same in the tenths of a second that a terminal waits for a key.
const TENTHS: u8 = 5;
/// Ctrl-C and Ctrl-D as a terminal gives them while it makes no signals of them.
const CONTROL_C: u8 = 3;
const CONTROL_D: u8 = 4;
/// To another screen and back, with the cursor hidden meanwhile.
const ENTER: &str = "\u{1b}[?1049h\u{1b}[?25l";
const LEAVE: &str = "\u{1b}[?25h\u{1b}[?1049l";

/// The terminal. It is as it was when this is dropped.
pub(super) struct Keyboard {
    before: Termios,
}

impl Keyboard {
    /// Takes the terminal over.
    pub(super) fn take() -> io::Result<Keyboard> {
        let before = tcgetattr(io::stdin())?;
        let mut raw = before.clone();
        raw.make_raw();
        // Lines are still written with both ends, in case something else writes one.
        raw.output_modes = before.output_modes;
        raw.special_codes[SpecialCodeIndex::VMIN] = 0;
        raw.special_codes[SpecialCodeIndex::VTIME] = TENTHS;
        // Dropped at an error from here on.
        let keyboard = Keyboard { before };
        // What was typed ahead counts.
        tcsetattr(io::stdin(), OptionalActions::Now, &raw)?;
        write(ENTER)?;
        Ok(keyboard)
    }

    /// Shows a whole screen.
    pub(super) fn draw(&mut self, screen: &str) -> io::Result<()> {
        write(screen)
    }

    /// Waits for a key, half a second at most. Whether it ends the view.
    pub(super) fn wait_for_an_end(&mut self) -> io::Result<bool> {
        let mut key = [0_u8; 16];
        match io::stdin().lock().read(&mut key) {
            Ok(length) => {
                Ok(key.iter().take(length).any(|key| matches!(*key, b'q' | b'Q' | CONTROL_C | CONTROL_D)))
            }
            // A signal has come; who looks at it is next.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(false),
            Err(error) => Err(error),
        }
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        // What can't be put back on a terminal that is gone is nobody's loss.
        write(LEAVE).ok();
        tcsetattr(io::stdin(), OptionalActions::Flush, &self.before).ok();
    }
}

/// Straight to the terminal: a filter for colours would take movements out.
fn write(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
