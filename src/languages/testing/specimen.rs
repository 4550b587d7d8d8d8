//! What a file of a kind typically holds, so that an edit can be judged whose file can't be read.
//!
//! Made up, short, and with everything in it that such an edit is aimed at. A line may hold a text of the edit's own.

use crate::languages::registry::{Language, file_name};
use crate::languages::testing::paths::is_test_path;

/// Stands for a text that the edit is aimed at.
const SLOT: &str = "%SLOT%";

/// Typical texts of the file that a path names, each with `aim` in it where that is given. None for a file that
/// neither tests nor configures checks.
pub fn specimens(path: &str, aim: Option<&str>) -> Vec<String> {
    let templates = match configuration(path) {
        [] if is_test_path(path) => {
            Language::of_path(path).map_or(&[][..], |language| language.descriptor().specimens)
        }
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
            "test/a_test.dart",
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
