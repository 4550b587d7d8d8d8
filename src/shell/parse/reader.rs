//! One reading of a text: the state of the shell as far as it is known, and the bounds of the work.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use tree_sitter::{Node, Tree};

use crate::shell::model::{
    CommandInput, DEEPEST_NESTING, FileTexts, LONGEST_TEXT, Script, ScriptContext, Word, first_line,
};
use crate::shell::parse::bounds;
use crate::shell::parse::bounds::Fuel;
use crate::shell::parse::state::{ReadingPlace, RemotePlace, ShadowedValue, ShellFunction, ShortNames};
use crate::shell::parse::written::readable;

/// How many levels of the tree one level of nesting may take.
pub(crate) const TREE_LEVELS: u32 = DEEPEST_NESTING * 4;

/// How often text may be run by text (`bash -c`, `eval`, a function's body).
const DEEPEST_TEXT: u32 = 12;

/// How many texts may be run by text, in all: functions that call each other multiply.
const MOST_INNER_TEXTS: usize = 256;

/// The most bytes of text run by text that are taken apart, in all.
const MOST_INNER_TEXT: usize = LONGEST_TEXT;

/// One reading of a text.
pub(crate) struct ScriptReader {
    /// What was found so far.
    pub(crate) script: Script,
    /// The shell's state.
    pub(crate) place: ReadingPlace,
    /// The user's home.
    pub(crate) home: PathBuf,
    /// The text's functions by name.
    pub(crate) functions: HashMap<String, ShellFunction>,
    /// How many functions were defined.
    pub(super) defined: usize,
    /// Files that the text itself wrote, and what it opened as `/dev/fd/N`, with known content.
    pub(crate) files: HashMap<PathBuf, String>,
    /// Files with known content that others wrote.
    pub(crate) known: FileTexts,
    /// Variables that nobody has set.
    pub(super) unset: HashSet<String>,
    /// What the text tests before it goes on.
    pub(crate) tested: String,
    /// Files that the text itself has made by now, which no look at the disk finds.
    pub(crate) made: BTreeSet<PathBuf>,
    /// What patterns are known to name.
    pub(super) listings: HashMap<PathBuf, Vec<PathBuf>>,
    /// Whether functions are exported to other shells.
    pub(crate) exports_functions: bool,
    /// Folders of repositories that the text has cloned.
    pub(crate) fetched: Vec<PathBuf>,
    /// Builtins that `enable -n` took away.
    pub(crate) disabled: Vec<String>,
    /// Descriptors that are open for writing, by number.
    pub(super) outputs: HashMap<String, Word>,
    /// What the group at hand reads: a loop with a file behind it, or in a pipeline.
    pub(super) group_input: CommandInput,
    /// The texts of `>(…)`, by the name that the shell gives to each.
    pub(super) sinks: HashMap<String, String>,
    /// Where the text at hand runs, when that is not here.
    pub(super) elsewhere: Option<RemotePlace>,
    /// Names that `hash -p` gave to programs.
    pub(crate) hashed: HashMap<String, String>,
    /// Short names that the text gave to commands: the shell's own, git's, and scripts of `package.json`.
    pub(crate) named: ShortNames,
    /// For each function that runs, the variables of its own with the values that they hide.
    pub(crate) locals: Vec<Vec<(String, ShadowedValue)>>,
    /// How many loops the text at hand stands in.
    pub(crate) loops: usize,
    /// How many descriptors and substitutions have been given a name.
    pub(crate) opened: usize,
    /// Whether the text at hand was reckoned from escapes that not every `echo` decodes.
    pub(crate) reckoned: bool,
    pub(crate) depth: u32,
    text_depth: u32,
    inner_text: usize,
    inner_texts: usize,
    /// Texts run by text, taken apart.
    trees: HashMap<String, Tree>,
    /// The work that is left.
    pub(crate) fuel: Fuel,
}

/// Reads a whole text.
pub(crate) fn read(text: &str, cwd: &Path, home: &Path, known: &ScriptContext) -> Script {
    let mut reader = ScriptReader {
        script: Script::default(),
        place: ReadingPlace { directory: Some(cwd.to_path_buf()), ..ReadingPlace::default() },
        home: home.to_path_buf(),
        functions: HashMap::new(),
        defined: 0,
        files: known.lists.clone(),
        known: known.files.clone(),
        unset: known.unset.clone(),
        tested: String::new(),
        made: BTreeSet::new(),
        listings: known.listings.clone(),
        exports_functions: false,
        fetched: Vec::new(),
        disabled: Vec::new(),
        outputs: HashMap::new(),
        sinks: HashMap::new(),
        group_input: CommandInput::None,
        elsewhere: None,
        hashed: HashMap::new(),
        named: ShortNames { of_git: known.git_aliases.clone(), ..ShortNames::default() },
        locals: Vec::new(),
        loops: 0,
        opened: 0,
        reckoned: false,
        depth: 0,
        text_depth: 0,
        inner_text: 0,
        inner_texts: 0,
        trees: HashMap::new(),
        fuel: Fuel::full(),
    };
    reader.text(&readable(text));
    reader.run_exit_trap();
    reader.uncalled_functions();
    let ScriptReader { mut script, tested, .. } = reader;
    script.hears_pipelines = ["pipefail", "PIPESTATUS", "pipestatus"].iter().any(|it| text.contains(it));
    script.asks.retain(|name| !tested.contains(name.as_str()));
    script
}

