//! Whether a command is for the line at hand.

use crate::shell::edit::machine::MachineRun;
use crate::shell::edit::machine::program::{Address, EditCommand, RangePoint};

impl MachineRun<'_> {
    pub(crate) fn is_meant(&mut self, index: usize, command: &EditCommand) -> bool {
        let line = self.next;
        let holds = match &command.address {
            Address::All => true,
            Address::One(point) => self.is_at(point),
            Address::Every(first, step) => match step {
                0 => line == *first,
                step => line >= *first && (line - first).is_multiple_of(*step),
            },
            Address::Between(from, to) => line >= *from && line <= *to,
            Address::Range(from, to) => self.is_within(index, from, to),
        };
        holds != command.negated
    }

    fn is_at(&self, point: &RangePoint) -> bool {
        match point {
            RangePoint::Line(line) => self.next == *line,
            RangePoint::Last => self.next == self.lines.len(),
            RangePoint::Fits(pattern) => pattern.fits(&self.space),
            RangePoint::After(_) => false,
        }
    }

    fn is_within(&mut self, index: usize, from: &RangePoint, to: &RangePoint) -> bool {
        let line = self.next;
        // `0,/x/` may end in the first line.
        let begun_before = matches!(from, RangePoint::Line(0)) && line == 1;
        let open = self.open.get(index).copied().flatten();
        let open = if begun_before { Some(0) } else { open };
        let (holds, now) = match open {
            Some(last) => {
                let last = if let RangePoint::Line(last) = to { *last } else { last };
                let is_behind = last != 0 && line > last;
                let ends = is_behind || (last != 0 && line == last) || self.is_at(to);
                if is_behind && self.is_at(from) {
                    self.begins(to)
                } else {
                    (!is_behind, (!ends).then_some(last))
                }
            }
            None if self.is_at(from) => self.begins(to),
            None => (false, None),
        };
        if let Some(slot) = self.open.get_mut(index) {
            *slot = now;
        }
        holds
    }

    /// A range that begins in this line: a pattern is looked for from the next line on, a number may be this one.
    fn begins(&self, to: &RangePoint) -> (bool, Option<usize>) {
        let line = self.next;
        let open = match to {
            RangePoint::Line(last) => (*last > line).then_some(*last),
            RangePoint::After(count) => (*count > 0).then_some(line + count),
            RangePoint::Last => (line < self.lines.len()).then_some(0),
            RangePoint::Fits(_) => Some(0),
        };
        (true, open)
    }
}
