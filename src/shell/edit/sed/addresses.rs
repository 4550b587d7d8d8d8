//! The lines that a command of `sed` is for.

use crate::shell::edit::machine::program::{Address, Point};
use crate::shell::edit::pattern::Flags;
use crate::shell::edit::sed::Reader;

impl<'t> Reader<'t> {
    pub(crate) fn address(&mut self) -> Option<Address> {
        let Some(from) = self.point()? else { return Some(Address::All) };
        if let (Point::Line(first), Some(rest)) = (&from, self.rest.strip_prefix('~')) {
            let first = *first;
            self.rest = rest;
            return Some(Address::Every(first, self.number()?));
        }
        let trimmed = self.rest.trim_start_matches(' ');
        let Some(rest) = trimmed.strip_prefix(',') else {
            return Some(Address::One(from));
        };
        self.rest = rest.trim_start_matches(' ');
        if let Some(rest) = self.rest.strip_prefix('+') {
            self.rest = rest;
            return Some(Address::Range(from, Point::After(self.number()?)));
        }
        let to = self.point()??;
        Some(Address::Range(from, to))
    }

    /// A line's number, the last line, or a pattern; inner `None` where there is no address.
    fn point(&mut self) -> Option<Option<Point>> {
        let first = self.rest.chars().next()?;
        let sign = match first {
            '0'..='9' => return Some(Some(Point::Line(self.number()?))),
            '$' => {
                self.letter();
                return Some(Some(Point::Last));
            }
            '/' => '/',
            '\\' => {
                self.letter();
                self.rest.chars().next()?
            }
            _ => return Some(None),
        };
        self.letter();
        let text = self.until(sign, true)?;
        let ignore_case = self.rest.starts_with('I');
        let lines = self.rest.starts_with('M');
        self.rest = self.rest.trim_start_matches(['I', 'M']);
        let pattern = self.pattern(&text, Flags { ignore_case, lines, dot_all: true, ..Flags::default() })?;
        Some(Some(Point::Fits(pattern)))
    }
}
