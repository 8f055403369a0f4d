//! Lists of messages whose tags are results.

/// Messages in a list on the stack: a caller has a list already, and the heap takes longer than a short
/// message.
pub(super) const FEW: usize = 64;

/// Calls `$run` with a list of the messages that `$message` makes of a number and a result, each with the
/// place of its tag, and copies the tags there.
///
/// Not a function: messages that a closure returns are written by 8 bytes and copied by 16, and each copy
/// waits for the stores, 15 cycles a message.
macro_rules! with_tags {
    ($results:expr, |$i:pat_param, $result:pat_param| $message:expr, $run:expr) => {{
        let (results, run) = ($results, $run);
        // Lists are filled where they are: a move copies the whole room.
        macro_rules! with {
            ($list:expr, $tags:expr) => {{
                let (mut messages, mut places) = ($list, $tags);
                for ($i, $result) in results.iter_mut().enumerate() {
                    let (message, place) = $message;
                    messages.push(message);
                    places.push(place);
                }
                run(&mut messages);
                messages.iter().zip(&mut places).for_each(|(message, place)| **place = message.tag);
            }};
        }
        if results.len() <= $crate::contestants::tags::FEW {
            with!(
                arrayvec::ArrayVec::<_, { $crate::contestants::tags::FEW }>::new(),
                arrayvec::ArrayVec::<_, { $crate::contestants::tags::FEW }>::new()
            );
        } else {
            with!(Vec::new(), Vec::new());
        }
    }};
}
pub(super) use with_tags;
