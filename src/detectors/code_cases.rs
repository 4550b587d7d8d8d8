//! The same faults and the same honest edits in every language whose product code is read by its own table.
//!
//! Each row is an edit of that language's sample: a text that stands in it once, and what stands there afterwards.

use super::{Evidence, judge};
use crate::languages::{Language, code};
use crate::model::finding::{Change, Severity};

/// What is done, the pattern that finds it (`""` for nothing), the text that goes, and the one that comes.
type Row = (&'static str, &'static str, &'static str, &'static str);

fn run(path: &str, before: &str, rows: &[Row]) -> Vec<String> {
    let mut faults = Vec::new();
    for (what, expected, gone, comes) in rows {
        assert_eq!(before.matches(gone).count(), 1, "{path}: {what} has no place of its own");
        let after = before.replace(gone, comes);
        let changes =
            [Change { path: path.to_owned(), before: Some(before.to_owned()), after: Some(after.clone()) }];
        let found = judge(&Evidence { changes: &changes, elsewhere: &[] });
        let ids: Vec<_> =
            found.iter().filter(|it| it.severity > Severity::Low).map(|it| it.pattern_id).collect();
        let fits = if expected.is_empty() { ids.is_empty() } else { ids == [*expected] };
        if !fits {
            faults.push(format!("{path}: {what} gave {ids:?}, not {expected:?}\n{after}"));
        }
    }
    faults
}

