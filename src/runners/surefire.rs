//! Maven's surefire and failsafe: `Tests run: 3, Failures: 1, Errors: 0, Skipped: 0`, for each class and in all;
//! `[ERROR] shop.CartTest.parses -- Time elapsed: 0.02 s <<< FAILURE!` with the error below it, and the compiler's
//! `[ERROR] /app/Cart.java:[9,27] cannot find symbol`.

use crate::metrics::{ResultReader, TestOutcome, Tests};
use crate::runners::counts::behind;
use crate::runners::failure::{TestFailure, error_class, place_in_stack};
use crate::runners::failures::compiler::symbol;
use crate::runners::model::{
    Naming, OutputReader, Runner, RunnerProgram, ToolConfiguration, WeakeningSettings,
};
use crate::runners::options::{Weakens, not_off, weakening};

/// The runner.
pub(crate) static RUNNER: Runner = Runner {
    name: "surefire",
    programs: &[
        RunnerProgram::with(&["mvn"], &["test", "verify", "package"]),
        RunnerProgram::with(&["mvn"], &["check", "build"]).may_change_files(),
        RunnerProgram::with(&["mvnw"], &["test", "verify", "check", "build", "package"]).may_change_files(),
    ],
    results: Some(OutputReader { turn: 120, read: || Box::new(Surefire::default()) }),
    failures: Some(OutputReader { turn: 70, read: failures }),
    in_parallel: true,
    alone: Some(|test| {
        let (class, method) = test.rsplit_once('.')?;
        Some(format!("mvn test -Dtest={}#{method}", class.rsplit('.').next().unwrap_or(class)))
    }),
    weakenings: &[
        weakening(Weakens::HidesFailure, "-Dmaven.test.failure.ignore", &[], not_off),
        weakening(Weakens::LeavesTestsOut, "-DskipTests", &[], not_off),
        weakening(Weakens::LeavesTestsOut, "-Dmaven.test.skip", &[], not_off),
    ],
    settings: WeakeningSettings {
        lines: &[
            ("pom.xml", "<testFailureIgnore>true", true),
            ("pom.xml", "<skipTests>true", true),
            ("pom.xml", "<maven.test.skip>true", true),
            ("pom.xml", ".skip>true", true),
            ("pom.xml", "<maven.test.failure.ignore>true", true),
            ("pom.xml", "<excludedGroups>", true),
            ("pom.xml", "<excludes><exclude>**/", true),
            ("pom.xml", "<exclude>**/*Test", true),
            ("pom.xml", "Test.java</exclude>", true),
            ("pom.xml", "Tests.java</exclude>", true),
            ("pom.xml", "<failIfNoTests>false", true),
        ],
        ..WeakeningSettings::NONE
    },
    configuration: &[ToolConfiguration { tool: "mvn", files: &[], keys: POM }],
    naming: Naming { reports: Some(("TEST-", "surefire-reports")), ..Naming::NONE },
    ..Runner::NOTHING
};

/// What in a project's description says which tests run and how: plugins and properties by their names.
const POM: &[(&str, &[&str])] = &[(
    "pom.xml",
    &[
        "maven-surefire-plugin",
        "maven-failsafe-plugin",
        "surefire",
        "failsafe",
        "maven.test",
        "skipTests",
        "skipITs",
        "groups",
        "excludedGroups",
        "testSourceDirectory",
        "testResources",
    ],
)];

#[derive(Default)]
struct Surefire {
    classes: (u64, u64, u64),
    totals: Option<(u64, u64, u64)>,
    tests: Tests,
}

