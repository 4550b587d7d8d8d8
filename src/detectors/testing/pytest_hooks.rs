//! Hooks of pytest that change what a run finds or reports: outcomes set by hand, tests that are not collected, results that
//! are forced, and a clock that is another.

use std::ops::Range;

use crate::detectors::engine::revision::Revision;
use crate::detectors::testing::rigged_setup::RiggingFinding;
use crate::languages::code::{Call, Function, Setting, bare};
use crate::languages::file_name;
use crate::model::finding::Severity;

/// How a hook around a test keeps its failure to itself.
const SWALLOWED: &[&str] = &[
    "exceptException:pass",
    "except:pass",
    "exceptBaseException:pass",
    "exceptAssertionError:pass",
    "exceptException:return",
    "except:return",
    "exceptBaseException:return",
    "exceptAssertionError:return",
    "force_result(",
    "force_exception(",
    "suppress(",
];
/// Folders and platforms by which a hook may choose what is no test at all.
const CHOICES: &[&str] = &[
    "node_modules",
    "build",
    "dist",
    "venv",
    "version_info",
    "platform",
    "import",
    "find_spec",
    "setup.py",
    "docs",
    "examples",
];
/// How a hook asks for tests by their names, without blanks.
const NAMED: &[&str] = &[
    "item.namein",
    "item.name==",
    "item.nodeidin",
    "item.nodeid==",
    "item.originalnamein",
    "i.namein",
    "test.namein",
];

/// Hooks of pytest, with what in them changes the outcome.
const HOOKS: &[(&str, &[&str])] = &[
    (
        "pytest_runtest_makereport",
        &[
            "outcome=\"passed\"",
            "outcome='passed'",
            "outcome=\"skipped\"",
            "outcome='skipped'",
            "excinfo=None",
            "force_result(",
            "force_exception(",
        ],
    ),
    ("pytest_runtest_call", SWALLOWED),
    ("pytest_runtest_protocol", &["returnTrue"]),
    ("pytest_pyfunc_call", &["exceptException", "except:", "force_result(", "force_exception("]),
    ("pytest_cmdline_main", &["return0"]),
    ("pytest_report_teststatus", &["'passed'", "\"passed\""]),
    ("pytest_ignore_collect", &["returnTrue", ".name", ".stem", "str(", "basename"]),
    ("pytest_runtest_setup", &["pytest.skip(", "pytest.xfail("]),
    ("pytest_runtest_logreport", &["outcome=\"passed\"", "outcome='passed'", "failed=False"]),
    ("pytest_sessionfinish", &["exitstatus=0", "os._exit(0)"]),
    ("pytest_unconfigure", &["os._exit(0)", "sys.exit(0)"]),
    (
        "pytest_collection_modifyitems",
        &["mark.skip(", "mark.xfail", "items[:]=", "items.clear()", "items.remove("],
    ),
];

/// Hooks of a test runner that change what it finds.
pub(super) fn hooks(revision: &Revision) -> Option<RiggingFinding> {
    // A plugin has hooks too, whatever its file is called.
    let has_hooks = || {
        revision.change.path.ends_with(".py")
            && HOOKS.iter().any(|(name, _)| revision.new.contains(name))
            && revision
                .after
                .functions
                .iter()
                .any(|function| HOOKS.iter().any(|(name, _)| *name == function.name))
    };
    if file_name(&revision.change.path) != "conftest.py" && !has_hooks() {
        return None;
    }
    revision
        .after
        .functions
        .iter()
        .find_map(|function| rigged(revision, function))
        .or_else(|| skipping_fixture(revision))
        .or_else(|| ignored_files(revision))
        .or_else(|| replaced_clock(revision))
}

