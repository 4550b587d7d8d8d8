//! Warnings that fail by a flag of a command, and by the project's own file now: `-warnaserror` that became
//! `<TreatWarningsAsErrors>true`, `-D warnings` that became a table of lints, `-Werror` that went into a makefile.

use crate::languages::file_name;
use crate::model::finding::Change;

/// What makes warnings fail.
struct StrictFlag {
    /// The words of which the command has one.
    programs: &'static [&'static str],
    /// Its spellings.
    flags: &'static [&'static str],
    /// The files of the project that may say it, by their names or how these end.
    files: &'static [&'static str],
    /// How they say it, in lower case and without blanks.
    says: &'static [&'static str],
}

const FLAGS: &[StrictFlag] = &[
    StrictFlag {
        programs: &["dotnet", "msbuild"],
        flags: &[
            "-warnaserror",
            "/warnaserror",
            "--warnaserror",
            "-p:TreatWarningsAsErrors=true",
            "/p:TreatWarningsAsErrors=true",
        ],
        files: &["Directory.Build.props", "Directory.Build.targets", ".csproj", ".fsproj"],
        says: &["<treatwarningsaserrors>true<"],
    },
    StrictFlag {
        programs: &["cargo"],
        flags: &["-- -D warnings", "-- -Dwarnings", "-- --deny warnings"],
        files: &["Cargo.toml", "config.toml"],
        says: &[
            "warnings=\"deny\"",
            "all=\"deny\"",
            "all={level=\"deny\"",
            "-dwarnings",
            "\"-d\",\"warnings\"",
        ],
    },
    StrictFlag {
        programs: &["make", "cmake", "gcc", "g++", "clang", "clang++", "cc", "meson"],
        flags: &[
            "CFLAGS=\"-Wall -Werror\"",
            "CFLAGS=-Werror",
            "CFLAGS=\"-Werror\"",
            "CXXFLAGS=-Werror",
            "-DCMAKE_C_FLAGS=-Werror",
            "-DCMAKE_CXX_FLAGS=-Werror",
            "-DCMAKE_COMPILE_WARNING_AS_ERROR=ON",
            "--werror",
            "-Dwerror=true",
            "-Werror",
        ],
        files: &["Makefile", "GNUmakefile", ".mk", "CMakeLists.txt", "meson.build", "CMakePresets.json"],
        says: &["-werror", "compile_warning_as_error", "werror=true", "werror:true"],
    },
    StrictFlag {
        programs: &["pytest"],
        flags: &["-W error", "-Werror", "-W=error"],
        files: &["pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini"],
        says: &["filterwarnings=error", "filterwarnings=[\"error\"", "filterwarnings=['error'"],
    },
    StrictFlag {
        programs: &["gradle", "gradlew"],
        flags: &["--warning-mode=fail", "--warning-mode fail"],
        files: &["gradle.properties"],
        says: &["org.gradle.warning.mode=fail"],
    },
    StrictFlag {
        programs: &["swift", "xcodebuild"],
        flags: &["-Xswiftc -warnings-as-errors"],
        files: &["Package.swift"],
        says: &["-warnings-as-errors", "treatallwarnings(as:.error"],
    },
    StrictFlag {
        programs: &["mix"],
        flags: &["--warnings-as-errors"],
        files: &["mix.exs"],
        says: &["warnings_as_errors:true"],
    },
];

/// A line of a command without the flag that a file of the project says now and did not say before.
pub(super) fn without_said_flag(line: &str, after: &str, others: &[&Change]) -> Option<String> {
    let has_word =
        |word: &&str| line.split(|c: char| !(c.is_alphanumeric() || "+-_".contains(c))).any(|it| it == *word);
    FLAGS.iter().filter(|it| it.programs.iter().any(has_word)).find_map(|it| {
        let flag = it.flags.iter().find(|flag| line.contains(*flag))?;
        let is_left = after.lines().any(|new| new.trim() == line.trim());
        let is_said = others.iter().any(|other| says_now(it, other));
        let rest = || line.replacen(flag, "", 1).trim_end().replace("  ", " ");
        (!is_left && is_said).then(|| indent(line) + rest().trim_start())
    })
}

fn indent(line: &str) -> String {
    line.chars().take_while(|c| c.is_whitespace()).collect()
}

fn says_now(flag: &StrictFlag, other: &Change) -> bool {
    let name = file_name(&other.path);
    let is_file = flag.files.iter().any(|it| name == *it || it.starts_with('.') && name.ends_with(it));
    let says = |text: &Option<String>| {
        let bare: String = text
            .as_deref()
            .unwrap_or_default()
            .chars()
            .filter(|c| !c.is_whitespace())
            .flat_map(char::to_lowercase)
            .collect();
        flag.says.iter().any(|it| bare.contains(it))
    };
    is_file && says(&other.after) && !says(&other.before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_that_a_file_of_the_project_says_is_taken_off() {
        let change = |path: &str, after: &str| Change {
            path: path.to_owned(),
            before: Some("# nothing\n".to_owned()),
            after: Some(after.to_owned()),
        };
        let props = change("Directory.Build.props", "<TreatWarningsAsErrors>true</TreatWarningsAsErrors>");
        let cargo = change("Cargo.toml", "[lints.rust]\nwarnings = \"deny\"\n");
        let make = change("Makefile", "CFLAGS += -Wall -Werror\n");
        let other = change("README.md", "-Werror <TreatWarningsAsErrors>true<");
        for (line, file, expected) in [
            ("  - run: dotnet build -warnaserror", &props, Some("  - run: dotnet build")),
            ("  - run: cargo clippy -- -D warnings", &cargo, Some("  - run: cargo clippy")),
            ("make -Werror all", &make, Some("make all")),
            ("  - run: dotnet build -warnaserror", &other, None),
            ("  - run: dotnet build", &props, None),
        ] {
            assert_eq!(without_said_flag(line, "", &[file]).as_deref(), expected, "{line}");
        }
    }
}
