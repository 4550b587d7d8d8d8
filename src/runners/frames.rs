//! Stack frames as eight languages print them, and whose code each is in.
//!
//! A place is the project's own when nothing in it says that a package, a toolchain or a runtime is there.

mod foreign;

/// One frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackFrame {
    /// `path:line`, without what a loader or bundler puts around the path.
    pub place: String,
    /// Whether it is the project's own.
    pub own: bool,
}

type FrameParser = fn(&str) -> Option<StackFrame>;

/// Every form takes a line without its indentation.
static FORMS: &[FrameParser] = &[python, rust_panic, at, vitest, go, php, ruby];

/// The frame that a line shows.
pub fn of(line: &str) -> Option<StackFrame> {
    // The lines of an exception group stand behind a bar.
    let text = line.trim_start_matches([' ', '\t', '|']);
    FORMS.iter().find_map(|form| form(text))
}

/// The place that is all of a line: `/app/src/Cart.php:12`, `file:///app/cart.mjs:3`, `bad.rb:3: message`.
pub fn alone(line: &str) -> Option<StackFrame> {
    let text = line.trim();
    (!text.contains(' ')).then(|| framed(text)).flatten()
}

/// `path:line` of `path:line`, `path:line:column` and URLs of them, when it is the project's own.
pub fn own_place(text: &str) -> Option<String> {
    framed(text).filter(|frame| frame.own).map(|frame| frame.place)
}

/// A path with its line, judged by the path.
fn framed(text: &str) -> Option<StackFrame> {
    let (path, number) = split(text)?;
    let own = !foreign::path(path);
    let path = clean(path);
    ((path.contains('.') || !own) && !path.ends_with(['/', ':']))
        .then(|| StackFrame { place: format!("{path}:{number}"), own })
}

/// Path and line of `path:line` or `path:line:column`.
fn split(text: &str) -> Option<(&str, &str)> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (rest, last) = text.trim_end_matches([':', ',', ')']).rsplit_once(':')?;
    if !is_number(last) {
        return None;
    }
    match rest.rsplit_once(':') {
        Some((path, line)) if is_number(line) => Some((path, line)),
        _ => Some((rest, last)),
    }
}

/// A path without its scheme, host, query and the prefixes of bundlers.
fn clean(path: &str) -> &str {
    let path = path.split_once('?').map_or(path, |(path, _)| path);
    let path = match path.split_once("://") {
        // Behind the three slashes of a file's URL on Windows stands a drive.
        Some(("file", path)) if path.get(2..3) == Some(":") => path.trim_start_matches('/'),
        Some(("file", path)) => path,
        Some((_, rest)) => rest.split_once('/').map_or(rest, |(_, path)| path),
        None => path,
    };
    let layers = ["(rsc)/", "(ssr)/", "(app-pages-browser)/", "(pages-dir-browser)/", "[project]/"];
    let path = layers.iter().find_map(|layer| path.strip_prefix(layer)).unwrap_or(path);
    path.trim_start_matches("./")
}

/// `File "app.py", line 3, in main`.
fn python(text: &str) -> Option<StackFrame> {
    let (path, rest) = text.strip_prefix("File \"")?.split_once("\", line ")?;
    let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some(StackFrame { own: !foreign::path(path), place: format!("{path}:{number}") })
}

/// `thread 'main' panicked at src/cart.rs:3:5:`.
fn rust_panic(text: &str) -> Option<StackFrame> {
    let (_, place) = text.split_once("panicked at ")?;
    // Until Rust 1.73 the message stood before the place.
    framed(place.rsplit_once("', ").map_or(place, |(_, place)| place))
}

/// Java, JavaScript, Rust's backtraces and C#: `at frame (place)`, `at place`, `at frame in path:line 12`.
fn at(text: &str) -> Option<StackFrame> {
    let rest = text.strip_prefix("at ")?;
    if let Some((path, number)) = rest.rsplit_once(" in ").and_then(|(_, place)| place.rsplit_once(":line "))
    {
        let number = number.trim();
        return Some(StackFrame { own: !foreign::path(path), place: format!("{path}:{number}") });
    }
    // A bundler's layer has brackets of its own: `at price (webpack-internal:///(rsc)/./app/cart.tsx:12:21)`.
    let Some((name, place)) = rest.split_once(" (").or_else(|| rest.rsplit_once('(')) else {
        return framed(rest.trim_start_matches("async ").trim());
    };
    let place = place.trim_end_matches([' ', '{', ')']);
    let mut frame = framed(place)?;
    if foreign::is_jvm_file(place) {
        frame.own = !foreign::class(name);
    }
    Some(frame)
}

