//! Functions, methods and names of the languages that stand for a path, by which of them a source asks for it.

/// Functions that give back the path they get, by the end of their names.
pub(super) const SAME: &[&str] = &[
    "Pathname.new",
    "Bun.file",
    "expanduser",
    "abspath",
    "realpath",
    "normpath",
    "fspath",
    "File.expand_path",
    "File.realpath",
    "path.normalize",
    "String",
    "str",
    "sorted",
    "list",
    "set",
    "reversed",
    "Array.from",
    "realpathSync",
    "shlex.quote",
    "quote",
    "iter",
    "tuple",
    "shlex.split",
    "Pathname",
    "enumerate",
    "fileURLToPath",
    "pathToFileURL",
    "RecursiveIteratorIterator",
    "iterator_to_array",
    "array_filter",
    "Shellwords.split",
];

/// Functions that give back the folder that holds the path they get.
pub(super) const PARENTS: &[&str] = &["path.dirname", "dirname", "File.dirname"];

/// Functions of whose arguments the first is what they give back.
pub(super) const FIRST: &[&str] = &["File.expand_path", "compile", "array_values"];

/// Functions that give back whatever is below a folder.
pub(super) const TREES: &[&str] = &["RecursiveDirectoryIterator", "Find.find", "os.fwalk"];

/// Functions that join the parts of a path.
pub(super) const JOINS: &[&str] = &[
    "os.path.join",
    "path.join",
    "path.resolve",
    "File.join",
    "join",
    "resolve",
    "Path",
    "PurePath",
    "PosixPath",
    "PurePosixPath",
];

/// Functions that give back the files that a pattern names.
pub(super) const GLOBS: &[&str] = &[
    "glob.glob",
    "glob",
    "glob.iglob",
    "iglob",
    "Dir.glob",
    "glob.sync",
    "globSync",
    "globby",
    "fg.sync",
    "Pathname.glob",
];

/// Functions that give back the names of what is in a folder.
pub(super) const LISTINGS: &[&str] = &[
    "os.listdir",
    "listdir",
    "readdirSync",
    "Dir.children",
    "Dir.entries",
    "scandir",
    "fs.readdir",
    "promises.readdir",
    "Dir.each_child",
    "Dir.foreach",
    "DirectoryIterator",
];

/// Functions that give the home.
pub(super) const HOMES: &[&str] = &["homedir", "Path.home", "Dir.home", "posix_getpwuid"];
/// Functions that give the working folder.
pub(super) const HERE: &[&str] =
    &["getcwd", "Path.cwd", "process.cwd", "Dir.pwd", "Dir.getwd", "cwd", "Deno.cwd"];
/// Functions that give the folder for temporary files, or a new one in it.
pub(super) const TEMPORARY: &[&str] =
    &["mkdtemp", "mkdtempSync", "gettempdir", "tmpdir", "Dir.mktmpdir", "Dir.tmpdir", "TemporaryDirectory"];
/// Functions that run a command and give back what it prints.
pub(super) const RUNS: &[&str] =
    &["check_output", "getoutput", "execSync", "execFileSync", "popen", "subprocess.run", "qx", "shell_exec"];

/// Methods that give back what they are called on, or a part of its elements.
pub(super) const SAME_METHODS: &[&str] = &[
    "expanduser",
    "resolve",
    "absolute",
    "toString",
    "trim",
    "strip",
    "split",
    "splitlines",
    "decode",
    "filter",
    "sort",
    "slice",
    "read",
    "stdout",
    "as_posix",
    "chomp",
    "lines",
    "to_s",
    "readlines",
    "reverse",
    "select",
    "reject",
    "path",
    "compact",
    "uniq",
    "sort_by",
    "concat",
    "flat",
    "text",
    "getPathname",
    "href",
    "pathname",
];

/// Names that stand for a place without being called.
pub(super) const PLACES: &[(&str, &str)] = &[
    ("process.env.HOME", "~"),
    ("Bun.env.HOME", "~"),
    ("Dir.home", "~"),
    ("Dir.pwd", "."),
    ("__dirname", "."),
    ("import.meta.dirname", "."),
    ("import.meta.dir", "."),
    ("import.meta.url", "./"),
    ("__FILE__", "./-e"),
    ("__file__", "./-c"),
    ("__filename", "./-e"),
];

/// Tables of the environment.
pub(super) const ENVIRONMENTS: &[&str] =
    &["os.environ", "environ", "process.env", "Bun.env", "ENV", "_SERVER", "_ENV"];

/// Methods of a path that give back the paths in it, and how they say that folders below are meant.
pub(super) const BELOW: &[(&str, &str)] =
    &[("rglob", "**/"), ("glob", ""), ("iterdir", "*"), ("children", "*")];
