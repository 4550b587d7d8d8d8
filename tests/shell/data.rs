//! Text that is data to a program is never a command, in whichever quotes and language.

use steadfast::lifecycle::call::explain;

use crate::level;
use crate::place::Place;

/// Every so many commands one is also sent to the hook itself.
const BY_THE_HOOK: usize = 15;

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
    "git commit --message={}",
    "git commit -m x -m {} --trailer {}",
    "git log -S {} --oneline",
    "git log --author={}",
    "git grep -n {}",
    "git tag -m {} v1",
    "hg commit -m {}",
    "gh pr edit 4 --title {}",
    "gh release create v1 --notes {}",
    "gh search issues {}",
    "glab mr create --title x --description {}",
    "mail -s {} ada@example.org < README.md",
    "notify-send {}",
    "kubectl annotate pod web note={}",
    "helm template . --set note={}",
    "terraform plan -var note={}",
    "aws sns publish --topic-arn t --message {}",
    "redis-cli SET note {}",
    "docker run --rm -e NOTE={} alpine env",
    "docker exec app echo {}",
    "kubectl exec web -- echo {}",
    "curl --data-raw {} http://localhost:3000",
    "http POST :3000 note={}",
    "awk -v note={} 'BEGIN { print note }'",
    "jq --arg note {} '.note = $note' package.json",
    "jq -r {} package.json",
    "yq {} config.yml",
    "sed -n -e {} README.md --help",
    "date -d {}",
    "basename {}",
    "ls {}",
    "find . -name {}",
    "find . -path {} -prune -o -print",
    "[[ {} == *x* ]] && echo yes",
    "read -r line <<< {}",
    "declare -r NOTE={}",
    "NOTES=({} x); echo \"${#NOTES[@]}\"",
    "printf -v out '%s' {}",
    ": {}",
    "echo {} >&2",
    "echo {} | tee /tmp/steadfast-note.txt | grep x",
    "printf %s {} | base64",
    "printf %s {} | jq -R .",
    "diff <(echo {}) <(echo x)",
    "cut -d' ' -f1 <<< {}",
    "grep -e {} -- src | sort | uniq -c",
    "function note { echo {}; }; note",
    "if [ -n {} ]; then echo x; fi",
    "wrangler dev --var NOTE:{}",
    "cargo run -- --note {}",
    "npm run say -- {}",
    "pytest -k x -m {} --co",
];

/// Programs in other languages: how one prints a text, and how a text is written there.
const LANGUAGES: &[(&str, &str, Writing)] = &[
    ("python3 -c", "print({})", Writing::Json),
    ("python3 -c", "x = {}\nprint(len(x))", Writing::Json),
    ("node -e", "console.log({})", Writing::Json),
    ("node --input-type=module -e", "const x = {}; console.log(x.length)", Writing::Json),
    ("ruby -e", "puts {}", Writing::Single),
    ("perl -e", "print {}", Writing::Single),
    ("php -r", "echo {};", Writing::Single),
];

/// How a language writes a text.
#[derive(Clone, Copy)]
enum Writing {
    Json,
    Single,
}

fn written(text: &str, writing: Writing) -> String {
    match writing {
        Writing::Json => serde_json::Value::from(text).to_string(),
        Writing::Single => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
    }
}

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
    "git tag -a v1 -F - <<'EOF'\n{}\nEOF",
    "gh release create v1 -F - <<'EOF'\n{}\nEOF",
    "cat <<-'EOF'\n\t{}\n\tEOF",
    "cat <<'EOF' | kubectl apply --dry-run=client -f -\ndata: |\n  {}\nEOF",
    "ssh host 'cat > /tmp/steadfast-note' <<'EOF'\n{}\nEOF",
    "mail -s note ada@example.org <<'EOF'\n{}\nEOF",
    "ruby <<'RB'\n# {}\nputs 1\nRB",
    "cat > /tmp/steadfast-note.sql <<'SQL'\n-- {}\nSQL",
    "read -r -d '' NOTE <<'EOF'\n{}\nEOF\necho \"$NOTE\"",
];

#[test]
fn data_is_never_a_command() {
    let place = Place::new();
    let mut number = 0;
    let mut wrong = Vec::new();
    for text in TEXTS {
        let quotings: [fn(&str) -> String; 3] = [single, double, ansi];
        let quoted = QUOTED.iter().enumerate().map(|(at, form)| {
            let quote = quotings[(at + text.len()) % quotings.len()];
            form.replace("{}", &quote(text))
        });
        let in_lines = HEREDOCS.iter().map(|form| form.replace("{}", text));
        let in_code = LANGUAGES.iter().map(|(program, code, writing)| {
            format!("{program} {}", single(&code.replace("{}", &written(text, *writing))))
        });
        for command in quoted.chain(in_lines).chain(in_code) {
            number += 1;
            let explained = explain::command(&command, &place.root(), &place.home());
            if explained.verdict != "pass" {
                wrong.push(format!("{command}: {}", explained.verdict));
            }
            // The hook says the same; a process for every command would take long.
            if number % BY_THE_HOOK == 0 && level(&place, number, &command) != "silent" {
                wrong.push(format!("{command}: the hook speaks"));
            }
        }
    }
    assert!(number > 1_000);
    assert!(wrong.is_empty(), "{} of {number}:\n{}", wrong.len(), wrong.join("\n"));
}
