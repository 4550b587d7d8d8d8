//! Every kind of legitimate change, in several languages: nothing is said of any of them.
//!
//! A kind that a language has no word for is left out there; each is shown in four languages at least.

use std::collections::BTreeMap;

use super::{Evidence, judge};
use crate::model::finding::{Change, Severity};

/// A file of a change: its path, its text before and after.
type File = (&'static str, Option<String>, Option<String>);

/// What a language says for one kind of change after another. Every text has a test `adds` of `add` and a test `drops`
/// of `drop`, unless it says otherwise.
struct Tongue {
    name: &'static str,
    /// Where tests are, where others may go, and where a third file is.
    places: [&'static str; 3],
    /// What stands above the tests of a file.
    head: &'static str,
    adds: &'static str,
    drops: &'static str,
    /// `adds` under another name.
    renamed: &'static str,
    /// Both in another layout, with comments and another style of blank space.
    laid_out: &'static str,
    /// Both in another framework or another style of assertion, the head included.
    migrated: &'static str,
    /// `adds` with a weaker assertion, which `adds` itself makes stricter.
    loose: &'static str,
    /// Two tests of `tax`, and one with a table in their place.
    taxes: [&'static str; 2],
    /// The file of the code, with `add`, and without it.
    code: &'static str,
    source: [&'static str; 2],
    /// `adds` skipped where a platform lacks something, and why.
    skipped: &'static str,
    /// What a tool writes: a path, and what it wrote before and after.
    generated: (&'static str, [&'static str; 2]),
    /// `code` with other remarks.
    remarked: &'static str,
}

impl Tongue {
    fn of(&self, parts: &[&str]) -> String {
        format!("{}{}", self.head, parts.concat())
    }

    /// The changes of each kind.
    fn kinds(&self) -> Vec<(&'static str, Vec<File>)> {
        let [here, there, third] = self.places;
        let both = || Some(self.of(&[self.adds, self.drops]));
        let edit = |before: String, after: String| vec![(here, Some(before), Some(after))];
        let source = |text: &str| Some(text.to_owned());
        vec![
            ("rename", edit(self.of(&[self.adds, self.drops]), self.of(&[self.renamed, self.drops]))),
            ("move", vec![(here, both(), None), (there, None, both())]),
            (
                "split",
                vec![
                    (here, both(), None),
                    (there, None, Some(self.of(&[self.adds]))),
                    (third, None, Some(self.of(&[self.drops]))),
                ],
            ),
            (
                "merge",
                vec![
                    (here, Some(self.of(&[self.adds])), both()),
                    (there, Some(self.of(&[self.drops])), None),
                ],
            ),
            ("parametrise", edit(self.of(&[self.taxes[0]]), self.of(&[self.taxes[1]]))),
            ("reformat", edit(self.of(&[self.adds, self.drops]), self.of(&[self.laid_out]))),
            ("framework migration", edit(self.of(&[self.adds, self.drops]), self.migrated.to_owned())),
            (
                "stricter assertion",
                edit(self.of(&[self.loose, self.drops]), self.of(&[self.adds, self.drops])),
            ),
            (
                "deletion with the subject",
                vec![
                    (self.code, source(self.source[0]), source(self.source[1])),
                    (here, both(), Some(self.of(&[self.drops]))),
                ],
            ),
            (
                "explained platform skip",
                edit(self.of(&[self.adds, self.drops]), self.of(&[self.skipped, self.drops])),
            ),
            (
                "generated code",
                vec![(self.generated.0, source(self.generated.1[0]), source(self.generated.1[1]))],
            ),
            ("comments", vec![(self.code, source(self.source[0]), source(self.remarked))]),
            (
                "docs",
                vec![(
                    "docs/use.md",
                    Some(format!("# Use\n\n```\n{}```\n\nIt adds and drops.\n", self.adds)),
                    Some("# Use\n\nIt adds.\n".to_owned()),
                )],
            ),
        ]
    }
}

const TONGUES: &[Tongue] = &[
    Tongue {
        name: "JavaScript",
        places: ["test/cart.test.js", "packages/core/test/basket.test.js", "test/drop.test.js"],
        head: "import { add, drop, tax } from '../src/cart.js';\n\n",
        adds: "it('adds', () => {\n  const cart = add('tea', 3);\n  expect(cart.sum).toBe(12);\n});\n\n",
        drops: "it('drops', () => {\n  const cart = drop('milk', 1);\n  expect(cart.left).toEqual(['tea']);\n});\n\n",
        renamed: "it('puts one more in', () => {\n  const cart = add('tea', 3);\n  expect(cart.sum).toBe(12);\n});\n\n",
        laid_out: "// Carts.\nit(\"adds\", function () {\n    const cart = add(\"tea\", 3)\n    expect(cart.sum).toBe(12)\n})\nit(\"drops\", function () {\n    const cart = drop(\"milk\", 1)\n    expect(cart.left).toEqual([\"tea\"])\n})\n",
        migrated: "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { add, drop } from '../src/cart.js';\n\ntest('adds', () => {\n  const cart = add('tea', 3);\n  assert.equal(cart.sum, 12);\n});\n\ntest('drops', () => {\n  const cart = drop('milk', 1);\n  assert.deepEqual(cart.left, ['tea']);\n});\n",
        loose: "it('adds', () => {\n  const cart = add('tea', 3);\n  expect(cart.sum).toBeDefined();\n});\n\n",
        taxes: [
            "it('taxes food', () => {\n  expect(tax(100, 'food')).toBe(7);\n});\n\nit('taxes books', () => {\n  expect(tax(30, 'books')).toBe(2);\n});\n",
            "it.each([[100, 'food', 7], [30, 'books', 2]])('taxes %i of %s', (net, kind, due) => {\n  expect(tax(net, kind)).toBe(due);\n});\n",
        ],
        code: "src/cart.js",
        source: [
            "// The cart.\nfunction add(name, count) {\n  const row = rows.get(name);\n  return row.take(count);\n}\n\nexport function drop(name, count) {\n  const row = rows.get(name);\n  return row.give(count);\n}\n",
            "// The cart.\nexport function drop(name, count) {\n  const row = rows.get(name);\n  return row.give(count);\n}\n",
        ],
        skipped: "// Windows has no signals.\nit.skipIf(process.platform === 'win32')('adds', () => {\n  const cart = add('tea', 3);\n  expect(cart.sum).toBe(12);\n});\n\n",
        generated: (
            "dist/cart.js",
            [
                "export function add(a) {\n  if (!a) {\n    throw new Error('a');\n  }\n  return take(a);\n}\n",
                "export const add=a=>take(a);\n",
            ],
        ),
        remarked: "/**\n * The cart, which holds what somebody wants.\n */\nfunction add(name, count) {\n  // By its name.\n  const row = rows.get(name);\n  return row.take(count);\n}\n\nexport function drop(name, count) {\n  const row = rows.get(name);\n  return row.give(count);\n}\n",
    },
    Tongue {
        name: "Python",
        places: ["tests/test_cart.py", "tests/unit/test_basket.py", "tests/test_drop.py"],
        head: "from cart import add, drop, tax\n\n\n",
        adds: "def test_adds():\n    cart = add('tea', 3)\n    assert cart.sum == 12\n\n\n",
        drops: "def test_drops():\n    cart = drop('milk', 1)\n    assert cart.left == ['tea']\n\n\n",
        renamed: "def test_puts_one_more_in():\n    cart = add('tea', 3)\n    assert cart.sum == 12\n\n\n",
        laid_out: "# Carts.\ndef test_adds() -> None:\n    cart = add(\n        \"tea\",\n        3,\n    )\n    assert cart.sum == 12\n\ndef test_drops() -> None:\n    cart = drop(\n        \"milk\",\n        1,\n    )\n    assert cart.left == [\"tea\"]\n",
        migrated: "import unittest\n\nfrom cart import add, drop\n\n\nclass TestCart(unittest.TestCase):\n    def test_adds(self):\n        cart = add('tea', 3)\n        self.assertEqual(cart.sum, 12)\n\n    def test_drops(self):\n        cart = drop('milk', 1)\n        self.assertEqual(cart.left, ['tea'])\n",
        loose: "def test_adds():\n    cart = add('tea', 3)\n    assert cart.sum is not None\n\n\n",
        taxes: [
            "def test_food():\n    assert tax(100, 'food') == 7\n\n\ndef test_books():\n    assert tax(30, 'books') == 2\n",
            "@pytest.mark.parametrize('net, kind, due', [(100, 'food', 7), (30, 'books', 2)])\ndef test_tax(net, kind, due):\n    assert tax(net, kind) == due\n",
        ],
        code: "cart.py",
        source: [
            "# The cart.\ndef add(name, count):\n    row = rows.get(name)\n    return row.take(count)\n\n\ndef drop(name, count):\n    row = rows.get(name)\n    return row.give(count)\n",
            "# The cart.\ndef drop(name, count):\n    row = rows.get(name)\n    return row.give(count)\n",
        ],
        skipped: "@pytest.mark.skipif(sys.platform == 'win32', reason='Windows has no signals')\ndef test_adds():\n    cart = add('tea', 3)\n    assert cart.sum == 12\n\n\n",
        generated: (
            "proto/cart_pb2.py",
            [
                "def add(a):\n    if not a:\n        raise ValueError(a)\n    return take(a)\n",
                "def other(a):\n    return take(a)\n",
            ],
        ),
        remarked: "\"\"\"The cart, which holds what somebody wants.\"\"\"\ndef add(name, count):\n    # By its name.\n    row = rows.get(name)\n    return row.take(count)\n\n\ndef drop(name, count):\n    row = rows.get(name)\n    return row.give(count)\n",
    },
    Tongue {
        name: "Rust",
        places: ["tests/cart.rs", "crates/core/tests/basket.rs", "tests/dropping.rs"],
        head: "use cart::{add, drop, tax};\n\n",
        adds: "#[test]\nfn adds() {\n    let cart = add(\"tea\", 3);\n    assert_eq!(cart.sum, 12);\n}\n\n",
        drops: "#[test]\nfn drops() {\n    let cart = drop(\"milk\", 1);\n    assert_eq!(cart.left, [\"tea\"]);\n}\n\n",
        renamed: "#[test]\nfn puts_one_more_in() {\n    let cart = add(\"tea\", 3);\n    assert_eq!(cart.sum, 12);\n}\n\n",
        laid_out: "// Carts.\n#[test]\nfn adds() {\n  let cart = add(\n    \"tea\",\n    3,\n  );\n  assert_eq!(cart.sum, 12);\n}\n#[test]\nfn drops() {\n  let cart = drop(\n    \"milk\",\n    1,\n  );\n  assert_eq!(cart.left, [\"tea\"]);\n}\n",
        migrated: "use cart::{add, drop};\nuse pretty_assertions::assert_eq;\n\n#[tokio::test]\nasync fn adds() {\n    let cart = add(\"tea\", 3).await;\n    assert_eq!(cart.sum, 12);\n}\n\n#[tokio::test]\nasync fn drops() {\n    let cart = drop(\"milk\", 1).await;\n    assert_eq!(cart.left, [\"tea\"]);\n}\n",
        loose: "#[test]\nfn adds() {\n    let cart = add(\"tea\", 3);\n    assert!(cart.sum > 0);\n}\n\n",
        taxes: [
            "#[test]\nfn food() {\n    assert_eq!(tax(100, \"food\"), 7);\n}\n\n#[test]\nfn books() {\n    assert_eq!(tax(30, \"books\"), 2);\n}\n",
            "#[test]\nfn taxes() {\n    for (net, kind, due) in [(100, \"food\", 7), (30, \"books\", 2)] {\n        assert_eq!(tax(net, kind), due, \"{kind}\");\n    }\n}\n",
        ],
        code: "src/cart.rs",
        source: [
            "// The cart.\nfn add(name: &str, count: u8) -> Cart {\n    let row = rows().get(name);\n    row.take(count)\n}\n\npub fn drop(name: &str, count: u8) -> Cart {\n    let row = rows().get(name);\n    row.give(count)\n}\n",
            "// The cart.\npub fn drop(name: &str, count: u8) -> Cart {\n    let row = rows().get(name);\n    row.give(count)\n}\n",
        ],
        skipped: "#[test]\n#[cfg_attr(windows, ignore = \"Windows has no signals\")]\nfn adds() {\n    let cart = add(\"tea\", 3);\n    assert_eq!(cart.sum, 12);\n}\n\n",
        generated: (
            "src/generated/cart.rs",
            [
                "pub fn add(a: u8) -> Result<u8, E> {\n    if a == 0 {\n        return Err(E);\n    }\n    take(a)\n}\n",
                "pub fn other(a: u8) -> u8 {\n    take(a)\n}\n",
            ],
        ),
        remarked: "//! The cart, which holds what somebody wants.\nfn add(name: &str, count: u8) -> Cart {\n    // By its name.\n    let row = rows().get(name);\n    row.take(count)\n}\n\npub fn drop(name: &str, count: u8) -> Cart {\n    let row = rows().get(name);\n    row.give(count)\n}\n",
    },
    Tongue {
        name: "Go",
        places: ["cart_test.go", "core/basket_test.go", "drop_test.go"],
        head: "package cart\n\nimport \"testing\"\n\n",
        adds: "func TestAdds(t *testing.T) {\n\tcart := add(\"tea\", 3)\n\tif cart.sum != 12 {\n\t\tt.Fatalf(\"sum %d\", cart.sum)\n\t}\n}\n\n",
        drops: "func TestDrops(t *testing.T) {\n\tcart := drop(\"milk\", 1)\n\tif cart.left != \"tea\" {\n\t\tt.Fatalf(\"left %s\", cart.left)\n\t}\n}\n\n",
        renamed: "func TestPutsOneMoreIn(t *testing.T) {\n\tcart := add(\"tea\", 3)\n\tif cart.sum != 12 {\n\t\tt.Fatalf(\"sum %d\", cart.sum)\n\t}\n}\n\n",
        laid_out: "// Carts.\nfunc TestAdds(t *testing.T) {\n\tcart := add(\n\t\t\"tea\",\n\t\t3,\n\t)\n\tif cart.sum != 12 {\n\t\tt.Fatalf(\"sum %d\", cart.sum)\n\t}\n}\nfunc TestDrops(t *testing.T) {\n\tcart := drop(\n\t\t\"milk\",\n\t\t1,\n\t)\n\tif cart.left != \"tea\" {\n\t\tt.Fatalf(\"left %s\", cart.left)\n\t}\n}\n",
        migrated: "package cart\n\nimport (\n\t\"testing\"\n\n\t\"github.com/stretchr/testify/require\"\n)\n\nfunc TestAdds(t *testing.T) {\n\tcart := add(\"tea\", 3)\n\trequire.Equal(t, 12, cart.sum)\n}\n\nfunc TestDrops(t *testing.T) {\n\tcart := drop(\"milk\", 1)\n\trequire.Equal(t, \"tea\", cart.left)\n}\n",
        loose: "func TestAdds(t *testing.T) {\n\tcart := add(\"tea\", 3)\n\tif cart.sum == 0 {\n\t\tt.Fatalf(\"sum %d\", cart.sum)\n\t}\n}\n\n",
        taxes: [
            "func TestFood(t *testing.T) {\n\tif tax(100, \"food\") != 7 {\n\t\tt.Fatal(\"food\")\n\t}\n}\n\nfunc TestBooks(t *testing.T) {\n\tif tax(30, \"books\") != 2 {\n\t\tt.Fatal(\"books\")\n\t}\n}\n",
            "func TestTax(t *testing.T) {\n\tfor _, row := range []struct{ net int; kind string; due int }{{100, \"food\", 7}, {30, \"books\", 2}} {\n\t\tt.Run(row.kind, func(t *testing.T) {\n\t\t\tif tax(row.net, row.kind) != row.due {\n\t\t\t\tt.Fatal(row.kind)\n\t\t\t}\n\t\t})\n\t}\n}\n",
        ],
        code: "cart.go",
        source: [
            "package cart\n\n// The cart.\nfunc add(name string, count int) Cart {\n\trow := rows.get(name)\n\treturn row.take(count)\n}\n\nfunc drop(name string, count int) Cart {\n\trow := rows.get(name)\n\treturn row.give(count)\n}\n",
            "package cart\n\n// The cart.\nfunc drop(name string, count int) Cart {\n\trow := rows.get(name)\n\treturn row.give(count)\n}\n",
        ],
        skipped: "func TestAdds(t *testing.T) {\n\tif runtime.GOOS == \"windows\" {\n\t\tt.Skip(\"Windows has no signals\")\n\t}\n\tcart := add(\"tea\", 3)\n\tif cart.sum != 12 {\n\t\tt.Fatalf(\"sum %d\", cart.sum)\n\t}\n}\n\n",
        generated: (
            "api/cart.pb.go",
            [
                "package api\n\nfunc Add(a int) error {\n\tif a == 0 {\n\t\treturn errZero\n\t}\n\treturn take(a)\n}\n",
                "package api\n\nfunc Other(a int) error {\n\treturn take(a)\n}\n",
            ],
        ),
        remarked: "package cart\n\n// add puts something into the cart, which holds what somebody wants.\nfunc add(name string, count int) Cart {\n\t// By its name.\n\trow := rows.get(name)\n\treturn row.take(count)\n}\n\nfunc drop(name string, count int) Cart {\n\trow := rows.get(name)\n\treturn row.give(count)\n}\n",
    },
    Tongue {
        name: "Java",
        places: [
            "src/test/java/shop/CartTest.java",
            "core/src/test/java/shop/BasketTest.java",
            "src/test/java/shop/DropTest.java",
        ],
        head: "package shop;\n\nimport org.junit.Test;\nimport static org.junit.Assert.*;\n\npublic class CartTest {\n",
        adds: "  @Test\n  public void adds() {\n    Cart cart = Shop.add(\"tea\", 3);\n    assertEquals(12, cart.sum());\n  }\n\n",
        drops: "  @Test\n  public void drops() {\n    Cart cart = Shop.drop(\"milk\", 1);\n    assertEquals(List.of(\"tea\"), cart.left());\n  }\n}\n",
        renamed: "  @Test\n  public void putsOneMoreIn() {\n    Cart cart = Shop.add(\"tea\", 3);\n    assertEquals(12, cart.sum());\n  }\n\n",
        laid_out: "    // Carts.\n    @Test\n    public void adds()\n    {\n        Cart cart = Shop.add(\n            \"tea\",\n            3);\n        assertEquals(12, cart.sum());\n    }\n    @Test\n    public void drops()\n    {\n        Cart cart = Shop.drop(\n            \"milk\",\n            1);\n        assertEquals(List.of(\"tea\"), cart.left());\n    }\n}\n",
        migrated: "package shop;\n\nimport org.junit.jupiter.api.Test;\nimport static org.assertj.core.api.Assertions.assertThat;\n\nclass CartTest {\n  @Test\n  void adds() {\n    Cart cart = Shop.add(\"tea\", 3);\n    assertThat(cart.sum()).isEqualTo(12);\n  }\n\n  @Test\n  void drops() {\n    Cart cart = Shop.drop(\"milk\", 1);\n    assertThat(cart.left()).isEqualTo(List.of(\"tea\"));\n  }\n}\n",
        loose: "  @Test\n  public void adds() {\n    Cart cart = Shop.add(\"tea\", 3);\n    assertNotNull(cart.sum());\n  }\n\n",
        taxes: [
            "  @Test\n  public void food() {\n    assertEquals(7, Shop.tax(100, \"food\"));\n  }\n\n  @Test\n  public void books() {\n    assertEquals(2, Shop.tax(30, \"books\"));\n  }\n}\n",
            "  @ParameterizedTest\n  @CsvSource({\"100, food, 7\", \"30, books, 2\"})\n  public void taxes(int net, String kind, int due) {\n    assertEquals(due, Shop.tax(net, kind));\n  }\n}\n",
        ],
        code: "src/main/java/shop/Cart.java",
        source: [
            "package shop;\n\n// The cart.\nclass Shop {\n  private static Cart add(String name, int count) {\n    Row row = rows.get(name);\n    return row.take(count);\n  }\n\n  static Cart drop(String name, int count) {\n    Row row = rows.get(name);\n    return row.give(count);\n  }\n}\n",
            "package shop;\n\n// The cart.\nclass Shop {\n  static Cart drop(String name, int count) {\n    Row row = rows.get(name);\n    return row.give(count);\n  }\n}\n",
        ],
        skipped: "  // Windows has no signals.\n  @Test\n  @DisabledOnOs(OS.WINDOWS)\n  public void adds() {\n    Cart cart = Shop.add(\"tea\", 3);\n    assertEquals(12, cart.sum());\n  }\n\n",
        generated: (
            "build/generated/Cart.java",
            [
                "class Cart {\n  public int add(int a) {\n    if (a == 0) {\n      throw new IllegalArgumentException();\n    }\n    return take(a);\n  }\n}\n",
                "class Cart {\n  public int other(int a) {\n    return take(a);\n  }\n}\n",
            ],
        ),
        remarked: "package shop;\n\n/** The cart, which holds what somebody wants. */\nclass Shop {\n  private static Cart add(String name, int count) {\n    // By its name.\n    Row row = rows.get(name);\n    return row.take(count);\n  }\n\n  static Cart drop(String name, int count) {\n    Row row = rows.get(name);\n    return row.give(count);\n  }\n}\n",
    },
];

#[test]
fn nothing_is_said_of_a_legitimate_change_of_any_kind() {
    let mut faults = Vec::new();
    let mut shown: BTreeMap<&str, usize> = BTreeMap::new();
    for tongue in TONGUES {
        for (kind, files) in tongue.kinds() {
            let change = |(path, before, after): File| Change { path: path.to_owned(), before, after };
            let changes: Vec<Change> = files.into_iter().map(change).collect();
            // In one call; and when the files came one by one, the additions first and a subject before its tests.
            let mut ordered = changes.clone();
            ordered.sort_by_key(|change| (change.after.is_none(), change.before.is_some()));
            let mut said = judge(&Evidence { changes: &changes, elsewhere: &[] });
            if let Some((last, others)) = ordered.split_last() {
                said.extend(judge(&Evidence { changes: std::slice::from_ref(last), elsewhere: others }));
            }
            said.retain(|finding| finding.severity > Severity::Low);
            *shown.entry(kind).or_default() += 1;
            let said: Vec<String> =
                said.iter().map(|it| format!("{} {} {}", it.pattern_id, it.path, it.what)).collect();
            if !said.is_empty() {
                faults.push(format!("{} {kind}: {said:?}", tongue.name));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(shown.len() >= 13 && shown.values().all(|languages| *languages >= 4), "{shown:?}");
}
