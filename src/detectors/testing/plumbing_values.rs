//! Values in tests that are neither given to what is tested nor expected of it: names of methods that a double has, the
//! server that a client is sent to, and what has moved out of the tests to a place that they share.

use std::ops::Range;

use crate::detectors::TestComparison;
use crate::detectors::testing::stand_in_values::is_double;
use crate::languages::Outline;
use crate::model::words::{has_word, is_name_part};

/// What a method's name stands behind where a double is told what it has.
const TOLD: &[&str] = &[
    "shouldReceive(",
    "shouldNotReceive(",
    "shouldHaveReceived(",
    "shouldNotHaveReceived(",
    "allows(",
    "expects(",
    "->method(",
    "receive(",
    "have_received(",
    "onlyMethods([",
    "createSpyObj(",
    "createMock(",
    "patch(",
    "mock(",
    "DataProvider(",
    "MethodSource(",
    "MemberData(",
    "TestCaseSource(",
    "ArgumentsSource(",
    "parametrize(",
];
/// What the name of a file stands behind that a test makes for itself, in a place that is there for the run alone.
const OF_OWN_FILES: &[&str] = &[
    "tmp_path /",
    "temp_dir /",
    "tmpdir /",
    "tmpdir.join(",
    "temp_dir().join(",
    ".path().join(",
    "os.tmpdir(),",
    "os.TempDir(),",
    "tmpdir(),",
    "t.TempDir(),",
    "Path.GetTempPath(),",
    "createTempFile(",
    "createTempDirectory(",
    "createTempDir(",
    "mkdtemp(",
    "mktmpdir(",
    "tempDir.resolve(",
    "tempDir, ",
    "appendingPathComponent(",
    "appending(path:",
    "sys_get_temp_dir() .",
];
/// Words of such places.
const OWN_PLACES: &[&str] = &["tmp", "temp"];
/// What an element of a page is looked up with.
const LOOKUPS: &[&str] = &[
    "locator(",
    "textContent(",
    "innerText(",
    "isDisabled(",
    "isEnabled(",
    "isVisible(",
    "isHidden(",
    "inputValue(",
    "getAttribute(",
    "waitForSelector(",
    "querySelector(",
    "querySelectorAll(",
    "cy.get(",
    "find_element(",
    "find_by_css(",
    "have_css(",
    "have_selector(",
];
/// What a title of a test or of a part of one stands behind.
const TITLED: &[&str] = &[
    "test(",
    "it(",
    "describe(",
    "context(",
    "specify(",
    "Run(",
    "subTest(",
    "SECTION(",
    "scenario(",
    "group(",
    "feature(",
    "nameFn = {",
    "expectation(description:",
];
/// Assertions that take a message and no value that is expected.
const WITH_MESSAGES: &[&str] = &[
    "assert!(",
    "assertTrue(",
    "assertFalse(",
    "assertFails(",
    "assertFailsWith",
    "assertThrows",
    "XCTAssertTrue(",
    "XCTAssertFalse(",
    "XCTAssertThrowsError(",
    "XCTAssertNoThrow(",
    "Assert.True(",
    "Assert.False(",
    "fail(",
    "flunk(",
    "t.Errorf(",
    "t.Fatalf(",
];
/// The same where the name is the second argument.
const TOLD_OF: &[&str] = &["spyOn(", "patch.object(", "sinon.stub(", "mock.method(", "setattr("];
/// What stands in for a server, a cloud or a database, on the machine that the tests run on.
const LOCAL: &[&str] = &[
    "httptest.",
    "responses.",
    "requests_mock",
    "respx",
    "httpretty",
    "aioresponses",
    "httpserver",
    "HTTPServer",
    "nock(",
    "setupServer(",
    "fetchMock",
    "fetch-mock",
    "MockAgent",
    "MockAdapter",
    "wiremock",
    "wireMock",
    "WireMock",
    "MockWebServer",
    "MockRestServiceServer",
    "ClientAndServer",
    "MockServer",
    "stub_request",
    "WebMock",
    "VCR.",
    "Http::fake",
    "MockHandler",
    "MockHttp",
    "mockito::",
    "httpmock",
    "Bypass.",
    "Req.Test",
    "Tesla.Mock",
    "URLProtocol",
    "HttpMessageHandler",
    "MockEngine",
    "testcontainers",
    "Testcontainers",
    "mock_aws",
    "localstack",
    "fakeredis",
    "miniredis",
    "sqlmock",
    "TestServer(",
    "HttpServer.create",
    "http.createServer",
    "TcpListener::bind",
    "net.Listen(",
    "grpctest",
    "bufconn",
];

/// Whether what has come brings a stand-in for a server that the text before has not.
pub(super) fn brings_local_server(old: &str, come: &str) -> bool {
    LOCAL.iter().any(|word| come.contains(word) && !old.contains(word))
}

