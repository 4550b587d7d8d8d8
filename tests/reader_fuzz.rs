//! Each language's reader under hostile text: it answers, soon, whatever it is given.
//!
//! The short round runs with the suite. The long one is asked for by hand:
//! `FUZZ_SECONDS=600 FUZZ_LANGUAGES=java,rb cargo test --test reader_fuzz -- --ignored --nocapture`; real files to begin
//! with may be named by `FUZZ_SEEDS`, a folder. The texts that are being read are kept in the temporary folder, so that
//! one which kills the process is not lost.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking, and the long round says how far it is"
)]

use std::path::Path;
use std::time::{Duration, Instant};
use steadfast::detectors::{Evidence, judge};
use steadfast::model::finding::Change;

/// Extension, a path that no runner collects, one that a runner does, and a text to begin with.
const LANGUAGES: &[(&str, &str, &str, &str)] = &[
    (
        "js",
        "src/a.js",
        "src/a.test.js",
        "describe('a', () => {\n  it('b', async () => {\n    expect(await f(`x${1}`)).toBe(/r/);\n  });\n});\nfunction g(x) { if (!x) { throw new Error('x'); } try { h(); } catch (e) { log(e); } return null; }\n",
    ),
    (
        "ts",
        "src/a.ts",
        "src/a.test.ts",
        "export class A<T> { private x: number = 1; f(a: string): T | null { if (!a) throw new E(a); return <T>a; } }\nit.each([1, 2])('x %i', (n) => { expect(n as any).toEqual(1); });\n",
    ),
    (
        "tsx",
        "src/a.tsx",
        "src/a.test.tsx",
        "export const A = ({ x }: P) => <div a={x}>{x ? <B /> : 't'}</div>;\ntest('x', () => { expect(render(<A x />)).toMatchSnapshot(); });\n",
    ),
    (
        "py",
        "a.py",
        "test_a.py",
        "import pytest\n\n@pytest.mark.skipif(x, reason='y')\ndef test_a():\n    with raises(E):\n        f(f\"{x!r:>{w}}\")\n    assert 1 == 1\n\nclass A:\n    def g(self, x):\n        try:\n            return x[1]\n        except (A, B) as e:\n            raise C from e\n",
    ),
    (
        "rs",
        "src/a.rs",
        "tests/a.rs",
        "pub fn f<'a>(x: &'a str) -> Result<u8, E> { let y = g(x)?; if y == 0 { return Err(E); } Ok(y) }\n#[cfg(test)]\nmod tests { #[test] #[ignore = \"x\"] fn a() { assert_eq!(f(r#\"x\"#), Ok(1)); } }\n/* /* */ */\n",
    ),
    (
        "go",
        "a.go",
        "a_test.go",
        "package a\n\nfunc F(x int) (int, error) {\n\tif x < 0 {\n\t\treturn 0, errors.New(\"x\")\n\t}\n\treturn x, nil\n}\n\nfunc TestA(t *testing.T) {\n\tt.Run(\"a\", func(t *testing.T) { require.Equal(t, 1, F(`y`)) })\n}\n",
    ),
    (
        "java",
        "src/main/java/A.java",
        "src/test/java/ATest.java",
        "class A { @Test void a() { assertEquals(1, f(\"x\")); } int f(String s) throws E { if (s == null) { throw new E(\"\"\"\n x\"\"\"); } try { g(); } catch (E | F e) { } return 0; } }\n",
    ),
    (
        "cs",
        "src/A.cs",
        "tests/ATests.cs",
        "namespace A; class A { [Fact(Skip = \"x\")] public void B() { Assert.Equal(1, F($\"{x:0}\")); } int F(string s) { if (s is null) throw new E(@\"x\"); try { G(); } catch { } return 0; }\n#if X\n#endif\n}\n",
    ),
    (
        "kt",
        "src/main/kotlin/A.kt",
        "src/test/kotlin/ATest.kt",
        "class A { @Test fun a() { assertEquals(1, f(\"$x ${y}\")) }\n fun f(s: String?): Int { val q = s ?: return 0\n if (q == \"\"\"x\"\"\") throw E() else g()\n try { h() } catch (e: E) { }\n return 1 } }\n/* /* */ */\n",
    ),
    (
        "scala",
        "src/main/scala/A.scala",
        "src/test/scala/ASpec.scala",
        "class ASpec extends AnyFlatSpec {\n  \"a\" should \"b\" in { assert(f(s\"x ${y}\") == 1) }\n  it should \"c\" ignore { f() shouldBe 2 }\n  test(\"d\".ignore) { pending }\n  def f(s: String): Int = { if (s == null) throw new E(\"\"\"x\"\"\")\n try { g() } catch { case _: E => }\n 1 }\n}\n/* /* */ */\n",
    ),
    (
        "dart",
        "lib/a.dart",
        "test/a_test.dart",
        "import 'package:test/test.dart';\n\n@Tags(['x'])\nclass A extends B<C?> {\n  A(this.x, {required int y = 3}) : assert(y > 0), super(y);\n  factory A.of(int x) => A(x);\n  final int x;\n  Future<String?> f(String a) async {\n    if (a.isEmpty) throw ArgumentError('x ${a[0]} $x');\n    try { await g()!..h(); } on E catch (e, s) { rethrow; } catch (_) {}\n    return switch (a) { 'b' => r'c$', _ => null };\n  }\n}\nvoid main() { group('g', () { test('t', () { expect(f<int>(1), isA<A>().having((e) => e.x, 'x', 1)); }, skip: true); }); }\n",
    ),
    (
        "php",
        "src/A.php",
        "tests/ATest.php",
        "<?php\nclass ATest extends TestCase {\n    /** @test */\n    public function a() { $this->assertSame(1, f(\"x {$y['z']}\")); }\n    function f($s) { if (!$s) { throw new E('x'); } try { g(); } catch (E $e) { } return <<<X\n a $b\n X;\n }\n}\n",
    ),
    (
        "rb",
        "lib/a.rb",
        "spec/a_spec.rb",
        "RSpec.describe A do\n  it 'a' do\n    expect(f(\"x#{y}\")).to eq(%w[a b])\n  end\nend\ndef f(s)\n  raise E, <<~X if s.nil?\n    a #{b}\n  X\n  g { |x| x / 2 }\nrescue E => e\n  nil\nensure\n  h\nend\n",
    ),
    (
        "swift",
        "Sources/A.swift",
        "Tests/ATests.swift",
        "final class ATests: XCTestCase { func testA() throws { XCTAssertEqual(try f(\"x\\(y)\"), 1) }\n func f(_ s: String?) throws -> Int { guard let s = s, !s.isEmpty else { throw E.x }\n do { try g() } catch let e as F { } catch { print(error) }\n return #\"\"\"\n x\n\"\"\"#.count } }\n",
    ),
    (
        "cpp",
        "src/a.cc",
        "tests/a_test.cc",
        "#include <gtest/gtest.h>\nTEST(A, B) { EXPECT_EQ(1, f(R\"(x)\")); }\n#if 0\n#endif\nnamespace a { template <class T> int A<T>::f(const T& x) { if (!x) { throw E(\"x\"); } try { g(); } catch (...) { } return {}; } }\n",
    ),
    (
        "ex",
        "lib/a.ex",
        "test/a_test.exs",
        "defmodule ATest do\n  use ExUnit.Case\n  @tag :skip\n  test \"a\" do\n    assert f(~s(x#{y})) == {:ok, 1}\n  end\n  def f(s) when is_nil(s), do: raise \"x\"\n  def g(x) do\n    unless x do\n      raise E\n    end\n    h(x)\n  rescue\n    e in E -> nil\n  end\nend\n",
    ),
];

