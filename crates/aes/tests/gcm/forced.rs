//! `HASHLANES_GCM_KERNEL` makes one kernel process everything: tested in a separate process, because the
//! variable is read once.

use crate::suite::Suite;

pub(crate) fn add(suite: &mut Suite) {
    #[cfg(all(feature = "count-calls", feature = "env-override"))]
    {
        use hashlanes_aes::kernels;

        use crate::child;
        suite.each_kernel("forced", "serves everything", |kernel| {
            let (passed, text) = child::with_forced(kernel.name(), kernel.name());
            assert!(passed, "{}: {text}", kernel.name());
        });
        suite.one("forced::an unknown kernel is an error", || {
            let (passed, text) = child::with_forced("portable", "no-such");
            let names = kernels::gcm().map(|kernel| kernel.name()).collect::<Vec<_>>().join(", ");
            let expected = "HASHLANES_GCM_KERNEL=no-such: unknown gcm kernel \"no-such\"; expected one of ";
            assert!(!passed && text.contains(expected) && text.contains(&names), "{text}");
        });
    }
    let _ = suite;
}

/// Encrypts and decrypts where this kernel is forced; then no other was entered.
pub(crate) fn play(kernel: &str) {
    use crate::subjects::{Subject, each};
    each!(C => {
        let cipher = C::new(&[1; <C as Subject>::KEY_BYTES]);
        let sealed = cipher.seal(&[2; 12], b"data", &[3; 500]).unwrap();
        assert_eq!(cipher.open(&[2; 12], b"data", &sealed).unwrap(), [3; 500]);
    });
    #[cfg(feature = "count-calls")]
    for other in hashlanes_aes::kernels::gcm() {
        assert_eq!(other.calls() > 0, other.name() == kernel, "{}: {} calls", other.name(), other.calls());
    }
    let _ = kernel;
}
