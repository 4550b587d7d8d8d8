//! The machine of line editors: orders that act on a buffer of lines, and the text that is written back.
//!
//! Every run ends: the work is counted, and a bound that is met gives no result.

pub(crate) mod session;

use std::ops::RangeInclusive;

pub(crate) use crate::shell::edit::buffer::session::{
    EditSession, LineAddress, LinePlace, Order, OrderAction,
};
use crate::shell::edit::pattern::TextPattern;
use crate::shell::edit::pattern::replacement::Substitution;

/// The most work of one run: about one for each line that is looked at or moved.
const MOST_STEPS: usize = 2_000_000;

impl EditSession {
    /// Whether anything is written back at all.
    pub(super) fn saves(&self) -> bool {
        self.orders.iter().any(|order| order.act == OrderAction::Save)
    }

    /// The patterns of lines that are changed.
    pub(super) fn patterns(&self) -> impl Iterator<Item = &TextPattern> {
        self.orders.iter().filter_map(|order| match (&order.act, &order.from) {
            (OrderAction::Replace(it), _) => Some(&it.pattern),
            (OrderAction::Each(pattern, false, _), _) => Some(pattern),
            (
                OrderAction::Delete,
                Some(LinePlace { line: LineAddress::Next(pattern) | LineAddress::Before(pattern), .. }),
            ) => Some(pattern),
            _ => None,
        })
    }

    /// The file's text afterwards; `None` when it can't be computed.
    pub(super) fn run(&self, text: &str) -> Option<String> {
        let lines: Vec<BufferLine> =
            text.lines().map(|line| BufferLine { text: line.to_owned(), chosen: false }).collect();
        let current = if self.from_last { lines.len() } else { lines.len().min(1) };
        let mut run = BufferRun { lines, current, saved: None, steps: 0 };
        for order in &self.orders {
            match run.take(order) {
                // After one that can't be done the editor goes on with the next.
                OrderOutcome::Done | OrderOutcome::Failed => {}
                OrderOutcome::Left => break,
                OrderOutcome::TooMuch => return None,
            }
        }
        Some(run.saved.unwrap_or_else(|| text.to_owned()))
    }
}

/// A line of the buffer, and whether it is one of those that an order is for.
struct BufferLine {
    text: String,
    chosen: bool,
}

struct BufferRun {
    lines: Vec<BufferLine>,
    /// The current line, counted from 1; 0 where there is none.
    current: usize,
    saved: Option<String>,
    steps: usize,
}

#[derive(PartialEq)]
enum OrderOutcome {
    Done,
    /// The editor says that it can't.
    Failed,
    Left,
    TooMuch,
}

impl BufferRun {
    fn take(&mut self, order: &Order) -> OrderOutcome {
        self.steps += 1 + self.lines.len() / 16;
        if self.steps > MOST_STEPS {
            return OrderOutcome::TooMuch;
        }
        match &order.act {
            OrderAction::Save => {
                let lines = self.lines.iter().flat_map(|line| [line.text.as_str(), "\n"]);
                self.saved = Some(lines.collect());
                return OrderOutcome::Done;
            }
            OrderAction::Leave => return OrderOutcome::Left,
            _ => {}
        }
        let Some((from, to)) = self.range(order) else { return OrderOutcome::Failed };
        match &order.act {
            OrderAction::Each(pattern, others, inner) => {
                return self.each(pattern, *others, inner, from..=to);
            }
            OrderAction::Go if to <= self.lines.len() => self.current = to,
            OrderAction::Insert(lines) => self.put(lines, from.saturating_sub(1)),
            OrderAction::Append(lines) => self.put(lines, to),
            act if from >= 1 && to <= self.lines.len() => return self.change(act, from, to),
            _ => return OrderOutcome::Failed,
        }
        OrderOutcome::Done
    }

    /// An order that needs lines which are there.
    fn change(&mut self, act: &OrderAction, from: usize, to: usize) -> OrderOutcome {
        match act {
            OrderAction::Delete => {
                self.lines.drain(from - 1..to);
                self.current = from.min(self.lines.len());
            }
            OrderAction::Change(lines) => {
                self.lines.drain(from - 1..to);
                self.put(lines, from - 1);
            }
            OrderAction::Join => {
                let joined: Vec<String> = self.lines.drain(from - 1..to).map(|line| line.text).collect();
                self.put(&[joined.concat()], from - 1);
            }
            OrderAction::Replace(it) => return self.replace(it, from, to),
            OrderAction::Copy(place) => {
                let Some(behind) = self.at(place, self.current).filter(|at| *at <= self.lines.len()) else {
                    return OrderOutcome::Failed;
                };
                let lines: Vec<String> =
                    self.lines.iter().take(to).skip(from - 1).map(|line| line.text.clone()).collect();
                self.put(&lines, behind);
            }
            OrderAction::Move(place) => {
                let Some(behind) = self.at(place, self.current).filter(|at| *at <= self.lines.len()) else {
                    return OrderOutcome::Failed;
                };
                if (from..to).contains(&behind) {
                    return OrderOutcome::Failed;
                }
                let lines: Vec<String> = self.lines.drain(from - 1..to).map(|line| line.text).collect();
                let behind = if behind >= to { behind - lines.len() } else { behind };
                self.put(&lines, behind);
            }
            _ => {}
        }
        OrderOutcome::Done
    }

