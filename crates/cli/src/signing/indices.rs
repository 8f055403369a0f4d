//! Indices in messages.

/// Indices, as people write them: from the first to the last.
pub(super) fn indices(first: u64, end: u64) -> String {
    match end.saturating_sub(first) {
        0 => "no index".into(),
        1 => format!("index {first}"),
        _ => format!("indices {first} to {}", end - 1),
    }
}