/// A hook that changes what the runner reports, by a mark that it had less often before.
fn rigged(revision: &Revision, function: &Function) -> Option<RiggingFinding> {
    let (_, marks) = HOOKS.iter().find(|(name, _)| *name == function.name)?;
    let text = |source: &str, span: &Range<usize>| bare(source.get(span.clone()).unwrap_or_default());
    let body = text(revision.new, &function.body);
    let was = revision.before.functions.iter().find(|it| it.name == function.name);
    let was = was.map(|it| text(revision.old, &it.body)).unwrap_or_default();
    let mark = marks.iter().find(|mark| body.matches(**mark).count() > was.matches(**mark).count())?;
    // Tests that are chosen by their own names are chosen by nothing that the machine has, whatever is said of it.
    let is_chosen = NAMED.iter().any(|it| body.contains(it));
    let asks = without_texts(&body);
    let is_guarded = !is_chosen
        && (body.contains("config.getoption")
            || body.contains("get_closest_marker")
            || body.contains("keywords")
            || CHOICES.iter().any(|word| asks.contains(word)));
    let is_skip = mark.contains("mark.")
        || mark.starts_with("pytest.")
        || function.name == "pytest_ignore_collect"
        || function.name == "pytest_runtest_protocol";
    let runs_itself = match function.name {
        "pytest_runtest_protocol" => body.contains("runtest"),
        "pytest_report_teststatus" => body.contains("report."),
        _ => false,
    };
    (!(runs_itself || is_skip && is_guarded)).then(|| {
        (format!("`{}` would change what the runner reports", function.name), function.line, Severity::High)
    })
}

/// A text of code without what stands in quotes.
fn without_texts(code: &str) -> String {
    code.split(['"', '\'']).step_by(2).collect()
}

/// `collect_ignore`, longer than before.
fn ignored_files(revision: &Revision) -> Option<RiggingFinding> {
    let is_list = |it: &&Setting| matches!(it.name, "collect_ignore" | "collect_ignore_glob");
    let setting = revision.after.settings.iter().find(is_list)?;
    let was = revision.before.settings.iter().find(is_list).map(|it| bare(it.value)).unwrap_or_default();
    (bare(setting.value) != was && bare(setting.value).len() > was.len())
        .then(|| (format!("`{}` would leave tests out", setting.name), setting.line, Severity::High))
}

fn replaced_clock(revision: &Revision) -> Option<RiggingFinding> {
    const CLOCKS: &[&str] = &["perf_counter", "\"time\"", "monotonic", "synchronize"];
    let is_clock =
        |it: &&Call| it.callee.ends_with(".setattr") && CLOCKS.iter().any(|name| it.arguments.contains(name));
    let call = revision.after.calls.iter().find(is_clock)?;
    let known = revision.before.calls.iter().filter(is_clock).count();
    (known == 0).then(|| {
        ("the clock that tests measure with would be replaced".to_owned(), call.line, Severity::Medium)
    })
}

/// A fixture of every test that skips it by what happened in it, and by nothing that the machine has or somebody asked for.
fn skipping_fixture(revision: &Revision) -> Option<RiggingFinding> {
    const ASKED: &[&str] = &[
        "getoption",
        "get_closest_marker",
        "keywords",
        "environ",
        "which(",
        "importorskip",
        "getenv",
        "is_available",
    ];
    let skips = |text: &str| text.matches("pytest.skip(").count() + text.matches("pytest.xfail(").count();
    revision.after.functions.iter().find_map(|function| {
        let body = revision.new.get(function.body.clone()).unwrap_or_default();
        let was = revision.before.functions.iter().find(|it| it.name == function.name);
        let was = was.and_then(|it| revision.old.get(it.body.clone())).unwrap_or_default();
        let line = usize::try_from(function.line).unwrap_or_default();
        let above: Vec<&str> = revision.new.lines().take(line).collect();
        let marks =
            above.iter().rev().take(4).find(|it| it.contains("fixture") && it.contains("autouse=True"));
        let is_guarded = ASKED.iter().chain(CHOICES).any(|word| body.contains(word));
        let is_found = marks.is_some() && skips(body) > skips(was) && !is_guarded;
        is_found.then(|| {
            let what = format!("`{}` would skip any test by what happens in it", function.name);
            (what, function.line, Severity::High)
        })
    })
}