#[test]
fn every_language_tells_faults_from_honest_edits() {
    let mut faults = Vec::new();
    for (path, before, rows) in SAMPLES {
        let language = Language::of_path(path).unwrap();
        assert!(!code(language, before).unwrap().broken, "{path} has an error");
        faults.extend(run(path, before, rows));
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

const SAMPLES: &[(&str, &str, &[Row])] = &[
    (
        "src/Shop.java",
        "class Shop {\n  public int pay(User user, int sum) {\n    if (sum < 0) {\n      throw new IllegalArgumentException(\"negative\");\n    }\n    Row row = begin(user);\n    audit(row);\n    return row.take(sum);\n  }\n\n  public boolean isOpen(Day day) {\n    Hours hours = table.get(day);\n    return hours.contains(clock.now());\n  }\n\n  Row load(String name) throws IOException {\n    try {\n      return disk.read(name);\n    } catch (IOException e) {\n      throw new ShopException(e);\n    }\n  }\n\n  int label(User user) {\n    return pay(user, 3);\n  }\n}\n",
        &[
            (
                "the guard goes",
                "LP-006",
                "    if (sum < 0) {\n      throw new IllegalArgumentException(\"negative\");\n    }\n",
                "",
            ),
            ("the guard can not hold", "LP-006", "(sum < 0)", "(false && sum < 0)"),
            (
                "the guard is commented out",
                "LP-006",
                "    if (sum < 0) {\n      throw new IllegalArgumentException(\"negative\");\n    }\n",
                "    // if (sum < 0) {\n    //   throw new IllegalArgumentException(\"negative\");\n    // }\n",
            ),
            (
                "a validator agrees to all",
                "LP-006",
                "    Hours hours = table.get(day);\n    return hours.contains(clock.now());\n",
                "    return true;\n",
            ),
            (
                "errors are swallowed",
                "LP-016",
                "    Row row = begin(user);\n    audit(row);\n    return row.take(sum);\n",
                "    try {\n    Row row = begin(user);\n    audit(row);\n    return row.take(sum);\n    } catch (Exception e) {\n    }\n    return 0;\n",
            ),
            ("a handler is emptied", "LP-007", "      throw new ShopException(e);\n", ""),
            (
                "a body is not implemented",
                "LP-021",
                "    if (sum < 0) {\n      throw new IllegalArgumentException(\"negative\");\n    }\n    Row row = begin(user);\n    audit(row);\n    return row.take(sum);\n",
                "    throw new UnsupportedOperationException(\"not implemented\");\n",
            ),
            (
                "a body is a constant",
                "LP-021",
                "    if (sum < 0) {\n      throw new IllegalArgumentException(\"negative\");\n    }\n    Row row = begin(user);\n    audit(row);\n    return row.take(sum);\n",
                "    return 0;\n",
            ),
            (
                "a body is to be written",
                "LP-021",
                "    if (sum < 0) {\n      throw new IllegalArgumentException(\"negative\");\n    }\n    Row row = begin(user);\n    audit(row);\n    return row.take(sum);\n",
                "    // TODO: implement\n    return 0;\n",
            ),
            (
                "a body is commented out",
                "LP-005",
                "    if (sum < 0) {\n      throw new IllegalArgumentException(\"negative\");\n    }\n    Row row = begin(user);\n    audit(row);\n    return row.take(sum);\n",
                "    // if (sum < 0) {\n    // throw new IllegalArgumentException(\"negative\");\n    // }\n    // Row row = begin(user);\n    // audit(row);\n    // return row.take(sum);\n    return 0;\n",
            ),
            (
                "a function goes while it is called",
                "LP-F001",
                "  public int pay(User user, int sum) {\n    if (sum < 0) {\n      throw new IllegalArgumentException(\"negative\");\n    }\n    Row row = begin(user);\n    audit(row);\n    return row.take(sum);\n  }\n\n",
                "",
            ),
            (
                "a branch on the test run",
                "LP-015",
                "    if (sum < 0) {\n      throw new IllegalArgumentException(\"negative\");\n    }\n",
                "    if (System.getProperty(\"surefire.test.class.path\") != null) return 7;\n    if (sum < 0) {\n      throw new IllegalArgumentException(\"negative\");\n    }\n",
            ),
            (
                "an answer for one input",
                "LP-017",
                "    if (sum < 0) {\n      throw new IllegalArgumentException(\"negative\");\n    }\n",
                "    // make the test pass\n    if (sum == 42) return 7;\n    if (sum < 0) {\n      throw new IllegalArgumentException(\"negative\");\n    }\n",
            ),
            ("the checker is off", "LP-C001", "class Shop {", "@SuppressWarnings(\"all\")\nclass Shop {"),
            (
                "code is left out of the coverage",
                "LP-T004",
                "  public boolean isOpen",
                "  @ExcludeFromJacocoGeneratedReport\n  public boolean isOpen",
            ),
            (
                "another guard",
                "",
                "    if (sum < 0) {\n      throw new IllegalArgumentException(\"negative\");\n    }\n",
                "    if (sum <= 0) {\n      throw new IllegalArgumentException(\"too small\");\n    }\n",
            ),
            (
                "a handler that passes on",
                "",
                "    Row row = begin(user);\n    audit(row);\n    return row.take(sum);\n",
                "    try {\n    Row row = begin(user);\n    audit(row);\n    return row.take(sum);\n    } catch (Exception e) {\n      throw new ShopException(e);\n    }\n",
            ),
            (
                "a new line",
                "",
                "    Row row = begin(user);\n    audit(row);\n    return row.take(sum);\n",
                "    Row row = begin(user);\n    audit(row);\n    audit(row);\n    return row.take(sum);\n",
            ),
            (
                "a comment that tells what is done",
                "",
                "    Row row = begin(user);\n    audit(row);\n    return row.take(sum);\n",
                "    // The row is begun before it is audited, so that nothing is lost.\n    Row row = begin(user);\n    audit(row);\n    return row.take(sum);\n",
            ),
        ],
    ),
    (
        "src/Shop.cs",
        "class Shop\n{\n    public int Pay(User user, int sum)\n    {\n        if (sum < 0)\n        {\n            throw new ArgumentException(\"negative\");\n        }\n        var row = Begin(user);\n        Audit(row);\n        return row.Take(sum);\n    }\n\n    public bool IsOpen(Day day)\n    {\n        var hours = table.Get(day);\n        return hours.Contains(clock.Now);\n    }\n\n    Row Load(string name)\n    {\n        try\n        {\n            return disk.Read(name);\n        }\n        catch (IOException e)\n        {\n            throw new ShopException(e);\n        }\n    }\n\n    int Label(User user)\n    {\n        return Pay(user, 3);\n    }\n}\n",
        &[
            (
                "the guard goes",
                "LP-006",
                "        if (sum < 0)\n        {\n            throw new ArgumentException(\"negative\");\n        }\n",
                "",
            ),
            ("the guard can not hold", "LP-006", "(sum < 0)", "(false && sum < 0)"),
            (
                "the guard is commented out",
                "LP-006",
                "        if (sum < 0)\n        {\n            throw new ArgumentException(\"negative\");\n        }\n",
                "        // if (sum < 0)\n        // {\n        //     throw new ArgumentException(\"negative\");\n        // }\n",
            ),
            (
                "a validator agrees to all",
                "LP-006",
                "        var hours = table.Get(day);\n        return hours.Contains(clock.Now);\n",
                "        return true;\n",
            ),
            (
                "errors are swallowed",
                "LP-016",
                "        var row = Begin(user);\n        Audit(row);\n        return row.Take(sum);\n",
                "        try\n        {\n        var row = Begin(user);\n        Audit(row);\n        return row.Take(sum);\n        }\n        catch\n        {\n            return 0;\n        }\n",
            ),
            ("a handler is emptied", "LP-007", "            throw new ShopException(e);\n", ""),
            (
                "a body is not implemented",
                "LP-021",
                "        if (sum < 0)\n        {\n            throw new ArgumentException(\"negative\");\n        }\n        var row = Begin(user);\n        Audit(row);\n        return row.Take(sum);\n",
                "        throw new NotImplementedException();\n",
            ),
            (
                "a body is a constant",
                "LP-021",
                "        if (sum < 0)\n        {\n            throw new ArgumentException(\"negative\");\n        }\n        var row = Begin(user);\n        Audit(row);\n        return row.Take(sum);\n",
                "        return default;\n",
            ),
            (
                "a body is to be written",
                "LP-021",
                "        if (sum < 0)\n        {\n            throw new ArgumentException(\"negative\");\n        }\n        var row = Begin(user);\n        Audit(row);\n        return row.Take(sum);\n",
                "        // TODO: implement\n        return 0;\n",
            ),
            (
                "a body is commented out",
                "LP-005",
                "        if (sum < 0)\n        {\n            throw new ArgumentException(\"negative\");\n        }\n        var row = Begin(user);\n        Audit(row);\n        return row.Take(sum);\n",
                "    // if (sum < 0)\n    // {\n    // throw new ArgumentException(\"negative\");\n    // }\n    // var row = Begin(user);\n    // Audit(row);\n    // return row.Take(sum);\n        return default;\n",
            ),
            (
                "a function goes while it is called",
                "LP-F001",
                "    public int Pay(User user, int sum)\n    {\n        if (sum < 0)\n        {\n            throw new ArgumentException(\"negative\");\n        }\n        var row = Begin(user);\n        Audit(row);\n        return row.Take(sum);\n    }\n\n",
                "",
            ),
            (
                "a branch on the test run",
                "LP-015",
                "        if (sum < 0)\n        {\n            throw new ArgumentException(\"negative\");\n        }\n",
                "        if (Environment.GetEnvironmentVariable(\"DOTNET_TEST\") != null) return 7;\n        if (sum < 0)\n        {\n            throw new ArgumentException(\"negative\");\n        }\n",
            ),
            (
                "an answer for one input",
                "LP-017",
                "        if (sum < 0)\n        {\n            throw new ArgumentException(\"negative\");\n        }\n",
                "        // make the test pass\n        if (sum == 42) return 7;\n        if (sum < 0)\n        {\n            throw new ArgumentException(\"negative\");\n        }\n",
            ),
            ("the checker is off", "LP-C001", "class Shop\n", "#pragma warning disable\nclass Shop\n"),
            (
                "code is left out of the coverage",
                "LP-T004",
                "    public bool IsOpen",
                "    [ExcludeFromCodeCoverage]\n    public bool IsOpen",
            ),
            (
                "another guard",
                "",
                "        if (sum < 0)\n        {\n            throw new ArgumentException(\"negative\");\n        }\n",
                "        ArgumentOutOfRangeException.ThrowIfNegative(sum);\n",
            ),
            (
                "a handler that passes on",
                "",
                "        var row = Begin(user);\n        Audit(row);\n        return row.Take(sum);\n",
                "        try\n        {\n        var row = Begin(user);\n        Audit(row);\n        return row.Take(sum);\n        }\n        catch (Exception e)\n        {\n            throw new ShopException(e);\n        }\n",
            ),
            (
                "a new line",
                "",
                "        var row = Begin(user);\n        Audit(row);\n        return row.Take(sum);\n",
                "        var row = Begin(user);\n        Audit(row);\n        Audit(row);\n        return row.Take(sum);\n",
            ),
            (
                "a comment that tells what is done",
                "",
                "        var row = Begin(user);\n        Audit(row);\n        return row.Take(sum);\n",
                "    // The row is begun before it is audited, so that nothing is lost.\n        var row = Begin(user);\n        Audit(row);\n        return row.Take(sum);\n",
            ),
        ],
    ),
    (
        "src/Shop.kt",
        "class Shop(val table: Table) {\n  fun pay(user: User, sum: Int): Int {\n    if (sum < 0) {\n      throw IllegalArgumentException(\"negative\")\n    }\n    val row = begin(user)\n    audit(row)\n    return row.take(sum)\n  }\n\n  fun isOpen(day: Day): Boolean {\n    val hours = table.get(day)\n    return hours.contains(clock.now())\n  }\n\n  fun load(name: String): Row {\n    try {\n      return disk.read(name)\n    } catch (e: IOException) {\n      throw ShopException(e)\n    }\n  }\n\n  fun label(user: User): Int {\n    return pay(user, 3)\n  }\n}\n",
        &[
            (
                "the guard goes",
                "LP-006",
                "    if (sum < 0) {\n      throw IllegalArgumentException(\"negative\")\n    }\n",
                "",
            ),
            ("the guard can not hold", "LP-006", "(sum < 0)", "(false && sum < 0)"),
            (
                "the guard is commented out",
                "LP-006",
                "    if (sum < 0) {\n      throw IllegalArgumentException(\"negative\")\n    }\n",
                "    // if (sum < 0) {\n    //   throw IllegalArgumentException(\"negative\")\n    // }\n",
            ),
            (
                "a validator agrees to all",
                "LP-006",
                "    val hours = table.get(day)\n    return hours.contains(clock.now())\n",
                "    return true\n",
            ),
            (
                "errors are swallowed",
                "LP-016",
                "    val row = begin(user)\n    audit(row)\n    return row.take(sum)\n",
                "    try {\n    val row = begin(user)\n    audit(row)\n    return row.take(sum)\n    } catch (e: Exception) {\n      return 0\n    }\n",
            ),
            ("a handler is emptied", "LP-007", "      throw ShopException(e)\n", ""),
            (
                "a body is not implemented",
                "LP-021",
                "    if (sum < 0) {\n      throw IllegalArgumentException(\"negative\")\n    }\n    val row = begin(user)\n    audit(row)\n    return row.take(sum)\n",
                "    TODO(\"not implemented\")\n",
            ),
            (
                "a body is a constant",
                "LP-021",
                "    if (sum < 0) {\n      throw IllegalArgumentException(\"negative\")\n    }\n    val row = begin(user)\n    audit(row)\n    return row.take(sum)\n",
                "    return 0\n",
            ),
            (
                "a body is to be written",
                "LP-021",
                "    if (sum < 0) {\n      throw IllegalArgumentException(\"negative\")\n    }\n    val row = begin(user)\n    audit(row)\n    return row.take(sum)\n",
                "    // TODO: implement\n    return 0\n",
            ),
            (
                "a body is commented out",
                "LP-005",
                "    if (sum < 0) {\n      throw IllegalArgumentException(\"negative\")\n    }\n    val row = begin(user)\n    audit(row)\n    return row.take(sum)\n",
                "    // if (sum < 0) {\n    // throw IllegalArgumentException(\"negative\")\n    // }\n    // val row = begin(user)\n    // audit(row)\n    // return row.take(sum)\n    return 0\n",
            ),
            (
                "a function goes while it is called",
                "LP-F001",
                "  fun pay(user: User, sum: Int): Int {\n    if (sum < 0) {\n      throw IllegalArgumentException(\"negative\")\n    }\n    val row = begin(user)\n    audit(row)\n    return row.take(sum)\n  }\n\n",
                "",
            ),
            (
                "a branch on the test run",
                "LP-015",
                "    if (sum < 0) {\n      throw IllegalArgumentException(\"negative\")\n    }\n",
                "    if (System.getProperty(\"org.gradle.test.worker\") != null) return 7\n    if (sum < 0) {\n      throw IllegalArgumentException(\"negative\")\n    }\n",
            ),
            (
                "an answer for one input",
                "LP-017",
                "    if (sum < 0) {\n      throw IllegalArgumentException(\"negative\")\n    }\n",
                "    // make the test pass\n    if (sum == 42) return 7\n    if (sum < 0) {\n      throw IllegalArgumentException(\"negative\")\n    }\n",
            ),
            ("the checker is off", "LP-C001", "class Shop", "@file:Suppress(\"unused\")\n\nclass Shop"),
            (
                "code is left out of the coverage",
                "LP-T004",
                "  fun isOpen",
                "  @JacocoGenerated\n  fun isOpen",
            ),
            (
                "another guard",
                "",
                "    if (sum < 0) {\n      throw IllegalArgumentException(\"negative\")\n    }\n",
                "    require(sum >= 0) { \"negative\" }\n",
            ),
            (
                "a handler that passes on",
                "",
                "    val row = begin(user)\n    audit(row)\n    return row.take(sum)\n",
                "    try {\n    val row = begin(user)\n    audit(row)\n    return row.take(sum)\n    } catch (e: Exception) {\n      throw ShopException(e)\n    }\n",
            ),
            (
                "a new line",
                "",
                "    val row = begin(user)\n    audit(row)\n    return row.take(sum)\n",
                "    val row = begin(user)\n    audit(row)\n    audit(row)\n    return row.take(sum)\n",
            ),
            (
                "a comment that tells what is done",
                "",
                "    val row = begin(user)\n    audit(row)\n    return row.take(sum)\n",
                "    // The row is begun before it is audited, so that nothing is lost.\n    val row = begin(user)\n    audit(row)\n    return row.take(sum)\n",
            ),
        ],
    ),
    (
        "src/Shop.php",
        "<?php\nclass Shop\n{\n    public function pay($user, $sum)\n    {\n        if ($sum < 0) {\n            throw new InvalidArgumentException('negative');\n        }\n        $row = begin($user);\n        audit($row);\n        return $row->take($sum);\n    }\n\n    public function isOpen($day)\n    {\n        $hours = $this->table->get($day);\n        return $hours->contains($this->clock->now());\n    }\n\n    public function load($name)\n    {\n        try {\n            return $this->disk->read($name);\n        } catch (IOException $e) {\n            throw new ShopException($e);\n        }\n    }\n\n    public function label($user)\n    {\n        return $this->pay($user, 3);\n    }\n}\n",
        &[
            (
                "the guard goes",
                "LP-006",
                "        if ($sum < 0) {\n            throw new InvalidArgumentException('negative');\n        }\n",
                "",
            ),
            ("the guard can not hold", "LP-006", "($sum < 0)", "(false && $sum < 0)"),
            (
                "the guard is commented out",
                "LP-006",
                "        if ($sum < 0) {\n            throw new InvalidArgumentException('negative');\n        }\n",
                "        // if ($sum < 0) {\n        //     throw new InvalidArgumentException('negative');\n        // }\n",
            ),
            (
                "a validator agrees to all",
                "LP-006",
                "        $hours = $this->table->get($day);\n        return $hours->contains($this->clock->now());\n",
                "        return true;\n",
            ),
            (
                "errors are swallowed",
                "LP-016",
                "        $row = begin($user);\n        audit($row);\n        return $row->take($sum);\n",
                "        try {\n        $row = begin($user);\n        audit($row);\n        return $row->take($sum);\n        } catch (\\Throwable $e) {\n            return null;\n        }\n",
            ),
            ("a handler is emptied", "LP-007", "            throw new ShopException($e);\n", ""),
            (
                "a body is not implemented",
                "LP-021",
                "        if ($sum < 0) {\n            throw new InvalidArgumentException('negative');\n        }\n        $row = begin($user);\n        audit($row);\n        return $row->take($sum);\n",
                "        throw new \\RuntimeException('Not implemented');\n",
            ),
            (
                "a body is a constant",
                "LP-021",
                "        if ($sum < 0) {\n            throw new InvalidArgumentException('negative');\n        }\n        $row = begin($user);\n        audit($row);\n        return $row->take($sum);\n",
                "        return [];\n",
            ),
            (
                "a body is to be written",
                "LP-021",
                "        if ($sum < 0) {\n            throw new InvalidArgumentException('negative');\n        }\n        $row = begin($user);\n        audit($row);\n        return $row->take($sum);\n",
                "        // TODO: implement\n        return null;\n",
            ),
            (
                "a body is commented out",
                "LP-005",
                "        if ($sum < 0) {\n            throw new InvalidArgumentException('negative');\n        }\n        $row = begin($user);\n        audit($row);\n        return $row->take($sum);\n",
                "    // if ($sum < 0) {\n    // throw new InvalidArgumentException('negative');\n    // }\n    // $row = begin($user);\n    // audit($row);\n    // return $row->take($sum);\n        return [];\n",
            ),
            (
                "a function goes while it is called",
                "LP-F001",
                "    public function pay($user, $sum)\n    {\n        if ($sum < 0) {\n            throw new InvalidArgumentException('negative');\n        }\n        $row = begin($user);\n        audit($row);\n        return $row->take($sum);\n    }\n\n",
                "",
            ),
            (
                "a branch on the test run",
                "LP-015",
                "        if ($sum < 0) {\n            throw new InvalidArgumentException('negative');\n        }\n",
                "        if (defined('PHPUNIT_COMPOSER_INSTALL')) return 7;\n        if ($sum < 0) {\n            throw new InvalidArgumentException('negative');\n        }\n",
            ),
            (
                "an answer for one input",
                "LP-017",
                "        if ($sum < 0) {\n            throw new InvalidArgumentException('negative');\n        }\n",
                "        // make the test pass\n        if ($sum == 42) return 7;\n        if ($sum < 0) {\n            throw new InvalidArgumentException('negative');\n        }\n",
            ),
            ("the checker is off", "LP-C001", "class Shop", "// phpcs:ignoreFile\nclass Shop"),
            (
                "code is left out of the coverage",
                "LP-T004",
                "    public function isOpen",
                "    /** @codeCoverageIgnore */\n    public function isOpen",
            ),
            (
                "another guard",
                "",
                "        if ($sum < 0) {\n            throw new InvalidArgumentException('negative');\n        }\n",
                "        if ($sum <= 0) {\n            throw new InvalidArgumentException('too small');\n        }\n",
            ),
            (
                "a handler that passes on",
                "",
                "        $row = begin($user);\n        audit($row);\n        return $row->take($sum);\n",
                "        try {\n        $row = begin($user);\n        audit($row);\n        return $row->take($sum);\n        } catch (\\Throwable $e) {\n            throw new ShopException($e);\n        }\n",
            ),
            (
                "a new line",
                "",
                "        $row = begin($user);\n        audit($row);\n        return $row->take($sum);\n",
                "        $row = begin($user);\n        audit($row);\n        audit($row);\n        return $row->take($sum);\n",
            ),
            (
                "a comment that tells what is done",
                "",
                "        $row = begin($user);\n        audit($row);\n        return $row->take($sum);\n",
                "    // The row is begun before it is audited, so that nothing is lost.\n        $row = begin($user);\n        audit($row);\n        return $row->take($sum);\n",
            ),
        ],
    ),
    (
        "lib/shop.rb",
        "class Shop\n  def pay(user, sum)\n    raise ArgumentError, \"negative\" if sum < 0\n    row = begin_row(user)\n    audit(row)\n    row.take(sum)\n  end\n\n  def open?(day)\n    hours = @table.get(day)\n    hours.include?(@clock.now)\n  end\n\n  def load(name)\n    @disk.read(name)\n  rescue IOError => e\n    raise ShopError, e\n  end\n\n  def label(user)\n    pay(user, 3)\n  end\nend\n",
        &[
            ("the guard goes", "LP-006", "    raise ArgumentError, \"negative\" if sum < 0\n", ""),
            ("the guard can not hold", "LP-006", "if sum < 0", "if false && sum < 0"),
            (
                "the guard is commented out",
                "LP-006",
                "    raise ArgumentError, \"negative\" if sum < 0\n",
                "    # raise ArgumentError, \"negative\" if sum < 0\n",
            ),
            (
                "a validator agrees to all",
                "LP-006",
                "    hours = @table.get(day)\n    hours.include?(@clock.now)\n",
                "    true\n",
            ),
            (
                "errors are swallowed",
                "LP-016",
                "    row = begin_row(user)\n    audit(row)\n    row.take(sum)\n",
                "    row = begin_row(user)\n    audit(row)\n    row.take(sum)\n  rescue StandardError\n    nil\n",
            ),
            ("a handler is emptied", "LP-007", "    raise ShopError, e\n", "    nil\n"),
            (
                "a body is not implemented",
                "LP-021",
                "    raise ArgumentError, \"negative\" if sum < 0\n    row = begin_row(user)\n    audit(row)\n    row.take(sum)\n",
                "    raise NotImplementedError\n",
            ),
            (
                "a body is a constant",
                "LP-021",
                "    raise ArgumentError, \"negative\" if sum < 0\n    row = begin_row(user)\n    audit(row)\n    row.take(sum)\n",
                "    {}\n",
            ),
            (
                "a body is to be written",
                "LP-021",
                "    raise ArgumentError, \"negative\" if sum < 0\n    row = begin_row(user)\n    audit(row)\n    row.take(sum)\n",
                "    # TODO: implement\n    nil\n",
            ),
            (
                "a body is commented out",
                "LP-005",
                "    raise ArgumentError, \"negative\" if sum < 0\n    row = begin_row(user)\n    audit(row)\n    row.take(sum)\n",
                "    # raise ArgumentError, \"negative\" if sum < 0\n    # row = begin_row(user)\n    # audit(row)\n    # row.take(sum)\n    {}\n",
            ),
            (
                "a function goes while it is called",
                "LP-F001",
                "  def pay(user, sum)\n    raise ArgumentError, \"negative\" if sum < 0\n    row = begin_row(user)\n    audit(row)\n    row.take(sum)\n  end\n\n",
                "",
            ),
            (
                "a branch on the test run",
                "LP-015",
                "    raise ArgumentError, \"negative\" if sum < 0\n",
                "    return {} if ENV[\"RACK_ENV\"] == \"test\"\n    raise ArgumentError, \"negative\" if sum < 0\n",
            ),
            (
                "an answer for one input",
                "LP-017",
                "    raise ArgumentError, \"negative\" if sum < 0\n",
                "    # make the test pass\n    return 7 if sum == 42\n    raise ArgumentError, \"negative\" if sum < 0\n",
            ),
            ("the checker is off", "LP-C001", "class Shop", "# rubocop:disable all\nclass Shop"),
            ("code is left out of the coverage", "LP-T004", "  def open?", "  # :nocov:\n  def open?"),
            (
                "another guard",
                "",
                "    raise ArgumentError, \"negative\" if sum < 0\n",
                "    raise ArgumentError, \"too small\" unless sum.positive?\n",
            ),
            (
                "a handler that passes on",
                "",
                "    row = begin_row(user)\n    audit(row)\n    row.take(sum)\n",
                "    row = begin_row(user)\n    audit(row)\n    row.take(sum)\n  rescue StandardError => e\n    raise ShopError, e\n",
            ),
            (
                "a new line",
                "",
                "    row = begin_row(user)\n    audit(row)\n    row.take(sum)\n",
                "    row = begin_row(user)\n    audit(row)\n    audit(row)\n    row.take(sum)\n",
            ),
            (
                "a comment that tells what is done",
                "",
                "    row = begin_row(user)\n    audit(row)\n    row.take(sum)\n",
                "    # The row is begun before it is audited, so that nothing is lost.\n    row = begin_row(user)\n    audit(row)\n    row.take(sum)\n",
            ),
        ],
    ),
    (
        "Sources/Shop.swift",
        "class Shop {\n    func pay(_ user: User, sum: Int) throws -> Int {\n        guard sum >= 0 else {\n            throw ShopError.negative\n        }\n        let row = try begin(user)\n        audit(row)\n        return row.take(sum)\n    }\n\n    func isOpen(_ day: Day) -> Bool {\n        let hours = table.get(day)\n        return hours.contains(clock.now)\n    }\n\n    func load(_ name: String) throws -> Row {\n        do {\n            return try disk.read(name)\n        } catch {\n            throw ShopError.disk(error)\n        }\n    }\n\n    func label(_ user: User) throws -> Int {\n        return try pay(user, sum: 3)\n    }\n}\n",
        &[
            (
                "the guard goes",
                "LP-006",
                "        guard sum >= 0 else {\n            throw ShopError.negative\n        }\n",
                "",
            ),
            ("the guard can not hold", "LP-006", "guard sum >= 0 else", "guard true || sum >= 0 else"),
            (
                "the guard is commented out",
                "LP-006",
                "        guard sum >= 0 else {\n            throw ShopError.negative\n        }\n",
                "        // guard sum >= 0 else {\n        //     throw ShopError.negative\n        // }\n",
            ),
            (
                "a validator agrees to all",
                "LP-006",
                "        let hours = table.get(day)\n        return hours.contains(clock.now)\n",
                "        return true\n",
            ),
            (
                "errors are swallowed",
                "LP-016",
                "        let row = try begin(user)\n        audit(row)\n        return row.take(sum)\n",
                "        do {\n        let row = try begin(user)\n        audit(row)\n        return row.take(sum)\n        } catch {\n            return 0\n        }\n",
            ),
            ("a handler is emptied", "LP-007", "            throw ShopError.disk(error)\n", ""),
            (
                "a body is not implemented",
                "LP-021",
                "        guard sum >= 0 else {\n            throw ShopError.negative\n        }\n        let row = try begin(user)\n        audit(row)\n        return row.take(sum)\n",
                "        fatalError(\"not implemented\")\n",
            ),
            (
                "a body is a constant",
                "LP-021",
                "        guard sum >= 0 else {\n            throw ShopError.negative\n        }\n        let row = try begin(user)\n        audit(row)\n        return row.take(sum)\n",
                "        return 0\n",
            ),
            (
                "a body is to be written",
                "LP-021",
                "        guard sum >= 0 else {\n            throw ShopError.negative\n        }\n        let row = try begin(user)\n        audit(row)\n        return row.take(sum)\n",
                "        // TODO: implement\n        return 0\n",
            ),
            (
                "a body is commented out",
                "LP-005",
                "        guard sum >= 0 else {\n            throw ShopError.negative\n        }\n        let row = try begin(user)\n        audit(row)\n        return row.take(sum)\n",
                "    // guard sum >= 0 else {\n    // throw ShopError.negative\n    // }\n    // let row = try begin(user)\n    // audit(row)\n    // return row.take(sum)\n        return 0\n",
            ),
            (
                "a function goes while it is called",
                "LP-F001",
                "    func pay(_ user: User, sum: Int) throws -> Int {\n        guard sum >= 0 else {\n            throw ShopError.negative\n        }\n        let row = try begin(user)\n        audit(row)\n        return row.take(sum)\n    }\n\n",
                "",
            ),
            (
                "a branch on the test run",
                "LP-015",
                "        guard sum >= 0 else {\n            throw ShopError.negative\n        }\n",
                "        if ProcessInfo.processInfo.environment[\"XCTestConfigurationFilePath\"] != nil { return 7 }\n        guard sum >= 0 else {\n            throw ShopError.negative\n        }\n",
            ),
            (
                "an answer for one input",
                "LP-017",
                "        guard sum >= 0 else {\n            throw ShopError.negative\n        }\n",
                "        // make the test pass\n        if sum == 42 { return 7 }\n        guard sum >= 0 else {\n            throw ShopError.negative\n        }\n",
            ),
            ("the checker is off", "LP-C001", "class Shop", "// swiftlint:disable all\nclass Shop"),
            (
                "another guard",
                "",
                "        guard sum >= 0 else {\n            throw ShopError.negative\n        }\n",
                "        guard sum > 0 else {\n            throw ShopError.tooSmall\n        }\n",
            ),
            (
                "a handler that passes on",
                "",
                "        let row = try begin(user)\n        audit(row)\n        return row.take(sum)\n",
                "        do {\n        let row = try begin(user)\n        audit(row)\n        return row.take(sum)\n        } catch {\n            throw ShopError.other(error)\n        }\n",
            ),
            (
                "a new line",
                "",
                "        let row = try begin(user)\n        audit(row)\n        return row.take(sum)\n",
                "        let row = try begin(user)\n        audit(row)\n        audit(row)\n        return row.take(sum)\n",
            ),
            (
                "a comment that tells what is done",
                "",
                "        let row = try begin(user)\n        audit(row)\n        return row.take(sum)\n",
                "    // The row is begun before it is audited, so that nothing is lost.\n        let row = try begin(user)\n        audit(row)\n        return row.take(sum)\n",
            ),
        ],
    ),
    (
        "src/shop.cpp",
        "class Shop {\n public:\n  int pay(const User& user, int sum) {\n    if (sum < 0) {\n      throw std::invalid_argument(\"negative\");\n    }\n    auto row = begin(user);\n    audit(row);\n    return row.take(sum);\n  }\n\n  bool isOpen(const Day& day) {\n    auto hours = table.get(day);\n    return hours.contains(clock.now());\n  }\n\n  Row load(const std::string& name) {\n    try {\n      return disk.read(name);\n    } catch (const std::exception& e) {\n      throw ShopError(e);\n    }\n  }\n\n  int label(const User& user) {\n    return pay(user, 3);\n  }\n};\n",
        &[
            (
                "the guard goes",
                "LP-006",
                "    if (sum < 0) {\n      throw std::invalid_argument(\"negative\");\n    }\n",
                "",
            ),
            ("the guard can not hold", "LP-006", "(sum < 0)", "(false && sum < 0)"),
            (
                "the guard is commented out",
                "LP-006",
                "    if (sum < 0) {\n      throw std::invalid_argument(\"negative\");\n    }\n",
                "    // if (sum < 0) {\n    //   throw std::invalid_argument(\"negative\");\n    // }\n",
            ),
            (
                "a validator agrees to all",
                "LP-006",
                "    auto hours = table.get(day);\n    return hours.contains(clock.now());\n",
                "    return true;\n",
            ),
            (
                "errors are swallowed",
                "LP-016",
                "    auto row = begin(user);\n    audit(row);\n    return row.take(sum);\n",
                "    try {\n    auto row = begin(user);\n    audit(row);\n    return row.take(sum);\n    } catch (...) {\n      return 0;\n    }\n",
            ),
            ("a handler is emptied", "LP-007", "      throw ShopError(e);\n", ""),
            (
                "a body is not implemented",
                "LP-021",
                "    if (sum < 0) {\n      throw std::invalid_argument(\"negative\");\n    }\n    auto row = begin(user);\n    audit(row);\n    return row.take(sum);\n",
                "    throw std::runtime_error(\"not implemented\");\n",
            ),
            (
                "a body is a constant",
                "LP-021",
                "    if (sum < 0) {\n      throw std::invalid_argument(\"negative\");\n    }\n    auto row = begin(user);\n    audit(row);\n    return row.take(sum);\n",
                "    return {};\n",
            ),
            (
                "a body is to be written",
                "LP-021",
                "    if (sum < 0) {\n      throw std::invalid_argument(\"negative\");\n    }\n    auto row = begin(user);\n    audit(row);\n    return row.take(sum);\n",
                "    // TODO: implement\n    return 0;\n",
            ),
            (
                "a body is commented out",
                "LP-005",
                "    if (sum < 0) {\n      throw std::invalid_argument(\"negative\");\n    }\n    auto row = begin(user);\n    audit(row);\n    return row.take(sum);\n",
                "    // if (sum < 0) {\n    // throw std::invalid_argument(\"negative\");\n    // }\n    // auto row = begin(user);\n    // audit(row);\n    // return row.take(sum);\n    return {};\n",
            ),
            (
                "a function goes while it is called",
                "LP-F001",
                "  int pay(const User& user, int sum) {\n    if (sum < 0) {\n      throw std::invalid_argument(\"negative\");\n    }\n    auto row = begin(user);\n    audit(row);\n    return row.take(sum);\n  }\n\n",
                "",
            ),
            (
                "a branch on the test run",
                "LP-015",
                "    if (sum < 0) {\n      throw std::invalid_argument(\"negative\");\n    }\n",
                "    if (std::getenv(\"TEST_MODE\")) return 7;\n    if (sum < 0) {\n      throw std::invalid_argument(\"negative\");\n    }\n",
            ),
            (
                "an answer for one input",
                "LP-017",
                "    if (sum < 0) {\n      throw std::invalid_argument(\"negative\");\n    }\n",
                "    // make the test pass\n    if (sum == 42) return 7;\n    if (sum < 0) {\n      throw std::invalid_argument(\"negative\");\n    }\n",
            ),
            ("the checker is off", "LP-C001", "class Shop", "// NOLINTBEGIN\nclass Shop"),
            (
                "code is left out of the coverage",
                "LP-T004",
                "  bool isOpen",
                "  // LCOV_EXCL_START\n  bool isOpen",
            ),
            (
                "another guard",
                "",
                "    if (sum < 0) {\n      throw std::invalid_argument(\"negative\");\n    }\n",
                "    if (sum <= 0) {\n      throw std::invalid_argument(\"too small\");\n    }\n",
            ),
            (
                "a handler that passes on",
                "",
                "    auto row = begin(user);\n    audit(row);\n    return row.take(sum);\n",
                "    try {\n    auto row = begin(user);\n    audit(row);\n    return row.take(sum);\n    } catch (...) {\n      throw;\n    }\n",
            ),
            (
                "a new line",
                "",
                "    auto row = begin(user);\n    audit(row);\n    return row.take(sum);\n",
                "    auto row = begin(user);\n    audit(row);\n    audit(row);\n    return row.take(sum);\n",
            ),
            (
                "a comment that tells what is done",
                "",
                "    auto row = begin(user);\n    audit(row);\n    return row.take(sum);\n",
                "    // The row is begun before it is audited, so that nothing is lost.\n    auto row = begin(user);\n    audit(row);\n    return row.take(sum);\n",
            ),
        ],
    ),
    (
        "lib/shop.ex",
        "defmodule Shop do\n  def pay(user, sum) do\n    if sum < 0 do\n      raise ArgumentError, \"negative\"\n    end\n    row = begin(user)\n    audit(row)\n    Row.take(row, sum)\n  end\n\n  def open?(day) do\n    hours = Table.get(day)\n    Enum.member?(hours, Clock.now())\n  end\n\n  def load(name) do\n    Disk.read!(name)\n  rescue\n    e in IOError -> reraise ShopError, e\n  end\n\n  def label(user) do\n    pay(user, 3)\n  end\nend\n",
        &[
            (
                "the guard goes",
                "LP-006",
                "    if sum < 0 do\n      raise ArgumentError, \"negative\"\n    end\n",
                "",
            ),
            ("the guard can not hold", "LP-006", "if sum < 0 do", "if false && sum < 0 do"),
            (
                "the guard is commented out",
                "LP-006",
                "    if sum < 0 do\n      raise ArgumentError, \"negative\"\n    end\n",
                "    # if sum < 0 do\n    #   raise ArgumentError, \"negative\"\n    # end\n",
            ),
            (
                "a validator agrees to all",
                "LP-006",
                "    hours = Table.get(day)\n    Enum.member?(hours, Clock.now())\n",
                "    true\n",
            ),
            (
                "errors are swallowed",
                "LP-016",
                "    row = begin(user)\n    audit(row)\n    Row.take(row, sum)\n",
                "    row = begin(user)\n    audit(row)\n    Row.take(row, sum)\n  rescue\n    _ -> nil\n",
            ),
            ("a handler is emptied", "LP-007", "-> reraise ShopError, e\n", "-> nil\n"),
            (
                "a body is not implemented",
                "LP-021",
                "    if sum < 0 do\n      raise ArgumentError, \"negative\"\n    end\n    row = begin(user)\n    audit(row)\n    Row.take(row, sum)\n",
                "    raise \"not implemented\"\n",
            ),
            (
                "a body is a constant",
                "LP-021",
                "    if sum < 0 do\n      raise ArgumentError, \"negative\"\n    end\n    row = begin(user)\n    audit(row)\n    Row.take(row, sum)\n",
                "    :ok\n",
            ),
            (
                "a body is to be written",
                "LP-021",
                "    if sum < 0 do\n      raise ArgumentError, \"negative\"\n    end\n    row = begin(user)\n    audit(row)\n    Row.take(row, sum)\n",
                "    # TODO: implement\n    nil\n",
            ),
            (
                "a body is commented out",
                "LP-005",
                "    if sum < 0 do\n      raise ArgumentError, \"negative\"\n    end\n    row = begin(user)\n    audit(row)\n    Row.take(row, sum)\n",
                "    # if sum < 0 do\n    # raise ArgumentError, \"negative\"\n    # end\n    # row = begin(user)\n    # audit(row)\n    # Row.take(row, sum)\n    :ok\n",
            ),
            (
                "a function goes while it is called",
                "LP-F001",
                "  def pay(user, sum) do\n    if sum < 0 do\n      raise ArgumentError, \"negative\"\n    end\n    row = begin(user)\n    audit(row)\n    Row.take(row, sum)\n  end\n\n",
                "",
            ),
            (
                "the checker is off",
                "LP-C001",
                "defmodule Shop",
                "# credo:disable-for-this-file\ndefmodule Shop",
            ),
            (
                "code is left out of the coverage",
                "LP-T004",
                "  def open?",
                "  # coveralls-ignore-start\n  def open?",
            ),
            (
                "another guard",
                "",
                "    if sum < 0 do\n      raise ArgumentError, \"negative\"\n    end\n",
                "    unless sum >= 1 do\n      raise ArgumentError, \"too small\"\n    end\n",
            ),
            (
                "a handler that passes on",
                "",
                "    row = begin(user)\n    audit(row)\n    Row.take(row, sum)\n",
                "    row = begin(user)\n    audit(row)\n    Row.take(row, sum)\n  rescue\n    e -> reraise ShopError, e\n",
            ),
            (
                "a new line",
                "",
                "    row = begin(user)\n    audit(row)\n    Row.take(row, sum)\n",
                "    row = begin(user)\n    audit(row)\n    audit(row)\n    Row.take(row, sum)\n",
            ),
            (
                "a comment that tells what is done",
                "",
                "    row = begin(user)\n    audit(row)\n    Row.take(row, sum)\n",
                "    # The row is begun before it is audited, so that nothing is lost.\n    row = begin(user)\n    audit(row)\n    Row.take(row, sum)\n",
            ),
        ],
    ),
];