/// What opens something that another text has to close.
const SHARDS: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "\"",
    "'",
    "`",
    "\"\"\"",
    "'''",
    "/*",
    "*/",
    "//",
    "#",
    "\n",
    " ",
    "\\",
    "do\n",
    "end\n",
    "if (x) {",
    "else",
    "#{",
    "${",
    "\\(",
    "<<~A\n",
    "R\"(",
    "r#\"",
    "@\"",
    "$\"",
    "#if 0\n",
    "#endif\n",
    "=begin\n",
    "=end\n",
    "%w[",
    "<?php ",
    "?>",
    "\u{0}",
    "é",
    "\u{1F600}",
    "\r\n",
    "->",
    "=>",
    "|",
    "&",
    ";",
    ",",
    "rescue",
    "catch",
    "unless",
    "guard",
    "fun ",
    "def ",
    "class ",
    "@",
    "$",
    "0x",
    "1.",
    ":",
    "::",
    "?",
    "!",
];

/// A small generator: the same rounds give the same texts.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most.max(1) as u64) as usize
    }

    /// A range of a text of this length, mostly short.
    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let from = self.below(length + 1);
        let most = if self.below(4) == 0 { length } else { 40 };
        from..(from + self.below(most)).min(length)
    }
}

fn mutate(seed: &str, dice: &mut Dice) -> String {
    let mut bytes = seed.as_bytes().to_vec();
    for _ in 0..=dice.below(8) {
        let range = dice.range(bytes.len());
        let shard = SHARDS[dice.below(SHARDS.len())];
        match dice.below(7) {
            0 => drop(bytes.drain(range)),
            1 => {
                let copy = bytes[range.clone()].to_vec();
                bytes.splice(range.start..range.start, copy);
            }
            2 => drop(bytes.splice(range.start..range.start, shard.bytes())),
            3 => {
                let most = if dice.below(20) == 0 { 4_000 } else { 12 };
                let many = shard.repeat(1 + dice.below(most));
                bytes.splice(range.start..range.start, many.into_bytes());
            }
            4 => bytes.truncate(range.start),
            5 => bytes[range].reverse(),
            _ => {
                if let Some(byte) = bytes.get_mut(range.start) {
                    *byte = dice.below(256) as u8;
                }
            }
        }
        bytes.truncate(200_000);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn seeds(extension: &str, own: &str) -> Vec<String> {
    let mut seeds = vec![own.to_owned()];
    let Ok(folder) = std::env::var("FUZZ_SEEDS") else { return seeds };
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|it| it == extension)).collect();
    paths.sort();
    seeds.extend(paths.iter().filter_map(|path| std::fs::read_to_string(path).ok()));
    seeds
}

