//! The table's two forms; the terminal's is the example of the module.

use hashlanes_testkit::table::Table;

#[test]
fn markdown() {
    let mut table = Table::new(["kernel", "level", "n"]);
    table.row(["avx2-x8", "a|b", "1000"]).row(["sse-x4", "Nehalem", "7"]);
    assert_eq!(
        table.markdown(),
        "| kernel  | level   |    n |\n\
         |---------|---------|-----:|\n\
         | avx2-x8 | a\\|b    | 1000 |\n\
         | sse-x4  | Nehalem |    7 |\n"
    );
}

#[test]
fn titles_alone() {
    let table = Table::new(["kernel", "ran"]);
    assert_eq!(table.to_string(), "kernel  ran\n------  ---\n");
    assert_eq!(table.markdown(), "| kernel | ran |\n|--------|-----|\n");
}

#[test]
#[should_panic(expected = "cells of a row")]
fn a_row_has_a_cell_for_each_title() {
    Table::new(["kernel", "ran"]).row(["avx2-x8"]);
}
