//! Lists of files with their digests, read back, and what is said of the files.
//!
//! | file | holds |
//! |---|---|
//! | `item.rs` | what stands in a list |
//! | `text_lines.rs` | lines of a text that may be anything |
//! | `line.rs` | a line as GNU's tools, BSD's, and others for integrity write it |
//! | `dialect.rs` | the hashes and forms that a list may have, and what its lines have told |
//! | `records.rs` | a list of any format, file by file |
//! | `csv.rs` `json_array.rs` | records of CSV, objects of a JSON array |
//! | `malformed.rs` | tests: texts that are no lists |
//! | `verdicts.rs` | what is said of files that were checked, and of lists |

mod csv;
mod dialect;
mod item;
mod json_array;
mod line;
#[cfg(test)]
mod malformed;
mod records;
mod text_lines;
mod verdicts;

pub(crate) use dialect::{Dialect, Forms};
pub(crate) use item::{Item, Record, Trouble};
pub(crate) use line::{Accepts, LineReader};
pub(crate) use records::{Records, is_list};
pub(crate) use text_lines::{Line, TextLines};
pub(crate) use verdicts::{CheckOptions, Verbosity, Verdicts};
