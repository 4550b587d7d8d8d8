//! What an undo once did not bring back: a name, how the project comes about, and the script.

pub(super) const CASES: &[(&str, &str, &str)] = &[
    ("the project's own permissions", "", "chmod 700 ."),
    ("a folder in a file's place", "", "rm -f first; mkdir first; echo f > first/f"),
    ("a repository in a file's place", "", "rm -f first; git init -q first; echo f > first/f"),
    ("a copy that shares objects", "git clone -q --shared . shared; echo s >> shared/first", "rm -rf shared"),
    ("a new copy that shares objects", "", "git clone -q --shared . shared"),
    ("a repository without its HEAD", "", "rm -f .git/HEAD .git/logs/HEAD"),
    (
        "a repository without all but its objects",
        "",
        "find .git -mindepth 1 -maxdepth 1 -not -name objects -exec rm -rf {} +",
    ),
    (
        "what find has another program do",
        "",
        "find . -type f -not -path './.aiwg/*' -not -path '*/.git/*' -exec truncate -s 0 {} +",
    ),
    (
        "objects that are emptied where they are",
        "",
        "find .git/objects -type f -exec truncate -s 0 {} +; echo two >> first",
    ),
    (
        "objects that are emptied where they are, some of them new",
        "git add -A; git checkout -q --orphan unborn",
        "cp first calc.py; echo new > new; git add -A; find .git/objects -type f -exec truncate -s 0 {} +; echo half >> first",
    ),
    (
        "what git has made from objects that are emptied",
        "git gc -q; git commit-graph write --reachable; git multi-pack-index write; git repack -q -a -d -b",
        "find .git/objects -type f -exec truncate -s 0 {} +; echo two >> first",
    ),
    (
        "several graphs of commits that are emptied",
        "git commit-graph write --reachable --split; git commit -q --allow-empty -m two; git commit-graph write --reachable --split=no-merge",
        "find .git/objects -type f -exec truncate -s 0 {} +; echo two >> first",
    ),
    (
        "packed objects that are emptied under another name",
        "git gc -q",
        "mv .git kept.git; find kept.git -type f -exec truncate -s 0 {} +",
    ),
    (
        "packs that are made, and emptied where they are",
        "",
        "git repack -qadf; find .git/objects -type f -exec truncate -s 0 {} +; echo two >> first",
    ),
    (
        "what tools leave",
        "echo 'echo by hand' > old.log; chmod 755 old.log; : > first.orig",
        "rm -f old.log first.orig",
    ),
    ("what takes the place of a file under a name of its own", "", "gzip -f first calc.py"),
    ("a file that is written by another name", "", "ln first other; echo both >> other"),
    ("a file that has another name already", "ln first other", "echo both >> other"),
    (
        "a working tree of another project",
        "cd ..; mv project main-tree; git -C main-tree worktree add -q -f ../project -b own",
        "rm -rf -- * .[!.a]*",
    ),
    (
        "a repository with longer names",
        "git init -q --object-format=sha256 sha; echo n > sha/n; git -C sha add n; git -C sha commit -qm n; echo m > sha/n",
        "rm -rf sha",
    ),
    (
        "a new repository with longer names",
        "",
        "git init -q --object-format=sha256 sha; echo n > sha/n; git -C sha add n; git -C sha commit -qm n",
    ),
    (
        "an index in two files",
        "git config core.splitIndex true; git update-index --split-index; echo m > first; git add first",
        "git rm -q --cached first; git reset -q --hard",
    ),
    (
        "a new working tree with an index in two files",
        "git config core.splitIndex true; git update-index --split-index",
        "git worktree add -q made-wt; echo w > made-wt/w",
    ),
    (
        "a repository that is somewhere else",
        "mv .git ../elsewhere.git; echo 'gitdir: ../elsewhere.git' > .git; echo two > first; git add first",
        "git rm -q --cached calc.py; git stash -q; git stash drop -q; git gc -q --prune=now",
    ),
    (
        "a repository that is somewhere else and is named no more",
        "mv .git ../elsewhere.git; echo 'gitdir: ../elsewhere.git' > .git",
        "git pack-refs --all; git tag late; rm .git",
    ),
    (
        "a repository behind a link that came",
        "git init -q docs/inner; echo i > docs/inner/i; git -C docs/inner add i; git -C docs/inner commit -qm i",
        "rm -rf docs; ln -s /nonexistent/x docs",
    ),
    ("the index by its name", "", "rm -f .git/index"),
    ("a reference by its name", "git branch side", "rm .git/refs/heads/side"),
    (
        "a repository in a folder that is named",
        "git init -q docs/inner; echo i > docs/inner/i; git -C docs/inner add i; git -C docs/inner commit -qm i",
        "rm -rf docs",
    ),
    (
        "empty folders, and permissions of folders",
        "mkdir -p d/empty/er d/f; echo x > d/f/x; chmod 700 d/f; chmod 1777 d/empty",
        "rm -rf d",
    ),
    ("a moved folder with permissions of its own", "mkdir -p d/f; echo x > d/f/x; chmod 700 d d/f", "mv d e"),
    ("a repository that is ignored", "echo made > .gitignore", "git init -q made; echo m > made/m; rm first"),
    ("an ignored folder", "echo made > .gitignore", "mkdir -p made/deep; echo m > made/deep/m; rm first"),
    (
        "files with other line ends of which only a stat says that they are unchanged",
        "echo '* eol=crlf' > .gitattributes; git add -A; git commit -qm a; rm first; git checkout -q first; git rm -qf .gitattributes",
        "rm first; echo again > calc.py",
    ),
    (
        "sizes that an index has of other line ends",
        "echo '*.py eol=crlf' > .gitattributes; git add -A; git commit -qm a",
        "rm calc.py; git reset -q --hard",
    ),
    (
        "an index that git writes anew with permissions of its own",
        "git config core.splitIndex true; git update-index --split-index; echo two > first; git add first",
        "git reset -q; chmod -R a+rwX .",
    ),
    (
        "an index that the guard's own look had git write anew",
        "git init -q ../lib; (cd ../lib; echo l > l; git add l; git commit -qm l); \
         git submodule add -q \"$(realpath ../lib)\" deps/lib; mkdir src; echo s > src/s; git add -A; git commit -qm sub",
        "touch first; git sparse-checkout disable; git sparse-checkout set nothing",
    ),
    (
        "what is tracked and ignored, by an index in two files",
        "git config core.splitIndex true; mkdir made; echo m > made/m; echo made > .gitignore; git add -f made/m; \
         git add -A; git commit -qm made; git update-index --split-index",
        "rm -rf made first",
    ),
    (
        "what is tracked and ignored, in a repository with longer names",
        "git init -q --object-format=sha256 sha; cd sha; mkdir made; echo m > made/m; echo made > .gitignore; \
         git add -f made/m .gitignore; git commit -qm made",
        "rm -rf sha/made first",
    ),
    ("the guard's own line alone", "rm -rf .git/info", "rm -rf .git/info; git add -A; rm first"),
    ("objects alone", "", "rm -rf .git/objects/??"),
    ("packed objects alone", "git gc -q", "rm -f .git/objects/pack/*"),
];

/// The same of two calls, one after the other.
pub(super) const IN_TURN: &[(&str, &str, &str, &str)] = &[
    (
        "what was lost before a repository came back",
        "git init -q -b main ../lib; (cd ../lib; echo l > l; git add -A; git commit -qm l); \
     git submodule add -q \"$(realpath ../lib)\" lib; git commit -qm sub; \
     cd lib; git checkout -q -b mine; echo w >> l; git commit -qam mine",
        "git submodule deinit -q -f --all; rm -rf .git/modules",
        "git submodule update -q --init",
    ),
    (
        "what git does not know, without the guard's line that leaves its own folder out",
        "echo new > new",
        "rm -rf .git/info",
        "git ls-files -z -o --exclude-standard | xargs -0 rm -rf; echo more >> first",
    ),
];
