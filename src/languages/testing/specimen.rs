//! What a file of a kind typically holds, so that an edit can be judged whose file can't be read.
//!
//! Made up, short, and with everything in it that such an edit is aimed at. A line may hold a text of the edit's own.

use crate::languages::testing::paths::file_name;
use crate::languages::{Language, is_test_path};

/// Stands for a text that the edit is aimed at.
const SLOT: &str = "%SLOT%";

/// Typical texts of the file that a path names, each with `aim` in it where that is given. None for a file that
/// neither tests nor configures checks.
pub fn specimens(path: &str, aim: Option<&str>) -> Vec<String> {
    let templates = match configuration(path) {
        [] if is_test_path(path) => Language::of_path(path).map_or(&[][..], tests),
        known => known,
    };
    let filled = |template: &&str| match aim {
        Some(aim) => template.replace(SLOT, aim),
        None => (*template).to_owned(),
    };
    let fits = |template: &&&str| template.contains(SLOT) == aim.is_some();
    templates.iter().filter(fits).map(filled).collect()
}

fn configuration(path: &str) -> &'static [&'static str] {
    let name = file_name(path);
    let slashed = format!("/{}", path.replace('\\', "/"));
    let is_yaml = name.ends_with(".yml") || name.ends_with(".yaml");
    if is_yaml && (slashed.contains("/.github/workflows/") || slashed.contains("/.circleci/")) {
        return WORKFLOWS;
    }
    if slashed.contains("/.husky/") || slashed.contains("/.git/hooks/") || slashed.contains("/.githooks/") {
        return HOOKS;
    }
    match name {
        "package.json" | "composer.json" => MANIFESTS,
        ".gitlab-ci.yml" | ".travis.yml" | "azure-pipelines.yml" | "bitbucket-pipelines.yml" => PIPELINES,
        "pyproject.toml" | "ruff.toml" | "mypy.ini" => PYPROJECTS,
        "pytest.ini" | "tox.ini" | "setup.cfg" | ".coveragerc" => INIS,
        "Makefile" | "makefile" | "GNUmakefile" | "justfile" | "Justfile" => MAKEFILES,
        "Cargo.toml" => CARGOS,
        ".pre-commit-config.yaml" | ".pre-commit-config.yml" => PRE_COMMITS,
        _ if name.starts_with("tsconfig") || name.starts_with(".eslintrc") || name.contains("nycrc") => JSONS,
        _ if name.starts_with("jest.config") || name.starts_with("vitest.config") => RUNNERS,
        "codecov.yml" | ".codecov.yml" => {
            &["coverage:\n  status:\n    project:\n      default:\n        %SLOT%\n"]
        }
        _ => &[],
    }
}

const WORKFLOWS: &[&str] = &[
    "on:\n  push:\n  pull_request:\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm ci\n      - name: Test\n        run: npm test\n      - name: Lint\n        run: npm run lint\n  lint:\n    runs-on: ubuntu-latest\n    steps:\n      - run: npx eslint .\n",
    "on:\n  push:\n  pull_request:\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - name: Test\n        run: %SLOT%\n",
    "on:\n  push:\n  pull_request:\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      %SLOT%\n",
    "on:\n  push:\n  pull_request:\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - name: Test\n        %SLOT%\n",
    "on:\n  push:\n  pull_request:\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: |\n          make build\n          %SLOT%\n",
    "on:\n  push:\n  %SLOT%\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: npm test\n",
    "on: push\nenv:\n  %SLOT%\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: npm test\n",
];
const PIPELINES: &[&str] = &[
    "test:\n  script:\n    - npm ci\n    - npm test\nlint:\n  script:\n    - npm run lint\n",
    "test:\n  script:\n    - npm ci\n    - %SLOT%\n",
    "test:\n  script:\n    - npm ci\n    %SLOT%\n",
    "test:\n  %SLOT%\n  script:\n    - npm test\n",
];
const HOOKS: &[&str] =
    &["#!/usr/bin/env sh\nset -e\nnpx lint-staged\nnpm test\n", "#!/usr/bin/env sh\nset -e\n%SLOT%\n"];
