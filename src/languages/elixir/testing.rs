//! Tests in Elixir: ExUnit, with its properties and doc tests.
//!
//! Everything in Elixir is a call; a test is the call of `test` with a title.

use tree_sitter::Node;

use crate::languages::assertions::calls;
use crate::languages::assertions::calls::{AssertionWords, call};
use crate::languages::testing::outline::{Skip, SkipCondition, Test};
use crate::languages::testing::outline_builder::{DEEPEST, Grammar, OutlineBuilder, Suite};
use crate::languages::testing::skip_condition::{constant, when};
use crate::languages::tree::parts;

const ASSERTING: AssertionWords = AssertionWords {
    names: &["assert", "refute", "flunk", "catch_error", "catch_exit", "verify", "check", "expect"],
    receivers: &[],
};

pub(crate) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_elixir::LANGUAGE.into(),
    walk: |sketch, root| block(sketch, root, false, 0),
    assertion: |node, source| calls::assertion(node, source, &ASSERTING),
    claim: crate::languages::assertions::chains::of_node,
    asserting: &["call"],
    loops: &[],
};

/// Takes the calls of a module, a `describe` or a loop.
fn block(sketch: &mut OutlineBuilder, list: Node, looped: bool, depth: usize) {
    if depth > DEEPEST {
        return;
    }
    let mut tag: Option<Skip> = None;
    for item in parts(list) {
        match item.kind() {
            "unary_operator" => {
                let Some((name, skip)) = attribute(sketch, item) else { continue };
                match name {
                    "tag" => tag = skip.or(tag),
                    "moduletag" | "describetag" => {
                        if let (Some(suite), Some(skip)) = (sketch.suites.last_mut(), skip) {
                            suite.skip.get_or_insert(Skip { suite: true, ..skip });
                        }
                    }
                    _ => {}
                }
            }
            "call" if statement(sketch, item, tag.as_ref(), looped, depth) => tag = None,
            "ERROR" => block(sketch, item, looped, depth + 1),
            // The branches of a `case` that makes tests.
            "stab_clause" | "body" if depth > 0 => block(sketch, item, looped, depth + 1),
            // `rows |> Enum.each(fn row -> test … end)`.
            "binary_operator" => {
                if let Some(last) = item.child_by_field_name("right").filter(|it| it.kind() == "call") {
                    statement(sketch, last, None, looped, depth);
                }
            }
            "anonymous_function" => block(sketch, item, looped, depth + 1),
            _ => {}
        }
    }
}

/// `@tag :skip`, `@tag skip: "flaky"`.
fn attribute<'s>(sketch: &OutlineBuilder<'s>, node: Node) -> Option<(&'s str, Option<Skip>)> {
    let inner = node.child_by_field_name("operand")?;
    let tag = call(inner, sketch.source)?;
    let skip = |when| Some(Skip { mark: sketch.text(node).to_owned(), when, suite: false });
    let mark = tag.arguments.iter().find_map(|value| match value.kind() {
        "atom" if sketch.text(*value) == ":skip" => skip(SkipCondition::Always),
        "keywords" => parts(*value).into_iter().find_map(|pair| {
            let key =
                pair.child_by_field_name("key").map(|it| sketch.text(it).trim().trim_end_matches(':'))?;
            let value = pair.child_by_field_name("value")?;
            match (key, value.kind()) {
                ("skip", "string") => skip(SkipCondition::Always),
                ("skip", _) => when(sketch.text(value)).and_then(skip),
                _ => None,
            }
        }),
        _ => None,
    });
    let name = call(inner, sketch.source)?.name;
    let written = sketch.source.get(inner.start_byte()..inner.start_byte() + name.len())?;
    Some((written, mark))
}

/// `test "adds", %{cart: cart} do … end`.
fn test(sketch: &mut OutlineBuilder, item: Node, title: Node, tag: Option<&Skip>, looped: bool) {
    let written = sketch.text(title);
    let quoted = written.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    let test = Test {
        title: quoted.unwrap_or(written).to_owned(),
        skipped: tag.cloned(),
        looped: looped || sketch.text(item).contains("for "),
        span: item.byte_range(),
        title_span: title.byte_range(),
        ..Test::default()
    };
    sketch.add(test, item);
}

