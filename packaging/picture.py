#!/usr/bin/env python3
"""Makes docs/picture.svg: a terminal in which an agent's edit is refused and a deletion is undone.

Every line under a prompt is what the executables print at a terminal, in a scratch project. Usage:

    packaging/picture.py FOLDER-OF-THE-EXECUTABLES > docs/picture.svg
"""

import html
import json
import os
import pty
import re
import subprocess
import sys
import tempfile

COLUMNS = 96
TESTS = """const { test } = require('node:test');
const assert = require('node:assert');
const { add } = require('./math');

test('adds two numbers', () => {
  assert.strictEqual(add(2, 3), 5);
});

test('adds negative numbers', () => {
  assert.strictEqual(add(-2, -3), -5);
});

test('is commutative', () => {
  assert.strictEqual(add(4, 9), add(9, 4));
});
"""
STYLE = """
.w { fill: #fff; stroke: #d0d7de } .t { fill: #1f2328 } .d { fill: #6e7781 } .r { fill: #cf222e } .g { fill: #116329 }
.y { fill: #7d4e00 } .p { fill: #0550ae } .b { font-weight: bold }
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre }
@media (prefers-color-scheme: dark) {
  .w { fill: #0d1117; stroke: #30363d } .t { fill: #e6edf3 } .d { fill: #8b949e } .r { fill: #ff7b72 } .g { fill: #7ee787 }
  .y { fill: #e3b341 } .p { fill: #79c0ff }
}
"""
CLASSES = {1: "b", 2: "d", 31: "r", 91: "r", 32: "g", 92: "g", 33: "y", 93: "y", 34: "p", 36: "p"}


def at_a_terminal(words, folder, home):
    """What a command prints at a terminal of this width, with its colours."""
    ours, theirs = pty.openpty()
    environment = {"HOME": home, "PATH": os.environ["PATH"], "TERM": "xterm-256color", "COLUMNS": str(COLUMNS), "PAGER": "cat"}
    child = subprocess.Popen(words, cwd=folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
    os.close(theirs)
    out = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        out += part
    child.wait()
    return out.decode().replace("\r\n", "\n").replace(folder + "/", "").replace(folder, "~/project").rstrip("\n").split("\n")


def spans(line):
    """One line with colours as the parts of an SVG text."""
    classes, out = [], []
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        code = re.fullmatch(r"\x1b\[([0-9;]*)m", part)
        if code:
            for number in (int(n or 0) for n in code[1].split(";")):
                classes = [] if number in (0, 39, 22) else classes + [CLASSES.get(number, "t")]
        elif part:
            plain = [] if set(classes) - {"b"} else ["t"]
            out.append(f'<tspan class="{" ".join(plain + classes)}">{html.escape(part)}</tspan>')
    return "".join(out)


def wrapped(line):
    """Lines no longer than the terminal, broken as it breaks them."""
    while len(re.sub(r"\x1b\[[0-9;]*m", "", line)) > COLUMNS and "\x1b" not in line:
        at = line.rfind(" ", 0, COLUMNS)
        at = at if at > COLUMNS // 2 else COLUMNS
        yield line[:at]
        line = " " * (len(line) - len(line.lstrip())) + line[at:].lstrip()
    yield line


def recorded(programs, scratch):
    """The lines of the session: what is typed and what is answered."""
    folder, home = os.path.join(scratch, "project"), os.path.join(scratch, "home")
    os.makedirs(folder + "/src"), os.makedirs(home)
    files = {"math.test.js": TESTS, "math.js": "exports.add = (a, b) => a - b;\n", "src/cart.js": "exports.total = 1;\n"}
    for name, text in files.items():
        open(os.path.join(folder, name), "w").write(text)
    for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-qm", "first"]):
        subprocess.run(["git", *words], cwd=folder, check=True)
    open(folder + "/src/new.js", "w").write("exports.tax = 2;\n")
    call = {"session_id": "s", "cwd": folder, "hook_event_name": "PreToolUse", "permission_mode": "default", "tool_use_id": "toolu_1"}
    gone = TESTS[TESTS.index("test('adds negative"):]
    edit = {**call, "tool_name": "Edit", "tool_input": {"file_path": folder + "/math.test.js", "old_string": gone, "new_string": ""}}
    event = os.path.join(home, "edit.json")
    open(event, "w").write(json.dumps(edit))
    steadfast, hook = os.path.join(programs, "steadfast"), os.path.join(programs, "steadfast-hook")
    answer = subprocess.run([hook, "pre-tool-use"], input=json.dumps(edit), cwd=folder, text=True, capture_output=True, env={"HOME": home, "PATH": os.environ["PATH"]})
    reason = json.loads(answer.stdout)["hookSpecificOutput"]["permissionDecisionReason"]
    install = [steadfast, "install", "--client", "2.1.332", folder]
    subprocess.run(install, cwd=folder, check=True, capture_output=True, env={"HOME": home, "PATH": os.environ["PATH"]})
    lines = ["\x1b[2m# the agent's edit takes two failing tests out; this is what it reads\x1b[0m"]
    lines += ["\x1b[34m●\x1b[0m \x1b[1mUpdate\x1b[0m(math.test.js)"]
    lines += ["  └  " + line if at == 0 else "     " + line for at, line in enumerate(reason.split("\n"))]
    lines += ["", "\x1b[2m# and this, of a command\x1b[0m", "\x1b[32m$\x1b[0m steadfast explain 'rm -rf src'"]
    lines += at_a_terminal([steadfast, "explain", "rm -rf src"], folder, home)
    removal = {**call, "tool_name": "Bash", "tool_use_id": "toolu_2", "tool_input": {"command": "rm src/new.js"}}
    for argument, extra in (("pre-tool-use", {}), ("post-tool-use", {"hook_event_name": "PostToolUse", "tool_response": {}})):
        subprocess.run([hook, argument], input=json.dumps({**removal, **extra}), cwd=folder, text=True, capture_output=True, env={"HOME": home, "PATH": os.environ["PATH"]})
        if argument == "pre-tool-use":
            os.remove(folder + "/src/new.js")
    lines += ["", "\x1b[2m# the agent has run `rm src/new.js`, which no commit holds\x1b[0m", "\x1b[32m$\x1b[0m steadfast undo --last"]
    lines += at_a_terminal([steadfast, "undo", "--last"], folder, home)
    assert os.path.exists(folder + "/src/new.js"), "the undo has brought nothing back"
    return [part for line in lines for part in wrapped(line)]


def main():
    with tempfile.TemporaryDirectory() as scratch:
        lines = recorded(os.path.abspath(sys.argv[1]), os.path.realpath(scratch))
    height, width = 18, COLUMNS * 8 + 32
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height * len(lines) + 44}" role="img" aria-label="A refused edit and an undo in a terminal">')
    print(f"<style>{STYLE}</style>")
    print(f'<rect class="w" x=".5" y=".5" width="{width - 1}" height="{height * len(lines) + 43}" rx="8"/>')
    for number, line in enumerate(lines):
        print(f'<text x="16" y="{36 + number * height}">{spans(line)}</text>')
    print("</svg>")


if __name__ == "__main__":
    main()
