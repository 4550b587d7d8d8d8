//! Elixir: its descriptor, and the walks and words that the descriptor names.

pub(crate) mod code;
pub(crate) mod lexicon;
pub(crate) mod modules;
pub(crate) mod refusing;
pub(crate) mod testing;

use crate::languages::descriptor::{Descriptor, LanguageReader, Stems, TestFileRule, TestFiles};

pub(crate) static DESCRIPTOR: Descriptor = Descriptor {
    extensions: &["ex", "exs"],
    reader: LanguageReader::Grammar { grammar: &testing::GRAMMAR, syntax: &code::SYNTAX },
    lexicon: &lexicon::LEXICON,
    refusing: &refusing::REFUSING,
    ends_lines: false,
    answers_by_last_line: true,
    test_files: TestFiles {
        extensions: &["ex", "exs"],
        names: &[],
        stems: &[Stems {
            extensions: &["ex", "exs"],
            prefixes: &[],
            suffixes: &["_test", "_tests", "_spec"],
        }],
        found_by_name: &["exs"],
        collected: TestFileRule::EndingOrIn { ending: "_test.exs", extension: ".exs", naming: "use " },
    },
    modules: Some(modules::MODULES),
    specimens: &[
        "defmodule CartTest do\n  use ExUnit.Case\n\n  test \"adds\" do\n    assert add(1, 2) == 3\n  end\n\n  describe \"drop\" do\n    test \"drops\" do\n      assert drop(9) == 8\n      refute open?()\n    end\n  end\nend\n",
        "defmodule CartTest do\n  use ExUnit.Case\n\n  test \"adds\" do\n    %SLOT%\n    assert add(1, 2) == 3\n  end\nend\n",
    ],
};
