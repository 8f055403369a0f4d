//! `HASHLANES_AEGIS_KERNEL` makes one kernel serve everything: asked in a process of its own, as it is read once.

use std::process::{Command, ExitCode};

use crate::suite::Suite;

/// What a child is to do.
const ROLE: &str = "HASHLANES_TEST_CHILD";

pub(crate) fn add(suite: &mut Suite) {
    #[cfg(all(feature = "count-calls", feature = "env-override"))]
    suite.each_kernel("forced", "serves everything", |kernel| {
        let printed = play(kernel.name());
        assert!(printed.status.success(), "{}", String::from_utf8_lossy(&printed.stderr));
    });
    #[cfg(feature = "env-override")]
    suite.one("forced::an unknown kernel is told", || {
        let printed = play("no-such");
        let error = String::from_utf8_lossy(&printed.stderr).into_owned();
        let told = "HASHLANES_AEGIS_KERNEL=no-such: there is no aegis kernel \"no-such\"; there is ";
        assert!(!printed.status.success() && error.contains(told) && error.contains("portable"), "{error}");
    });
    let _ = suite;
}

/// This program as a child under a forced kernel.
#[cfg(feature = "env-override")]
fn play(kernel: &str) -> std::process::Output {
    let runner = std::env::var("HASHLANES_TEST_RUNNER").unwrap_or_default();
    let program = std::env::current_exe().expect("this program's path");
    let mut words: Vec<std::ffi::OsString> = runner.split_whitespace().map(Into::into).collect();
    words.push(program.into());
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).env("RUST_BACKTRACE", "0");
    command.env(ROLE, "forced").env("HASHLANES_AEGIS_KERNEL", kernel).output().expect("this program runs")
}

/// If this is a child, plays its role: encrypts through every function; then no other family was entered.
pub(crate) fn child() -> Option<ExitCode> {
    std::env::var_os(ROLE)?;
    through_everything();
    #[cfg(feature = "count-calls")]
    {
        let name = std::env::var("HASHLANES_AEGIS_KERNEL").expect("a forced kernel");
        let mut n_own = 0;
        for kernel in hashlanes_aes::kernels::aegis() {
            let forced =
                hashlanes_aes::kernels::aegis().find(|kernel| kernel.name() == name).expect("its row");
            let is_one_of_them = kernel.name() == name || kernel.name() == forced.family();
            assert!(is_one_of_them || kernel.calls() == 0, "{} was entered", kernel.name());
            n_own += if kernel.name() == name { kernel.calls() } else { 0 };
        }
        assert!(n_own > 0, "{name} was not entered");
    }
    Some(ExitCode::SUCCESS)
}

fn through_everything() {
    use hashlanes_aes::Buffer;
    use hashlanes_aes::aegis::{
        Aegis128, Aegis128L, Aegis128X2, Aegis128X4, Aegis256, Aegis256X2, Aegis256X4, AegisMac128L, Message,
        aegis128l_encrypt_many,
    };
    macro_rules! seal {
        ($($cipher:ident $n:literal),*) => {$(
            let cipher = $cipher::new(&[1; $n]);
            let sealed = cipher.seal(&[2; $n], b"data", b"message").unwrap();
            assert_eq!(cipher.open(&[2; $n], b"data", &sealed).unwrap(), b"message");
        )*};
    }
    seal!(Aegis128 16, Aegis128L 16, Aegis256 32, Aegis128X2 16, Aegis128X4 16, Aegis256X2 32, Aegis256X4 32);
    AegisMac128L::new(&[1; 16], &[2; 16]).finish();
    let cipher = Aegis128L::new(&[1; 16]);
    for n in [1, 2, 5, 9] {
        let mut texts = vec![vec![1; 100]; n];
        let mut messages: Vec<_> = texts
            .iter_mut()
            .map(|text| Message {
                cipher: &cipher,
                nonce: [3; 16],
                ad: b"",
                buffer: Buffer::in_place(text),
                tag: [0; 32],
            })
            .collect();
        aegis128l_encrypt_many(&mut messages).unwrap();
    }
}
