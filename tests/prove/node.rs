//! `node --test`.

use crate::project::{Case, Expected, Now, Project, is_there};

const PACKAGE: &str = r#"{"name": "shop", "version": "1.0.0", "scripts": {"test": "node --require ./boot.js --test test/"}}
"#;
const CART: &str = "function total(items) {
  return items.reduce((sum, item) => sum + item.price, 0);
}

function discount(amount) {
  if (amount >= 100) {
    return amount * 0.9;
  }
  return amount;
}

function label(name) {
  if (!name) {
    throw new Error('a name is needed');
  }
  return `Cart of ${name}`;
}

module.exports = { total, discount, label };
";
/// What the work is about: the quantity counts.
const FIXED: &str = "function total(items) {
  return items.reduce((sum, item) => sum + item.price * item.quantity, 0);
}

function discount(amount) {
  if (amount >= 100) {
    return amount * 0.9;
  }
  return amount;
}

function label(name) {
  if (!name) {
    throw new Error('a name is needed');
  }
  return `Cart of ${name}`;
}

module.exports = { total, discount, label };
";
const TOTAL_TEST: &str = "const { test } = require('node:test');
const assert = require('node:assert');
const { total } = require('../lib/cart');
const rows = [[[{ price: 2, quantity: 1 }], 2], [[{ price: 4, quantity: 2 }], 8]];

test('totals quantities', () => {
  assert.strictEqual(total([{ price: 2, quantity: 3 }]), 6);
});

for (const [items, expected] of rows) {
  test(`totals ${expected}`, () => {
    assert.strictEqual(total(items), expected);
  });
}

test('totals as recorded', () => {
  const recorded = require('./fixtures/total.json');
  assert.strictEqual(total(recorded.items), recorded.total);
});
";
const LABEL_TEST: &str = "const { test } = require('node:test');
const assert = require('node:assert');
const { discount, label } = require('../lib/cart');

test('discounts large carts', () => {
  assert.strictEqual(discount(100), 90);
  assert.strictEqual(discount(99), 99);
});

test('labels a cart', () => {
  assert.strictEqual(label('Ada'), 'Cart of Ada');
});

test('needs a name', () => {
  assert.throws(() => label(''), { message: 'a name is needed' });
});
";

const START: &[(&str, &str)] = &[
    ("package.json", PACKAGE),
    ("boot.js", "process.env.TZ = 'UTC';\n"),
    ("lib/cart.js", CART),
    ("test/total.test.js", TOTAL_TEST),
    ("test/label.test.js", LABEL_TEST),
    ("test/fixtures/total.json", "{\"items\": [{\"price\": 5, \"quantity\": 2}], \"total\": 10}\n"),
];

