//! Each hash's table, for programs that list, force or explain kernels: the public module `kernels`.

use hashlanes_isa::{EnvError, FEW, Function, Kernel, Plan, Row, Table, Word};

#[cfg(feature = "sha3")]
use crate::keccak;
pub use crate::many::Step;
use crate::many::{BATCH, side_by_side, steps_in_groups};
#[cfg(feature = "sha1")]
use crate::sha1::Compression as Sha1;
#[cfg(feature = "sha2")]
use crate::{sha256::Compression as Sha256, sha512::Compression as Sha512};

/// Returns the bytes of the stack that are overwritten after a verb of a row hashed secrets, less what its
/// callers take of them.
#[doc(hidden)]
pub fn wiped_bytes(hash: &str, row: &Row, verb: &str) -> usize {
    use hashlanes_isa::Verb::{Compress, CompressLanes, ContinueMany, FinishFixed, Rounds};
    let verbs = [Compress, CompressLanes, FinishFixed, ContinueMany, Rounds];
    let Some(verb) = verbs.into_iter().find(|of_hash| of_hash.name() == verb) else {
        // A sponge's: its callers overwrite as much as after any kernel.
        return hashlanes_isa::wiped_bytes(CompressLanes, row.degree, true);
    };
    let has_scratch = match hash {
        #[cfg(feature = "sha2")]
        "sha256" => Sha256::has_scratch(row.name, verb),
        _ => false,
    };
    hashlanes_isa::wiped_bytes(verb, row.degree, has_scratch)
}

/// SHA-1's kernels that this CPU can run, in the table's order.
#[cfg(feature = "sha1")]
pub fn sha1() -> impl Iterator<Item = &'static Kernel<Sha1>> {
    Sha1::table().kernels()
}

/// SHA-256's kernels that this CPU can run, in the table's order.
#[cfg(feature = "sha2")]
pub fn sha256() -> impl Iterator<Item = &'static Kernel<Sha256>> {
    Sha256::table().kernels()
}

/// SHA-512's kernels that this CPU can run, in the table's order.
#[cfg(feature = "sha2")]
pub fn sha512() -> impl Iterator<Item = &'static Kernel<Sha512>> {
    Sha512::table().kernels()
}

/// Checks the `HASHLANES_*` environment variables: `HASHLANES_DISABLE` names known CPU features,
/// `HASHLANES_SHA256_KERNEL` and the variables of other hashes name kernels that this CPU can run.
///
/// Without the cargo feature `env-override` they are not read.
///
/// # Errors
/// If a name is unknown or unsupported, or a variable is named like these but belongs to no hash; the error
/// lists the valid names. Hashing panics with the same message.
pub fn check_env() -> Result<(), EnvError> {
    #[cfg(feature = "env-override")]
    EnvError::check_variables(&variables())?;
    check_own_env()
}

/// Returns the variables that force kernels.
#[cfg(feature = "env-override")]
#[doc(hidden)]
pub fn variables() -> std::vec::Vec<&'static str> {
    let variables = all().map(AnyTable::variable);
    #[cfg(feature = "sha3")]
    let variables = variables.chain([keccak::KERNEL_VARIABLE]);
    variables.collect()
}

/// Like [`check_env`], except for variables that may belong to other crates.
#[doc(hidden)]
pub fn check_own_env() -> Result<(), EnvError> {
    #[cfg(feature = "sha3")]
    keccak::table().check_env()?;
    all().try_for_each(AnyTable::check_env)
}

/// Every row of every table with its hash, those of internal tables too: for tests and tools.
#[doc(hidden)]
pub fn every_row() -> impl Iterator<Item = (&'static str, Row)> {
    let of = |table: &'static dyn AnyTable| (0..table.n_rows()).map(move |i| (table.name(), table.row(i)));
    let rows = all().flat_map(of);
    #[cfg(feature = "sha3")]
    let rows = rows.chain(keccak::table().rows().map(|row| (keccak::table().name(), row)));
    rows
}

/// Measures the kernels of all hashes on this CPU, now, and returns them with their hashes; from now on they
/// are chosen by these costs.
///
/// On CPUs whose costs were never measured, the first use of a hash does this by itself: see
/// [`column`](crate::kernels::column). It takes less than a millisecond for each hash. Kernels that are never
/// chosen are not measured. A measurement changes choices, never digests.
///
/// # Examples
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_sha::kernels; }
/// for (hash, row) in hashlanes::kernels::calibrate() {
///     let block = row.cost.block as f64 / row.degree as f64;
///     println!("{hash} {}: {block:.0} cycles for a block of each message", row.name);
/// }
/// ```
#[cfg(feature = "calibrate")]
pub fn calibrate() -> std::vec::Vec<(&'static str, Row)> {
    #[cfg(feature = "sha1")]
    Sha1::table().calibrate();
    #[cfg(feature = "sha2")]
    Sha256::table().calibrate();
    #[cfg(feature = "sha2")]
    Sha512::table().calibrate();
    #[cfg(feature = "sha3")]
    keccak::table().calibrate();
    let measured = every_row().filter(|(_, row)| row.is_measured).collect::<std::vec::Vec<_>>();
    set_costs(&measured);
    measured
}

