//! Code that others use and that goes away: told where they still name it, and nothing takes its place.

use serde_json::{Value, json};

use crate::place::Place;
use crate::whose_loss::{bash, losses, write};

/// Paths with their texts.
type Files = &'static [(&'static str, &'static str)];

const PYTHON: &[(&str, &str)] = &[
    ("shop/prices.py", "def rounded(n):\n    whole = int(n * 100)\n    return whole / 100\n"),
    ("shop/idle.py", "def nobody():\n    return 1\n"),
    ("main.py", "from shop.prices import rounded\n\nprint(rounded(1.239))\n"),
];
const SCRIPT: &[(&str, &str)] = &[
    (
        "src/prices.js",
        "export function rounded(n) {\n  const whole = Math.round(n * 100);\n  return whole / 100;\n}\n",
    ),
    ("src/main.js", "import { rounded } from './prices.js';\nconsole.log(rounded(1.239));\n"),
];
const GO: &[(&str, &str)] = &[
    ("go.mod", "module shop\n\ngo 1.22\n"),
    (
        "prices/prices.go",
        "package prices\n\nconst Most = 7\n\nfunc Rounded(n int) int {\n\twhole := n * 2\n\treturn whole\n}\n",
    ),
    (
        "main.go",
        "package main\n\nimport \"shop/prices\"\n\nfunc main() { println(prices.Rounded(prices.Most), tax(2)) }\n",
    ),
    ("tax.go", "package main\n\nfunc tax(n int) int {\n\treturn n * 19 / 100\n}\n"),
];
const RUST: &[(&str, &str)] = &[
    (
        "src/prices.rs",
        "pub const MOST: i32 = 7;\n\npub fn rounded(n: i32) -> i32 {\n    let whole = n * 2;\n    whole\n}\n",
    ),
    (
        "src/main.rs",
        "mod prices;\nuse prices::{rounded, MOST};\n\nfn main() {\n    println!(\"{}\", rounded(MOST));\n}\n",
    ),
];
const JAVA: &[(&str, &str)] = &[
    (
        "src/shop/Prices.java",
        "package shop;\n\npublic class Prices {\n  public static final int MOST = 7;\n\n  public int rounded(int n) {\n    int whole = n * 2;\n    return whole;\n  }\n}\n",
    ),
    (
        "src/shop/Main.java",
        "package shop;\n\npublic class Main {\n  int run(Prices prices) {\n    return prices.rounded(Prices.MOST);\n  }\n}\n",
    ),
    (
        "src/app/App.java",
        "package app;\n\nimport shop.*;\n\nclass App {\n  Prices prices = new Prices();\n}\n",
    ),
];
const RUBY: &[(&str, &str)] = &[
    ("lib/prices.rb", "module Prices\n  MOST = 7\n\n  def self.rounded(n)\n    n.round(2)\n  end\nend\n"),
    ("main.rb", "require_relative 'lib/prices'\n\nputs Prices.rounded(Prices::MOST)\n"),
];

fn holding(files: &[(&str, &str)]) -> Place {
    let place = Place::new();
    for (path, text) in files {
        place.write(path, text);
    }
    place.commit("Code that is used");
    place.start_loop("one");
    place.start("s1");
    place
}

fn ends(place: &Place) -> Vec<String> {
    place.write("done", "");
    place.stop("s1");
    losses(place, "one").into_iter().map(|(kind, _)| kind).collect()
}

fn without(text: &str, from: &str, to: &str) -> String {
    let (before, rest) = text.split_once(from).expect("it begins");
    let (_, after) = rest.split_once(to).expect("it ends");
    format!("{before}{after}")
}

#[test]
fn another_function_in_the_place_of_one_that_is_used_is_told() {
    let ways: &[(Files, &str, Option<&str>, &str)] = &[
        (PYTHON, "shop/prices.py", None, "def nobody():\n    return 1\n"),
        (PYTHON, "shop/prices.py", None, "VERSION = 3\n"),
        (PYTHON, "shop/prices.py", Some("cp shop/idle.py shop/prices.py"), ""),
        (PYTHON, "shop/prices.py", Some("mv shop/idle.py shop/prices.py"), ""),
        (SCRIPT, "src/prices.js", None, "export const VERSION = 3;\n"),
        (SCRIPT, "src/prices.js", None, "export function nobody() {\n  return 1;\n}\n"),
        (GO, "prices/prices.go", None, "package prices\n\nfunc Nobody() int {\n\treturn 1\n}\n"),
        (RUST, "src/prices.rs", None, "pub fn nobody() -> i32 {\n    1\n}\n"),
    ];
    for (files, path, command, text) in ways {
        let place = holding(files);
        let is_stopped = match command {
            Some(command) => bash(&place, "s1", command).0,
            None => {
                write(&place, "s1", path, text).is_some_and(|said| crate::whose_loss::denied(Some(&said)))
            }
        };
        assert!(is_stopped || ends(&place) == ["feature_removal"], "{path}: {command:?} {text}");
    }
}

