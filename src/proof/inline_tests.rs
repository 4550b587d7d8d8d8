//! Tests that stand inside of a Rust source file, and what they assert with: the code of one text with the tests of another.

/// What a line says that begins a Rust file's own tests.
const INLINE: &str = "#[cfg(test)]";
/// The standard library's macros that decide whether a test passes. One of the project's own that is called so stands in
/// their place, in all the code below it.
const ASSERTIONS: &[&str] = &["assert", "assert_eq", "assert_ne", "panic", "unreachable", "matches"];

/// The code of `today` with the tests that stood in `start`, and without assertions that did not. `None` when that changes
/// nothing.
pub fn with_own_tests(today: &str, start: &str) -> Option<String> {
    let (own, known) = (inline_tests(start), assertion_macros(start));
    let foreign = assertion_macros(today).into_iter().filter(|it| !known.contains(it));
    let mut gone: Vec<&str> = foreign.collect();
    if !own.is_empty() {
        gone.extend(inline_tests(today));
    } else if gone.is_empty() {
        return None;
    }
    let mut text = today.to_owned();
    for piece in gone {
        text = text.replacen(piece, "", 1);
    }
    Some(text + "\n" + &own.join("\n"))
}

/// The macros of a text that stand in the place of the standard library's assertions, with their attributes.
pub fn assertion_macros(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("macro_rules! ") {
        let line = text.get(..at).unwrap_or_default().rfind('\n').map_or(0, |end| end + 1);
        let indent = text.get(line..at).unwrap_or_default();
        let rest = text.get(at + "macro_rules! ".len()..).unwrap_or_default();
        let name = rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next();
        let is_assertion = name.is_some_and(|name| ASSERTIONS.contains(&name));
        if !is_assertion || !indent.trim().is_empty() {
            continue;
        }
        let end = rest.find(&format!("\n{indent}}}")).map(|end| end + indent.len() + 2);
        let end = end.or_else(|| rest.find('\n')).map_or(text.len(), |end| text.len() - rest.len() + end);
        found.extend(text.get(with_attributes(text, line)..end));
    }
    found
}

/// Where the attributes above a line begin.
fn with_attributes(text: &str, line: usize) -> usize {
    let above = text.get(..line).unwrap_or_default();
    let attributes = above.lines().rev().take_while(|line| line.trim_start().starts_with("#["));
    line - attributes.map(|line| line.len() + 1).sum::<usize>()
}

/// The test modules that stand at a line's start, with their attribute, to the bracket that closes them there.
pub fn inline_tests(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find(INLINE)).map(|at| from + at) {
        let is_at_line_start = at == 0 || text.as_bytes().get(at - 1) == Some(&b'\n');
        let rest = text.get(at..).unwrap_or_default();
        let end = rest.find("\n}").map(|end| at + end + 2);
        from = at + INLINE.len();
        if let Some(end) =
            end.filter(|_| is_at_line_start && rest.lines().nth(1).is_some_and(|l| l.contains("mod ")))
        {
            found.extend(text.get(at..end));
            from = end;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_of_a_rust_file_are_found_whole() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn b() {\n    }\n}\nfn c() {}\n#[cfg(test)]\nuse x;\n";
        assert_eq!(inline_tests(text), ["#[cfg(test)]\nmod tests {\n    #[test]\n    fn b() {\n    }\n}"]);
        let spliced =
            with_own_tests("fn a() { 2 }\n#[cfg(test)]\nmod tests {\n    fn weak() {}\n}\n", text).unwrap();
        assert!(
            spliced.contains("fn a() { 2 }") && spliced.contains("fn b()") && !spliced.contains("weak"),
            "{spliced}"
        );
        assert_eq!(with_own_tests(text, "fn a() {}\n"), None);
    }

    #[test]
    fn an_assertion_of_the_projects_own_goes_with_the_tests() {
        let silent = "#[allow(unused)]\nmacro_rules! assert_eq {\n    ($a:expr, $b:expr) => {};\n}\nmacro_rules! list {\n    () => {};\n}\n";
        assert_eq!(assertion_macros(silent).len(), 1);
        let without = with_own_tests(silent, "").unwrap();
        assert!(
            without.contains("list") && !without.contains("assert_eq") && !without.contains("allow"),
            "{without}"
        );
        assert_eq!(with_own_tests(silent, silent), None);
        let within = "mod a {\n    macro_rules! assert {\n        () => {};\n    }\n    fn b() {}\n}\n";
        assert_eq!(assertion_macros(within), ["    macro_rules! assert {\n        () => {};\n    }"]);
        let short = "macro_rules! panic { () => {}; }\nfn b() {}\n";
        assert_eq!(assertion_macros(short), ["macro_rules! panic { () => {}; }"]);
    }
}