/// Takes a call; answers whether a tag before it was for it.
fn statement(
    sketch: &mut OutlineBuilder,
    item: Node,
    tag: Option<&Skip>,
    looped: bool,
    depth: usize,
) -> bool {
    let Some(target) = item.child_by_field_name("target") else { return false };
    let inside = parts(item);
    let arguments =
        inside.iter().find(|it| it.kind() == "arguments").map(|it| parts(*it)).unwrap_or_default();
    let body = inside.iter().find(|it| it.kind() == "do_block").copied();
    let first = arguments.first().copied();
    match (sketch.text(target), body) {
        ("defmodule" | "describe", Some(body)) => {
            let name = first.map(|it| sketch.text(it).trim_matches('"').to_owned()).unwrap_or_default();
            let suite = Suite { name, ..Suite::default() };
            sketch.within(suite, |sketch| block(sketch, body, looped, depth + 1));
            false
        }
        ("test" | "property", _)
            if first.is_some_and(|it| it.kind() == "string" || body.is_some() && it.kind() != "keywords") =>
        {
            let Some(title) = first else { return false };
            test(sketch, item, title, tag, looped);
            true
        }
        ("doctest", _) => {
            doctest(sketch, item, tag);
            true
        }
        ("def" | "defp" | "defmacro" | "defmacrop", _) => {
            let head = first.map(|it| it.child_by_field_name("target").unwrap_or(it));
            let name = head.map(|it| sketch.text(it)).unwrap_or_default();
            sketch.stray(name, item);
            false
        }
        ("if" | "unless", Some(body)) => {
            if !is_dead(sketch, item, sketch.text(target), first) {
                block(sketch, body, looped, depth + 1);
            }
            false
        }
        (name, Some(body)) => {
            block(sketch, body, looped || name == "for", depth + 1);
            false
        }
        // `Enum.each(rows, fn row -> test … end)`.
        ("Enum.each" | "Enum.map" | "Enum.with_index", None) => {
            for made in arguments.iter().filter(|it| it.kind() == "anonymous_function") {
                block(sketch, *made, true, depth + 1);
            }
            false
        }
        _ => false,
    }
}

fn doctest(sketch: &mut OutlineBuilder, item: Node, tag: Option<&Skip>) {
    let title = sketch.text(item).to_owned();
    sketch.add(Test { title, skipped: tag.cloned(), span: item.byte_range(), ..Test::default() }, item);
}

/// Whether what stands below `if` or `unless` never runs, which is noted then.
fn is_dead(sketch: &mut OutlineBuilder, item: Node, word: &str, condition: Option<Node>) -> bool {
    let condition = condition.map(|it| sketch.text(it)).unwrap_or_default();
    let is_dead = constant(condition) == Some(word == "unless");
    if is_dead {
        sketch.dead(item, format!("stand inside `{word} {condition}`"));
    }
    is_dead
}

#[cfg(test)]
mod tests {
    use crate::languages::cases::{Case, check, names};

    const TWO: &str = "defmodule CartTest do\n  use ExUnit.Case\n\n  test \"adds\" do\n    assert add(1, 2) == 3\n  end\n\n  describe \"drop\" do\n    test \"drops\", %{cart: cart} do\n      refute drop(cart, 9) == 8\n    end\n  end\nend\n";
    const ONE: &str = "defmodule CartTest do\n  test \"adds\" do\n    assert add(1, 2) == 3\n  end\nend\n";

