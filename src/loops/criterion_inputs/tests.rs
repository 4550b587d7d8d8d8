use crate::loops::criterion_inputs::*;

/// Commands, the project's files, and the parts that are found.
type Row = (&'static [&'static str], &'static [(&'static str, &'static str)], &'static str);

fn found(commands: &[&str], files: &[(&str, &str)]) -> Vec<CriterionInput> {
    let read = |path: &str| files.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned());
    parts(commands, std::path::Path::new(""), &read)
}

fn shown(parts: &[CriterionInput]) -> String {
    let shown = parts.iter().filter_map(|part| Some(format!("{}={}", part.name(), part.says.as_ref()?)));
    shown.collect::<Vec<_>>().join("; ")
}

const PACKAGE: &str = r#"{"scripts":{"test":"npm run unit && ./scripts/e2e.sh","unit":"jest --ci","build":"tsc"},"jest":{"bail":1}}"#;

#[test]
fn what_stands_behind_a_command() {
    let rows: &[Row] = &[
        (&["node --test"], &[("math.js", "x")], ""),
        (
            &["npm test"],
            &[
                ("package.json", PACKAGE),
                ("scripts/e2e.sh", "#!/bin/sh\n# why\nmake e2e\n"),
                ("Makefile", "e2e:\n\t@run it\n"),
            ],
            "the script `test` of package.json=npm run unit && ./scripts/e2e.sh; the script `unit` of package.json=jest --ci; \
             scripts/e2e.sh=#!/bin/sh\nmake e2e; the target `e2e` of Makefile=: run it; \
             the configuration of the tests in package.json=jest.bail=1",
        ),
        (
            &["cd sub && yarn unit"],
            &[("sub/package.json", PACKAGE)],
            "the script `unit` of sub/package.json=jest --ci; the configuration of the tests in sub/package.json=jest.bail=1",
        ),
        (
            &["npm --prefix sub run build"],
            &[("sub/package.json", PACKAGE)],
            "the script `build` of sub/package.json=tsc",
        ),
        (
            &["make check"],
            &[
                ("Makefile", "all: x\ncheck: lint # both\n\tpytest -q\nlint:\n\tflake8\n"),
                ("setup.cfg", "[flake8]\nmax-line-length = 100\n[metadata]\nname = x\n"),
            ],
            "the target `check` of Makefile=lint: pytest -q; the target `lint` of Makefile=: flake8; the configuration of the tests in setup.cfg=flake8.max-line-length=100",
        ),
        (&["make"], &[("Makefile", ".PHONY: t\nt:\n\ttrue\n")], "the target `t` of Makefile=: true"),
        (&["./check.sh"], &[("check.sh", "exit 1\n")], "check.sh=exit 1"),
        (&["bash -c 'sh verify'"], &[("verify", "exit 1\n")], "verify=exit 1"),
        (
            &["node scripts/check.js"],
            &[("scripts/check.js", "process.exit(1)\n")],
            "scripts/check.js=process.exit(1)",
        ),
        (&["node src/main.js"], &[("src/main.js", "x")], ""),
        // What a script takes in, however its folder is said.
        (
            &["sh run.sh"],
            &[("run.sh", ". ./base.sh\nok\n"), ("base.sh", "ok() { test -f x; }\n")],
            "run.sh=. ./base.sh\nok; base.sh=ok() { test -f x; }",
        ),
        (
            &["bash ci/run.sh"],
            &[("ci/run.sh", "source \"$(dirname \"$0\")/base.sh\"\nok\n"), ("ci/base.sh", "ok() { x; }\n")],
            "ci/run.sh=source \"$(dirname \"$0\")/base.sh\"\nok; ci/base.sh=ok() { x; }",
        ),
        (
            &["bash ci/run.sh"],
            &[("ci/run.sh", "cd \"$(dirname \"$0\")\" || exit 1\n. ./base\n"), ("ci/base", "ok() { x; }\n")],
            "ci/run.sh=cd \"$(dirname \"$0\")\" || exit 1\n. ./base; ci/base=ok() { x; }",
        ),
        (
            &["bash ci/run.sh"],
            &[
                ("ci/run.sh", "HERE=\"${BASH_SOURCE%/*}\"\n. \"$HERE/../lib/base.sh\"\n"),
                ("lib/base.sh", "sh \"$HERE/more.sh\"\n"),
                ("lib/more.sh", "x\n"),
            ],
            "ci/run.sh=HERE=\"${BASH_SOURCE%/*}\"\n. \"$HERE/../lib/base.sh\"; lib/base.sh=sh \"$HERE/more.sh\"; lib/more.sh=x",
        ),
        (
            &["sh run.sh"],
            &[("run.sh", "eval \"$(cat base.sh)\"\nok\n"), ("base.sh", "ok() { x; }\n")],
            "run.sh=eval \"$(cat base.sh)\"\nok; base.sh=ok() { x; }",
        ),
        (
            &["python3 check.py"],
            &[
                ("check.py", "import sys\nfrom shop import total\nfrom helpers import near\n"),
                ("helpers.py", "def near(): pass\n"),
                ("shop.py", "def total(): pass\n"),
            ],
            "check.py=import sys\nfrom shop import total\nfrom helpers import near; helpers.py=def near(): pass",
        ),
        (
            &["python3 -m tools.accept"],
            &[("tools/accept.py", "from . import rules\n"), ("tools/rules.py", "x = 1\n")],
            "tools/accept.py=from . import rules; tools/rules.py=x = 1",
        ),
        (
            &["python3 check.py"],
            &[("check.py", "from base import check\n"), ("base.py", "def check(): pass\n")],
            "check.py=from base import check; base.py=def check(): pass",
        ),
        (
            &["node check.mjs"],
            &[
                (
                    "check.mjs",
                    "import { near } from './check-utils.mjs'\nimport { total } from './shop.mjs'\n",
                ),
                ("check-utils.mjs", "x\n"),
                ("shop.mjs", "y\n"),
            ],
            "check.mjs=import { near } from './check-utils.mjs'\nimport { total } from './shop.mjs'; check-utils.mjs=x",
        ),
        (
            &["node scripts/verify.js"],
            &[("scripts/verify.js", "const a = require('./base')\n"), ("scripts/base.js", "x\n")],
            "scripts/verify.js=const a = require('./base'); scripts/base.js=x",
        ),
        (
            &["make check"],
            &[
                ("Makefile", "include mk/checks.mk\nRUN = sh run.sh\n"),
                ("mk/checks.mk", "check:\n\t@ok it\n"),
            ],
            "the target `check` of mk/checks.mk=: ok it",
        ),
        (
            &["make check"],
            &[("Makefile", "RUN := sh run.sh\ncheck:\n\t$(RUN) -v\n"), ("run.sh", "x\n")],
            "the target `check` of Makefile=: sh run.sh -v; run.sh=x",
        ),
        (
            &["npm test"],
            &[
                ("package.json", r#"{"scripts":{"test":"run-s a b","a":"sh a.sh","b":"tsc"}}"#),
                ("a.sh", "x\n"),
            ],
            "the script `test` of package.json=run-s a b; the script `a` of package.json=sh a.sh; a.sh=x; \
             the script `b` of package.json=tsc",
        ),
        (
            &["pytest -q -p rules"],
            &[
                ("rules.py", "x = 1\n"),
                ("conftest.py", "pytest_plugins = ['more.rules', \"b\"]\n"),
                ("more/rules.py", "y = 1\n"),
            ],
            "rules.py=x = 1; more/rules.py=y = 1",
        ),
        (
            &["pytest"],
            &[("pytest.ini", "[pytest]\naddopts = -q -p rules\n"), ("rules.py", "x = 1\n")],
            "rules.py=x = 1; pytest.ini=pytest.addopts=-q -p rules",
        ),
        (&["node -r ./setup.js --test"], &[("setup.js", "x\n")], "setup.js=x"),
        (&["./target/debug/app"], &[("target/debug/app", "x")], ""),
        (
            &["python -m pytest tests"],
            &[("pyproject.toml", "[project]\nname='x'\n[tool.pytest.ini_options]\naddopts='-q'\n")],
            "the configuration of the tests in pyproject.toml=tool.pytest.ini_options.addopts=-q",
        ),
        (
            &["npx tsc --noEmit"],
            &[("tsconfig.json", "{\"compilerOptions\":{\"strict\":true,\"module\":\"esnext\"}}")],
            "the configuration of the tests in tsconfig.json=compilerOptions.strict=true",
        ),
        (
            &["cargo test"],
            &[("Cargo.toml", "[package]\nname='x'\nautotests=false\n")],
            "the configuration of the tests in Cargo.toml=package.autotests=false",
        ),
        (&["npm test"], &[("package.json", "{ broken")], ""),
        (&["../outside.sh", "/usr/bin/true", "$X", ""], &[("outside.sh", "x")], ""),
        (
            &["npm run a"],
            &[("package.json", r#"{"scripts":{"a":"npm run b","b":"npm run a"}}"#)],
            "the script `a` of package.json=npm run b; the script `b` of package.json=npm run a",
        ),
    ];
    for (commands, files, expected) in rows {
        assert_eq!(shown(&found(commands, files)), *expected, "{commands:?}");
    }
}

#[test]
fn a_part_changes_by_what_it_says() {
    let rows: &[(&str, &str, &str, &str, bool)] = &[
        (
            "npm test",
            "package.json",
            r#"{"scripts":{"test":"jest"}}"#,
            r#"{"name":"x","scripts":{"test":"jest","b":"c"}}"#,
            false,
        ),
        (
            "npm test",
            "package.json",
            r#"{"scripts":{"test":"jest"}}"#,
            r#"{"scripts":{"test":"true"}}"#,
            true,
        ),
        ("npm test", "package.json", r#"{"scripts":{"test":"jest"}}"#, r#"{"scripts":{}}"#, true),
        (
            "npm test",
            "package.json",
            r#"{"scripts":{"test":"jest"}}"#,
            r#"{"scripts":{"test":"jest"},"jest":{"bail":1}}"#,
            true,
        ),
        ("make t", "Makefile", "t:\n\tgo test\n", "# more\nt:\n\t@go test\nb:\n\tx\n", false),
        ("make t", "Makefile", "t:\n\tgo test\n", "t:\n\t-go test\n", true),
        ("./c.sh", "c.sh", "#!/bin/sh\nnpm test\n", "#!/bin/sh\n# all\n\nnpm test\n", false),
        ("./c.sh", "c.sh", "#!/bin/sh\nnpm test\n", "#!/bin/sh\nexit 0\nnpm test\n", true),
        (
            "npx jest",
            "jest.config.js",
            "module.exports = { bail: 1 }",
            "module.exports = { bail: 1, testPathIgnorePatterns: ['a'] }",
            true,
        ),
    ];
    for (command, file, before, after, expected) in rows {
        let changed = found(&[command], &[(file, before)]).iter().any(|part| {
            let text = (part.file == *file).then_some(*after);
            part.read(text) != part.says
        });
        assert_eq!(changed, *expected, "{command}: {before} -> {after}");
    }
}

proptest::proptest! {
    #[test]
    fn no_text_panics(command in ".{0,60}", text in ".{0,120}") {
        for file in ["package.json", "Makefile", "check.sh"] {
            found(&[&command, "npm test", "make", "./check.sh"], &[(file, &text)]);
        }
    }
}
