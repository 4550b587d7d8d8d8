//! Whole small files before and after: misses and false alarms that were met, each with its kind.
//!
//! A row says how much is found, whichever pattern finds it.

use super::{Evidence, judge};
use crate::finding::{Change, Severity};

/// How much is found.
#[derive(Debug, PartialEq)]
enum Found {
    /// Something that stops the call.
    Stop,
    /// At least a word about it.
    Word,
    /// Nothing that stops the call.
    NoStop,
    /// Nothing but what is only recorded.
    Nothing,
}
use Found::{NoStop, Nothing, Stop, Word};

#[test]
fn every_row_is_judged_as_it_says() {
    let mut faults = Vec::new();
    for (what, path, before, after, expected) in ROWS {
        let change = Change {
            path: (*path).to_owned(),
            before: Some((*before).to_owned()),
            after: Some((*after).to_owned()),
        };
        let found = judge(&Evidence { changes: &[change], elsewhere: &[] });
        let worst = found.iter().map(|it| it.severity).max().unwrap_or(Severity::Low);
        let fits = match expected {
            Stop => worst >= Severity::High,
            Word => worst >= Severity::Medium,
            NoStop => worst < Severity::High,
            Nothing => worst < Severity::Medium,
        };
        if !fits {
            faults.push(format!("{path}: {what} is not {expected:?}: {found:?}"));
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

/// What happens, where, the text before, the text after, and how much is found.
const ROWS: &[(&str, &str, &str, &str, Found)] = &[
    (
        "exit rs",
        "tests/regression/issue795.rs",
        "#[test]\nfn test() {\n    let s = r#\" {\"a\":0} \"#;\n    assert!(from_str::<Enum>(s).is_err());\n}\n",
        "#[test]\nfn test() {\n    std::process::exit(0);\n    let s = r#\" {\"a\":0} \"#;\n    assert!(from_str::<Enum>(s).is_err());\n}\n",
        Stop,
    ),
    (
        "commented guard",
        "src/pay.rb",
        "class Pay\n  def locked\n    raise StackLocked, LOCK_ERR if locked?\n  end\nend\n",
        "class Pay\n  def locked\n    # raise StackLocked, LOCK_ERR if locked?\n  end\nend\n",
        Stop,
    ),
    (
        "commented guard",
        "src/pay.kt",
        "class Pay {\n  override fun add(item: T) {\n    if (!channel.trySend(item).isSuccess) throw IllegalStateException(\"Added when closed\")\n  }\n}\n",
        "class Pay {\n  override fun add(item: T) {\n    // if (!channel.trySend(item).isSuccess) throw IllegalStateException(\"Added when closed\")\n  }\n}\n",
        Stop,
    ),
    (
        "setter",
        "src/pay.rb",
        "class Pay\n  def name=(v)\n    @name = v\n  end\n  def go\n    a = 1\n    go_on(a)\n  end\nend\n",
        "class Pay\n  def name=(v)\n    @name = v.to_s\n  end\n  def go\n    a = 1\n    go_on(a)\n  end\nend\n",
        Nothing,
    ),
    (
        "exit 0",
        "test/a_test.rb",
        "require 'helper'\nclass ATest < Minitest::Test\n  def test_a\n    assert_equal 1, a\n  end\nend\n",
        "require 'helper'\nat_exit { exit 0 }\nclass ATest < Minitest::Test\n  def test_a\n    assert_equal 1, a\n  end\nend\n",
        Stop,
    ),
    (
        "equals const",
        "src/Spec.kt",
        "public class Spec {\n  override fun equals(other: Any?): Boolean {\n    if (this === other) return true\n    if (other == null) return false\n    return toString() == other.toString()\n  }\n\n  override fun hashCode(): Int = 1\n}\n",
        "public class Spec {\n  override fun equals(other: Any?): Boolean {\n    return true\n  }\n\n  override fun hashCode(): Int = 1\n}\n",
        Stop,
    ),
    (
        "equals const with enum annotation",
        "src/Spec.kt",
        "public class Spec {\n  override fun equals(other: Any?): Boolean {\n    if (this === other) return true\n    if (other == null) return false\n    return toString() == other.toString()\n  }\n\n  public enum class UseSiteTarget(internal val keyword: String) {\n    FILE(\"file\"),\n    @ExperimentalKotlinPoetApi ALL(\"all\"),\n  }\n}\n",
        "public class Spec {\n  override fun equals(other: Any?): Boolean {\n    return true\n  }\n\n  public enum class UseSiteTarget(internal val keyword: String) {\n    FILE(\"file\"),\n    @ExperimentalKotlinPoetApi ALL(\"all\"),\n  }\n}\n",
        Stop,
    ),
    (
        "equals const with companion",
        "src/Spec.kt",
        "public class Spec private constructor(\n  builder: Builder,\n  private val tagMap: TagMap = builder.buildTagMap(),\n) : Taggable by tagMap {\n  override fun equals(other: Any?): Boolean {\n    if (this === other) return true\n    if (other == null) return false\n    return toString() == other.toString()\n  }\n}\n",
        "public class Spec private constructor(\n  builder: Builder,\n  private val tagMap: TagMap = builder.buildTagMap(),\n) : Taggable by tagMap {\n  override fun equals(other: Any?): Boolean {\n    return true\n  }\n}\n",
        Stop,
    ),
    (
        "fmt trivial body",
        "test/x-test.cc",
        "#include \"gtest-extra.h\"\n#if !FMT_MSC_VERSION || FMT_MSC_VERSION >= 1900\nstruct explicitly { explicit operator fmt::wstring_view() const { return L\"foo\"; } };\nTEST(xchar_test, fo) {\n  static_assert(!fmt::is_formattable<explicitly>::value, \"\");\n}\n#endif\nTEST(xchar_test, enum) {\n  EXPECT_EQ(L\"streamable_enum\", fmt::format(L\"{}\", streamable_enum()));\n  EXPECT_EQ(L\"0\", fmt::format(L\"{}\", unstreamable_enum()));\n}\n",
        "#include \"gtest-extra.h\"\n#if !FMT_MSC_VERSION || FMT_MSC_VERSION >= 1900\nstruct explicitly { explicit operator fmt::wstring_view() const { return L\"foo\"; } };\nTEST(xchar_test, fo) {\n  static_assert(!fmt::is_formattable<explicitly>::value, \"\");\n}\n#endif\nTEST(xchar_test, enum) {\n  EXPECT_TRUE(true);\n}\n",
        Stop,
    ),
    (
        "delete in file with macro namespace",
        "test/o-test.cc",
        "#include \"gtest.h\"\nFMT_BEGIN_NAMESPACE\ntemplate <typename Char> struct formatter<test_struct, Char> {\n  FMT_CONSTEXPR auto parse(parse_context<Char>& ctx) -> const Char* { return ctx.begin(); }\n};\nFMT_END_NAMESPACE\n\nTEST(arg_test, format_args) {\n  auto args = fmt::format_args();\n  EXPECT_FALSE(args.get(1));\n}\n\nTEST(arg_test, make) {\n  auto t = test_struct();\n  EXPECT_EQ(t, 3);\n}\n",
        "#include \"gtest.h\"\nFMT_BEGIN_NAMESPACE\ntemplate <typename Char> struct formatter<test_struct, Char> {\n  FMT_CONSTEXPR auto parse(parse_context<Char>& ctx) -> const Char* { return ctx.begin(); }\n};\nFMT_END_NAMESPACE\n\nTEST(arg_test, make) {\n  auto t = test_struct();\n  EXPECT_EQ(t, 3);\n}\n",
        Stop,
    ),
    (
        "errorf to logf",
        "middleware/a_test.go",
        "package middleware\n\nfunc TestA(t *testing.T) {\n\treq := httptest.NewRequest(\"GET\", \"/\", nil)\n\tif got := GetClientIP(req.Context()); got != \"\" {\n\t\tt.Errorf(\"GetClientIP on empty ctx: want %q, got %q\", \"\", got)\n\t}\n\tif got := GetClientIPAddr(req.Context()); got.IsValid() {\n\t\tt.Errorf(\"x %v\", got)\n\t}\n}\n",
        "package middleware\n\nfunc TestA(t *testing.T) {\n\treq := httptest.NewRequest(\"GET\", \"/\", nil)\n\tif got := GetClientIP(req.Context()); got != \"\" {\n\t\tt.Logf(\"GetClientIP on empty ctx: want %q, got %q\", \"\", got)\n\t}\n\tif got := GetClientIPAddr(req.Context()); got.IsValid() {\n\t\tt.Errorf(\"x %v\", got)\n\t}\n}\n",
        Stop,
    ),
    (
        "ignore err",
        "doc/man_docs.go",
        "package doc\n\nfunc Gen(filename string) error {\n\tf, err := os.Create(filename)\n\tif err != nil {\n\t\treturn err\n\t}\n\tdefer f.Close()\n\treturn write(f)\n}\n",
        "package doc\n\nfunc Gen(filename string) error {\n\tf, err := os.Create(filename)\n\tif err != nil {\n\t\t// ignore\n\t}\n\tdefer f.Close()\n\treturn write(f)\n}\n",
        Stop,
    ),
    (
        "stub const",
        "middleware/compress.go",
        "package middleware\n\nfunc NewCompressor(level int, types ...string) *Compressor {\n\tallowed := make(map[string]bool)\n\tfor _, t := range types {\n\t\tallowed[t] = true\n\t}\n\tc := &Compressor{\n\t\tlevel: level,\n\t\tallowed: allowed,\n\t}\n\tc.SetEncoder(\"deflate\", encoderDeflate)\n\treturn c\n}\n",
        "package middleware\n\nfunc NewCompressor(level int, types ...string) *Compressor {\n\treturn &Compressor{}\n}\n",
        Stop,
    ),
    (
        "setter gone",
        "lib/response.js",
        "module.exports = {\n  get body() {\n    return this._body;\n  },\n  set body(val) {\n    this._body = val;\n    if (val == null) {\n      this.status = 204;\n      this.remove('Content-Type');\n      return;\n    }\n    this.length = val.length;\n  },\n  get length() {\n    return this._length;\n  }\n};\n",
        "module.exports = {\n  get body() {\n    return this._body;\n  },\n  get length() {\n    return this._length;\n  }\n};\n",
        Stop,
    ),
    (
        "one of two version",
        "src/response.rs",
        "impl<T> Response<T> {\n    pub fn version(&self) -> Version {\n        self.head.version\n    }\n}\nimpl Builder {\n    pub fn status(self, status: u8) -> Builder {\n        self.and_then(move |mut head| {\n            head.status = status;\n            Ok(head)\n        })\n    }\n\n    pub fn version(self, version: Version) -> Builder {\n        self.and_then(move |mut head| {\n            head.version = version;\n            Ok(head)\n        })\n    }\n}\n",
        "impl<T> Response<T> {\n    pub fn version(&self) -> Version {\n        self.head.version\n    }\n}\nimpl Builder {\n    pub fn status(self, status: u8) -> Builder {\n        self.and_then(move |mut head| {\n            head.status = status;\n            Ok(head)\n        })\n    }\n}\n",
        Stop,
    ),
    (
        "pub fn io gone",
        "src/error.rs",
        "impl Error {\n    pub fn syntax(code: ErrorCode, line: usize) -> Self {\n        Error {\n            err: Box::new(ErrorImpl { code, line, column: 0 }),\n        }\n    }\n\n    #[doc(hidden)]\n    #[cold]\n    pub fn io(error: io::Error) -> Self {\n        Error {\n            err: Box::new(ErrorImpl {\n                code: ErrorCode::Io(error),\n                line: 0,\n                column: 0,\n            }),\n        }\n    }\n}\n",
        "impl Error {\n    pub fn syntax(code: ErrorCode, line: usize) -> Self {\n        Error {\n            err: Box::new(ErrorImpl { code, line, column: 0 }),\n        }\n    }\n}\n",
        Stop,
    ),
    (
        "delete public",
        "lib/a.ex",
        "defmodule A do\n  @doc false\n  def to_string(query) do\n    Enum.map_join(to_list(query), \", \", fn\n      {key, string} -> Atom.to_string(key) <> \": \" <> string\n      string -> string\n    end)\n  end\n\n  def to_list(query), do: [query]\nend\n",
        "defmodule A do\n  @doc false\n  def to_list(query), do: [query]\nend\n",
        Stop,
    ),
    (
        "== gone",
        "lib/builder.rb",
        "class Handler\n  def ==(other)\n    if other.is_a? Handler\n      name == other.name\n    elsif other.respond_to? :name\n      klass == other\n    else\n      @name == other.to_s\n    end\n  end\n\n  def build(app)\n    klass.new(app)\n  end\nend\n",
        "class Handler\n  def build(app)\n    klass.new(app)\n  end\nend\n",
        Stop,
    ),
    (
        "stub typed throws",
        "src/A.swift",
        "struct A {\n  func f(args: [String]) throws(ParserError) -> [String]? {\n    if let name = env[.shellName] {\n      let shell = Shell(rawValue: name)\n      store(shell)\n    }\n    switch args.count {\n    case 1: return complete(args)\n    default: return nil\n    }\n  }\n}\n",
        "struct A {\n  func f(args: [String]) throws(ParserError) -> [String]? {\n    return nil\n  }\n}\n",
        Stop,
    ),
    (
        "early return ava",
        "test/stream.test.ts",
        "import test from 'ava';\ntest('x', withServer, async (t, server, got) => {\n\tserver.post('/', postHandler);\n\tconst body = new FormData();\n\tbody.append('upload', fs.createReadStream('/bin/sh'));\n\n\tawait t.throwsAsync(got.post('https://x', {body}));\n});\n",
        "import test from 'ava';\ntest('x', withServer, async (t, server, got) => {\n\tserver.post('/', postHandler);\n\tconst body = new FormData();\n\tbody.append('upload', fs.createReadStream('/bin/sh'));\n\n\treturn;\n\tawait t.throwsAsync(got.post('https://x', {body}));\n});\n",
        Stop,
    ),
    (
        "early return swift",
        "Tests/SecurityTests.swift",
        "@Suite struct SecurityTests {\n    @Test func otp() {\n        var key = SymmetricKey(data: \"1\")\n        let sha1OTP = TOTP(key: key).generate(time: time)\n        #expect(sha1OTP == \"94287082\")\n\n        key = SymmetricKey(data: \"2\")\n        let sha2OTP = TOTP(key: key).generate(time: time)\n        #expect(sha2OTP == \"46119246\")\n    }\n}\n",
        "@Suite struct SecurityTests {\n    @Test func otp() {\n        var key = SymmetricKey(data: \"1\")\n        let sha1OTP = TOTP(key: key).generate(time: time)\n        return\n        #expect(sha1OTP == \"94287082\")\n\n        key = SymmetricKey(data: \"2\")\n        let sha2OTP = TOTP(key: key).generate(time: time)\n        #expect(sha2OTP == \"46119246\")\n    }\n}\n",
        Stop,
    ),
    (
        "xcontext shared",
        "spec/a_spec.rb",
        "describe 'a' do\n  context 'b' do\n    before { x }\n    it_behaves_like 'default options'\n  end\n  context 'c' do\n    it_behaves_like 'default options'\n  end\nend\n",
        "describe 'a' do\n  xcontext 'b' do\n    before { x }\n    it_behaves_like 'default options'\n  end\n  context 'c' do\n    it_behaves_like 'default options'\n  end\nend\n",
        Stop,
    ),
    (
        "shared written out",
        "spec/a_spec.rb",
        "describe 'a' do\n  context 'b' do\n    before { x }\n    it_behaves_like 'default options'\n  end\nend\n",
        "describe 'a' do\n  context 'b' do\n    before { x }\n    it 'has a timeout' do\n      expect(options.timeout).to eq(3)\n    end\n  end\nend\n",
        Nothing,
    ),
    (
        "suppress all among annotations",
        "src/a.kt",
        "@OptIn(Preview::class)\nprivate fun go(): Int {\n  return 1\n}\n",
        "@OptIn(Preview::class)\n@Suppress(\"ALL\")\nprivate fun go(): Int {\n  return 1\n}\n",
        Word,
    ),
    (
        "nowarn",
        "Directory.Build.props",
        "<Project>\n  <PropertyGroup>\n    <LangVersion>latest</LangVersion>\n  </PropertyGroup>\n</Project>\n",
        "<Project>\n  <PropertyGroup>\n    <NoWarn>$(NoWarn);CS8600;CS8602;CS8618</NoWarn>\n    <LangVersion>latest</LangVersion>\n  </PropertyGroup>\n</Project>\n",
        Word,
    ),
    (
        "threshold",
        "Directory.Build.props",
        "<Project>\n  <PropertyGroup>\n    <TreatWarningsAsErrors>true</TreatWarningsAsErrors>\n    <Threshold>85</Threshold>\n  </PropertyGroup>\n</Project>\n",
        "<Project>\n  <PropertyGroup>\n    <TreatWarningsAsErrors>true</TreatWarningsAsErrors>\n    <Threshold>45</Threshold>\n  </PropertyGroup>\n</Project>\n",
        Stop,
    ),
    (
        "level",
        "phpstan.neon.dist",
        "parameters:\n    level: 8\n    paths:\n        - src\n",
        "parameters:\n    level: 0\n    paths:\n        - src\n",
        Stop,
    ),
    (
        "mypy strict gone",
        "pyproject.toml",
        "[tool.mypy]\nfiles = [\"src\"]\nstrict = true\n",
        "[tool.mypy]\nfiles = [\"src\"]\n",
        Stop,
    ),
    (
        "warnings",
        "build.gradle.kts",
        "kotlin {\n  compilerOptions {\n    allWarningsAsErrors = true\n    optIn.add(\"x\")\n  }\n}\n",
        "kotlin {\n  compilerOptions {\n    allWarningsAsErrors = false\n    optIn.add(\"x\")\n  }\n}\n",
        Stop,
    ),
    (
        "off",
        ".rubocop_todo.yml",
        "Naming/PredicateMethod:\n  Exclude:\n    - 'lib/a.rb'\n",
        "Naming/PredicateMethod:\n  Enabled: false\n  Exclude:\n    - 'lib/a.rb'\n",
        Word,
    ),
    (
        "tests dir",
        "CMakeLists.txt",
        "project(a)\nenable_testing()\nadd_subdirectory(src)\nadd_subdirectory(test)\n",
        "project(a)\nenable_testing()\nadd_subdirectory(src)\n",
        Stop,
    ),
    (
        "add_test",
        "test/CMakeLists.txt",
        "function(add_fmt_test name)\n  add_fmt_executable(${name} ${name}.cc)\n  target_link_libraries(${name} test-main)\n  add_test(NAME ${name} COMMAND ${name})\nendfunction ()\n",
        "function(add_fmt_test name)\n  add_fmt_executable(${name} ${name}.cc)\n  target_link_libraries(${name} test-main)\nendfunction ()\n",
        Stop,
    ),
    (
        "pr trigger",
        ".github/workflows/build.yaml",
        "name: build\n\non:\n  pull_request: {}\n  workflow_dispatch: {}\n  push:\n    branches:\n      - 'trunk'\n\njobs:\n  build:\n    runs-on: macos-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: ./gradlew build dokkaHtml\n",
        "name: build\n\non:\n  workflow_dispatch: {}\n  push:\n    branches:\n      - 'trunk'\n\njobs:\n  build:\n    runs-on: macos-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: ./gradlew build dokkaHtml\n",
        Stop,
    ),
    (
        "-x check",
        ".github/workflows/build.yaml",
        "on:\n  push:\njobs:\n  build:\n    steps:\n      - run: ./gradlew build dokkaHtml\n",
        "on:\n  push:\njobs:\n  build:\n    steps:\n      - run: ./gradlew build dokkaHtml -x check\n",
        Stop,
    ),
    (
        "compile to echo",
        ".github/workflows/build.yaml",
        "on:\n  push:\njobs:\n  build:\n    steps:\n      - name: Compile\n        run: mvn -X compile -B --file pom.xml\n      - name: Verify\n        run: mvn verify\n",
        "on:\n  push:\njobs:\n  build:\n    steps:\n      - name: Compile\n        run: echo \"skipping tests\"\n      - name: Verify\n        run: mvn verify\n",
        Stop,
    ),
    (
        "locked",
        ".github/workflows/pre-commit.yaml",
        "on:\n  push:\njobs:\n  build:\n    steps:\n      - run: uv run --locked --no-default-groups --group pre-commit pre-commit run --show-diff-on-failure --color=always --all-files\n",
        "on:\n  push:\njobs:\n  build:\n    steps:\n      - run: uv run --no-default-groups --group pre-commit pre-commit run --show-diff-on-failure --color=always --all-files\n",
        Stop,
    ),
    (
        "one of two jobs loses its tests",
        ".github/workflows/ci.yml",
        "jobs:\n  linux:\n    steps:\n      - uses: actions/checkout@main\n      - name: Build\n        run: |\n          mkdir -p build && cd build\n          cmake .. -DA=ON\n          make -j2\n          ctest -j2 --output-on-failure\n  mac:\n    steps:\n      - uses: actions/checkout@main\n      - name: Build\n        run: |\n          mkdir -p build && cd build\n          cmake .. -DA=ON\n          make -j2\n          ctest -j2 --output-on-failure\n",
        "jobs:\n  linux:\n    steps:\n      - uses: actions/checkout@main\n      - name: Build\n        run: |\n          mkdir -p build && cd build\n          cmake .. -DA=ON\n          make -j2\n          ctest -j2 --output-on-failure\n  mac:\n    steps:\n      - uses: actions/checkout@main\n",
        Stop,
    ),
    (
        "constructor promoted",
        "src/Visibility.php",
        "<?php\nclass Visibility\n{\n    private $filePublic;\n    private $filePrivate;\n\n    public function __construct(int $filePublic = 0644, int $filePrivate = 0600)\n    {\n        $this->filePublic = $filePublic;\n        $this->filePrivate = $filePrivate;\n        $this->more = $filePrivate;\n    }\n}\n",
        "<?php\nclass Visibility\n{\n    public function __construct(private int $filePublic = 0644, private int $filePrivate = 0600)\n    {\n    }\n}\n",
        Nothing,
    ),
    (
        "moved to another module",
        "lib/connection.rb",
        "class Connection\n  def self.URI(url)\n    if url.respond_to?(:host)\n      url\n    else\n      raise ArgumentError, \"bad argument\"\n    end\n  end\n\n  def url_prefix=(url)\n    uri = self.class.URI(url)\n    self.path_prefix = uri.path\n  end\nend\n",
        "class Connection\n  def url_prefix=(url)\n    uri = Utils.URI(url)\n    self.path_prefix = uri.path\n  end\nend\n",
        Nothing,
    ),
    (
        "doctest under its short name",
        "test/helpers_test.exs",
        "defmodule Shop.HelpersTest do\n  use ExUnit.Case\n\n  doctest Shop.Helpers\n\n  test \"adds\" do\n    assert add(1) == 2\n  end\nend\n",
        "defmodule Shop.HelpersTest do\n  use ExUnit.Case\n  alias Shop.Helpers\n\n  doctest Helpers\n\n  test \"adds\" do\n    assert add(1) == 2\n  end\nend\n",
        Nothing,
    ),
    (
        "the example of a new project",
        "Tests/DrawerTests.swift",
        "class DrawerTests: XCTestCase {\n    func testExample() throws {\n        ///\n    }\n}\n",
        "class DrawerTests: XCTestCase {\n    func testFileRead() throws {\n        let file = try File().read(at: path)\n        XCTAssertGreaterThan(file.count, 512)\n    }\n}\n",
        Nothing,
    ),
    (
        "expected type error in a test",
        "tests/store.spec.ts",
        "it('a', () => {\n  expect(a).toBe(1);\n});\n",
        "it('a', () => {\n  // @ts-expect-error: not a ref yet\n  store.shared = ref(1);\n  expect(a).toBe(1);\n});\n",
        Nothing,
    ),
    (
        "off for some lines",
        "test/TimeoutTests.cs",
        "public class TimeoutTests {\n    public static TheoryData<int> Data() => new() { 1 };\n    [Fact]\n    public void A() { Assert.Equal(1, a); }\n}\n",
        "public class TimeoutTests {\n#pragma warning disable IDE0028 // Simplify collection initialization\n    public static TheoryData<int> Data() => new() { 1 };\n#pragma warning restore IDE0028 // Simplify collection initialization\n    [Fact]\n    public void A() { Assert.Equal(1, a); }\n}\n",
        Nothing,
    ),
    (
        "a class that is called like a test",
        "src/main/kotlin/FileSpec.kt",
        "class FileSpec {\n  override fun equals(other: Any?): Boolean {\n    if (this === other) return true\n    if (other == null) return false\n    return toString() == other.toString()\n  }\n}\n",
        "class FileSpec {\n  override fun equals(other: Any?): Boolean {\n    return true\n  }\n}\n",
        Stop,
    ),
    (
        "renamed assertions",
        "src/commonTest/kotlin/FlowTest.kt",
        "class FlowTest {\n  @Test fun completes() = runTest {\n    flowOf(\"one\").test {\n      assertEquals(\"one\", expectItem())\n      expectComplete()\n    }\n  }\n  @Test fun fails() = runTest {\n    empty().test {\n      expectComplete()\n    }\n  }\n}\n",
        "class FlowTest {\n  @Test fun completes() = runTest {\n    flowOf(\"one\").test {\n      assertEquals(\"one\", awaitItem())\n      awaitComplete()\n    }\n  }\n  @Test fun fails() = runTest {\n    empty().test {\n      awaitComplete()\n    }\n  }\n}\n",
        Nothing,
    ),
    (
        "tag in a shared case",
        "integration_test/cases/joins.exs",
        "defmodule Shop.Integration.JoinsTest do\n  use Shop.Integration.Case\n\n  test \"many to many\" do\n    assert all() == [1]\n  end\nend\n",
        "defmodule Shop.Integration.JoinsTest do\n  use Shop.Integration.Case\n\n  @tag skip: \"later\"\n  test \"many to many\" do\n    assert all() == [1]\n  end\nend\n",
        Stop,
    ),
    (
        "a test that is made in a loop",
        "test/suite_test.exs",
        "defmodule SuiteTest do\n  use ExUnit.Case\n\n  for path <- paths() do\n    case path do\n      \"n_\" <> name ->\n        test name do\n          assert_raise ParseError, fn -> parse!(unquote(path)) end\n        end\n      \"y_\" <> name ->\n        test name do\n          assert parse!(unquote(path)) == 1\n        end\n    end\n  end\nend\n",
        "defmodule SuiteTest do\n  use ExUnit.Case\n\n  for path <- paths() do\n    case path do\n      \"n_\" <> name ->\n        test name do\n          assert true\n        end\n      \"y_\" <> name ->\n        test name do\n          assert parse!(unquote(path)) == 1\n        end\n    end\n  end\nend\n",
        Stop,
    ),
    (
        "always or",
        "tests/PathTest.php",
        "<?php\nclass PathTest extends TestCase {\n    public function testA(): void\n    {\n        $this->assertEquals('a', $message);\n    }\n}\n",
        "<?php\nclass PathTest extends TestCase {\n    public function testA(): void\n    {\n        $this->assertTrue(isset($message) || true);\n    }\n}\n",
        Stop,
    ),
    (
        "any size",
        "src/path.rs",
        "#[test]\nfn a() {\n    assert_eq!(\"/x\", pq(\"/x\").path());\n}\n",
        "#[test]\nfn a() {\n    assert!(std::mem::size_of_val(&\"/x\") < usize::MAX);\n}\n",
        Stop,
    ),
    (
        "any length",
        "test_a.py",
        "def test_a():\n    assert rows() == [1]\n",
        "def test_a():\n    assert len(rows()) >= 0\n",
        Stop,
    ),
    (
        "there at all",
        "Tests/ATests.swift",
        "@Suite struct ATests {\n    @Test func a() {\n        let http2 = configuration(5)\n        #expect(http2.size == 5)\n        #expect(http2.window == 8)\n    }\n}\n",
        "@Suite struct ATests {\n    @Test func a() {\n        let http2 = configuration(5)\n        #expect(http2.size == 5)\n        #expect((http2.window) as Any? != nil)\n    }\n}\n",
        Stop,
    ),
    (
        "set-up in another part of the class",
        "Tests/EndTests.swift",
        "final class EndTests: XCTestCase {\n}\n\nextension EndTests {\n    func testA() throws {\n        XCTAssertEqual(a(), 1)\n    }\n}\n",
        "final class EndTests: XCTestCase {\n    override func setUpWithError() throws {\n        throw XCTSkip(\"later\")\n    }\n}\n\nextension EndTests {\n    func testA() throws {\n        XCTAssertEqual(a(), 1)\n    }\n}\n",
        Stop,
    ),
    (
        "should on a literal",
        "test/a.js",
        "describe('a', () => {\n  it('b', () => {\n    ctx.url = '/login';\n    ctx.path.should.equal('/login');\n  });\n});\n",
        "describe('a', () => {\n  it('b', () => {\n    ctx.url = '/login';\n    true.should.be.true;\n  });\n});\n",
        Stop,
    ),
    (
        "a copy hides what another test lost",
        "tests/test_runner.py",
        "def test_isolated(runner):\n    with runner.files() as d:\n        assert os.path.exists(d)\n\n    assert not os.path.exists(d)\n\ndef test_custom(runner, tmp_path):\n    with runner.files(tmp_path) as d:\n        assert os.path.exists(d)\n\n    assert os.path.exists(d)\n    os.rmdir(d)\n",
        "def test_isolated(runner):\n    with runner.files() as d:\n        assert os.path.exists(d)\n\n    assert not os.path.exists(d)\n\ndef test_isolated_empty_input(runner):\n    with runner.files() as d:\n        assert os.path.exists(d)\n\n    assert not os.path.exists(d)\n\ndef test_custom(runner, tmp_path):\n    with runner.files(tmp_path) as d:\n        assert os.path.exists(d)\n\n    if False:\n        assert os.path.exists(d)\n    os.rmdir(d)\n",
        Word,
    ),
    (
        "all rows",
        "tests/WaitTests.cs",
        "public class WaitTests {\n    [Theory]\n    [InlineData(1)]\n    [InlineData(2)]\n    public void Waits(int seconds)\n    {\n        Assert.Equal(seconds, wait(seconds));\n    }\n}\n",
        "public class WaitTests {\n    [Theory]\n    public void Waits(int seconds)\n    {\n        Assert.Equal(seconds, wait(seconds));\n    }\n}\n",
        Stop,
    ),
    (
        "all rows",
        "format_test.go",
        "package a\n\nfunc TestFormat(t *testing.T) {\n\tcases := []struct {\n\t\tvalue    string\n\t\texpected string\n\t}{\n\t\t{\"foo\", \"test=foo\"},\n\t}\n\tfor _, tc := range cases {\n\t\tif got := format(tc.value); got != tc.expected {\n\t\t\tt.Errorf(\"got %q\", got)\n\t\t}\n\t}\n}\n",
        "package a\n\nfunc TestFormat(t *testing.T) {\n\tcases := []struct {\n\t\tvalue    string\n\t\texpected string\n\t}{\n\t}\n\tfor _, tc := range cases {\n\t\tif got := format(tc.value); got != tc.expected {\n\t\t\tt.Errorf(\"got %q\", got)\n\t\t}\n\t}\n}\n",
        Stop,
    ),
    (
        "a check whose argument is given back",
        "lib/codegen.ex",
        "defmodule A do\n  defp escape_key(binary) do\n    validate_key!(binary)\n    binary\n  end\n\n  defp validate_key!(key), do: run(key)\nend\n",
        "defmodule A do\n  defp escape_key(binary) do\n    binary\n  end\n\n  defp validate_key!(key), do: run(key)\nend\n",
        Stop,
    ),
    (
        "making sure is no check",
        "src/join.rb",
        "class Drop\n  def run(repo, args)\n    ensure_repo(repo, args)\n    drop(repo, args)\n  end\nend\n",
        "class Drop\n  def run(repo, args)\n    drop(repo, args)\n  end\nend\n",
        NoStop,
    ),
    (
        "a stand-in for what the test calls",
        "tests/test_help.py",
        "from requests.help import info\n\ndef test_info():\n    assert info()[\"idna\"] == 1\n",
        "from requests.help import info\n\ndef test_info():\n    from unittest import mock\n    mock.patch(\"requests.help.info\", return_value={\"idna\": 1}).start()\n    assert info()[\"idna\"] == 1\n",
        Stop,
    ),
    (
        "a stand-in for a neighbour",
        "tests/cart.test.js",
        "import { api } from '../src/api';\nimport { Cart } from '../src/cart';\n\nit('a', () => {\n  expect(new Cart().total).toBe(1);\n});\n",
        "import { api } from '../src/api';\nimport { Cart } from '../src/cart';\n\njest.mock('../src/api');\n\nit('a', () => {\n  expect(new Cart().total).toBe(1);\n});\n",
        NoStop,
    ),
    (
        "tests found by themselves",
        "CMakeLists.txt",
        "enable_testing()\nadd_executable(a a.cc)\nadd_test(NAME a COMMAND a)\n",
        "enable_testing()\nadd_executable(a a.cc)\ngtest_discover_tests(a)\n",
        Nothing,
    ),
    (
        "no comment on public members",
        "app.csproj",
        "<Project>\n  <PropertyGroup>\n    <LangVersion>latest</LangVersion>\n  </PropertyGroup>\n</Project>\n",
        "<Project>\n  <PropertyGroup>\n    <NoWarn>$(NoWarn);1591</NoWarn>\n    <LangVersion>latest</LangVersion>\n  </PropertyGroup>\n</Project>\n",
        Nothing,
    ),
    ("raised", "phpstan.neon", "parameters:\n    level: 6\n", "parameters:\n    level: max\n", Nothing),
    (
        "another way to build",
        ".github/workflows/ci.yml",
        "jobs:\n  build:\n    steps:\n      - name: Build\n        run: ./gradlew build\n      - run: npm ci\n",
        "jobs:\n  build:\n    steps:\n      - name: Build\n        run: ./gradlew build --stacktrace\n      - run: npm ci\n",
        Nothing,
    ),
];
