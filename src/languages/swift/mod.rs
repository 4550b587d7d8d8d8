//! Swift: its descriptor, and the walks and words that the descriptor names.

pub(crate) mod code;
pub(crate) mod lexicon;
pub(crate) mod platforms;
mod refusing;
pub(crate) mod testing;

use crate::languages::descriptor::{
    CLASS_SUFFIXES, Descriptor, LanguageReader, Stems, TestFileRule, TestFiles,
};

pub(crate) static DESCRIPTOR: Descriptor = Descriptor {
    extensions: &["swift"],
    reader: LanguageReader::Grammar { grammar: &testing::GRAMMAR, syntax: &code::SYNTAX },
    lexicon: &lexicon::LEXICON,
    refusing: &refusing::REFUSING,
    ends_lines: false,
    answers_by_last_line: false,
    test_files: TestFiles {
        extensions: &["swift"],
        names: &[],
        stems: &[Stems { extensions: &["swift"], prefixes: &[], suffixes: CLASS_SUFFIXES }],
        found_by_name: &[],
        collected: TestFileRule::InTestsOrNaming(&["import XCTest", "import Testing"]),
    },
    modules: None,
    specimens: &[
        "import XCTest\n\nfinal class CartTests: XCTestCase {\n    func testAdds() {\n        XCTAssertEqual(add(1, 2), 3)\n    }\n\n    func testDrops() throws {\n        XCTAssertTrue(drop(9))\n    }\n}\n",
        "import Testing\n\n@Test func adds() {\n    #expect(add(1, 2) == 3)\n}\n\n@Test(\"drops\") func drops() {\n    #expect(drop(9) == 8)\n}\n",
        "import XCTest\n\nfinal class CartTests: XCTestCase {\n    func testAdds() {\n        %SLOT%\n        XCTAssertEqual(add(1, 2), 3)\n    }\n}\n",
    ],
};
