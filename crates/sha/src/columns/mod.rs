//! Arrow-shaped columns: many values in few buffers.
//!
//! | Arrow's layout | made by | row i |
//! |---|---|---|
//! | Binary, Utf8, and their large forms | [`Column::binary`] | `values[offsets[i]..offsets[i + 1]]` |
//! | FixedSizeBinary | [`Column::fixed_size`] | `values[i * len_bytes..][..len_bytes]` |
//! | BinaryView, Utf8View | [`Column::views`] | in the view itself, or in one of the buffers |
//!
//! Rows that fit into one block, with the prefix and the padding, are padded next to each other, and go
//! through a kernel as equal messages of a block. The others are hashed as many messages. The loop over rows
//! is compiled for each layout; the code that handles digests is not, so it gets them through a `dyn` trait.
//! A few rows are hashed as many messages, whatever their length.
//!
//! | file | holds |
//! |---|---|
//! | `column.rs` | [`Column`]: its layout, its nulls, its prefix; the check of its shape |
//! | `rows.rs` | the layouts, and the rows of each |
//! | `digest.rs` | their digests: short ones padded next to each other, the others as many messages |

mod column;
mod digest;
mod rows;

pub use column::Column;
pub use rows::Offset;
