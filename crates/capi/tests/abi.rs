//! The binary interface: symbols and sizes. A change breaks programs that are already linked.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use hashlanes_capi::*;

/// The functions that the sources export are those that the version script lists.
#[test]
fn symbols_are_those_of_the_version_script() {
    let crate_root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut defined = BTreeSet::new();
    for file in fs::read_dir(crate_root.join("src")).unwrap() {
        let source = fs::read_to_string(file.unwrap().path()).unwrap();
        for line in source.split("extern \"C\" fn ").skip(1) {
            defined.extend(
                line.split('(').next().filter(|name| name.starts_with("hashlanes_")).map(str::to_owned),
            );
        }
    }
    let script = fs::read_to_string(crate_root.join("hashlanes.map")).unwrap();
    let symbols = script.lines().map(str::trim).filter(|line| line.starts_with("hashlanes_"));
    let listed: BTreeSet<String> =
        symbols.filter_map(|line| line.strip_suffix(';')).map(str::to_owned).collect();
    assert!(script.starts_with("HASHLANES_0 {"));
    assert_eq!(defined, listed, "hashlanes.map lists what the sources define");
    let header = fs::read_to_string(crate_root.join("include/hashlanes.h")).unwrap();
    for name in &listed {
        assert!(
            header.contains(&format!("{name}(")),
            "{name} is not in the header; run `cargo xtask header`"
        );
    }
}

#[test]
fn sizes_stay() {
    assert_eq!((size_of::<hashlanes_hasher>(), align_of::<hashlanes_hasher>()), (448, 8));
    #[cfg(target_pointer_width = "64")]
    assert_eq!((size_of::<hashlanes_done>(), align_of::<hashlanes_done>()), (96, 8));
    #[cfg(target_pointer_width = "64")]
    assert_eq!((size_of::<hashlanes_cbc_message>(), align_of::<hashlanes_cbc_message>()), (48, 8));
    #[cfg(target_pointer_width = "64")]
    assert_eq!((size_of::<hashlanes_aegis_record>(), align_of::<hashlanes_aegis_record>()), (96, 8));
    #[cfg(target_pointer_width = "64")]
    assert_eq!((size_of::<hashlanes_ctr_message>(), align_of::<hashlanes_ctr_message>()), (56, 8));
    #[cfg(target_pointer_width = "64")]
    assert_eq!((size_of::<hashlanes_gcm_message>(), align_of::<hashlanes_gcm_message>()), (80, 8));
    assert_eq!(size_of::<hashlanes_error>(), 4);
}