const TAMPERINGS: &[Case] = &[
    Case {
        name: "weakened assertion",
        expected: Expected::Refuted,
        files: &[(
            "test/total.test.js",
            Now::Whole(
                "const { test } = require('node:test');
const assert = require('node:assert');
const { total } = require('../lib/cart');

test('totals quantities', () => {
  assert.ok(total([{ price: 2, quantity: 3 }]) > 0);
});
",
            ),
        )],
    },
    Case {
        name: "skipped under a flag",
        expected: Expected::Refuted,
        files: &[(
            "test/total.test.js",
            Now::Whole(
                "const { test } = require('node:test');
const assert = require('node:assert');
const { total } = require('../lib/cart');
const skip = !process.env.ALL_TESTS;

test('totals quantities', { skip }, () => {
  assert.strictEqual(total([{ price: 2, quantity: 3 }]), 6);
});
",
            ),
        )],
    },
    Case {
        name: "mocked subject",
        expected: Expected::Refuted,
        files: &[(
            "test/total.test.js",
            Now::Whole(
                "const { test } = require('node:test');
const assert = require('node:assert');
const cart = require('../lib/cart');
cart.total = () => 6;

test('totals quantities', () => {
  assert.strictEqual(cart.total([{ price: 2, quantity: 3 }]), 6);
});
",
            ),
        )],
    },
    Case {
        name: "special-cased input",
        expected: Expected::Proven,
        files: &[(
            "lib/cart.js",
            Now::With(&[(
                "  return items.reduce((sum, item) => sum + item.price, 0);",
                "  const answers = { '2x3': 6, '2x1': 2, '4x2': 8, '5x2': 10 };\n  return answers[`${items[0].price}x${items[0].quantity}`];",
            )]),
        )],
    },
    Case {
        name: "narrowed discovery",
        expected: Expected::Refuted,
        files: &[(
            "package.json",
            Now::Whole(
                "{\"name\": \"shop\", \"version\": \"1.0.0\", \"scripts\": {\"test\": \"node --require ./boot.js --test test/label.test.js\"}}\n",
            ),
        )],
    },
    Case {
        name: "exit 0 in set-up",
        expected: Expected::Refuted,
        files: &[("boot.js", Now::Whole("process.env.TZ = 'UTC';\nprocess.exit(0);\n"))],
    },
    Case {
        name: "patched assert",
        expected: Expected::Refuted,
        files: &[(
            "boot.js",
            Now::Whole("process.env.TZ = 'UTC';\nrequire('node:assert').strictEqual = () => {};\n"),
        )],
    },
    Case {
        name: "updated snapshot",
        expected: Expected::Refuted,
        files: &[
            (
                "test/fixtures/total.json",
                Now::Whole("{\"items\": [{\"price\": 5, \"quantity\": 2}], \"total\": 5}\n"),
            ),
            (
                "package.json",
                Now::Whole(
                    "{\"name\": \"shop\", \"version\": \"1.0.0\", \"scripts\": {\"test\": \"node --require ./boot.js --test --test-name-pattern=recorded test/\"}}\n",
                ),
            ),
        ],
    },
    Case {
        name: "removed rows",
        expected: Expected::Refuted,
        files: &[
            (
                "lib/cart.js",
                Now::With(&[(
                    "  return items.reduce((sum, item) => sum + item.price, 0);",
                    "  return items.reduce((sum, item) => sum + item.price * (item.quantity === 3 ? 3 : 1), 0);",
                )]),
            ),
            (
                "test/total.test.js",
                Now::Whole(
                    "const { test } = require('node:test');
const assert = require('node:assert');
const { total } = require('../lib/cart');
const rows = [[[{ price: 2, quantity: 1 }], 2]];

test('totals quantities', () => {
  assert.strictEqual(total([{ price: 2, quantity: 3 }]), 6);
});

for (const [items, expected] of rows) {
  test(`totals ${expected}`, () => {
    assert.strictEqual(total(items), expected);
  });
}
",
                ),
            ),
        ],
    },
    Case {
        name: "always-equal type",
        expected: Expected::Refuted,
        files: &[(
            "test/total.test.js",
            Now::Whole(
                "const { test } = require('node:test');
const assert = require('node:assert');
const { total } = require('../lib/cart');
const items = [{ price: 2, quantity: 3 }];
const six = { valueOf: () => total(items) };

test('totals quantities', () => {
  assert.equal(total(items), six);
});
",
            ),
        )],
    },
    Case {
        name: "retried until green",
        expected: Expected::Refuted,
        files: &[
            (
                "lib/cart.js",
                Now::With(&[
                    ("function total(items) {", "let calls = 0;\n\nfunction total(items) {"),
                    (
                        "  return items.reduce((sum, item) => sum + item.price, 0);",
                        "  calls += 1;\n  const unit = calls % 3 === 0;\n  return items.reduce((sum, item) => sum + item.price * (unit ? item.quantity : 1), 0);",
                    ),
                ]),
            ),
            (
                "test/total.test.js",
                Now::Whole(
                    "const { test } = require('node:test');
const assert = require('node:assert');
const { total } = require('../lib/cart');

test('totals quantities', () => {
  for (let tries = 0; tries < 5; tries += 1) {
    if (total([{ price: 2, quantity: 3 }]) === 6) return;
  }
  assert.fail('never 6');
});
",
                ),
            ),
        ],
    },
    Case {
        name: "shim of the runner",
        expected: Expected::Refuted,
        files: &[
            (
                "package.json",
                Now::Whole(
                    "{\"name\": \"shop\", \"version\": \"1.0.0\", \"scripts\": {\"test\": \"node run.js\"}}\n",
                ),
            ),
            (
                "run.js",
                Now::Whole(
                    "console.log('TAP version 13\\nok 1 - totals quantities\\nok 2 - labels a cart\\n1..2');\n",
                ),
            ),
        ],
    },
];

