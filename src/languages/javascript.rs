//! Tests in JavaScript and TypeScript: jest, vitest, mocha, jasmine, ava, node:test, Playwright, Cypress, Deno.
//!
//! A call is a test when its callee is a known head, directly or through members that the frameworks know, and its
//! first argument is a title. `schema.only(...)` and `re.test('x')` are neither.

use std::ops::Range;

use tree_sitter::Node;

use super::Grammar;
use super::outline::{
    DEEPEST, Found, Sketch, Skip, Step, Suite, Test, When, constant, parts, text, when, when_not,
};
use super::scan::{Lexicon, Nesting, Strings};

const TESTS: &[&str] = &["it", "test", "specify", "fit", "xit", "xtest", "xspecify"];
const SUITES: &[&str] =
    &["describe", "context", "suite", "xdescribe", "fdescribe", "xcontext", "fcontext", "xsuite"];
/// Heads that skip or focus by their own name.
const SKIPPED_HEADS: &[&str] = &["xit", "xtest", "xspecify", "xdescribe", "xcontext", "xsuite"];
const FOCUSED_HEADS: &[&str] = &["fit", "fdescribe", "fcontext"];
/// Members of a head that skip. The ones that expect a failure let a broken test pass.
const SKIPS: &[&str] = &["skip", "todo", "fixme", "fails", "failing", "fail"];
const FOCUSES: &[&str] = &["only"];
/// Members of a head that change neither.
const NEUTRAL: &[&str] = &[
    "concurrent",
    "sequential",
    "serial",
    "parallel",
    "each",
    "for",
    "cb",
    "shuffle",
    "describe",
    "configure",
];
/// Objects whose `.test()` is a test: node:test contexts, tap, Deno, QUnit.
const HOLDERS: &[&str] = &["t", "tap", "ctx", "Deno", "QUnit", "context"];
/// What runs before each test of a suite.
const HOOKS: &[&str] = &["before", "beforeEach", "beforeAll", "setup"];
/// Methods of ava's, tape's and node:test's `t` that assert.
const T_ASSERTS: &[&str] = &[
    "is",
    "not",
    "deepEqual",
    "notDeepEqual",
    "like",
    "true",
    "false",
    "truthy",
    "falsy",
    "assert",
    "pass",
    "fail",
    "throws",
    "throwsAsync",
    "notThrows",
    "notThrowsAsync",
    "regex",
    "notRegex",
    "snapshot",
    "equal",
    "equals",
    "notEqual",
    "same",
    "ok",
    "notOk",
    "strictEqual",
    "deepStrictEqual",
    "error",
    "match",
    "rejects",
    "resolves",
    "isEqual",
];
const FUNCTIONS: &[&str] = &["arrow_function", "function_expression", "function", "generator_function"];
const LOOPS: &[&str] = &["for_statement", "for_in_statement", "while_statement", "do_statement"];

const LEXICON: Lexicon = Lexicon {
    comment: "//",
    block_comments: Some(Nesting::Flat),
    strings: Strings::JavaScript,
    indented: false,
    head: is_head,
    scopes: SUITES,
    marks: &[
        "skip",
        "only",
        "todo",
        "fixme",
        "fails",
        "failing",
        "skipIf",
        "runIf",
        "pending",
        "xit",
        "xtest",
        "xspecify",
        "xdescribe",
        "xcontext",
        "xsuite",
        "fit",
        "fdescribe",
        "fcontext",
    ],
    comment_mark: None,
};

const fn grammar(parser: fn() -> tree_sitter::Language) -> Grammar {
    Grammar { parser, walk, assertion, asserting: &["call_expression"], loops: LOOPS, lexicon: LEXICON }
}

pub(super) static JAVASCRIPT: Grammar = grammar(|| tree_sitter_javascript::LANGUAGE.into());
pub(super) static TYPESCRIPT: Grammar = grammar(|| tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into());
pub(super) static TSX: Grammar = grammar(|| tree_sitter_typescript::LANGUAGE_TSX.into());

