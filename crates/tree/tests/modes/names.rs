//! Modes by name.

use hashlanes_tree::{HashName, Mode, TreeError, Variant};

/// Every name is parsed to what prints it.
#[test]
fn every_name() {
    for form in ["jlanes", "jpointers"] {
        for variant in Variant::ALL {
            for hash in HashName::ALL {
                for j in 1..=255 {
                    let name = format!("{form}-{variant}-{hash}-{j}");
                    let mode: Mode = name.parse().unwrap_or_else(|error| panic!("{error}"));
                    assert_eq!(mode.to_string(), name);
                    assert_eq!(mode.needs_length(), form == "jpointers");
                    assert_eq!(mode.variant(), Some(variant));
                }
            }
        }
    }
    for (name, needs_length) in [("mh_sha1", false), ("mh_sha256", false), ("parallel_hash", true)] {
        let mode: Mode = name.parse().unwrap_or_else(|error| panic!("{error}"));
        let told = (mode.to_string(), mode.needs_length(), mode.variant());
        assert_eq!(told, (name.into(), needs_length, None));
    }
}

#[test]
fn no_names() {
    for name in [
        "",
        "jlanes",
        "jlanes-v1-sha256",
        "jlanes-v1-sha256-",
        "jlanes-v1-sha256-0",
        "jlanes-v1-sha256-256",
        "jlanes-v1-sha256-016",
        "jlanes-v1-sha256-+4",
        "jlanes-v1-sha256-4-",
        "jlanes-v1-sha256-4-4",
        "jlanes-v2-sha256-4",
        "jlanes-v1-sha224-4",
        "jlanes-v1-SHA256-4",
        "Jlanes-v1-sha256-4",
        " mh_sha1",
        "mh-sha1",
    ] {
        let error = name.parse::<Mode>().expect_err(name);
        assert_eq!(error, TreeError::UnknownMode(name.into()));
        assert_eq!(
            error.to_string(),
            format!(
                "unknown tree mode {name:?}; expected one of jlanes-v1-HASH-J, jpointers-v1-HASH-J (HASH: sha1, sha256, \
                 sha384, sha512; J: 1 to 255; v1s, v1n for v1: single-prefix, no-prefix), mh_sha1, mh_sha256, parallel_hash"
            )
        );
    }
}