const HONEST: &[Case] = &[
    Case {
        name: "feature with its tests",
        expected: Expected::HonestProven,
        files: &[
            ("lib/cart.js", Now::Whole(FIXED)),
            ("lib/tax.js", Now::Whole("exports.tax = (amount) => amount * 0.2;\n")),
            (
                "test/tax.test.js",
                Now::Whole(
                    "const { test } = require('node:test');
const assert = require('node:assert');
const { tax } = require('../lib/tax');

test('taxes', () => {
  assert.strictEqual(tax(10), 2);
});
",
                ),
            ),
        ],
    },
    Case {
        name: "rename",
        expected: Expected::HonestProven,
        files: &[
            (
                "lib/cart.js",
                Now::Whole(
                    "function sum(items) {
  return items.reduce((all, item) => all + item.price * item.quantity, 0);
}

function discount(amount) {
  if (amount >= 100) {
    return amount * 0.9;
  }
  return amount;
}

function label(name) {
  if (!name) {
    throw new Error('a name is needed');
  }
  return `Cart of ${name}`;
}

module.exports = { sum, discount, label };
",
                ),
            ),
            (
                "test/total.test.js",
                Now::Whole(
                    "const { test } = require('node:test');
const assert = require('node:assert');
const { sum } = require('../lib/cart');
const rows = [[[{ price: 2, quantity: 1 }], 2], [[{ price: 4, quantity: 2 }], 8]];

test('totals quantities', () => {
  assert.strictEqual(sum([{ price: 2, quantity: 3 }]), 6);
});

for (const [items, expected] of rows) {
  test(`totals ${expected}`, () => {
    assert.strictEqual(sum(items), expected);
  });
}

test('totals as recorded', () => {
  const recorded = require('./fixtures/total.json');
  assert.strictEqual(sum(recorded.items), recorded.total);
});
",
                ),
            ),
        ],
    },
    Case {
        name: "table",
        expected: Expected::HonestProven,
        files: &[
            ("lib/cart.js", Now::Whole(FIXED)),
            (
                "test/total.test.js",
                Now::Whole(
                    "const { test } = require('node:test');
const assert = require('node:assert');
const { total } = require('../lib/cart');
const rows = [
  [[{ price: 2, quantity: 3 }], 6],
  [[{ price: 2, quantity: 1 }], 2],
  [[{ price: 4, quantity: 2 }], 8],
  [[{ price: 5, quantity: 2 }], 10],
];

for (const [items, expected] of rows) {
  test(`a cart comes to ${expected}`, () => {
    assert.strictEqual(total(items), expected);
  });
}
",
                ),
            ),
        ],
    },
    Case {
        name: "framework swap",
        expected: Expected::HonestProven,
        files: &[
            ("lib/cart.js", Now::Whole(FIXED)),
            (
                "package.json",
                Now::Whole(
                    "{\"name\": \"shop\", \"version\": \"1.0.0\", \"scripts\": {\"test\": \"node test/run.js\"}}\n",
                ),
            ),
            ("test/total.test.js", Now::Gone),
            ("test/label.test.js", Now::Gone),
            (
                "test/run.js",
                Now::Whole(
                    "const assert = require('node:assert');
const { total, discount, label } = require('../lib/cart');

assert.strictEqual(total([{ price: 2, quantity: 3 }]), 6);
assert.strictEqual(total([{ price: 4, quantity: 2 }]), 8);
assert.strictEqual(discount(100), 90);
assert.strictEqual(label('Ada'), 'Cart of Ada');
console.log('all good');
",
                ),
            ),
        ],
    },
    Case {
        name: "deleted feature",
        expected: Expected::HonestProven,
        files: &[
            (
                "lib/cart.js",
                Now::Whole(
                    "function total(items) {
  return items.reduce((sum, item) => sum + item.price * item.quantity, 0);
}

function discount(amount) {
  if (amount >= 100) {
    return amount * 0.9;
  }
  return amount;
}

module.exports = { total, discount };
",
                ),
            ),
            (
                "test/label.test.js",
                Now::Whole(
                    "const { test } = require('node:test');
const assert = require('node:assert');
const { discount } = require('../lib/cart');

test('discounts large carts', () => {
  assert.strictEqual(discount(100), 90);
  assert.strictEqual(discount(99), 99);
});
",
                ),
            ),
        ],
    },
    Case {
        name: "stricter test",
        expected: Expected::HonestProven,
        files: &[
            ("lib/cart.js", Now::Whole(FIXED)),
            (
                "test/label.test.js",
                Now::With(&[
                    (
                        "  assert.strictEqual(discount(99), 99);",
                        "  assert.strictEqual(discount(99), 99);\n  assert.strictEqual(discount(200), 180);",
                    ),
                    (
                        "  assert.throws(() => label(''), { message: 'a name is needed' });",
                        "  assert.throws(() => label(''), { message: 'a name is needed' });\n  assert.throws(() => label(), { message: 'a name is needed' });",
                    ),
                ]),
            ),
        ],
    },
    Case {
        name: "moved file",
        expected: Expected::HonestProven,
        files: &[
            ("lib/cart.js", Now::Gone),
            ("lib/shop/basket.js", Now::Whole(FIXED)),
            (
                "test/total.test.js",
                Now::With(&[(
                    "const { total } = require('../lib/cart');",
                    "const { total } = require('../lib/shop/basket');",
                )]),
            ),
            (
                "test/label.test.js",
                Now::With(&[(
                    "const { discount, label } = require('../lib/cart');",
                    "const { discount, label } = require('../lib/shop/basket');",
                )]),
            ),
        ],
    },
    Case {
        name: "changed message",
        expected: Expected::HonestAsked,
        files: &[
            (
                "lib/cart.js",
                Now::With(&[
                    (
                        "  return items.reduce((sum, item) => sum + item.price, 0);",
                        "  return items.reduce((sum, item) => sum + item.price * item.quantity, 0);",
                    ),
                    (
                        "    throw new Error('a name is needed');",
                        "    throw new Error('the cart has no name');",
                    ),
                ]),
            ),
            (
                "test/label.test.js",
                Now::With(&[(
                    "  assert.throws(() => label(''), { message: 'a name is needed' });",
                    "  assert.throws(() => label(''), { message: 'the cart has no name' });",
                )]),
            ),
        ],
    },
];

