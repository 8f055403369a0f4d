//! What keeps secret keys from leaving the memory of this process.

#[cfg(target_os = "linux")]
use rustix::process::getrlimit;
use rustix::process::{Resource, Rlimit, setrlimit};

/// Forbids core dumps and debuggers, and keeps the memory out of swap where the limit allows that.
///
/// All of it is a precaution: what the system refuses is left out. The memory is locked only if no limit applies,
/// because under a limit later allocations would fail.
pub(super) fn protect() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    if setrlimit(Resource::Core, none).is_err() {
        // Where limits cannot be set, rustix panics when they are read.
        return;
    }
    #[cfg(target_os = "linux")]
    if getrlimit(Resource::Memlock).current.is_none() {
        use rustix::mm::{MlockAllFlags, mlockall};
        // Pages are locked when they are used first, not all at once.
        let _ = mlockall(MlockAllFlags::CURRENT | MlockAllFlags::FUTURE | MlockAllFlags::ONFAULT);
    }
}
