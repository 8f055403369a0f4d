//! Sums of multiples of a pointer, of the turns of a loop so far, and of the blocks left; their bounds.

/// The addresses of a program's memory. Comparisons with the stack's addresses are not known.
const POINTERS: (i128, i128) = (1 << 12, 1 << 47);

/// The numbers for which a run is carried out: any turns and blocks left, of which there are at least as
/// many, and at most `most_blocks` blocks in all.
#[derive(Clone, Copy, Debug)]
pub struct Domain {
    /// Blocks of a turn.
    pub turn_blocks: u64,
    /// The fewest blocks left.
    pub fewest_left: u64,
    /// The most blocks in all.
    pub most_blocks: u64,
}

/// A sum of multiples of public numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linear {
    /// The summand that is constant.
    pub constant: i128,
    /// A pointer, and its factor: zero or one.
    pub pointer: Option<u32>,
    /// The factor of the turns so far.
    pub turns: i128,
    /// The factor of the blocks left.
    pub left: i128,
}

impl Linear {
    /// a − b, if no more than one pointer remains.
    pub fn minus(&self, b: &Self) -> Option<Self> {
        let pointer = match (self.pointer, b.pointer) {
            (a, b) if a == b => None,
            (a, None) => a,
            _ => return None,
        };
        Some(Self {
            constant: self.constant - b.constant,
            pointer,
            turns: self.turns - b.turns,
            left: self.left - b.left,
        })
    }
}

impl Domain {
    /// The least and the greatest value.
    pub fn range(&self, number: &Linear) -> (i128, i128) {
        let &Self { turn_blocks, fewest_left, most_blocks } = self;
        let (fewest, most) = (i128::from(fewest_left), i128::from(most_blocks));
        // A linear function is least and greatest at corners of the triangle of turns and blocks left.
        let most_turns = (most - fewest) / i128::from(turn_blocks);
        let corners = [(0, fewest), (0, most), (most_turns, fewest)];
        let values = corners.map(|(turns, left)| number.constant + number.turns * turns + number.left * left);
        let (least, greatest) = (values.into_iter().min(), values.into_iter().max());
        let (low, high) = number.pointer.map_or((0, 0), |_| POINTERS);
        (least.expect("a corner") + low, greatest.expect("a corner") + high)
    }
}
