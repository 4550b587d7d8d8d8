//! What eight languages print when something fails.

use crate::loops::errors::*;

/// Outputs of small programs, each below three lines: its name, its type and place, its message.
const FIXTURES: &[(&str, &str)] = &[
    ("C#", include_str!("fixtures/csharp.txt")),
    ("Go", include_str!("fixtures/go.txt")),
    ("Java", include_str!("fixtures/java.txt")),
    ("JavaScript", include_str!("fixtures/js.txt")),
    ("PHP", include_str!("fixtures/php.txt")),
    ("Python", include_str!("fixtures/python.txt")),
    ("Ruby", include_str!("fixtures/ruby.txt")),
    ("Rust", include_str!("fixtures/rust.txt")),
];

/// One output, and what is read of it.
struct Output {
    name: String,
    kind: &'static str,
    place: Option<&'static str>,
    message: &'static str,
    text: String,
}

fn outputs() -> Vec<Output> {
    let mut all = Vec::new();
    for (language, fixture) in FIXTURES {
        let mut lines = fixture.lines().peekable();
        while let Some(name) = lines.next() {
            let mut head = || lines.next().and_then(|line| line.strip_prefix("#### ")).unwrap();
            let (kind, place) = head().rsplit_once(" @ ").unwrap();
            let message = head();
            let mut text = String::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("#### ")) {
                text.push_str(line);
                text.push('\n');
            }
            let name = format!("{language} {}", name.trim_start_matches("#### "));
            all.push(Output { name, kind, place: Some(place).filter(|place| *place != "-"), message, text });
        }
    }
    all
}

#[test]
fn type_message_and_own_frame_are_read() {
    let outputs = outputs();
    assert!(outputs.len() > 85, "{}", outputs.len());
    for output in outputs {
        let seen = read(&format!("Exit code 1\n{}", output.text)).unwrap();
        let found = (seen.error_type.as_str(), seen.message.as_str(), seen.place.as_deref());
        assert_eq!(found, (output.kind, output.message, output.place), "{}\n{}", output.name, output.text);
        assert!(seen.named, "{}", output.name);
        let foreign =
            ["node_modules", "site-packages", "/rustc/", "vendor/", ".cargo/", "node:", "/usr/lib/"];
        let place = seen.place.unwrap_or_default();
        assert!(!foreign.iter().any(|mark| place.contains(mark)), "{}: {place}", output.name);
    }
}

#[test]
fn the_failing_tests_are_known_by_name_and_place() {
    let rows: &[(&str, &[&str])] = &[
        (
            "C# dotnet-test",
            &[
                "Shop.Tests.CartTests.AddsUp @ /home/dev/shop/test/Shop.Tests/CartTests.cs:11",
                "Shop.Tests.CartTests.NeedsPrices @ /home/dev/shop/src/Shop/Cart.cs:9",
            ],
        ),
        (
            "Go test-panic",
            &["TestPrice @ cart_test.go:7", "TestAdd/empty_cart @ /home/dev/shop/shop/cart.go:15"],
        ),
        (
            "Java gradle-test",
            &["CartTest > parses() @ CartTest.java:9", "CartTest > prices() @ CartTest.java:14"],
        ),
        (
            "Java maven",
            &[
                "shop.CartTest.badPrice @ CartTest.java:19",
                "shop.CartTest.parses @ CartTest.java:9",
                "shop.CartTest.prices @ CartTest.java:14",
            ],
        ),
        ("JavaScript jest", &["cart > adds up @ test/cart.test.js:4", "cart > needs prices @ src/cart.js:4"]),
        ("JavaScript mocha", &["cart > adds up @ mo/cart.spec.js:4", "cart > needs prices @ src/cart.js:4"]),
        (
            "JavaScript vitest",
            &[
                "vt/cart.test.mjs > cart > adds up @ vt/cart.test.mjs:5",
                "vt/cart.test.mjs > cart > needs prices @ src/cart.mjs:1",
            ],
        ),
        (
            "PHP phpunit",
            &[
                "CartTest::testLoads @ /home/dev/shop/src/Cart.php:18",
                "CartTest::testAddsUp @ /home/dev/shop/tests/CartTest.php:10",
            ],
        ),
        (
            "Python pytest-short",
            &[
                "test_cart.py::test_adds_up @ test_cart.py:9",
                "test_cart.py::test_loads @ shop/cart.py:16",
                "test_cart.py::test_json @ test_cart.py:17",
                "test_cart.py::test_fixture @ test_cart.py:22",
            ],
        ),
        (
            "Python pytest-long",
            &[
                "test_cart.py::test_adds_up @ test_cart.py:9",
                "test_cart.py::test_loads @ shop/cart.py:16",
                "test_cart.py::test_json @ test_cart.py:17",
                "test_cart.py::test_fixture @ test_cart.py:22",
            ],
        ),
        (
            "Python unittest",
            &[
                "__main__.CartTest.test_needs_prices @ /home/dev/shop/shop/cart.py:5",
                "__main__.CartTest.test_adds_up @ /home/dev/shop/test_unit.py:8",
            ],
        ),
        (
            "Ruby minitest",
            &[
                "CartTest#test_adds_up @ test/cart_test.rb:6",
                "CartTest#test_needs_prices @ /home/dev/shop/lib/cart.rb:9",
            ],
        ),
        ("Ruby rspec", &["Cart adds up @ spec/cart_spec.rb:5", "Cart needs prices @ lib/cart.rb:9"]),
        (
            "Rust cargo-test",
            &[
                "cart::tests::beyond @ src/cart.rs:3",
                "cart::tests::first @ src/cart.rs:19",
                "cart::tests::parses @ -",
                "cart::tests::sums @ -",
            ],
        ),
    ];
    let outputs = outputs();
    for (name, expected) in rows {
        let output = outputs.iter().find(|output| output.name == *name).unwrap();
        let failures = failures::read(&printed::plain(output.text.as_bytes())).unwrap().list;
        let found: Vec<String> = failures
            .iter()
            .map(|it| {
                format!("{} @ {}", it.test.as_deref().unwrap_or("-"), it.place.as_deref().unwrap_or("-"))
            })
            .collect();
        assert_eq!(found, *expected, "{name}");
    }
}

