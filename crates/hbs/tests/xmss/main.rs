//! XMSS and XMSS^MT against other implementations and against the specification.
mod small;
