//! Each promise of SECURITY.md has tests that exist.

use std::fs;
use std::path::Path;

/// A row names files, each followed by the names of its tests if only some are meant.
#[test]
fn the_tests_of_the_promises_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let page = fs::read_to_string(root.join("SECURITY.md")).expect("SECURITY.md");
    let (_, table) = page.split_once("| promise | test |").expect("the table of tests");
    let (mut n_rows, mut wrong) = (0, Vec::new());
    for row in table.lines().filter_map(|line| line.strip_prefix("| ")) {
        n_rows += 1;
        let mut text = None;
        let quoted: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
        for name in quoted {
            if name.contains('/') {
                text = fs::read_to_string(root.join(name)).ok();
                if text.is_none() {
                    wrong.push(format!("{name} does not exist"));
                }
            } else if !text.as_ref().is_some_and(|text| text.contains(&format!("fn {name}("))) {
                wrong.push(format!("the file before has no test {name}"));
            }
        }
        if text.is_none() {
            wrong.push(format!("no test: {row}"));
        }
    }
    assert!(n_rows > 15 && wrong.is_empty(), "{n_rows} rows, {wrong:#?}");
}
