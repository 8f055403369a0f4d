//! Wrong use: an error that gives the reason, and a panic with the same text where the plain function has
//! one.

use std::panic::catch_unwind;

use hashlanes_tree::{
    JLanesSha256, JPointersSha256, Mode, Tree, TreeError, Variant, parallel_hash, parallel_hash_with_length,
};

/// The message of the panic that `body` ends with.
fn panic_of<T>(body: impl FnOnce() -> T + std::panic::UnwindSafe) -> String {
    let Err(payload) = catch_unwind(body) else { panic!("no panic") };
    payload.downcast_ref::<String>().cloned().unwrap_or_default()
}

#[test]
fn numbers_of_lanes() {
    for j in [0, 256, usize::MAX] {
        let text = format!("j: {j}; there are 1 to 255 lanes or slices");
        let error = JLanesSha256::try_new(j, Variant::V1).expect_err("no such j");
        assert_eq!((error.to_string(), error), (text.clone(), TreeError::J(j)));
        assert!(JPointersSha256::try_new(j, Variant::V1NoPrefix).is_err());
        assert_eq!(panic_of(|| JLanesSha256::new(j)), text);
        assert_eq!(panic_of(|| JPointersSha256::new(j)), text);
    }
}

#[test]
fn numbers_of_slices() {
    let slices: [&[u8]; 3] = [b"a", b"b", b"c"];
    let error = JPointersSha256::new(4).try_digest_slices(&slices).expect_err("three for four");
    assert_eq!(error, TreeError::Slices { given: 3, j: 4 });
    assert_eq!(JPointersSha256::new(4).try_wrap(&[[0; 32]; 3]), Err(error.clone()));
    assert_eq!(error.to_string(), "slices: 3; there must be 4");
    assert_eq!(panic_of(|| JPointersSha256::new(4).digest_slices(&[])), "slices: 0; there must be 4");
    assert_eq!(panic_of(|| JPointersSha256::new(4).wrap(&[[0; 32]; 5])), "slices: 5; there must be 4");
    assert_eq!(panic_of(|| JPointersSha256::new(4).slice_hasher(4)), "slice 4 of 4");
    assert_eq!(panic_of(|| JLanesSha256::new(4).prefix(5)), "prefix 5; there are 0 to 4");
}

#[test]
fn lengths() {
    let mut hasher = JPointersSha256::new(4).with_length(10);
    hasher.update(&[0; 7]).expect("fewer");
    assert_eq!(hasher.update(&[0; 4]), Err(TreeError::Length { said: 10, came: 11 }));
    let error = hasher.clone().finish().expect_err("too few");
    assert_eq!(error, TreeError::Length { said: 10, came: 7 });
    assert_eq!(error.to_string(), "message: 7 bytes instead of 10 as was said");
    // Refused parts were not absorbed.
    hasher.update(&[0; 3]).expect("as many");
    assert_eq!(hasher.finish(), Ok(JPointersSha256::new(4).digest(&[0; 10])));
}

#[test]
fn too_short() {
    for len in [0, 1, 111, 887] {
        let error = parallel_hash(&vec![0; len]).expect_err("too short");
        assert_eq!(error, TreeError::TooShort { len_bytes: len as u64, least: 888 });
        assert_eq!(
            error.to_string(),
            format!("message: {len} bytes; the function is defined from 888 bytes on")
        );
        assert_eq!(parallel_hash_with_length(len as u64).map(drop), Err(error.clone()));
        assert_eq!(Tree::new(Mode::ParallelHash).digest(&vec![0; len]), Err(error));
    }
}

#[test]
fn length_unknown() {
    for name in ["jpointers-v1-sha1-4", "parallel_hash"] {
        let mode: Mode = name.parse().expect("a mode");
        let error = Tree::new(mode).hasher(None).map(drop).expect_err("no length");
        assert_eq!(error, TreeError::LengthUnknown(mode));
        let text = "cuts a message by its length, which must be known before it begins";
        assert_eq!(error.to_string(), format!("{name} {text}"));
    }
}

/// Lengths that no message has do not overflow.
#[test]
fn greatest_lengths() {
    let j_pointers = JPointersSha256::new(255);
    assert_eq!(j_pointers.slice_bytes(u64::MAX), 64 * u64::MAX.div_ceil(255 * 64));
    assert!(j_pointers.with_length(u64::MAX).finish().is_err());
    assert!(parallel_hash_with_length(u64::MAX).is_ok());
}
