//! What eight languages print when something fails.

use super::*;

/// Output, type, message, place.
const CASES: &[(&str, &str, &str, Option<&str>)] = &[
    (
        "Exit code 1\nsome log\n/app/cart.js:4\nTypeError: x is not a function\n    at Object.<anonymous> (node:internal/modules/cjs/loader:1:2)\n    at total (/app/cart.js:4:9)",
        "TypeError",
        "x is not a function",
        Some("/app/cart.js:4"),
    ),
    (
        "Uncaught ReferenceError: price is not defined\n    at total (src/cart.ts:12:5)\n    at node_modules/x/index.js:1:1",
        "ReferenceError",
        "price is not defined",
        Some("src/cart.ts:12"),
    ),
    (
        "Traceback (most recent call last):\n  File \"/app/main.py\", line 9, in <module>\n    run()\n  File \"/app/shop/cart.py\", line 3, in run\n    total()\n  File \"/usr/lib/python3.12/json/decoder.py\", line 1, in decode\nValueError: bad price",
        "ValueError",
        "bad price",
        Some("/app/shop/cart.py:3"),
    ),
    (
        "thread 'main' panicked at src/cart.rs:3:5:\nindex out of bounds\nstack backtrace:\n   0: rust_begin_unwind\n             at /rustc/abc/library/std/src/panicking.rs:689:5",
        "panic",
        "index out of bounds",
        Some("src/cart.rs:3"),
    ),
    (
        "error[E0308]: mismatched types\n --> src/lib.rs:1:51\n  |",
        "E0308",
        "mismatched types",
        Some("src/lib.rs:1"),
    ),
    (
        "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\nruntime.gopanic(...)\n\t/usr/local/go/src/runtime/panic.go:770 +0x132\nmain.total(...)\n\t/app/cart.go:12 +0x1d",
        "runtime error",
        "runtime error: index out of range [5] with length 3",
        Some("/app/cart.go:12"),
    ),
    (
        "Exception in thread \"main\" java.lang.NullPointerException: price is null\n\tat java.base/java.util.Objects.requireNonNull(Objects.java:233)\n\tat com.shop.Cart.total(Cart.java:12)",
        "NullPointerException",
        "price is null",
        Some("Cart.java:12"),
    ),
    (
        "Unhandled exception. System.InvalidOperationException: Cart is empty\n   at System.Linq.Enumerable.First[T](IEnumerable`1 s)\n   at Shop.Cart.Total() in /src/Cart.cs:line 12",
        "InvalidOperationException",
        "Cart is empty",
        Some("/src/Cart.cs:12"),
    ),
    (
        "cart.rb:3:in 'total': undefined method 'price' for nil (NoMethodError)\n\tfrom cart.rb:9:in '<main>'",
        "NoMethodError",
        "undefined method 'price' for nil",
        Some("cart.rb:3"),
    ),
    (
        "PHP Fatal error:  Uncaught TypeError: total(): Argument #1 must be int in /app/src/Cart.php:12\nStack trace:\n#0 /app/vendor/x/Run.php(3): total()\n#1 /app/index.php(4): run()",
        "TypeError",
        "total(): Argument #1 must be int in /app/src/Cart.php:12",
        Some("/app/src/Cart.php:12"),
    ),
    (
        "Exit code 2\nls: cannot access 'x': No such file or directory",
        "error",
        "ls: cannot access 'x': No such file or directory",
        None,
    ),
];

#[test]
fn type_message_and_own_frame_are_read() {
    for (output, kind, message, place) in CASES {
        let seen = read(output).unwrap();
        assert_eq!((seen.error_type.as_str(), seen.message.as_str()), (*kind, *message), "{output}");
        assert_eq!(seen.place.as_deref(), *place, "{output}");
        assert!(seen.named, "{output}");
    }
}

#[test]
fn what_says_nothing_is_no_error_and_a_plain_word_names_none() {
    assert_eq!(read("Exit code 1\n"), None);
    assert_eq!(read(""), None);
    for plain in ["Exit code 1\n12", "Exit code 1\n- one\n+ two", "Exit code 1\nNote: see the docs"] {
        assert!(!read(plain).unwrap().named, "{plain}");
    }
}

#[test]
fn the_same_fault_has_one_signature_whatever_changes_from_run_to_run() {
    let one = read("TypeError: bad id 0x7f549d3fe590\n    at total (/tmp/a1/cart.js:4:9)").unwrap();
    let other = read("TypeError: bad id 0x7f549d3ff000\n    at total (/tmp/b2/cart.js:7:9)").unwrap();
    assert_eq!(one.signature, other.signature);
    let third = read("TypeError: bad name\n    at total (/tmp/b2/cart.js:7:9)").unwrap();
    assert_ne!(one.signature, third.signature);
}

#[test]
fn hostile_outputs_are_survived() {
    for output in
        ["#", "# (", "at ", "at (", "File \"", "a.rb:", " in /.php:", "panicked at ", ":in .rb:", "\t.go:"]
    {
        let _seen = read(output);
        let _seen = read(&output.repeat(5_000));
    }
}
