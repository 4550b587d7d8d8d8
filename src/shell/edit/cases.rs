//! Edits against what the real programs make of the same texts, and what is left alone.

use std::path::Path;

use super::*;
use crate::model::event::ShellDialect;
use crate::shell::effects::dispatch::effects;

/// The edit of a command.
fn edit(command: &str) -> Option<ComputedEdit> {
    let reading = effects(command, ShellDialect::Posix, Path::new("/p"), Path::new("/h"));
    reading.effects.into_iter().find_map(|effect| effect.edit)
}

#[test]
fn simple_scripts_are_computed_to_the_letter() {
    for (script, text, expected) in [
        ("s/a/b/", "aa\na\n", "ba\nb\n"),
        ("s/a/b/g", "aa", "bb"),
        ("s|/x|/y|", "/x/x", "/y/x"),
        ("s/a\\/b/c/", "a/b", "c"),
        ("s/^x/y/g", "xx\nax", "yx\nax"),
        ("s/x$/y/", "xx\n", "xy\n"),
        ("s/a.*c/-/", "abcabc!", "-!"),
        ("s/ab*/-/g", "abbba", "--"),
        ("s/a/[&]/", "a", "[a]"),
        ("s/a+/b/", "a+", "b"),
        ("s/x*/-/g", "ab", "-a-b-"),
        ("2d", "a\nb\nc\n", "a\nc\n"),
        ("2,3d", "a\nb\nc\nd\n", "a\nd\n"),
        ("2,$d", "a\nb\nc\n", "a\n"),
        ("$d", "a\nb\n", "a\n"),
        ("/b/d", "a\nb\nab\nc\n", "a\nc\n"),
        ("/b/!d", "a\nb\n", "b\n"),
        ("/a/,/b/d", "a\nx\nb\ny\na\nz\n", "y\n"),
        ("/a/,$d", "a\nx\nb\ny\na\nz\n", ""),
        ("2,/y/d", "a\nx\nb\ny\na\nz\n", "a\na\nz\n"),
        ("/x/,1d", "a\nx\nb\ny\na\nz\n", "a\nb\ny\na\nz\n"),
        ("/y/,5d", "a\nx\nb\ny\na\nz\n", "a\nx\nb\nz\n"),
        ("/b/s/b/c/", "bb\nab\n", "cb\nac\n"),
        ("s/a/b/; s/b/c/", "a\n", "c\n"),
        ("s/a/x\\ny/", "a\n", "x\ny\n"),
    ] {
        let now = edit(&format!("sed -i '{script}' f")).and_then(|edit| edit.apply(text));
        assert_eq!(now.as_deref(), Some(expected), "{script}");
    }
}

#[test]
fn lines_are_taken_as_the_programs_take_them() {
    let rows = [
        ("cat a > n", Some("1\n2\n3\n4\n")),
        ("cat a b > n", Some("1\n2\n3\n4\nx")),
        ("cat a b | tail -n 2 > n", Some("4\nx")),
        ("head -n 2 a > n", Some("1\n2\n")),
        ("head -3 a > n", Some("1\n2\n3\n")),
        ("tail -n 1 a > n", Some("4\n")),
        ("tail -n +3 a > n", Some("3\n4\n")),
        ("tail -n+9 a > n", Some("")),
        ("sed -n '2,3p' a > n", Some("2\n3\n")),
        ("sed -n '2,$p' a > n", Some("2\n3\n4\n")),
        ("sed -n 4p a > n", Some("4\n")),
        ("sed -n 9,4p a > n", Some("")),
        ("sed -n /x/p a > n", Some("")),
        ("head -c 9 a > n", None),
        ("head a b > n", None),
        ("cat -n a > n", None),
        ("cat - a > n", None),
        ("cat *.js > n", None),
        ("cat unknown > n", None),
        ("cat a | sort > n", None),
        ("ssh host cat a > n", None),
    ];
    for (command, expected) in rows {
        let reading = effects(command, ShellDialect::Posix, Path::new("/w"), Path::new("/h"));
        let effect = reading.effects.into_iter().find(|effect| effect.edit.is_some());
        let text_of = |path: &Path| match path {
            path if path == Path::new("/w/a") => Some("1\n2\n3\n4\n"),
            path if path == Path::new("/w/b") => Some("x"),
            _ => None,
        };
        let text = effect.and_then(|effect| {
            let texts: Option<Vec<&str>> =
                effect.sources.iter().map(|source| text_of(source.path.as_deref()?)).collect();
            effect.edit?.apply(&texts?.concat())
        });
        assert_eq!(text.as_deref(), expected, "{command}");
    }
}

