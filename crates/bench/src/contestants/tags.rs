//! Lists of messages whose tags are results.

use arrayvec::ArrayVec;

/// Calls a function of many messages with a list of them, and copies their tags to the results. Few are in a
/// list on the stack: a caller has such a list already, and the heap takes longer than a short message.
pub(super) fn with_tags<'r, R, M, T: 'r>(
    results: &'r mut [R],
    message: impl Fn(usize, &'r mut R) -> (M, &'r mut T),
    run: impl FnOnce(&mut [M]),
    tag: impl Fn(&M) -> T,
) {
    const FEW: usize = 64;
    // Lists are filled where they are: a move copies the whole room.
    macro_rules! with {
        ($messages:expr, $places:expr) => {{
            let (mut messages, mut places) = ($messages, $places);
            for (i, result) in results.iter_mut().enumerate() {
                let (message, place) = message(i, result);
                messages.push(message);
                places.push(place);
            }
            run(&mut messages);
            messages.iter().zip(&mut places).for_each(|(message, place)| **place = tag(message));
        }};
    }
    if results.len() <= FEW {
        with!(ArrayVec::<M, FEW>::new(), ArrayVec::<&mut T, FEW>::new());
    } else {
        with!(Vec::new(), Vec::new());
    }
}
