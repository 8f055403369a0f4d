//! The costs of kernels: core cycles, in a column for each family of cores on which they were measured; and
//! the overheads around their calls.
//!
//! A CPU without a column uses that of the most similar CPU: its costs are then estimates.

/// Core cycles that a kernel takes: a call with n blocks of every lane takes `call` + n · `block`.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Loading and storing states, filling and draining pipelines.
    pub call: u32,
    /// The same for equal short messages, which some kernels process in code of their own.
    pub equal: u32,
    /// A block of every lane.
    pub block: u32,
}

impl Cost {
    /// Returns the cycles of a number of calls with a total number of blocks: in 64 bits, because a message
    /// of 2 MiB exceeds 32.
    #[inline]
    pub fn of(self, n_calls: usize, n_blocks: usize) -> u64 {
        n_calls as u64 * u64::from(self.call) + n_blocks as u64 * u64::from(self.block)
    }

    /// Returns the same for calls on equal short messages.
    #[inline]
    pub fn of_equal(self, n_calls: usize, n_blocks: usize) -> u64 {
        Self { call: self.equal, ..self }.of(n_calls, n_blocks)
    }
}

/// The cores of a row's columns, in this order.
///
/// - Zen 4: four vector pipes (two for 512 bits), `sha256rnds2` every cycle. Serves AMD's CPUs before Zen 5.
/// - Zen 5: four pipes of 512 bits, `sha256rnds2` every other cycle, which makes sixteen lanes win. Serves
///   AMD's CPUs from Zen 5 on.
/// - Golden Cove, measured on its successors Raptor Cove and Redwood Cove: three vector ports (two for 512
///   bits), `sha256rnds2` every other cycle, which makes lanes win where Zen 4's SHA extensions do. Serves
///   all CPUs that are not AMD's.
#[cfg(not(target_arch = "aarch64"))]
pub const COLUMNS: [&str; 3] = ["Zen 4", "Zen 5", "Golden Cove"];

/// The cores of a row's columns, in this order. Their costs are the figures of LLVM's models of the cores
/// (`cargo xtask mca`), not measurements.
///
/// - Neoverse N1: two vector pipes, hash instructions on one of them. Serves all Arm cores that no other
///   column serves.
/// - Neoverse V1: four vector pipes, the instructions for SHA-256 on two of them.
/// - Neoverse V2: four vector pipes, hash instructions on one of them.
/// - Apple M1: serves all of Apple's cores.
#[cfg(target_arch = "aarch64")]
pub const COLUMNS: [&str; 4] = ["Neoverse N1", "Neoverse V1", "Neoverse V2", "Apple M1"];

/// Core cycles in each of [`COLUMNS`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cycles([u64; COLUMNS.len()]);

impl Cycles {
    const NONE: Self = Self::of_columns(0, 0);

    /// The cycles on Zen 4, and on Golden Cove. Those on Zen 4 serve the columns of which none were measured,
    /// too.
    #[cfg(not(target_arch = "aarch64"))]
    const fn of_columns(zen4: u64, golden_cove: u64) -> Self {
        Self([zen4, zen4, golden_cove])
    }
    /// The cycles on Zen 4, for all columns: none were measured on Arm.
    #[cfg(target_arch = "aarch64")]
    const fn of_columns(zen4: u64, _golden_cove: u64) -> Self {
        Self([zen4; COLUMNS.len()])
    }

    /// Returns the cycles in this CPU's column.
    #[inline]
    pub(crate) fn here(self) -> u64 {
        self.0[place()]
    }
}

/// A kernel's cost in each of [`COLUMNS`].
#[derive(Clone, Copy, Debug)]
pub struct Costs(pub [Cost; COLUMNS.len()]);

impl Costs {
    /// Returns the cost in this CPU's column.
    #[inline]
    pub fn here(&self) -> Cost {
        self.0[place()]
    }
}

/// Returns the core of this CPU's column, and whether costs were measured on this kind of CPU; otherwise they
/// are estimates.
pub fn column() -> (&'static str, bool) {
    let (place, is_measured) = known_cpu();
    (COLUMNS[place], is_measured)
}

/// Returns the place of this CPU's column.
#[inline]
fn place() -> usize {
    known_cpu().0
}

/// Like [`cpu`]. Determined once, because it takes about 60,000 cycles on a virtual machine.
#[inline]
fn known_cpu() -> (usize, bool) {
    use core::sync::atomic::AtomicU32;
    static CACHE: AtomicU32 = AtomicU32::new(0);
    let ask = || {
        let (place, is_measured) = cpu();
        (place << 1) as u32 | u32::from(is_measured)
    };
    let known = crate::features::once(&CACHE, ask);
    ((known >> 1) as usize, known & 1 == 1)
}

