//! What tells code that a test runs it: variables, modules and callers, told from names that only look like these.

use crate::model::words::is_name_part;

/// What only a test run sets, as it stands in a condition without white space.
const RUNS: &[&str] = &[
    "NODE_ENV==='test'",
    "NODE_ENV===\"test\"",
    "NODE_ENV=='test'",
    "NODE_ENV==\"test\"",
    "'test'===process.env.NODE_ENV",
    "JEST_WORKER_ID",
    "process.env.VITEST",
    "import.meta.vitest",
    "PYTEST_CURRENT_TEST",
    "\"pytest\"insys.modules",
    "'pytest'insys.modules",
    "\"unittest\"insys.modules",
    "'unittest'insys.modules",
    "cfg!(test)",
    "testing.Testing()",
    "strings.HasSuffix(os.Args[0],\".test\")",
    "flag.Lookup(\"test.v\")",
    "typeofjest",
    "typeofdescribe",
    "RUST_TEST",
    "NEXTEST",
    "process.env.TEST",
    "GO_TEST",
    "os.Getenv(\"TEST\")",
    "typeofit===",
    "MOCHA",
    "(\"TESTING\")",
    "('TESTING')",
    "[\"TESTING\"]",
    "['TESTING']",
    "process.env.TESTING",
    "Rails.env.test?",
    "ENV[\"RACK_ENV\"]==\"test\"",
    "ENV['RACK_ENV']=='test'",
    "ENV[\"RAILS_ENV\"]==\"test\"",
    "ENV['RAILS_ENV']=='test'",
    "ENV.fetch(\"RACK_ENV\"",
    "ENV.fetch('RACK_ENV'",
    "defined?(RSpec)",
    "defined?(::RSpec)",
    "defined?(Minitest)",
    "defined?(::Minitest)",
    "Mix.env()==:test",
    "Mix.env==:test",
    "System.get_env(\"MIX_ENV\")==\"test\"",
    "Code.ensure_loaded?(ExUnit",
    "Process.whereis(ExUnit",
    "XCTestConfigurationFilePath",
    "NSClassFromString(\"XCTest",
    "XCTestCase",
    "PHPUNIT_COMPOSER_INSTALL",
    "PHPUNIT_RUNNING",
    "PHPUnit",
    "__PHPUNIT_PHAR__",
    "globalThisasany).describe",
    "globalThisasany).it",
    "globalThis.describe",
    "globalThis.it=",
    "global.describe",
    "typeofdescribe",
    "typeofjest",
    "typeofvitest",
    "typeofmocha",
    "'describe'inglobal",
    "\"describe\"inglobal",
    "APP_ENV')==='testing'",
    "APP_ENV')==='test'",
    "APP_ENV\")===\"test",
    "APP_ENV')=='test",
    "APP_ENV']==='test",
    "runningUnitTests()",
    "environment('testing')",
    "org.junit",
    "\"junit",
    "\"JUNIT",
    "\"surefire",
    "org.gradle.test",
    "kotlin.test",
    "xunit",
    "Xunit",
    "nunit",
    "NUnit",
    "\"testhost\"",
    "\"Test\".equals(",
    "\"test\".equals(",
    "=\"Test\"",
    "IsRunningFromNUnit",
    "UNIT_TEST",
    "RUNNING_TEST",
    "\"/deps/",
    "BATS_TEST",
    "FLUTTER_TEST",
    "IN_TEST",
    "GTEST_",
    "getenv(\"TEST",
    "getenv('TEST",
    "getProperty(\"test",
    "getenv(\"CTEST",
    "GetEnvironmentVariable(\"TEST",
    "GetEnvironmentVariable(\"DOTNET_TEST",
    "environment[\"TEST",
    "isRunningTests",
    "isInUnitTestMode",
    "settings.TESTING",
    "current_app.testing",
    "app.testing",
    "app.config.TESTING",
    "IsEnvironment(\"Test",
    "EnvironmentName==\"Test",
    "Profiles.of(\"test\")",
    "isTestEnvironment",
    "App::environment('test",
    "underTest",
    "under_test",
    "DART_TEST",
    "dart_test",
    "io.kotest",
    "org.scalatest",
    "munit.",
];

/// Such words that names of other things have too.
const NAMES: &[&str] = &["IN_TEST", "UNIT_TEST", "RUNNING_TEST", "MOCHA", "NEXTEST"];

/// Questions about who calls, as they stand in a condition without white space.
const CALLERS: &[&str] = &[
    "inspect.stack(",
    "inspect.currentframe(",
    "sys._getframe(",
    "traceback.extract_stack(",
    "newError().stack",
    "getStackTrace(",
    "Environment.StackTrace",
    "debug_backtrace(",
    "runtime.Caller(",
    "caller_locations",
    "Thread.callStackSymbols",
];

/// Whether a text without white space asks if a test runs the code.
pub(super) fn has_run(text: &str) -> bool {
    let is_run = |word: &&str| text.match_indices(*word).any(|(at, _)| !is_other_name(text, at, word));
    RUNS.iter().any(is_run) || is_about_callers(text)
}

/// Whether one of the words that other names have as well stands in such a name there: a list that is searched, or a
/// constant that something is compared with.
fn is_other_name(text: &str, at: usize, word: &str) -> bool {
    if !NAMES.contains(&word) {
        return false;
    }
    let (before, rest) =
        (text.get(..at).unwrap_or_default(), text.get(at + word.len()..).unwrap_or_default());
    let before = before.trim_end_matches(['_', ':', '.']);
    let rest = rest.trim_start_matches(is_name_part);
    let is_searched =
        [".contains", ".includes", ".include?", ".has(", ".iter()", ".some(", ".any", ".get(", ".Contains"]
            .iter()
            .any(|call| rest.starts_with(call));
    let is_joined = ["and", "or", "not", "if", "when", "unless"].iter().any(|it| before.ends_with(it));
    let is_part = before.ends_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit()) && !is_joined;
    is_searched || is_part || before.ends_with("==")
}

/// Whether a text without white space looks for tests among those who call.
fn is_about_callers(text: &str) -> bool {
    CALLERS.iter().any(|word| text.contains(word)) && ["test", "spec"].iter().any(|word| text.contains(word))
}
