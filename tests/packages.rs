//! Every package of a release, made from the executable under test and installed from its file with a fresh HOME: the
//! installation's own trial then has the hook refuse a real edit. What a machine has no tool for is skipped aloud.
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

/// The packages, made once for all tests.
struct Packages {
    folder: TempDir,
}

impl Packages {
    /// The packages of this system; `None`, said aloud, where they can't be made.
    fn made() -> Option<&'static Packages> {
        static MADE: OnceLock<Option<Packages>> = OnceLock::new();
        MADE.get_or_init(|| {
            let target = match (std::env::consts::OS, std::env::consts::ARCH) {
                ("linux", processor) => format!("{processor}-unknown-linux-gnu"),
                (_, processor) => format!("{processor}-apple-darwin"),
            };
            if !has("python3") {
                return None;
            }
            let folder = tempfile::tempdir().expect("a scratch folder");
            let built = folder.path().join("built").join(&target);
            fs::create_dir_all(&built).expect("a folder");
            // Symbols would only make it longer to compress.
            let stripped = Command::new("strip")
                .arg("-o")
                .arg(built.join("steadfast"))
                .arg(env!("CARGO_BIN_EXE_steadfast"))
                .status();
            if !stripped.is_ok_and(|status| status.success()) {
                fs::copy(env!("CARGO_BIN_EXE_steadfast"), built.join("steadfast")).expect("a copy");
            }
            let mut make = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/packaging/package.py"));
            make.args(["--level", "1", "--repository", "somebody/steadfast", "--executables"]);
            make.arg(folder.path().join("built")).arg("--out").arg(folder.path().join("out"));
            success(make.output().expect("package.py"));
            Some(Packages { folder })
        })
        .as_ref()
    }

    /// The one package whose file's name begins and ends like this.
    fn file(&self, begin: &str, end: &str) -> PathBuf {
        let entries = fs::read_dir(self.folder.path().join("out")).expect("packages").flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let found: Vec<String> =
            names.filter(|name| name.starts_with(begin) && name.ends_with(end)).collect();
        let [name] = &found[..] else { unreachable!("{begin}…{end}: {found:?}") };
        self.folder.path().join("out").join(name)
    }

    fn archive(&self) -> PathBuf {
        self.file("steadfast-v", ".tar.gz")
    }
}

/// Whether a tool is there; said aloud when not.
fn has(tool: &str) -> bool {
    let there = Command::new(tool).arg("--help").output().is_ok();
    if !there {
        let _ = writeln!(std::io::stderr(), "NOT RUN: packages that take {tool}, which is missing");
    }
    there
}

/// What a command said that has succeeded.
fn success(output: Output) -> String {
    let said = [&output.stdout[..], &output.stderr]
        .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
        .concat();
    assert!(output.status.success(), "{said}");
    said
}

/// A new person's HOME and project.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Place(tempfile::tempdir().expect("a scratch folder"));
        for folder in ["home", "project"] {
            fs::create_dir(place.path(folder)).expect("a folder");
        }
        place
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().canonicalize().expect("the scratch folder").join(path)
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        let path = std::env::var_os("PATH").unwrap_or_default();
        command
            .current_dir(self.path("project"))
            .env_clear()
            .env("HOME", self.path("home"))
            .env("PATH", path);
        command
    }

    /// The hook that the project's settings call, after an installation that said `said`.
    fn hook(&self, said: &str) -> PathBuf {
        assert!(said.contains("deny") && said.contains("LP-001"), "{said}");
        let settings = fs::read(self.path("project/.claude/settings.local.json")).expect("settings");
        let settings: Value = serde_json::from_slice(&settings).expect("JSON");
        let hook = &settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"];
        let hook = PathBuf::from(hook.as_str().expect("a command"));
        self.says_its_name(&hook);
        hook
    }

    /// Under its own name, the executable is the hook.
    fn says_its_name(&self, hook: &Path) {
        let version = success(self.command(hook).arg("--version").output().expect("the hook"));
        assert_eq!(version.trim_end(), concat!("steadfast-hook ", env!("CARGO_PKG_VERSION")));
    }

    /// Installs with `command`, a `steadfast` that is in place, and takes it out again.
    fn installs_and_uninstalls(&self, command: &Path) -> PathBuf {
        let said = success(
            self.command(command).args(["install", "--client", "2.1.332"]).output().expect("steadfast"),
        );
        let hook = self.hook(&said);
        success(self.command(command).arg("uninstall").output().expect("steadfast"));
        assert!(!self.path("project/.claude/settings.local.json").exists());
        hook
    }
}

