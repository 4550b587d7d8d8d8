//! unittest, which names only its failures: one tampering and one honest change.

use crate::project::{Case, Expected, Now, Project, is_there};

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