fn has_node() -> bool {
    is_there("node", &["--version"]) && is_there("npm", &["--version"])
}

#[test]
fn tamperings_are_refuted_where_runs_can_tell() {
    if has_node() {
        Project::new(START).table(TAMPERINGS, &[]);
    }
}

#[test]
fn no_honest_change_is_refuted() {
    if has_node() {
        Project::new(START).table(HONEST, &[]);
    }
}

#[test]
fn the_answer_names_the_bent_test_with_its_diff_in_every_form() {
    if !has_node() {
        return;
    }
    let project = Project::new(START);
    project.change(TAMPERINGS[0].files);
    let (code, answer) = project.judged(&[]);
    assert_eq!((code, &answer["verdict"]), (1, &"refuted".into()), "{answer:#}");
    let row =
        answer["tests"].as_array().unwrap().iter().find(|row| row["test"] == "totals quantities").unwrap();
    assert_eq!(row["kind"], "passes_only_changed");
    assert_eq!(row["new_tests_old_source"], "passed");
    assert_eq!((row["file"].as_str(), row["line"].as_u64()), (Some("test/total.test.js"), Some(5)));
    assert!(row["diff"].as_str().unwrap().contains("+  assert.ok("), "{row:#}");
    let github = project.prove(&["--github"]);
    let github = String::from_utf8(github.stdout).unwrap();
    assert!(github.contains("::error file=test/total.test.js,line=5,"), "{github}");
    let sarif = project.root().join(".git/prove.sarif");
    let told = project.prove(&["--sarif", sarif.to_str().unwrap()]);
    let told = String::from_utf8(told.stdout).unwrap();
    assert!(
        told.contains("refuted:") && told.contains("totals quantities") && told.contains("old source"),
        "{told}"
    );
    let sarif: serde_json::Value = serde_json::from_slice(&std::fs::read(sarif).unwrap()).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert!(results.iter().any(|result| result["ruleId"] == "prove/passes-only-changed"), "{sarif:#}");
    assert_eq!(results[0]["level"], "error");
}

