//! The variables by which a user forces kernels; each case is a child process.

use hashlanes_aes::kernels::{Kernel, aes, aes_table, every_row};
use hashlanes_aes::{
    Buffer, CbcPlaintext, CounterBits, Ctr, Key, cbc_decrypt, cbc_encrypt, cbc_encrypt_many,
};
use hashlanes_isa::{Features, covers};
use hashlanes_testkit::oracle::Aes;

use crate::child::in_role;
use crate::suite::Suite;

pub(crate) fn add(suite: &mut Suite) {
    suite.one("aes", "a forced kernel serves everything", forced);
    suite.one("aes", "unknown and unsupported kernels are refused", refused);
    suite.one("aes", "a kernel that is required must have run", required);
    suite.one("aes", "lanes bring what their family's row of one message needs", families);
    suite.one("aes", "numbers of messages take more than one kernel", choices);
}

const VARIABLE: &str = "HASHLANES_AES_KERNEL";

fn forced() {
    for kernel in aes() {
        let (passed, text) = in_role(&format!("forced-aes {}", kernel.name()), &[(VARIABLE, kernel.name())]);
        assert!(passed, "{}: {text}", kernel.name());
    }
}

/// Everything, with a kernel forced: only it and its family's row of one message are entered.
pub(crate) fn play_forced(name: &str) {
    let key_bytes = [3; 24];
    let (key, oracle, iv) = (Key::new(&key_bytes).unwrap(), Aes::new(&key_bytes), [4u8; 16]);
    let messages: Vec<Vec<u8>> = (0..50).map(|n| vec![n as u8; 9 * n]).collect();
    let plaintexts: Vec<CbcPlaintext<'_>> =
        messages.iter().map(|message| CbcPlaintext { key: &key, iv, message }).collect();
    for (message, ciphertext) in messages.iter().zip(cbc_encrypt_many(&plaintexts)) {
        assert_eq!(ciphertext, cbc_encrypt(&key, &iv, message));
        assert_eq!(cbc_decrypt(&key, &iv, &ciphertext).unwrap(), *message);
        let mut out = message.clone();
        Ctr::new(&key, &iv, CounterBits::Bits128).apply(Buffer::in_place(&mut out)).unwrap();
        assert_eq!(out, oracle.ctr(&iv, 128, message));
    }
    for kernel in aes() {
        let may_run = kernel.name() == name || kernel.name() == family(name);
        assert_eq!(kernel.calls() > 0, may_run, "{}: {} calls", kernel.name(), kernel.calls());
    }
}

fn family(name: &str) -> &str {
    aes_table().named(name).map(Kernel::family).expect("a kernel that runs here")
}

fn refused() {
    let there_is = aes().map(Kernel::name).collect::<Vec<_>>().join(", ");
    let (_, text) = in_role("check_env", &[(VARIABLE, "no-such")]);
    assert!(text.contains("unknown aes kernel \"no-such\"") && text.contains(&there_is), "{text}");
    if let Some(row) = aes_table().rows().find(|row| row.features.contains(&"vaes")) {
        let (_, text) = in_role("check_env", &[(VARIABLE, row.name), ("HASHLANES_DISABLE", "aes")]);
        assert!(text.contains("cannot run the aes kernel") && text.contains("it lacks"), "{text}");
    }
    let (_, text) = in_role("check_env", &[]);
    // An emulator may have warnings of its own.
    assert!(text.starts_with("ok\n"), "{text}");
}

fn required() {
    let of = |list: &str| {
        let small = ["--exact", "vectors::aes::portable::CTR, RFC 3686"];
        let output = crate::child::run(&small, &[("HASHLANES_REQUIRE", list)]);
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert!(of("aes:portable").0, "{}", of("aes:portable").1);
    let (passed, text) = of("aes:no-such");
    assert!(!passed && text.contains("unknown kernel \"aes:no-such\""), "{text}");
    if let Some(kernel) = aes().find(|kernel| kernel.name() != "portable") {
        let (passed, text) = of(&format!("aes:{}", kernel.name()));
        assert!(!passed && text.contains("did not run"), "{text}");
    }
}

/// The choice is the table's: never a kernel that the CPU lacks; several messages do not go one by one where
/// lanes are there.
fn choices() {
    let table = aes_table();
    for n in 1..=30 {
        for n_blocks in [1, 2, 10, 1000] {
            let kernel = table.best(n, n_blocks);
            assert!(aes().any(|other| std::ptr::eq(other, kernel)));
        }
        let is_alone = table.best(n, 1000).degree() == 1;
        let has_lanes = aes().any(|kernel| kernel.degree() > 1);
        assert_eq!(is_alone, n == 1 || !has_lanes, "{n} messages");
    }
    assert_eq!(table.best_of_one().degree(), 1);
}

/// Verbs that a row of several messages lacks are computed by its family's row: a CPU that can run the one
/// must be able to run the other.
fn families() {
    let mut n_lanes = 0;
    for (cipher, lanes) in every_row().filter(|(_, row)| row.degree > 1) {
        let family = lanes.name.rsplit_once("-x").expect("lanes are named by their number").0;
        let (_, row) = every_row()
            .find(|(other, row)| (*other, row.name) == (cipher, family))
            .unwrap_or_else(|| panic!("{cipher}: {family} is a row"));
        assert!(covers(lanes.features, Features::of(row.features)), "{cipher}: {}, {}", lanes.name, row.name);
        assert_eq!(row.degree, 1, "{cipher}: {family}");
        n_lanes += 1;
    }
    assert!(n_lanes > 0 || !cfg!(target_arch = "x86_64"), "there are lanes");
}
