//! Options that are given or not.

/// Whether `--option` was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Given {
    #[default]
    No,
    Yes,
}

impl From<bool> for Given {
    fn from(flag: bool) -> Self {
        if flag { Given::Yes } else { Given::No }
    }
}
