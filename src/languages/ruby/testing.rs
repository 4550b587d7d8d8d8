//! Tests in Ruby: rspec, minitest and test-unit.
//!
//! Read by hand, block by block: the published grammar aborts the process on some here-documents. A text whose blocks
//! don't close is called broken.

use crate::languages::ruby::reader::RubyReader;
use crate::languages::ruby::token::tokens;
use crate::languages::testing::outline::{Outline, bare_lines};
use crate::languages::testing::outline_builder::DEEPEST;

/// Reads a text.
pub(crate) fn outline(source: &str) -> Outline {
    let found = tokens(source);
    let mut outline = Outline { readable: true, ..Outline::default() };
    for comment in &found.comments {
        outline.comments.extend(bare_lines(source.get(comment.clone()).unwrap_or_default()));
    }
    outline.comments.sort_unstable();
    let mut reader = RubyReader::new(source, found.list, outline);
    for at in 0..reader.tokens.len() {
        reader.take(at);
        // No test is nested so deep, hostile text is.
        if reader.frames.len() > DEEPEST {
            break;
        }
    }
    reader.finish()
}

#[cfg(test)]
mod tests {
    use crate::languages::cases::{Case, check, names};

    const SPEC: &str = "RSpec.describe Cart do\n  it 'adds' do\n    expect(add(1, 2)).to eq(3)\n  end\n\n  context 'when full' do\n    it 'drops' do\n      expect(drop(9)).to eq(8)\n    end\n  end\nend\n";
    const ONE: &str = "describe Cart do\n  it 'adds' do\n    expect(add(1, 2)).to eq(3)\n  end\nend\n";
    const UNIT: &str = "class CartTest < Minitest::Test\n  def test_adds\n    assert_equal 3, add(1, 2)\n  end\n\n  def test_drops\n    assert drop(9) == 8\n  end\nend\n";

