//! JavaScript and TypeScript: one descriptor for each grammar, and the walks and words that they share.

pub(crate) mod assertion;
pub(crate) mod chain;
pub(crate) mod code;
pub(crate) mod head;
mod imported;
pub(crate) mod lexicon;
pub(crate) mod modules;
pub(crate) mod refusing;
pub(crate) mod steps;
pub(crate) mod stories;
pub(crate) mod testing;
pub(crate) mod words;

use crate::languages::descriptor::{Descriptor, LanguageReader, Stems, TestFileRule, TestFiles};
use crate::languages::testing::outline_builder::Grammar;

pub(crate) static JAVASCRIPT: Descriptor = descriptor(&["js", "mjs", "cjs", "jsx"], &testing::JAVASCRIPT);
pub(crate) static TYPESCRIPT: Descriptor = descriptor(&["ts", "mts", "cts"], &testing::TYPESCRIPT);
pub(crate) static TSX: Descriptor = descriptor(&["tsx"], &testing::TSX);

/// What the three have in common.
const fn descriptor(extensions: &'static [&'static str], grammar: &'static Grammar) -> Descriptor {
    Descriptor {
        extensions,
        reader: LanguageReader::Grammar { grammar, syntax: &code::SYNTAX },
        lexicon: &lexicon::LEXICON,
        refusing: &refusing::REFUSING,
        ends_lines: false,
        answers_by_last_line: false,
        test_files: TestFiles {
            extensions: &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"],
            names: &["test.js", "test.ts", "test.mjs"],
            stems: &[Stems {
                extensions: &["js", "ts", "mjs", "cjs", "jsx", "tsx"],
                prefixes: &["test-"],
                suffixes: &["_test", "_spec", "-test", "-spec"],
            }],
            found_by_name: &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"],
            collected: TestFileRule::Everywhere,
        },
        modules: Some(modules::MODULES),
        specimens: SPECIMENS,
    }
}

const SPECIMENS: &[&str] = &[
    "describe('cart', () => {\n  it('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n\n  it('drops', async () => {\n    const left = await drop(9);\n    expect(left).toEqual(8);\n  });\n\n  test('ships', () => {\n    expect(ship('x')).toBe(true);\n  });\n});\n",
    "test('adds', () => {\n  expect(add(1, 2)).toBe(3);\n});\n\ntest('drops', () => {\n  assert.equal(drop(9), 8);\n  assert.strictEqual(drop(4), 3);\n});\n",
    "it('adds', () => {\n  %SLOT%\n  expect(add(1, 2)).toBe(3);\n});\n",
    "%SLOT%, () => {\n  expect(add(1, 2)).toBe(3);\n});\n",
];
