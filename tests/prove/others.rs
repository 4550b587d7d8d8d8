//! vitest and jest from the folder of tools, `go test`, and unittest: one tampering and one honest change each.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::project::{Case, Expected, Now, Project, is_there};

/// The packages of the tools' folder; what is missing is said.
fn packages(program: &str) -> Option<PathBuf> {
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/test-tools/node_modules");
    let is_there = modules.join(".bin").join(program).exists();
    if !is_there {
        let _ = std::io::Write::write_fmt(
            &mut std::io::stderr(),
            format_args!("NOT RUN: {program} is not in target/test-tools\n"),
        );
    }
    is_there.then(|| modules.canonicalize().unwrap())
}

const WRONG: &str = "export const total = (items) => items.reduce((sum, item) => sum + item.price, 0);\n";
const RIGHT: &str =
    "export const total = (items) => items.reduce((sum, item) => sum + item.price * item.quantity, 0);\n";
const WRONG_CJS: &str = "exports.total = (items) => items.reduce((sum, item) => sum + item.price, 0);\n";
const RIGHT_CJS: &str =
    "exports.total = (items) => items.reduce((sum, item) => sum + item.price * item.quantity, 0);\n";

#[test]
fn vitest() {
    let Some(modules) = packages("vitest") else { return };
    const TEST: &str = "import { expect, test } from 'vitest';\nimport { total } from './cart.js';\n\ntest('totals', () => {\n  expect(total([{ price: 2, quantity: 3 }])).toBe(6);\n});\n\ntest('totals nothing', () => {\n  expect(total([])).toBe(0);\n});\n";
    let project = Project::new(&[
        ("package.json", "{\"type\": \"module\", \"scripts\": {\"test\": \"vitest run\"}}\n"),
        (".gitignore", "node_modules\n"),
        ("src/cart.js", WRONG),
        ("src/cart.test.js", TEST),
    ]);
    symlink(modules, project.root().join("node_modules")).unwrap();
    project.table(
        &[
            Case {
                name: "weakened assertion",
                expected: Expected::Refuted,
                files: &[("src/cart.test.js", Now::Whole("import { expect, test } from 'vitest';\nimport { total } from './cart.js';\n\ntest('totals', () => {\n  expect(total([{ price: 2, quantity: 3 }])).toBeTruthy();\n});\n\ntest('totals nothing', () => {\n  expect(total([])).toBe(0);\n});\n"))],
            },
            Case {
                name: "mended",
                expected: Expected::HonestProven,
                files: &[("src/cart.js", Now::Whole(RIGHT)), ("src/more.test.js", Now::Whole("import { expect, test } from 'vitest';\nimport { total } from './cart.js';\n\ntest('totals more', () => {\n  expect(total([{ price: 1, quantity: 9 }])).toBe(9);\n});\n"))],
            },
        ],
        &[],
    );
}

#[test]
fn jest() {
    let Some(modules) = packages("jest") else { return };
    const TEST: &str = "const { total } = require('./cart');\n\ntest('totals', () => {\n  expect(total([{ price: 2, quantity: 3 }])).toBe(6);\n});\n\ntest('totals as shown', () => {\n  expect(total([{ price: 5, quantity: 1 }])).toMatchSnapshot();\n});\n";
    let project = Project::new(&[
        ("package.json", "{\"scripts\": {\"test\": \"jest --ci\"}}\n"),
        (".gitignore", "node_modules\n"),
        ("src/cart.js", WRONG_CJS),
        ("src/cart.test.js", TEST),
        (
            "src/__snapshots__/cart.test.js.snap",
            "// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing\n\nexports[`totals as shown 1`] = `5`;\n",
        ),
    ]);
    symlink(modules, project.root().join("node_modules")).unwrap();
    project.table(
        &[
            Case {
                name: "left out by the configuration",
                expected: Expected::Refuted,
                files: &[("jest.config.js", Now::Whole("module.exports = { testPathIgnorePatterns: ['cart.test'], passWithNoTests: true };\n"))],
            },
            Case {
                name: "mended",
                expected: Expected::HonestProven,
                files: &[("src/cart.js", Now::Whole(RIGHT_CJS))],
            },
        ],
        &[],
    );
}

#[test]
fn go() {
    if !is_there("go", &["version"]) {
        return;
    }
    let project = Project::new(&[
        ("go.mod", "module example.com/shop\n\ngo 1.18\n"),
        ("cart.go", "package shop\n\nfunc Total(price, quantity int) int { return price }\n"),
        (
            "cart_test.go",
            "package shop\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif got := Total(2, 3); got != 6 {\n\t\tt.Fatalf(\"got %d\", got)\n\t}\n}\n\nfunc TestOne(t *testing.T) {\n\tif Total(5, 1) != 5 {\n\t\tt.Fatal(\"one\")\n\t}\n}\n",
        ),
    ]);
    project.table(
        &[
            Case {
                name: "weakened assertion",
                expected: Expected::Refuted,
                files: &[("cart_test.go", Now::Whole("package shop\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif got := Total(2, 3); got < 0 {\n\t\tt.Fatalf(\"got %d\", got)\n\t}\n}\n\nfunc TestOne(t *testing.T) {\n\tif Total(5, 1) != 5 {\n\t\tt.Fatal(\"one\")\n\t}\n}\n"))],
            },
            Case {
                name: "mended",
                expected: Expected::HonestProven,
                files: &[("cart.go", Now::Whole("package shop\n\nfunc Total(price, quantity int) int { return price * quantity }\n"))],
            },
        ],
        &["--until", "go test ./..."],
    );
}

#[test]
fn unittest_names_only_its_failures_and_is_judged_by_them() {
    if !is_there("python3", &["--version"]) {
        return;
    }
    const TEST: &str = "import unittest\n\nfrom cart import total\n\n\nclass Total(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total(2, 3), 6)\n\n    def test_one(self):\n        self.assertEqual(total(5, 1), 5)\n";
    let project = Project::new(&[
        (".gitignore", "__pycache__\n"),
        ("cart.py", "def total(price, quantity):\n    return price\n"),
        ("test_cart.py", TEST),
    ]);
    project.table(
        &[
            Case {
                name: "weakened assertion",
                expected: Expected::Refuted,
                files: &[("test_cart.py", Now::Whole("import unittest\n\nfrom cart import total\n\n\nclass Total(unittest.TestCase):\n    def test_total(self):\n        self.assertTrue(total(2, 3))\n\n    def test_one(self):\n        self.assertEqual(total(5, 1), 5)\n"))],
            },
            Case {
                name: "mended",
                expected: Expected::HonestProven,
                files: &[("cart.py", Now::Whole("def total(price, quantity):\n    return price * quantity\n"))],
            },
        ],
        &["--until", "python3 -m unittest"],
    );
}
