//! Lists of files with their digests, read back.
//!
//! | file | holds |
//! |---|---|
//! | `item.rs` | the entries of a list |
//! | `text_lines.rs` | lines of a text that may be anything |
//! | `line.rs` | a line as GNU's tools, BSD's, and others for integrity write it |
//! | `dialect.rs` | the hashes and forms that a list may have, and those that its lines have shown |
//! | `records.rs` | a list of any format, file by file |
//! | `csv.rs` `json_array.rs` | records of CSV, objects of a JSON array |
//! | `malformed.rs` | tests: malformed lists |

mod csv;
mod dialect;
mod item;
mod json_array;
mod line;
#[cfg(test)]
mod malformed;
mod records;
mod text_lines;

pub use dialect::{Dialect, Forms};
pub use item::{Item, Record, Trouble};
pub use line::{Accepts, LineReader};
pub use records::{Records, is_list};
pub use text_lines::{Line, TextLines};
