//! The functions of each language that change files or run shell text, by the end of their dotted names.

use crate::shell::model::{EffectKind, Language};

use EffectKind::{Copy, Delete, Move, Overwrite, Truncate};
use Language::{Awk, JavaScript, Perl, Php, Python, Ruby};

/// What a function does with its arguments.
#[derive(Clone, Copy)]
pub(crate) enum Does {
    Files(EffectKind, bool),
    /// Two paths: from, to.
    Pair(EffectKind),
    /// Writes the file when its mode argument says so.
    Opens,
    /// Runs its first argument as shell text, or a list of words.
    Shell,
}

/// A function by the end of its dotted name. A single name matches bare calls and methods alike, so it must be one
/// that nothing else has.
struct Function {
    language: Language,
    names: &'static [&'static str],
    does: Does,
}

static FUNCTIONS: &[Function] = &[
    Function {
        language: Python,
        names: &["os.remove", "os.unlink", "os.rmdir", "os.removedirs", "send2trash"],
        does: Does::Files(Delete, false),
    },
    Function { language: Python, names: &["shutil.rmtree", "rmtree"], does: Does::Files(Delete, true) },
    Function { language: Python, names: &["os.truncate"], does: Does::Files(Truncate, false) },
    Function { language: Python, names: &["os.rename", "os.replace", "shutil.move"], does: Does::Pair(Move) },
    Function {
        language: Python,
        names: &["shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree"],
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
        ],
        does: Does::Files(Overwrite, false),
    },
    Function {
        language: JavaScript,
        names: &["renameSync", "fs.rename", "promises.rename"],
        does: Does::Pair(Move),
    },
    Function {
        language: JavaScript,
        names: &["copyFileSync", "fs.copyFile", "promises.copyFile", "cpSync"],
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
        ],
        does: Does::Shell,
    },
    Function { language: Awk, names: &["system", "os.execute", "io.popen"], does: Does::Shell },
    // Lua's, which is read like awk.
    Function { language: Awk, names: &["os.remove"], does: Does::Files(Delete, false) },
    Function { language: Awk, names: &["os.rename"], does: Does::Pair(Move) },
    Function { language: Perl, names: &["unlink", "rmdir"], does: Does::Files(Delete, false) },
    Function { language: Perl, names: &["rmtree", "remove_tree"], does: Does::Files(Delete, true) },
    Function { language: Perl, names: &["truncate"], does: Does::Files(Truncate, false) },
    Function { language: Perl, names: &["rename", "move"], does: Does::Pair(Move) },
    Function { language: Perl, names: &["system", "exec"], does: Does::Shell },
    Function {
        language: Ruby,
        names: &["File.delete", "File.unlink", "FileUtils.rm", "FileUtils.rm_f", "Dir.rmdir", "Dir.delete"],
        does: Does::Files(Delete, false),
    },
    Function {
        language: Ruby,
        names: &[
            "FileUtils.rm_r",
            "FileUtils.rm_rf",
            "FileUtils.remove_dir",
            "FileUtils.remove_entry",
            "rm_rf",
        ],
        does: Does::Files(Delete, true),
    },
    Function { language: Ruby, names: &["File.write", "IO.write"], does: Does::Files(Overwrite, false) },
    Function { language: Ruby, names: &["File.truncate"], does: Does::Files(Truncate, false) },
    Function { language: Ruby, names: &["File.rename", "FileUtils.mv"], does: Does::Pair(Move) },
    Function { language: Ruby, names: &["system", "exec", "spawn"], does: Does::Shell },
    Function { language: Php, names: &["unlink", "rmdir"], does: Does::Files(Delete, false) },
    Function { language: Php, names: &["file_put_contents"], does: Does::Files(Overwrite, false) },
    Function { language: Php, names: &["rename"], does: Does::Pair(Move) },
    Function { language: Php, names: &["system", "exec", "shell_exec", "passthru"], does: Does::Shell },
];

/// Methods of a path: `Path('x').unlink()`.
pub(crate) static METHODS: &[(&str, EffectKind, bool)] = &[
    ("unlink", Delete, false),
    ("rmdir", Delete, false),
    ("rmtree", Delete, true),
    ("delete", Delete, false),
    ("write_text", Overwrite, false),
    ("write_bytes", Overwrite, false),
];

pub(crate) fn find(language: Language, name: &str) -> Option<Does> {
    let name = name.replace("::", ".").replace("->", ".");
    let matches = |known: &&str| {
        name == **known || name.strip_suffix(*known).is_some_and(|before| before.ends_with('.'))
    };
    FUNCTIONS.iter().find(|f| f.language == language && f.names.iter().any(matches)).map(|f| f.does)
}
