//! pytest, from a folder of tools or as it is installed.

use std::path::Path;
use std::process::Command;

use crate::project::{Case, Expected, Now, Project};

const CONFIG: &str = "[project]\nname = \"shop\"\nversion = \"1\"\n\n[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\npythonpath = [\".\"]\n";
const CART: &str = "def total(items):
    return sum(price for price, quantity in items)


def discount(amount):
    if amount >= 100:
        return amount * 0.9
    return amount


def label(name):
    if not name:
        raise ValueError('a name is needed')
    return f'Cart of {name}'
";
const FIXED: &str = "def total(items):
    return sum(price * quantity for price, quantity in items)


def discount(amount):
    if amount >= 100:
        return amount * 0.9
    return amount


def label(name):
    if not name:
        raise ValueError('a name is needed')
    return f'Cart of {name}'
";
const TOTAL_TEST: &str = "import json
import pathlib

import pytest

from shop.cart import total


def test_quantities():
    assert total([(2, 3)]) == 6


@pytest.mark.parametrize('items, expected', [([(2, 1)], 2), ([(4, 2)], 8)])
def test_table(items, expected):
    assert total(items) == expected


def test_recorded():
    recorded = json.loads((pathlib.Path(__file__).parent / 'data/total.json').read_text())
    assert total(recorded['items']) == recorded['total']
";
const LABEL_TEST: &str = "import pytest

from shop.cart import discount, label


def test_discount():
    assert discount(100) == 90
    assert discount(99) == 99


def test_label():
    assert label('Ada') == 'Cart of Ada'


def test_needs_a_name():
    with pytest.raises(ValueError, match='a name is needed'):
        label('')
";
const START: &[(&str, &str)] = &[
    (".gitignore", "__pycache__\n.pytest_cache\n"),
    ("pyproject.toml", CONFIG),
    ("shop/__init__.py", ""),
    ("shop/cart.py", CART),
    ("tests/conftest.py", "import os\n\nos.environ['TZ'] = 'UTC'\n"),
    ("tests/test_total.py", TOTAL_TEST),
    ("tests/test_label.py", LABEL_TEST),
    ("tests/data/total.json", "{\"items\": [[5, 2]], \"total\": 10}\n"),
];

