//! The basis of kernels in assembly: functions whose bodies are files, proofs, and the layout of their input.
//!
//! # Safety
//! A kernel is a function with the System V calling convention whose first lines are its contract: what each
//! argument points to, and the CPU features that it needs. Calls cite these facts:
//!
//! - **Features.** A body has a proof, whose features are those that the kernel's file names.
//! - **Input.** [`Turns`] and `Interleaved` give the blocks that may be read; a kernel reads those and
//!   no others, whether it knows the next block or not: at the last one it reads that one again.
#![allow(unsafe_code)] // Assembly; argued above.

use core::mem::MaybeUninit;

use hashlanes_isa::{Function, Turns};

/// Functions whose bodies are files in `asm/`, next to the file that names them.
macro_rules! kernels_in_assembly {
    ($($name:ident($($argument:ty),*);)*) => {$(
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name($(_: $argument),*) {
            core::arch::naked_asm!(include_str!(concat!("asm/", stringify!($name), ".s")), options(raw))
        }
    )*};
}
pub(crate) use kernels_in_assembly;

/// Proofs that the CPU has the features named.
macro_rules! proofs {
    ($($(#[$doc:meta])* $name:ident $features:tt;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(super) struct $name(());

        impl hashlanes_isa::Proof for $name {
            const FEATURES: hashlanes_isa::Features = hashlanes_isa::Features::of(&$features);
            #[inline(always)]
            unsafe fn assume() -> Self {
                Self(())
            }
        }
    )*};
}
pub(crate) use proofs;

/// Verbs without assembly use the definition over lanes, with the lanes of `$isa`.
macro_rules! verbs_of_lanes {
    ($proof:ty, $lanes:ty, $isa:ident => $proof_of_lanes:expr) => {
        #[inline(always)]
        fn compress_lanes($isa: $proof, states: &mut [State], input: hashlanes_isa::Interleaved<'_>) {
            <$lanes as Body<Compression>>::compress_lanes($proof_of_lanes, states, input);
        }
        #[inline(always)]
        fn finish_fixed($isa: $proof, job: hashlanes_isa::FixedGroups<'_, Compression>) {
            <$lanes as Body<Compression>>::finish_fixed($proof_of_lanes, job);
        }
        #[inline(always)]
        fn continue_many($isa: $proof, job: hashlanes_isa::ContinueGroups<'_, Compression>) {
            <$lanes as Body<Compression>>::continue_many($proof_of_lanes, job);
        }
    };
}
pub(crate) use verbs_of_lanes;

/// Bodies of kernels of one message, in a module with the file's types `Compression`, `State` and its
/// `CONSTANTS`: each with its proof, the kernel that compresses, and the one of its verb `rounds`.
///
/// A kernel that compresses takes state, input, number of blocks and constants; one of rounds takes state and
/// K + W.
macro_rules! bodies_of_one_message {
    ($($(#[$doc:meta])* $body:ident $proof:ident $compress:ident $rounds:ident;)*) => {$(
        $(#[$doc])*
        pub(super) struct $body;

        impl hashlanes_isa::Body<Compression> for $body {
            type Proof = $proof;
            const DEGREE: usize = 1;

            #[inline(always)]
            fn compress(_: $proof, turns: hashlanes_isa::Turns<'_, Compression>) {
                crate::assembly::by_rows::<Compression, 1>(turns, |[state], rows, n_blocks| {
                    // SAFETY: "Features"; "Input".
                    unsafe { $compress(state, rows, n_blocks, &CONSTANTS) }
                });
            }
            #[inline(always)]
            fn rounds(
                _: $proof,
                state: &mut State,
                schedule: &<Compression as hashlanes_isa::Types>::Schedule,
            ) {
                // SAFETY: "Features", as those of the rounds are among them.
                unsafe { $rounds(state, schedule) }
            }
        }
    )*};
}
pub(crate) use bodies_of_one_message;

/// The body of `sha-ni`, in a module with the file's type `Compression`, its kernel `sha_ni` and its
/// `CONSTANTS`: turns in assembly, so that they take as long in builds without optimisation; the other verbs
/// over streams.
macro_rules! sha_ni_of_one {
    () => {
        /// The body of `sha-ni`.
        pub(super) struct ShaNiOne;

        impl hashlanes_isa::Body<Compression> for ShaNiOne {
            type Proof = hashlanes_isa::sha_ni::ShaNi;
            const DEGREE: usize = 1;

            #[inline(always)]
            fn compress(_: Self::Proof, turns: hashlanes_isa::Turns<'_, Compression>) {
                assert!(turns.degree() == 1);
                let (turns, n_turns, n_blocks) = turns.into_raw();
                // SAFETY: "Features"; "Input", turns of one lane.
                unsafe { sha_ni(turns, n_turns, n_blocks, &CONSTANTS) }
            }
            #[inline(always)]
            fn finish_fixed(isa: Self::Proof, job: hashlanes_isa::FixedGroups<'_, Compression>) {
                <hashlanes_isa::OverStreams<1> as hashlanes_isa::Body<Compression>>::finish_fixed(isa, job);
            }
            #[inline(always)]
            fn continue_many(isa: Self::Proof, job: hashlanes_isa::ContinueGroups<'_, Compression>) {
                <hashlanes_isa::OverStreams<1> as hashlanes_isa::Body<Compression>>::continue_many(isa, job);
            }
            #[inline(always)]
            fn rounds(
                isa: Self::Proof,
                state: &mut <Compression as hashlanes_isa::Types>::State,
                last: &<Compression as hashlanes_isa::Types>::Schedule,
            ) {
                <hashlanes_isa::OverStreams<1> as hashlanes_isa::Body<Compression>>::rounds(isa, state, last);
            }
        }
    };
}
pub(crate) use sha_ni_of_one;

/// Blocks at pointers: block b of message m is at `rows[b * row_bytes / 8 + m] + b * step_bytes`.
#[repr(C)]
pub(crate) struct Rows {
    rows: *const *const u8,
    row_bytes: usize,
    step_bytes: usize,
}

/// Number of rows of pointers for a call: 1 KiB with its padding is 17 blocks. A row costs one store for each
/// block, about 2 % of the work, so rows are used for short messages; longer ones take one call for their
/// body and one for their end.
const TABLE_ROWS: usize = 20;

/// Carries turns out on a kernel of `S` messages that takes states side by side and its input as [`Rows`].
///
/// Turns with the same states are joined into one call, which saves the kernel's prologue and epilogue: a row
/// of pointers for each block.
///
/// It is a function of its own, compiled without the row's features: copies through registers that the kernel
/// does not use would make its instructions slower.
#[inline(never)]
pub(crate) fn by_rows<F: Function, const S: usize>(
    mut turns: Turns<'_, F>,
    mut kernel: impl FnMut(&mut [F::State; S], &Rows, usize),
) {
    assert!(turns.degree() == S);
    let mut table = [const { [const { MaybeUninit::<*const u8>::uninit() }; S] }; TABLE_ROWS];
    let mut next = turns.next();
    while let Some(mut turn) = next {
        let mut copies = [F::ZERO_STATE; S];
        // Adjacent states are used in place: copying words that a kernel just stored would wait for the
        // stores.
        let in_place = turn.states_side_by_side();
        let states = if let Some(states) = in_place {
            // SAFETY: a turn has a pointer to a state for each of its `S` lanes.
            unsafe { &mut *states.cast::<[F::State; S]>() }
        } else {
            turn.read(&mut copies);
            &mut copies
        };
        let mut n_rows = 0;
        loop {
            next = turns.next();
            let goes_on = next.as_ref().is_some_and(|next| next.goes_on());
            let n_blocks = turn.n_blocks();
            let joins = (goes_on || n_rows > 0) && n_rows + n_blocks <= TABLE_ROWS;
            if joins {
                for (b, row) in table[n_rows..][..n_blocks].iter_mut().enumerate() {
                    for (k, place) in row.iter_mut().enumerate() {
                        // SAFETY: a turn has a place for each of its `S` lanes.
                        let at = unsafe { *turn.places().add(k) };
                        place.write(at.wrapping_add(b * F::BLOCK_BYTES));
                    }
                }
                n_rows += n_blocks;
            }
            if n_rows > 0 && !(joins && goes_on) {
                let row_bytes = S * size_of::<*const u8>();
                let rows = Rows { rows: table.as_ptr().cast(), row_bytes, step_bytes: 0 };
                kernel(states, &rows, n_rows);
                n_rows = 0;
            }
            if !joins {
                let rows = Rows { rows: turn.places(), row_bytes: 0, step_bytes: F::BLOCK_BYTES };
                kernel(states, &rows, n_blocks);
            }
            match next {
                Some(next) if goes_on => turn = next,
                other => {
                    if in_place.is_none() {
                        turn.write(&copies);
                    }
                    next = other;
                    break;
                }
            }
        }
    }
}

/// Hashes equal short messages, `COPIED` at a time: copies and pads them, a block each, and has `kernel`
/// compute the results of whole turns of `LANES` messages: (results, blocks, number of turns). A result is as
/// long as a state, and digests are its first bytes.
///
/// # Safety
/// The kernel writes all results.
#[cfg(feature = "sha2")]
#[inline(always)]
pub(crate) unsafe fn finish_copied<F: Function, const LANES: usize, const COPIED: usize>(
    shape: &hashlanes_isa::Fixed<F>,
    messages: &[u8],
    digests: &mut [u8],
    digest_bytes: usize,
    mut kernel: impl FnMut(*mut u8, *const u8, usize),
) {
    let (len_bytes, state_bytes) = (shape.len_bytes, size_of::<F::State>());
    let mut mask = F::ZERO_BLOCK;
    mask.as_mut()[..len_bytes].fill(0xff);
    let mut blocks = crate::padding::InLines([const { MaybeUninit::<F::Block>::uninit() }; COPIED]);
    let mut results = crate::padding::InLines([const { MaybeUninit::<F::State>::uninit() }; COPIED]);
    let mut rest = messages;
    for digests in digests.chunks_mut(COPIED * digest_bytes) {
        let n = digests.len() / digest_bytes;
        for (i, block) in blocks.0[..n.next_multiple_of(LANES)].iter_mut().enumerate() {
            let mut padded = shape.first;
            if i < n {
                // The length is not known here, and a call of memcpy for each message costs 12 cycles more.
                match rest.get(..F::BLOCK_BYTES) {
                    Some(bytes) => {
                        for j in 0..F::BLOCK_BYTES {
                            padded.as_mut()[j] |= bytes[j] & mask.as_ref()[j];
                        }
                    }
                    None => padded.as_mut()[..len_bytes].copy_from_slice(&rest[..len_bytes]),
                }
                rest = &rest[len_bytes..];
            }
            // Written once: to read back what was just written takes 20 cycles.
            block.write(padded);
        }
        let in_place = digest_bytes == state_bytes && n.is_multiple_of(LANES);
        let to = if in_place { digests.as_mut_ptr() } else { results.0.as_mut_ptr().cast() };
        kernel(to, blocks.0.as_ptr().cast(), n.div_ceil(LANES));
        if !in_place {
            // SAFETY: the kernel wrote so many results.
            let results = unsafe { core::slice::from_raw_parts(to.cast_const(), n * state_bytes) };
            for (digest, result) in
                digests.chunks_exact_mut(digest_bytes).zip(results.chunks_exact(state_bytes))
            {
                digest.copy_from_slice(&result[..digest_bytes]);
            }
        }
    }
}