#[test]
fn what_says_nothing_is_no_error_and_a_plain_word_names_none() {
    assert_eq!(read("Exit code 1\n"), None);
    assert_eq!(read(""), None);
    for plain in ["Exit code 1\n12", "Exit code 1\n- one\n+ two", "Exit code 1\nNote: see the docs"] {
        assert!(!read(plain).unwrap().named, "{plain}");
    }
    let shell = read("Exit code 2\nls: cannot access 'x': No such file or directory").unwrap();
    assert_eq!((shell.error_type.as_str(), shell.place, shell.named), ("error", None, true));
}

/// Outputs that are the same fault, seen twice.
const SAME: &[(&str, &str)] = &[
    (
        "TypeError: bad id 0x7f549d3fe590\n    at total (/tmp/a1/cart.js:4:9)",
        "TypeError: bad id 0x7f549d3ff000\n    at total (/tmp/b2/cart.js:7:9)",
    ),
    (
        "thread 'main' (881) panicked at src/cart.rs:3:5:\nindex out of bounds: the len is 2 but the index is 5",
        "thread 'main' (912) panicked at src/cart.rs:4:5:\nindex out of bounds: the len is 3 but the index is 9",
    ),
    (
        "[28-Nov-2026 10:15:28 UTC] PHP Fatal error:  Uncaught Error: no cart in /app/a.php:3",
        "[28-Nov-2026 10:15:31 UTC] PHP Fatal error:  Uncaught Error: no cart in /app/a.php:9",
    ),
    (
        "OSError: [Errno 2] No such file: '/tmp/tmpab3k2lq9/out.json'",
        "OSError: [Errno 2] No such file: '/tmp/tmpz81mmq2x/out.json'",
    ),
    ("Error: lock held since 2026-11-28T10:00:00.123Z", "Error: lock held since 2026-11-28T11:31:09.001Z"),
    ("Error: timed out after 12ms", "Error: timed out after 1.5s"),
    (
        "Error: no row 550e8400-e29b-41d4-a716-446655440000",
        "Error: no row 1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
    ),
    ("Error: connect ECONNREFUSED 127.0.0.1:41233", "Error: connect ECONNREFUSED 127.0.0.1:38001"),
    ("Error: get http://localhost:41233/carts/7 failed", "Error: get http://localhost:38001/carts/8 failed"),
    (
        "Traceback (most recent call last):\n  File \"/home/a/shop/cart.py\", line 3, in f\n    g()\nKeyError: 'price'",
        "Traceback (most recent call last):\n  File \"/home/a/shop/cart.py\", line 9, in f\n    g()\nKeyError: 'price'",
    ),
    (
        "---- b stdout ----\nthread 'b' panicked at src/a.rs:1:1:\ntwo\n\n---- a stdout ----\nthread 'a' panicked at src/a.rs:2:1:\none\n\nfailures:\ntest result: FAILED.",
        "---- a stdout ----\nthread 'a' panicked at src/a.rs:2:1:\none\n\n---- b stdout ----\nthread 'b' panicked at src/a.rs:1:1:\ntwo\n\nfailures:\ntest result: FAILED.",
    ),
];

