//! Lists whose items count as often as they stand there.

use std::collections::HashMap;
use std::hash::Hash;

/// What of `all` is not in `known`, as often as it stands there; two items are one where their keys are equal.
pub(crate) fn beyond<T, K: Eq + Hash>(
    all: impl IntoIterator<Item = T>,
    known: impl IntoIterator<Item = K>,
    key: impl Fn(&T) -> K,
) -> Vec<T> {
    let mut left: HashMap<K, usize> = HashMap::new();
    for item in known {
        *left.entry(item).or_default() += 1;
    }
    let is_beyond = |item: &T| match left.get_mut(&key(item)).filter(|count| **count > 0) {
        Some(count) => {
            *count -= 1;
            false
        }
        None => true,
    };
    all.into_iter().filter(is_beyond).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_taken_once() {
        let all = ["a", "b", " a", "c", "b"];
        assert_eq!(beyond(all, ["b", "a", "d"], |it| it.trim()), [" a", "c", "b"]);
        assert_eq!(beyond(all, [], |it| *it), all);
    }
}
