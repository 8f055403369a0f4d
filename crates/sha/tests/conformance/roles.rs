//! The roles of child processes.

use std::process::ExitCode;

use hashlanes_sha::{keccak, kernels};

#[cfg(feature = "env-override")]
use crate::child::PANIC;

/// Performs the role.
pub(crate) fn play(role: &str) -> ExitCode {
    match role.split(' ').collect::<Vec<_>>()[..] {
        ["check_env"] => match kernels::check_env() {
            Ok(()) => println!("ok"),
            Err(error) => println!("{error}"),
        },
        ["kernels"] => {
            kernels::sha1().for_each(|kernel| println!("sha1 {}", kernel.name()));
            kernels::sha256().for_each(|kernel| println!("sha256 {}", kernel.name()));
            kernels::sha512().for_each(|kernel| println!("sha512 {}", kernel.name()));
            keccak::kernels().for_each(|kernel| println!("keccak {}", kernel.name()));
        }
        ["digest", hash] => digest(hash),
        #[cfg(feature = "env-override")]
        ["refused", hash] => {
            let error = kernels::check_env().expect_err("what the variables ask for");
            let panic = crate::suite::panic_of("hashing", || digest(hash));
            print!("{error}\n{PANIC}{panic}");
        }
        #[cfg(all(feature = "count-calls", feature = "env-override"))]
        ["forced", hash, kernel] => crate::reach::play_forced(hash, kernel),
        #[cfg(all(feature = "count-calls", feature = "env-override"))]
        ["forced-keccak", kernel] => crate::keccak::play_forced(kernel),
        #[cfg(feature = "count-calls")]
        ["sweep"] => crate::reach::play_sweep(),
        #[cfg(feature = "calibrate")]
        ["first-use"] => crate::calibrate::play_first_use(),
        #[cfg(feature = "calibrate")]
        ["calibrate"] => crate::calibrate::play_calibrate(),
        #[cfg(feature = "calibrate")]
        ["not-measured", hash] => crate::calibrate::play_not_measured(hash),
        _ => panic!("a child has no role {role:?}"),
    }
    ExitCode::SUCCESS
}

fn digest(hash: &str) {
    match hash {
        "sha1" => drop(hashlanes_sha::sha1(b"abc")),
        "sha256" => drop(hashlanes_sha::sha256(b"abc")),
        "sha512" => drop(hashlanes_sha::sha512(b"abc")),
        "keccak" => drop(hashlanes_sha::sha3_256(b"abc")),
        _ => panic!("there is no hash {hash:?}"),
    }
}
