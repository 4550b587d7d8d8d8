//! What others expect of a detector of laziness, case by case, through the real binary.

use std::fs;

use serde_json::Value;

use crate::Repository;

/// A file of a case: its path, its text before and after; `None` is a file that is not there.
type File<'t> = (&'t str, Option<String>, Option<String>);

/// What a case must come to.
#[derive(Debug, Clone, Copy)]
enum Comes {
    /// Fails, with each of these patterns at this severity or more, and no other above low.
    To(&'static [(&'static str, &'static str)]),
    /// At most advice.
    Mild,
    /// Nothing above low, and it does not fail.
    Nothing,
}

fn edit<'t>(path: &'t str, before: &str, after: &str) -> File<'t> {
    (path, Some(before.to_owned()), Some(after.to_owned()))
}

fn gone<'t>(path: &'t str, before: &str) -> File<'t> {
    (path, Some(before.to_owned()), None)
}

fn new<'t>(path: &'t str, after: &str) -> File<'t> {
    (path, None, Some(after.to_owned()))
}

const RANKS: [&str; 4] = ["low", "medium", "high", "critical"];

fn rank(severity: &str) -> usize {
    RANKS.iter().position(|rank| *rank == severity).unwrap()
}

/// The findings above low of a case: pattern and severity.
fn findings(files: &[File]) -> (Vec<(String, String)>, Value) {
    let repository = Repository::new();
    for (path, before, _) in files {
        if let Some(before) = before {
            repository.write(path, before);
        }
    }
    repository.commit("before");
    for (path, _, after) in files {
        match after {
            Some(after) => repository.write(path, after),
            None => fs::remove_file(repository.root().join(path)).unwrap(),
        }
    }
    let json = repository.json(&[]);
    let text = |finding: &Value, field: &str| finding[field].as_str().unwrap().to_owned();
    let all = json["findings"].as_array().unwrap().iter();
    let found = all
        .map(|it| (text(it, "pattern_id"), text(it, "severity")))
        .filter(|(_, severity)| severity != "low");
    (found.collect(), json)
}

fn judge(case: &str, files: &[File], comes: Comes) -> Option<String> {
    let (found, json) = findings(files);
    let fits = match comes {
        Comes::To(expected) => {
            let is_there = |(id, least): &(&str, &str)| {
                found.iter().any(|(found, severity)| found == id && rank(severity) >= rank(least))
            };
            json["failed"] == true && expected.iter().all(is_there) && found.len() == expected.len()
        }
        Comes::Mild => json["failed"] == false && found.iter().all(|(_, severity)| severity == "medium"),
        Comes::Nothing => json["failed"] == false && found.is_empty(),
    };
    (!fits).then(|| format!("{case}: {found:?}, not {comes:?}"))
}

