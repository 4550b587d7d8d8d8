//! Short scripts that change a file's text, as agents write them, and the text that they leave.

use std::path::Path;

use crate::model::event::ShellDialect;
use crate::shell::edit::ComputedEdit;
use crate::shell::effects::dispatch::effects;

fn edit(command: &str) -> Option<ComputedEdit> {
    let reading = effects(command, ShellDialect::Posix, Path::new("/p"), Path::new("/h"));
    reading.effects.into_iter().find_map(|effect| effect.edit)
}

const TEXT: &str = "one\ntwo a a\nthree\nfour\n";

#[test]
fn texts_may_stand_in_names_and_be_put_together() {
    for (command, expected) in [
        (
            "python3 - <<'PY'\npath = 'f'\nwith open(path) as fh:\n    content = fh.read()\nold = '''two a a\nthree\n'''\nnew = '''2\n'''\nassert old in content\ncontent = content.replace(old, new, 1)\nwith open(path, 'w') as fh:\n    fh.write(content)\nPY",
            "one\n2\nfour\n",
        ),
        (
            "python3 - <<'PY'\nfrom pathlib import Path\np = Path('f')\nold = \"two\" + \" a\"\np.write_text(p.read_text().replace(old, ('2'\n   ' b')))\nPY",
            "one\n2 b a\nthree\nfour\n",
        ),
        (
            "python3 - <<'PY'\ns = open('f').read()\ns = s.replace(\"\\n\".join(['one', 'two']), '1\\n2')\nopen('f', 'w').write(s)\nPY",
            "1\n2 a a\nthree\nfour\n",
        ),
        (
            "python3 - <<'PY'\nimport re, pathlib\np = pathlib.Path('f')\np.write_text(re.sub(re.escape('two a a'), lambda m: r'\\1', p.read_text()))\nPY",
            "one\n\\1\nthree\nfour\n",
        ),
        (
            "python3 -c \"import re; s = open('f').read(); open('f', 'w').write(re.sub('[a-z]+\\n', '', s, count=1))\"",
            "two a a\nthree\nfour\n",
        ),
        (
            "python3 -c \"s = open('f').read(); open('f', 'w').write(s.replace('a', 'b', 1))\"",
            "one\ntwo b a\nthree\nfour\n",
        ),
        (
            "node - <<'JS'\nconst fs = require('fs');\n// it's a name\nconst from = `two a a\nthree`;\nlet s = fs.readFileSync('f', 'utf8');\ns = s.replace(from, () => '$& 2');\nfs.writeFileSync('f', s);\nJS",
            "one\n$& 2\nfour\n",
        ),
        (
            "node -e \"const fs = require('fs'); const t = ['two a a', 'three'].join('\\n'); fs.writeFileSync('f', fs.readFileSync('f', 'utf8').replace(t, '2'))\"",
            "one\n2\nfour\n",
        ),
        // A function in a text is none of the source's own.
        (
            "python3 - <<'PY'\nold = 'three'\nnew = 'def three():'\ns = open('f').read()\nopen('f', 'w').write(s.replace(old, new))\nPY",
            "one\ntwo a a\ndef three():\nfour\n",
        ),
        ("sed -i '3,4c\\\n// a;\\\n// b' f", "one\ntwo a a\n// a;\n// b\n"),
    ] {
        let now = edit(command).and_then(|edit| edit.apply(TEXT));
        assert_eq!(now.as_deref(), Some(expected), "{command}");
    }
}

