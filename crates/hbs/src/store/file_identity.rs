//! The binding: facts that distinguish the directory of a key from a copy of it.
//!
//! A restored copy, made with any tool, is a new file or new bytes in an existing file. So `state` holds
//! facts of the very file it was written to, and facts of the files next to it, which no tool can restore:
//!
//! - **Birth times**, where only the kernel sets them (Linux: ext4 with inodes of 256 bytes, XFS, btrfs,
//!   tmpfs, ZFS, …). Each commit creates a new file with a new birth time and writes inode and birth time
//!   into it. The bytes of an older `state` are never accepted in any other file. Two successive states never
//!   have the same birth time: a commit waits for the next tick of the file system's clock.
//! - **Change times** on other file systems (ext2, ext3, ext4 with inodes of 128 bytes, FUSE, NFS). No call
//!   sets them, and writes and renames update them. A file cannot hold its own change time, so two files hold
//!   each other's: `state` holds that of `log` before the commit's record, and the record holds that of
//!   `state` after its renaming. At least one of the two must still be true.
//! - **Both** on macOS and the BSDs, where programs can set birth times.
//! - **Nothing** on file systems whose change times a program can set (sshfs). Keys there need a witness.
//!
//! An original file that was kept under another name would pass. So `state`, `lock`, `log` and `key` may have
//! only one name, and a commit is refused if `state` or `log` are not the files that this handle read or
//! wrote.
//!
//! The device number is not part of the binding. It changes with the order in which devices are found, and on
//! btrfs, overlayfs and tmpfs with the order of mounts. It would distinguish a copied block device from the
//! original only until one is mounted in place of the other. Only a witness detects copied devices.

use hashlanes_sha::sha256;

use crate::store::Error;
use crate::store::fields::{Reader, Writer};
use crate::store::file_system::{Facts, FileSystem, Open};
use crate::store::open_directory::Directory;

/// The facts of the file system that a copy cannot restore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evidence {
    Births,
    Changes,
    Both,
    Nothing,
}

/// A file, and the time of its last change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) inode: u64,
    pub(super) changed: u64,
}

impl Stamp {
    pub(super) fn of(facts: &Facts) -> Self {
        Self { inode: facts.inode, changed: facts.changed }
    }
}

/// A file: its number, its birth time (0 if the file system keeps none), and the time of its last change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileId {
    inode: u64,
    born: u64,
    changed: u64,
}

impl FileId {
    fn of(facts: &Facts) -> Self {
        Self { inode: facts.inode, born: facts.born.unwrap_or(0), changed: facts.changed }
    }
}

/// The place of a directory: the same for all states that are written there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    machine: [u8; 32],
    volume: u64,
    lock: FileId,
}

impl Place {
    pub(super) fn of<F: FileSystem>(directory: &Directory<F>, lock: &Facts) -> Result<Self, Error> {
        let machine = machine(&directory.file_system);
        Ok(Self { machine, volume: directory.volume()?, lock: FileId::of(lock) })
    }
}

/// SHA-256 of the machine's identity.
pub(super) fn machine(file_system: &impl FileSystem) -> [u8; 32] {
    sha256(&file_system.machine())
}

impl Evidence {
    /// Determines which facts the file system keeps.
    pub(super) fn of<F: FileSystem>(directory: &Directory<F>, lock: &Facts) -> Result<Self, Error> {
        if lock.born.is_some() && !directory.file_system.can_set_births() {
            return Ok(Self::Births);
        }
        Ok(match (change_times_can_be_set(directory)?, lock.born) {
            (true, _) => Self::Nothing,
            (false, Some(_)) => Self::Both,
            (false, None) => Self::Changes,
        })
    }

    fn has_births(self) -> bool {
        matches!(self, Self::Births | Self::Both)
    }

    fn has_changes(self) -> bool {
        matches!(self, Self::Changes | Self::Both)
    }

    /// Whether a new file can be distinguished from the file that it will replace. If not, the clock has to
    /// tick first.
    pub(super) fn distinguishes(self, new: &Facts, old: &Facts) -> bool {
        match self {
            Self::Births | Self::Both => new.born != old.born,
            Self::Changes => new.changed != old.changed,
            Self::Nothing => true,
        }
    }

