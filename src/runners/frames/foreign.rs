//! What says that a frame is in a package, a toolchain or a runtime: folders and beginnings of its path, or its class.

/// Folders that hold no code of the project's own, wherever they stand.
static FOLDERS: &[&str] = &[
    "node_modules",
    "bower_components",
    ".yarn",
    ".pnpm-store",
    "site-packages",
    "dist-packages",
    "_vendor",
    "vendor",
    ".cargo",
    ".rustup",
    "rustlib",
    "gems",
    ".nuget",
];

/// Beginnings.
static BEGINNINGS: &[&str] = &[
    "/rustc/",
    "/usr/lib/",
    "/usr/lib64/",
    "/usr/share/",
    "/usr/local/lib/",
    "/usr/local/go/",
    "/nix/store/",
    "/opt/homebrew/",
    "/_/",
    "/_1/",
    "node:",
    "bun:",
    "deno:",
    "ext:",
    "phar:",
    "native:",
    "internal/modules/",
    "internal/main/",
    "internal/process/",
    "internal/timers",
    "<frozen ",
    "<internal:",
    "<anonymous",
];

/// Folders of which the second stands in the first, as in a toolchain's own tree.
static PAIRS: &[(&str, &str)] = &[
    ("pkg", "mod"),
    ("webpack", "bootstrap"),
    ("webpack", "runtime"),
    ("lib", "ruby"),
    ("rubygems", "core_ext"),
];

/// Top folders of Go's standard library.
static GO_STANDARD: &[&str] = &[
    "archive",
    "bufio",
    "bytes",
    "cmd",
    "compress",
    "container",
    "context",
    "crypto",
    "database",
    "debug",
    "embed",
    "encoding",
    "errors",
    "expvar",
    "flag",
    "fmt",
    "go",
    "hash",
    "html",
    "image",
    "internal",
    "io",
    "iter",
    "log",
    "maps",
    "math",
    "mime",
    "net",
    "os",
    "path",
    "plugin",
    "reflect",
    "regexp",
    "runtime",
    "slices",
    "sort",
    "strconv",
    "strings",
    "sync",
    "syscall",
    "testing",
    "text",
    "time",
    "unicode",
    "unique",
    "unsafe",
    "vendor",
];

/// Packages of the JVM's languages, test runners and common frameworks.
static JVM_PACKAGES: &[&str] = &[
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "com.sun.",
    "jakarta.",
    "kotlin.",
    "kotlinx.",
    "scala.",
    "groovy.",
    "clojure.",
    "org.junit.",
    "junit.",
    "org.testng.",
    "org.hamcrest.",
    "org.assertj.",
    "org.mockito.",
    "org.opentest4j.",
    "org.gradle.",
    "org.apache.maven.",
    "org.apache.catalina.",
    "org.apache.tomcat.",
    "org.apache.commons.",
    "org.apache.coyote.",
    "org.springframework.",
    "org.hibernate.",
    "org.eclipse.jetty.",
    "org.slf4j.",
    "ch.qos.logback.",
    "io.netty.",
    "io.micronaut.",
    "io.quarkus.",
    "reactor.",
    "io.reactivex.",
    "com.fasterxml.",
    "com.google.common.",
    "com.google.gson.",
    "worker.org.gradle.",
    "android.",
    "androidx.",
    "dalvik.",
];

/// Whether a path is in foreign code.
pub(crate) fn path(path: &str) -> bool {
    let path = path.replace('\\', "/");
    if BEGINNINGS.iter().any(|start| path.starts_with(start)) || path.contains("@v") && path.contains(".go") {
        return true;
    }
    if let Some((scheme, rest)) = path.split_once("://") {
        let host = rest.split(['/', ':']).next().unwrap_or_default();
        if scheme.starts_with("http") && !matches!(host, "localhost" | "127.0.0.1" | "0.0.0.0" | "[") {
            return true;
        }
    }
    let folders: Vec<&str> = path.split('/').collect();
    let (folders, file) = folders.split_last().map_or((&[][..], ""), |(file, folders)| (folders, *file));
    if folders.iter().any(|folder| FOLDERS.contains(folder)) {
        return true;
    }
    // What is trimmed of its path begins at the standard library's own root.
    let is_go = file.ends_with(".go");
    if is_go && folders.first().is_some_and(|first| GO_STANDARD.contains(first)) {
        return true;
    }
    let next = folders.iter().skip(1).chain([&file]);
    folders.iter().zip(next).any(|(one, next)| PAIRS.contains(&(one, next)) || is_python(one, next))
        || is_go && is_go_root(folders)
}

/// `lib/python3.12`, or on Windows `Python312/Lib`.
fn is_python(one: &str, next: &str) -> bool {
    let version = |folder: &str| {
        let rest = folder.to_ascii_lowercase();
        rest.strip_prefix("python").is_some_and(|rest| rest.starts_with(['2', '3']))
    };
    one.starts_with("lib") && version(next) || version(one) && next.eq_ignore_ascii_case("lib")
}

/// `go1.22/src/runtime`, `go/src/fmt`, `libexec/src/fmt`: a folder of the standard library in a toolchain.
fn is_go_root(folders: &[&str]) -> bool {
    folders.windows(3).any(|three| {
        matches!(three, [root, "src", top]
            if (root.starts_with("go") || *root == "libexec") && GO_STANDARD.contains(top))
    })
}

/// Whether a place between brackets is a file's bare name, as the JVM prints it.
pub(crate) fn is_jvm_file(place: &str) -> bool {
    let endings = [".java", ".kt", ".kts", ".scala", ".groovy", ".clj"];
    let file = place.split_once(':').map_or(place, |(file, _)| file);
    !file.contains(['/', '\\']) && endings.iter().any(|ending| file.ends_with(ending))
}

/// Whether a JVM's frame, `app//org.junit.Assert.fail`, is in foreign code.
pub(crate) fn class(frame: &str) -> bool {
    let class = frame.rsplit_once('/').map_or(frame, |(_, class)| class);
    JVM_PACKAGES.iter().any(|package| class.starts_with(package))
}