/// For the lexer: `it('`, `it.skip(`, `test.each`, `t.test('`.
fn is_head(word: &str, before: &str, after: &str) -> bool {
    if !TESTS.contains(&word) {
        return false;
    }
    if let Some(front) = before.strip_suffix('.') {
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let object = front.rsplit(|c: char| !is_part(c)).next().unwrap_or_default();
        return word == "test" && HOLDERS.contains(&object) && opens_title(after);
    }
    if let Some(member) = after.strip_prefix('.') {
        let name = member.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        return [
            "skip",
            "only",
            "each",
            "todo",
            "fails",
            "failing",
            "fixme",
            "concurrent",
            "serial",
            "skipIf",
            "runIf",
            "for",
        ]
        .contains(&name);
    }
    opens_title(after)
}

fn opens_title(after: &str) -> bool {
    after.trim_start().strip_prefix('(').is_some_and(|rest| {
        let rest = rest.trim_start();
        rest.starts_with(['\'', '"', '`']) || rest.starts_with(|c: char| c.is_alphabetic())
    })
}

/// A callee taken apart: `it.skip.each(rows)` is the root `it`, the members `skip` and `each`, and the call of `each`.
struct Chain<'t> {
    root: &'t str,
    members: Vec<&'t str>,
    /// Arguments of calls on the way, with the member that they belong to.
    calls: Vec<(&'t str, Node<'t>)>,
}

/// What a call is: a test or a suite, with its marks.
#[derive(Debug, Clone, Default)]
struct Head {
    is_suite: bool,
    skip: Option<Skip>,
    focus: Option<String>,
    cases: Option<usize>,
}

struct Walk {
    /// Names that stand for a head: `const posixOnly = isWindows ? it.skip : it`.
    aliases: Vec<(String, Head)>,
}

fn walk(sketch: &mut Sketch, root: Node) {
    Walk { aliases: Vec::new() }.visit(sketch, root, 0);
}

impl Walk {
    fn visit(&mut self, sketch: &mut Sketch, node: Node, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        match node.kind() {
            "call_expression" if self.call(sketch, node, depth) => return,
            "function_declaration" | "method_definition" | "generator_function_declaration"
                if self.function(sketch, node, node.child_by_field_name("name"), depth) =>
            {
                return;
            }
            "variable_declarator" | "assignment_expression" => {
                let name = node.child_by_field_name("name").or_else(|| node.child_by_field_name("left"));
                let value = node.child_by_field_name("value").or_else(|| node.child_by_field_name("right"));
                if let (Some(name), Some(value)) = (name, value) {
                    self.alias(sketch, name, value);
                    if FUNCTIONS.contains(&value.kind()) && self.function(sketch, node, Some(name), depth) {
                        return;
                    }
                }
            }
            "if_statement" => {
                let condition =
                    node.child_by_field_name("condition").map(|it| sketch.text(it)).unwrap_or_default();
                if constant(condition) == Some(false) && node.child_by_field_name("alternative").is_none() {
                    sketch.dead(node, format!("stand inside `if {condition}`"));
                    return;
                }
            }
            "expression_statement" => {
                if let [only] = parts(node)[..]
                    && matches!(only.kind(), "string" | "template_string")
                {
                    sketch.dead(only, "stand inside a string".to_owned());
                }
            }
            _ => {}
        }
        for child in parts(node) {
            self.visit(sketch, child, depth + 1);
        }
    }

    /// Takes a named function; answers whether it is done with.
    fn function(&mut self, sketch: &mut Sketch, node: Node, name: Option<Node>, depth: usize) -> bool {
        let Some(name) = name.filter(|name| name.kind() != "object_pattern") else { return false };
        let is_plain = name.kind() == "identifier";
        let name = sketch.text(name);
        let first = sketch.outline.tests.len();
        for child in parts(node) {
            self.visit(sketch, child, depth + 1);
        }
        if sketch.outline.tests.len() == first {
            sketch.stray(name, node);
        } else if is_plain && !is_exported(node) && sketch.is_unused(name) {
            sketch.outline.tests.truncate(first);
            sketch.dead(node, format!("stand inside `{name}`, which nothing calls"));
        }
        true
    }

