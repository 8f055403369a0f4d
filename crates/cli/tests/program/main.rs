//! The program from outside: beside GNU coreutils with the same arguments, byte for byte, and where GNU has
//! nothing to compare with, against what its help promises.

mod changes;
mod faults;
mod formats;
mod kernels;
mod lists;
mod names;
mod options;
mod scene;
mod side_by_side;
mod streams;
mod tree_modes;
mod trees;
mod unreadable;
mod wrong_use;