#[test]
fn what_goes_while_others_name_it_is_told_in_each_language() {
    let go = GO[1].1;
    let rust = RUST[0].1;
    let java = JAVA[0].1;
    let ruby = RUBY[0].1;
    let ways: &[(Files, &str, String)] = &[
        (GO, "prices/prices.go", without(go, "const Most", "7\n")),
        (GO, "prices/prices.go", without(go, "func Rounded", "}\n")),
        (RUST, "src/prices.rs", without(rust, "pub const", "7;\n")),
        (RUST, "src/prices.rs", without(rust, "pub fn", "whole\n}\n")),
        (JAVA, "src/shop/Prices.java", without(java, "  public static", "7;\n")),
        (JAVA, "src/shop/Prices.java", without(java, "  public int rounded", "  }\n")),
        (RUBY, "lib/prices.rb", without(ruby, "  MOST", "7\n")),
        (RUBY, "lib/prices.rb", without(ruby, "  def self", "  end\n")),
    ];
    for (files, path, text) in ways {
        let place = holding(files);
        let said = write(&place, "s1", path, text);
        let is_stopped = crate::whose_loss::denied(said.as_ref());
        assert!(is_stopped || ends(&place) == ["feature_removal"], "{path}: {text}");
    }
    for (files, command) in [
        (GO, "rm tax.go"),
        (GO, "git rm --quiet tax.go"),
        (GO, "mv tax.go tax.go.old"),
        (GO, ": > tax.go"),
        (JAVA, "rm src/shop/Prices.java"),
        (JAVA, "mv src/shop/Prices.java src/shop/Prices.java.old"),
    ] {
        let place = holding(files);
        assert!(bash(&place, "s1", command).0 || ends(&place) == ["feature_removal"], "{command}");
    }
}

#[test]
fn a_rename_a_move_and_what_nobody_names_are_no_loss() {
    let renamed = |files: &[(&str, &str)], from: &str, to: &str| -> Vec<(String, String)> {
        let of = |(path, text): &(&str, &str)| ((*path).to_owned(), text.replace(from, to));
        files.iter().map(of).collect()
    };
    for (files, from, to) in [
        (PYTHON, "rounded", "to_cents"),
        (SCRIPT, "rounded", "toCents"),
        (GO, "Rounded", "ToCents"),
        (GO, "tax", "duty"),
        (RUST, "rounded", "to_cents"),
        (JAVA, "rounded", "toCents"),
        (RUBY, "rounded", "to_cents"),
    ] {
        let place = holding(files);
        for (path, text) in renamed(files, from, to) {
            write(&place, "s1", &path, &text);
        }
        assert_eq!(ends(&place), Vec::<String>::new(), "{from} -> {to}");
        assert_eq!(place.state("one")["status"], "completed");
    }
    for (files, command) in [
        (GO, "mv tax.go duty.go"),
        (PYTHON, "rm shop/idle.py"),
        (PYTHON, "git mv shop/prices.py shop/sums.py && sed -i s/shop.prices/shop.sums/ main.py"),
        (RUST, "git mv src/prices.rs src/sums.rs && sed -i s/prices/sums/ src/main.rs"),
        (
            JAVA,
            "mkdir -p src/sums && git mv src/shop/Prices.java src/sums/ && git rm -q src/shop/Main.java && \
            sed -i s/shop/sums/ src/app/App.java src/sums/Prices.java",
        ),
    ] {
        let place = holding(files);
        assert!(!bash(&place, "s1", command).0, "{command}");
        assert_eq!(ends(&place), Vec::<String>::new(), "{command}");
    }
    // Members that are made for the class.
    let place = holding(JAVA);
    let generated = "package shop;\n\n@Getter\npublic class Prices {\n  private final int rounded = 7;\n}\n";
    write(&place, "s1", "src/shop/Prices.java", generated);
    assert_eq!(ends(&place), Vec::<String>::new());
    // What is passed on from where it has gone to.
    let place = holding(PYTHON);
    write(&place, "s1", "shop/sums.py", PYTHON[0].1);
    write(&place, "s1", "shop/prices.py", "from shop.sums import rounded\n\nVERSION = 3\n");
    assert_eq!(ends(&place), Vec::<String>::new());
    // A function that moves to another file of its package, and one that only looks like what is gone.
    let place = holding(GO);
    let moved = "package prices\n\nfunc Rounded(n int) int {\n\treturn n * 2\n}\n";
    write(&place, "s1", "prices/rounding.go", moved);
    write(&place, "s1", "prices/prices.go", "package prices\n\nconst Most = 7\n");
    assert_eq!(ends(&place), Vec::<String>::new());
    let place = holding(&[
        GO[0],
        ("main.go", "package main\n\nfunc main() {\n\ttax := 3\n\tprintln(tax)\n}\n"),
        ("tax.go", "package main\n\nfunc tax(n int) int {\n\treturn n\n}\n"),
    ]);
    write(&place, "s1", "tax.go", "package main\n");
    assert_eq!(ends(&place), Vec::<String>::new(), "{}", place.state("one")["regression_events"]);
}

