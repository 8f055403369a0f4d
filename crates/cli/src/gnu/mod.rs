//! The program as GNU's tools: `personality.rs`, and `cksum.rs` for the tool of that name, with options as
//! the C library reads them: `getopt.rs`.

mod cksum;
mod getopt;
mod personality;

pub(crate) use cksum::cksum;
pub(crate) use personality::Personality;
