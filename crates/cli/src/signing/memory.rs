//! What keeps secret keys from leaving the memory of this process.

use rustix::process::{Resource, Rlimit, setrlimit};

/// Forbids core dumps and debuggers, and keeps the memory out of swap where the limit allows that.
///
/// All of it is a precaution: what the system refuses is left out. The memory is locked only if no limit applies,
/// because under a limit later allocations would fail.
pub(super) fn protect() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    let _ = setrlimit(Resource::Core, none);
    #[cfg(target_os = "linux")]
    if crate::limits::limit_of(Resource::Memlock).is_some_and(|limit| limit.current.is_none()) {
        use rustix::mm::{MlockAllFlags, mlockall};
        // Pages are locked when they are used first, not all at once.
        let _ = mlockall(MlockAllFlags::CURRENT | MlockAllFlags::FUTURE | MlockAllFlags::ONFAULT);
    }
}