#[test]
fn it_is_told_until_the_others_follow() {
    let place = holding(PYTHON);
    let renamed = PYTHON[0].1.replace("rounded", "to_cents");
    write(&place, "s1", "shop/prices.py", &renamed);
    place.stop("s1");
    assert_eq!(losses(&place, "one").len(), 1);
    write(&place, "s1", "main.py", &PYTHON[2].1.replace("rounded", "to_cents"));
    place.write("done", "");
    place.stop("s1");
    let state = place.state("one");
    let events = state["regression_events"].as_array().cloned().unwrap_or_default();
    let outcomes: Vec<&Value> = events.iter().map(|event| &event["recovery_outcome"]).collect();
    assert_eq!((&state["status"], outcomes), (&json!("completed"), vec![&json!("success")]));
}

const DECLARED: &[(&str, &str)] = &[
    (
        "src/lib.rs",
        "pub mod sums;\nmod shapes;\n\npub fn all() -> i32 {\n    sums::one() + shapes::SIDES\n}\n",
    ),
    ("src/sums.rs", "pub fn one() -> i32 {\n    let one = 1;\n    one\n}\n"),
    ("src/shapes.rs", "pub const SIDES: i32 = 4;\n"),
    ("src/other.rs", "use crate::sums::one;\n\npub fn two() -> i32 {\n    one() * 2\n}\n"),
];

#[test]
fn a_module_whose_declaration_is_gone_is_told_where_it_is_still_named() {
    let ways: &[(&str, bool)] = &[
        ("sed -i '/mod sums/d' src/lib.rs", true),
        ("sed -i '/mod shapes/d' src/lib.rs", true),
        ("rm src/sums.rs && sed -i '/mod sums/d' src/lib.rs", true),
        ("sed -i '/mod sums/d; s/sums::one() + //' src/lib.rs", true),
        ("sed -i '/mod shapes/d; s/ + shapes::SIDES//' src/lib.rs && rm src/shapes.rs", false),
        ("sed -i 's/pub mod sums/mod sums/' src/lib.rs", false),
        (
            "mkdir src/io && git mv src/shapes.rs src/io/shapes.rs && echo 'pub mod shapes;' > src/io/mod.rs && \
             sed -i 's/^mod shapes;/mod io;\\nuse io::shapes;/' src/lib.rs",
            false,
        ),
    ];
    for (command, is_told) in ways {
        let place = holding(DECLARED);
        let (is_stopped, _) = bash(&place, "s1", command);
        let found = ends(&place);
        assert_eq!(is_stopped || found == ["feature_removal"], *is_told, "{command}: {found:?}");
    }
}

#[test]
fn a_module_that_moves_under_another_name_is_none_that_is_missed() {
    let ways: &[(Files, &str)] = &[
        (
            PYTHON,
            "git mv shop/prices.py shop/sums.py && sed -i 's/shop.prices import rounded/shop import sums as prices/; s/rounded(/prices.rounded(/' main.py",
        ),
        (
            PYTHON,
            "git mv shop/prices.py shop/sums.py && sed -i 's/from shop.prices import rounded/import shop.sums as prices/; s/rounded(/prices.rounded(/' main.py",
        ),
        (
            SCRIPT,
            "git mv src/prices.js src/sums.js && sed -i \"s/{ rounded } from '.*prices.js'/* as prices from '.\\/sums.js'/; s/rounded(/prices.rounded(/\" src/main.js",
        ),
        (
            RUST,
            "git mv src/prices.rs src/sums.rs && sed -i 's/mod prices;/mod sums;/; s/use prices::/use sums as prices;\\nuse prices::/' src/main.rs",
        ),
    ];
    for (files, command) in ways {
        let place = holding(files);
        let (is_stopped, told) = bash(&place, "s1", command);
        let found = ends(&place);
        assert!(!is_stopped && found.is_empty(), "{command}: {told:?} {found:?}");
    }
}
