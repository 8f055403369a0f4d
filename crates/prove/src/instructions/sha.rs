//! The SHA extensions.

use iced_x86::{Instruction, Mnemonic as M};

use crate::machine::{Machine, Outcome};
use crate::memory::Cells;
use crate::standards::{sha1, sha2};

pub(super) fn carry_out(m: &mut Machine<'_>, i: &Instruction) -> Option<Outcome> {
    let f = match i.mnemonic() {
        M::Sha256rnds2 => sha256rnds2,
        M::Sha256msg1 => sha256msg1,
        M::Sha256msg2 => sha256msg2,
        M::Sha1rnds4 => sha1rnds4,
        M::Sha1nexte => sha1nexte,
        M::Sha1msg1 => sha1msg1,
        M::Sha1msg2 => sha1msg2,
        _ => return None,
    };
    let both = m.cells(i, 0, 4).and_then(|d| Ok((d, m.cells(i, 1, 4)?)));
    Some(both.and_then(|(d, s)| {
        let cells = f(m, i, &d, &s);
        m.write_cells(i, &cells, 4)
    }))
}

fn sha256rnds2(m: &mut Machine<'_>, _: &Instruction, d: &Cells, s: &Cells) -> Cells {
    let kw = [m.vectors[0][0], m.vectors[0][1]];
    let mut state = vec![s[3], s[2], d[3], d[2], s[1], s[0], d[1], d[0]];
    for kw in kw {
        sha2::round(&mut m.terms, &sha2::SHA256, &mut state, kw);
    }
    [state[5], state[4], state[1], state[0]].into_iter().collect()
}

fn sha256msg1(m: &mut Machine<'_>, _: &Instruction, d: &Cells, s: &Cells) -> Cells {
    let w = [d[0], d[1], d[2], d[3], s[0]];
    (0..4)
        .map(|j| {
            let sigma = sha2::small_sigma0(&mut m.terms, &sha2::SHA256, w[j + 1]);
            m.terms.add(w[j], sigma)
        })
        .collect()
}

fn sha256msg2(m: &mut Machine<'_>, _: &Instruction, d: &Cells, s: &Cells) -> Cells {
    let mut w = Cells::new();
    for j in 0..4 {
        let before = if j < 2 { s[2 + j] } else { w[j - 2] };
        let sigma = sha2::small_sigma1(&mut m.terms, &sha2::SHA256, before);
        w.push(m.terms.add(d[j], sigma));
    }
    w
}

fn sha1rnds4(m: &mut Machine<'_>, i: &Instruction, d: &Cells, s: &Cells) -> Cells {
    let stage = usize::from(i.immediate8() & 3);
    let zero = m.zero();
    let mut state = vec![d[3], d[2], d[1], d[0], zero];
    for j in (0..4).rev() {
        let k = m.terms.constant(sha1::K[stage].into(), 32);
        let kw = m.terms.add(s[j], k);
        sha1::round(&mut m.terms, stage, &mut state, kw);
    }
    [state[3], state[2], state[1], state[0]].into_iter().collect()
}

fn sha1nexte(m: &mut Machine<'_>, _: &Instruction, d: &Cells, s: &Cells) -> Cells {
    let e = m.terms.rotate(d[3], 2);
    let top = m.terms.add(s[3], e);
    [s[0], s[1], s[2], top].into_iter().collect()
}

fn sha1msg1(m: &mut Machine<'_>, _: &Instruction, d: &Cells, s: &Cells) -> Cells {
    // The oldest word is the highest.
    [(s[2], d[0]), (s[3], d[1]), (d[0], d[2]), (d[1], d[3])]
        .map(|(a, b)| m.terms.xor(a, b))
        .into_iter()
        .collect()
}

fn sha1msg2(m: &mut Machine<'_>, _: &Instruction, d: &Cells, s: &Cells) -> Cells {
    let mut word = |a, b| {
        let xor = m.terms.xor(a, b);
        m.terms.rotate(xor, 31)
    };
    let w16 = word(d[3], s[2]);
    let (w17, w18, w19) = (word(d[2], s[1]), word(d[1], s[0]), word(d[0], w16));
    [w19, w18, w17, w16].into_iter().collect()
}