/// Chooses all hashes' kernels by these costs from now on, and by the column's where they have none: for
/// tests and tools, which compare the choices.
#[cfg(feature = "calibrate")]
#[doc(hidden)]
pub fn set_costs(costs: &[(&'static str, Row)]) {
    let cost = |hash: &'static str| {
        move |name: &str| {
            let row = costs.iter().find(|(of, row)| *of == hash && row.name == name);
            row.map(|(_, row)| row.cost)
        }
    };
    fn set<F: Function>(cost: impl Fn(&str) -> Option<hashlanes_isa::Cost>) {
        F::table().set_costs(&cost);
        F::table_of_one().set_costs(&cost);
    }
    #[cfg(feature = "sha1")]
    set::<Sha1>(cost(Sha1::NAME));
    #[cfg(feature = "sha2")]
    set::<Sha256>(cost(Sha256::NAME));
    #[cfg(feature = "sha2")]
    set::<Sha512>(cost(Sha512::NAME));
    #[cfg(feature = "sha3")]
    keccak::set_costs(cost(keccak::table().name()));
}

/// Every table, for listings.
pub fn all() -> impl ExactSizeIterator<Item = &'static dyn AnyTable> {
    fn table<F: Function>() -> &'static dyn AnyTable {
        F::table()
    }
    let tables = [
        #[cfg(feature = "sha1")]
        table::<Sha1>(),
        #[cfg(feature = "sha2")]
        table::<Sha256>(),
        #[cfg(feature = "sha2")]
        table::<Sha512>(),
    ];
    tables.into_iter()
}

/// A table of any hash.
pub trait AnyTable: Sync {
    /// The name in environment variables, in lower case: `sha256`.
    fn name(&self) -> &'static str;
    /// Returns the variable that forces a kernel.
    fn variable(&self) -> &'static str;
    /// Bytes in a block.
    fn block_bytes(&self) -> usize;
    /// Returns the number of rows.
    fn n_rows(&self) -> usize;
    /// Row `index`, whether this CPU can run it or not.
    ///
    /// # Panics
    /// Panics if there are fewer rows.
    fn row(&self, index: usize) -> Row;
    /// Returns the row that is chosen for `n_live` messages that are all to be advanced by `n_blocks` blocks.
    ///
    /// # Panics
    /// Panics if the environment's wishes cannot be fulfilled.
    fn best(&self, n_live: usize, n_blocks: usize) -> Row;
    /// The steps that `n` messages of `len_bytes` bytes each would take, in order, without taking them.
    ///
    /// # Panics
    /// Like [`AnyTable::best`].
    fn explain(&self, n: usize, len_bytes: u64, step: &mut dyn FnMut(Step));
    /// Returns the cycles, by the table, in which `n` messages of `n_blocks` blocks end that go from start to
    /// end in groups, the first of them on row `first`.
    fn end_of_groups(&self, first: &Row, n: usize, n_blocks: usize) -> u64;
    /// See [`check_env`].
    ///
    /// # Errors
    /// Names the unknown kernel, and lists the available ones.
    fn check_env(&self) -> Result<(), EnvError>;
}

impl<F: Function> AnyTable for Table<F> {
    fn name(&self) -> &'static str {
        F::NAME
    }
    fn variable(&self) -> &'static str {
        F::KERNEL_VARIABLE
    }
    fn block_bytes(&self) -> usize {
        F::BLOCK_BYTES
    }
    fn n_rows(&self) -> usize {
        self.rows().len()
    }
    fn row(&self, index: usize) -> Row {
        self.rows().nth(index).expect("as many rows")
    }
    fn best(&self, n_live: usize, n_blocks: usize) -> Row {
        Plan::<F>::BEST.kernel(n_live, n_blocks).row_data()
    }
    fn explain(&self, n: usize, len_bytes: u64, step: &mut dyn FnMut(Step)) {
        let padded_bytes = u128::from(len_bytes) + 1 + 2 * F::Word::BYTES as u128;
        let n_blocks = padded_bytes.div_ceil(F::BLOCK_BYTES as u128);
        let n_blocks = usize::try_from(n_blocks).unwrap_or(usize::MAX);
        let (plan, mut n_left) = (Plan::<F>::BEST, n);
        while n <= FEW && n_left > 0 {
            let kernel = plan.next_group(n_left, n_blocks).0.row_data();
            if kernel.degree > 1 {
                break;
            }
            let cycles = kernel.group(1, n_blocks, true);
            step(Step { kernel, n_live: n_left, n_messages: 1, of_message: n_blocks, n_blocks, cycles });
            n_left -= 1;
        }
        while let Some(n_together) = side_by_side::<F>(n_left, len_bytes) {
            plan.each_group(n_together, n_blocks, |kernel, some| {
                for from in some.clone().step_by(kernel.degree()) {
                    let n_messages = kernel.degree().min(some.end - from);
                    let (row, n_live) = (kernel.row_data(), n_left - from);
                    let cycles = row.equal_group(n_messages, n_blocks, from == some.start);
                    step(Step { kernel: row, n_live, n_messages, of_message: n_blocks, n_blocks, cycles });
                }
            });
            n_left -= n_together;
        }
        while n_left > 0 {
            let n_now = n_left.min(BATCH);
            steps_in_groups(plan, n_now, n_blocks, step);
            n_left -= n_now;
        }
    }
    fn end_of_groups(&self, first: &Row, n: usize, n_blocks: usize) -> u64 {
        Plan::<F>::end_of_groups(first, n, n_blocks)
    }
    fn check_env(&self) -> Result<(), EnvError> {
        Table::check_env(self)
    }
}