    const CASES: &[Case] = &[
        ("one deleted", TWO, ONE, &["CartTest > drop > drops: Lost"]),
        (
            "commented out",
            ONE,
            "defmodule CartTest do\n  # test \"adds\" do\n  #   assert add(1, 2) == 3\n  # end\nend\n",
            &["CartTest > adds: CommentedOut"],
        ),
        (
            "made a function",
            ONE,
            "defmodule CartTest do\n  def adds do\n    assert add(1, 2) == 3\n  end\nend\n",
            &["CartTest > adds: Uncollected adds"],
        ),
        (
            "dead branch",
            ONE,
            "defmodule CartTest do\n  if false do\n    test \"adds\" do\n      assert add(1, 2) == 3\n    end\n  end\nend\n",
            &["CartTest > adds: Dead"],
        ),
        (
            "tagged",
            ONE,
            "defmodule CartTest do\n  @tag :skip\n  test \"adds\" do\n    assert add(1, 2) == 3\n  end\nend\n",
            &["CartTest > adds: Always"],
        ),
        (
            "tagged with a reason",
            ONE,
            "defmodule CartTest do\n  @tag skip: \"flaky\"\n  test \"adds\" do\n    assert add(1, 2) == 3\n  end\nend\n",
            &["CartTest > adds: Always"],
        ),
        (
            "module tagged",
            ONE,
            "defmodule CartTest do\n  @moduletag :skip\n  test \"adds\" do\n    assert add(1, 2) == 3\n  end\nend\n",
            &["CartTest > adds: Always suite"],
        ),
        (
            "trivial",
            ONE,
            "defmodule CartTest do\n  test \"adds\" do\n    assert true\n  end\nend\n",
            &["CartTest > adds: Trivial"],
        ),
        (
            "emptied",
            ONE,
            "defmodule CartTest do\n  test \"adds\" do\n    :ok\n  end\nend\n",
            &["CartTest > adds: Silent"],
        ),
        (
            "another tag",
            ONE,
            "defmodule CartTest do\n  @tag :capture_log\n  @tag skip: false\n  test \"adds\" do\n    assert add(1, 2) == 3\n  end\nend\n",
            &[],
        ),
        (
            "tagged elsewhere",
            TWO,
            "defmodule CartTest do\n  use ExUnit.Case\n\n  test \"adds\" do\n    assert add(1, 2) == 3\n  end\n\n  describe \"drop\" do\n    @tag :skip\n    test \"new\" do\n      assert new() == 0\n    end\n\n    test \"drops\", %{cart: cart} do\n      refute drop(cart, 9) == 8\n    end\n  end\nend\n",
            &[],
        ),
        (
            "renamed",
            TWO,
            "defmodule CartTest do\n  describe \"all\" do\n    test \"sums up\" do\n      assert add(1, 2) == 3\n    end\n\n    test \"takes away\", %{cart: cart} do\n      refute drop(cart, 9) == 8\n    end\n  end\nend\n",
            &[],
        ),
        (
            "merged into a loop",
            "defmodule A do\n  test \"short\" do\n    assert width(\"ab\") == 2\n  end\n  test \"long\" do\n    assert width(\"abcdefgh\") == 8\n  end\nend\n",
            "defmodule A do\n  for {text, size} <- [{\"ab\", 2}, {\"abcdefgh\", 8}] do\n    test \"width of #{text}\" do\n      assert width(unquote(text)) == unquote(size)\n    end\n  end\nend\n",
            &[],
        ),
    ];

    #[test]
    fn changes_of_tests_are_told_apart() {
        check("test/cart_test.exs", CASES);
    }

    #[test]
    fn tests_have_stable_names() {
        let source = "defmodule Shop.CartTest do\n  test \"a\" do\n  end\n  test(\"b\", do: assert(true))\n  describe \"c\" do\n    test \"d \\\"e\\\"\" do\n    end\n  end\n  property \"f\" do\n  end\n  def test_g, do: 1\n  @s \"\"\"\n  test \"h\" do\n  end\n  \"\"\"\n  # test \"i\" do\n  doctest Shop\nend\n";
        let expected =
            ["a", "b", "c > d \\\"e\\\"", "f", "doctest Shop"].map(|name| format!("Shop.CartTest > {name}"));
        assert_eq!(names("test/cart_test.exs", source), expected);
    }
}
