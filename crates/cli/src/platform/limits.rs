//! Limits of the process.

use rustix::process::{Resource, Rlimit, setrlimit};

/// Descriptors that the process may have open; the soft limit is raised to the hard one.
pub(crate) fn open_files() -> usize {
    /// Used if the limit is unknown: fewer than any system allows.
    const FEW: u64 = 128;
    let few = Rlimit { current: Some(FEW), maximum: Some(FEW) };
    let mut limit = limit_of(Resource::Nofile).unwrap_or(few);
    if limit.current != limit.maximum {
        let raised = Rlimit { current: limit.maximum, ..limit };
        if setrlimit(Resource::Nofile, raised).is_ok() {
            limit = raised;
        }
    }
    limit.current.map_or(1 << 16, |n| n.min(1 << 16) as usize)
}

/// A limit of this process; `None` if it is unknown.
///
/// On Linux it is read from /proc: `getrlimit` of rustix cannot report a failure, and a sandbox may refuse
/// the call.
#[cfg(target_os = "linux")]
pub(crate) fn limit_of(resource: Resource) -> Option<Rlimit> {
    limit_in(&std::fs::read_to_string("/proc/self/limits").ok()?, resource)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn limit_of(resource: Resource) -> Option<Rlimit> {
    Some(rustix::process::getrlimit(resource))
}

/// Returns the limit in the text of /proc/self/limits.
#[cfg(target_os = "linux")]
fn limit_in(limits: &str, resource: Resource) -> Option<Rlimit> {
    let name = match resource {
        Resource::Nofile => "Max open files ",
        Resource::Memlock => "Max locked memory ",
        _ => return None,
    };
    let mut numbers = limits.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace();
    let mut next = || match numbers.next()? {
        "unlimited" => Some(None),
        number => number.parse().ok().map(Some),
    };
    Some(Rlimit { current: next()?, maximum: next()? })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_of_getrlimit() {
        for resource in [Resource::Nofile, Resource::Memlock] {
            assert_eq!(limit_of(resource), Some(rustix::process::getrlimit(resource)));
        }
        let limits = "Limit          Soft Limit  Hard Limit  Units\nMax open files 1024 unlimited files\n";
        let limit = Rlimit { current: Some(1024), maximum: None };
        assert_eq!(limit_in(limits, Resource::Nofile), Some(limit));
        assert_eq!(limit_in(limits, Resource::Memlock), None);
        assert_eq!(limit_in("Max open files 1024", Resource::Nofile), None);
        assert_eq!(limit_in("Max open files many 1", Resource::Nofile), None);
    }
}