    fn to_number(self) -> u32 {
        match self {
            Self::Births => 1,
            Self::Changes => 2,
            Self::Both => 3,
            Self::Nothing => 4,
        }
    }
}

/// Whether a call that sets the modification time also sets the change time, as on sshfs.
fn change_times_can_be_set<F: FileSystem>(directory: &Directory<F>) -> Result<bool, Error> {
    const NAME: &str = "probe.new";
    /// A time in 2001, which no clock shows today.
    const SECONDS: u64 = 1_000_000_000;
    directory.remove(NAME)?;
    let file = directory.create_file(NAME, Open::New)?;
    let file_system = &directory.file_system;
    let changed = file_system.set_times(&file, SECONDS).and_then(|()| file_system.facts(&file));
    let changed = changed.map_err(directory.failed("setting the times of", NAME));
    directory.remove(NAME)?;
    Ok(changed?.changed / 1_000_000_000 == SECONDS)
}

/// The facts in a state about the place where it was written, its file, and the files next to it.
///
/// ```text
/// bytes    field of `state`
/// 4        evidence: 1 birth times, 2 change times, 3 both, 4 nothing
/// 32       SHA-256 of the machine's identity
/// 8        volume: `f_fsid` on btrfs and ZFS, 0 elsewhere
/// 3 × 8    the file `lock`: inode, birth time, change time
/// 2 × 8    this file: inode, birth time
/// 2 × 8    the file `log` before the record of this commit: inode, change time
/// ```
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding {
    pub(super) evidence: Evidence,
    place: Place,
    state: FileId,
    log: Stamp,
}

impl Binding {
    /// Creates the binding of a state that is written to the file `state`.
    pub(super) fn new(evidence: Evidence, place: &Place, state: &Facts, log: Stamp) -> Self {
        Self { evidence, place: *place, state: FileId::of(state), log }
    }

    /// Compares it with the present directory, and returns the difference. `recorded` is the stamp of `state`
    /// in the last record of the log.
    pub(super) fn difference(
        &self,
        place: &Place,
        state: &Facts,
        log: Stamp,
        recorded: Stamp,
    ) -> Option<&'static str> {
        let Self { evidence, place: written, .. } = self;
        let same_file = |written: FileId, here: FileId| {
            written.inode == here.inode && (!evidence.has_births() || written.born == here.born)
        };
        let lock_is_unchanged = !evidence.has_changes() || written.lock.changed == place.lock.changed;
        let state_is_known = !evidence.has_changes() || recorded == Stamp::of(state) || self.log == log;
        if written.machine != place.machine {
            Some("the machine")
        } else if written.volume != place.volume {
            Some("the volume")
        } else if *evidence == Evidence::Nothing {
            None
        } else if !same_file(written.lock, place.lock) || !lock_is_unchanged {
            Some("the file lock")
        } else if !same_file(self.state, FileId::of(state)) || !state_is_known {
            Some("the file state")
        } else {
            None
        }
    }

    pub(super) fn write(&self, to: Writer) -> Writer {
        let Place { machine, volume, lock } = &self.place;
        to.put(&self.evidence.to_number().to_be_bytes())
            .put(machine)
            .number(*volume)
            .number(lock.inode)
            .number(lock.born)
            .number(lock.changed)
            .number(self.state.inode)
            .number(self.state.born)
            .number(self.log.inode)
            .number(self.log.changed)
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let evidence = match u32::from_be_bytes(reader.array()?) {
            1 => Evidence::Births,
            2 => Evidence::Changes,
            3 => Evidence::Both,
            4 => Evidence::Nothing,
            _ => return Err(reader.damaged("has an unknown binding")),
        };
        let (machine, volume) = (reader.array()?, reader.number()?);
        let lock = FileId { inode: reader.number()?, born: reader.number()?, changed: reader.number()? };
        let state = FileId { inode: reader.number()?, born: reader.number()?, changed: 0 };
        let log = Stamp { inode: reader.number()?, changed: reader.number()? };
        Ok(Self { evidence, place: Place { machine, volume, lock }, state, log })
    }
}
