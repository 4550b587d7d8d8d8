//! Which files of a project import a module, and what a module offers by name.
//!
//! Only imports that name the file (or the folder) that they mean are known; where a language has none, nothing is said.

pub(crate) mod imports;

use std::collections::BTreeSet;

use crate::languages::modules::imports::{Modules, without_ending};
use crate::languages::registry::Language;

pub use crate::languages::modules::imports::{ALL, ImportQuestion, Undeclared};

/// How the file at `path` is imported; `None` where that can't be said.
fn of(path: &str) -> Option<&'static Modules> {
    Language::of_path(path)?.descriptor().modules.as_ref()
}

/// The patterns of the files that can import the file at `path`; `None` where that can't be said.
pub fn importers_of(path: &str) -> Option<Vec<String>> {
    let modules = of(path)?;
    Some(modules.endings.iter().chain(modules.importers).map(|ending| format!("*.{ending}")).collect())
}

/// The file of a project that says under which name its folders are imported, and the word before the name.
pub fn manifest_of(path: &str) -> Option<(&'static str, &'static str)> {
    of(path)?.manifest
}

/// Whether a folder is imported as a whole, and not the file at `path`.
pub fn is_by_folder(path: &str) -> bool {
    of(path).is_some_and(|modules| modules.by_folder)
}

/// The words of which every import of the file at `path` has one: its name, and that of the folder for which it stands.
pub fn names_of(path: &str) -> Vec<String> {
    if let Some(spelled) = of(path).and_then(|modules| modules.spelled) {
        return vec![spelled(path)];
    }
    let paths = if is_by_folder(path) { vec![stem(path)] } else { vec![stem(path), without_ending(path)] };
    let mut names: Vec<String> =
        paths.iter().filter_map(|path| path.rsplit('/').next()).map(str::to_owned).collect();
    names.dedup();
    names
}

/// The path without its ending, and without the name of a file that stands for its folder. Two files of one stem are the
/// same to who imports them.
pub fn stem(path: &str) -> &str {
    of(path).map_or_else(|| without_ending(path), |modules| modules.stem(path))
}

/// The paths of files that take the place of the file at `path` for who imports it.
pub fn places(path: &str) -> Vec<String> {
    let Some(modules) = of(path).filter(|modules| !modules.by_folder) else { return Vec::new() };
    let stem = stem(path);
    let of_ending = |ending: &&'static str| -> Vec<String> {
        let in_folder = modules.for_folder.iter().map(|name| format!("{stem}/{name}.{ending}"));
        std::iter::once(format!("{stem}.{ending}")).chain(in_folder).collect()
    };
    modules.endings.iter().flat_map(of_ending).collect()
}

/// The names that a module offers.
pub fn offered(path: &str, text: &str) -> BTreeSet<String> {
    of(path).map(|modules| (modules.offered)(path, text)).unwrap_or_default()
}

/// Which of `names` a file takes of a module; all of them where it takes the module as a whole.
pub fn taken(asking: &ImportQuestion, text: &str, names: &BTreeSet<String>) -> BTreeSet<String> {
    let Some(modules) = of(asking.module) else { return BTreeSet::new() };
    let imports = (modules.imports)(asking, text);
    if let Some(is_named) = modules.names.filter(|_| !imports.is_empty()) {
        let known = names.iter().filter(|name| *name != ALL);
        return known.filter(|name| is_named(asking, text, name)).cloned().collect();
    }
    let is_taken = |name: &&String| imports.iter().any(|import| import.takes(text, name));
    names.iter().filter(is_taken).cloned().collect()
}

/// The modules below the file at `path` whose declaration a change takes away.
pub fn undeclared(path: &str, before: &str, after: &str) -> Vec<Undeclared> {
    let undeclared = of(path).and_then(|modules| modules.undeclared);
    undeclared.map(|undeclared| undeclared(path, before, after)).unwrap_or_default()
}

