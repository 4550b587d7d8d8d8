#!/usr/bin/env python3
"""Makes every package of a release from built executables.

    packaging/package.py --executables DIR --out DIR [--repository OWNER/NAME] [--level N]

DIR holds one folder for each Rust target (`x86_64-unknown-linux-gnu/steadfast`, ...); what is there gets packages. Needs
Python 3.9 and nothing else. The same input gives the same bytes.
"""

import argparse
import base64
import gzip
import hashlib
import io
import json
import os
import re
import stat
import struct
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMAND, HOOK, DISTRIBUTION = "steadfast", "steadfast-hook", "steadfast-hooks"
SUMMARY = "Hook executables that keep coding agents honest and persistent"

# What each target is called by npm (system, processor), by Python (platform) and by Homebrew (system, processor).
TARGETS = {
    "x86_64-unknown-linux-gnu": {
        "npm": ("linux", "x64"),
        # The executable is static: any C library will do.
        "wheel": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
        "brew": ("linux", "intel"),
    },
    "aarch64-unknown-linux-gnu": {
        "npm": ("linux", "arm64"),
        "wheel": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
        "brew": ("linux", "arm"),
    },
    "x86_64-apple-darwin": {
        "npm": ("darwin", "x64"),
        "wheel": "macosx_10_12_x86_64",
        "brew": ("macos", "intel"),
    },
    "aarch64-apple-darwin": {
        "npm": ("darwin", "arm64"),
        "wheel": "macosx_11_0_arm64",
        "brew": ("macos", "arm"),
    },
}

# What a plugin consists of, beside the executable.
PLUGIN_PARTS = [".claude-plugin", "plugin.json", "hooks", "skills", "agents", "LICENSE"]


class Package:
    """Files of one package, by their names in it: bytes, mode, and of which other file a name is a hard link."""

    def __init__(self):
        self.files = {}

    def add(self, name, data, mode=0o644):
        self.files[name] = (data, mode, None)

    def take(self, name, path):
        executable = path.stat().st_mode & stat.S_IXUSR
        self.add(name, path.read_bytes(), 0o755 if executable else 0o644)

    def link(self, name, first):
        self.files[name] = (b"", 0o755, first)

    def tar(self, out, level):
        """As a compressed archive. A link follows the file that it is a link of."""
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for name, (data, mode, first) in sorted(self.files.items(), key=lambda item: (item[1][2] is not None, item[0])):
                entry = tarfile.TarInfo(name)
                entry.mode, entry.mtime, entry.size = mode, epoch(), len(data)
                if first is not None:
                    entry.type, entry.linkname = tarfile.LNKTYPE, first
                archive.addfile(entry, io.BytesIO(data))
        with open(out, "wb") as file, gzip.GzipFile("", "wb", level, file, epoch()) as compressed:
            compressed.write(packed.getvalue())

    def zip(self, out, level):
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
            for name, (data, mode, _) in sorted(self.files.items()):
                entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
                entry.external_attr, entry.compress_type = (stat.S_IFREG | mode) << 16, zipfile.ZIP_DEFLATED
                archive.writestr(entry, data)


def epoch():
    """The time of every file in a package, in seconds, so that the same input gives the same bytes."""
    return int(os.environ.get("SOURCE_DATE_EPOCH", "315532800"))


