//! Compilers, type checkers, linters and bundlers: rustc, tsc, MSBuild, eslint, go, ruby, webpack, esbuild, and the
//! `path:line:column: error: message` of the others.

use crate::runners::failure::{TestFailure, place_of};

pub(crate) fn read(lines: &[&str]) -> Vec<TestFailure> {
    let mut failures = Vec::new();
    let mut file = None;
    for (at, line) in lines.iter().enumerate() {
        // eslint writes the file once, and its messages below.
        if !line.starts_with(char::is_whitespace) {
            file = (line.contains('/') || line.contains('.')).then_some(*line);
        }
        let next = lines.get(at + 1).copied().unwrap_or_default();
        failures.extend(
            rustc(line, lines.get(at + 1..).unwrap_or_default())
                .or_else(|| positioned(line))
                .or_else(|| eslint(line, file))
                .or_else(|| classic(line, lines.get(at + 1..).unwrap_or_default()))
                .or_else(|| webpack(line, next))
                .or_else(|| esbuild(line, lines.get(at + 1..).unwrap_or_default()))
                .or_else(|| go(line))
                .or_else(|| ruby(line)),
        );
    }
    failures
}

/// `ERROR in ./src/index.js 1:29-49` with the message below it.
fn webpack(line: &str, next: &str) -> Option<TestFailure> {
    let mut words = line.strip_prefix("ERROR in ")?.split(' ');
    let path = words.next()?.trim_start_matches("./");
    let row = words.next().and_then(|position| position.split(':').next());
    let place =
        row.filter(|row| row.bytes().all(|byte| byte.is_ascii_digit())).map(|row| format!("{path}:{row}"));
    (!next.trim().is_empty())
        .then(|| error(next.trim(), place.or_else(|| Some(path.to_owned())), "build error"))
}

/// `✘ [ERROR] Unexpected ";"` with its place in the next line that says something.
fn esbuild(line: &str, below: &[&str]) -> Option<TestFailure> {
    let message =
        line.trim().strip_prefix("✘ [ERROR] ").or_else(|| line.trim().strip_prefix("X [ERROR] "))?;
    let place = below.iter().find(|line| !line.trim().is_empty()).and_then(|line| place_of(line.trim()));
    Some(error(message, place, "build error"))
}

/// `shop/cart.go:6:32: undefined: price`, of the vet with `vet: ` before it.
fn go(line: &str) -> Option<TestFailure> {
    let (place, message) = line.trim_start_matches("vet: ").split_once(": ")?;
    let is_place = place.ends_with(|letter: char| letter.is_ascii_digit()) && !place.contains(' ');
    let at = place.split_once(".go:").filter(|(_, position)| is_place && position.contains(':'));
    at.and_then(|_| place_of(place.trim_start_matches("./")))
        .map(|place| error(message, Some(place), "build error"))
}

/// `bad.rb:3: syntax error, unexpected 'end'`.
fn ruby(line: &str) -> Option<TestFailure> {
    let (place, message) = line.split_once(": ")?;
    let is_place = place.contains(".rb:") && !place.contains(' ');
    (is_place && message.starts_with("syntax error")).then(|| error(message, place_of(place), "SyntaxError"))
}

/// `error[E0308]: mismatched types` with ` --> src/lib.rs:1:51` below, and what it says at the marks in the code.
fn rustc(line: &str, below: &[&str]) -> Option<TestFailure> {
    let place = below.first()?.trim().strip_prefix("--> ").and_then(place_of)?;
    let rest = line.strip_prefix("error")?;
    let (code, message) = match rest.strip_prefix('[') {
        Some(rest) => rest.split_once("]: ")?,
        None => ("error", rest.strip_prefix(": ")?),
    };
    let code_lines = below.iter().take_while(|line| !line.trim().is_empty());
    let label = code_lines.filter_map(|line| line.rsplit_once("^ ")).map(|(_, label)| label.trim()).next();
    let label = label
        .filter(|label| !message.contains(label) && *label != "not found in this scope")
        .map(|label| format!(": {label}"))
        .unwrap_or_default();
    Some(error(&format!("{message}{label}"), Some(place), code))
}

/// What javac says below `cannot find symbol`: `, variable nam`.
pub(crate) fn symbol(below: &[&str]) -> String {
    let told = below.iter().take(4).find_map(|line| {
        line.trim().trim_start_matches("[ERROR]").trim().strip_prefix("symbol:").map(str::trim)
    });
    told.map(|told| format!(", {told}")).unwrap_or_default()
}

/// `bad.ts(1,7): error TS2322: message`, `Cart.cs(12,5): error CS0103: message [/src/Shop.csproj]`, or with `--pretty`
/// `bad.ts:1:7 - error TS2322: message`.
fn positioned(line: &str) -> Option<TestFailure> {
    let (before, rest) = line.split_once("error ")?;
    let (code, message) = rest.split_once(": ")?;
    let letters = code.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let is_code = letters.len() < code.len()
        && (2..=7).contains(&letters.len())
        && letters.bytes().all(|byte| byte.is_ascii_uppercase());
    let before = before.trim_end_matches([' ', ':', '-']).trim_start();
    if !is_code || before.contains(' ') && !before.contains('(') {
        return None;
    }
    let place = match before.split_once('(') {
        Some((path, position)) => Some(format!("{path}:{}", position.split([',', ')']).next()?)),
        None => place_of(before),
    };
    // MSBuild names the project behind each.
    let message =
        message.rsplit_once(" [").filter(|(_, of)| of.ends_with("proj]")).map_or(message, |(told, _)| told);
    Some(error(message, place, code))
}

/// `  1:5   error    'a' is assigned a value but never used  no-unused-vars`.
fn eslint(line: &str, file: Option<&str>) -> Option<TestFailure> {
    let mut words = line.split_whitespace();
    let (row, column) = words.next()?.split_once(':')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !line.starts_with(' ') || !is_number(row) || !is_number(column) || words.next()? != "error" {
        return None;
    }
    let (_, told) = line.split_once(" error ")?;
    let (message, rule) = told.trim().rsplit_once("  ").unwrap_or((told.trim(), "error"));
    Some(error(message.trim(), Some(format!("{}:{row}", file.unwrap_or("?"))), rule))
}

/// `x.c:3:5: error: message`, `x.py:3: error: message  [arg-type]`, `x.py:1:1: F401 message`.
fn classic(line: &str, below: &[&str]) -> Option<TestFailure> {
    let (place, rest) = line.split_once(": ")?;
    let place = place_of(place)?;
    if let Some(message) = rest.strip_prefix("error: ").or_else(|| rest.strip_prefix("fatal error: ")) {
        let code = message.rsplit_once('[').and_then(|(_, code)| code.strip_suffix(']')).unwrap_or("error");
        return Some(error(&format!("{message}{}", symbol(below)), Some(place), code));
    }
    let (code, message) = rest.split_once(' ')?;
    let letters = code.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let is_code = letters.len() < code.len()
        && (1..=4).contains(&letters.len())
        && letters.bytes().all(|byte| byte.is_ascii_uppercase());
    is_code.then(|| error(message, Some(place), code))
}

fn error(message: &str, place: Option<String>, code: &str) -> TestFailure {
    TestFailure {
        message: message.to_owned(),
        place,
        error_type: Some(code.to_owned()),
        ..TestFailure::default()
    }
}
