use std::path::PathBuf;

use serde_json::{Value, json};

use super::*;
use crate::model::event::{ShellDialect, TextEdit};

fn read(tool: &str, input: &Value) -> Action {
    if !may_write(tool) {
        return Action::Other;
    }
    let wanted: Vec<&str> = fields().collect();
    let node = EventValue::read(input.to_string().as_bytes(), &wanted).unwrap();
    action(tool, &node, Path::new("/w"))
}

fn shell(command: &str) -> Action {
    Action::Shell { command: command.to_owned(), dialect: ShellDialect::Posix }
}

fn write(path: &str, content: &str) -> Action {
    Action::Write { path: path.into(), content: content.to_owned() }
}

fn edit(path: &str, edits: &[(&str, &str, bool)]) -> Action {
    let edits = edits.iter().map(|(old, new, all)| TextEdit {
        old: (*old).to_owned(),
        new: (*new).to_owned(),
        all: *all,
    });
    Action::Edit { path: path.into(), edits: edits.collect() }
}

fn foreign(paths: &[&str]) -> Action {
    Action::Foreign { paths: paths.iter().map(PathBuf::from).collect() }
}

#[test]
fn a_tool_that_reads_is_told_by_its_name() {
    for tool in [
        "mcp__filesystem__read_text_file",
        "mcp__filesystem__list_directory_with_sizes",
        "mcp__filesystem__directory_tree",
        "mcp__filesystem__get_file_info",
        "mcp__filesystem__search_files",
        "mcp__filesystem__list_allowed_directories",
        "mcp__github__get_pull_request_files",
        "mcp__github__list_commits",
        "mcp__git__git_status",
        "mcp__git__git_diff_staged",
        "mcp__git__git_log",
        "mcp__postgres__query",
        "mcp__sqlite__read_query",
        "mcp__sqlite__list_tables",
        "mcp__sqlite__describe_table",
        "mcp__context7__resolve-library-id",
        "mcp__context7__get-library-docs",
        "mcp__fetch__fetch",
        "mcp__brave-search__brave_web_search",
        "mcp__ide__getDiagnostics",
        "mcp__serena__find_symbol",
        "mcp__serena__get_symbols_overview",
        "mcp__desktop-commander__read_process_output",
        "mcp__playwright__browser_snapshot",
        "mcp__sequential-thinking__sequentialthinking",
        "mcp__x__get_terminal_output",
        "mcp__x__list_commands",
        "mcp__x__show_run",
        "Read",
        "Grep",
        "Glob",
        "LS",
        "WebFetch",
        "WebSearch",
        "TodoWrite",
        "TaskCreate",
        "TaskUpdate",
        "Agent",
        "Task",
        "Skill",
        "ExitPlanMode",
        "EnterWorktree",
        "AskUserQuestion",
        "BashOutput",
        "ListMcpResourcesTool",
        "ToolSearch",
        "LSP",
    ] {
        let input = json!({"path": "/w/a", "content": "x", "command": "rm -rf /w"});
        assert_eq!(read(tool, &input), Action::Other, "{tool}");
    }
}

