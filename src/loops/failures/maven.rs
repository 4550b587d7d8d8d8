//! Maven: surefire's `[ERROR] shop.CartTest.parses -- Time elapsed: 0.02 s <<< FAILURE!` with the error below it, and the
//! compiler's `[ERROR] /app/Cart.java:[9,27] cannot find symbol`.

use crate::loops::failures::compiler::symbol;
use crate::loops::failures::{Failure, error_class, place_in_stack};

pub(crate) fn read(lines: &[&str]) -> Vec<Failure> {
    let mut failures: Vec<Failure> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let marked = line.strip_prefix("[ERROR] ");
        let below = lines.get(at + 1..).unwrap_or_default();
        let found = test(marked.unwrap_or(line)).map(|name| block(name, below));
        let found = found.or_else(|| compile_error(marked?, below));
        // What could not be compiled is said again at the end.
        failures.extend(found.filter(|failure| !failures.contains(failure)));
    }
    failures
}

/// The test of a line: `parses(shop.CartTest)  Time elapsed: …` until surefire 2, `shop.CartTest.parses -- Time …` since.
fn test(line: &str) -> Option<String> {
    let (head, verdict) = line.split_once("Time elapsed: ")?;
    if !verdict.contains("<<< FAILURE!") && !verdict.contains("<<< ERROR!") || head.starts_with("Tests run:")
    {
        return None;
    }
    let name = head.trim().trim_end_matches("--").trim();
    let name = match name.strip_suffix(')').and_then(|name| name.split_once('(')) {
        Some((method, class)) if !class.is_empty() => format!("{class}.{method}"),
        _ => name.to_owned(),
    };
    Some(name)
}

fn block(test: String, below: &[&str]) -> Failure {
    let body: Vec<&str> = below.iter().take_while(|line| !line.trim().is_empty()).copied().collect();
    let told = body.first().copied().unwrap_or_default();
    let class = error_class(told)
        .or_else(|| (!told.contains(' ')).then(|| told.rsplit('.').next().map(str::to_owned))?);
    let message = told.split_once(": ").filter(|_| class.is_some()).map_or(told, |(_, message)| message);
    let between = |before: &str, behind: &str| {
        let (_, rest) = message.split_once(before)?;
        Some(rest.split_once(behind)?.0.to_owned())
    };
    Failure {
        test: Some(test),
        expected: between("expected:<", ">").or_else(|| between("expected: <", ">")),
        actual: between("but was:<", ">").or_else(|| between("but was: <", ">")),
        message: message.to_owned(),
        place: body.iter().find_map(|line| place_in_stack(line)),
        error_type: class,
    }
}

/// `/app/src/main/java/shop/Cart.java:[9,27] cannot find symbol`.
fn compile_error(line: &str, below: &[&str]) -> Option<Failure> {
    let (path, rest) = line.split_once(":[")?;
    let (position, message) = rest.split_once("] ")?;
    let row = position.split(',').next().filter(|row| row.bytes().all(|byte| byte.is_ascii_digit()))?;
    Some(Failure {
        message: format!("{}{}", message.trim_start_matches("error: "), symbol(below)),
        place: Some(format!("{path}:{row}")),
        error_type: Some("compile error".to_owned()),
        ..Failure::default()
    })
}
