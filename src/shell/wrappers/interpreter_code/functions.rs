//! The functions of each language that change files or run shell text, by the end of their dotted names.

use crate::shell::model::{EffectKind, ScriptLanguage};

use EffectKind::{Copy, Delete, Move, Overwrite, Truncate};
use ScriptLanguage::{Awk, JavaScript, Perl, Php, Python, Ruby};

/// What a function does with its arguments.
#[derive(Clone, Copy)]
pub(crate) enum Does {
    Files(EffectKind, bool),
    /// Two paths: from, to.
    Pair(EffectKind),
    /// Writes the file when its mode argument says so.
    Opens,
    /// Writes its second argument into the file that is its first.
    Writes,
    /// Runs its first argument as shell text, or a list of words.
    Shell,
}

/// A function by the end of its dotted name. A single name matches bare calls and methods alike, so it must be one
/// that nothing else has.
struct Function {
    language: ScriptLanguage,
    names: &'static [&'static str],
    does: Does,
}

static FUNCTIONS: &[Function] = &[
    Function {
        language: Python,
        names: &[
            "os.remove",
            "os.unlink",
            "os.rmdir",
            "os.removedirs",
            "send2trash",
            "send2trash.send2trash",
        ],
        does: Does::Files(Delete, false),
    },
    Function { language: Python, names: &["shutil.rmtree", "rmtree"], does: Does::Files(Delete, true) },
    Function { language: Python, names: &["os.truncate"], does: Does::Files(Truncate, false) },
    Function {
        language: Python,
        names: &["os.rename", "os.replace", "os.renames", "shutil.move"],
        does: Does::Pair(Move),
    },
    Function {
        language: Python,
        names: &[
            "shutil.copy",
            "shutil.copy2",
            "shutil.copyfile",
            "shutil.copytree",
            "os.symlink",
            "os.link",
        ],
        does: Does::Pair(Copy),
    },
    Function { language: Python, names: &["open"], does: Does::Opens },
    Function {
        language: Python,
        names: &[
            "os.system",
            "os.popen",
            "subprocess.run",
            "subprocess.call",
            "subprocess.check_call",
            "subprocess.check_output",
            "subprocess.Popen",
            "subprocess.getoutput",
            "subprocess.getstatusoutput",
            "os.execvp",
            "os.spawnvp",
            "pty.spawn",
            "asyncio.create_subprocess_shell",
            "asyncio.create_subprocess_exec",
            "sh.bash",
        ],
        does: Does::Shell,
    },
    Function {
        language: JavaScript,
        names: &[
            "unlinkSync",
            "rmdirSync",
            "fs.unlink",
            "fs.rmdir",
            "promises.unlink",
            "promises.rmdir",
            "fsp.unlink",
            "().unlink",
            "().rmdir",
        ],
        does: Does::Files(Delete, false),
    },
    Function {
        language: JavaScript,
        names: &[
            "rmSync",
            "fs.rm",
            "promises.rm",
            "fsp.rm",
            "().rm",
            "rimraf",
            "rimraf.sync",
            "rimrafSync",
            "fs.removeSync",
            "fs.remove",
            "Deno.remove",
            "Deno.removeSync",
            "emptyDirSync",
            "fs.emptyDir",
            "fs.rmdirSync",
            "deleteSync",
            "deleteAsync",
            "trash",
            "shelljs.rm",
        ],
        does: Does::Files(Delete, true),
    },
    Function {
        language: JavaScript,
        names: &["truncateSync", "fs.truncate"],
        does: Does::Files(Truncate, false),
    },
    Function {
        language: JavaScript,
        names: &[
            "writeFileSync",
            "fs.writeFile",
            "promises.writeFile",
            "fsp.writeFile",
            "().writeFile",
            "Bun.write",
            "Deno.writeTextFile",
            "Deno.writeTextFileSync",
            "Deno.writeFile",
            "Deno.writeFileSync",
            "outputFileSync",
            "fs.outputFile",
            "writeJsonSync",
            "fs.writeJson",
        ],
        does: Does::Writes,
    },
    Function {
        language: JavaScript,
        names: &["createWriteStream", "Deno.create", "Deno.createSync"],
        does: Does::Files(Truncate, false),
    },
    Function { language: JavaScript, names: &["openSync", "fs.open", "promises.open"], does: Does::Opens },
    Function {
        language: JavaScript,
        names: &[
            "renameSync",
            "fs.rename",
            "promises.rename",
            "moveSync",
            "fs.move",
            "Deno.rename",
            "Deno.renameSync",
            "shelljs.mv",
        ],
        does: Does::Pair(Move),
    },
    Function {
        language: JavaScript,
        names: &[
            "copyFileSync",
            "fs.copyFile",
            "promises.copyFile",
            "cpSync",
            "promises.cp",
            "symlinkSync",
            "fs.copySync",
            "Deno.copyFile",
            "Deno.copyFileSync",
        ],
        does: Does::Pair(Copy),
    },
    Function {
        language: JavaScript,
        names: &[
            "execSync",
            "child_process.exec",
            "spawnSync",
            "child_process.spawn",
            "execFileSync",
            "child_process.execFile",
            "().exec",
            "().spawn",
            "child_process.fork",
            "shelljs.exec",
            "execa",
            "execaSync",
            "execaCommand",
            "execaCommandSync",
            "Bun.spawn",
            "Bun.spawnSync",
            "Deno.Command",
            "Deno.run",
            "qx",
        ],
        does: Does::Shell,
    },
    Function {
        language: Awk,
        names: &["system", "os.execute", "io.popen", "system2", "System.cmd"],
        does: Does::Shell,
    },
    // Lua's, which is read like awk.
    Function {
        language: Awk,
        names: &["os.remove", "file.remove", "File.rm"],
        does: Does::Files(Delete, false),
    },
    // Those of R, Julia and Elixir, which are read the same way.
    Function { language: Awk, names: &["unlink", "File.rm_rf", "Base.rm"], does: Does::Files(Delete, true) },
    Function { language: Awk, names: &["file.rename", "File.rename"], does: Does::Pair(Move) },
    Function { language: Awk, names: &["File.write", "File.write!"], does: Does::Files(Overwrite, false) },
    Function { language: Awk, names: &["os.rename"], does: Does::Pair(Move) },
    Function { language: Perl, names: &["unlink", "rmdir"], does: Does::Files(Delete, false) },
    Function { language: Perl, names: &["rmtree", "remove_tree"], does: Does::Files(Delete, true) },
    Function { language: Perl, names: &["truncate"], does: Does::Files(Truncate, false) },
    Function { language: Perl, names: &["rename", "move", "mv"], does: Does::Pair(Move) },
    Function { language: Perl, names: &["copy", "symlink"], does: Does::Pair(Copy) },
    Function { language: Perl, names: &["open"], does: Does::Opens },
    Function { language: Perl, names: &["system", "exec", "qx"], does: Does::Shell },
    Function {
        language: Ruby,
        names: &[
            "File.delete",
            "File.unlink",
            "FileUtils.rm",
            "FileUtils.rm_f",
            "Dir.rmdir",
            "Dir.delete",
            "Dir.unlink",
            "FileUtils.remove",
            "FileUtils.rmdir",
            "FileUtils.safe_unlink",
        ],
        does: Does::Files(Delete, false),
    },
    Function {
        language: Ruby,
        names: &[
            "FileUtils.rm_r",
            "FileUtils.rm_rf",
            "FileUtils.remove_dir",
            "FileUtils.remove_entry",
            "FileUtils.remove_entry_secure",
            "FileUtils.rmtree",
            "rm_rf",
            "rm_r",
        ],
        does: Does::Files(Delete, true),
    },
    Function { language: Ruby, names: &["File.write", "IO.write", "File.binwrite"], does: Does::Writes },
    Function { language: Ruby, names: &["File.open", "File.new"], does: Does::Opens },
    Function { language: Ruby, names: &["File.truncate"], does: Does::Files(Truncate, false) },
    Function {
        language: Ruby,
        names: &["File.rename", "FileUtils.mv", "FileUtils.move"],
        does: Does::Pair(Move),
    },
    Function {
        language: Ruby,
        names: &["FileUtils.cp", "FileUtils.cp_r", "FileUtils.ln_sf", "FileUtils.copy", "FileUtils.install"],
        does: Does::Pair(Copy),
    },
    Function {
        language: Ruby,
        names: &[
            "system",
            "exec",
            "spawn",
            "IO.popen",
            "Open3.capture2",
            "Open3.capture2e",
            "Open3.capture3",
            "Open3.popen3",
            "qx",
            "sh",
        ],
        does: Does::Shell,
    },
    Function { language: Php, names: &["unlink", "rmdir"], does: Does::Files(Delete, false) },
    Function { language: Php, names: &["file_put_contents"], does: Does::Writes },
    Function { language: Php, names: &["fopen"], does: Does::Opens },
    Function { language: Php, names: &["rename"], does: Does::Pair(Move) },
    Function { language: Php, names: &["copy", "symlink"], does: Does::Pair(Copy) },
    Function {
        language: Php,
        names: &["system", "exec", "shell_exec", "passthru", "popen", "proc_open", "pcntl_exec", "qx"],
        does: Does::Shell,
    },
];