#[test]
fn edits_are_what_the_programs_make() {
    let rows = [
        ("sed -i 's/^\\( *\\)it /\\1xit /' f", "    it ('x')\n", "    xit ('x')\n"),
        ("sed -i -E 's/^( *)it /\\1xit /' f", "    it ('x')\n", "    xit ('x')\n"),
        ("sed -i 's/assert_eq!(.*/\\/\\/ &/' f", "    assert_eq!(a, b);\n", "    // assert_eq!(a, b);\n"),
        (
            "sed -i 's/TEST(\\(.*\\), /TEST(\\1, DISABLED_/' f",
            "TEST(Suite, Name) {\n",
            "TEST(Suite, DISABLED_Name) {\n",
        ),
        ("sed -i 's/#\\[test\\]/#[test]\\n#[ignore]/' f", "#[test]\n", "#[test]\n#[ignore]\n"),
        (
            "sed -i 's/^  test /  @tag :skip\\n  test /' f",
            "  test \"b\" do\n",
            "  @tag :skip\n  test \"b\" do\n",
        ),
        (
            "sed -i '1i import pytest; pytestmark = pytest.mark.skip' f",
            "# x [y]\n",
            "import pytest; pytestmark = pytest.mark.skip\n# x [y]\n",
        ),
        ("sed -i '1a exit 0' f", "# x [y]\n", "# x [y]\nexit 0\n"),
        ("sed -i '/assert/d' f", "def test_a():\n    assert f(1) == 2\n", "def test_a():\n"),
        ("sed -i '/assert/,/end/d' f", "def test_a():\n    assert f(1) == 2\n", "def test_a():\n"),
        ("sed -i '3,5!d' f", "# x [y]\ndef test_a():\n    assert f(1) == 2\n", "    assert f(1) == 2\n"),
        ("sed -i '/assert/!d' f", "def test_a():\n    assert f(1) == 2\n", "    assert f(1) == 2\n"),
        ("sed -i -e 's/a/b/' -e 's/b/c/g' f", "def test_a():\n", "def test_c():\n"),
        ("sed -i 's/[0-9]\\+/9/g; s/x*/-/2' f", "# x [y]\n", "#- x [y]\n"),
        ("sed -i -n '/test/p' f", "# x [y]\ndef test_a():\n", "def test_a():\n"),
        ("sed -i '/test/{s/test/TEST/;s/a/A/}' f", "def test_a():\n", "def TEST_A():\n"),
        ("sed -i '/^$/d' f", "    it ('x')\n\n", "    it ('x')\n"),
        ("sed -i '$d' f", "# x [y]\ndef test_a():\n", "# x [y]\n"),
        ("sed -i '$a last' f", "# x [y]\n", "# x [y]\nlast\n"),
        ("sed -i '2,4s/^/# /' f", "# x [y]\ndef test_a():\n", "# x [y]\n# def test_a():\n"),
        ("sed -i 's/a\\|b/X/g' f", "def test_a():\n", "def test_X():\n"),
        ("sed -i -E 's/a|b/X/g' f", "def test_a():\n", "def test_X():\n"),
        ("sed -i -E 's/\\|b/X/g' f", "if a|b\n", "if aX\n"),
        ("sed -i 's|a.b|X|;y/abc/xyz/' f", "def test_a():\n", "def test_x():\n"),
        ("sed -i '/test/c\\replaced' f", "def test_a():\n", "replaced\n"),
        ("sed -i '/it/i\\\n  before\\\n  line' f", "    it ('x')\n", "  before\n  line\n    it ('x')\n"),
        ("sed -i 's/assert/skip/I;s/TEST/t/2I' f", "    assert f(1) == 2\n", "    skip f(1) == 2\n"),
        ("sed -i '0,/test/s/test/X/' f", "def test_a():\n", "def X_a():\n"),
        ("sed -i '/test/,+1d' f", "# x [y]\ndef test_a():\n", "# x [y]\n"),
        ("sed -i '1~2d' f", "# x [y]\ndef test_a():\n", "def test_a():\n"),
        ("sed -i ':a;N;$!ba;s/\\n/ /g' f", "# x [y]\ndef test_a():\n", "# x [y] def test_a():\n"),
        (
            "sed -i '/assert/{N;d}' f",
            "def test_a():\n    assert f(1) == 2\n    it ('x')\n",
            "def test_a():\n",
        ),
        (
            "sed -i '/def/{n;s/assert/pass #/}' f",
            "def test_a():\n    assert f(1) == 2\n",
            "def test_a():\n    pass # f(1) == 2\n",
        ),
        ("sed -i 's/\\(a\\)\\(s\\)\\{2\\}/<\\2\\1>/' f", "    assert f(1) == 2\n", "    <sa>ert f(1) == 2\n"),
        ("sed -i 's/[][]/B/g' f", "# x [y]\n", "# x ByB\n"),
        ("sed -i 's/[^a-z ]//g' f", "# x [y]\n", " x y\n"),
        ("sed -i 's/\\bit\\b/xit/; s/\\<fn\\>/FN/' f", "    it ('x')\n", "    xit ('x')\n"),
        (
            "sed -i '5q' f",
            "# x [y]\ndef test_a():\n    assert f(1) == 2\n    it ('x')\n\n  test \"b\" do\n",
            "# x [y]\ndef test_a():\n    assert f(1) == 2\n    it ('x')\n\n",
        ),
        ("sed -i 's#(c)+#X#' f", "a (c)+\n", "a X\n"),
        ("sed -i -E 's#\\(c\\)\\+#X#' f", "a (c)+\n", "a X\n"),
        ("sed -i 's/$/;/' f", "# x [y]\n", "# x [y];\n"),
        ("sed -i 's/^/# /' f", "# x [y]\n", "# # x [y]\n"),
        ("sed -i '/def/,/^$/s/^/#/' f", "def test_a():\n", "#def test_a():\n"),
        ("sed -i 's/\\$d/E/' f", "(c) $d\n", "(c) E\n"),
        ("sed -i.bak 's/a/b/' f", "def test_a():\n", "def test_b():\n"),
        ("sed --in-place=.bak --expression='s/a/b/' f", "def test_a():\n", "def test_b():\n"),
        ("sed -i 'H;$!d;x;s/\\n/,/g' f", "# x [y]\n", ",# x [y]\n"),
        ("sed -i '/x/b;s/a/Q/' f", "def test_a():\n", "def test_Q():\n"),
        ("sed -i '/def/{h;d};/end/G' f", "  end\n", "  end\n\n"),
        ("perl -pi -e 's/assert.*\\n//g' f", "    assert f(1) == 2\n", "    "),
        ("perl -0pi -e 's/assert.*\\n//g' f", "    assert f(1) == 2\n", "    "),
        (
            "perl -0777 -pi -e 's/def test_a.*?\\n\\n//s' f",
            "# x [y]\ndef test_a():\n    assert f(1) == 2\n    it ('x')\n\n  test \"b\" do\n",
            "# x [y]\n  test \"b\" do\n",
        ),
        ("perl -pi -e 's/(\\w+)\\s*\\(/$1_x(/ if /test/' f", "def test_a():\n", "def test_a_x():\n"),
        ("perl -pi -e 's{assert}{skip}g unless /eq/' f", "    assert f(1) == 2\n", "    skip f(1) == 2\n"),
        ("perl -ni -e 'print unless /assert/' f", "def test_a():\n    assert f(1) == 2\n", "def test_a():\n"),
        ("perl -ni -e 'print if !/assert/' f", "def test_a():\n    assert f(1) == 2\n", "def test_a():\n"),
        ("perl -pi -e '$_ = \"\" if /assert/' f", "def test_a():\n    assert f(1) == 2\n", "def test_a():\n"),
        ("perl -i -pe 's/^(\\s*)it /${1}xit /' f", "    it ('x')\n", "    xit ('x')\n"),
        ("perl -i.bak -pe 's/\\bit\\b/xit/' f", "    it ('x')\n", "    xit ('x')\n"),
        ("perl -pi -e 'next if /def/; s/e/E/g' f", "    assert f(1) == 2\n", "    assErt f(1) == 2\n"),
        ("perl -ni -e 'print unless /def/../end/' f", "# x [y]\ndef test_a():\n", "# x [y]\n"),
        ("perl -pi -le 's/$/;/' f", "# x [y]\n", "# x [y];\n"),
        ("perl -pi -e 'BEGIN{undef $/} s/assert[^\\n]*\\n//g' f", "    assert f(1) == 2\n", "    "),
        ("perl -pe 's/\\@Test/\\@Ignore \\@Test/' -i f", "@Test\n", "@Ignore @Test\n"),
        ("ruby -pi -e 'gsub(/assert/, \"skip\")' f", "    assert f(1) == 2\n", "    skip f(1) == 2\n"),
        ("ruby -i -pe '$_.sub!(/^(\\s*)it /, \"\\\\1xit \")' f", "    it ('x')\n", "    xit ('x')\n"),
        ("ruby -i -ne 'print unless /b/' f", "a\nb\n", "a\n"),
        ("awk '/b/{exit} {print}' f > t && mv t f", "a\nb\nc\n", "a\n"),
        ("awk '!/assert/' f > t && mv t f", "def test_a():\n    assert f(1) == 2\n", "def test_a():\n"),
        (
            "awk '/assert/{next} 1' f > t && mv t f",
            "def test_a():\n    assert f(1) == 2\n",
            "def test_a():\n",
        ),
        (
            "awk '{gsub(/assert/,\"skip\")} 1' f > t && mv t f",
            "    assert f(1) == 2\n",
            "    skip f(1) == 2\n",
        ),
        (
            "awk '{gsub(/assert/,\"skip\"); print}' f > t && mv t f",
            "    assert f(1) == 2\n",
            "    skip f(1) == 2\n",
        ),
        (
            "awk 'NR!=5' f > t && mv t f",
            "# x [y]\ndef test_a():\n    assert f(1) == 2\n    it ('x')\n\n  test \"b\" do\n",
            "# x [y]\ndef test_a():\n    assert f(1) == 2\n    it ('x')\n  test \"b\" do\n",
        ),
        (
            "awk 'NR==1{print \"import pytest\"} {print}' f > t && mv t f",
            "# x [y]\n",
            "import pytest\n# x [y]\n",
        ),
        ("awk 'BEGIN{print \"x\"} {print $0}' f > t && mv t f", "# x [y]\n", "x\n# x [y]\n"),
        ("grep -v assert f > t && mv t f", "def test_a():\n    assert f(1) == 2\n", "def test_a():\n"),
        ("grep -vE 'assert|def' f > t && mv t f", "# x [y]\ndef test_a():\n", "# x [y]\n"),
        ("grep -v -e assert -e def f > t && mv t f", "# x [y]\ndef test_a():\n", "# x [y]\n"),
        ("grep -F -v '[y]' f > t && mv t f", "# x [y]\ndef test_a():\n", "def test_a():\n"),
        ("grep def f > t && mv t f", "# x [y]\ndef test_a():\n", "def test_a():\n"),
        (
            "cat f | head -n 5 > t && mv t f",
            "# x [y]\ndef test_a():\n    assert f(1) == 2\n    it ('x')\n\n  test \"b\" do\n",
            "# x [y]\ndef test_a():\n    assert f(1) == 2\n    it ('x')\n\n",
        ),
        (
            "head -n -5 f > t && mv t f",
            "# x [y]\ndef test_a():\n    assert f(1) == 2\n    it ('x')\n\n  test \"b\" do\n",
            "# x [y]\n",
        ),
        (
            "cat f | tail -n +5 > t && mv t f",
            "# x [y]\ndef test_a():\n    assert f(1) == 2\n    it ('x')\n\n  test \"b\" do\n",
            "\n  test \"b\" do\n",
        ),
        (
            "cat f | tail -n 3 > t && mv t f",
            "# x [y]\ndef test_a():\n    assert f(1) == 2\n    it ('x')\n",
            "def test_a():\n    assert f(1) == 2\n    it ('x')\n",
        ),
        (
            "cat f | sed 's/a/b/' | grep -v def > t && mv t f",
            "    assert f(1) == 2\n",
            "    bssert f(1) == 2\n",
        ),
        ("sed 's/a/b/' f | tee t >/dev/null && mv t f", "def test_a():\n", "def test_b():\n"),
        ("sed 's/a/b/' < f > t && mv t f", "def test_a():\n", "def test_b():\n"),
        (
            "python3 -c \"p='f'; s=open(p).read(); s=s.replace('assert','skip'); open(p,'w').write(s)\"",
            "    assert f(1) == 2\n",
            "    skip f(1) == 2\n",
        ),
        (
            "python3 -c \"import re; s=open('f').read(); open('f','w').write(re.sub(r'assert.*\\n', '', s))\"",
            "    assert f(1) == 2\n",
            "    ",
        ),
        (
            "node -e \"const fs=require('fs');fs.writeFileSync('f',fs.readFileSync('f','utf8').replace(/expect\\(.*\\n/g,''))\"",
            "@Test\nexpect(x).toBe(3);\n",
            "@Test\n",
        ),
        (
            "node -e \"const fs=require('fs');fs.writeFileSync('f',fs.readFileSync('f','utf8').replace('assert','skip'))\"",
            "    assert f(1) == 2\n",
            "    skip f(1) == 2\n",
        ),
        (
            "ruby -e \"File.write('f', File.read('f').gsub(/assert.*\\n/, ''))\"",
            "    assert f(1) == 2\n",
            "    ",
        ),
        (
            "python3 -c \"L=open('f').readlines(); open('f','w').writelines(l for l in L if 'assert' not in l)\"",
            "def test_a():\n    assert f(1) == 2\n",
            "def test_a():\n",
        ),
    ];
    for (command, before, after) in rows {
        let now = edit(command).and_then(|edit| edit.apply(before));
        assert_eq!(now.as_deref(), Some(after), "{command}");
    }
}