impl ResultReader for Surefire {
    fn line(&mut self, line: &str) {
        let text =
            line.strip_prefix('[').and_then(|rest| rest.split_once("] ")).map_or(line, |(_, text)| text);
        if let Some(at) = text.find("Tests run: ").filter(|at| *at == 0) {
            let counts = text.get(at..).unwrap_or_default();
            let number = |label| behind(counts, label).unwrap_or(0);
            let (failed, skipped) = (number("Failures:") + number("Errors:"), number("Skipped:"));
            let passed = number("Tests run:").saturating_sub(failed + skipped);
            // Of a class the time and the name follow; of a module nothing.
            let of_class =
                counts.contains("Time elapsed") || counts.contains(" - in ") || counts.contains("-- in ");
            let sum = if of_class { &mut self.classes } else { self.totals.get_or_insert_default() };
            sum.0 += passed;
            sum.1 += failed;
            sum.2 += skipped;
        } else if let Some((name, rest)) = text.split_once(' ')
            && (rest.contains("<<< FAILURE!") || rest.contains("<<< ERROR!"))
            && name.contains('.')
        {
            // Older versions write `fails(shop.BTest)`.
            let older = name.strip_suffix(')').and_then(|name| name.split_once('('));
            let name = older.map_or(name.to_owned(), |(test, class)| format!("{class}.{test}"));
            self.tests.name(&name, TestOutcome::Failed);
        }
    }

    fn end(self: Box<Self>) -> Option<Tests> {
        let (passed, failed, skipped) = self.totals.unwrap_or(self.classes);
        let tests = Tests { passed, failed, skipped, by_name: self.tests.by_name, ..Tests::default() };
        (self.totals.is_some() || tests.total() > 0).then_some(tests)
    }
}

fn failures(lines: &[&str]) -> Vec<TestFailure> {
    let mut failures: Vec<TestFailure> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let marked = line.strip_prefix("[ERROR] ");
        let below = lines.get(at + 1..).unwrap_or_default();
        let found = test(marked.unwrap_or(line)).map(|name| block(name, below));
        let found = found.or_else(|| compile_error(marked?, below));
        // What could not be compiled is said again at the end.
        failures.extend(found.filter(|failure| !failures.contains(failure)));
    }
    failures
}

/// The test of a line: `parses(shop.CartTest)  Time elapsed: …` until surefire 2, `shop.CartTest.parses -- Time …` since.
fn test(line: &str) -> Option<String> {
    let (head, verdict) = line.split_once("Time elapsed: ")?;
    if !verdict.contains("<<< FAILURE!") && !verdict.contains("<<< ERROR!") || head.starts_with("Tests run:")
    {
        return None;
    }
    let name = head.trim().trim_end_matches("--").trim();
    let name = match name.strip_suffix(')').and_then(|name| name.split_once('(')) {
        Some((method, class)) if !class.is_empty() => format!("{class}.{method}"),
        _ => name.to_owned(),
    };
    Some(name)
}

fn block(test: String, below: &[&str]) -> TestFailure {
    let body: Vec<&str> = below.iter().take_while(|line| !line.trim().is_empty()).copied().collect();
    let told = body.first().copied().unwrap_or_default();
    let class = error_class(told)
        .or_else(|| (!told.contains(' ')).then(|| told.rsplit('.').next().map(str::to_owned))?);
    let message = told.split_once(": ").filter(|_| class.is_some()).map_or(told, |(_, message)| message);
    let between = |before: &str, behind: &str| {
        let (_, rest) = message.split_once(before)?;
        Some(rest.split_once(behind)?.0.to_owned())
    };
    TestFailure {
        test: Some(test),
        expected: between("expected:<", ">").or_else(|| between("expected: <", ">")),
        actual: between("but was:<", ">").or_else(|| between("but was: <", ">")),
        message: message.to_owned(),
        place: body.iter().find_map(|line| place_in_stack(line)),
        error_type: class,
    }
}

/// `/app/src/main/java/shop/Cart.java:[9,27] cannot find symbol`.
fn compile_error(line: &str, below: &[&str]) -> Option<TestFailure> {
    let (path, rest) = line.split_once(":[")?;
    let (position, message) = rest.split_once("] ")?;
    let row = position.split(',').next().filter(|row| row.bytes().all(|byte| byte.is_ascii_digit()))?;
    Some(TestFailure {
        message: format!("{}{}", message.trim_start_matches("error: "), symbol(below)),
        place: Some(format!("{path}:{row}")),
        error_type: Some("compile error".to_owned()),
        ..TestFailure::default()
    })
}