/// Functions that run text of the source's own language.
pub(crate) static EVALUATORS: &[(ScriptLanguage, &[&str])] = &[
    (Python, &["exec", "eval"]),
    (JavaScript, &["eval", "Function"]),
    (Ruby, &["eval", "instance_eval"]),
    (Php, &["eval"]),
    (Perl, &["eval"]),
];

/// Methods of a path: `Path('x').unlink()`.
pub(crate) static METHODS: &[(&str, EffectKind, bool)] = &[
    ("unlink", Delete, false),
    ("rmdir", Delete, false),
    ("rmtree", Delete, true),
    ("delete", Delete, false),
    ("write_text", Overwrite, false),
    ("write_bytes", Overwrite, false),
    ("truncate", Truncate, false),
];

/// Methods of a path that give it another name: `Path('x').rename('y')`.
pub(crate) static MOVING: &[&str] = &["rename", "replace", "move", "move_into"];

pub(crate) fn find(language: ScriptLanguage, name: &str) -> Option<Does> {
    let name = name.replace("::", ".").replace("->", ".");
    let matches = |known: &&str| {
        name == **known || name.strip_suffix(*known).is_some_and(|before| before.ends_with('.'))
    };
    FUNCTIONS.iter().find(|f| f.language == language && f.names.iter().any(matches)).map(|f| f.does)
}