/// Whether a file imports a module at all.
pub fn is_importer(asking: &ImportQuestion, text: &str) -> bool {
    of(asking.module).is_some_and(|modules| !(modules.imports)(asking, text).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::modules::imports::has_word;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_module_offers_its_names() {
        let script = "export function a(x) {}\nexport async function b() {}\nexport const C = 1;\nexport { d, e as f } from './g.js';\n\
                      export default class H {}\nexports.i = 1;\nfunction own() {}\n";
        assert_eq!(offered("src/x.js", script), set(&["a", "b", "C", "d", "f", "default", "i"]));
        assert_eq!(offered("x.js", "module.exports = {\n  a,\n  b: c,\n};\n"), set(&["a", "b"]));
        let python = "import os\nX = 1\n_y = 2\nz: int = 3\nif X == 1:\n    w = 2\ndef f():\n    pass\nclass G:\n    pass\n";
        assert_eq!(offered("x.py", python), set(&["X", "z", "w", "f", "G"]));
        assert_eq!(offered("pkg/__init__.py", "from .a import b, c as d\n"), set(&["b", "d"]));
        let passed_on = "try:\n    from fast import (\n        a,\n        b as c,\n    )\nexcept ImportError:\n    def a():\n        pass\n";
        assert_eq!(offered("pkg/x.py", passed_on), set(&["a", "c"]));
    }

    #[test]
    fn an_importer_takes_what_it_names() {
        let rows = [
            ("src/main.js", "import {total,other} from './total.js';\n", "src/total.js", &["total"][..]),
            ("src/main.ts", "import { total } from \"./total\";\n", "src/total.ts", &["total"]),
            ("src/main.ts", "import { total } from \"./total.js\";\n", "src/total.ts", &["total"]),
            ("src/a/main.ts", "import {\n  total,\n} from '../total';\n", "src/total/index.ts", &["total"]),
            ("src/main.js", "import * as t from './total.js';\nt.total();\n", "src/total.js", &["total"]),
            ("src/main.js", "const { total } = require('./total');\n", "src/total.js", &["total"]),
            ("app/main.ts", "import { total } from '@/total';\n", "src/total.ts", &["total"]),
            ("src/main.js", "import { other } from './total.js';\nconst total = 1;\n", "src/total.js", &[]),
            ("src/main.js", "import { total } from './other/total.js';\n", "src/total.js", &[]),
            ("m.py", "from total import total\n", "total.py", &["total"]),
            ("m.py", "from pkg.total import (\n    total,\n)\n", "pkg/total.py", &["total"]),
            ("pkg/m.py", "from . import total\ntotal.total()\n", "pkg/total.py", &["total"]),
            ("m.py", "import pkg.total\npkg.total.total()\n", "src/pkg/total.py", &["total"]),
            ("m.py", "import json\njson.total()\n", "pkg/json.py", &[]),
            // Of one that is known under another name here, that other name says nothing.
            ("pkg/m.py", "from . import sums as total\ntotal.total()\n", "pkg/total.py", &[]),
            ("m.py", "from pkg.total import sums as total\n", "pkg/total.py", &[]),
            ("m.py", "from pkg.total import (\n    total as sums,\n)\n", "pkg/total.py", &["total"]),
            ("src/main.js", "import { sums as total } from './total.js';\n", "src/total.js", &[]),
            ("src/main.js", "const { sums: total } = require('./total');\n", "src/total.js", &[]),
            ("src/main.js", "const { total: sums } = require('./total');\n", "src/total.js", &["total"]),
        ];
        for (path, text, module, expected) in rows {
            let asking = ImportQuestion { path, module, project: "" };
            assert_eq!(taken(&asking, text, &set(&["total"])), set(expected), "{path}: {text}");
        }
    }

    /// A module with its text, and what it offers.
    const OFFERS: &[(&str, &str, &[&str])] = &[
        (
            "shop/total.go",
            "package shop\n\nconst (\n\tMost = 7\n\tleast = 1\n)\n\nvar Rate = 2\n\ntype Cart struct {\n\tsum int\n}\n\nfunc (c Cart) Sum() int { return c.sum }\n\nfunc total() {}\n\nfunc init() {}\n",
            &["Most", "least", "Rate", "Cart", "total"],
        ),
        (
            "src/total.rs",
            "pub use crate::cart::{Cart, Item as Thing};\npub(crate) const MOST: u32 = 7;\npub async fn total() {}\npub const fn rate() -> u32 {\n    2\n}\nfn own() {}\npub struct Sum;\nimpl Sum {\n    pub fn of() {}\n}\n",
            &["Cart", "Thing", "MOST", "total", "rate", "Sum"],
        ),
        (
            "shop/Total.java",
            "package shop;\npublic class Total {\n  public static final int MOST = 7;\n  private int own;\n  public Total(int n) {}\n  public int sum(int n) {\n    return n;\n  }\n  static List<String> names() {\n    return null;\n  }\n  public enum Kind { A }\n}\n",
            &["MOST", "sum", "names", "Kind"],
        ),
        (
            "shop/Total.java",
            "package shop;\npublic class Total extends Base {\n  public int sum() { return 1; }\n}\n",
            &[],
        ),
        ("shop/Total.java", "package shop;\n@Data\npublic class Total {\n  private int sum;\n}\n", &["*"]),
        ("shop/Total.java", "package shop;\npublic record Total(int sum) {\n}\n", &["*"]),
        (
            "lib/total.rb",
            "module Total\n  class << self\n    def sum(items)\n      items.sum\n    end\n  end\nend\n",
            &["*", "Total"],
        ),
        (
            "lib/total.rb",
            "module Total\n  MOST = 7\n  def self.sum(items)\n    items.sum\n  end\n\n  def own\n    x = 1\n  end\nend\n\ndef total\n  1\nend\n",
            &["Total", "MOST", "sum", "total"],
        ),
    ];

    #[test]
    fn a_module_of_a_language_without_lists_of_exports_offers_what_others_can_name() {
        for (path, text, names) in OFFERS {
            assert_eq!(offered(path, text), set(names), "{path}: {text}");
        }
    }

    #[test]
    fn an_importer_takes_what_it_names_in_its_code() {
        let rows: &[(&str, &str, &str, &str, bool)] = &[
            (
                "main.go",
                "import \"example.com/app/total\"\nvar x = total.Sum(1)\n",
                "total/sum.go",
                "Sum",
                true,
            ),
            (
                "main.go",
                "import t \"example.com/app/total\"\nvar x = t.Sum(1)\n",
                "total/sum.go",
                "Sum",
                true,
            ),
            (
                "main.go",
                "import \"example.com/app/total\"\nvar x = other.Sum(1)\n",
                "total/sum.go",
                "Sum",
                false,
            ),
            (
                "main.go",
                "import \"example.com/app/total\"\n// total.Sum adds.\n",
                "total/sum.go",
                "Sum",
                false,
            ),
            ("total/more.go", "package total\n\nvar x = sum(1)\n", "total/sum.go", "sum", true),
            (
                "total/more.go",
                "package total\n\nfunc f(sum int) int { return sum }\n",
                "total/sum.go",
                "sum",
                false,
            ),
            ("total/more.go", "package total\n\nvar x = cart.sum\n", "total/sum.go", "sum", false),
            ("src/main.rs", "mod total;\nfn f() { total::sum(1) }\n", "src/total.rs", "sum", true),
            ("src/cart.rs", "use crate::total::{self, sum};\n", "src/total.rs", "sum", true),
            ("src/cart.rs", "use crate::total::*;\nfn f() { sum(1) }\n", "src/total.rs", "sum", true),
            ("src/cart.rs", "use crate::total::other;\nfn f() { sum(1) }\n", "src/total.rs", "sum", false),
            (
                "src/cart.rs",
                "use crate::total::other;\nfn f() { elsewhere::total::sum(1) }\n",
                "src/total.rs",
                "sum",
                false,
            ),
            ("b/Main.java", "import a.Total;\nint x = Total.sum(1);\n", "a/Total.java", "sum", true),
            ("b/Main.java", "import static a.Total.sum;\nint x = sum(1);\n", "a/Total.java", "sum", true),
            ("a/Main.java", "int f(Total total) { return total.sum(1); }\n", "a/Total.java", "sum", true),
            ("a/Main.java", "int f(Total total) { return other.sum(1); }\n", "a/Total.java", "sum", false),
            ("b/Main.java", "int f(Total total) { return total.sum(1); }\n", "a/Total.java", "sum", false),
            ("main.rb", "require_relative 'lib/total'\nputs Total.sum([])\n", "lib/total.rb", "sum", true),
            ("main.rb", "require_relative 'lib/total'\nputs Total::MOST\n", "lib/total.rb", "MOST", true),
            ("main.rb", "require_relative 'lib/total'\nputs [1].sum\n", "lib/total.rb", "sum", false),
            (
                "main.rb",
                "require_relative 'lib/total'\ndef sum\n  1\nend\nputs sum\n",
                "lib/total.rb",
                "sum",
                false,
            ),
        ];
        for (path, text, module, name, expected) in rows {
            let asking = ImportQuestion { path, module, project: "example.com/app" };
            assert_eq!(!taken(&asking, text, &set(&[name])).is_empty(), *expected, "{path}: {text}");
        }
    }

    /// The importing file, its text, the module, and whether it imports it.
    const WHOLE: &[(&str, &str, &str, bool)] = &[
        ("src/lib.rs", "pub(crate) mod total;\n", "src/total.rs", true),
        ("src/shop.rs", "mod total;\n", "src/shop/total/mod.rs", true),
        ("src/main.rs", "use crate::shop::total::sum;\n", "src/shop/total.rs", true),
        ("src/shop/cart.rs", "use super::total;\n", "src/shop/total.rs", true),
        ("src/main.rs", "use crate::total::sum;\n", "src/shop/total.rs", false),
        ("src/main.rs", "mod totals;\nuse crate::shop::totals;\n", "src/shop/total.rs", false),
        ("other/src/main.rs", "use crate::shop::total;\n", "src/shop/total.rs", false),
        ("main.go", "import \"example.com/app/total\"\n", "total/total.go", true),
        ("main.go", "import (\n\tt \"example.com/app/pkg/total\"\n)\n", "pkg/total/sum.go", true),
        ("main.go", "import \"github.com/other/total\"\n", "total/total.go", false),
        ("main.go", "// example.com/app/total\n", "total/total.go", false),
        ("app/src/Main.java", "import com.shop.Total;\n", "app/src/com/shop/Total.java", true),
        ("app/src/Main.kt", "import com.shop.Total as T\n", "app/src/com/shop/Total.kt", true),
        ("app/src/Main.java", "import static com.shop.Total.sum;\n", "app/src/com/shop/Total.java", true),
        ("app/src/Main.java", "import com.other.Total;\n", "app/src/com/shop/Total.java", false),
        ("app/src/Main.java", "import com.shop.Totals;\n", "app/src/com/shop/Total.java", false),
        ("bin/main.rb", "require_relative '../lib/shop/total'\n", "lib/shop/total.rb", true),
        ("bin/main.rb", "require \"shop/total\"\n", "lib/shop/total.rb", true),
        ("bin/main.rb", "require 'json'\n", "lib/shop/json.rb", false),
        ("src/Main.php", "use App\\Shop\\Total;\n", "src/Shop/Total.php", true),
        ("src/Main.php", "use App\\{Cart, Total};\n", "src/Total.php", false),
        ("src/Main.php", "use App\\Total;\n", "src/Total.php", true),
        ("index.php", "require_once __DIR__ . '/inc/total.php';\n", "inc/total.php", true),
        ("src/Main.php", "use Other\\Total;\n", "src/Shop/Total.php", false),
        ("lib/main.ex", "  alias Shop.Total\n", "lib/shop/total.ex", true),
        ("lib/main.ex", "  Shop.Total.sum([])\n", "lib/shop/total.ex", true),
        ("lib/main.ex", "  alias Shop.TotalSum\n", "lib/shop/total.ex", false),
        ("lib/main.ex", "  Other.Shop.Total.sum([])\n", "lib/shop/total.ex", false),
        ("lib/main.dart", "import 'src/total.dart';\n", "lib/src/total.dart", true),
        ("test/main_test.dart", "import 'package:cart/cart.dart';\n", "packages/cart/lib/cart.dart", true),
        ("lib/main.dart", "export \"../lib/total.dart\" show sum;\n", "lib/total.dart", true),
        ("lib/src/sum.dart", "part of '../total.dart';\n", "lib/total.dart", true),
        ("lib/main.dart", "import 'package:other/total.dart';\n", "packages/cart/lib/total.dart", false),
        ("lib/main.dart", "import 'dart:math';\n", "lib/math.dart", false),
        ("src/main.cpp", "#include \"total.h\"\n", "src/total.h", true),
        ("src/main.cpp", "#include <shop/total.hpp>\n", "include/shop/total.hpp", true),
        ("src/main.cpp", "#  include \"../lib/total.h\"\n", "lib/total.h", true),
        ("src/main.cpp", "#include \"total.h\"\n", "lib/total.h", false),
        ("src/main.cpp", "#include <vector>\n", "include/vector.h", false),
    ];

    #[test]
    fn a_whole_module_has_importers_in_each_language() {
        for (path, text, module, expected) in WHOLE {
            let asking = ImportQuestion { path, module, project: "example.com/app" };
            assert_eq!(is_importer(&asking, text), *expected, "{path}: {text}");
            let named = names_of(module).iter().any(|name| has_word(text, name));
            assert!(named || !expected, "no word of {text} is one of {module}");
        }
    }

    #[test]
    fn what_takes_a_modules_place_has_an_ending_of_its_language() {
        for (path, place) in [
            ("src/total.js", "src/total/index.ts"),
            ("src/total.rs", "src/total/mod.rs"),
            ("pkg/total.py", "pkg/total/__init__.py"),
            ("src/com/shop/Total.java", "src/com/shop/Total.kt"),
            ("include/total.h", "include/total.hpp"),
        ] {
            assert!(places(path).iter().any(|it| it == place), "{path}");
        }
        assert_eq!(stem("pkg/total/sum.go"), stem("pkg/total/more.go"));
        assert!(importers_of("Total.cs").is_none() && importers_of("Total.swift").is_none());
    }
}