#[test]
fn what_edits_a_file_is_an_edit_and_what_runs_a_command_a_command() {
    let replaced = edit("/w/a.py", &[("a", "b", false)]);
    let rows: Vec<(&str, Value, Action)> = vec![
        // The reference server of files.
        ("mcp__filesystem__write_file", json!({"path": "/w/a.py", "content": "x"}), write("/w/a.py", "x")),
        (
            "mcp__filesystem__edit_file",
            json!({"path": "a.py", "edits": [{"oldText": "a", "newText": "b"}, {"oldText": "c", "newText": ""}]}),
            edit("/w/a.py", &[("a", "b", false), ("c", "", false)]),
        ),
        (
            "mcp__filesystem__edit_file",
            json!({"path": "a.py", "edits": [{"oldText": "a", "newText": "b"}], "dryRun": true}),
            Action::Other,
        ),
        (
            "mcp__filesystem__move_file",
            json!({"source": "a b", "destination": "c"}),
            shell("mv -- '/w/a b' /w/c"),
        ),
        ("mcp__filesystem__create_directory", json!({"path": "d/e"}), shell("mkdir -p -- /w/d/e")),
        ("mcp__filesystem__delete_file", json!({"path": "it's"}), shell(r"rm -r -- '/w/it'\''s'")),
        ("mcp__x__delete_files", json!({"paths": ["b", "a"]}), shell("rm -r -- /w/a /w/b")),
        (
            "mcp__x__remove_directory",
            json!({"path": "/w/tests", "recursive": true}),
            shell("rm -r -- /w/tests"),
        ),
        ("mcp__x__copy_file", json!({"source": "a", "destination": "b"}), shell("cp -R -- /w/a /w/b")),
        ("mcp__x__rename_file", json!({"path": "d/a", "newName": "b"}), shell("mv -- /w/d/a /w/d/b")),
        // Others.
        (
            "mcp__desktop-commander__write_file",
            json!({"path": "a", "content": "x", "mode": "rewrite"}),
            write("/w/a", "x"),
        ),
        (
            "mcp__desktop-commander__write_file",
            json!({"path": "a", "content": "x y", "mode": "append"}),
            shell("printf %s 'x y' >> /w/a"),
        ),
        (
            "mcp__desktop-commander__edit_block",
            json!({"file_path": "a.py", "old_string": "a", "new_string": "b"}),
            replaced.clone(),
        ),
        (
            "mcp__desktop-commander__start_process",
            json!({"command": "rm -rf a", "timeout_ms": 5}),
            shell("rm -rf a"),
        ),
        ("mcp__serena__create_text_file", json!({"relative_path": "a", "content": "x"}), write("/w/a", "x")),
        (
            "mcp__serena__replace_symbol_body",
            json!({"relative_path": "a.py", "name_path": "f", "body": "x"}),
            foreign(&["/w/a.py"]),
        ),
        (
            "mcp__serena__execute_shell_command",
            json!({"command": "make", "cwd": "sub"}),
            shell("cd sub && make"),
        ),
        (
            "mcp__jetbrains__replace_text_in_file",
            json!({"pathInProject": "a.py", "oldText": "a", "newText": "b", "replaceAll": true}),
            edit("/w/a.py", &[("a", "b", true)]),
        ),
        ("mcp__jetbrains__create_new_file", json!({"pathInProject": "a", "text": "x"}), write("/w/a", "x")),
        ("mcp__jetbrains__execute_terminal_command", json!({"command": "ls"}), shell("ls")),
        (
            "mcp__editor__str_replace_based_edit_tool",
            json!({"command": "str_replace", "path": "a.py", "old_str": "a", "new_str": "b"}),
            replaced.clone(),
        ),
        (
            "mcp__editor__str_replace_based_edit_tool",
            json!({"command": "create", "path": "a", "file_text": "x"}),
            write("/w/a", "x"),
        ),
        (
            "mcp__editor__str_replace_based_edit_tool",
            json!({"command": "insert", "path": "a", "insert_line": 3}),
            foreign(&["/w/a"]),
        ),
        ("mcp__editor__str_replace_based_edit_tool", json!({"command": "view", "path": "a"}), Action::Other),
        (
            "mcp__x__apply_patch",
            json!({"patch": "--- a/a\n+++ b/a\n"}),
            shell("git apply <<'END_OF_PATCH'\n--- a/a\n+++ b/a\nEND_OF_PATCH"),
        ),
        ("mcp__x__apply_patch", json!({"input": "*** Begin Patch"}), foreign(&[])),
        ("mcp__x__run_command", json!({"command": "rm", "args": ["-rf", "a b"]}), shell("rm -rf 'a b'")),
        ("mcp__x__exec", json!({"cmd": ["rm", "-rf", "$x"]}), shell("rm -rf '$x'")),
        ("mcp__ssh__exec", json!({"host": "db", "command": "rm -rf /x"}), shell("ssh db 'rm -rf /x'")),
        ("mcp__tmux__send_keys", json!({"pane": "1", "keys": "ls"}), shell("tmux send-keys -t 0 ls Enter")),
        (
            "mcp__x__interact_with_process",
            json!({"pid": 7, "input": "a b"}),
            shell("tmux send-keys -t 0 'a b' Enter"),
        ),
        ("mcp__playwright__browser_click", json!({"ref": "e1"}), foreign(&[])),
        ("mcp__x__run_python", json!({"code": "f()"}), shell("python3 -c 'f()'")),
        ("mcp__x__execute_code", json!({"language": "JavaScript", "code": "f()"}), shell("node -e 'f()'")),
        (
            "mcp__win__run_powershell",
            json!({"command": "dir"}),
            Action::Shell { command: "dir".to_owned(), dialect: ShellDialect::PowerShell },
        ),
        // Other clients' names.
        ("run_shell_command", json!({"command": "ls"}), shell("ls")),
        ("run_terminal_cmd", json!({"command": "ls"}), shell("ls")),
        ("bash", json!({"command": "ls"}), shell("ls")),
        ("write_file", json!({"file_path": "a", "content": "x"}), write("/w/a", "x")),
        (
            "replace_string_in_file",
            json!({"filePath": "a.py", "oldString": "a", "newString": "b"}),
            replaced.clone(),
        ),
        ("search_replace", json!({"file_path": "a.py", "old_string": "a", "new_string": "b"}), replaced),
        ("delete_file", json!({"target_file": "a"}), shell("rm -r -- /w/a")),
        // What only may write.
        ("mcp__x__delete_lines", json!({"path": "a", "start_line": 1}), foreign(&["/w/a"])),
        ("mcp__x__frobnicate", json!({"path": "file:///w/a"}), foreign(&["/w/a"])),
        ("mcp__x__insert_text", json!({"path": "a", "text": "x"}), foreign(&["/w/a"])),
        ("mcp__git__git_reset", json!({"repo_path": "/w"}), foreign(&[])),
        ("mcp__git__git_reset", json!({"repo_path": "/w", "mode": "hard"}), shell("git -C /w reset --hard")),
        ("mcp__git__clean", json!({"repo_path": "/w", "force": true}), shell("git -C /w clean --force")),
        ("mcp__git__git_checkout", json!({"branch_name": "main"}), shell("git checkout main")),
        ("mcp__slack__post_message", json!({"channel": "c", "text": "rm -rf /"}), foreign(&[])),
        ("mcp__x__search_and_replace", json!({"pattern": "a"}), foreign(&[])),
        ("mcp__x__get_or_create_file", json!({"path": "a"}), foreign(&["/w/a"])),
        ("mcp__x__run", json!({"command": 7}), foreign(&[])),
        ("mcp__x__write_file", json!({}), foreign(&[])),
        ("mcp__x__write_file", json!({"path": ["a"], "content": {}}), foreign(&[])),
        (
            "mcp__supabase__execute_sql",
            json!({"project_id": "p", "query": "drop table a"}),
            shell("psql -c 'drop table a'"),
        ),
        ("mcp__sqlite__write_query", json!({"query": "delete from a"}), shell("psql -c 'delete from a'")),
        // What lies elsewhere.
        (
            "mcp__github__create_or_update_file",
            json!({"owner": "o", "repo": "r", "path": "a", "content": ""}),
            foreign(&[]),
        ),
        ("mcp__github__delete_file", json!({"owner": "o", "repo": "r", "path": "a"}), foreign(&[])),
        ("mcp__e2b__run_command", json!({"sandbox_id": 7, "command": "rm -rf /"}), foreign(&[])),
    ];
    for (tool, input, expected) in rows {
        assert_eq!(read(tool, &input), expected, "{tool} {input}");
    }
}

#[test]
fn names_fall_into_words() {
    for (tool, expected) in [
        ("mcp__a__write_file", "write file"),
        ("mcp__plugin_a_b__editFile", "edit file"),
        ("mcp__a__resolve-library-id", "resolve library id"),
        ("mcp__a", "mcp a"),
        ("TodoWrite", "todo write"),
        ("LSP", "lsp"),
        ("", ""),
        ("mcp____", ""),
    ] {
        assert_eq!(words(tool).join(" "), expected, "{tool}");
    }
}
