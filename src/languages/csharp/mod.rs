//! C#: its descriptor, and the walks and words that the descriptor names.

pub(crate) mod code;
pub(crate) mod lexicon;
pub(crate) mod refusing;
pub(crate) mod testing;

use crate::languages::descriptor::{
    CLASS_SUFFIXES, Descriptor, LanguageReader, Stems, TestFileRule, TestFiles,
};

pub(crate) static DESCRIPTOR: Descriptor = Descriptor {
    extensions: &["cs"],
    reader: LanguageReader::Grammar { grammar: &testing::GRAMMAR, syntax: &code::SYNTAX },
    lexicon: &lexicon::LEXICON,
    refusing: &refusing::REFUSING,
    ends_lines: false,
    answers_by_last_line: false,
    test_files: TestFiles {
        extensions: &["cs"],
        names: &[],
        stems: &[Stems { extensions: &["cs"], prefixes: &[], suffixes: CLASS_SUFFIXES }],
        found_by_name: &[],
        collected: TestFileRule::InTestsOrNaming(&["Xunit", "NUnit", "TestTools.UnitTesting"]),
    },
    modules: None,
    specimens: &[
        "using Xunit;\n\npublic class CartTests\n{\n    [Fact]\n    public void Adds()\n    {\n        Assert.Equal(3, Add(1, 2));\n    }\n\n    [Theory]\n    [InlineData(1)]\n    public void Drops(int x)\n    {\n        Assert.True(Drop(x));\n        result.ShouldBe(8);\n    }\n}\n",
        "using NUnit.Framework;\n\n[TestFixture]\npublic class CartTests\n{\n    [Test]\n    public void Adds()\n    {\n        Assert.AreEqual(3, Add(1, 2));\n        Assert.That(Left(), Is.EqualTo(8));\n    }\n}\n",
        "using Microsoft.VisualStudio.TestTools.UnitTesting;\n\n[TestClass]\npublic class CartTests\n{\n    [TestMethod]\n    public void Adds()\n    {\n        Assert.AreEqual(3, Add(1, 2));\n    }\n}\n",
        "using Xunit;\n\npublic class CartTests\n{\n    [Fact]\n    public void Adds()\n    {\n        %SLOT%\n        Assert.Equal(3, Add(1, 2));\n    }\n}\n",
    ],
};
