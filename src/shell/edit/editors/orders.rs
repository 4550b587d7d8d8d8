//! The orders of `ed`, `ex` and `vim`, read to what they do to the lines.

pub(crate) mod places;
pub(crate) mod substitutions;

use crate::shell::edit::buffer::session::{EditSession, LineAddress, LinePlace, Order, OrderAction};
use crate::shell::edit::editors::Editor;
use crate::shell::edit::editors::orders::places::{current, first, last};
use crate::shell::edit::editors::orders::substitutions::until;
use crate::shell::edit::pattern::{Flavour, TextPattern};

/// The most orders of one session.
const MOST_ORDERS: usize = 200;

/// Orders that change neither the text nor the file.
const WITHOUT_CHANGE: &[&str] = &[
    "set",
    "se",
    "setlocal",
    "setl",
    "syntax",
    "syn",
    "noh",
    "nohlsearch",
    "filetype",
    "p",
    "print",
    "nu",
    "number",
    "#",
    "l",
    "list",
    "n",
    "=",
    "h",
    "H",
    "P",
    "f",
    "file",
    "echo",
    "ec",
];
/// Words before an order that only say how it is shown.
const MODIFIERS: &[&str] = &[
    "silent",
    "sil",
    "keeppatterns",
    "keepp",
    "keepjumps",
    "keepj",
    "lockmarks",
    "noautocmd",
    "noa",
    "argdo",
    "bufdo",
];

/// Reads orders; with whether they are for each of the files.
pub(super) fn read(texts: &[String], editor: Editor, extended: bool) -> Option<(EditSession, bool)> {
    let flavour = if extended { Flavour::Extended } else { Flavour::Basic };
    let mut reader = OrderReader { editor, flavour, last: None, lines: Vec::new(), for_each: false };
    let mut session = EditSession { orders: Vec::new(), from_last: editor != Editor::Vim };
    for text in texts {
        reader.lines = text.lines().rev().map(str::to_owned).collect();
        while let Some(line) = reader.lines.pop() {
            for piece in reader.pieces(&line) {
                if session.orders.len() >= MOST_ORDERS {
                    return None;
                }
                reader.order(piece, &mut session.orders)?;
            }
        }
    }
    Some((session, reader.for_each))
}

struct OrderReader {
    editor: Editor,
    flavour: Flavour,
    /// The last pattern, which an empty one stands for.
    last: Option<TextPattern>,
    /// The lines that are not read yet, the next one last.
    lines: Vec<String>,
    for_each: bool,
}