#[test]
fn an_unpacked_archive_installs_without_building() {
    let Some(packages) = Packages::made() else { return };
    let place = Place::new();
    success(place.command("tar").arg("-xzf").arg(packages.archive()).output().expect("tar"));
    let folders = fs::read_dir(place.path("project")).expect("a folder").flatten();
    let folder = folders.map(|entry| entry.path()).next().expect("the archive's folder");
    let said = success(place.command(folder.join("install.sh")).output().expect("install.sh"));
    assert_eq!(place.hook(&said), place.path("home/.local/bin/steadfast-hook"));
    let sizes = ["steadfast", "steadfast-hook"].map(|name| {
        use std::os::unix::fs::MetadataExt;
        fs::metadata(place.path("home/.local/bin").join(name)).expect("an executable").ino()
    });
    assert_eq!(sizes[0], sizes[1], "one file under two names");
    success(place.command(folder.join("install.sh")).arg("--uninstall").output().expect("install.sh"));
    assert!(!place.path("project/.claude/settings.local.json").exists());
}

#[test]
fn the_script_takes_the_archive_beside_it_when_its_checksum_fits() {
    let Some(packages) = Packages::made() else { return };
    let place = Place::new();
    let clone = place.path("clone");
    fs::create_dir(&clone).expect("a folder");
    let archive = clone.join(packages.archive().file_name().expect("a name"));
    for (from, to) in [
        (PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/install.sh")), clone.join("install.sh")),
        (packages.archive(), archive.clone()),
        (packages.file("SHA256SUMS", ""), clone.join("SHA256SUMS")),
    ] {
        fs::copy(from, to).expect("a copy");
    }
    fs::write(clone.join("Cargo.toml"), "").expect("a clone");
    let said = success(place.command(clone.join("install.sh")).output().expect("install.sh"));
    place.hook(&said);

    fs::OpenOptions::new()
        .append(true)
        .open(&archive)
        .expect("the archive")
        .write_all(b"!")
        .expect("a byte more");
    let output = place.command(clone.join("install.sh")).output().expect("install.sh");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("SHA256SUMS"), "{output:?}");
}

#[test]
fn npm_installs_the_platforms_package_beside_the_one_that_people_name() {
    let Some(packages) = Packages::made().filter(|_| has("npm")) else { return };
    let place = Place::new();
    let prefix = place.path("prefix");
    let mut npm = place.command("npm");
    npm.args(["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"])
        .arg(&prefix);
    npm.arg(packages.file("steadfast-hooks-0", ".tgz"));
    npm.arg(packages.file(
        if cfg!(target_os = "linux") { "steadfast-hooks-linux" } else { "steadfast-hooks-darwin" },
        ".tgz",
    ));
    success(npm.output().expect("npm"));
    let command = prefix.join("node_modules/.bin/steadfast");
    let hook = place.installs_and_uninstalls(&command);
    assert!(hook.starts_with(&prefix), "no script stands before the hook: {}", hook.display());
    let output = place.command(&command).args(["status", "--no-such-option"]).output().expect("steadfast");
    assert_eq!(output.status.code(), Some(2), "the executable's own exit code");
}

#[test]
fn a_wheel_brings_the_executable() {
    let Some(packages) = Packages::made() else { return };
    let place = Place::new();
    let environment = place.path("environment");
    let made = place.command("python3").args(["-m", "venv"]).arg(&environment).output().expect("python3");
    if !made.status.success() {
        let _ = writeln!(std::io::stderr(), "NOT RUN: the wheel, python3 has no venv");
        return;
    }
    let mut pip = place.command(environment.join("bin/pip"));
    pip.args(["install", "--quiet", "--no-index"]).arg(packages.file("steadfast_hooks-", ".whl"));
    success(pip.output().expect("pip"));
    place.installs_and_uninstalls(&environment.join("bin/steadfast"));
}

