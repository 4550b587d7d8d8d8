//! What programs are told by their arguments, and which files configure them.

use crate::loops::criterion_inputs::part::FilePiece;
use crate::runners;
use crate::runners::model::ToolConfiguration;

const ESLINT: &[&str] = &[
    "eslint.config.js",
    "eslint.config.mjs",
    "eslint.config.ts",
    ".eslintrc",
    ".eslintrc.json",
    ".eslintrc.js",
    ".eslintrc.yml",
    ".eslintignore",
];
const TSCONFIG: &[&str] = &[
    "include",
    "exclude",
    "files",
    "compilerOptions.strict*",
    "compilerOptions.noImplicit*",
    "compilerOptions.noUn*",
    "compilerOptions.skipLibCheck",
    "compilerOptions.checkJs",
    "compilerOptions.allowJs",
];

/// Which files steer which program that is no test runner.
const CHECKERS: &[ToolConfiguration] = &[
    ToolConfiguration { tool: "nyc", files: &[".nycrc", ".nycrc.json"], keys: &[("package.json", &["nyc"])] },
    ToolConfiguration { tool: "c8", files: &[".c8rc.json"], keys: &[("package.json", &["c8"])] },
    ToolConfiguration {
        tool: "coverage",
        files: &[".coveragerc"],
        keys: &[("pyproject.toml", &["tool.coverage"])],
    },
    ToolConfiguration {
        tool: "cargo clippy",
        files: &["clippy.toml", ".clippy.toml"],
        keys: &[("Cargo.toml", &["lints", "workspace.lints"])],
    },
    ToolConfiguration { tool: "tsc", files: &[], keys: &[("tsconfig.json", TSCONFIG)] },
    ToolConfiguration {
        tool: "eslint",
        files: ESLINT,
        keys: &[("package.json", &["eslintConfig", "eslintIgnore"])],
    },
    ToolConfiguration { tool: "biome", files: &["biome.json", "biome.jsonc"], keys: &[] },
    ToolConfiguration {
        tool: "ruff",
        files: &["ruff.toml", ".ruff.toml"],
        keys: &[("pyproject.toml", &["tool.ruff"])],
    },
    ToolConfiguration {
        tool: "mypy",
        files: &["mypy.ini", ".mypy.ini"],
        keys: &[("pyproject.toml", &["tool.mypy"])],
    },
    ToolConfiguration { tool: "flake8", files: &[".flake8"], keys: &[("setup.cfg", &["flake8"])] },
    ToolConfiguration { tool: "golangci-lint", files: &[".golangci.yml", ".golangci.yaml"], keys: &[] },
];

/// The files that steer `tool`, and which piece of each.
pub(crate) fn configuration(tool: &str) -> Vec<(&'static str, FilePiece)> {
    let owned = |keys: &[&str]| FilePiece::Keys(keys.iter().map(|key| (*key).to_owned()).collect());
    let of_runners = runners::all().flat_map(|runner| runner.configuration);
    let known = CHECKERS.iter().chain(of_runners).filter(|known| known.tool == tool);
    known
        .flat_map(|known| {
            let files = known.files.iter().map(|file| (*file, FilePiece::Whole));
            files.chain(known.keys.iter().map(|(file, keys)| (*file, owned(keys))))
        })
        .collect()
}

/// The tool that a program is: `cargo` by its subcommand, others by their names.
pub(crate) fn of(name: &str, rest: &[&str]) -> String {
    let subcommand = rest.iter().find(|word| !word.starts_with(['-', '+']));
    match (name, subcommand) {
        ("cargo", Some(subcommand)) => format!("cargo {subcommand}"),
        ("py.test", _) => "pytest".to_owned(),
        // A wrapper that stands in the project.
        ("gradlew", _) => "gradle".to_owned(),
        ("mvnw", _) => "mvn".to_owned(),
        _ => name.to_owned(),
    }
}

/// Options of runners behind which a module or file stands that steers the run.
const TAKING: &[(&[&str], &[&str])] = &[
    (&["pytest", "py.test"], &["-p"]),
    (&["node", "mocha", "ts-node", "tsx"], &["-r", "--require", "--import", "--loader", "--file"]),
    (&["ruby", "rspec"], &["-r", "--require"]),
    (&["jest", "vitest"], &["-c", "--config"]),
];