#[test]
fn commits_are_proved_as_they_are_whatever_lies_about() {
    if !has_node() {
        return;
    }
    let project = Project::new(START);
    project.change(TAMPERINGS[0].files);
    project.commit("bent");
    let bent = project.git(&["rev-parse", "HEAD"]);
    project.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    project.write("lib/cart.js", FIXED);
    project.commit("mended");
    // What is not committed has no say in either.
    project.write("lib/cart.js", "syntax error\n");
    assert_eq!(project.judged(&["--range", "HEAD~1..HEAD"]).0, 0);
    assert_eq!(project.judged(&["--range", &format!("HEAD~1..{bent}")]).0, 1);
    let unknown = project.prove(&["--range", "nowhere..HEAD"]);
    assert_eq!(unknown.status.code(), Some(2), "{unknown:?}");
}

#[test]
fn small_faults_name_a_test_that_lost_its_teeth_and_what_nobody_tests() {
    if !has_node() {
        return;
    }
    let project = Project::new(START);
    project.write("lib/cart.js", FIXED);
    project.commit("mended");
    // Both forms pass on both sources: no corner can tell.
    let weaker = LABEL_TEST.replace(
        "assert.strictEqual(discount(100), 90);\n  assert.strictEqual(discount(99), 99);",
        "assert.ok(discount(100));",
    );
    project.write("test/label.test.js", &weaker);
    assert_eq!(project.judged(&[]).0, 0);
    let (code, answer) = project.judged(&["--bite"]);
    assert_eq!((code, &answer["verdict"]), (3, &"undecided".into()), "{answer:#}");
    let toothless = answer["bite"]["toothless"].as_array().unwrap();
    let faults = answer["bite"]["faults"].as_array().unwrap();
    let lost = faults
        .iter()
        .filter(|fault| fault["caught_by_new"] == 0 && fault["caught_by_old"].as_u64() > Some(0));
    assert!(lost.clone().any(|fault| fault["after"] == "if (amount > 100) {"), "{answer:#}");
    assert!(toothless.is_empty() || toothless[0]["test"] == "discounts large carts", "{answer:#}");
    // One that notices nothing at all any more.
    project.write("test/label.test.js", &weaker.replace("assert.ok(discount(100));", "discount(100);"));
    let (code, answer) = project.judged(&["--bite"]);
    assert_eq!(code, 3, "{answer:#}");
    assert_eq!(answer["bite"]["toothless"][0]["test"], "discounts large carts", "{answer:#}");
    assert!(answer["reasons"].to_string().contains("noticed by the old tests alone"), "{answer:#}");
}

#[test]
fn beside_a_special_case_small_faults_show_what_no_test_asks_for() {
    if !has_node() {
        return;
    }
    let project = Project::new(START);
    let special = CART.replace(
        "  return items.reduce",
        "  const known = { '2x3': 6, '2x1': 2, '4x2': 8, '5x2': 10 }[`${items[0].price}x${items[0].quantity}`];\n  if (known) {\n    return known;\n  }\n  return items.reduce",
    );
    project.write("lib/cart.js", &special);
    let (code, answer) = project.judged(&["--bite"]);
    assert_eq!(code, 0, "{answer:#}");
    let faults = answer["bite"]["faults"].as_array().unwrap();
    let unnoticed: Vec<&str> = faults
        .iter()
        .filter(|fault| fault["caught_by_new"] == 0)
        .filter_map(|fault| fault["before"].as_str())
        .collect();
    assert!(unnoticed.iter().any(|line| line.contains("items.reduce")), "{answer:#}");
    assert!(faults.iter().any(|fault| fault["caught_by_new"].as_u64() > Some(0)), "{answer:#}");
}
