//! The program from outside: beside GNU coreutils with the same arguments, byte for byte, and where GNU has
//! nothing to compare with, against what its help promises.

mod audits;
mod caches;
mod changes;
mod documents;
mod faults;
mod finding;
mod formats;
mod ignore_files;
mod kernels;
mod lists;
mod name_lists;
mod names;
mod options;
mod resumed;
mod scene;
mod shards;
mod side_by_side;
mod streams;
mod tree_modes;
mod trees;
mod unreadable;
mod waiting;
mod wrong_use;
