//! The lines that a command of `sed` is for.

use crate::shell::edit::machine::program::{Address, RangePoint};
use crate::shell::edit::pattern::Flags;
use crate::shell::edit::sed::SedReader;

impl<'t> SedReader<'t> {
    pub(crate) fn address(&mut self) -> Option<Address> {
        let Some(from) = self.point()? else { return Some(Address::All) };
        if let (RangePoint::Line(first), Some(rest)) = (&from, self.rest.strip_prefix('~')) {
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
            return Some(Address::Range(from, RangePoint::After(self.number()?)));
        }
        let to = self.point()??;
        Some(Address::Range(from, to))
    }

    /// A line's number, the last line, or a pattern; inner `None` where there is no address.
    fn point(&mut self) -> Option<Option<RangePoint>> {
        let first = self.rest.chars().next()?;
        let sign = match first {
            '0'..='9' => return Some(Some(RangePoint::Line(self.number()?))),
            '$' => {
                self.letter();
                return Some(Some(RangePoint::Last));
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
        Some(Some(RangePoint::Fits(pattern)))
    }
}
