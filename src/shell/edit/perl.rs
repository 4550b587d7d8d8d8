//! One-line programs of `perl -p`, `perl -n` and `ruby -p`: substitutions, and lines that are left out or added.

pub(crate) mod conditions;
pub(crate) mod lexer;

use crate::shell::edit::machine::program::{Address, EditAction, EditCommand, EditProgram};
use crate::shell::edit::pattern::replacement::{ReplacementTemplate, Substitution, Writing};
use crate::shell::edit::pattern::{Flags, Flavour, TextPattern};
pub(crate) use crate::shell::edit::perl::lexer::{closing, until};

/// How the program is run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::shell) struct PerlMode {
    /// `-n`: lines are printed only when the program says so.
    pub(in crate::shell) quiet: bool,
    /// `-0777`: the whole text is one line.
    pub(in crate::shell) whole: bool,
    /// `-l`: lines are seen without their ends.
    pub(in crate::shell) chomped: bool,
    /// Ruby rather than Perl.
    pub(in crate::shell) ruby: bool,
}

/// Reads a program.
pub(super) fn read(text: &str, mode: PerlMode) -> Option<EditProgram> {
    let mut program =
        EditProgram { quiet: mode.quiet, whole: mode.whole, ended: !mode.chomped, ..EditProgram::default() };
    let mut reader = PerlReader { rest: text, mode };
    loop {
        reader.rest = reader.rest.trim_start_matches([' ', ';', '\n', '\t']);
        if reader.rest.is_empty() {
            break;
        }
        if reader.slurps() {
            program.whole = true;
            reader.mode.whole = true;
            continue;
        }
        reader.statement(&mut program.commands)?;
    }
    (!program.commands.is_empty()).then_some(program)
}

struct PerlReader<'t> {
    rest: &'t str,
    mode: PerlMode,
}

/// The lines that a statement is for, each with whether it is for all others.
type Conditions = Vec<(Address, bool)>;

impl<'t> PerlReader<'t> {
    fn slurps(&mut self) -> bool {
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        let end = self.rest.find('}').map_or(0, |at| at + 1);
        let (head, rest) = self.rest.split_at(end);
        let is_slurp = matches!(
            bare(head).trim_end_matches(";}").trim_end_matches('}'),
            "BEGIN{undef$/" | "BEGIN{$/=undef" | "BEGIN{local$/"
        );
        if is_slurp {
            self.rest = rest;
        }
        is_slurp
    }

    fn statement(&mut self, commands: &mut Vec<EditCommand>) -> Option<()> {
        let mut conditions = Conditions::new();
        // `/x/ and s/a/b/`, `COND && …`
        let kept = self.rest;
        if let Some(condition) = self.condition() {
            if self.takes("&&") || self.takes("and") {
                conditions.push(condition);
            } else if self.takes("||") || self.takes("or") {
                conditions.push((condition.0, !condition.1));
            } else {
                self.rest = kept;
            }
        }
        let action = self.action()?;
        self.skip();
        let negated = self.takes("unless");
        if negated || self.takes("if") {
            let in_brackets = self.takes("(");
            let (address, other) = self.condition()?;
            conditions.push((address, other != negated));
            if in_brackets && !self.takes(")") {
                return None;
            }
        }
        self.skip();
        if !(self.rest.is_empty() || self.rest.starts_with(';')) {
            return None;
        }
        let mut conditions = conditions.into_iter();
        let (address, negated) = conditions.next().unwrap_or((Address::All, false));
        match conditions.next() {
            None => commands.push(EditCommand { address, negated, action }),
            Some((inner, other)) => {
                let end = commands.len() + 2;
                commands.push(EditCommand { address, negated, action: EditAction::Block(end) });
                commands.push(EditCommand { address: inner, negated: other, action });
            }
        }
        Some(())
    }