#[test]
fn values_are_set_and_deleted() {
    let package = r#"{"name":"a","scripts":{"test":"jest","prepare":"husky"}}"#;
    let ci = "jobs:\n  test:\n    runs-on: x\n    steps:\n      - run: npm ci\n      - name: Test\n        run: npm test\n  lint:\n    runs-on: x\n";
    for (command, before, holds, lacks) in [
        ("npm pkg set scripts.test='echo ok'", package, "\"test\": \"echo ok\"", "jest"),
        ("pnpm pkg set scripts.test=true", package, "\"test\": \"true\"", "jest"),
        ("npm pkg delete scripts.prepare", package, "jest", "husky"),
        ("npm pkg set jest.coverageThreshold.global.lines=1 --json", package, "\"lines\": 1", "\"1\""),
        ("npm set-script test 'exit 0'", package, "\"test\": \"exit 0\"", "jest"),
        ("jq '.scripts.test=\"exit 0\"' package.json > t && mv t package.json", package, "exit 0", "jest"),
        ("jq 'del(.scripts.prepare)' package.json | sponge package.json", package, "jest", "husky"),
        ("jq --arg v 'exit 0' '.scripts.test = $v' package.json > t", package, "exit 0", "jest"),
        (
            "yq -i '.jobs.test.continue-on-error = true' ci.yml",
            ci,
            "  test:\n    continue-on-error: true\n",
            "null",
        ),
        ("yq -i '.jobs.test.steps[1].run = \"true\"' ci.yml", ci, "        run: true\n", "npm test"),
        ("yq -i 'del(.jobs.test.steps[1])' ci.yml", ci, "npm ci", "npm test"),
        ("yq -i '.jobs[].continue-on-error = true' ci.yml", ci, "continue-on-error: true\n", "never"),
        ("yq -i '.jobs.*.steps[].run = \"true\"' ci.yml", ci, "run: true\n", "npm test"),
        ("yq -i 'del(.jobs.lint)' ci.yml", ci, "npm test", "lint"),
        ("yq eval '.jobs.lint.if = false' -i ci.yml", ci, "  lint:\n    if: false\n", "null"),
        (
            "toml set pyproject.toml tool.coverage.report.fail_under 10 > t",
            "[tool.coverage.report]\nfail_under = 90\n",
            "fail_under = 10",
            "90",
        ),
        (
            "crudini --set tox.ini testenv ignore_outcome true",
            "[testenv]\ncommands = a\n",
            "ignore_outcome = true",
            "null",
        ),
        (
            "composer config scripts.test true",
            r#"{"scripts":{"test":"phpunit"}}"#,
            "\"test\": true",
            "phpunit",
        ),
    ] {
        let now = edit(command).and_then(|edit| edit.apply(before)).unwrap_or_default();
        assert!(now.contains(holds) && !now.contains(lacks), "{command}: {now}");
    }
}

