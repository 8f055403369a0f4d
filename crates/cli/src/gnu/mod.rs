//! The program as GNU's tools: `personality.rs`, with options as the C library reads them: `getopt.rs`.

mod getopt;
mod personality;

pub(crate) use personality::Personality;
