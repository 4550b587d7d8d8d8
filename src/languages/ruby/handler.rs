//! What catches errors in Ruby: `rescue` as a clause and at the end of a line.

use super::coder::{Rescue, RubyCoder};
use crate::languages::code::Handler;

/// Kinds of errors that are about everything.
const ALL: &[&str] = &["", "StandardError", "Exception", "=>"];

impl RubyCoder<'_> {
    pub(super) fn rescue(&mut self, at: usize) {
        self.end_handler(at);
        let rest: Vec<usize> = self.reader.line_rest(at).collect();
        let stop = rest
            .iter()
            .position(|it| self.word(*it) == "then" || (self.word(*it) == "=" && self.word(*it + 1) == ">"));
        let last = rest.get(..stop.unwrap_or(rest.len())).unwrap_or_default().last();
        let caught = last.map_or("", |last| self.between(at + 1, last + 1));
        let body = rest.last().map_or(at + 1, |it| it + 1);
        let line = self.line(at);
        if let Some(frame) = self.frames.last_mut() {
            let watched = frame.body..at;
            frame.handler = Some(Rescue { caught, watched, body, line });
        }
    }

    /// `load rescue nil`.
    pub(super) fn rescue_in_line(&mut self, at: usize) {
        // What encloses the statement ends it.
        let mut open = 0_i32;
        let rest = self.reader.line_rest(at).take_while(|it| {
            open += i32::from(matches!(self.word(*it), "(" | "[" | "{"))
                - i32::from(matches!(self.word(*it), ")" | "]" | "}"));
            open >= 0
        });
        let end = rest.last().unwrap_or(at) + 1;
        let watched = self.between(self.reader.statement, at);
        let effect = self.effect(at + 1, end);
        self.code.handlers.push(Handler {
            owner: self.owner(),
            caught: "",
            broad: true,
            effect,
            explained: false,
            watched,
            body: self.between(at + 1, end),
            line: self.line(at),
        });
    }

    pub(super) fn end_handler(&mut self, at: usize) {
        let Some(rescue) = self.frames.last_mut().and_then(|frame| frame.handler.take()) else { return };
        let watched = self.between(rescue.watched.start, rescue.watched.end);
        let effect = self.effect(rescue.body, at);
        let inside = self.reader.end(rescue.body.saturating_sub(1))..self.reader.start(at);
        let explained = self.comments.iter().filter(|it| inside.contains(&it.start)).any(|it| {
            let text = self.reader.source.get(it.clone()).unwrap_or_default();
            text.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 1).count() >= 3
        });
        self.code.handlers.push(Handler {
            owner: self.owner(),
            caught: rescue.caught,
            broad: ALL.contains(&rescue.caught),
            effect,
            explained,
            watched,
            body: self.between(rescue.body, at),
            line: rescue.line,
        });
    }
}
