//! Merging: strands that share no register and no memory may be merged in any way that keeps the order within
//! each. That is all the scheduling there is, and it decides the speed by 2 to 60 % (Zen 4).
//!
//! A merge is a key for every instruction, a place between 0 and 1, by which all are sorted.

use super::strand::{Instruction, Strand};

/// A place, then the strand's number, then the instruction's (or that of some which stay together).
type Keyed<T> = (f64, usize, usize, T);

fn sorted<T>(mut items: Vec<Keyed<T>>) -> Vec<T> {
    items.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    items.into_iter().map(|item| item.3).collect()
}

/// The `i`-th of `n` places of equal size.
fn middle(i: usize, n: usize) -> f64 {
    (i as f64 + 0.5) / n as f64
}

/// Every strand evenly over the whole length.
pub(crate) fn spread<T: Clone>(strands: &[&[T]]) -> Vec<T> {
    let strands: Vec<(&[T], f64)> = strands.iter().map(|strand| (*strand, 0.0)).collect();
    spread_late(&strands)
}

/// Like `spread`, but each strand begins later, by the given share of the whole length.
pub(crate) fn spread_late<T: Clone>(strands: &[(&[T], f64)]) -> Vec<T> {
    let mut items = vec![];
    for (k, (strand, late)) in strands.iter().enumerate() {
        for (i, instruction) in strand.iter().enumerate() {
            items.push((middle(i, strand.len()) + late, k, i, instruction.clone()));
        }
    }
    sorted(items)
}

/// Instructions, each with its time.
pub(crate) type Timed = Vec<(f64, Instruction)>;

/// Assigns equally spaced times between two to instructions.
pub(crate) fn evenly(strand: &[Instruction], (begin, end): (f64, f64)) -> Timed {
    let time = |i: usize| begin + (end - begin) * (i as f64 + 0.5) / strand.len() as f64;
    strand.iter().enumerate().map(|(i, instruction)| (time(i), instruction.clone())).collect()
}

/// Instructions by their times; with equal times, the earlier strand's first.
pub(crate) fn by_time(strands: &[Timed]) -> Strand {
    let mut items = vec![];
    for (k, strand) in strands.iter().enumerate() {
        for (i, (time, instruction)) in strand.iter().enumerate() {
            items.push((*time, k, i, instruction.clone()));
        }
    }
    sorted(items)
}

/// Spreads `inner` evenly over the part of `outer` between two given shares of its length.
pub(crate) fn inside(outer: &[Instruction], inner: &[Instruction], (begin, end): (f64, f64)) -> Strand {
    let mut items = vec![];
    for (i, instruction) in outer.iter().enumerate() {
        items.push((middle(i, outer.len()), 0, i, instruction.clone()));
    }
    for (i, instruction) in inner.iter().enumerate() {
        let place = begin + (end - begin) * (i as f64 + 0.5) / inner.len() as f64;
        items.push((place, 1, i, instruction.clone()));
    }
    sorted(items)
}

/// Distributes the instructions of `schedule` evenly between the rounds, the share `lead` of them before the
/// second round of each pair, after the move that fetches its K + W.
pub(crate) fn weave(schedule: &[Instruction], rounds: &[Instruction], lead: f64) -> Strand {
    let n_rounds = rounds.iter().filter(|instruction| instruction.is_round()).count();
    let n = schedule.len() as f64 / n_rounds as f64;
    let mut schedule = schedule.iter().cloned().enumerate().peekable();
    let mut out = Strand::new();
    let mut done = 0.0;
    for instruction in rounds {
        if instruction.is_round() {
            out.extend(
                std::iter::from_fn(|| schedule.next_if(|(i, _)| (*i as f64) < done + n * lead)).map(|x| x.1),
            );
            out.push(instruction.clone());
            done += n;
            out.extend(std::iter::from_fn(|| schedule.next_if(|(i, _)| (*i as f64) < done)).map(|x| x.1));
        } else {
            out.push(instruction.clone());
        }
    }
    let rest = rounds.iter().rev().take_while(|instruction| !instruction.is_round()).count();
    let end = out.split_off(out.len() - rest);
    out.extend(schedule.map(|x| x.1));
    out.extend(end);
    out
}

/// The weight of a schedule's instruction in [`weave_by_cost`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Costs {
    pub(crate) rotate: f64,
    pub(crate) shift: f64,
    pub(crate) add: f64,
    /// Xor and vpternlogd.
    pub(crate) logic: f64,
    pub(crate) shuffle: f64,
    pub(crate) store: f64,
    pub(crate) load: f64,
    /// The additional weight of a memory operand of an addition.
    pub(crate) memory: f64,
}

