//! The machine that runs a stream editor's program over a text, line by line: `sed`, and what can be put like it.
//!
//! Every run ends: steps and output are bounded, and a bound that is met gives no result.

pub(crate) mod addresses;
pub(crate) mod program;

pub(crate) use crate::shell::edit::machine::program::{EditAction, EditProgram};

/// The most commands that one run may take.
const MOST_STEPS: usize = 2_000_000;
/// How much longer than the text the result may be, in bytes.
const MOST_ADDED: usize = 4 * 1024 * 1024;

/// What goes on while a program runs.
struct MachineRun<'p> {
    program: &'p EditProgram,
    lines: Vec<(&'p str, &'p str)>,
    /// The next line.
    next: usize,
    space: String,
    end: &'p str,
    hold: String,
    /// For each command, where its range ends when it is open: a line, or 0 for one that a pattern ends.
    open: Vec<Option<usize>>,
    appended: Vec<String>,
    out: String,
    steps: usize,
}

/// How a cycle ended.
enum Cycle {
    /// The line is printed unless the program is quiet.
    Printed,
    Dropped,
    /// Dropped, and what is left is the next line.
    Again,
    Ended {
        prints: bool,
    },
}

impl EditProgram {
    /// The text after the program; `None` when it takes too long or too much.
    pub(super) fn run(&self, text: &str) -> Option<String> {
        let lines = match self.whole {
            true => vec![(text, "")],
            false => text.split_inclusive('\n').map(|line| self.parted(line)).collect(),
        };
        let mut run = MachineRun {
            program: self,
            lines,
            next: 0,
            space: String::new(),
            end: "",
            hold: String::new(),
            open: vec![None; self.commands.len()],
            appended: Vec::new(),
            out: self.before.clone(),
            steps: 0,
        };
        run.all(text.len() + MOST_ADDED)?;
        run.out.push_str(&self.after);
        Some(run.out)
    }

    fn parted<'t>(&self, line: &'t str) -> (&'t str, &'t str) {
        match line.strip_suffix('\n') {
            Some(bare) if !self.ended => (bare, "\n"),
            _ => (line, ""),
        }
    }
}

impl MachineRun<'_> {
    fn all(&mut self, most: usize) -> Option<()> {
        let mut again = false;
        while again || self.read() {
            let cycle = self.cycle()?;
            again = matches!(cycle, Cycle::Again) && !self.space.is_empty();
            let prints = match cycle {
                Cycle::Printed => true,
                Cycle::Ended { prints } => prints,
                Cycle::Dropped | Cycle::Again => false,
            };
            if prints && !self.program.quiet {
                self.print();
            }
            self.flush();
            if self.out.len() > most {
                return None;
            }
            if matches!(cycle, Cycle::Ended { .. }) {
                break;
            }
        }
        Some(())
    }

    /// Reads the next line in the place of this one.
    fn read(&mut self) -> bool {
        let Some((line, end)) = self.lines.get(self.next).copied() else { return false };
        self.space.clear();
        self.space.push_str(line);
        self.end = end;
        self.next += 1;
        true
    }

    fn print(&mut self) {
        self.out.push_str(&self.space);
        self.out.push_str(self.end);
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// What was to come behind the line.
    fn flush(&mut self) {
        for text in std::mem::take(&mut self.appended) {
            if !self.out.is_empty() && !self.out.ends_with('\n') {
                self.out.push('\n');
            }
            self.line(&text);
        }
    }

    fn cycle(&mut self) -> Option<Cycle> {
        let program = self.program;
        let mut at = 0;
        let mut replaced = false;
        while let Some(command) = program.commands.get(at) {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return None;
            }
            let is_meant = self.is_meant(at, command);
            at += 1;
            if !is_meant {
                if let EditAction::Block(end) = command.action {
                    at = end;
                }
                continue;
            }
            match &command.action {
                EditAction::Replace(it) | EditAction::ReplacePrint(it) => {
                    if let Some(new) = it.apply(&self.space) {
                        replaced = true;
                        self.space = new;
                        if matches!(command.action, EditAction::ReplacePrint(_)) {
                            self.print();
                        }
                    }
                }
                EditAction::Branch(to) => at = to.unwrap_or(usize::MAX),
                EditAction::BranchReplaced(to) => {
                    if std::mem::take(&mut replaced) {
                        at = to.unwrap_or(usize::MAX);
                    }
                }
                EditAction::Change(text) => {
                    // A range is changed as one, with its last line.
                    let is_open = self.open.get(at - 1).copied().flatten().is_some();
                    if !is_open || command.negated {
                        let text = text.clone();
                        self.line(&text);
                    }
                    return Some(Cycle::Dropped);
                }
                other => {
                    if let Some(cycle) = self.act(other) {
                        return Some(cycle);
                    }
                }
            }
        }
        Some(Cycle::Printed)
    }

    /// A command that goes on with the next one, or ends the cycle.
    fn act(&mut self, action: &EditAction) -> Option<Cycle> {
        match action {
            EditAction::Delete => return Some(Cycle::Dropped),
            EditAction::DeleteFirst => {
                let Some((_, rest)) = self.space.split_once('\n') else { return Some(Cycle::Dropped) };
                self.space = rest.to_owned();
                return Some(Cycle::Again);
            }
            EditAction::Letters(pairs) => {
                let other =
                    |letter: char| pairs.iter().find(|(from, _)| *from == letter).map_or(letter, |it| it.1);
                self.space = self.space.chars().map(other).collect();
            }
            EditAction::Insert(text) => self.line(text),
            EditAction::Append(text) => self.appended.push(text.clone()),
            EditAction::Set(text) => self.space.clone_from(text),
            EditAction::Print => self.print(),
            EditAction::PrintFirst => {
                let first = self.space.split('\n').next().unwrap_or_default().to_owned();
                self.line(&first);
            }
            EditAction::PrintText(text) => self.out.push_str(text),
            EditAction::Next => {
                if self.next >= self.lines.len() {
                    return Some(Cycle::Ended { prints: true });
                }
                if !self.program.quiet {
                    self.print();
                }
                self.flush();
                self.read();
            }
            EditAction::NextAppended => {
                let Some((line, end)) = self.lines.get(self.next).copied() else {
                    return Some(Cycle::Ended { prints: true });
                };
                self.space.push('\n');
                self.space.push_str(line);
                self.end = end;
                self.next += 1;
            }
            EditAction::Quit => return Some(Cycle::Ended { prints: true }),
            EditAction::QuitSilently => return Some(Cycle::Ended { prints: false }),
            EditAction::HoldCopy => self.hold.clone_from(&self.space),
            EditAction::HoldAppend => {
                self.hold.push('\n');
                self.hold.push_str(&self.space);
            }
            EditAction::TakeCopy => self.space.clone_from(&self.hold),
            EditAction::TakeAppend => {
                self.space.push('\n');
                self.space.push_str(&self.hold);
            }
            EditAction::Exchange => std::mem::swap(&mut self.space, &mut self.hold),
            _ => {}
        }
        // Two spaces that grow each other are no edit of a file.
        (self.space.len() + self.hold.len() > 4 * MOST_ADDED).then_some(Cycle::Ended { prints: false })
    }
}