#[test]
fn lines_are_taken_out_and_put_in_by_their_numbers() {
    let python = |head: &str, body: &str| format!("python3 - <<'PY'\n{head}\n{body}\nPY");
    let read = "with open('f') as fh:\n    lines = fh.readlines()";
    let split = "lines = open('f').read().split('\\n')";
    for (head, body, expected) in [
        (read, "del lines[1:3]\nwith open('f', 'w') as fh:\n    fh.writelines(lines)", Some("one\nfour\n")),
        (read, "del lines[0]\nopen('f', 'w').write(''.join(lines))", Some("two a a\nthree\nfour\n")),
        (read, "open('f', 'w').writelines(lines[:1] + lines[3:])", Some("one\nfour\n")),
        (
            read,
            "lines = lines[:1] + ['2\\n'] + lines[3:]\nopen('f', 'w').writelines(lines)",
            Some("one\n2\nfour\n"),
        ),
        (
            read,
            "lines[1] = '2\\n'\nlines.insert(1, 'x\\n')\nopen('f', 'w').writelines(lines)",
            Some("one\nx\n2\nthree\nfour\n"),
        ),
        (
            split,
            "lines[1:3] = ['2', '3']\nopen('f', 'w').write('\\n'.join(lines))",
            Some("one\n2\n3\nfour\n"),
        ),
        (split, "del lines[3:]\nopen('f', 'w').write('\\n'.join(lines))", Some("one\ntwo a a\nthree\n")),
        (read, "lines.reverse()\nopen('f', 'w').writelines(lines)", None),
        (read, "del lines[-1]\nopen('f', 'w').writelines(lines)", None),
        (read, "lines[1] = 'no end'\nopen('f', 'w').writelines(lines)", None),
        (read, "lines[1] = lines[1].upper()\nopen('f', 'w').writelines(lines)", None),
    ] {
        let command = python(head, body);
        let now = edit(&command).and_then(|edit| edit.apply(TEXT));
        assert_eq!(now.as_deref(), expected, "{command}");
    }
}

#[test]
fn a_name_that_is_not_one_text_gives_no_edit() {
    for source in [
        "old = 'one'\nold = 'two'\ns = s.replace(old, '')",
        "old = 'one'\nold += 'x'\ns = s.replace(old, '')",
        "old = 'one'.upper()\ns = s.replace(old, '')",
        "old = input()\ns = s.replace(old, '')",
        "for old in ['one', 'two']:\n    s = s.replace(old, '')",
        "def cut(old):\n    return s.replace(old, '')\nold = 'one'\ns = cut('two')",
        "s = s.replace(f'{x}', '')",
        "s = s.replace('a', 'b', 2)",
    ] {
        let command =
            format!("python3 - <<'PY'\ns = open('f').read()\n{source}\nopen('f', 'w').write(s)\nPY");
        assert_eq!(edit(&command), None, "{command}");
    }
}

#[test]
fn line_numbers_of_awk_may_be_put_together() {
    for (program, expected) in [
        ("NR<2 || NR>3", Some("one\nfour\n")),
        ("!(NR>=2 && NR<=3)", Some("one\nfour\n")),
        ("NR>=2 && NR<=3", Some("two a a\nthree\n")),
        ("(NR >= 2 && NR <= 3) { next } { print }", Some("one\nfour\n")),
        ("NR>3 || NR<2", Some("one\nfour\n")),
        ("NR!=2", Some("one\nthree\nfour\n")),
        ("NR==1 || NR==3", None),
        ("NR<2 || /four/", None),
        ("NR!=2 && NR!=3", None),
    ] {
        let command = format!("awk '{program}' f > t && mv t f");
        let now = edit(&command).and_then(|edit| edit.apply(TEXT));
        assert_eq!(now.as_deref(), expected, "{command}");
    }
}

#[test]
fn what_is_redirected_behind_a_list_is_its_last_commands() {
    let written = |command: &str| {
        let reading = effects(command, ShellDialect::Posix, Path::new("/p"), Path::new("/h"));
        let content = |target: &str| {
            let effect = reading
                .effects
                .iter()
                .find(|effect| effect.targets.iter().any(|it| it.path.as_deref() == Some(Path::new(target))));
            effect.and_then(|effect| effect.content.clone())
        };
        content("/p/d/f").or_else(|| content("/p/f"))
    };
    for (command, expected) in [
        ("cd d && cat > f <<'E'\nx\nE", Some("x\n")),
        ("cd d && cat <<'E' > f\nx\nE", Some("x\n")),
        ("mkdir -p d && cd d && echo x > f", Some("x\n")),
        ("cd d && echo x | tee f", Some("x\n")),
        ("cd d && echo x && echo y > f", Some("y\n")),
        ("cd d && python3 - <<'E'\nopen('f', 'w').write('x')\nE", Some("x")),
        ("{ echo x; echo y; } > f", None),
        ("cd d && { echo x; echo y; } > f", None),
    ] {
        assert_eq!(written(command).as_deref(), expected, "{command}");
    }
}
