//! The head of a test or a suite: what a call's callee, its title and its options say.
//!
//! A callee that has a member which no framework knows is no head.

use tree_sitter::Node;

use crate::languages::javascript::chain::{CalleeChain, chain};
use crate::languages::javascript::words::{
    FOCUSED_HEADS, FOCUSES, FUNCTIONS, HOLDERS, NEUTRAL, SKIPPED_HEADS, SKIPS, SUITES, TESTS,
};
use crate::languages::testing::outline::{Skip, SkipCondition};
use crate::languages::testing::outline_builder::{OutlineBuilder, Title};
use crate::languages::testing::skip_condition::{constant, when, when_not};
use crate::languages::tree::{field, parts, text};

/// What a call is: a test or a suite, with its marks.
#[derive(Debug, Clone, Default)]
pub(crate) struct TestHead {
    pub(super) is_suite: bool,
    pub(super) skip: Option<Skip>,
    pub(super) focus: Option<String>,
    pub(super) cases: Option<usize>,
    pub(super) looped: bool,
}

/// The walk over a file: it knows which names stand for heads.
pub(crate) struct JavaScriptWalk {
    /// Names that stand for a head: `const posixOnly = isWindows ? it.skip : it`.
    pub(crate) aliases: Vec<(String, TestHead)>,
}

impl JavaScriptWalk {
    pub(super) fn alias(&mut self, sketch: &OutlineBuilder, name: Node, value: Node) {
        if name.kind() == "object_pattern" {
            let chain = chain(value, sketch.source);
            let heads = chain.filter(|chain| TESTS.contains(&chain.root) && chain.members.is_empty());
            for part in parts(name).iter().filter(|_| heads.is_some()) {
                let (member, alias) = match part.kind() {
                    "pair_pattern" => (field(*part, "key"), field(*part, "value")),
                    _ => (Some(*part), Some(*part)),
                };
                let (Some(member), Some(alias)) = (member.map(|it| sketch.text(it)), alias) else { continue };
                if SKIPS.contains(&member) {
                    let head = TestHead { skip: always(format!("it.{member}")), ..TestHead::default() };
                    self.aliases.push((sketch.text(alias).to_owned(), head));
                }
            }
            return;
        }
        if name.kind() != "identifier"
            || !matches!(
                value.kind(),
                "member_expression" | "ternary_expression" | "identifier" | "call_expression"
            )
        {
            return;
        }
        let head = if value.kind() == "ternary_expression" {
            self.choice(sketch, value)
        } else {
            self.head(sketch, value)
                .filter(|head| head.skip.is_some() || head.focus.is_some() || value.kind() == "identifier")
        };
        if let Some(head) = head {
            let name = sketch.text(name).to_owned();
            self.aliases.retain(|(known, _)| *known != name);
            self.aliases.push((name, head));
        }
    }

    /// `condition ? it : it.skip`: skipped when the condition is false, and so on.
    fn choice(&self, sketch: &OutlineBuilder, value: Node) -> Option<TestHead> {
        let field = |name| value.child_by_field_name(name);
        let condition = sketch.text(field("condition")?);
        let yes = self.head(sketch, field("consequence")?)?;
        let no = self.head(sketch, field("alternative")?)?;
        let (skip, time) = match (yes.skip, no.skip) {
            (Some(skip), None) => (skip, when(condition)),
            (None, Some(skip)) => (skip, when_not(condition)),
            (skip, _) => return Some(TestHead { skip, ..no }),
        };
        Some(TestHead { skip: time.map(|when| Skip { when, ..skip }), ..no })
    }

    /// Reads a callee as the head of a test or a suite.
    pub(super) fn head(&self, sketch: &OutlineBuilder, callee: Node) -> Option<TestHead> {
        let chain = chain(callee, sketch.source)?;
        let (mut head, members) = self.of_root(&chain)?;
        head.take_members(chain.root, members)?;
        for (member, arguments) in &chain.calls {
            let first = parts(*arguments).first().copied();
            head.take_call(sketch, (chain.root, member), first)?;
        }
        Some(head)
    }

