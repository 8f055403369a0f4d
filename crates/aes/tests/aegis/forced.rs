//! `HASHLANES_AEGIS_KERNEL` makes one kernel process everything: tested in a separate process, because the
//! variable is read once. A kernel that a call names processes that call: also in a separate process, where
//! nothing else uses kernels.

use std::process::ExitCode;

use crate::suite::Suite;

/// The role of a child process.
const ROLE: &str = "HASHLANES_TEST_CHILD";

/// Forces a kernel.
#[cfg_attr(not(any(feature = "count-calls", feature = "env-override")), allow(dead_code))]
const VARIABLE: &str = "HASHLANES_AEGIS_KERNEL";

pub(crate) fn add(suite: &mut Suite) {
    #[cfg(all(feature = "count-calls", feature = "env-override"))]
    suite.each_kernel("forced", "serves everything", |kernel| {
        let printed = play(kernel.name());
        assert!(printed.status.success(), "{}", String::from_utf8_lossy(&printed.stderr));
    });
    #[cfg(feature = "count-calls")]
    suite.one("forced::a kernel that a call asks for serves it", || {
        let printed = child_in("asked for", &[]);
        assert!(printed.status.success(), "{}", String::from_utf8_lossy(&printed.stderr));
    });
    #[cfg(feature = "env-override")]
    suite.one("forced::an unknown kernel is told", || {
        let printed = play("no-such");
        let error = String::from_utf8_lossy(&printed.stderr).into_owned();
        let told = "HASHLANES_AEGIS_KERNEL=no-such: unknown aegis kernel \"no-such\"; expected one of ";
        assert!(!printed.status.success() && error.contains(told) && error.contains("portable"), "{error}");
    });
    let _ = suite;
}

/// This program as a child under a forced kernel.
#[cfg(feature = "env-override")]
fn play(kernel: &str) -> std::process::Output {
    child_in("forced", &[(VARIABLE, kernel)])
}

/// This program as a child in `role`, with nothing forced but by `variables`.
#[cfg(any(feature = "count-calls", feature = "env-override"))]
fn child_in(role: &str, variables: &[(&str, &str)]) -> std::process::Output {
    let runner = std::env::var("HASHLANES_TEST_RUNNER").unwrap_or_default();
    let program = std::env::current_exe().expect("this program's path");
    let mut words: Vec<std::ffi::OsString> = runner.split_whitespace().map(Into::into).collect();
    words.push(program.into());
    let mut command = std::process::Command::new(&words[0]);
    command.args(&words[1..]).env("RUST_BACKTRACE", "0").env_remove(VARIABLE);
    command.env(ROLE, role).envs(variables.iter().copied()).output().expect("this program runs")
}

/// If this is a child, plays its role. If it is forced: encrypts through every function; then no other family
/// was entered.
pub(crate) fn child() -> Option<ExitCode> {
    let role = std::env::var_os(ROLE)?;
    #[cfg(feature = "count-calls")]
    if role == "asked for" {
        hashlanes_aes::kernels::aegis().for_each(entered);
        return Some(ExitCode::SUCCESS);
    }
    assert_eq!(role, "forced");
    through_everything();
    #[cfg(feature = "count-calls")]
    {
        let name = std::env::var(VARIABLE).expect("a forced kernel");
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

/// Messages in parts, codes, and few and many short messages on one kernel: only it is entered, or its
/// family's row of one message if it lacks the verb.
#[cfg(feature = "count-calls")]
fn entered(kernel: &'static crate::suite::Aegis) {
    use hashlanes_aes::Buffer;
    use hashlanes_aes::aegis::{
        Aegis128L, Aegis256, AegisMac128L, Message, Tag256, aegis128l_encrypt_many_on,
        aegis256_encrypt_many_on,
    };
    let of_family = |name: &str| name == kernel.name() || name == kernel.family();
    let enters = |name: &str, what: &str, body: &mut dyn FnMut()| {
        let calls = || hashlanes_aes::kernels::aegis().map(|kernel| (kernel.name(), kernel.calls()));
        let before: Vec<_> = calls().collect();
        body();
        for (before, (other, calls)) in before.into_iter().zip(calls()) {
            let n = calls - before.1;
            assert!(n == 0 || of_family(other), "{what} on {}: {other} was entered", kernel.name());
            assert!(n > 0 || other != name, "{what} on {}: {other} was not entered", kernel.name());
        }
    };
    let cipher = Aegis128L::<Tag256>::with_tag(&[1; 16]).on(kernel);
    enters(kernel.family(), "parts", &mut || {
        let mut encryptor = cipher.encryptor(&[2; 16], b"data").unwrap();
        encryptor.update(&[3; 40], &mut [0; 40]).unwrap();
        encryptor.finish();
    });
    enters(kernel.family(), "a code", &mut || {
        AegisMac128L::<Tag256>::with_tag_on(kernel, &[1; 16], &[2; 16]).finish();
        AegisMac128L::<Tag256>::mac_on(kernel, &[1; 16], &[2; 16], b"data").unwrap();
    });
    for n in [1, 2, 5, 9] {
        enters(kernel.name(), &format!("{n} messages"), &mut || {
            let mut texts = vec![[1; 10]; n];
            let message = |text| Message {
                cipher: &cipher,
                nonce: [3; 16],
                ad: b"",
                buffer: Buffer::in_place(text),
                tag: [0; 32],
            };
            let mut messages: Vec<_> = texts.iter_mut().map(|text| message(&mut text[..])).collect();
            aegis128l_encrypt_many_on(kernel, &mut messages).unwrap();
        });
        enters(kernel.name(), &format!("{n} messages of AEGIS-256"), &mut || {
            let cipher = Aegis256::<Tag256>::with_tag(&[1; 32]);
            let mut texts = vec![[1; 10]; n];
            let message = |text| Message {
                cipher: &cipher,
                nonce: [3; 32],
                ad: b"",
                buffer: Buffer::in_place(text),
                tag: [0; 32],
            };
            let mut messages: Vec<_> = texts.iter_mut().map(|text| message(&mut text[..])).collect();
            aegis256_encrypt_many_on(kernel, &mut messages).unwrap();
        });
    }
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