#[test]
fn a_text_that_a_source_writes_whole_is_known() {
    for (command, text) in [
        ("python3 -c \"open('f','w').write('')\"", ""),
        ("python3 -c \"from pathlib import Path; Path('f').write_text('a\\nb')\"", "a\nb"),
        ("node -e \"require('fs').writeFileSync('f', 'x')\"", "x"),
    ] {
        let reading = effects(command, ShellDialect::Posix, Path::new("/p"), Path::new("/h"));
        assert_eq!(reading.effects.iter().find_map(|it| it.content.as_deref()), Some(text), "{command}");
    }
}

#[test]
fn anything_else_is_left_alone() {
    for command in [
        "sed -i 's/\\(a\\)\\1/x/' f",
        "sed -i 's/a' f",
        "sed -i '/a/,~2d' f",
        "sed -i 'w other' f",
        "sed -i 's/a/b/e' f",
        "sed -i 's/a/b/w other' f",
        "sed -i '/a/r other' f",
        "sed -i -f script f",
        "sed -i -z 's/a/b/' f",
        "sed -i 'y/ab/c/' f",
        "sed -i \"s/$UNKNOWN/b/\" f",
        "sed -i 'bnowhere' f",
        "perl -pi -e 's/a/f($1)/e' f",
        "perl -pi -e 's/(?<=a)b/c/' f",
        "perl -pi -e 's/a/$name/' f",
        "perl -00 -pi -e 's/a/b/' f",
        "awk -F: '{print $1}' f > t",
        "awk '{print $2}' f > t",
        "grep -c a f > t",
        "grep -v a f g > t",
        "cut -c1 f > t",
        "jq '.a | keys' f.json > t",
        "jq '.a += 1' f.json > t",
    ] {
        assert_eq!(edit(command), None, "{command}");
    }
    let slow = edit("sed -i ':a;s/^/x/;ba' f").unwrap();
    assert_eq!(slow.apply("a\n"), None, "a program without end");
}

