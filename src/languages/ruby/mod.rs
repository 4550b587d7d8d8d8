//! Ruby: its descriptor, and the walks and words that the descriptor names.

pub(crate) mod assertion;
pub(crate) mod block;
pub(crate) mod call;
pub(crate) mod code;
pub(crate) mod coder;
pub(crate) mod definition;
pub(crate) mod ending;
pub(crate) mod handler;
pub(crate) mod lexicon;
pub(crate) mod meaning;
pub(crate) mod modules;
pub(crate) mod reader;
pub(crate) mod refusing;
pub(crate) mod statement;
pub(crate) mod testing;
pub(crate) mod token;
pub(crate) mod word;
pub(crate) mod words;

use crate::languages::descriptor::{Descriptor, LanguageReader, Stems, TestFileRule, TestFiles};

pub(crate) static DESCRIPTOR: Descriptor = Descriptor {
    extensions: &["rb", "rake", "gemspec"],
    reader: LanguageReader::ByHand { outline: testing::outline, code: code::code },
    lexicon: &lexicon::LEXICON,
    refusing: &refusing::REFUSING,
    ends_lines: false,
    answers_by_last_line: true,
    test_files: TestFiles {
        extensions: &["rb"],
        names: &[],
        stems: &[Stems { extensions: &["rb"], prefixes: &["test_", "spec_"], suffixes: &["_test", "_spec"] }],
        found_by_name: &["rb"],
        collected: TestFileRule::InTestsOrNaming(&["RSpec", "minitest", "Minitest"]),
    },
    modules: Some(modules::MODULES),
    specimens: &[
        "RSpec.describe Cart do\n  it 'adds' do\n    expect(add(1, 2)).to eq(3)\n  end\n\n  it \"drops\" do\n    expect(drop(9)).to eq(8)\n  end\nend\n",
        "describe Cart do\n  it \"adds\" do\n    _(add(1, 2)).must_equal 3\n  end\n\n  should \"drop\" do\n    drop(9).must_equal 8\n  end\nend\n",
        "class CartTest < Minitest::Test\n  def test_adds\n    assert_equal 3, add(1, 2)\n  end\n\n  def test_drops\n    assert drop(9)\n    refute open?\n  end\nend\n",
        "RSpec.describe Cart do\n  it 'adds' do\n    %SLOT%\n    expect(add(1, 2)).to eq(3)\n  end\nend\n",
    ],
};
