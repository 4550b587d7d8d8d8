//! Tests that stand inside of a Rust source file: the code of one text with the tests of another.

/// What a line says that begins a Rust file's own tests.
const INLINE: &str = "#[cfg(test)]";

/// The code of `today` with the tests that stood in `start`. `None` when none did.
pub fn with_own_tests(today: &str, start: &str) -> Option<String> {
    let own = inline_tests(start);
    if own.is_empty() {
        return None;
    }
    let mut text = today.to_owned();
    for tests in inline_tests(today) {
        text = text.replacen(tests, "", 1);
    }
    Some(text + "\n" + &own.join("\n"))
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
}