    /// What the first word of a chain says, and the members behind it that are still to be read.
    fn of_root<'c>(&self, chain: &'c CalleeChain<'c>) -> Option<(TestHead, &'c [&'c str])> {
        let mut members = chain.members.as_slice();
        let mut head = TestHead::default();
        if let Some((_, alias)) = self.aliases.iter().find(|(name, _)| name == chain.root) {
            head = alias.clone();
        } else if HOLDERS.contains(&chain.root) && members.first().is_some_and(|first| TESTS.contains(first))
        {
            members = members.get(1..).unwrap_or_default();
        } else if SUITES.contains(&chain.root) {
            head.is_suite = true;
        } else if !TESTS.contains(&chain.root) {
            return None;
        }
        if SKIPPED_HEADS.contains(&chain.root) {
            head.skip = always(chain.root.to_owned());
        } else if FOCUSED_HEADS.contains(&chain.root) {
            head.focus = Some(chain.root.to_owned());
        }
        Some((head, members))
    }
}

impl TestHead {
    /// `it.only.skip`: members that mark, and those that change nothing. `None` with any other.
    fn take_members(&mut self, root: &str, members: &[&str]) -> Option<()> {
        for member in members {
            if SKIPS.contains(member) {
                self.skip = always(format!("{root}.{member}"));
            } else if FOCUSES.contains(member) {
                self.focus = Some(format!("{root}.{member}"));
            } else if *member == "describe" {
                self.is_suite = true;
            } else if !NEUTRAL.contains(member) && !matches!(*member, "skipIf" | "runIf") {
                return None;
            }
        }
        Some(())
    }

    /// `it.skipIf(condition)`, `it.each(rows)`.
    fn take_call(
        &mut self,
        sketch: &OutlineBuilder,
        (root, member): (&str, &str),
        first: Option<Node>,
    ) -> Option<()> {
        let condition = first.map(|it| sketch.text(it)).unwrap_or_default();
        let time = match member {
            "skipIf" => when(condition),
            "runIf" => when_not(condition),
            "each" | "for" => {
                let rows = first.filter(|it| it.kind() == "array").map(parts);
                let rows = rows.filter(|rows| rows.iter().all(|row| row.kind() != "spread_element"));
                self.looped = rows.is_none();
                self.cases = self.cases.or(rows.map(|rows| rows.len()));
                return Some(());
            }
            // A call that gives no head: `it.only('x')` is one, what `it.only('x')()` calls is not.
            _ => return None,
        };
        let skip = |when| Skip { mark: format!("{root}.{member}({condition})"), when, suite: false };
        self.skip = time.map(skip).or(self.skip.take());
        Some(())
    }
}

pub(super) fn always(mark: String) -> Option<Skip> {
    Some(Skip::always(mark))
}

/// The title and where it stands; an empty range when it is made at run time.
pub(super) fn title(arguments: &[Node], source: &str) -> Option<Title> {
    let first = arguments.first()?;
    let content = text(*first, source);
    match first.kind() {
        "string" | "template_string" => {
            let inner = content.get(1..content.len().saturating_sub(1)).unwrap_or_default();
            Some(Title { text: inner.to_owned(), span: first.byte_range() })
        }
        "identifier"
        | "member_expression"
        | "binary_expression"
        | "call_expression"
        | "subscript_expression"
            if arguments.len() > 1 =>
        {
            Some(Title { text: content.to_owned(), span: 0..0 })
        }
        _ => None,
    }
}

/// The function among the arguments of a call, also inside a wrapper: `it('x', fakeAsync(() => {}))`.
pub(super) fn function_in(node: Node, depth: usize) -> Option<Node> {
    if FUNCTIONS.contains(&node.kind()) {
        return Some(node);
    }
    if node.kind() != "call_expression" || depth > 3 {
        return None;
    }
    let arguments = field(node, "arguments")?;
    parts(arguments).into_iter().rev().find_map(|argument| function_in(argument, depth + 1))
}

/// `{ skip: true }`, `{ only: true }`, `{ todo: 'later' }`.
pub(super) fn options(source: &str, object: Node, head: &mut TestHead) {
    for pair in parts(object).into_iter().filter(|part| part.kind() == "pair") {
        let (Some(key), Some(value)) = (field(pair, "key"), field(pair, "value")) else {
            continue;
        };
        let (key, content) = (text(key, source), text(value, source));
        let mark = || format!("{{ {key}: {content} }}");
        let is_reason = matches!(value.kind(), "string" | "template_string") && content.len() > 2;
        match key {
            "skip" | "todo" | "ignore" | "fails" | "pending" => {
                let time = if is_reason { Some(SkipCondition::Always) } else { when(content) };
                head.skip = time.map(|when| Skip { mark: mark(), when, suite: false }).or(head.skip.take());
            }
            "only" if constant(content) == Some(true) => head.focus = Some(mark()),
            _ => {}
        }
    }
}