/// The project's own files that an option of a runner takes in.
pub(crate) fn taken_in(name: &str, rest: &[&str]) -> Vec<String> {
    let mut files = Vec::new();
    let options = TAKING.iter().filter(|(names, _)| names.contains(&name)).flat_map(|(_, options)| *options);
    for option in options {
        let mut words = rest.iter();
        while let Some(word) = words.next() {
            let joined = word.strip_prefix(option).map(|value| value.trim_start_matches('='));
            let value = match joined {
                Some("") => words.next().copied(),
                Some(value) if option.starts_with("--") == word.contains('=') => Some(value),
                _ => None,
            };
            let Some(value) = value.filter(|value| !value.starts_with("no:")) else { continue };
            // A plugin is a module; a file may be named without its ending.
            match name {
                "pytest" | "py.test" => files.push(module_path(value)),
                _ => files.extend(["", ".js", ".rb"].map(|ending| format!("{value}{ending}"))),
            }
        }
    }
    files
}

/// The file of a module that Python runs: `python3 -m checks.all`.
pub(crate) fn module_file(name: &str, rest: &[&str]) -> Option<String> {
    let module =
        name.starts_with("python").then(|| rest.iter().skip_while(|word| **word != "-m").nth(1)).flatten()?;
    Some(module_path(module))
}

/// The file of a module of Python, from the folder in which it is looked for.
fn module_path(module: &str) -> String {
    format!("{}.py", module.replace('.', "/"))
}

/// Reads the plugins that a file names.
type Plugins = fn(&str) -> Vec<String>;

/// The files in which a tool's plugins are named, and how.
pub(crate) fn naming_plugins(tool: &str) -> &'static [(&'static str, Plugins)] {
    match tool {
        "pytest" => &[
            ("conftest.py", declared_plugins),
            ("pytest.ini", added_plugins),
            ("pyproject.toml", added_plugins),
            ("setup.cfg", added_plugins),
            ("tox.ini", added_plugins),
        ],
        _ => &[],
    }
}

/// `pytest_plugins = ["checks.plugin"]`
fn declared_plugins(text: &str) -> Vec<String> {
    let lists = text.split("pytest_plugins").skip(1).filter_map(|rest| rest.trim_start().strip_prefix('='));
    let of_list = |list: &str| {
        let end = if list.trim_start().starts_with(['[', '(']) { [']', ')'] } else { ['\n', '\n'] };
        let list = list.split(end).next().unwrap_or_default().replace('\'', "\"");
        list.split('"').skip(1).step_by(2).map(module_path).collect::<Vec<_>>()
    };
    lists.flat_map(of_list).collect()
}

/// `addopts = -q -p plugin`
fn added_plugins(text: &str) -> Vec<String> {
    let options = text.lines().filter(|line| line.trim_start().starts_with("addopts"));
    let words = |line: &str| -> Vec<String> {
        let plain = line.replace(['"', '\'', '[', ']', ','], " ");
        let words: Vec<&str> = plain.split_whitespace().collect();
        taken_in("pytest", &words)
    };
    options.flat_map(words).collect()
}

/// The command behind a program that only starts another: `npx jest` -> `jest`.
pub(crate) fn unwrapped<'w>(name: &str, rest: &[&'w str]) -> Option<Vec<&'w str>> {
    let from = match (name, rest.first().copied()) {
        ("npx" | "pnpx" | "bunx" | "uvx", _) => 0,
        (
            "pnpm" | "npm" | "yarn" | "uv" | "poetry" | "pipenv" | "hatch" | "pdm",
            Some("exec" | "dlx" | "x"),
        ) => 1,
        ("uv" | "poetry" | "pipenv" | "hatch" | "pdm", Some("run")) => 1,
        ("bundle", Some("exec")) => 1,
        ("python" | "python3", Some("-m")) => 1,
        ("coverage", Some("run")) => return unwrapped("python", rest.get(1..)?),
        ("nyc" | "c8" | "cross-env" | "dotenv", _) => 0,
        _ => return None,
    };
    let is_flag = |word: &&&str| {
        word.starts_with('-') || word.split_once('=').is_some_and(|(name, _)| !name.is_empty())
    };
    let rest = rest.get(from..)?;
    let flags = rest.iter().take_while(is_flag).count();
    Some(rest.get(flags..)?.to_vec()).filter(|words| !words.is_empty())
}

/// The script that a package runner runs, and where.
pub(crate) fn package_script(name: &str, rest: &[&str], place: &str) -> Option<(String, String)> {
    let mut place = place.to_owned();
    let mut words = rest.iter().copied().peekable();
    let mut script = None;
    while let Some(word) = words.next() {
        match word {
            "--prefix" | "-C" | "--dir" | "--cwd" => {
                place = crate::loops::criterion_inputs::joined(&place, words.next()?)
            }
            "--" => break,
            _ if word.starts_with('-') => {}
            "run" | "run-script" if script.is_none() => {}
            "t" | "tst" if name == "npm" => script = script.or(Some("test")),
            _ => script = script.or(Some(word)),
        }
    }
    Some((script?.to_owned(), place))
}
