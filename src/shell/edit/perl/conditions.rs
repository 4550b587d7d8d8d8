//! The lines that a statement is for.

use crate::shell::edit::machine::program::{Address, RangePoint};
use crate::shell::edit::pattern::{Flags, Flavour, TextPattern};
use crate::shell::edit::perl::PerlReader;

impl<'t> PerlReader<'t> {
    /// `/x/`, `!/x/`, `$. == 3`, `/x/ .. /y/`.
    pub(crate) fn condition(&mut self) -> Option<(Address, bool)> {
        self.skip();
        let negated = self.takes("!") || self.takes("not");
        let from = self.point()?;
        let from = match from {
            Ok(point) => point,
            Err(address) => return Some((address, negated)),
        };
        if self.takes("...") || self.takes("..") {
            let Ok(to) = self.point()? else { return None };
            return Some((Address::Range(from, to), negated));
        }
        Some((Address::One(from), negated))
    }

    /// A pattern or a line's number; `Err` for a comparison of the number.
    fn point(&mut self) -> Option<Result<RangePoint, Address>> {
        self.skip();
        if self.takes("$_ =~") || self.takes("$_=~") {
            self.skip();
        }
        if self.takes("eof") {
            return Some(Ok(RangePoint::Last));
        }
        if self.takes("$.") {
            self.skip();
            let sign = ["==", "<=", ">=", "<", ">"].into_iter().find(|sign| self.takes(sign))?;
            let number = self.number()?;
            return Some(match sign {
                "==" => Ok(RangePoint::Line(number)),
                "<=" => Err(Address::Between(1, number)),
                ">=" => Err(Address::Between(number, usize::MAX)),
                "<" => Err(Address::Between(1, number.checked_sub(1)?)),
                _ => Err(Address::Between(number + 1, usize::MAX)),
            });
        }
        if self.rest.starts_with(|it: char| it.is_ascii_digit()) {
            return Some(Ok(RangePoint::Line(self.number()?)));
        }
        if self.rest.starts_with("m{") || self.rest.starts_with("m|") || self.rest.starts_with("m/") {
            self.rest = self.rest.get(1..)?;
        } else if !self.rest.starts_with('/') {
            return None;
        }
        let (text, _) = self.quoted()?;
        let flags = Flags { ended_line: !self.mode.whole, ..self.flags() };
        let flavour = if self.mode.ruby { Flavour::Ruby } else { Flavour::Perl };
        Some(Ok(RangePoint::Fits(TextPattern::new(&text, flavour, flags)?)))
    }
}