    /// Puts lines behind the one with this number; the last of them is the current one.
    fn put(&mut self, lines: &[String], behind: usize) {
        let at = behind.min(self.lines.len());
        let held = lines.iter().map(|text| BufferLine { text: text.clone(), chosen: false });
        self.lines.splice(at..at, held);
        self.current = at + lines.len();
        self.steps += lines.len();
    }

    fn replace(&mut self, substitution: &Substitution, from: usize, to: usize) -> OrderOutcome {
        let mut last = None;
        let mut number = from;
        for _ in from..=to {
            let Some(line) = self.lines.get_mut(number - 1) else { break };
            self.steps += 1;
            let Some(new) = substitution.apply(&line.text) else {
                number += 1;
                continue;
            };
            let mut parts = new.split('\n').map(str::to_owned);
            line.text = parts.next().unwrap_or_default();
            let more: Vec<String> = parts.collect();
            if !more.is_empty() {
                self.put(&more, number);
                self.steps += self.lines.len() / 16;
            }
            number += more.len();
            last = Some(number);
            number += 1;
            if self.steps > MOST_STEPS {
                return OrderOutcome::TooMuch;
            }
        }
        match last {
            Some(last) => {
                self.current = last;
                OrderOutcome::Done
            }
            None => OrderOutcome::Failed,
        }
    }

    fn each(
        &mut self,
        pattern: &TextPattern,
        others: bool,
        order: &Order,
        lines: RangeInclusive<usize>,
    ) -> OrderOutcome {
        self.steps += self.lines.len();
        let inside = self.lines.iter_mut().take(*lines.end()).skip(lines.start().saturating_sub(1));
        inside.for_each(|line| line.chosen = pattern.fits(&line.text) != others);
        // A plain deletion needs no walk for each line.
        if order.act == OrderAction::Delete && order.from.is_none() && order.to.is_none() {
            let before = self.lines.len();
            self.lines.retain(|line| !line.chosen);
            self.current = self.lines.len();
            return if before == self.lines.len() { OrderOutcome::Failed } else { OrderOutcome::Done };
        }
        let mut at = 0;
        let mut took = OrderOutcome::Failed;
        while let Some(next) = self.lines.iter().skip(at).position(|line| line.chosen) {
            let line = at + next;
            if let Some(held) = self.lines.get_mut(line) {
                held.chosen = false;
            }
            self.current = line + 1;
            let before = self.lines.len();
            match self.take(order) {
                OrderOutcome::TooMuch => return OrderOutcome::TooMuch,
                // Within, one line that can't be changed ends nothing.
                _ => took = OrderOutcome::Done,
            }
            // Lines may have moved: only where none did all those before are done.
            at = if before == self.lines.len() && !matches!(order.act, OrderAction::Move(_)) {
                line + 1
            } else {
                0
            };
        }
        took
    }

    /// The first and the last line of an order.
    fn range(&self, order: &Order) -> Option<(usize, usize)> {
        let whole = matches!(order.act, OrderAction::Each(..)) && order.from.is_none();
        if whole {
            return Some((1, self.lines.len()));
        }
        let from = match &order.from {
            Some(place) => self.at(place, self.current)?,
            None => self.current,
        };
        let to = match &order.to {
            Some(place) => self.at(place, if order.onward { from } else { self.current })?,
            None if order.act == OrderAction::Join => from + 1,
            None => from,
        };
        (from <= to).then_some((from, to))
    }

    /// The number of a line as it is found from another one.
    fn at(&self, place: &LinePlace, here: usize) -> Option<usize> {
        let count = self.lines.len();
        let fits = |number: &usize, pattern: &TextPattern| {
            self.lines.get(number - 1).is_some_and(|line| pattern.fits(&line.text))
        };
        let line = match &place.line {
            LineAddress::Current => here,
            LineAddress::Number(number) => *number,
            LineAddress::Last => count,
            LineAddress::Next(pattern) => (here + 1..=count).chain(1..=here).find(|at| fits(at, pattern))?,
            LineAddress::Before(pattern) => {
                (1..here).rev().chain((here..=count).rev()).find(|at| *at >= 1 && fits(at, pattern))?
            }
        };
        line.checked_add_signed(place.offset)
    }
}