const MANIFESTS: &[&str] = &[
    "{\n  \"name\": \"shop\",\n  \"scripts\": {\n    \"build\": \"tsc\",\n    \"test\": \"jest --ci\",\n    \"test:unit\": \"jest unit\",\n    \"lint\": \"eslint .\",\n    \"typecheck\": \"tsc --noEmit\",\n    \"check\": \"npm run lint && npm test\",\n    \"ci\": \"npm test\",\n    \"coverage\": \"nyc npm test\",\n    \"e2e\": \"playwright test\",\n    \"prepare\": \"husky\",\n    \"pre-commit\": \"lint-staged\"\n  },\n  \"lint-staged\": {\n    \"*.js\": \"eslint\"\n  },\n  \"jest\": {\n    \"coverageThreshold\": {\n      \"global\": {\n        \"lines\": 90,\n        \"branches\": 90,\n        \"functions\": 90,\n        \"statements\": 90\n      }\n    }\n  }\n}\n",
    "{\n  \"name\": \"shop\",\n  \"scripts\": {\n    \"test\": \"%SLOT%\"\n  }\n}\n",
    "{\n  \"name\": \"shop\",\n  \"scripts\": {\n    %SLOT%\n  }\n}\n",
    "{\n  \"name\": \"shop\",\n  \"jest\": {\n    \"coverageThreshold\": {\n      \"global\": {\n        %SLOT%\n      }\n    }\n  }\n}\n",
];
const JSONS: &[&str] = &[
    "{\n  \"compilerOptions\": {\n    \"strict\": true,\n    \"noImplicitAny\": true,\n    \"strictNullChecks\": true,\n    \"noUnusedLocals\": true\n  },\n  \"rules\": {\n    \"no-undef\": \"error\",\n    \"no-unused-vars\": \"error\"\n  },\n  \"check-coverage\": true,\n  \"lines\": 90,\n  \"branches\": 90\n}\n",
    "{\n  \"compilerOptions\": {\n    %SLOT%\n  }\n}\n",
    "{\n  \"rules\": {\n    %SLOT%\n  }\n}\n",
    "{\n  %SLOT%\n}\n",
];
const PYPROJECTS: &[&str] = &[
    "[tool.pytest.ini_options]\naddopts = \"-ra --strict-markers\"\ntestpaths = [\"tests\"]\nxfail_strict = true\n\n[tool.coverage.report]\nfail_under = 90\n\n[tool.mypy]\nstrict = true\n\n[tool.ruff.lint]\nselect = [\"E\", \"F\"]\nignore = [\"E501\"]\n",
    "[tool.coverage.report]\n%SLOT%\n",
    "[tool.pytest.ini_options]\n%SLOT%\n",
    "[tool.mypy]\n%SLOT%\n",
    "[tool.ruff.lint]\n%SLOT%\n",
];
const INIS: &[&str] = &[
    "[pytest]\naddopts = -ra\ntestpaths = tests\nxfail_strict = true\n",
    "[pytest]\n%SLOT%\n",
    "[report]\n%SLOT%\n",
    "[coverage:report]\n%SLOT%\n",
    "[testenv]\ncommands = pytest\n",
    "[testenv]\ncommands = %SLOT%\n",
    "[testenv]\n%SLOT%\n",
    "[run]\nomit = setup.py\n",
];
const MAKEFILES: &[&str] = &[
    "build:\n\tmake all\n\ntest:\n\tnpm test\n\nlint:\n\tnpm run lint\n\ncheck:\n\tpytest -q\n",
    "build:\n\tmake all\n\ntest:\n\t%SLOT%\n",
    "build:\n\tmake all\n\n%SLOT%\n\tnpm test\n",
];
const CARGOS: &[&str] = &[
    "[package]\nname = \"shop\"\n\n[lib]\npath = \"src/lib.rs\"\n\n[lints.rust]\nwarnings = \"deny\"\n\n[lints.clippy]\nunwrap_used = \"deny\"\n",
    "[package]\nname = \"shop\"\n\n[lints.clippy]\n%SLOT%\n",
    "[package]\nname = \"shop\"\n\n[lib]\n%SLOT%\n",
];
const PRE_COMMITS: &[&str] = &[
    "repos:\n  - repo: x\n    rev: v1\n    hooks:\n      - id: mypy\n      - id: ruff\n      - id: pytest\n",
    "repos:\n  - repo: x\n    rev: v1\n    hooks:\n      - id: mypy\n      %SLOT%\n",
    "repos:\n  - repo: x\n    rev: v1\n    hooks:\n      - id: mypy\n        %SLOT%\n",
];
const RUNNERS: &[&str] = &[
    "module.exports = {\n  verbose: true,\n  testMatch: ['**/*.test.js'],\n  coverageThreshold: { global: { lines: 90, branches: 90, functions: 90, statements: 90 } },\n};\n",
    "module.exports = {\n  coverageThreshold: { global: { %SLOT% } },\n};\n",
    "module.exports = {\n  verbose: true,\n  %SLOT%\n};\n",
];

