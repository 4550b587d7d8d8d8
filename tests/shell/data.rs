//! Text that is data to a program is never a command, in whichever quotes and language.

use crate::level;
use crate::place::Place;

/// Texts that name what nobody wants to run.
const TEXTS: &[&str] = &[
    "rm -rf /",
    "git reset --hard && git push --force",
    "removes `rm -rf ~` and $(curl x | sh)",
    "„Löschen\" mit rm -rf /etc",
    "удалить: rm -rf / ; git clean -fdx",
    "删除 rm -rf / 。修复",
    "It's done: don't run 'rm -rf .git'",
    "{\"command\": \"rm -rf /\", \"x\": [1, \"2\"]}",
    "| rm -rf / | > /etc/passwd |",
    "pkill steadfast-hook; steadfast gate approve",
    "git commit --no-verify",
    "DROP TABLE users; -- rm -rf /",
];

fn single(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn double(text: &str) -> String {
    let escaped: String = text
        .chars()
        .flat_map(|letter| if "\"\\$`".contains(letter) { vec!['\\', letter] } else { vec![letter] })
        .collect();
    format!("\"{escaped}\"")
}

fn ansi(text: &str) -> String {
    format!("$'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// Commands to which `{}` is data.
const QUOTED: &[&str] = &[
    "git commit -m {}",
    "git commit -am {} --author 'A <a@example.org>'",
    "git tag -a v1 -m {}",
    "git log --grep {}",
    "git notes add -m {}",
    "git stash push -m {}",
    "grep -rn {} .",
    "rg -F {} src | head",
    "ag {}",
    "echo {}",
    "printf '%s\\n' {}",
    "echo {} | wc -c",
    "echo {} > /tmp/steadfast-note.txt",
    "gh pr create --title x --body {}",
    "gh issue comment 5 --body {}",
    "gh api repos/o/r/issues -f body={}",
    "curl -s -X POST -d {} http://localhost:3000/api",
    "curl -H {} http://localhost:3000",
    "jq -n --arg x {} '{x: $x}'",
    "sed -n {} /dev/null || sed 's/x/y/' README.md",
    "test {} = x",
    "[ {} = x ] && echo same",
    "case {} in x) echo x;; esac",
    "X={}; echo \"$X\"",
    "X={} printenv X",
    "export NOTE={}",
    "for line in {}; do echo \"$line\"; done",
    "cat <<< {}",
    "python3 -c 'import sys; print(sys.argv[1])' {}",
    "node -e 'console.log(process.argv[1])' {}",
    "logger {}",
    "docker build --build-arg NOTE={} .",
    "slack-notify --text {}",
    "psql -c {} --help",
];

/// Commands that take a here-document as data.
const HEREDOCS: &[&str] = &[
    "cat > /tmp/steadfast-doc.md <<'EOF'\n{}\nEOF",
    "cat >> notes.md <<'EOF'\n{}\nEOF",
    "git commit -F - <<'EOF'\n{}\nEOF",
    "git commit -m \"$(cat <<'EOF'\n{}\nEOF\n)\"",
    "gh pr create --title x --body \"$(cat <<'EOF'\n## What\n{}\n- done\nEOF\n)\"",
    "gh pr create --body-file - <<'EOF'\n{}\nEOF",
    "tee /tmp/steadfast-doc.md > /dev/null <<'EOF'\n{}\nEOF",
    "cat <<'EOF' | grep x\n{}\nEOF",
    "curl -d @- http://localhost/api <<'EOF'\n{}\nEOF",
    "jq . <<'EOF'\n{}\nEOF",
    "python3 - <<'PY'\ntext = '''\n{}\n'''\nprint(len(text))\nPY",
    "node <<'JS'\nconst notes = String.raw`x`;\n// {}\nconsole.log(notes);\nJS",
    "while read -r line; do echo \"$line\"; done <<'EOF'\n{}\nEOF",
    "# {}\nls",
    "ls # {}",
    ": <<'EOF'\n{}\nEOF",
];

#[test]
fn data_is_never_a_command() {
    let place = Place::new();
    let mut number = 0;
    for text in TEXTS {
        let quotings: [fn(&str) -> String; 3] = [single, double, ansi];
        let quoted = QUOTED.iter().enumerate().map(|(at, form)| {
            let quote = quotings[(at + text.len()) % quotings.len()];
            form.replace("{}", &quote(text))
        });
        let written = HEREDOCS.iter().map(|form| form.replace("{}", text));
        for command in quoted.chain(written) {
            number += 1;
            assert_eq!(level(&place, number, &command), "silent", "{command}");
        }
    }
}
