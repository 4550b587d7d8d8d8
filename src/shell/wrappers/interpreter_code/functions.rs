//! The functions of each language that change files or run shell text, by the end of their dotted names.

use crate::shell::model::{EffectKind, ScriptLanguage};

use EffectKind::{Copy, Delete, Move, Overwrite, Truncate};
use ScriptLanguage::{Awk, JavaScript, Perl, Php, Python, Ruby};

/// What a function does with its arguments.
#[derive(Clone, Copy)]
pub(crate) enum FunctionEffect {
    Files(EffectKind, bool),
    /// Two paths: from, to.
    Pair(EffectKind),
    /// Writes the file when its mode argument says so.
    Opens,
    /// Writes its second argument into the file that is its first.
    Writes,
    /// Adds to the file that is its first argument.
    Adds,
    /// Runs its first argument as shell text, or a list of words.
    Shell,
}

/// A function by the end of its dotted name. A single name matches bare calls and methods alike, so it must be one
/// that nothing else has.
struct LibraryFunction {
    language: ScriptLanguage,
    names: &'static [&'static str],
    does: FunctionEffect,
}

static FUNCTIONS: &[LibraryFunction] = &[
    LibraryFunction {
        language: Python,
        names: &[
            "os.remove",
            "os.unlink",
            "os.rmdir",
            "os.removedirs",
            "send2trash",
            "send2trash.send2trash",
        ],
        does: FunctionEffect::Files(Delete, false),
    },
    LibraryFunction {
        language: Python,
        names: &["shutil.rmtree", "rmtree"],
        does: FunctionEffect::Files(Delete, true),
    },
    LibraryFunction {
        language: Python,
        names: &["os.truncate"],
        does: FunctionEffect::Files(Truncate, false),
    },
    LibraryFunction {
        language: Python,
        names: &["os.rename", "os.replace", "os.renames", "shutil.move"],
        does: FunctionEffect::Pair(Move),
    },
    LibraryFunction {
        language: Python,
        names: &[
            "shutil.copy",
            "shutil.copy2",
            "shutil.copyfile",
            "shutil.copytree",
            "os.symlink",
            "os.link",
        ],
        does: FunctionEffect::Pair(Copy),
    },
    LibraryFunction { language: Python, names: &["open"], does: FunctionEffect::Opens },
    LibraryFunction {
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
        does: FunctionEffect::Shell,
    },
    LibraryFunction {
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
        does: FunctionEffect::Files(Delete, false),
    },
    LibraryFunction {
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
        does: FunctionEffect::Files(Delete, true),
    },
    LibraryFunction {
        language: JavaScript,
        names: &["truncateSync", "fs.truncate"],
        does: FunctionEffect::Files(Truncate, false),
    },
    LibraryFunction {
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
        does: FunctionEffect::Writes,
    },
    LibraryFunction {
        language: JavaScript,
        names: &["appendFileSync", "fs.appendFile", "promises.appendFile", "fsp.appendFile", "().appendFile"],
        does: FunctionEffect::Adds,
    },
    LibraryFunction {
        language: JavaScript,
        names: &["createWriteStream", "Deno.create", "Deno.createSync"],
        does: FunctionEffect::Files(Truncate, false),
    },
    LibraryFunction {
        language: JavaScript,
        names: &["openSync", "fs.open", "promises.open"],
        does: FunctionEffect::Opens,
    },
    LibraryFunction {
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
        does: FunctionEffect::Pair(Move),
    },
    LibraryFunction {
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
        does: FunctionEffect::Pair(Copy),
    },
    LibraryFunction {
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
        does: FunctionEffect::Shell,
    },
    LibraryFunction {
        language: Awk,
        names: &["system", "os.execute", "io.popen", "system2", "System.cmd"],
        does: FunctionEffect::Shell,
    },
    // Lua's, which is read like awk.
    LibraryFunction {
        language: Awk,
        names: &["os.remove", "file.remove", "File.rm"],
        does: FunctionEffect::Files(Delete, false),
    },
    // Those of R, Julia and Elixir, which are read the same way.
    LibraryFunction {
        language: Awk,
        names: &["unlink", "File.rm_rf", "Base.rm"],
        does: FunctionEffect::Files(Delete, true),
    },
    LibraryFunction {
        language: Awk,
        names: &["file.rename", "File.rename"],
        does: FunctionEffect::Pair(Move),
    },
    LibraryFunction {
        language: Awk,
        names: &["File.write", "File.write!"],
        does: FunctionEffect::Files(Overwrite, false),
    },
    LibraryFunction { language: Awk, names: &["os.rename"], does: FunctionEffect::Pair(Move) },
    LibraryFunction {
        language: Perl,
        names: &["unlink", "rmdir"],
        does: FunctionEffect::Files(Delete, false),
    },
    LibraryFunction {
        language: Perl,
        names: &["rmtree", "remove_tree"],
        does: FunctionEffect::Files(Delete, true),
    },
    LibraryFunction { language: Perl, names: &["truncate"], does: FunctionEffect::Files(Truncate, false) },
    LibraryFunction { language: Perl, names: &["rename", "move", "mv"], does: FunctionEffect::Pair(Move) },
    LibraryFunction { language: Perl, names: &["copy", "symlink"], does: FunctionEffect::Pair(Copy) },
    LibraryFunction { language: Perl, names: &["open"], does: FunctionEffect::Opens },
    LibraryFunction { language: Perl, names: &["system", "exec", "qx"], does: FunctionEffect::Shell },
    LibraryFunction {
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
        does: FunctionEffect::Files(Delete, false),
    },
    LibraryFunction {
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
        does: FunctionEffect::Files(Delete, true),
    },
    LibraryFunction {
        language: Ruby,
        names: &["File.write", "IO.write", "File.binwrite"],
        does: FunctionEffect::Writes,
    },
    LibraryFunction { language: Ruby, names: &["File.open", "File.new"], does: FunctionEffect::Opens },
    LibraryFunction {
        language: Ruby,
        names: &["File.truncate"],
        does: FunctionEffect::Files(Truncate, false),
    },
    LibraryFunction {
        language: Ruby,
        names: &["File.rename", "FileUtils.mv", "FileUtils.move"],
        does: FunctionEffect::Pair(Move),
    },
    LibraryFunction {
        language: Ruby,
        names: &["FileUtils.cp", "FileUtils.cp_r", "FileUtils.ln_sf", "FileUtils.copy", "FileUtils.install"],
        does: FunctionEffect::Pair(Copy),
    },
    LibraryFunction {
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
        does: FunctionEffect::Shell,
    },
    LibraryFunction {
        language: Php,
        names: &["unlink", "rmdir"],
        does: FunctionEffect::Files(Delete, false),
    },
    LibraryFunction { language: Php, names: &["file_put_contents"], does: FunctionEffect::Writes },
    LibraryFunction { language: Php, names: &["fopen"], does: FunctionEffect::Opens },
    LibraryFunction { language: Php, names: &["rename"], does: FunctionEffect::Pair(Move) },
    LibraryFunction { language: Php, names: &["copy", "symlink"], does: FunctionEffect::Pair(Copy) },
    LibraryFunction {
        language: Php,
        names: &["system", "exec", "shell_exec", "passthru", "popen", "proc_open", "pcntl_exec", "qx"],
        does: FunctionEffect::Shell,
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

pub(crate) fn find(language: ScriptLanguage, name: &str) -> Option<FunctionEffect> {
    let name = name.replace("::", ".").replace("->", ".");
    let matches = |known: &&str| {
        name == **known || name.strip_suffix(*known).is_some_and(|before| before.ends_with('.'))
    };
    FUNCTIONS.iter().find(|f| f.language == language && f.names.iter().any(matches)).map(|f| f.does)
}