#[test]
fn patterns_show_what_they_fit() {
    for (command, samples) in [
        ("sed -i 's/npm test/echo ok/' ci.yml", &["npm test"][..]),
        ("sed -i 's/fail_under = [0-9]*/fail_under = 1/' f", &["fail_under = 99"]),
        ("sed -i '/- run: npm test/d' ci.yml", &["- run: npm test"]),
        ("perl -pi -e 's/\"strict\":\\s*true/\"strict\": false/' f", &["\"strict\":true"]),
        ("sed -i 's/.*/x/' f", &[]),
    ] {
        assert_eq!(edit(command).unwrap().samples(), samples, "{command}");
    }
}

#[test]
fn editors_that_are_told_beforehand_are_computed_to_the_letter() {
    const TEXT: &str = "one\ntwo a a\nthree\ntwo b\nlast\n";
    for (command, expected) in [
        ("ed -s f <<'E'\ng/two/d\nw\nq\nE", "one\nthree\nlast\n"),
        ("ed f <<< $'v/two/d\\nwq'", "two a a\ntwo b\n"),
        ("printf '2,3d\\nw\\nq\\n' | ed -s f", "one\ntwo b\nlast\n"),
        ("printf '%s\\n' ',s/two/2/' w q | ed -s f", "one\n2 a a\nthree\n2 b\nlast\n"),
        ("ed -s f <<'E'\n/three/,$d\nw\nE", "one\ntwo a a\n"),
        ("ed -s f <<'E'\n/two/d\nw\nE", "one\nthree\ntwo b\nlast\n"),
        ("ed -s f <<'E'\n?two?d\nw\nE", "one\ntwo a a\nthree\nlast\n"),
        ("ed -s f <<'E'\n/three/-1,/three/+1d\nw\nE", "one\nlast\n"),
        (
            "ed -s f <<'E'\n1i\nzero\nnull\n.\n$a\nend\n.\nw\nq\nE",
            "zero\nnull\none\ntwo a a\nthree\ntwo b\nlast\nend\n",
        ),
        ("ed -s f <<'E'\n2,4c\nx\n.\nw\nE", "one\nx\nlast\n"),
        ("ed -s f <<'E'\n1m$\nw\nE", "two a a\nthree\ntwo b\nlast\none\n"),
        ("ed -s f <<'E'\n5m0\nw\nE", "last\none\ntwo a a\nthree\ntwo b\n"),
        ("ed -s f <<'E'\n1,2t$\nw\nE", "one\ntwo a a\nthree\ntwo b\nlast\none\ntwo a a\n"),
        ("ed -s f <<'E'\n1,2j\nw\nE", "onetwo a a\nthree\ntwo b\nlast\n"),
        ("ed -s f <<'E'\ng/two/m0\nw\nE", "two b\ntwo a a\none\nthree\nlast\n"),
        ("ed -s f <<'E'\ng/two/s/a/x/g\nw\nE", "one\ntwo x x\nthree\ntwo b\nlast\n"),
        ("ed -s f <<'E'\n/two/;/two/d\nw\nE", "one\nlast\n"),
        // Both are looked for from the last line on.
        ("ed -s f <<'E'\n/three/,/two/d\nw\nE", TEXT),
        ("vim -es -c '/three/;/last/d' -c x f", "one\ntwo a a\n"),
        ("ed -s f <<'E'\nd\nw\nE", "one\ntwo a a\nthree\ntwo b\n"),
        // What it can't do changes nothing, and what was not written is lost.
        ("ed -s f <<'E'\n1d\ns/none/x/\nw\nE", "two a a\nthree\ntwo b\nlast\n"),
        ("ed -s f <<'E'\n1d\nw\n1d\nq\nE", "two a a\nthree\ntwo b\nlast\n"),
        ("ex -s f <<'E'\ng/two/d\nx\nE", "one\nthree\nlast\n"),
        ("ex -s -c '%s/two/2/g' -c wq f", "one\n2 a a\nthree\n2 b\nlast\n"),
        ("ex -sc '2,3d|x' f", "one\ntwo b\nlast\n"),
        ("vim -es -u NONE -c 'g!/two/d' -c 'wq!' f", "two a a\ntwo b\n"),
        ("vim -e -s f <<'E'\n:%s/\\vtwo|three/N/\n:wq\nE", "one\nN a a\nN\nN b\nlast\n"),
        ("vim -c ':g/TWO\\c/d' -c ':wq' f", "one\nthree\nlast\n"),
        ("vim +3d +wq f", "one\ntwo a a\ntwo b\nlast\n"),
        ("vim -c 'd' -c 'x' f", "two a a\nthree\ntwo b\nlast\n"),
        ("vim -c 'normal ggdG' -c wq f", ""),
        ("vim -c 'silent! %s/none/x/ge | 1d | update' -c 'qa!' f", "two a a\nthree\ntwo b\nlast\n"),
        ("nvim --headless -c 'argdo %s/two/2/ge | update' -c qa f g", "one\n2 a a\nthree\n2 b\nlast\n"),
    ] {
        let now = edit(command).and_then(|edit| edit.apply(TEXT));
        assert_eq!(now.as_deref(), Some(expected), "{command}");
    }
}

