//! Dart: its descriptor, and the walks and words that the descriptor names.

pub(crate) mod code;
mod head;
pub(crate) mod lexicon;
mod modules;
mod refusing;
pub(crate) mod testing;

use crate::languages::descriptor::{Descriptor, LanguageReader, Stems, TestFileRule, TestFiles};

pub(crate) static DESCRIPTOR: Descriptor = Descriptor {
    extensions: &["dart"],
    reader: LanguageReader::Grammar { grammar: &testing::GRAMMAR, syntax: &code::SYNTAX },
    lexicon: &lexicon::LEXICON,
    refusing: &refusing::REFUSING,
    ends_lines: false,
    answers_by_last_line: false,
    test_files: TestFiles {
        extensions: &["dart"],
        names: &[],
        stems: &[Stems { extensions: &["dart"], prefixes: &[], suffixes: &["_test", "_tests"] }],
        found_by_name: &["dart"],
        collected: TestFileRule::InTestsOrNaming(&[
            "package:test/",
            "package:flutter_test/",
            "package:bloc_test/",
            "package:checks/",
            "package:patrol/",
        ]),
    },
    modules: Some(modules::MODULES),
    specimens: &[
        "import 'package:test/test.dart';\n\nvoid main() {\n  group('cart', () {\n    test('adds', () {\n      expect(add(1, 2), 3);\n    });\n\n    test('drops', () {\n      expect(drop(9), equals(8));\n    });\n  });\n}\n",
        "import 'package:flutter_test/flutter_test.dart';\n\nvoid main() {\n  testWidgets('shows the cart', (tester) async {\n    await tester.pumpWidget(const Cart());\n    expect(find.text('Cart'), findsOneWidget);\n  });\n}\n",
        "import 'package:test/test.dart';\n\nvoid main() {\n  test('adds', () {\n    %SLOT%\n    expect(add(1, 2), 3);\n  });\n}\n",
    ],
};