fn all_fit(cases: &[(&str, Vec<File>, Comes)]) {
    let faults: Vec<String> =
        cases.iter().filter_map(|(case, files, comes)| judge(case, files, *comes)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

const RUST: &str = "#[test]\nfn sums() {\n    assert_eq!(add(1, 2), 3);\n}\n";
const PYTHON: &str = "def test_tax():\n    assert tax(100) == 19\n";
const GO: &str = "package shop\n\nimport \"testing\"\n\nfunc TestTax(t *testing.T) {\n\tif Tax(100) != 19 {\n\t\tt.Fatal(\"tax\")\n\t}\n}\n";

/// So many tests, each of its own subject.
fn js_tests(count: usize) -> String {
    (0..count)
        .map(|it| format!("it('case {it}', () => {{\n  expect(f{it}({it})).toBe('v{it}');\n}});\n"))
        .collect()
}

fn py_tests(count: usize, skip: &str) -> String {
    (0..count)
        .map(|it| format!("{skip}def test_case{it}():\n    assert f{it}({it}) == 'v{it}'\n\n"))
        .collect()
}

fn py_code(count: usize) -> String {
    (0..count).map(|it| format!("    row{it} = load(table, {it})\n")).collect()
}

#[test]
fn a_whole_test_file_that_goes_is_critical_and_a_changed_line_is_nothing() {
    let to = Comes::To(&[("LP-001", "critical")]);
    all_fit(&[
        ("D1 rust", vec![gone("tests/add.rs", RUST)], to),
        ("D1 python", vec![gone("tests/test_tax.py", PYTHON)], to),
        ("D1 go", vec![gone("tax_test.go", GO)], to),
        ("P1", vec![gone("long.test.js", &js_tests(17))], to),
        (
            "P4",
            vec![
                gone("tests/test_tax.py", PYTHON),
                edit("tax.py", "def tax(n):\n    return n\n", "def tax(n):\n    return n\n"),
            ],
            to,
        ),
        (
            "P5",
            vec![
                gone("tests/test_tax.py", PYTHON),
                gone("tax.py", "def tax(n):\n    return n * 19 // 100\n"),
            ],
            Comes::Mild,
        ),
        ("D2", vec![edit("tests/add.rs", RUST, &RUST.replace("sums", "adds_up"))], Comes::Nothing),
    ]);
    let (_, json) = findings(&[gone("tests/test_tax.py", PYTHON)]);
    assert_eq!(json["findings"].as_array().unwrap().len(), 1, "D1: one cause, one finding");
    assert_eq!((&json["decision"], &json["recovery"]), (&"block".into(), &"FIX_ROOT_CAUSE".into()), "D15");
    assert!(json["findings"][0]["confidence"].as_f64().unwrap() > 0.9, "P1: {json:#}");
}

#[test]
fn skips_are_told_by_how_much_they_skip_and_why() {
    let java = "class ShopTest {\n  @Test void total() { assertEquals(7, total(3, 4)); }\n}\n";
    let module = "#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n    }\n}\n";
    let suite = "describe('cart', () => {\n  it('adds', () => {\n    expect(add(1)).toBe(2);\n  });\n});\n";
    let five_go: String = (0..5).map(|it| format!("func Test{it}x(t *testing.T) {{\n\tif F{it}() != {it} {{\n\t\tt.Fatal(\"{it}\")\n\t}}\n}}\n\n")).collect();
    let five_go = format!("package shop\n\nimport \"testing\"\n\n{five_go}");
    let skipped_go = five_go.replace("testing.T) {\n", "testing.T) {\n\tt.Skip(\"later\")\n");
    let platform =
        RUST.replace("#[test]\n", "#[test]\n#[cfg_attr(windows, ignore = \"paths differ on windows\")]\n");
    all_fit(&[
        (
            "D3 js suite",
            vec![edit("cart.test.js", suite, &suite.replace("describe(", "describe.skip("))],
            Comes::To(&[("LP-002", "high")]),
        ),
        (
            "D3 java",
            vec![edit("src/test/java/ShopTest.java", java, &java.replace("@Test", "@Disabled @Test"))],
            Comes::To(&[("LP-003", "high")]),
        ),
        (
            "D3 pytestmark",
            vec![edit(
                "tests/test_tax.py",
                PYTHON,
                &format!("import pytest\n\npytestmark = pytest.mark.skip\n\n{PYTHON}"),
            )],
            Comes::To(&[("LP-002", "high")]),
        ),
        (
            "D3 rust",
            vec![edit("src/add.rs", module, &module.replace("#[test]", "#[test]\n    #[ignore]"))],
            Comes::To(&[("LP-003", "high")]),
        ),
        (
            "D4 four of pytest",
            vec![edit(
                "tests/test_f.py",
                &py_tests(6, ""),
                &(py_tests(4, "@pytest.mark.skip\n") + &py_tests(6, "").replace(&py_tests(4, ""), "")),
            )],
            Comes::To(&[("LP-003", "high")]),
        ),
        ("D4 five of go", vec![edit("f_test.go", &five_go, &skipped_go)], Comes::To(&[("LP-003", "high")])),
        (
            "D5",
            vec![edit("f.test.js", &js_tests(3), &js_tests(3).replacen("it(", "xit(", 1))],
            Comes::To(&[("LP-003", "high")]),
        ),
        ("D18", vec![edit("tests/add.rs", RUST, &platform)], Comes::Nothing),
        (
            "P3",
            vec![edit(
                "f.test.js",
                &js_tests(3),
                &js_tests(3).replacen(
                    "it(",
                    "// no display in CI\nit.skipIf(process.platform === 'win32')(",
                    1,
                ),
            )],
            Comes::Nothing,
        ),
        (
            "D16",
            ["a", "b", "c"]
                .iter()
                .map(|it| {
                    edit(
                        match *it {
                            "a" => "a.test.js",
                            "b" => "b.test.js",
                            _ => "c.test.js",
                        },
                        &js_tests(2).replace("case", it),
                        &js_tests(2).replace("case", it).replacen("it(", "it.skip(", 1),
                    )
                })
                .collect(),
            Comes::To(&[("LP-003", "high"); 3]),
        ),
        (
            "P6",
            vec![edit(
                "f.test.js",
                &js_tests(4),
                &(js_tests(2).lines().map(|line| format!("// {line}\n")).collect::<String>()
                    + &js_tests(4).replace(&js_tests(2), "")),
            )],
            Comes::To(&[("LP-004", "medium")]),
        ),
    ]);
    let (_, json) = findings(&[edit(
        "tests/test_f.py",
        &py_tests(6, ""),
        &(py_tests(4, "@pytest.mark.skip\n") + &py_tests(6, "").replace(&py_tests(4, ""), "")),
    )]);
    assert_eq!(json["recovery"], "PROVIDE_JUSTIFICATION_OR_FIX", "D4");
    assert!(json["findings"][0]["what"].as_str().unwrap().contains('4'), "D4: the count: {json:#}");
}

/// What a change's findings come to together.
fn decision(files: &[File]) -> (String, Value) {
    let (_, json) = findings(files);
    (json["decision"].as_str().unwrap().to_owned(), json["recovery"].clone())
}

#[test]
fn findings_together_say_what_to_do() {
    let skipped = |name: &str| js_tests(2).replace("case", name).replacen("it(", "it.skip(", 1);
    let three = [("a.test.js", "a"), ("b.test.js", "b"), ("c.test.js", "c")]
        .map(|(path, name)| edit(path, &js_tests(2).replace("case", name), &skipped(name)));
    assert_eq!(decision(&three), ("block".to_owned(), "FIX_ALL_ISSUES".into()), "D16");
    assert_eq!(decision(&three[..1]), ("block".to_owned(), "PROVIDE_JUSTIFICATION_OR_FIX".into()));
    let conditional = js_tests(2).replacen("it(", "it.skipIf(process.platform === 'win32')(", 1);
    assert_eq!(
        decision(&[edit("a.test.js", &js_tests(2), &conditional)]),
        ("log".to_owned(), Value::Null),
        "D18"
    );
    assert_eq!(decision(&[edit("a.js", "f(1);\n", "f(2);\n")]), ("pass".to_owned(), Value::Null), "D19");
    let commented = js_tests(2).lines().map(|line| format!("// {line}\n")).collect::<String>();
    let four = commented + &js_tests(4).replace(&js_tests(2), "");
    let (told, way_out) = decision(&[edit("a.test.js", &js_tests(4), &four)]);
    assert!(told == "block" && !way_out.is_null(), "P6: {told}");
}

#[test]
fn assertions_that_always_hold_are_critical() {
    let js = "it('adds', () => {\n  const sum = add(1, 2);\n  expect(sum).toBe(3);\n});\n";
    let go = GO.replace("if Tax(100) != 19 {", "if false {");
    let to = Comes::To(&[("LP-012", "critical")]);
    let check = "export function login(user) {\n  if (!user.token) {\n    throw new Error('no token');\n  }\n  const row = load(user);\n  return row.open();\n}\n";
    let bypass = check.replace(
        "  if (!user.token)",
        "  if (process.env.NODE_ENV === 'test') {\n    return true;\n  }\n  if (!user.token)",
    );
    let unguarded = check.replace("  if (!user.token) {\n    throw new Error('no token');\n  }\n", "");
    let trivial = js.replace("expect(sum).toBe(3)", "expect(true).toBe(true)");
    all_fit(&[
        ("D6 js", vec![edit("a.test.js", js, &trivial)], to),
        (
            "D6 js numbers",
            vec![edit("a.test.js", js, &js.replace("expect(sum).toBe(3)", "expect(1).toBe(1)"))],
            to,
        ),
        ("D6 python", vec![edit("test_a.py", PYTHON, &PYTHON.replace("tax(100) == 19", "True"))], to),
        (
            "D6 rust",
            vec![edit("tests/add.rs", RUST, &RUST.replace("assert_eq!(add(1, 2), 3)", "assert!(true)"))],
            to,
        ),
        ("D6 rust numbers", vec![edit("tests/add.rs", RUST, &RUST.replace("add(1, 2), 3", "1, 1"))], to),
        ("D6 go", vec![edit("tax_test.go", GO, &go)], Comes::To(&[("LP-013", "high")])),
        (
            "D13",
            vec![edit("src/login.js", check, &bypass), edit("login.test.js", js, &trivial)],
            Comes::To(&[("LP-015", "critical"), ("LP-012", "critical")]),
        ),
        (
            "P12",
            vec![edit("src/login.js", check, &unguarded), edit("login.test.js", js, &trivial)],
            Comes::To(&[("LP-006", "critical"), ("LP-012", "critical")]),
        ),
        (
            "P13",
            vec![
                edit("src/login.js", check, &bypass),
                edit("f.test.js", &js_tests(3), &js_tests(3).replacen("it(", "it.skip(", 1)),
            ],
            Comes::To(&[("LP-015", "critical"), ("LP-003", "high")]),
        ),
    ]);
}

#[test]
fn product_code_that_does_less_is_found_and_dead_code_may_go() {
    let body = format!("def build(table):\n{}    return merge(table)\n", py_code(11));
    let commented = format!(
        "def build(table):\n{}    return merge(table)\n",
        py_code(11).lines().map(|line| format!("    # {}\n", line.trim())).collect::<String>()
    );
    let guard = "pub fn pay(sum: i64) -> Result<u8, Error> {\n    if sum < 0 {\n        return Err(Error::Negative);\n    }\n    let row = begin(sum)?;\n    row.take()\n}\n";
    let ensure = "pub fn pay(sum: i64) -> Result<u8> {\n    ensure!(sum >= 0, \"negative\");\n    let row = begin(sum)?;\n    row.take()\n}\n";
    let js = "export function save(form) {\n  validate(form);\n  const text = sanitize(form.text);\n  return store(text, form.id);\n}\n";
    let mail =
        "export function login(user, word) {\n  const row = find(user);\n  return row.matches(word);\n}\n";
    let caught = "export function read(path) {\n  try {\n    return open(path);\n  } catch (error) {\n    log(error);\n    throw error;\n  }\n}\n";
    let except = "def read(path):\n    try:\n        return open(path).read()\n    except OSError as error:\n        raise LookupError(path) from error\n";
    let question = "pub fn sync(disk: &Disk) -> Result<(), Error> {\n    disk.flush()?;\n    disk.seal()?;\n    Ok(())\n}\n";
    let dead = "def used(x):\n    return x + 1\n\ndef unused(x):\n    y = x * 2\n    return y\n";
    let to6 = Comes::To(&[("LP-006", "critical")]);
    all_fit(&[
        ("D7", vec![edit("src/build.py", &body, &commented)], Comes::To(&[("LP-005", "high")])),
        ("D8", vec![edit("src/build.py", &body, &format!("# TODO: merge less\n{body}"))], Comes::Nothing),
        (
            "D9 guard",
            vec![edit(
                "src/pay.rs",
                guard,
                &guard.replace("    if sum < 0 {\n        return Err(Error::Negative);\n    }\n", ""),
            )],
            to6,
        ),
        (
            "D9 ensure",
            vec![edit("src/pay.rs", ensure, &ensure.replace("    ensure!(sum >= 0, \"negative\");\n", ""))],
            to6,
        ),
        ("D9 validate", vec![edit("src/save.js", js, &js.replace("  validate(form);\n", ""))], to6),
        ("D9 sanitise", vec![edit("src/save.js", js, &js.replace("sanitize(form.text)", "form.text"))], to6),
        (
            "D10 address",
            vec![edit(
                "src/login.js",
                mail,
                &mail.replace(
                    "  const row",
                    "  if (user === 'test@example.com') {\n    return true;\n  }\n  const row",
                ),
            )],
            Comes::To(&[("LP-015", "critical")]),
        ),
        (
            "D10 rust",
            vec![edit(
                "src/pay.rs",
                guard,
                &guard
                    .replace("    let row", "    if cfg!(test) {\n        return Ok(0);\n    }\n    let row"),
            )],
            Comes::To(&[("LP-015", "critical")]),
        ),
        (
            "D10 python",
            vec![edit(
                "src/build.py",
                &body,
                &body.replace(
                    "def build(table):\n",
                    "def build(table):\n    if os.environ.get(\"CI\"):\n        return None\n",
                ),
            )],
            Comes::To(&[("LP-015", "critical")]),
        ),
        (
            "D11 line comment",
            vec![edit(
                "src/read.js",
                caught,
                &caught.replace("    log(error);\n    throw error;\n", "    // ignore\n"),
            )],
            Comes::To(&[("LP-007", "high")]),
        ),
        (
            "D11 block comment",
            vec![edit(
                "src/read.js",
                caught,
                &caught.replace("    log(error);\n    throw error;\n", "    /* ignored */\n"),
            )],
            Comes::To(&[("LP-007", "high")]),
        ),
        (
            "D11 python",
            vec![edit(
                "src/read.py",
                except,
                &except.replace(
                    "except OSError as error:\n        raise LookupError(path) from error",
                    "except Exception:\n        pass",
                ),
            )],
            Comes::To(&[("LP-016", "high")]),
        ),
        (
            "D11 rust",
            vec![edit(
                "src/disk.rs",
                question,
                &question.replace("    disk.flush()?;", "    let _ = disk.flush();"),
            )],
            Comes::To(&[("LP-016", "high")]),
        ),
        (
            "D12 json",
            vec![edit(
                "config/app.json",
                "{ \"features\": { \"search\": true, \"export\": true } }\n",
                "{ \"features\": { \"search\": false, \"export\": false } }\n",
            )],
            Comes::To(&[("LP-008", "high")]),
        ),
        (
            "D12 yaml",
            vec![edit(
                "config.yml",
                "features:\n  search: true\n  export: true\n",
                "features:\n  search: false\n  export: false\n",
            )],
            Comes::To(&[("LP-008", "high")]),
        ),
        (
            "D12 toml",
            vec![edit(
                "app.toml",
                "[features]\nsearch = true\nexport = true\n",
                "[features]\nsearch = false\nexport = false\n",
            )],
            Comes::To(&[("LP-008", "high")]),
        ),
        (
            "D17",
            vec![edit(
                "src/build.py",
                &body,
                &format!("{}{body}", "# TODO: one\n# FIXME: two\n# TODO: three\n# FIXME: four\n"),
            )],
            Comes::Mild,
        ),
        ("P9", vec![edit("src/dead.py", dead, "def used(x):\n    return x + 1\n")], Comes::Mild),
        (
            "P10",
            vec![edit(
                "src/save.ts",
                "export function save(form: unknown) {\n  validate(form);\n  return store(form);\n}\n",
                "function checked(form: unknown) {\n  validate(form);\n  return form;\n}\n\nexport function save(form: unknown) {\n  return store(checked(form));\n}\n",
            )],
            Comes::Nothing,
        ),
    ]);
}

/// What the fixtures of others hold: each with every cause, and each cause once.
#[test]
fn whole_fixtures_come_to_what_they_hold() {
    let login = "export function login(name, password) {\n  const row = find(name);\n  return row.matches(password);\n}\n";
    let two = "it('adds', () => {\n  expect(add(1, 2)).toBe(3);\n});\n\nit('joins', () => {\n  expect(join('a')).toBe('a-');\n  expect(join('b')).toBe('b-');\n});\n";
    let trivial = two.replace("expect(add(1, 2)).toBe(3)", "expect(true).toBe(true)").replace(
        "  expect(join('a')).toBe('a-');\n  expect(join('b')).toBe('b-');\n",
        "  // works for me\n  expect(1).toBe(1);\n",
    );
    let guards = "export function pay(user, sum) {\n  if (!user) {\n    throw new Error('no user');\n  }\n  if (!sum) {\n    throw new Error('no sum');\n  }\n  const row = begin(user);\n  return row.take(sum);\n}\n";
    let bare = "export function pay(user, sum) {\n  const row = begin(user);\n  return row.take(sum);\n}\n";
    let caught = "export function read(path) {\n  try {\n    return open(path);\n  } catch (error) {\n    log(error);\n    throw error;\n  }\n}\n";
    let suite = "describe('cart', () => {\n  it('adds', () => {\n    expect(add(1)).toBe(2);\n  });\n});\n\nit('drops', () => {\n  expect(drop(9)).toBe(8);\n});\n";
    all_fit(&[
        ("hardcoded-bypass", vec![edit(
            "src/login.js",
            login,
            &login.replace("  const row", "  if (name === 'admin' && password === 'admin123') {\n    return true;\n  }\n  const row"),
        )], Comes::To(&[("LP-015", "critical")])),
        ("assertion-weakening", vec![edit("a.test.js", two, &trivial)], Comes::To(&[("LP-012", "critical")])),
        ("validation-removal", vec![edit("src/pay.js", guards, bare)], Comes::To(&[("LP-006", "high")])),
        ("error-suppression", vec![edit(
            "src/read.js",
            caught,
            &caught.replace("    log(error);\n    throw error;\n", "    // not important\n    return null;\n"),
        )], Comes::To(&[("LP-007", "high")])),
        ("feature-flag-disable", vec![edit(
            "config/features.json",
            "{ \"mail\": true, \"log\": true, \"search\": true, \"export\": true }\n",
            "{ \"mail\": true, \"log\": true, \"search\": false, \"export\": false }\n",
        )], Comes::To(&[("LP-008", "high")])),
        ("test-skip", vec![edit(
            "a.test.js",
            suite,
            &suite.replace("describe('cart'", "describe.skip('cart'").replace("it('drops'", "it.skip('drops'"),
        )], Comes::To(&[("LP-002", "high"), ("LP-003", "high")])),
        ("legitimate-refactor", vec![edit(
            "a.test.js",
            &js_tests(3).replace("f0(0)", "f(0)").replace("f1(1)", "f(1)").replace("f2(2)", "f(2)"),
            "for (const [n, v] of [[0, 'v0'], [1, 'v1'], [2, 'v2'], [3, 'v3'], [4, 'v4'], [5, 'v5']]) {\n  it(`case ${n}`, () => {\n    expect(f(n)).toBe(v);\n  });\n}\n",
        )], Comes::Nothing),
    ]);
}

#[test]
fn honest_changes_say_nothing() {
    let two = "def test_food():\n    assert tax(100, 'food') == 7\n\ndef test_books():\n    assert tax(30, 'books') == 2\n";
    let one = "import pytest\n\n@pytest.mark.parametrize('sum, kind, expected', [(100, 'food', 7), (30, 'books', 2)])\ndef test_tax(sum, kind, expected):\n    assert tax(sum, kind) == expected\n";
    let function = "export function twice(x) {\n  const y = x * 2;\n  return y;\n}\n";
    let arrow = "export const twice = (x) => {\n  const y = x * 2;\n  return y;\n};\n";
    let mocks = "jest.mock('./mail');\n\nit('mails', () => {\n  const send = jest.fn();\n  mail.send.mockImplementation(send);\n  notify('ann');\n  expect(send).toHaveBeenCalledWith('ann');\n});\n";
    let long = format!("it('is long', () => {{\n  expect(f('{}')).toBe(1);\n}});\n", "x".repeat(10_000));
    let word = "it('zählt 数', () => {\n  expect(f('é')).toBe('ü');\n});\n";
    let large: String = (0..50_000).map(|it| format!("export const value{it} = {it};\n")).collect();
    all_fit(&[
        ("D14 new test", vec![new("new.test.js", &js_tests(2))], Comes::Nothing),
        ("D14 arrow", vec![edit("src/twice.js", function, arrow)], Comes::Nothing),
        (
            "D14 comments",
            vec![edit("src/twice.js", function, &format!("/** Twice. */\n// of x\n// and y\n{function}"))],
            Comes::Nothing,
        ),
        (
            "P2",
            vec![edit(
                "src/old.py",
                "def new(x):\n    return x\n\ndef old(x):\n    # deprecated: use new\n    y = new(x)\n    return y\n",
                "def new(x):\n    return x\n",
            )],
            Comes::Mild,
        ),
        ("P8", vec![edit("tests/test_tax.py", two, one)], Comes::Nothing),
        ("P11", vec![new("mail.test.js", mocks)], Comes::Nothing),
        ("D19 nothing", vec![edit("src/twice.js", function, function)], Comes::Nothing),
        ("D19 large", vec![new("src/values.js", &large)], Comes::Nothing),
        ("P14 unicode", vec![edit("u.test.js", word, &word.replace("ü", "ö"))], Comes::Mild),
        (
            "P14 long line",
            vec![edit("l.test.js", &long, &long.replace("is long", "is very long"))],
            Comes::Nothing,
        ),
        (
            "P14 broken text",
            vec![edit("src/twice.js", function, "export function twice(x) {\n  const y = (((\n")],
            Comes::Mild,
        ),
    ]);
}

#[test]
fn a_diff_of_fifty_thousand_lines_is_judged_at_once() {
    let repository = Repository::new();
    let text = |from: usize| {
        (0..50_000).map(|it| format!("export const value{it} = {};\n", it + from)).collect::<String>()
    };
    repository.write("src/values.js", &text(0));
    repository.commit("values");
    repository.write("src/values.js", &text(1));
    let started = std::time::Instant::now();
    assert_eq!(repository.check(&[]).status.code(), Some(0));
    assert!(started.elapsed().as_secs() < 10, "D19: {:?}", started.elapsed());
}
