//! XMSS and XMSS^MT against other implementations, against the specification, and in wrong use.

mod botan;
mod bouncycastle;
mod claims;
mod encodings;
mod kernels;
mod live;
mod nodes_file;
mod outside;
mod small;
mod wrong_use;