    fn action(&mut self) -> Option<EditAction> {
        self.skip();
        if self.mode.ruby {
            return self.ruby_action();
        }
        if self.takes("next") || self.takes("next LINE") {
            return Some(EditAction::Branch(None));
        }
        if self.takes("last") {
            return Some(EditAction::Quit);
        }
        if self.takes("print") {
            self.skip();
            if self.rest.starts_with(['"', '\'']) {
                return Some(EditAction::PrintText(self.string()?));
            }
            self.takes("$_");
            return Some(EditAction::Print);
        }
        let is_match = self.takes("$_") && {
            if self.takes("=~") {
                true
            } else if self.takes("=") {
                self.skip();
                return Some(match self.takes("undef") {
                    true => EditAction::Set(String::new()),
                    false => EditAction::Set(self.string()?),
                });
            } else {
                return None;
            }
        };
        if !is_match && self.takes("undef") {
            return self.takes("$_").then(|| EditAction::Set(String::new()));
        }
        self.skip();
        let after = self.rest.strip_prefix('s')?;
        let sign = after.chars().next()?;
        if sign.is_alphanumeric() || matches!(sign, '_' | '=' | ' ' | ',') {
            return None;
        }
        self.rest = after;
        self.substitution()
    }

    fn substitution(&mut self) -> Option<EditAction> {
        let (text, sign) = self.quoted()?;
        let with = match closing(sign) == sign {
            true => {
                let (with, rest) = until(self.rest, sign, sign)?;
                self.rest = rest;
                with
            }
            false => {
                self.skip();
                self.quoted()?.0
            }
        };
        let mut flags = Flags { ended_line: !self.mode.whole, ..Flags::default() };
        let mut all = false;
        while let Some(letter) = self.rest.chars().next().filter(char::is_ascii_alphabetic) {
            // A word of the language behind the flags.
            if self.rest.starts_with("if ") || self.rest.starts_with("unless ") {
                break;
            }
            match letter {
                'g' => all = true,
                'i' => flags.ignore_case = true,
                'm' => flags.lines = true,
                's' => flags.dot_all = true,
                'x' => flags.spaced = true,
                'o' | 'u' | 'a' => {}
                _ => return None,
            }
            self.rest = self.rest.get(1..)?;
        }
        let pattern = TextPattern::new(&text, Flavour::Perl, flags)?;
        let with = ReplacementTemplate::new(&with, Writing::Perl)?;
        Some(EditAction::Replace(Substitution { pattern, with, from: 1, all }))
    }

    /// `gsub(/a/, 'b')`, `$_.sub!(/a/) …`.
    fn ruby_action(&mut self) -> Option<EditAction> {
        if self.takes("next") {
            return Some(EditAction::Branch(None));
        }
        if self.takes("print") || self.takes("puts $_") {
            return Some(EditAction::Print);
        }
        if self.takes("$_") && self.takes("=") {
            self.takes("$_");
        }
        self.takes(".");
        let all = ["gsub!", "gsub"].iter().any(|name| self.takes(name));
        if !all && !["sub!", "sub"].iter().any(|name| self.takes(name)) {
            return None;
        }
        let in_brackets = self.takes("(");
        self.skip();
        let pattern = match self.rest.chars().next()? {
            '/' => {
                let (text, _) = self.quoted()?;
                let flags = self.flags();
                TextPattern::new(&text, Flavour::Ruby, flags)?
            }
            _ => TextPattern::literal(&self.string()?)?,
        };
        if !self.takes(",") {
            return None;
        }
        self.skip();
        let single = self.rest.starts_with('\'');
        let raw = self.raw_string()?;
        // `"\\1"` and `'\1'` are the same.
        let with = if single { raw } else { raw.replace("\\\\", "\\") };
        if in_brackets && !self.takes(")") {
            return None;
        }
        let with = ReplacementTemplate::new(&with, Writing::Backslash)?;
        Some(EditAction::Replace(Substitution { pattern, with, from: 1, all }))
    }
}