    const CASES: &[Case] = &[
        (
            "one deleted",
            SPEC,
            "RSpec.describe Cart do\n  it 'adds' do\n    expect(add(1, 2)).to eq(3)\n  end\nend\n",
            &["Cart > when full > drops: Lost"],
        ),
        (
            "method deleted",
            UNIT,
            "class CartTest < Minitest::Test\n  def test_adds\n    assert_equal 3, add(1, 2)\n  end\nend\n",
            &["CartTest > test_drops: Lost"],
        ),
        (
            "commented out",
            ONE,
            "describe Cart do\n  # it 'adds' do\n  #   expect(add(1, 2)).to eq(3)\n  # end\nend\n",
            &["Cart > adds: CommentedOut"],
        ),
        (
            "commented out as a block",
            ONE,
            "describe Cart do\n=begin\n  it 'adds' do\n    expect(add(1, 2)).to eq(3)\n  end\n=end\nend\n",
            &["Cart > adds: CommentedOut"],
        ),
        (
            "dead branch",
            ONE,
            "describe Cart do\n  if false\n    it 'adds' do\n      expect(add(1, 2)).to eq(3)\n    end\n  end\nend\n",
            &["Cart > adds: Dead"],
        ),
        (
            "renamed",
            UNIT,
            "class CartTest < Minitest::Test\n  def _test_adds\n    assert_equal 3, add(1, 2)\n  end\n\n  def test_drops\n    assert drop(9) == 8\n  end\nend\n",
            &["CartTest > test_adds: Uncollected _test_adds"],
        ),
        (
            "made private",
            UNIT,
            "class CartTest < Minitest::Test\n  def test_adds\n    assert_equal 3, add(1, 2)\n  end\n\n  private\n\n  def test_drops\n    assert drop(9) == 8\n  end\nend\n",
            &["CartTest > test_drops: Uncollected test_drops"],
        ),
        (
            "an x",
            ONE,
            "describe Cart do\n  xit 'adds' do\n    expect(add(1, 2)).to eq(3)\n  end\nend\n",
            &["Cart > adds: Always"],
        ),
        (
            "suite with an x",
            ONE,
            "xdescribe Cart do\n  it 'adds' do\n    expect(add(1, 2)).to eq(3)\n  end\nend\n",
            &["Cart > adds: Always suite"],
        ),
        (
            "metadata",
            ONE,
            "describe Cart do\n  it 'adds', skip: 'flaky' do\n    expect(add(1, 2)).to eq(3)\n  end\nend\n",
            &["Cart > adds: Always"],
        ),
        (
            "a symbol on the suite",
            ONE,
            "describe Cart, :skip do\n  it 'adds' do\n    expect(add(1, 2)).to eq(3)\n  end\nend\n",
            &["Cart > adds: Always suite"],
        ),
        (
            "skipped by a call",
            UNIT,
            "class CartTest < Minitest::Test\n  def test_adds\n    skip 'flaky'\n    assert_equal 3, add(1, 2)\n  end\n\n  def test_drops\n    omit\n    assert drop(9) == 8\n  end\nend\n",
            &["CartTest > test_adds: Always", "CartTest > test_drops: Always"],
        ),
        (
            "set-up that skips",
            UNIT,
            "class CartTest < Minitest::Test\n  def setup\n    skip\n  end\n\n  def test_adds\n    assert_equal 3, add(1, 2)\n  end\n\n  def test_drops\n    assert drop(9) == 8\n  end\nend\n",
            &["CartTest > test_adds: Always suite", "CartTest > test_drops: Always suite"],
        ),
        (
            "left out in CI",
            UNIT,
            "class CartTest < Minitest::Test\n  def test_adds\n    return if ENV['CI']\n    assert_equal 3, add(1, 2)\n  end\n\n  def test_drops\n    if ENV['CI']\n      skip\n    end\n    assert drop(9) == 8\n  end\nend\n",
            &["CartTest > test_adds: InCi", "CartTest > test_drops: InCi"],
        ),
        (
            "focus",
            SPEC,
            "RSpec.describe Cart do\n  fit 'adds' do\n    expect(add(1, 2)).to eq(3)\n  end\n\n  context 'when full' do\n    it 'drops' do\n      expect(drop(9)).to eq(8)\n    end\n  end\nend\n",
            &["Cart > when full > drops: Unfocused"],
        ),
        (
            "trivial",
            ONE,
            "describe Cart do\n  it 'adds' do\n    expect(true).to be(true)\n  end\nend\n",
            &["Cart > adds: Trivial"],
        ),
        (
            "emptied",
            UNIT,
            "class CartTest < Minitest::Test\n  def test_adds\n  end\n\n  def test_drops\n    assert true\n  end\nend\n",
            &["CartTest > test_adds: Silent", "CartTest > test_drops: Trivial"],
        ),
        (
            "skipped where something is missing",
            ONE,
            "describe Cart do\n  it 'adds' do\n    skip 'needs zlib' unless defined?(Zlib)\n    expect(add(1, 2)).to eq(3)\n  end\nend\n",
            &["Cart > adds: Sometimes"],
        ),
        (
            "from minitest to rspec",
            UNIT,
            "RSpec.describe Cart do\n  it 'adds' do\n    expect(add(1, 2)).to eq(3)\n  end\n  it('drops') { expect(drop(9)).to eq(8) }\nend\n",
            &[],
        ),
        (
            "renamed and moved",
            SPEC,
            "describe Basket do\n  specify 'sums up' do\n    expect(add(1, 2)).to eq(3)\n  end\n  it 'takes away' do\n    expect(drop(9)).to eq(8)\n  end\nend\n",
            &[],
        ),
        (
            "merged into a loop",
            "describe A do\n  it('short') { expect(width('ab')).to eq(2) }\n  it('long') { expect(width('abcdefgh')).to eq(8) }\nend\n",
            "describe A do\n  it 'has a width' do\n    { 'ab' => 2, 'abcdefgh' => 8 }.each do |text, size|\n      expect(width(text)).to eq(size)\n    end\n  end\nend\n",
            &[],
        ),
        (
            "a method called skip",
            ONE,
            "describe Cart do\n  it 'adds' do\n    cart.skip(1)\n    expect(add(1, 2)).to eq(3)\n  end\nend\n",
            &[],
        ),
    ];

    #[test]
    fn changes_of_tests_are_told_apart() {
        check("spec/cart_spec.rb", CASES);
    }

    #[test]
    fn tests_have_stable_names() {
        let source = "module A\n  class BTest < Test::Unit::TestCase\n    def test_c = assert(x)\n    def test_d\n      y = if z then 1 else 2 end\n      while y do break end\n      text = <<~EOT\n        don't it 'e' do\n      EOT\n      assert_match(/it 'f' do/, text) if y\n    end\n    def self.test_g; end\n    test \"h i\" do\n      assert_equal %w[a b], x.map { |v| v.to_s }\n    end\n    def class_name; self.class.name; end\n  end\nend\nRSpec.describe J, type: :model do\n  let(:k) { { l: 1 } }\n  it { is_expected.to be_valid }\n  describe '#m' do\n    it('n') { expect(k).to eq(l: 1) }\n    it 'o'\n  end\nend\n__END__\nit 'p' do\nend\n";
        let expected = [
            "A > BTest > test_c",
            "A > BTest > test_d",
            "A > BTest > h i",
            "J > is_expected.to be_valid",
            "J > #m > n",
            "J > #m > o",
        ];
        assert_eq!(names("spec/a_spec.rb", source), expected);
    }
}
