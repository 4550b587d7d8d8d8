//! A table for each language: a source, and the lines that its faults make of it.

use super::*;

/// The faults of a whole text, as `line: what it is > what the line becomes`.
fn found(path: &str, source: &str) -> Vec<String> {
    let all = mutants(path, source, std::slice::from_ref(&(0..source.len())));
    for mutant in &all {
        let language = Language::of_path(path).unwrap();
        let text = mutant.applied(source);
        let broken =
            ParsedSource::new(language, &text).tree().is_none_or(|tree| tree.root_node().has_error());
        assert!(!broken, "{path}: {mutant:?} leaves a text that does not parse:\n{text}");
    }
    let shown = |mutant: &Mutant| {
        let (_, after) = mutant.lines(source);
        format!("{} {}: {}", mutant.line, mutant.fault.words(), after.trim())
    };
    all.iter().map(shown).collect()
}

fn assert_found(path: &str, source: &str, expected: &[&str]) {
    let found = found(path, source);
    for line in expected {
        assert!(found.iter().any(|it| it == line), "{path}: no `{line}` in {found:#?}");
    }
    assert_eq!(found.len(), expected.len(), "{path}: {found:#?}");
}

#[test]
fn python() {
    let source = "def price(amount, rate):
    if amount >= 100:
        raise ValueError('too much')
    if rate is None:
        return amount
    register(amount)
    log.info('done')
    return amount * 2
";
    assert_found(
        "a.py",
        source,
        &[
            "2 comparison turned: if amount < 100:",
            "2 boundary moved: if amount > 100:",
            "2 branch negated: if not (amount >= 100):",
            "2 constant changed: if amount >= 101:",
            "3 raise removed: pass",
            "4 comparison turned: if rate is not None:",
            "4 branch negated: if not (rate is None):",
            "5 return replaced by a default: return None",
            "6 call dropped: pass",
            "8 return replaced by a default: return None",
            "8 constant changed: return amount * 3",
        ],
    );
}

#[test]
fn javascript_and_typescript() {
    let source = "function price(amount) {
  if (amount > 10) {
    throw new Error('too much');
  }
  register(amount);
  return amount === 1 ? true : null;
}
const twice = (n) => n * 2.5;
";
    for path in ["a.js", "a.ts", "a.tsx"] {
        assert_found(
            path,
            source,
            &[
                "2 comparison turned: if (amount <= 10) {",
                "2 boundary moved: if (amount >= 10) {",
                "2 branch negated: if (!(amount > 10)) {",
                "2 constant changed: if (amount > 11) {",
                "3 raise removed: ;",
                "5 call dropped: ;",
                "6 return replaced by a default: return undefined;",
                "6 comparison turned: return amount !== 1 ? true : null;",
                "6 constant changed: return amount === 2 ? true : null;",
                "6 constant changed: return amount === 1 ? false : null;",
                "8 return replaced by a default: const twice = (n) => undefined;",
                "8 constant changed: const twice = (n) => n * 3.5;",
            ],
        );
    }
}

#[test]
fn go() {
    let source = "package a

func Price(amount int) (int, error) {
	if amount < 0 {
		panic(\"negative\")
	}
	register(amount)
	return amount, nil
}

func Ok(o Order) Order { return o }
";
    assert_found(
        "a.go",
        source,
        &[
            "4 comparison turned: if amount >= 0 {",
            "4 boundary moved: if amount <= 0 {",
            "4 branch negated: if !(amount < 0) {",
            "4 constant changed: if amount < 1 {",
            "5 raise removed: ",
            "7 call dropped: ",
            "8 return replaced by a default: return 0, nil",
        ],
    );
}

#[test]
fn rust() {
    let source = "fn price(amount: u32) -> u32 {
    if amount >= 10 {
        return 10;
    }
    if let Some(x) = find() {
        panic!(\"x\");
    }
    register(amount);
    amount * rate()
}

fn quiet() { register(1); }
";
    assert_found(
        "a.rs",
        source,
        &[
            "2 comparison turned: if amount < 10 {",
            "2 boundary moved: if amount > 10 {",
            "2 branch negated: if !(amount >= 10) {",
            "2 constant changed: if amount >= 11 {",
            "3 return replaced by a default: return Default::default();",
            "3 constant changed: return 11;",
            "6 raise removed: ;",
            "8 call dropped: ;",
            "9 return replaced by a default: Default::default()",
            "12 call dropped: fn quiet() { ; }",
            "12 constant changed: fn quiet() { register(2); }",
        ],
    );
}

#[test]
fn java() {
    let source = "class A {
  int price(int amount) {
    if (amount != 3) {
      throw new IllegalStateException();
    }
    register(amount);
    return amount;
  }
  boolean ok() { return true; }
  String name() { return this.name; }
}
";
    assert_found(
        "A.java",
        source,
        &[
            "3 comparison turned: if (amount == 3) {",
            "3 branch negated: if (!(amount != 3)) {",
            "3 constant changed: if (amount != 4) {",
            "4 raise removed: ;",
            "6 call dropped: ;",
            "7 return replaced by a default: return 0;",
            "9 return replaced by a default: boolean ok() { return false; }",
            "10 return replaced by a default: String name() { return null; }",
        ],
    );
}

#[test]
fn only_the_wanted_places_are_changed_and_no_text_is_broken_further() {
    let source = "def a():\n    return 1\n\n\ndef b():\n    return 2\n";
    let second = source.find("def b").unwrap();
    let all = mutants("a.py", source, std::slice::from_ref(&(second..source.len())));
    assert!(all.iter().all(|mutant| mutant.line == 6) && all.len() == 2, "{all:?}");
    assert!(mutants("a.py", "def a(:\n", std::slice::from_ref(&(0..8))).is_empty());
    assert!(mutants("a.txt", "return 1", std::slice::from_ref(&(0..8))).is_empty());
    assert!(mutants("a.rb", "def a\n  1\nend\n", std::slice::from_ref(&(0..14))).is_empty());
}