/// Whether the word at a place of a line is a method's name that a double is told, the name of what gives the rows, what an
/// assertion says when it fails, or an address without a path.
pub(super) fn is_plumbing(line: &str, at: usize, word: &str) -> bool {
    let head = line.get(..at).unwrap_or_default().trim_end();
    let is_title = TITLED
        .iter()
        .any(|call| head.strip_suffix(call).is_some_and(|before| !before.ends_with(is_name_part)));
    let is_named = is_title
        || TOLD.iter().any(|call| head.ends_with(call))
        || head.ends_with(',') && TOLD_OF.iter().any(|call| head.contains(call));
    let inner = word.trim_matches(['"', '\'', '`']);
    let host = inner.split_once("://").map(|(_, rest)| rest.trim_end_matches('/'));
    is_named
        || is_message(head, inner)
        || is_own_file(head)
        || host.is_some_and(|host| !host.is_empty() && !host.contains(['/', '?', '#', ' ', '@']))
}

/// Whether a head names a file of the run's own: what is in the file is another text.
fn is_own_file(head: &str) -> bool {
    let lower = head.to_lowercase();
    OF_OWN_FILES.iter().any(|it| head.ends_with(it.trim_end()))
        && (OWN_PLACES.iter().any(|it| lower.contains(it)) || head.trim_start().starts_with('.'))
}

/// Whether the word at a place of a line looks an element up whose name stands in what has come: `'.price >> nth=0'`, beside
/// `locator('.price').first()`.
pub(super) fn looks_up(line: &str, at: usize, word: &str, come: &str) -> bool {
    let head = line.get(..at).unwrap_or_default().trim_end();
    let is_lookup = LOOKUPS.iter().any(|call| head.ends_with(call));
    let longest =
        word.split(|c: char| !(is_name_part(c) || c == '-')).max_by_key(|it| it.len()).unwrap_or_default();
    is_lookup && longest.len() > 2 && come.contains(longest)
}

/// Whether a text behind a head is what an assertion says when it fails, with the case in its words: `"accepted {text:?}"`.
fn is_message(head: &str, text: &str) -> bool {
    let is_filled = |sign: &str| {
        let mut behind = text.match_indices(sign).filter_map(|(at, _)| text.get(at + sign.len()..));
        behind.any(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
    };
    ["{", "$", "\\(", "%"].iter().any(|sign| is_filled(sign))
        && WITH_MESSAGES.iter().any(|call| head.contains(call))
}

/// Whether the word at a place of a line is given to what makes an object of which a double has come: `new
/// FileRows("rows.csv")`, beside `stub[FileRows]`.
pub(super) fn is_of_double(line: &str, at: usize, come: &str) -> bool {
    let head = line.get(..at).unwrap_or_default().trim_end();
    let made =
        head.strip_suffix('(').map(|head| head.rsplit(|c: char| !is_name_part(c)).next().unwrap_or_default());
    made.filter(|class| class.starts_with(char::is_uppercase)).is_some_and(|class| {
        come.lines()
            .any(|line| has_word(line, class) && line.split_once('=').is_some_and(|(_, it)| is_double(it)))
    })
}

/// Whether a value stands outside of the tests more often than before: a helper, a constant or a fixture has it for them.
pub(super) fn is_shared_now(comparison: &TestComparison, word: &str) -> bool {
    let outside = |text: Option<&str>, outline: &Outline| {
        let spans: Vec<&Range<usize>> =
            outline.tests.iter().filter(|test| !test.suite).map(|test| &test.span).collect();
        let all = text.unwrap_or_default().match_indices(word);
        all.filter(|(at, _)| !spans.iter().any(|span| span.contains(at))).count()
    };
    let change = comparison.change;
    outside(change.after.as_deref(), &comparison.after)
        > outside(change.before.as_deref(), &comparison.before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_methods_and_addresses_of_servers_are_plumbing() {
        for (line, word, expected) in [
            ("$repo->shouldReceive('save')->once();", "'save'", true),
            ("$repo->method('find')->willReturn(3);", "'find'", true),
            ("jest.spyOn(store, 'load').mockReturnValue(3);", "'load'", true),
            ("c := NewClient(\"https://sandbox.pay.example\", key)", "\"https://sandbox.pay.example\"", true),
            ("expect(parse(\"https://a.example/b?c=1\")).toBe(x)", "\"https://a.example/b?c=1\"", false),
            ("expect(name(\"load\")).toBe(3)", "\"load\"", false),
            ("#[DataProvider('badCodes')]", "'badCodes'", true),
            ("assert!(parse(text).is_err(), \"took {text:?}\");", "\"took {text:?}\"", true),
            ("assertFails(\"takes '$name'\") { Queue(name) }", "\"takes '$name'\"", true),
            ("assertEquals(\"row $n\", title(n))", "\"row $n\"", false),
            ("let path = std::env::temp_dir().join(\"rows.csv\");", "\"rows.csv\"", true),
            ("p := filepath.Join(t.TempDir(), \"rows.csv\")", "\"rows.csv\"", true),
            ("(tmp_path / \"rows.csv\").write_text(\"1;2\")", "\"1;2\"", false),
            ("let seen = expectation(description: \"seen\")", "\"seen\"", true),
        ] {
            let at = line.find(word).unwrap();
            assert_eq!(is_plumbing(line, at, word), expected, "{line}");
        }
    }
}