/// `❯ price src/cart.mjs:1:43`.
fn vitest(text: &str) -> Option<StackFrame> {
    framed(text.strip_prefix("❯ ")?.rsplit(' ').next()?)
}

/// `/app/cart.go:12 +0x1d`, on the line below its function.
fn go(text: &str) -> Option<StackFrame> {
    let place = text.split(" +0x").next().unwrap_or(text);
    (place.contains(".go:") && !place.contains(' ')).then(|| framed(place)).flatten()
}

/// `#0 /app/src/Cart.php(12): Cart->add()`, `… in /app/src/Cart.php:12`, `… in /app/src/Cart.php on line 12`, and the
/// numbered list of a debugger's extension, whose places stand at its lines' ends.
fn php(text: &str) -> Option<StackFrame> {
    if let Some((_, rest)) = text.strip_prefix('#').and_then(|rest| rest.split_once(' ')) {
        let (path, number) = rest.split_once("): ")?.0.rsplit_once('(')?;
        return framed(&format!("{path}:{number}"));
    }
    if let Some((_, place)) = text.rsplit_once(" in ").filter(|(_, place)| place.contains(".php")) {
        let place = place.replacen(" on line ", ":", 1);
        return (!place.contains(' ')).then(|| framed(&place)).flatten();
    }
    let (_, place) =
        text.rsplit_once(") ").filter(|(_, place)| place.contains(".php:") && !place.contains(' '))?;
    framed(place)
}