def version():
    found = re.search(r'^version = "(.+)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)
    return found.group(1)


# How an executable begins, and what processor it names: ELF for Linux, Mach-O for macOS, both of 64 bits.
ELF, MACH_O = b"\x7fELF\x02", b"\xcf\xfa\xed\xfe"
PROCESSORS = {"x64": (0x3E, 0x01000007), "arm64": (0xB7, 0x0100000C)}
INTERPRETER = 3
BUILD_VERSION, LEAST_VERSION = 0x32, 0x24


def misfit(target, executable):
    """Why an executable is not what the packages of its target promise; None where it is."""
    system, processor = TARGETS[target]["npm"]
    elf, mach_o = PROCESSORS[processor]
    if system == "linux":
        if executable[:5] != ELF or struct.unpack_from("<H", executable, 18)[0] != elf:
            return f"it is no Linux executable for {processor}"
        return "it is not static, and needs a C library" if needs_loader(executable) else None
    if executable[:4] != MACH_O or struct.unpack_from("<I", executable, 4)[0] != mach_o:
        return f"it is no macOS executable for {processor}"
    promised = tuple(int(part) for part in TARGETS[target]["wheel"].split("_")[1:3])
    needed = oldest_macos(executable)
    if needed > promised:
        needed, promised = ".".join(map(str, needed)), ".".join(map(str, promised))
        return f"it needs macOS {needed}; build it with MACOSX_DEPLOYMENT_TARGET={promised}"
    return None


def needs_loader(elf):
    """Whether an ELF executable names a program that loads libraries for it."""
    (at,) = struct.unpack_from("<Q", elf, 32)
    size, count = struct.unpack_from("<HH", elf, 54)
    return any(struct.unpack_from("<I", elf, at + size * one)[0] == INTERPRETER for one in range(count))


def oldest_macos(mach_o):
    """The oldest macOS that an executable says it runs on."""
    (count,) = struct.unpack_from("<I", mach_o, 16)
    at = 32
    for _ in range(count):
        command, size, first, second = struct.unpack_from("<IIII", mach_o, at)
        if command in (BUILD_VERSION, LEAST_VERSION):
            version = second if command == BUILD_VERSION else first
            return version >> 16, version >> 8 & 0xFF
        at += size
    return 0, 0


def make_archive(target, executable, out, level):
    """The archive that `install.sh`, Homebrew and cargo-binstall take."""
    folder = f"{COMMAND}-v{version()}-{target}"
    package = Package()
    package.add(f"{folder}/{COMMAND}", executable, 0o755)
    package.link(f"{folder}/{HOOK}", f"{folder}/{COMMAND}")
    for name in ["install.sh", "README.md", "LICENSE"]:
        package.take(f"{folder}/{name}", ROOT / name)
    path = out / f"{folder}.tar.gz"
    package.tar(path, level)
    return path


def make_plugin(target, executable, out, level):
    """The plugin with its executable, to be unpacked and given to the client as a plugin folder."""
    package = Package()
    package.add(f"bin/{COMMAND}", executable, 0o755)
    for part in PLUGIN_PARTS:
        path = ROOT / part
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                package.take(str(file.relative_to(ROOT)), file)
    path = out / f"{COMMAND}-plugin-v{version()}-{target}.zip"
    package.zip(path, level)
    return path


def npm_name(target):
    system, processor = TARGETS[target]["npm"]
    return f"{DISTRIBUTION}-{system}-{processor}"


def npm_manifest(name, more):
    manifest = {"name": name, "version": version(), "description": SUMMARY, "license": "MIT", **more}
    return (json.dumps(manifest, indent=2) + "\n").encode()


def make_npm_platform(target, executable, out, level):
    """The npm package of one platform: the executable alone."""
    system, processor = TARGETS[target]["npm"]
    package = Package()
    manifest = npm_manifest(npm_name(target), {"os": [system], "cpu": [processor], "preferUnplugged": True})
    package.add("package/package.json", manifest)
    package.add(f"package/bin/{COMMAND}", executable, 0o755)
    package.take("package/LICENSE", ROOT / "LICENSE")
    path = out / f"{npm_name(target)}-{version()}.tgz"
    package.tar(path, level)
    return path


def make_npm_wrapper(out, level):
    """The npm package that people name: npm adds the one of their platform."""
    platforms = {npm_name(target): version() for target in TARGETS}
    package = Package()
    manifest = {"bin": {COMMAND: "cli.js"}, "engines": {"node": ">=16"}, "optionalDependencies": platforms}
    package.add("package/package.json", npm_manifest(DISTRIBUTION, manifest))
    package.add("package/cli.js", (ROOT / "packaging/npm/cli.js").read_bytes(), 0o755)
    for name in ["README.md", "LICENSE"]:
        package.take(f"package/{name}", ROOT / name)
    path = out / f"{DISTRIBUTION}-{version()}.tgz"
    package.tar(path, level)
    return path


def make_wheel(target, executable, out, level):
    """The Python wheel of one platform: a script folder with the executable."""
    stem = f"{DISTRIBUTION.replace('-', '_')}-{version()}"
    information = f"{stem}.dist-info"
    platform = TARGETS[target]["wheel"]
    tags = "".join(f"Tag: py3-none-{one}\n" for one in platform.split("."))
    metadata = (
        f"Metadata-Version: 2.1\nName: {DISTRIBUTION}\nVersion: {version()}\nSummary: {SUMMARY}\nLicense: MIT\n"
        f"Requires-Python: >=3.7\nDescription-Content-Type: text/markdown\n\n{(ROOT / 'README.md').read_text()}"
    )
    package = Package()
    package.add(f"{stem}.data/scripts/{COMMAND}", executable, 0o755)
    package.add(f"{information}/METADATA", metadata.encode())
    package.add(f"{information}/WHEEL", f"Wheel-Version: 1.0\nGenerator: {COMMAND}\nRoot-Is-Purelib: false\n{tags}".encode())
    package.take(f"{information}/licenses/LICENSE", ROOT / "LICENSE")
    rows = [f"{name},sha256={wheel_digest(data)},{len(data)}" for name, (data, _, _) in sorted(package.files.items())]
    package.add(f"{information}/RECORD", "\n".join([*rows, f"{information}/RECORD,,", ""]).encode())
    path = out / f"{stem}-py3-none-{platform}.whl"
    package.zip(path, level)
    return path


def wheel_digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def make_formula(archives, repository, out):
    """The Homebrew formula. It names the archives where the release of `repository` has them."""
    base = f"https://github.com/{repository}/releases/download/v{version()}"
    systems = {}
    for target, path in archives.items():
        system, processor = TARGETS[target]["brew"]
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        systems.setdefault(system, []).append(
            f'    on_{processor} do\n      url "{base}/{path.name}"\n      sha256 "{digest}"\n    end\n'
        )
    blocks = "".join(f"  on_{system} do\n{''.join(parts)}  end\n\n" for system, parts in sorted(systems.items()))
    text = (
        f'class Steadfast < Formula\n  desc "{SUMMARY}"\n  homepage "https://github.com/{repository}"\n'
        f'  version "{version()}"\n  license "MIT"\n\n{blocks}'
        f'  def install\n    bin.install "{COMMAND}", "{HOOK}"\n  end\n\n'
        f'  test do\n    assert_match version.to_s, shell_output("#{{bin}}/{COMMAND} --version")\n'
        f'    assert_match version.to_s, shell_output("#{{bin}}/{HOOK} --version")\n  end\nend\n'
    )
    path = out / f"{COMMAND}.rb"
    path.write_text(text)
    return path


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--executables", type=Path, required=True, help="one folder for each Rust target")
    arguments.add_argument("--out", type=Path, required=True, help="where the packages go")
    arguments.add_argument("--repository", help="OWNER/NAME of the releases, for the Homebrew formula")
    arguments.add_argument("--level", type=int, default=9, help="how hard to compress, 1 to 9")
    given = arguments.parse_args()
    present = [target for target in TARGETS if (given.executables / target / COMMAND).is_file()]
    if not present:
        sys.exit(f"package.py: {given.executables} has no TARGET/{COMMAND}; targets: {', '.join(TARGETS)}")
    given.out.mkdir(parents=True, exist_ok=True)
    made, archives = [make_npm_wrapper(given.out, given.level)], {}
    for target in present:
        executable = (given.executables / target / COMMAND).read_bytes()
        reason = misfit(target, executable)
        if reason:
            sys.exit(f"package.py: {target}/{COMMAND}: {reason}")
        archives[target] = make_archive(target, executable, given.out, given.level)
        made.append(archives[target])
        for make in [make_plugin, make_npm_platform, make_wheel]:
            made.append(make(target, executable, given.out, given.level))
    if given.repository:
        made.append(make_formula(archives, given.repository, given.out))
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(made))
    (given.out / "SHA256SUMS").write_text(sums)
    for path in sorted(made):
        print(f"{path.name}  {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