#[test]
fn a_plugin_brings_the_executable_and_its_launcher_finds_it() {
    let Some(packages) = Packages::made().filter(|_| has("unzip")) else { return };
    let place = Place::new();
    let root = place.path("plugin");
    let zip = packages.file("steadfast-plugin-", ".zip");
    success(place.command("unzip").arg("-q").arg(zip).arg("-d").arg(&root).output().expect("unzip"));
    for _ in 0..2 {
        let mut launcher = place.command(root.join("hooks/run"));
        let version =
            launcher.arg("--version").env("CLAUDE_PLUGIN_ROOT", &root).output().expect("the launcher");
        assert!(success(version).starts_with("steadfast-hook "));
    }
    place.says_its_name(&root.join("bin/steadfast-hook"));
}

#[test]
fn the_formula_and_the_sums_name_the_archives_bytes() {
    let Some(packages) = Packages::made() else { return };
    let sums = fs::read_to_string(packages.file("SHA256SUMS", "")).expect("sums");
    let archive = packages.archive();
    let name = archive.file_name().expect("a name").to_string_lossy().into_owned();
    let line = sums.lines().find(|line| line.ends_with(&format!("  {name}"))).expect("the archive's line");
    let formula = fs::read_to_string(packages.file("steadfast", ".rb")).expect("a formula");
    let address = format!(
        "https://github.com/somebody/steadfast/releases/download/v{}/{name}",
        env!("CARGO_PKG_VERSION")
    );
    assert!(formula.contains(&format!("url \"{address}\"")), "{formula}");
    assert!(formula.contains(line.split(' ').next().expect("a sum")), "{formula}");
}

/// A Mach-O executable for arm64 of nothing but the macOS that it needs at least.
fn macos_executable(oldest: u32) -> Vec<u8> {
    let head = [0xfeed_facf_u32, 0x0100_000c, 0, 2, 1, 24, 0, 0];
    let build_version = [0x32, 24, 1, oldest << 16, 0, 0];
    head.iter().chain(&build_version).flat_map(|word| word.to_le_bytes()).collect()
}

/// An ELF executable for arm64 of one program header of this kind.
fn linux_executable(kind: u32) -> Vec<u8> {
    let mut bytes = vec![0; 64 + 56];
    bytes[..5].copy_from_slice(b"\x7fELF\x02");
    bytes[18] = 0xb7;
    bytes[32] = 64;
    bytes[54] = 56;
    bytes[56] = 1;
    bytes[64..68].copy_from_slice(&kind.to_le_bytes());
    bytes
}

#[test]
fn an_executable_that_is_not_what_its_packages_promise_is_refused() {
    if !has("python3") {
        return;
    }
    for (target, executable, refused) in [
        ("aarch64-apple-darwin", macos_executable(11), None),
        ("aarch64-apple-darwin", macos_executable(15), Some("it needs macOS 15.0")),
        ("x86_64-apple-darwin", macos_executable(10), Some("no macOS executable for x64")),
        ("aarch64-unknown-linux-gnu", linux_executable(1), None),
        ("aarch64-unknown-linux-gnu", linux_executable(3), Some("not static")),
        ("aarch64-unknown-linux-gnu", macos_executable(11), Some("no Linux executable for arm64")),
    ] {
        let place = tempfile::tempdir().expect("a scratch folder");
        let folder = place.path().join("built").join(target);
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("steadfast"), executable).expect("a file");
        let mut make = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/packaging/package.py"));
        make.args(["--level", "1", "--executables"]).arg(place.path().join("built"));
        let made = make.arg("--out").arg(place.path().join("out")).output().expect("package.py");
        let said = String::from_utf8_lossy(&made.stderr);
        match refused {
            None => assert!(made.status.success(), "{target}: {said}"),
            Some(why) => assert!(!made.status.success() && said.contains(why), "{target}: {said}"),
        }
    }
}
