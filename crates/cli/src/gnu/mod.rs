//! The program as GNU's tools: `personality.rs`, and `cksum.rs` for the tool of that name, with options as
//! the C library reads them: `getopt.rs`. Options that lead to no request: `stop.rs`.

mod cksum;
mod getopt;
mod personality;
mod stop;

pub(crate) use cksum::cksum;
pub(crate) use personality::Personality;

use crate::files::Directories;
use crate::hashing::Io;
use crate::limits::Limits;
use crate::message::Speaker;
use crate::output::Order;
use crate::progress::Shown;
use crate::sum::{OnChange, Request, Task};
use hashlanes_formats::hash::Hash;

/// A request as GNU's tools have it: in the order of the operands, and nothing of what they do not offer.
fn request(speaker: Speaker, hashes: Vec<Hash>, task: Task, files: Vec<Vec<u8>>) -> Request {
    Request {
        speaker,
        hashes,
        key: None,
        task,
        directories: Directories::Refuse,
        order: Order::Kept,
        limits: Limits::of_process(None),
        progress: Shown::Never,
        cache: None,
        output: None,
        io: Io::Auto,
        on_change: OnChange::Nothing,
        files,
        names_from: None,
        directory: None,
    }
}