/// The processor time of this thread: others on the machine must not make a text look slow. Elsewhere than on Linux the
/// time on the wall has to do.
fn spent(start: Instant) -> Duration {
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = schedule.split(' ').next().and_then(|text| text.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// Reads mutated texts until the time is over; what is slower than `slowest` fails.
fn fuzz(language: &(&str, &str, &str, &str), time: Duration, slowest: Duration) -> (usize, Duration) {
    let (extension, source, test, own) = *language;
    let seeds = seeds(extension, own);
    let kept = std::env::temp_dir().join(format!("steadfast-fuzz-{}.{extension}", std::process::id()));
    let kept_before = kept.with_extension(format!("before.{extension}"));
    let start = Instant::now();
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15 ^ time.as_millis() as u64);
    let (mut rounds, mut longest) = (0, Duration::ZERO);
    while start.elapsed() < time {
        let seed = &seeds[dice.below(seeds.len())];
        let (before, after) = (
            if dice.below(2) == 0 { seed.clone() } else { mutate(seed, &mut dice) },
            mutate(seed, &mut dice),
        );
        std::fs::write(&kept, &after).unwrap();
        std::fs::write(&kept_before, &before).unwrap();
        for path in [source, test] {
            let change =
                [Change { path: path.to_owned(), before: Some(before.clone()), after: Some(after.clone()) }];
            let before_it = spent(start);
            judge(&Evidence { changes: &change, elsewhere: &[] });
            let took = spent(start).saturating_sub(before_it);
            longest = longest.max(took);
            if took > slowest {
                let slow = Path::new(&kept).with_extension(format!("slow.{extension}"));
                std::fs::write(&slow, &after).unwrap();
                std::fs::write(slow.with_extension(format!("before.{extension}")), &before).unwrap();
                panic!("{path} took {took:?}: see {}", slow.display());
            }
        }
        rounds += 1;
    }
    drop((std::fs::remove_file(kept), std::fs::remove_file(kept_before)));
    (rounds, longest)
}

#[test]
fn hostile_text_is_read_in_every_language() {
    for language in LANGUAGES {
        let (rounds, _) = fuzz(language, Duration::from_millis(200), Duration::from_secs(20));
        assert!(rounds > 0, "{} was not read at all", language.0);
    }
}

#[test]
#[ignore = "takes FUZZ_SECONDS for each of FUZZ_LANGUAGES"]
fn hostile_text_is_read_for_long() {
    let number =
        |name: &str, otherwise: u64| std::env::var(name).map_or(otherwise, |text| text.parse().unwrap());
    let wanted = std::env::var("FUZZ_LANGUAGES").unwrap_or_default();
    let is_wanted = |extension: &str| wanted.is_empty() || wanted.split(',').any(|it| it == extension);
    let time = Duration::from_secs(number("FUZZ_SECONDS", 600));
    let slowest = Duration::from_millis(number("FUZZ_SLOWEST_MS", 3_000));
    for language in LANGUAGES.iter().filter(|it| is_wanted(it.0)) {
        let (rounds, longest) = fuzz(language, time, slowest);
        println!("{}: {rounds} texts in {time:?}, the slowest took {longest:?}", language.0);
    }
}