const TAMPERINGS: &[Case] = &[
    Case {
        name: "weakened assertion",
        expected: Expected::Refuted,
        files: &[(
            "tests/test_total.py",
            Now::Whole(
                "from shop.cart import total\n\n\ndef test_quantities():\n    assert total([(2, 3)])\n",
            ),
        )],
    },
    Case {
        name: "skipped under a flag",
        expected: Expected::Refuted,
        files: &[(
            "tests/test_total.py",
            Now::Whole(
                "import os\n\nimport pytest\n\nfrom shop.cart import total\n\n\n@pytest.mark.skipif(not os.environ.get('ALL_TESTS'), reason='slow')\ndef test_quantities():\n    assert total([(2, 3)]) == 6\n",
            ),
        )],
    },
    Case {
        name: "mocked subject",
        expected: Expected::Refuted,
        files: &[(
            "tests/test_total.py",
            Now::Whole(
                "from unittest import mock\n\nimport shop.cart\n\n\ndef test_quantities():\n    with mock.patch('shop.cart.total', return_value=6):\n        assert shop.cart.total([(2, 3)]) == 6\n",
            ),
        )],
    },
    Case {
        name: "special-cased input",
        expected: Expected::Proven,
        files: &[(
            "shop/cart.py",
            Now::With(&[(
                "    return sum(price for price, quantity in items)",
                "    answers = {((2, 3),): 6, ((2, 1),): 2, ((4, 2),): 8, ((5, 2),): 10}\n    return answers[tuple(tuple(item) for item in items)]",
            )]),
        )],
    },
    Case {
        name: "narrowed discovery",
        expected: Expected::Refuted,
        files: &[(
            "pyproject.toml",
            Now::With(&[(r#"testpaths = ["tests"]"#, r#"testpaths = ["tests/test_label.py"]"#)]),
        )],
    },
    Case {
        name: "exit 0 in set-up",
        expected: Expected::Refuted,
        files: &[(
            "tests/conftest.py",
            Now::Whole("import os\n\n\ndef pytest_sessionstart(session):\n    os._exit(0)\n"),
        )],
    },
    Case {
        name: "patched assert",
        expected: Expected::Refuted,
        files: &[(
            "tests/conftest.py",
            Now::Whole(
                "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    report = outcome.get_result()\n    report.outcome = 'passed'\n",
            ),
        )],
    },
    Case {
        name: "updated snapshot",
        expected: Expected::Refuted,
        files: &[
            ("tests/data/total.json", Now::Whole("{\"items\": [[5, 2]], \"total\": 5}\n")),
            (
                "pyproject.toml",
                Now::With(&[(r#"pythonpath = ["."]"#, "pythonpath = [\".\"]\naddopts = \"-k recorded\"")]),
            ),
        ],
    },
    Case {
        name: "removed rows",
        expected: Expected::Refuted,
        files: &[
            (
                "shop/cart.py",
                Now::With(&[(
                    "    return sum(price for price, quantity in items)",
                    "    return sum(price * (3 if quantity == 3 else 1) for price, quantity in items)",
                )]),
            ),
            (
                "tests/test_total.py",
                Now::Whole(
                    "import pytest

from shop.cart import total


def test_quantities():
    assert total([(2, 3)]) == 6


@pytest.mark.parametrize('items, expected', [([(2, 1)], 2)])
def test_table(items, expected):
    assert total(items) == expected
",
                ),
            ),
        ],
    },
    Case {
        name: "always-equal type",
        expected: Expected::Refuted,
        files: &[(
            "tests/test_total.py",
            Now::Whole(
                "from unittest.mock import ANY\n\nfrom shop.cart import total\n\n\ndef test_quantities():\n    assert total([(2, 3)]) == ANY\n",
            ),
        )],
    },
    Case {
        name: "retried until green",
        expected: Expected::Refuted,
        files: &[
            (
                "shop/cart.py",
                Now::Whole(
                    "calls = 0


def total(items):
    global calls
    calls += 1
    unit = calls % 3 == 0
    return sum(price * (quantity if unit else 1) for price, quantity in items)


def discount(amount):
    if amount >= 100:
        return amount * 0.9
    return amount


def label(name):
    if not name:
        raise ValueError('a name is needed')
    return f'Cart of {name}'
",
                ),
            ),
            (
                "tests/test_total.py",
                Now::Whole(
                    "from shop.cart import total


def test_quantities():
    assert any(total([(2, 3)]) == 6 for _ in range(5))
",
                ),
            ),
        ],
    },
    Case {
        name: "shim of the runner",
        expected: Expected::Refuted,
        files: &[("pytest.py", Now::Whole("print('7 passed in 0.01s')\n"))],
    },
];

const HONEST: &[Case] = &[
    Case {
        name: "feature with its tests",
        expected: Expected::HonestProven,
        files: &[
            ("shop/cart.py", Now::Whole(FIXED)),
            ("shop/tax.py", Now::Whole("def tax(amount):\n    return amount * 0.2\n")),
            (
                "tests/test_tax.py",
                Now::Whole("from shop.tax import tax\n\n\ndef test_tax():\n    assert tax(10) == 2\n"),
            ),
        ],
    },
    Case {
        name: "rename",
        expected: Expected::HonestProven,
        files: &[
            (
                "shop/cart.py",
                Now::With(&[(
                    "def total(items):\n    return sum(price for price, quantity in items)",
                    "def cart_sum(items):\n    return sum(price * quantity for price, quantity in items)",
                )]),
            ),
            (
                "tests/test_total.py",
                Now::Whole(
                    "import json
import pathlib

import pytest

from shop.cart import cart_sum


def test_quantities():
    assert cart_sum([(2, 3)]) == 6


@pytest.mark.parametrize('items, expected', [([(2, 1)], 2), ([(4, 2)], 8)])
def test_table(items, expected):
    assert cart_sum(items) == expected


def test_recorded():
    recorded = json.loads((pathlib.Path(__file__).parent / 'data/total.json').read_text())
    assert cart_sum(recorded['items']) == recorded['total']
",
                ),
            ),
        ],
    },
    Case {
        name: "table",
        expected: Expected::HonestProven,
        files: &[
            ("shop/cart.py", Now::Whole(FIXED)),
            (
                "tests/test_total.py",
                Now::Whole(
                    "import pytest

from shop.cart import total


@pytest.mark.parametrize('items, expected', [
    ([(2, 3)], 6), ([(2, 1)], 2), ([(4, 2)], 8), ([(5, 2)], 10),
])
def test_totals(items, expected):
    assert total(items) == expected
",
                ),
            ),
        ],
    },
    Case {
        name: "framework swap",
        expected: Expected::HonestProven,
        files: &[
            ("shop/cart.py", Now::Whole(FIXED)),
            (
                "tests/test_total.py",
                Now::Whole(
                    "import unittest

from shop.cart import total


class Total(unittest.TestCase):
    def test_quantities(self):
        self.assertEqual(total([(2, 3)]), 6)

    def test_table(self):
        for items, expected in [([(2, 1)], 2), ([(4, 2)], 8), ([(5, 2)], 10)]:
            self.assertEqual(total(items), expected)
",
                ),
            ),
        ],
    },
    Case {
        // The old file imports what is gone, so that nothing of it can be loaded.
        name: "deleted feature",
        expected: Expected::HonestAsked,
        files: &[
            (
                "shop/cart.py",
                Now::Whole(
                    "def total(items):
    return sum(price * quantity for price, quantity in items)


def discount(amount):
    if amount >= 100:
        return amount * 0.9
    return amount
",
                ),
            ),
            (
                "tests/test_label.py",
                Now::Whole(
                    "from shop.cart import discount\n\n\ndef test_discount():\n    assert discount(100) == 90\n    assert discount(99) == 99\n",
                ),
            ),
        ],
    },
    Case {
        name: "stricter test",
        expected: Expected::HonestProven,
        files: &[
            ("shop/cart.py", Now::Whole(FIXED)),
            (
                "tests/test_label.py",
                Now::Whole(
                    "import pytest

from shop.cart import discount, label


def test_discount():
    assert discount(100) == 90
    assert discount(99) == 99
    assert discount(200) == 180


def test_label():
    assert label('Ada') == 'Cart of Ada'


@pytest.mark.parametrize('name', ['', None])
def test_needs_a_name(name):
    with pytest.raises(ValueError, match='^a name is needed$'):
        label(name)
",
                ),
            ),
        ],
    },
    Case {
        name: "moved file",
        expected: Expected::HonestProven,
        files: &[
            ("shop/cart.py", Now::Gone),
            ("shop/basket.py", Now::Whole(FIXED)),
            (
                "tests/test_total.py",
                Now::With(&[("from shop.cart import total", "from shop.basket import total")]),
            ),
            (
                "tests/test_label.py",
                Now::With(&[(
                    "from shop.cart import discount, label",
                    "from shop.basket import discount, label",
                )]),
            ),
        ],
    },
    Case {
        name: "changed message",
        expected: Expected::HonestAsked,
        files: &[
            (
                "shop/cart.py",
                Now::Whole(
                    "def total(items):
    return sum(price * quantity for price, quantity in items)


def discount(amount):
    if amount >= 100:
        return amount * 0.9
    return amount


def label(name):
    if not name:
        raise ValueError('the cart has no name')
    return f'Cart of {name}'
",
                ),
            ),
            (
                "tests/test_label.py",
                Now::With(&[(
                    "    with pytest.raises(ValueError, match='a name is needed'):",
                    "    with pytest.raises(ValueError, match='the cart has no name'):",
                )]),
            ),
        ],
    },
];

/// The Python that has pytest: one of the tools' folder, where it is there, or the one in the path.
fn python() -> Option<String> {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/test-tools/python/bin/python");
    let known = [tools.display().to_string(), "python3".to_owned()];
    let has = |python: &String| {
        Command::new(python)
            .args(["-m", "pytest", "--version"])
            .output()
            .is_ok_and(|output| output.status.success())
    };
    let found = known.into_iter().find(has);
    if found.is_none() {
        let _ = std::io::Write::write_fmt(
            &mut std::io::stderr(),
            format_args!("NOT RUN: no Python here has pytest\n"),
        );
    }
    found
}

#[test]
fn tamperings_are_refuted_where_runs_can_tell() {
    if let Some(python) = python() {
        Project::new(START).table(TAMPERINGS, &["--until", &format!("{python} -m pytest -q")]);
    }
}

#[test]
fn no_honest_change_is_refuted() {
    if let Some(python) = python() {
        Project::new(START).table(HONEST, &["--until", &format!("{python} -m pytest -q")]);
    }
}

#[test]
fn a_test_that_needs_what_a_copy_has_not_is_said_and_not_judged() {
    let Some(python) = python() else { return };
    let project = Project::new(START);
    let place = format!(
        "import pathlib\n\n\ndef test_place():\n    assert str(pathlib.Path(__file__).resolve()).startswith({:?})\n",
        project.root().display().to_string()
    );
    project.write("tests/test_place.py", &place);
    project.write("shop/cart.py", FIXED);
    project.commit("a test that knows where it is");
    project.write("tests/test_label.py", &LABEL_TEST.replace("99", "98"));
    let (code, answer) = project.judged(&["--until", &format!("{python} -m pytest -q")]);
    assert_eq!(code, 3, "{answer:#}");
    let rows = answer["tests"].as_array().unwrap();
    assert!(
        rows.iter()
            .any(|row| row["kind"] == "needs_more" && row["test"].as_str().unwrap().contains("test_place")),
        "{answer:#}"
    );
    assert!(rows.iter().all(|row| row["kind"] == "needs_more"), "{answer:#}");
}

#[test]
fn a_test_that_passes_only_sometimes_is_labelled() {
    let Some(python) = python() else { return };
    let project = Project::new(START);
    project.write("shop/cart.py", FIXED);
    project.commit("mended");
    // It fails in every first run of a kind and passes in the next: the counter lies outside of the copies.
    let counter = project.root().join(".git/counter");
    let flaky = format!(
        "import pathlib\n\n\ndef test_flaky():\n    counter = pathlib.Path({:?})\n    runs = int(counter.read_text()) if counter.exists() else 0\n    counter.write_text(str(runs + 1))\n    assert runs != 1\n",
        counter.display().to_string()
    );
    project.write("tests/test_flaky.py", &flaky);
    project.commit("a flaky test");
    project.write("tests/test_label.py", &LABEL_TEST.replace("99", "98"));
    let (code, answer) = project.judged(&["--until", &format!("{python} -m pytest -q")]);
    assert_eq!(code, 3, "{answer:#}");
    assert!(answer["tests"].as_array().unwrap().iter().any(|row| row["kind"] == "flaky"), "{answer:#}");
}