/// Outputs that are two faults.
const OTHERS: &[(&str, &str)] = &[
    (
        "TypeError: bad id\n    at total (/app/cart.js:4:9)",
        "TypeError: bad name\n    at total (/app/cart.js:4:9)",
    ),
    (
        "TypeError: bad id\n    at total (/app/cart.js:4:9)",
        "TypeError: bad id\n    at total (/app/user.js:4:9)",
    ),
    (
        "TypeError: bad id\n    at total (/app/cart.js:4:9)",
        "RangeError: bad id\n    at total (/app/cart.js:4:9)",
    ),
    ("Error: Cannot find module './cart'", "Error: Cannot find module './user'"),
    ("Error: Cannot find module '@shop/cart'", "Error: Cannot find module '@shop/user'"),
    ("Error: Cannot find module './cart/index'", "Error: Cannot find module './user/index'"),
    (
        "Error: ENOENT: no such file or directory, open '/srv/a.json'",
        "Error: ENOENT: no such file or directory, open '/srv/b.json'",
    ),
    ("Error: Request failed with status code 404", "Error: Request failed with status code 500"),
    ("Error: get https://a.example.com/x failed", "Error: get https://b.example.com/x failed"),
    (
        "error[E0308]: mismatched types\n --> src/a.rs:1:1\n  |\n1 | x\n  | ^ expected `u8`, found `u16`\n",
        "error[E0308]: mismatched types\n --> src/a.rs:1:1\n  |\n1 | x\n  | ^ expected `bool`, found `()`\n",
    ),
    (
        "Cart.java:9: error: cannot find symbol\n  symbol:   variable nam",
        "Cart.java:9: error: cannot find symbol\n  symbol:   variable pric",
    ),
    (
        "a.ts(1,1): error TS2339: Property 'x' does not exist on type 'A'.",
        "a.ts(1,1): error TS2339: Property 'y' does not exist on type 'A'.",
    ),
    (
        "---- a1 stdout ----\nthread 'a1' panicked at src/a.rs:1:1:\nno\ntest result: FAILED.",
        "---- a2 stdout ----\nthread 'a2' panicked at src/a.rs:1:1:\nno\ntest result: FAILED.",
    ),
    ("FAILED test_a.py::test_x[1] - assert 1 == 2", "FAILED test_a.py::test_x[2] - assert 1 == 2"),
    ("KeyError: 'user_1'", "KeyError: 'user_2'"),
];

#[test]
fn the_same_fault_has_one_signature_and_two_faults_never() {
    let of = |output: &str| read(output).unwrap().signature;
    for (one, other) in SAME {
        assert_eq!(of(one), of(other), "{one}");
    }
    for (one, other) in OTHERS {
        assert_ne!(of(one), of(other), "{one}");
    }
    let long = |end: &str| of(&format!("Error: {}{end}", "many words ".repeat(60)));
    assert_ne!(long("a"), long("b"));
    assert_eq!(long("a"), long("a"));
    // Real outputs of different programs and causes.
    let signatures: Vec<(String, String)> =
        outputs().into_iter().map(|output| (of(&output.text), output.name)).collect();
    for (signature, name) in &signatures {
        let text = &outputs().into_iter().find(|output| output.name == *name).unwrap().text;
        assert_eq!(*signature, of(text), "{name}");
    }
}

#[test]
fn hostile_outputs_are_survived() {
    for output in [
        "#",
        "# (",
        "at ",
        "at (",
        "at  (",
        "File \"",
        "a.rb:",
        " in /.php:",
        "panicked at ",
        ":in .rb:",
        "\t.go:",
        "Traceback (most recent call last)",
        "Fatal error: Uncaught ",
        "[ERROR] x:[",
        "✘ [ERROR] ",
        "ERROR in ",
        "Failures:",
        "  1) ",
        "1) Error:",
        "There was 1 error:",
        "======",
        " > x FAILED",
        "Failed x [",
        "error CS1: ",
        "  + Exception Group Traceback (most recent call last):\n  |",
        "C:/",
        "://",
        "x: error ",
        "é: \u{1b}[0m",
    ] {
        let _seen = read(output);
        let _seen = read(&output.repeat(5_000));
        let _seen = read(&format!("{output}\n").repeat(5_000));
    }
}