#[test]
fn what_editors_do_in_their_own_way_is_no_guess() {
    let writes = |command: &str| {
        let reading = effects(command, ShellDialect::Posix, Path::new("/p"), Path::new("/h"));
        let effect = reading.effects.into_iter().find(|effect| !effect.targets.is_empty())?;
        Some((effect.targets.len(), effect.edit.is_some()))
    };
    for (command, expected) in [
        ("vim -c '%!sort' -c wq f", Some((1, false))),
        ("vim -S fix.vim f", Some((1, false))),
        ("vim -c '%s/a/\\=line(\".\")/' -c wq f", Some((1, false))),
        ("vim -c 'g/a/d|wq' f", Some((1, false))),
        ("vim -c 'normal 3jdwx' -c wq f", Some((1, false))),
        ("vim -c '%d' -c wq f g", Some((2, false))),
        ("ed -s f < orders", Some((1, false))),
        ("cat orders | ed -s f", Some((1, false))),
        ("vim -c \"$ORDER\" -c wq f", Some((1, false))),
        ("ed -s \"$FILE\" <<'E'\ng/x/d\nw\nE", Some((1, true))),
        // Nothing is written.
        ("vim f", None),
        ("vim +12 f", None),
        ("vim -c '%d' -c 'q!' f", None),
        ("ed -s f <<'E'\n,p\nq\nE", None),
        ("vim -M -c '%d' -c w f", None),
        ("vim --version", None),
    ] {
        assert_eq!(writes(command), expected, "{command}");
    }
}