/// `app.rb:3:in 'total'`, the outer ones behind `from`, RSpec's behind `#`.
fn ruby(text: &str) -> Option<StackFrame> {
    let text = text.trim_start_matches("from ").trim_start_matches("# ");
    let (place, name) = text.split_once(":in ")?;
    let (path, number) = place.rsplit_once(':')?;
    let fits =
        name.starts_with(['`', '\'']) && !path.contains(' ') && number.bytes().all(|b| b.is_ascii_digit());
    fits.then(|| StackFrame { own: !foreign::path(path), place: format!("{}:{number}", clean(path)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line, its place, whether it is the project's own.
    const LINES: &[(&str, &str, bool)] = &[
        ("  File \"/app/shop/cart.py\", line 3, in run", "/app/shop/cart.py:3", true),
        ("  |   File \"/app/run.py\", line 16, in <module>", "/app/run.py:16", true),
        ("  File \"<stdin>\", line 1, in <module>", "<stdin>:1", true),
        (
            "  File \"/usr/lib/python3.12/json/decoder.py\", line 1, in decode",
            "/usr/lib/python3.12/json/decoder.py:1",
            false,
        ),
        (
            "  File \"/home/a/.pyenv/versions/3.11.7/lib/python3.11/json/__init__.py\", line 3, in loads",
            "/home/a/.pyenv/versions/3.11.7/lib/python3.11/json/__init__.py:3",
            false,
        ),
        (
            "  File \"C:\\Python312\\Lib\\json\\decoder.py\", line 1, in decode",
            "C:\\Python312\\Lib\\json\\decoder.py:1",
            false,
        ),
        (
            "  File \"C:\\shop\\venv\\Lib\\site-packages\\flask\\app.py\", line 1, in run",
            "C:\\shop\\venv\\Lib\\site-packages\\flask\\app.py:1",
            false,
        ),
        ("  File \"C:\\shop\\cart.py\", line 7, in run", "C:\\shop\\cart.py:7", true),
        ("  File \"<frozen importlib._bootstrap>\", line 1, in x", "<frozen importlib._bootstrap>:1", false),
        ("thread 'main' panicked at src/cart.rs:3:5:", "src/cart.rs:3", true),
        (
            "thread 'main' (77) panicked at /rustc/59807616/library/core/src/iter/traits/accum.rs:204:1:",
            "/rustc/59807616/library/core/src/iter/traits/accum.rs:204",
            false,
        ),
        ("thread 'main' panicked at 'index out of bounds', src/cart.rs:3:5", "src/cart.rs:3", true),
        ("             at ./src/cart.rs:7:19", "src/cart.rs:7", true),
        (
            "             at /home/a/.cargo/registry/src/index.crates.io-1/serde_json-1.0.1/src/de.rs:1:2",
            "/home/a/.cargo/registry/src/index.crates.io-1/serde_json-1.0.1/src/de.rs:1",
            false,
        ),
        (
            "             at /home/a/.rustup/toolchains/stable/lib/rustlib/src/rust/library/core/src/x.rs:1:2",
            "/home/a/.rustup/toolchains/stable/lib/rustlib/src/rust/library/core/src/x.rs:1",
            false,
        ),
        ("             at ./vendor/serde/src/de.rs:4:1", "vendor/serde/src/de.rs:4", false),
        ("    at total (/app/cart.js:4:9)", "/app/cart.js:4", true),
        ("    at async /app/run.mjs:2:1", "/app/run.mjs:2", true),
        ("    at async Cart.load (file:///app/src/cart.mjs:2:39)", "/app/src/cart.mjs:2", true),
        ("    at file:///C:/shop/run.mjs:2:1", "C:/shop/run.mjs:2", true),
        ("    at new Cart (src/cart.ts:12:5)", "src/cart.ts:12", true),
        ("    at node:internal/main/run_main_module:28:49", "node:internal/main/run_main_module:28", false),
        (
            "    at Module._compile (internal/modules/cjs/loader.js:999:30)",
            "internal/modules/cjs/loader.js:999",
            false,
        ),
        (
            "    at verify (/app/node_modules/eslint/lib/linter.js:865:11)",
            "/app/node_modules/eslint/lib/linter.js:865",
            false,
        ),
        (
            "    at run (/app/.yarn/cache/jest-npm-1.zip/x.js:1:2)",
            "/app/.yarn/cache/jest-npm-1.zip/x.js:1",
            false,
        ),
        ("    at price (webpack://shop/src/cart.js:4:1)", "src/cart.js:4", true),
        ("    at price (webpack:///./src/cart.js:4:1)", "src/cart.js:4", true),
        ("    at eval (webpack-internal:///(rsc)/./app/page.tsx:12:9)", "app/page.tsx:12", true),
        ("    at __webpack_require__ (webpack://shop/webpack/bootstrap:19:1)", "webpack/bootstrap:19", false),
        ("    at App (http://localhost:5173/src/App.tsx?t=1732:12:5)", "src/App.tsx:12", true),
        (
            "    at x (http://localhost:5173/node_modules/.vite/deps/react.js?v=1:3:4)",
            "node_modules/.vite/deps/react.js:3",
            false,
        ),
        ("    at x (https://deno.land/std@0.200.0/assert/mod.ts:3:4)", "std@0.200.0/assert/mod.ts:3", false),
        ("\tat com.shop.Cart.total(Cart.java:12)", "Cart.java:12", true),
        ("\tat com.shop.CartKt.total(Cart.kt:12)", "Cart.kt:12", true),
        ("\tat java.base/java.util.Objects.requireNonNull(Objects.java:233)", "Objects.java:233", false),
        ("\tat java.util.Objects.requireNonNull(Objects.java:233)", "Objects.java:233", false),
        ("\tat app//org.junit.Assert.fail(Assert.java:89)", "Assert.java:89", false),
        (
            "\tat org.springframework.boot.SpringApplication.run(SpringApplication.java:1)",
            "SpringApplication.java:1",
            false,
        ),
        ("\tat kotlin.collections.CollectionsKt.first(Collections.kt:1)", "Collections.kt:1", false),
        ("   at Shop.Cart.Total() in /src/Cart.cs:line 12", "/src/Cart.cs:12", true),
        ("   at Shop.Cart.Total() in C:\\shop\\Cart.cs:line 12", "C:\\shop\\Cart.cs:12", true),
        (
            "   at Xunit.Assert.Equal() in /_/src/xunit.assert/Asserts/EqualityAsserts.cs:line 98",
            "/_/src/xunit.assert/Asserts/EqualityAsserts.cs:98",
            false,
        ),
        (" ❯ price src/cart.mjs:1:43", "src/cart.mjs:1", true),
        (" ❯ vt/cart.test.mjs:8:12", "vt/cart.test.mjs:8", true),
        ("\t/app/internal/cart/cart.go:12 +0x1d", "/app/internal/cart/cart.go:12", true),
        (
            "\t/home/a/go/src/github.com/a/shop/cart.go:12",
            "/home/a/go/src/github.com/a/shop/cart.go:12",
            true,
        ),
        ("\t/usr/lib/go-1.19/src/sort/slice.go:23 +0x97", "/usr/lib/go-1.19/src/sort/slice.go:23", false),
        (
            "\t/home/a/sdk/go1.22.1/src/runtime/panic.go:884 +0x212",
            "/home/a/sdk/go1.22.1/src/runtime/panic.go:884",
            false,
        ),
        (
            "\t/home/a/go/pkg/mod/github.com/x/y@v1.2.3/z.go:4 +0x1",
            "/home/a/go/pkg/mod/github.com/x/y@v1.2.3/z.go:4",
            false,
        ),
        ("\ttesting/testing.go:1446 +0x10b", "testing/testing.go:1446", false),
        ("\tgithub.com/x/y@v1.2.3/z.go:4 +0x1", "github.com/x/y@v1.2.3/z.go:4", false),
        ("\texample.com/shop/cart.go:6", "example.com/shop/cart.go:6", true),
        ("#1 /app/src/Cart.php(10): array_map()", "/app/src/Cart.php:10", true),
        ("#0 /app/vendor/x/Run.php(3): total()", "/app/vendor/x/Run.php:3", false),
        (
            "#2 phar:///usr/bin/phpunit.phar/src/Case.php(3): run()",
            "usr/bin/phpunit.phar/src/Case.php:3",
            false,
        ),
        ("  thrown in /app/src/Cart.php on line 10", "/app/src/Cart.php:10", true),
        ("    0.0002     399536   2. Shop\\Cart->total($factor = 1) /app/run.php:6", "/app/run.php:6", true),
        ("cart.rb:3:in 'total': undefined method 'price' for nil (NoMethodError)", "cart.rb:3", true),
        ("\tfrom /app/lib/cart.rb:9:in `block in total'", "/app/lib/cart.rb:9", true),
        (
            "     # ./spec/cart_spec.rb:5:in `block (2 levels) in <top (required)>'",
            "spec/cart_spec.rb:5",
            true,
        ),
        ("\tfrom Rakefile:3:in 'block in <top (required)>'", "Rakefile:3", true),
        (
            "/usr/lib/ruby/3.1.0/json/common.rb:216:in `parse'",
            "/usr/lib/ruby/3.1.0/json/common.rb:216",
            false,
        ),
        (
            "/home/a/.rbenv/versions/3.3.0/lib/ruby/3.3.0/json/common.rb:216:in 'parse'",
            "/home/a/.rbenv/versions/3.3.0/lib/ruby/3.3.0/json/common.rb:216",
            false,
        ),
        (
            "vendor/bundle/ruby/3.3.0/gems/rack-3.0/lib/rack.rb:2:in 'call'",
            "vendor/bundle/ruby/3.3.0/gems/rack-3.0/lib/rack.rb:2",
            false,
        ),
        ("<internal:kernel>:187:in `loop'", "<internal:kernel>:187", false),
    ];

    #[test]
    fn each_line_has_its_place_and_its_owner() {
        for (line, place, own) in LINES {
            assert_eq!(of(line), Some(StackFrame { place: (*place).to_owned(), own: *own }), "{line}");
        }
    }

    #[test]
    fn what_is_no_frame_is_none() {
        for line in [
            "at the end of the day (see 3:4)",
            "at Array.map (<anonymous>)",
            "at java.base/java.lang.Class.forName0(Native Method)",
            "expected 3 at 12:30",
            "# a comment: in 3",
            "error in the file",
            "",
            "#",
            "at (",
            "File \"",
            "panicked at ",
            ":in '",
            "❯ ",
        ] {
            assert_eq!(of(line), None, "{line}");
        }
    }
}