/// The text of a node; empty if the node does not fit the text.
pub(super) fn slice<'t>(node: Node, text: &'t str) -> &'t str {
    text.get(node.byte_range()).unwrap_or_default()
}

impl ScriptReader {
    /// Reads `text` as the current shell's next lines.
    pub(super) fn text(&mut self, text: &str) {
        let Some(tree) = bounds::tree(text) else { return self.too_much(text) };
        self.tree(&tree, text);
    }

    fn tree(&mut self, tree: &Tree, text: &str) {
        if tree.root_node().kind() == "ERROR" {
            self.unread(text);
        }
        self.children(tree.root_node(), text);
    }

    /// Reads text that a command of the text runs.
    pub(crate) fn inner_text(&mut self, text: &str) {
        self.inner_text_with(text, CommandInput::None);
    }

    /// Reads text that a command of the text runs, and that reads `input` first.
    pub(super) fn inner_text_with(&mut self, text: &str, input: CommandInput) {
        let text = &*readable(text);
        self.inner_texts += 1;
        if self.text_depth >= DEEPEST_TEXT && self.locals.is_empty() {
            return self.too_much(text);
        }
        // Functions may call themselves.
        if self.text_depth >= DEEPEST_TEXT || self.inner_texts > MOST_INNER_TEXTS {
            return self.unread(text);
        }
        // A function that is called again is not taken apart again.
        let tree = match self.trees.get(text) {
            Some(tree) => tree.clone(),
            None => {
                self.inner_text += text.len();
                let tree = (self.inner_text <= MOST_INNER_TEXT).then(|| bounds::tree(text)).flatten();
                let Some(tree) = tree else { return self.too_much(text) };
                self.trees.insert(text.to_owned(), tree.clone());
                tree
            }
        };
        self.text_depth += 1;
        let root = tree.root_node();
        match root.named_child(0).filter(|_| input != CommandInput::None && root.named_child_count() == 1) {
            Some(only) if only.kind() == "pipeline" => {
                self.pipeline_after(only, text, input);
            }
            Some(only) => self.stage(only, text, input),
            None => self.tree(&tree, text),
        }
        self.text_depth -= 1;
    }

    /// Notes that a bound was met.
    pub(crate) fn too_much(&mut self, text: &str) {
        self.script.too_much = true;
        self.unread(text);
    }

    pub(crate) fn unread(&mut self, text: &str) {
        if self.script.unread.len() < 64 {
            self.script.unread.push(first_line(text));
        }
    }

    /// Runs in a subshell: its directory, variables and functions end with it.
    pub(crate) fn isolated(&mut self, run: impl FnOnce(&mut ScriptReader)) {
        let place = self.place.clone();
        let before = self.defined;
        self.place.at_exit = None;
        run(self);
        self.run_exit_trap();
        self.place = place;
        if self.defined > before {
            self.functions.retain(|_, function| function.number <= before);
        }
    }

    /// Reads what runs again and again, with other values each time.
    pub(super) fn in_loop(&mut self, read: impl FnOnce(&mut ScriptReader)) {
        self.loops += 1;
        read(self);
        self.loops -= 1;
    }

    /// Reads a group whose commands share what comes in.
    pub(super) fn fed(&mut self, input: CommandInput, read: impl FnOnce(&mut ScriptReader)) {
        let outer = std::mem::replace(&mut self.group_input, input);
        read(self);
        self.group_input = outer;
    }

    /// A function that nobody calls here ends with the text, unless it is exported to programs that may call it: then
    /// its body counts once.
    pub(super) fn uncalled_functions(&mut self) {
        let mut bodies: Vec<(String, String)> = self
            .functions
            .iter()
            // The shell itself calls a function of this name for a program that isn't there.
            .filter(|(name, _)| self.exports_functions || *name == "command_not_found_handle")
            .filter(|(_, function)| !function.called)
            .map(|(name, function)| (name.clone(), function.body.clone()))
            .collect();
        bodies.sort();
        for (_, body) in bodies {
            self.place.arguments = None;
            self.inner_text(&body);
        }
    }
}