/// Returns the place of this CPU's column, and whether it was measured on such a CPU.
///
/// Intel's cores are distinguished by their features, because a virtual machine may report the model of
/// another CPU: a Granite Rapids has been seen that reports Rocket Lake's.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
fn cpu() -> (usize, bool) {
    use crate::cpuid;
    match &cpuid::vendor() {
        b"AuthenticAMD" => {
            let (family, model) = cpuid::family_and_model();
            (usize::from(family >= 26), matches!((family, model), (25, 17) | (26, 2)))
        }
        b"GenuineIntel" => (2, cpuid::has_avx512_and_avx_vnni()),
        _ => (2, false),
    }
}
/// Returns the place of this CPU's column on Arm; none was measured. On CPUs with several kinds of cores, the
/// core that runs this thread counts.
#[cfg(target_arch = "aarch64")]
fn cpu() -> (usize, bool) {
    let place = match crate::auxv::implementer_and_part() {
        (0x41, 0xd40) => 1,
        (0x41, 0xd4f) => 2,
        (0x61, _) => 3,
        _ if cfg!(target_vendor = "apple") => 3,
        _ => 0,
    };
    (place, false)
}
#[cfg(not(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64")))]
fn cpu() -> (usize, bool) {
    (2, false)
}

/// The most messages that a hash's kernel takes at once.
pub const MAX_DEGREE: usize = 16;

/// The overheads that the choice of kernels uses in addition to their costs.
///
/// Core cycles around the calls, as measured on a CPU like this one, and the classes of numbers of blocks. 0
/// where kernels of the kind have no such call.
#[derive(Clone, Copy, Debug)]
pub struct Overheads {
    /// More messages in groups count as this many: at least those of the largest kernel, and those that share
    /// a call.
    pub(crate) most_messages: usize,
    /// The same of messages that rotate.
    pub(crate) most_rotating: usize,
    /// The classes of numbers of blocks: a number belongs to the first class that is not below it; the last
    /// class has all greater ones.
    pub(crate) classes: &'static [u16],
    /// The first call of a kernel after one of another kernel, which displaced its instructions.
    pub(crate) change: Cycles,
    /// The same where both take equal short messages, by less code.
    pub(crate) change_of_equal: u64,
    /// A turn of messages that rotate, in addition to the kernel's call.
    pub(crate) turn: u64,
    /// A group that goes from start to end, and each message of it, in addition to the kernel's call.
    pub(crate) group: u64,
    pub(crate) message_of_group: u64,
    /// What a further call of the same kernel saves, at most all of the call's cycles: it begins while the
    /// call before it ends.
    pub(crate) overlap: u64,
    /// Copying an equal short message next to the others, and its digest.
    pub(crate) equal_message: u64,
    /// Filling up the lanes of a kernel with copies of too few such messages.
    pub(crate) filled_up: Cycles,
    /// A block copied out of word-interleaved input, word by word.
    pub(crate) copied_block: u64,
    /// Sorting and choosing, and bringing each message in and out, when a few messages are hashed side by
    /// side.
    pub(crate) few: u64,
    pub(crate) message_of_few: u64,
    /// Where more equal messages than lanes wrap around these: each message; and each lane, whenever some
    /// change their messages. 0 where messages do not wrap around.
    pub(crate) message_that_wraps: u64,
    pub(crate) lane_that_wraps: u64,
    /// Bringing in and out a short message when longer ones rotate anyway.
    pub(crate) message_that_joins: u64,
}

/// The overheads were measured on Redwood Cove and serve all CPUs. On Zen 4 they fit as well. Those that
/// differ were measured on both.
impl Overheads {
    /// The overheads of hashes.
    pub(crate) const HASHES: Self = Self {
        most_messages: 4 * MAX_DEGREE,
        most_rotating: MAX_DEGREE,
        classes: &[1, 2, 3, 4, 6, 8, 10, 20, 100],
        change: Cycles::of_columns(300, 90),
        change_of_equal: 100,
        turn: 200,
        group: 40,
        message_of_group: 20,
        overlap: 80,
        equal_message: 12,
        filled_up: Cycles::of_columns(200, 80),
        copied_block: 20,
        few: 180,
        message_of_few: 60,
        message_that_wraps: 120,
        lane_that_wraps: 10,
        message_that_joins: 60,
    };
    /// The overheads of sponges, whose messages go in groups: only the permutations count.
    pub(crate) const SPONGES: Self = Self {
        most_messages: 8,
        most_rotating: 8,
        classes: &[1],
        change: Cycles::NONE,
        change_of_equal: 0,
        turn: 0,
        group: 0,
        message_of_group: 0,
        overlap: 0,
        equal_message: 0,
        filled_up: Cycles::NONE,
        copied_block: 0,
        few: 0,
        message_of_few: 0,
        message_that_wraps: 0,
        lane_that_wraps: 0,
        message_that_joins: 0,
    };
    /// The overheads of ciphers, whose messages go in groups if they are equal, and rotate otherwise. 32
    /// messages, more than the largest kernel takes: a 25th message must not be left alone.
    pub const CIPHERS: Self = Self {
        most_messages: 32,
        most_rotating: 32,
        classes: &[1, 3, 8, 20, 32, 60, 250],
        turn: 150,
        group: 40,
        message_of_group: 5,
        ..Self::SPONGES
    };
}
