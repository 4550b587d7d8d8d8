//! PHP: its descriptor, and the walks and words that the descriptor names.

pub(crate) mod code;
pub(crate) mod lexicon;
pub(crate) mod modules;
pub(crate) mod refusing;
pub(crate) mod testing;

use crate::languages::descriptor::{
    CLASS_SUFFIXES, Descriptor, LanguageReader, Stems, TestFileRule, TestFiles,
};

pub(crate) static DESCRIPTOR: Descriptor = Descriptor {
    extensions: &["php"],
    reader: LanguageReader::Grammar { grammar: &testing::GRAMMAR, syntax: &code::SYNTAX },
    lexicon: &lexicon::LEXICON,
    refusing: &refusing::REFUSING,
    ends_lines: false,
    answers_by_last_line: false,
    test_files: TestFiles {
        extensions: &["php"],
        names: &[],
        stems: &[Stems { extensions: &["php"], prefixes: &[], suffixes: CLASS_SUFFIXES }],
        found_by_name: &["php"],
        collected: TestFileRule::InTestsOrNaming(&["PHPUnit"]),
    },
    modules: Some(modules::MODULES),
    specimens: &[
        "<?php\n\nclass CartTest extends TestCase\n{\n    public function testAdds()\n    {\n        $this->assertEquals(3, add(1, 2));\n        $this->assertTrue(isOpen());\n    }\n\n    public function test_drops(): void\n    {\n        self::assertSame(8, drop(9));\n    }\n}\n",
        "<?php\n\nit('adds', function () {\n    expect(add(1, 2))->toBe(3);\n});\n\ntest('drops', function () {\n    expect(drop(9))->toBe(8);\n});\n",
        "<?php\n\nclass CartTest extends TestCase\n{\n    public function testAdds()\n    {\n        %SLOT%\n        $this->assertEquals(3, add(1, 2));\n    }\n}\n",
    ],
};