impl Costs {
    fn of(&self, instruction: &Instruction) -> f64 {
        match instruction.mnemonic() {
            "vprord" => self.rotate,
            "vpsrld" => self.shift,
            "vpaddd" if instruction.loads() => self.add + self.memory,
            "vpaddd" => self.add,
            "vpxord" | "vpternlogd" => self.logic,
            "vshufi32x4" | "vpshufb" => self.shuffle,
            name if name.starts_with("vpunpck") => self.shuffle,
            name if name.starts_with("vmov") && instruction.stores() => self.store,
            name if name.starts_with("vmov") => self.load,
            _ => 0.3,
        }
    }
}

/// Like [`weave`], but each instruction of the schedule has a weight from `costs`, and the moves come earlier
/// by the share `lead` of the distance between two rounds. For orders found by search.
pub(crate) fn weave_by_cost(
    schedule: &[Instruction],
    rounds: &[Instruction],
    costs: &Costs,
    lead: f64,
) -> Strand {
    let total: f64 = schedule.iter().map(|instruction| costs.of(instruction)).sum();
    let mut items = vec![];
    let mut before = 0.0;
    for (i, instruction) in schedule.iter().enumerate() {
        let cost = costs.of(instruction);
        items.push(((before + cost / 2.0) / total, 0, i, instruction.clone()));
        before += cost;
    }
    let n = rounds.iter().filter(|instruction| instruction.is_round()).count() as f64;
    let mut before = 0.0;
    // A move may be earlier than its place among the rounds, but all rounds share xmm0: they keep their
    // order.
    let mut places = vec![];
    for instruction in rounds {
        let early = if instruction.is_round() { 0.0 } else { lead / n };
        places.push((before + 0.5) / n - early);
        if instruction.is_round() {
            before += 1.0;
        }
    }
    places.sort_by(f64::total_cmp);
    for (i, (place, instruction)) in places.into_iter().zip(rounds).enumerate() {
        items.push((place, 1, i, instruction.clone()));
    }
    sorted(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a0`, `a1`, …
    fn strand(name: &str, n: usize) -> Strand {
        (0..n).map(|i| format!("{name}{i}").into()).collect()
    }

    /// Rounds in the form of kernels: a move before each.
    fn rounds(n: usize) -> Strand {
        (0..n).flat_map(|i| [format!("vmovq {i}").into(), format!("sha256rnds2 {i}").into()]).collect()
    }

    fn text(strand: &Strand) -> String {
        strand.iter().map(|x| x.to_string().replace("sha256rnds2 ", "R").replace("vmovq ", "M")).collect()
    }

    #[test]
    fn strands_are_spread_evenly() {
        assert_eq!(text(&spread(&[&strand("a", 4), &strand("b", 2)])), "a0b0a1a2b1a3");
        assert_eq!(text(&spread(&[&strand("a", 2), &[]])), "a0a1");
    }

    #[test]
    fn late_strands_end_after_the_others() {
        assert_eq!(text(&spread_late(&[(&strand("a", 4), 0.0), (&strand("b", 2), 0.5)])), "a0a1a2b0a3b1");
    }

    #[test]
    fn times_sort_strands() {
        let rounds = vec![(0.0, "a0".into()), (2.0, "a2".into()), (1.0, "a1".into())];
        assert_eq!(text(&by_time(&[rounds, evenly(&strand("b", 2), (0.5, 2.5))])), "a0a1b0a2b1");
    }

    #[test]
    fn inner_instructions_keep_to_their_part() {
        assert_eq!(text(&inside(&strand("a", 4), &strand("b", 2), (0.5, 1.0))), "a0a1a2b0a3b1");
    }

    #[test]
    fn rounds_have_the_same_number_between_them() {
        assert_eq!(text(&weave(&strand("a", 4), &rounds(2), 0.5)), "M0a0R0a1M1a2R1a3");
        assert_eq!(text(&weave(&strand("a", 4), &rounds(2), 0.0)), "M0R0a0a1M1R1a2a3");
    }

    #[test]
    fn costs_count_instead_of_numbers() {
        let costs = Costs {
            rotate: 3.0,
            shift: 1.0,
            add: 1.0,
            logic: 1.0,
            shuffle: 1.0,
            store: 1.0,
            load: 1.0,
            memory: 0.0,
        };
        let schedule: Strand =
            vec!["vprord a".into(), "vpaddd b".into(), "vpaddd c".into(), "vpaddd d".into()];
        let merged = weave_by_cost(&schedule, &rounds(2), &costs, 0.5);
        assert_eq!(text(&merged), "M0vprord aR0M1vpaddd bvpaddd cR1vpaddd d");
    }
}
