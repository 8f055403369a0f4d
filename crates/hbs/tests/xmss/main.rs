//! XMSS and XMSS^MT against other implementations, against the specification, and in wrong use.

mod botan;
mod claims;
mod encodings;
mod kernels;
mod nodes_file;
mod outside;
mod small;
mod wrong_use;