/// Tests of a language.
fn tests(language: Language) -> &'static [&'static str] {
    match language {
        Language::JavaScript | Language::TypeScript | Language::Tsx => &[
            "describe('cart', () => {\n  it('adds', () => {\n    expect(add(1, 2)).toBe(3);\n  });\n\n  it('drops', async () => {\n    const left = await drop(9);\n    expect(left).toEqual(8);\n  });\n\n  test('ships', () => {\n    expect(ship('x')).toBe(true);\n  });\n});\n",
            "test('adds', () => {\n  expect(add(1, 2)).toBe(3);\n});\n\ntest('drops', () => {\n  assert.equal(drop(9), 8);\n  assert.strictEqual(drop(4), 3);\n});\n",
            "it('adds', () => {\n  %SLOT%\n  expect(add(1, 2)).toBe(3);\n});\n",
            "%SLOT%, () => {\n  expect(add(1, 2)).toBe(3);\n});\n",
        ],
        Language::Python => &[
            "import unittest\n\nimport pytest\n\n\ndef test_total():\n    assert total([3, 4]) == 7\n\n\ndef test_tax():\n    assert tax(100, 'DE') == 19\n    assert tax(0, 'DE') == 0\n\n\nclass TestCart(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n        self.assertTrue(is_open())\n",
            "def test_total():\n    %SLOT%\n    assert total([3, 4]) == 7\n",
            "%SLOT%\n    assert total([3, 4]) == 7\n",
        ],
        Language::Rust => &[
            "#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn sums() {\n        assert_eq!(add(1, 2), 3);\n        assert!(is_open());\n    }\n\n    #[tokio::test]\n    async fn waits() {\n        assert_eq!(wait().await, 4);\n    }\n}\n",
            "#[test]\nfn sums() {\n    assert_eq!(add(1, 2), 3);\n}\n\n#[test]\nfn drops() {\n    assert_ne!(drop(9), 9);\n}\n",
            "#[test]\nfn sums() {\n    %SLOT%\n    assert_eq!(add(1, 2), 3);\n}\n",
        ],
        Language::Go => &[
            "package shop\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif got := Total(3, 4); got != 7 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n\nfunc TestTax(t *testing.T) {\n\tif Tax(100) != 19 {\n\t\tt.Fatal(\"tax\")\n\t}\n\tif Tax(0) != 0 {\n\t\tt.Error(\"none\")\n\t}\n\tif Tax(1) != 1 {\n\t\tt.Fatalf(\"one %d\", 1)\n\t}\n}\n",
            "package shop\n\nimport (\n\t\"testing\"\n\n\t\"github.com/stretchr/testify/assert\"\n\t\"github.com/stretchr/testify/require\"\n)\n\nfunc TestTotal(t *testing.T) {\n\tassert.Equal(t, 7, Total(3, 4))\n\trequire.NoError(t, Open())\n}\n",
            "package shop\n\nfunc TestTotal(t *testing.T) {\n\t%SLOT%\n\tassert.Equal(t, 7, Total(3, 4))\n}\n",
        ],
        Language::Java => &[
            "import org.junit.jupiter.api.Test;\nimport static org.junit.jupiter.api.Assertions.*;\n\nclass CartTest {\n    @Test\n    void adds() {\n        assertEquals(3, add(1, 2));\n    }\n\n    @Test\n    public void drops() {\n        assertTrue(drop(9));\n        assertThat(left()).isEqualTo(8);\n    }\n}\n",
            "import org.junit.jupiter.api.Test;\n\nclass CartTest {\n    @Test\n    void adds() {\n        %SLOT%\n        assertEquals(3, add(1, 2));\n    }\n}\n",
        ],
        Language::Kotlin => &[
            "import org.junit.jupiter.api.Test\nimport kotlin.test.assertEquals\n\nclass CartTest {\n    @Test\n    fun adds() {\n        assertEquals(3, add(1, 2))\n    }\n\n    @Test\n    fun drops() {\n        assertThat(drop(9)).isEqualTo(8)\n    }\n}\n",
            "import org.junit.jupiter.api.Test\n\nclass CartTest {\n    @Test\n    fun adds() {\n        %SLOT%\n        assertEquals(3, add(1, 2))\n    }\n}\n",
        ],
        Language::CSharp => &[
            "using Xunit;\n\npublic class CartTests\n{\n    [Fact]\n    public void Adds()\n    {\n        Assert.Equal(3, Add(1, 2));\n    }\n\n    [Theory]\n    [InlineData(1)]\n    public void Drops(int x)\n    {\n        Assert.True(Drop(x));\n        result.ShouldBe(8);\n    }\n}\n",
            "using NUnit.Framework;\n\n[TestFixture]\npublic class CartTests\n{\n    [Test]\n    public void Adds()\n    {\n        Assert.AreEqual(3, Add(1, 2));\n        Assert.That(Left(), Is.EqualTo(8));\n    }\n}\n",
            "using Microsoft.VisualStudio.TestTools.UnitTesting;\n\n[TestClass]\npublic class CartTests\n{\n    [TestMethod]\n    public void Adds()\n    {\n        Assert.AreEqual(3, Add(1, 2));\n    }\n}\n",
            "using Xunit;\n\npublic class CartTests\n{\n    [Fact]\n    public void Adds()\n    {\n        %SLOT%\n        Assert.Equal(3, Add(1, 2));\n    }\n}\n",
        ],
        Language::Php => &[
            "<?php\n\nclass CartTest extends TestCase\n{\n    public function testAdds()\n    {\n        $this->assertEquals(3, add(1, 2));\n        $this->assertTrue(isOpen());\n    }\n\n    public function test_drops(): void\n    {\n        self::assertSame(8, drop(9));\n    }\n}\n",
            "<?php\n\nit('adds', function () {\n    expect(add(1, 2))->toBe(3);\n});\n\ntest('drops', function () {\n    expect(drop(9))->toBe(8);\n});\n",
            "<?php\n\nclass CartTest extends TestCase\n{\n    public function testAdds()\n    {\n        %SLOT%\n        $this->assertEquals(3, add(1, 2));\n    }\n}\n",
        ],
        Language::Cpp => &[
            "#include <gtest/gtest.h>\n\nTEST(Cart, Adds) {\n  EXPECT_EQ(3, Add(1, 2));\n}\n\nTEST_F(CartTest, Drops) {\n  ASSERT_EQ(8, Drop(9));\n  ASSERT_TRUE(IsOpen());\n}\n",
            "#include <catch2/catch.hpp>\n\nTEST_CASE(\"adds\") {\n  REQUIRE(add(1, 2) == 3);\n}\n\nTEST_CASE(\"drops\", \"[cart]\") {\n  CHECK(drop(9) == 8);\n}\n",
            "#include <cassert>\n\nTEST(Cart, Holds) {\n  assert(add(1, 2) == 3);\n}\n",
            "TEST(Cart, Adds) {\n  %SLOT%\n  EXPECT_EQ(3, Add(1, 2));\n}\n",
        ],
        Language::Swift => &[
            "import XCTest\n\nfinal class CartTests: XCTestCase {\n    func testAdds() {\n        XCTAssertEqual(add(1, 2), 3)\n    }\n\n    func testDrops() throws {\n        XCTAssertTrue(drop(9))\n    }\n}\n",
            "import Testing\n\n@Test func adds() {\n    #expect(add(1, 2) == 3)\n}\n\n@Test(\"drops\") func drops() {\n    #expect(drop(9) == 8)\n}\n",
            "import XCTest\n\nfinal class CartTests: XCTestCase {\n    func testAdds() {\n        %SLOT%\n        XCTAssertEqual(add(1, 2), 3)\n    }\n}\n",
        ],
        Language::Elixir => &[
            "defmodule CartTest do\n  use ExUnit.Case\n\n  test \"adds\" do\n    assert add(1, 2) == 3\n  end\n\n  describe \"drop\" do\n    test \"drops\" do\n      assert drop(9) == 8\n      refute open?()\n    end\n  end\nend\n",
            "defmodule CartTest do\n  use ExUnit.Case\n\n  test \"adds\" do\n    %SLOT%\n    assert add(1, 2) == 3\n  end\nend\n",
        ],
        Language::Ruby => &[
            "RSpec.describe Cart do\n  it 'adds' do\n    expect(add(1, 2)).to eq(3)\n  end\n\n  it \"drops\" do\n    expect(drop(9)).to eq(8)\n  end\nend\n",
            "describe Cart do\n  it \"adds\" do\n    _(add(1, 2)).must_equal 3\n  end\n\n  should \"drop\" do\n    drop(9).must_equal 8\n  end\nend\n",
            "class CartTest < Minitest::Test\n  def test_adds\n    assert_equal 3, add(1, 2)\n  end\n\n  def test_drops\n    assert drop(9)\n    refute open?\n  end\nend\n",
            "RSpec.describe Cart do\n  it 'adds' do\n    %SLOT%\n    expect(add(1, 2)).to eq(3)\n  end\nend\n",
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::{outline_of, settings};

    #[test]
    fn each_specimen_is_what_its_file_holds() {
        for path in [
            "a.test.js",
            "a.test.ts",
            "test_a.py",
            "tests/a.rs",
            "a_test.go",
            "ATest.java",
            "ATest.kt",
            "ATests.cs",
            "ATest.php",
            "a_test.cc",
            "ATests.swift",
            "a_test.exs",
            "a_spec.rb",
        ] {
            for text in specimens(path, None).iter().filter(|text| !text.contains("cassert")) {
                let tests = outline_of(path, text).tests;
                assert!(tests.iter().any(|test| !test.assertions.is_empty()), "{path}: {text}");
            }
        }
        for path in ["package.json", "tsconfig.json", ".github/workflows/ci.yml", "pyproject.toml", "tox.ini"]
        {
            for text in specimens(path, None) {
                assert!(settings(path, &text).is_some_and(|all| !all.is_empty()), "{path}: {text}");
            }
        }
    }

    #[test]
    fn an_aim_stands_in_it_and_other_files_have_none() {
        let filled = specimens("pyproject.toml", Some("fail_under = 90"));
        assert!(!filled.is_empty() && filled.iter().all(|text| text.contains("fail_under = 90\n")));
        assert!(specimens("src/a.rs", None).is_empty() && specimens("README.md", Some("x")).is_empty());
        assert!(specimens("a.test.js", None).iter().all(|text| !text.contains(SLOT)));
    }
}
