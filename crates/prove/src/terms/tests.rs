use super::*;

fn words<const N: usize>(terms: &mut Terms, width: u8) -> [Term; N] {
    core::array::from_fn(|i| terms.free(width, "word", i, 0))
}

#[test]
fn ways_to_write_ch_and_maj_are_one_term() {
    let mut terms = Terms::default();
    let t = &mut terms;
    let [e, f, g] = words(t, 32);
    let (ef, not_eg) = (t.and(e, f), t.and_not(e, g));
    let ch = t.xor(ef, not_eg);
    let by_sum = t.add(ef, not_eg);
    let fg = t.xor(f, g);
    let e_fg = t.and(e, fg);
    let by_xor = t.xor(e_fg, g);
    assert_eq!((ch, ch, ch), (by_sum, by_xor, t.ternary(e, f, g, 0xca)));
    let (eg, fg) = (t.and(e, g), t.and(f, g));
    let either = t.xor(ef, eg);
    let maj = t.xor(either, fg);
    let (e_or_f, same) = (t.or(e, f), t.and(e, f));
    let with_g = t.and(e_or_f, g);
    assert_eq!((maj, maj), (t.or(with_g, same), t.ternary(e, f, g, 0xe8)));
}

#[test]
fn rotations_of_sums_by_shifts() {
    let mut terms = Terms::default();
    let t = &mut terms;
    for width in [32, 64] {
        let [a, b] = words(t, width);
        let sum = t.add(a, b);
        let (right, left) = (t.shift_right(sum, 7), t.shift_left(sum, u32::from(width) - 7));
        assert_eq!(t.rotate(sum, 7), t.or(right, left));
        let highest = t.constant(1 << (width - 1), width);
        let with_highest = t.add(sum, highest);
        let (right, left) =
            (t.shift_right(with_highest, 7), t.shift_left(with_highest, u32::from(width) - 7));
        assert_eq!(t.rotate(with_highest, 7), t.or(right, left));
        let (right, left) = (t.shift_right(a, 7), t.shift_left(a, u32::from(width) - 7));
        assert_eq!(t.rotate(a, 7), t.xor(right, left));
    }
}

#[test]
fn complements_of_sums() {
    let mut terms = Terms::default();
    let t = &mut terms;
    let [a, b] = words(t, 32);
    let sum = t.add(a, b);
    let not = t.not(sum);
    let (neither, minus_one) = (t.and(sum, not), t.constant(u64::MAX, 32));
    assert_eq!(t.value(neither), Some(0));
    assert_eq!(t.not(not), sum);
    assert_eq!(t.add(sum, not), minus_one);
}

#[test]
fn bytes_and_halves() {
    let mut terms = Terms::default();
    let t = &mut terms;
    let [a, b] = words(t, 64);
    let sum = t.add(a, b);
    let (low, high) = (t.half(sum, 0), t.half(sum, 1));
    assert_eq!(t.join(low, high), sum);
    assert_eq!(t.join(high, low), t.rotate(sum, 32));
    // Bytes of each half in reverse, and the halves exchanged: all in reverse, and back.
    let swapped = crate::memory::reversed(t, sum);
    let halves = [crate::memory::reversed(t, high), crate::memory::reversed(t, low)];
    assert_eq!(t.join(halves[0], halves[1]), swapped);
    assert_eq!(crate::memory::reversed(t, swapped), sum);
}

#[test]
fn different_words_differ() {
    let mut terms = Terms::default();
    let t = &mut terms;
    let [a, b] = words(t, 32);
    let (sum, xor, or) = (t.add(a, b), t.xor(a, b), t.or(a, b));
    assert!(sum != xor && xor != or && or != sum);
    assert_ne!(t.rotate(sum, 3), t.shift_right(sum, 3));
}