impl OrderReader {
    /// The orders of one line: all but `ed` put several into one.
    fn pieces<'t>(&self, line: &'t str) -> Vec<&'t str> {
        let name = line.trim_start_matches([' ', ':', '%']);
        if self.editor == Editor::Ed || name.starts_with(['g', 'v', 'n']) {
            return vec![line];
        }
        let mut pieces = Vec::new();
        let mut rest = line;
        loop {
            let mut escaped = false;
            let own = own_signs(rest);
            let bar = rest.char_indices().skip_while(|(at, _)| *at < own).find(|(_, letter)| {
                let ends = *letter == '|' && !escaped;
                escaped = *letter == '\\' && !escaped;
                ends
            });
            let Some((at, _)) = bar else { break };
            pieces.extend(rest.get(..at));
            rest = rest.get(at + 1..).unwrap_or_default();
        }
        pieces.push(rest);
        pieces
    }

    fn order(&mut self, text: &str, orders: &mut Vec<Order>) -> Option<()> {
        let mut rest = text.trim_start_matches([' ', ':', '\t']);
        while let Some((modifier, more)) = self.modifier(rest) {
            self.for_each |= matches!(modifier, "argdo" | "bufdo");
            rest = more.trim_start_matches([' ', ':', '!']);
        }
        if rest.is_empty() || (rest.starts_with('"') && self.editor != Editor::Ed) {
            return Some(());
        }
        let (from, to, onward) = self.range(&mut rest)?;
        rest = rest.trim_start_matches(' ');
        let end = match rest.starts_with(|it: char| it.is_ascii_alphabetic()) {
            true if self.editor == Editor::Ed => 1,
            true => rest.find(|it: char| !it.is_ascii_alphabetic()).unwrap_or(rest.len()),
            false => rest.chars().next().map_or(0, char::len_utf8),
        };
        let (name, arguments) = self.named(rest, end)?;
        let bang = arguments.starts_with('!');
        let words = arguments.trim_start_matches('!').trim();
        let act = match name {
            "" => OrderAction::Go,
            "d" | "de" | "del" | "delete" if matches!(words, "" | "_" | "x") => OrderAction::Delete,
            "s" | "substitute" => self.substitution(arguments)?,
            "g" | "global" | "v" | "vglobal" => self.each(name.starts_with('v') || bang, arguments)?,
            "a" | "append" if words.is_empty() => OrderAction::Append(self.typed()),
            "i" | "insert" if words.is_empty() => OrderAction::Insert(self.typed()),
            "c" | "change" if words.is_empty() => OrderAction::Change(self.typed()),
            "m" | "move" => OrderAction::Move(self.place_in(words)?),
            "t" | "co" | "copy" => OrderAction::Copy(self.place_in(words)?),
            // `J` of the others puts blanks between.
            "j" | "join" if words.is_empty() && (self.editor == Editor::Ed || bang) => OrderAction::Join,
            "norm" | "normal" => return self.keys(words, orders),
            "w" | "write" | "up" | "update" | "wa" | "wall" if words.is_empty() => OrderAction::Save,
            "wq" | "x" | "xit" | "exit" | "wqa" | "wqall" | "xa" | "xall" if words.is_empty() => {
                orders.push(plain(OrderAction::Save));
                OrderAction::Leave
            }
            "q" | "quit" | "qa" | "qall" | "Q" | "cq" | "cquit" => OrderAction::Leave,
            known if WITHOUT_CHANGE.contains(&known) => return Some(()),
            _ => return None,
        };
        // Part of a file that is written is another file.
        if from.is_some() && act == OrderAction::Save && from != Some(first()) {
            return None;
        }
        orders.push(Order { from, to, onward, act });
        Some(())
    }

    fn modifier<'t>(&self, rest: &'t str) -> Option<(&'t str, &'t str)> {
        let end = rest.find([' ', '!']).filter(|_| self.editor != Editor::Ed)?;
        let (word, more) = rest.split_at(end);
        MODIFIERS.contains(&word).then_some((word, more))
    }

    /// The name of an order, and what follows: `s` and `g` are followed by any sign.
    fn named<'t>(&self, rest: &'t str, end: usize) -> Option<(&'t str, &'t str)> {
        let (mut name, mut arguments) = rest.split_at_checked(end)?;
        if self.editor == Editor::Ed && name == "w" && arguments.starts_with('q') {
            (name, arguments) = rest.split_at_checked(2)?;
        }
        Some((name, arguments))
    }

    fn each(&mut self, others: bool, arguments: &str) -> Option<OrderAction> {
        let arguments = arguments.trim_start_matches(['!', ' ']);
        let sign = arguments.chars().next().filter(|it| it.is_ascii_punctuation() && *it != '\\')?;
        let mut rest = arguments.get(1..)?;
        let text = until(&mut rest, sign);
        let pattern = self.pattern(&text, false)?;
        if self.editor != Editor::Ed && rest.contains('|') {
            return None;
        }
        let mut inner = Vec::new();
        self.order(rest, &mut inner)?;
        let order = match inner.as_slice() {
            // Without an order the lines are shown.
            [] => plain(OrderAction::Go),
            [one] if !matches!(one.act, OrderAction::Each(..) | OrderAction::Save | OrderAction::Leave) => {
                one.clone()
            }
            _ => return None,
        };
        Some(OrderAction::Each(pattern, others, Box::new(order)))
    }

    /// The lines that are typed, up to the one that is a dot.
    fn typed(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = self.lines.pop().filter(|line| line != ".") {
            lines.push(line);
        }
        lines
    }

    /// The keys that are pressed to delete lines.
    fn keys(&self, keys: &str, orders: &mut Vec<Order>) -> Option<()> {
        let delete = |from: LinePlace, to: LinePlace| Order {
            from: Some(from),
            to: Some(to),
            onward: false,
            act: OrderAction::Delete,
        };
        let numbered = |text: &str| {
            text.parse().ok().map(|line| LinePlace { line: LineAddress::Number(line), offset: 0 })
        };
        orders.push(match keys {
            "ggdG" | "gg\"_dG" | "Gdgg" => delete(first(), last()),
            "dG" => delete(current(), last()),
            "dd" => delete(current(), current()),
            "Gdd" => delete(last(), last()),
            "ggdd" => delete(first(), first()),
            _ => {
                let line =
                    keys.strip_suffix("Gdd").or_else(|| keys.strip_suffix("ggdd")).and_then(numbered)?;
                delete(line.clone(), line)
            }
        });
        Some(())
    }
}

fn plain(act: OrderAction) -> Order {
    Order { from: None, to: None, onward: false, act }
}

/// Where the pattern and the replacement of a substitution end: a bar in them is none between orders.
fn own_signs(order: &str) -> usize {
    let is_before =
        |it: char| it.is_ascii_digit() || matches!(it, ' ' | ':' | '%' | ',' | '.' | '$' | '+' | '-');
    let name = order.trim_start_matches(is_before);
    let name = MODIFIERS.iter().find_map(|it| name.strip_prefix(it)).unwrap_or(name);
    let name = name.trim_start_matches('!').trim_start_matches(is_before);
    let Some(mut rest) = name.strip_prefix("substitute").or_else(|| name.strip_prefix('s')) else { return 0 };
    let Some(sign) = rest.chars().next().filter(|it| it.is_ascii_punctuation() && *it != '|') else {
        return 0;
    };
    rest = rest.get(1..).unwrap_or_default();
    until(&mut rest, sign);
    until(&mut rest, sign);
    order.len() - rest.len()
}
