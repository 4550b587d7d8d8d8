//! The colours of a patch.

use std::io::{self, Write};

use owo_colors::Style;

pub(super) const HEAD: Style = Style::new().bold();
pub(super) const HUNK: Style = Style::new().cyan();
pub(super) const RED: Style = Style::new().red();
pub(super) const GREEN: Style = Style::new().green();

/// Writes with colours, or without.
#[derive(Clone, Copy)]
pub(super) struct Paint {
    pub(super) coloured: bool,
}

impl Paint {
    pub(super) fn write(self, out: &mut dyn Write, style: Style, text: &str) -> io::Result<()> {
        if self.coloured && !text.is_empty() {
            write!(out, "{}", style.style(text))
        } else {
            write!(out, "{text}")
        }
    }

    /// A line in one style.
    pub(super) fn line(self, out: &mut dyn Write, style: Style, text: &str) -> io::Result<()> {
        self.write(out, style, text)?;
        writeln!(out)
    }
}
