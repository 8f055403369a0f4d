//! The crate `tape-sha256`: many messages in lanes.

use crate::candidate::{Candidate, Entry, NotApplicable, Presence, crate_version};
use crate::input::Input;
use crate::work::{Hash, Shape, Text};
use std::hint::black_box;
use std::rc::Rc;

/// `tape-sha256`.
pub(crate) struct Tape;

impl Candidate for Tape {
    fn name(&self) -> &str {
        "tape-sha256"
    }

    fn about(&self) -> String {
        format!("the crate tape-sha256: many messages in lanes (here {})", tape_sha256::backend())
    }

    fn presence(&self) -> Presence {
        Presence::Here(crate_version("tape-sha256"))
    }

    fn enter<'a>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
        if input.work().hash != Hash::Sha256 {
            return Err(NotApplicable::hash(input.work().hash));
        }
        let one = |message: &[u8]| {
            let mut hasher = tape_sha256::Sha256::new();
            hasher.update(message);
            hasher.finish()
        };
        match input.work().shape {
            Shape::One { .. } | Shape::Rows { text: Text::Hex, .. } => {
                Ok(Entry::one_by_one(self.name(), input, one))
            }
            _ => {
                let messages: Rc<[&[u8]]> = input.messages().into();
                Ok(Entry::new(self.name(), input, [0; 32], move |out| {
                    tape_sha256::hash_many(black_box(&messages), out);
                }))
            }
        }
    }
}