    fn alias(&mut self, sketch: &Sketch, name: Node, value: Node) {
        if name.kind() == "object_pattern" {
            let chain = chain(value, sketch.source);
            let heads = chain.filter(|chain| TESTS.contains(&chain.root) && chain.members.is_empty());
            for part in parts(name).iter().filter(|_| heads.is_some()) {
                let (member, alias) = match part.kind() {
                    "pair_pattern" => (part.child_by_field_name("key"), part.child_by_field_name("value")),
                    _ => (Some(*part), Some(*part)),
                };
                let (Some(member), Some(alias)) = (member.map(|it| sketch.text(it)), alias) else { continue };
                if SKIPS.contains(&member) {
                    let head = Head { skip: always(format!("it.{member}")), ..Head::default() };
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
    fn choice(&self, sketch: &Sketch, value: Node) -> Option<Head> {
        let field = |name| value.child_by_field_name(name);
        let condition = sketch.text(field("condition")?);
        let yes = self.head(sketch, field("consequence")?)?;
        let no = self.head(sketch, field("alternative")?)?;
        let (skip, time) = match (yes.skip, no.skip) {
            (Some(skip), None) => (skip, when(condition)),
            (None, Some(skip)) => (skip, when_not(condition)),
            (skip, _) => return Some(Head { skip, ..no }),
        };
        Some(Head { skip: time.map(|when| Skip { when, ..skip }), ..no })
    }

    /// Reads a callee as the head of a test or a suite.
    fn head(&self, sketch: &Sketch, callee: Node) -> Option<Head> {
        let chain = chain(callee, sketch.source)?;
        let mut members = chain.members.as_slice();
        let mut head = Head::default();
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
        for member in members {
            if SKIPS.contains(member) {
                head.skip = always(format!("{}.{member}", chain.root));
            } else if FOCUSES.contains(member) {
                head.focus = Some(format!("{}.{member}", chain.root));
            } else if *member == "describe" {
                head.is_suite = true;
            } else if !NEUTRAL.contains(member) && !matches!(*member, "skipIf" | "runIf") {
                return None;
            }
        }
        for (member, arguments) in &chain.calls {
            let first = parts(*arguments).first().copied();
            let condition = first.map(|it| sketch.text(it)).unwrap_or_default();
            let time = match *member {
                "skipIf" => when(condition),
                "runIf" => when_not(condition),
                "each" | "for" => {
                    let rows = first.filter(|it| it.kind() == "array").map(|it| parts(it).len());
                    head.cases = head.cases.or(rows);
                    continue;
                }
                // A call that gives no head: `it.only('x')` is one, what `it.only('x')()` calls is not.
                _ => return None,
            };
            head.skip = time
                .map(|when| Skip {
                    mark: format!("{}.{member}({condition})", chain.root),
                    when,
                    suite: false,
                })
                .or(head.skip);
        }
        Some(head)
    }

    /// Takes a call that is a test, a suite or a hook; answers whether it was one.
    fn call(&mut self, sketch: &mut Sketch, node: Node, depth: usize) -> bool {
        let (Some(callee), Some(arguments)) =
            (node.child_by_field_name("function"), node.child_by_field_name("arguments"))
        else {
            return false;
        };
        if arguments.kind() != "arguments" {
            return false;
        }
        let arguments = parts(arguments);
        if HOOKS.contains(&sketch.text(callee)) {
            self.hook(sketch, &arguments);
            return false;
        }
        let Some(mut head) = self.head(sketch, callee) else { return false };
        let Some((title, title_span)) = title(&arguments, sketch.source) else { return false };
        let function = arguments.iter().rev().find_map(|argument| function_in(*argument, 0));
        if function.is_none() && arguments.len() < 2 && !self.may_lack_body(sketch, &mut head, &arguments) {
            return false;
        }
        for object in arguments.iter().filter(|argument| argument.kind() == "object") {
            options(sketch.source, *object, &mut head);
        }
        let body = function.and_then(|function| function.child_by_field_name("body"));
        if head.is_suite {
            self.suite(sketch, title, head, body, depth);
        } else {
            self.test(sketch, node, (title, title_span), head, body, depth);
        }
        true
    }

    /// A title alone: a pending test where a suite or a `todo` says so, else some other function.
    fn may_lack_body(&self, sketch: &Sketch, head: &mut Head, arguments: &[Node]) -> bool {
        let is_text =
            arguments.first().is_some_and(|first| matches!(first.kind(), "string" | "template_string"));
        let pending = !head.is_suite && is_text && (head.skip.is_some() || !sketch.suites.is_empty());
        if pending && head.skip.is_none() {
            head.skip = always("a title without a body".to_owned());
        }
        pending
    }

    fn suite(&mut self, sketch: &mut Sketch, name: String, head: Head, body: Option<Node>, depth: usize) {
        let first = sketch.outline.tests.len();
        sketch.suites.push(Suite { name, skip: head.skip, focus: head.focus });
        let outer = self.aliases.len();
        if let Some(body) = body {
            self.visit(sketch, body, depth + 1);
            // A hook leaves its skip on the suite that it stands in, after earlier tests were added.
            if let Some(skip) = sketch.suites.last().and_then(|suite| suite.skip.clone()) {
                sketch.skip_since(first, &skip);
            }
        }
        self.aliases.truncate(outer);
        sketch.suites.pop();
    }

    fn test(
        &mut self,
        sketch: &mut Sketch,
        node: Node,
        title: (String, Range<usize>),
        head: Head,
        body: Option<Node>,
        depth: usize,
    ) {
        let (title, title_span) = title;
        let statements = body.map(parts).unwrap_or_default();
        let skipped = head.skip.or_else(|| {
            body.filter(|body| body.kind() == "statement_block").and_then(|_| sketch.gate(&statements, step))
        });
        let looped = title_span.is_empty();
        let test = Test {
            title: title.clone(),
            skipped,
            focused: head.focus,
            cases: head.cases,
            looped,
            span: node.byte_range(),
            title_span,
            ..Test::default()
        };
        sketch.add(test, node);
        let index = sketch.outline.tests.len() - 1;
        sketch.suites.push(Suite { name: title, ..Suite::default() });
        let outer = sketch.outline.tests.get(index).and_then(|test| test.skipped.clone());
        for statement in statements {
            self.visit(sketch, statement, depth + 1);
        }
        sketch.suites.pop();
        if sketch.outline.tests.len() > index + 1 {
            if let Some(test) = sketch.outline.tests.get_mut(index) {
                test.suite = true;
            }
            if let Some(skip) = outer {
                sketch.skip_since(index + 1, &skip);
            }
        }
    }

    /// `beforeEach(function () { this.skip() })` skips the suite.
    fn hook(&mut self, sketch: &mut Sketch, arguments: &[Node]) {
        let function = arguments.iter().find_map(|argument| function_in(*argument, 0));
        let Some(body) = function.and_then(|function| function.child_by_field_name("body")) else { return };
        let skip = sketch.gate(&parts(body), step).filter(|skip| skip.mark != "return");
        if let (Some(skip), Some(suite)) = (skip, sketch.suites.last_mut()) {
            suite.skip.get_or_insert(skip);
        }
    }
}

fn always(mark: String) -> Option<Skip> {
    Some(Skip { mark, when: When::Always, suite: false })
}

fn is_exported(node: Node) -> bool {
    let mut outer = node.parent();
    for _ in 0..3 {
        match outer {
            Some(it) if it.kind() == "export_statement" => return true,
            Some(it) => outer = it.parent(),
            None => return false,
        }
    }
    false
}

fn chain<'t>(mut node: Node<'t>, source: &'t str) -> Option<Chain<'t>> {
    let mut chain = Chain { root: "", members: Vec::new(), calls: Vec::new() };
    let mut pending = Vec::new();
    for _ in 0..16 {
        match node.kind() {
            "identifier" | "this" => {
                chain.root = text(node, source);
                chain.members.reverse();
                chain.calls.extend(pending.into_iter().map(|arguments| ("", arguments)));
                return Some(chain);
            }
            "member_expression" => {
                let member = text(node.child_by_field_name("property")?, source);
                chain.calls.extend(pending.drain(..).map(|arguments| (member, arguments)));
                chain.members.push(member);
                node = node.child_by_field_name("object")?;
            }
            "call_expression" => {
                pending.push(node.child_by_field_name("arguments")?);
                node = node.child_by_field_name("function")?;
            }
            "parenthesized_expression" | "non_null_expression" | "await_expression" => {
                node = node.named_child(0)?
            }
            _ => return None,
        }
    }
    None
}

/// The title and where it stands; an empty range when it is made at run time.
fn title(arguments: &[Node], source: &str) -> Option<(String, Range<usize>)> {
    let first = arguments.first()?;
    let content = text(*first, source);
    match first.kind() {
        "string" | "template_string" => {
            let inner = content.get(1..content.len().saturating_sub(1)).unwrap_or_default();
            Some((inner.to_owned(), first.byte_range()))
        }
        "identifier"
        | "member_expression"
        | "binary_expression"
        | "call_expression"
        | "subscript_expression"
            if arguments.len() > 1 =>
        {
            Some((content.to_owned(), 0..0))
        }
        _ => None,
    }
}

/// The function among the arguments of a call, also inside a wrapper: `it('x', fakeAsync(() => {}))`.
fn function_in(node: Node, depth: usize) -> Option<Node> {
    if FUNCTIONS.contains(&node.kind()) {
        return Some(node);
    }
    if node.kind() != "call_expression" || depth > 3 {
        return None;
    }
    let arguments = node.child_by_field_name("arguments")?;
    parts(arguments).into_iter().rev().find_map(|argument| function_in(argument, depth + 1))
}

/// `{ skip: true }`, `{ only: true }`, `{ todo: 'later' }`.
fn options(source: &str, object: Node, head: &mut Head) {
    for pair in parts(object).into_iter().filter(|part| part.kind() == "pair") {
        let (Some(key), Some(value)) = (pair.child_by_field_name("key"), pair.child_by_field_name("value"))
        else {
            continue;
        };
        let (key, content) = (text(key, source), text(value, source));
        let mark = || format!("{{ {key}: {content} }}");
        let is_reason = matches!(value.kind(), "string" | "template_string") && content.len() > 2;
        match key {
            "skip" | "todo" | "ignore" | "fails" | "pending" => {
                let time = if is_reason { Some(When::Always) } else { when(content) };
                head.skip = time.map(|when| Skip { mark: mark(), when, suite: false }).or(head.skip.take());
            }
            "only" if constant(content) == Some(true) => head.focus = Some(mark()),
            _ => {}
        }
    }
}

/// Reads a statement of a test's body.
fn step(sketch: &Sketch, node: Node) -> Step {
    match node.kind() {
        "return_statement" => match parts(node).first().map(|value| call_step(sketch, *value)) {
            Some(Step::Skip(mark)) => Step::Skip(mark),
            _ => Step::Return,
        },
        "expression_statement" => parts(node).first().map_or(Step::Other, |value| call_step(sketch, *value)),
        "if_statement" => {
            let condition =
                node.child_by_field_name("condition").map(|it| sketch.text(it)).unwrap_or_default();
            let Some(branch) = node.child_by_field_name("consequence") else { return Step::Other };
            let inner = if branch.kind() == "statement_block" { parts(branch) } else { vec![branch] };
            let steps = inner.iter().map(|statement| step(sketch, *statement));
            match steps.into_iter().find(|step| matches!(step, Step::Skip(_) | Step::Return)) {
                Some(found) => Step::If(condition.to_owned(), Box::new(found)),
                None => Step::Other,
            }
        }
        _ => Step::Other,
    }
}

/// `this.skip()`, `t.skip()`, `test.skip()`, `pending()`; Playwright's `test.skip(condition, reason)`.
fn call_step(sketch: &Sketch, node: Node) -> Step {
    let (Some(callee), Some(arguments)) =
        (node.child_by_field_name("function"), node.child_by_field_name("arguments"))
    else {
        return Step::Other;
    };
    let Some(chain) = chain(callee, sketch.source) else { return Step::Other };
    let skips = match chain.members[..] {
        [] => chain.root == "pending",
        [member] => {
            matches!(member, "skip" | "fixme" | "todo")
                && (matches!(chain.root, "this" | "test" | "it") || HOLDERS.contains(&chain.root))
        }
        _ => false,
    };
    if !skips {
        return Step::Other;
    }
    let skip = Step::Skip(format!("{}()", sketch.text(callee)));
    match parts(arguments).first() {
        Some(condition)
            if matches!(chain.root, "test" | "it")
                && !matches!(condition.kind(), "string" | "template_string") =>
        {
            Step::If(sketch.text(*condition).to_owned(), Box::new(skip))
        }
        _ => skip,
    }
}

/// Recognises a call that asserts, with the whole chain of matchers around it.
fn assertion(node: Node, source: &str) -> Option<Found> {
    if node.kind() != "call_expression" {
        return None;
    }
    let chain = chain(node.child_by_field_name("function")?, source)?;
    let is_named = |name: &str| {
        ["expect", "assert", "should"].iter().any(|word| {
            name.strip_prefix(word).is_some_and(|rest| {
                rest.is_empty() || rest.starts_with(|c: char| c.is_uppercase() || c == '_')
            })
        })
    };
    let asserts = is_named(chain.root)
        || matches!(chain.root, "strictEqual" | "deepEqual" | "deepStrictEqual" | "equal")
        || chain.members.iter().any(|member| is_named(member))
        || (chain.root == "t" && chain.members.first().is_some_and(|member| T_ASSERTS.contains(member)));
    if !asserts {
        return None;
    }
    Found::at(node, is_trivial(&chain, node, source))
}

/// Whether the assertion compares constants that agree.
fn is_trivial(chain: &Chain, node: Node, source: &str) -> bool {
    let arguments = |node: Option<Node>| -> Vec<String> {
        node.map(parts)
            .unwrap_or_default()
            .into_iter()
            .map(|it| if is_constant(it, 0) { text(it, source).to_owned() } else { String::new() })
            .collect()
    };
    let last = arguments(node.child_by_field_name("arguments"));
    let matcher = chain.members.last().copied().unwrap_or(chain.root);
    let negated = chain.members.contains(&"not");
    let subject =
        chain.calls.iter().find(|(member, _)| member.is_empty()).map(|(_, it)| arguments(Some(*it)));
    let truthy = |text: &String| {
        !text.is_empty()
            && constant(text) != Some(false)
            && !matches!(text.as_str(), "''" | "\"\"" | "undefined")
    };
    if let Some(subject) = subject {
        let Some(subject) = subject.first().filter(|text| !text.is_empty()) else { return false };
        return match matcher {
            _ if negated => false,
            "toBe" | "toEqual" | "toStrictEqual" | "equal" | "eql" | "equals" | "eq" => {
                last.first() == Some(subject)
            }
            "toBeTruthy" | "toBeDefined" | "ok" => truthy(subject),
            _ => false,
        };
    }
    match matcher {
        "assert" | "ok" | "true" | "isTrue" | "truthy" | "isOk" => last.first().is_some_and(truthy),
        "equal" | "strictEqual" | "deepEqual" | "deepStrictEqual" | "is" | "same" => {
            matches!(&last[..], [left, right, ..] if !left.is_empty() && left == right)
        }
        "pass" => true,
        _ => false,
    }
}

fn is_constant(node: Node, depth: usize) -> bool {
    match node.kind() {
        "true" | "false" | "null" | "number" | "string" | "undefined" => true,
        "array"
        | "object"
        | "pair"
        | "unary_expression"
        | "parenthesized_expression"
        | "binary_expression" => {
            depth < 4
                && parts(node)
                    .into_iter()
                    .all(|part| part.kind() == "property_identifier" || is_constant(part, depth + 1))
        }
        _ => false,
    }
}
