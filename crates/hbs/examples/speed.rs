//! Measures generating a key, signing and verifying on each kernel: core cycles, and the speed relative to
//! the first named kernel (A. Faz-Hernández, J. López, A. de Oliveira 2018, Table 1, whose first one is a
//! scalar SHA-256).
//!
//! `cargo run --release -p hashlanes-hbs --features hazmat --example speed [SET [KERNEL…]]`
//!
//! `choice` stands for the library's own choice of kernels. Key generation is measured on a set whose trees
//! have 32 leaves, so that every call is shorter than the time for which the clock is steady; a leaf costs
//! the same in every tree.

use std::cell::RefCell;
use std::error::Error;
use std::hint::black_box;

use hashlanes_clock::{Environment, Footprint, Options, Race, Report};
use hashlanes_hbs::hazmat::{KeyGeneration, SigningKey};
use hashlanes_hbs::{ParameterSet, VerifyingKey};
use hashlanes_isa::{Function, MAX_DEGREE, Plan, Start};
use hashlanes_sha::sha256::{Compression, H0};

const CHOICE: &str = "choice";
const BLOCKS: usize = 64;
const KERNELS: [&str; 11] = [
    "scalar",
    "sse-x4",
    "avx2-x8",
    "sha-ni",
    "sha-ni-x2",
    "sha-ni-x4",
    "split-x16",
    "avx512vl-x8-asm",
    "avx512-x16",
    "avx512-x16-asm",
    CHOICE,
];

/// Generates a key of `set` on a kernel.
fn generate(set: ParameterSet, kernel: &str) -> Result<SigningKey, hashlanes_hbs::Error> {
    let generation = KeyGeneration::new(set, &vec![7; 3 * set.n()])?;
    if kernel == CHOICE { generation.run() } else { generation.kernel(kernel)?.run() }
}

/// Measures one operation on all kernels, in turns.
fn race<'a>(kernels: &[&str], mut work: impl FnMut(&str) -> Box<dyn FnMut() + 'a>) -> Report {
    let mut race = Race::new(Options::default());
    for kernel in kernels {
        race = race.contestant(*kernel, Footprint::contiguous(0), work(kernel));
    }
    race.run()
}

fn show(operation: &str, report: &Report) {
    let first = &report.outcomes[0];
    for outcome in &report.outcomes {
        let name = &outcome.name;
        let Some(cycles) = outcome.figure_cycles() else { continue };
        let factor = first.ratio(outcome).map_or(0.0, |ratio| ratio.median);
        println!("{operation:<31} {name:<16} {cycles:>14.0} cycles  {factor:>6.2}");
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let set: ParameterSet = arguments.next().as_deref().unwrap_or("XMSSMT-SHA2_60/6_256").parse()?;
    let named: Vec<String> = arguments.collect();
    let mut kernels: Vec<&str> = named.iter().map(String::as_str).collect();
    if kernels.is_empty() {
        kernels = KERNELS.to_vec();
    }
    // Kernels that this CPU cannot run are skipped.
    let small: ParameterSet = format!("XMSSMT-SHA2_60/12_{}", 8 * set.n()).parse()?;
    kernels.retain(|kernel| match generate(small, kernel) {
        Ok(_) => true,
        Err(why) => {
            println!("{why}");
            false
        }
    });
    println!("{}", Environment::measure());

    // The limit: full groups of blocks, and no other work.
    let table = Compression::table();
    let blocks = [[7; 64]; BLOCKS];
    let report = race(&kernels, |kernel| {
        let best = || Plan::BEST.next_group(BLOCKS, BLOCKS / MAX_DEGREE).0;
        let kernel = table.named(kernel).unwrap_or_else(|_| best());
        let mut states = [H0; BLOCKS];
        Box::new(move || {
            kernel.continue_many(Start::Shared(&H0), black_box(&blocks), None, black_box(&mut states))
        })
    });
    show(&format!("{BLOCKS} compressions of SHA-256"), &report);

    let report = race(&kernels, |kernel| {
        let kernel = kernel.to_owned();
        Box::new(move || {
            black_box(generate(small, &kernel).expect("it ran before"));
        })
    });
    show(&format!("generate {small}"), &report);

    let message = [1; 32];
    let signature = generate(set, CHOICE)?.try_sign(&message)?;
    let mut verifying = Vec::new();
    let mut signing = Vec::new();
    for kernel in &kernels {
        let key = generate(set, kernel)?;
        verifying.push(key.verifying_key().clone());
        signing.push(RefCell::new(key));
    }
    let of = |kernel: &str| kernels.iter().position(|name| *name == kernel).expect("one of them");
    let report = race(&kernels, |kernel| {
        let (key, kernel) = (&signing[of(kernel)], kernel.to_owned());
        Box::new(move || {
            let mut key = key.borrow_mut();
            if key.next_index() == set.signatures() {
                *key = generate(set, &kernel).expect("it ran before");
            }
            black_box(key.try_sign(&message).expect("an index is left"));
        })
    });
    show(&format!("sign {set}"), &report);
    let report = race(&kernels, |kernel| {
        let (key, signature): (&VerifyingKey, _) = (&verifying[of(kernel)], &signature);
        Box::new(move || key.verify(black_box(&message), signature.as_ref()).expect("a valid signature"))
    });
    show(&format!("verify {set}"), &report);
    Ok(())
}
