//! Numbers by chance, the same for the same seed.

pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn of(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    pub(super) fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }

    pub(super) fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    pub(super) fn content(&mut self) -> Vec<u8> {
        let length = [0, 1, 40, 5_000][self.below(4)];
        let text = self.percent(60);
        (0..length)
            .map(|_| if text { b"0123456789\n"[self.below(11)] } else { self.below(256) as u8 })
            .collect()
    }
}
