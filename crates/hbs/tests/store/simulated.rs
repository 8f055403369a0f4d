//! A file system in memory that fails, processes only a part, forgets unsynced data, or dies, at any call.
//!
//! It is stricter than real ones. After a loss of power a file's bytes exist if the file was synced, and its
//! name exists if the directory was synced. Data of a failed fsync can be read until then, and is zeros
//! afterwards, even if later calls succeed.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Component, Path};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use hashlanes_hbs::store::file_system::{Facts, FileSystem, Kind, Open};

const ROOT: usize = 0;

/// The fault at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The process dies before the call; half of a write is done.
    Kill,
    /// The call fails once, with this error number; half of a write is done.
    Once(i32),
    /// The call fails, and so do all later ones of its kind.
    Always(i32),
    /// A write stores only one byte, and so do all later ones.
    Short,
}

/// The content of the disk after a process died.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// Everything: only the process died.
    Everything,
    /// The synced data.
    Synced,
    /// All names, and the synced bytes of the files: this produces empty files.
    SyncedBytes,
    /// All bytes, and the synced names.
    SyncedNames,
}

/// A call that does nothing and reports success: a mutant of the code that omits it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Left(pub(crate) &'static str, pub(crate) &'static str);

/// The content of a file.
#[derive(Clone, Debug, Default)]
struct Content {
    bytes: Vec<u8>,
    synced: Vec<u8>,
    /// The data that a failed fsync should have stored.
    lost: Vec<Range<usize>>,
}

#[derive(Clone, Debug)]
enum Node {
    File(Content),
    Directory { names: BTreeMap<String, usize>, synced: BTreeMap<String, usize> },
    Pipe,
}

#[derive(Clone, Debug)]
struct Inode {
    node: Node,
    mode: u32,
    owner: u32,
    number: u64,
    born: u64,
    changed: u64,
}

/// The facts that a file system keeps of its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Keeps {
    pub(crate) births: Births,
    /// The resolution of times in nanoseconds.
    pub(crate) tick: u64,
    /// Whether a new file gets the number of a deleted one.
    pub(crate) reuses_numbers: bool,
    /// Whether the change time follows the modification time, as on sshfs.
    pub(crate) change_times_can_be_set: bool,
}

/// Birth times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Births {
    Kept,
    /// Like macOS and the BSDs.
    CanBeSet,
    NotKept,
}

impl Keeps {
    /// ext4 with inodes of 256 bytes, without its coarse clock.
    pub(crate) const ALL: Self =
        Self { births: Births::Kept, tick: 1, reuses_numbers: true, change_times_can_be_set: false };
    /// ext2, and ext4 with inodes of 128 bytes.
    pub(crate) const SECONDS: Self = Self { births: Births::NotKept, tick: 1_000_000_000, ..Self::ALL };
    /// A network file system.
    pub(crate) const CHANGES: Self = Self { births: Births::NotKept, ..Self::ALL };
    /// APFS, UFS.
    pub(crate) const BOTH: Self = Self { births: Births::CanBeSet, ..Self::ALL };
    /// sshfs.
    pub(crate) const NOTHING: Self = Self { change_times_can_be_set: true, ..Self::CHANGES };
}

#[derive(Clone, Debug)]
struct World {
    inodes: Vec<Inode>,
    /// The holder of each lock: the number of its handle.
    locks: HashMap<usize, u64>,
    next_handle: u64,
    calls: u64,
    fault: Option<(u64, Fault)>,
    /// Since the last start.
    was_planned: bool,
    /// A kind of call that fails from now on.
    broken: Option<(&'static str, i32)>,
    short: bool,
    dead: bool,
    left: Option<Left>,
    /// Before that call another process gives a file a second name: from, to.
    link_at: Option<(u64, &'static str, &'static str)>,
    /// Capacity in bytes for all files together.
    capacity: usize,
    trace: Vec<String>,
    machine: Vec<u8>,
    user: u32,
    process: u32,
    device: u64,
    volume: u64,
    keeps: Keeps,
    /// The time in nanoseconds.
    clock: u64,
    paused: Duration,
}

/// A file system, and the machine.
#[derive(Clone, Debug)]
pub(crate) struct Simulated(Arc<Mutex<World>>);

/// The content of the disk at one time.
#[derive(Clone, Debug)]
pub(crate) struct Disk {
    inodes: Vec<Inode>,
    keeps: Keeps,
    clock: u64,
}

#[derive(Debug)]
pub(crate) struct Handle {
    world: Simulated,
    inode: usize,
    number: u64,
    name: String,
}

impl Drop for Handle {
    fn drop(&mut self) {
        let mut world = self.world.world();
        if world.locks.get(&self.inode) == Some(&self.number) {
            world.locks.remove(&self.inode);
        }
    }
}

fn inode(node: Node, mode: u32) -> Inode {
    Inode { node, mode, owner: 0, number: 0, born: 0, changed: 0 }
}

fn directory() -> Inode {
    inode(Node::Directory { names: BTreeMap::new(), synced: BTreeMap::new() }, 0o700)
}

fn error(number: i32) -> io::Error {
    io::Error::from_raw_os_error(number)
}

pub(crate) const ENOENT: i32 = 2;
pub(crate) const EINTR: i32 = 4;
pub(crate) const EIO: i32 = 5;
const EEXIST: i32 = 17;
const ENOTDIR: i32 = 20;
pub(crate) const ENOSPC: i32 = 28;
pub(crate) const EROFS: i32 = 30;
const ELOOP: i32 = 40;
pub(crate) const EDQUOT: i32 = 122;

impl Simulated {
    pub(crate) fn new() -> Self {
        Self::keeping(Keeps::ALL)
    }

    /// Creates an empty file system that keeps these facts.
    pub(crate) fn keeping(keeps: Keeps) -> Self {
        Self(Arc::new(Mutex::new(World {
            inodes: vec![directory()],
            locks: HashMap::new(),
            next_handle: 0,
            calls: 0,
            fault: None,
            was_planned: false,
            broken: None,
            short: false,
            dead: false,
            left: None,
            link_at: None,
            capacity: usize::MAX,
            trace: Vec::new(),
            machine: b"this machine".to_vec(),
            user: 0,
            process: 1,
            device: 7,
            volume: 1,
            keeps,
            clock: 1_700_000_000_000_000_000,
            paused: Duration::ZERO,
        })))
    }

    /// Creates a file system with the content of a disk.
    pub(crate) fn with(disk: &Disk) -> Self {
        let new = Self::keeping(disk.keeps);
        new.world().inodes.clone_from(&disk.inodes);
        new.world().clock = disk.clock;
        new
    }

    /// Returns an independent copy.
    pub(crate) fn fork(&self) -> Self {
        Self(Arc::new(Mutex::new(self.world().clone())))
    }

    fn world(&self) -> MutexGuard<'_, World> {
        self.0.lock().unwrap()
    }

    /// Returns the disk after some time, when the system has written everything.
    pub(crate) fn disk(&self) -> Disk {
        let world = self.world();
        let mut inodes = world.inodes.clone();
        for inode in &mut inodes {
            match &mut inode.node {
                Node::File(file) => file.synced.clone_from(&file.bytes),
                Node::Directory { names, synced } => synced.clone_from(names),
                Node::Pipe => {}
            }
        }
        Disk { inodes, keeps: world.keeps, clock: world.clock }
    }

    /// Plans a fault at the call after `calls` others, counted from now on.
    pub(crate) fn plan(&self, calls: u64, fault: Fault) {
        let mut world = self.world();
        (world.calls, world.fault, world.was_planned) = (0, Some((calls, fault)), true);
    }

    /// Plans that another process gives a file a second name, right before the call of that number, counted
    /// from now.
    pub(crate) fn link_at(&self, call: u64, from: &'static str, to: &'static str) {
        let mut world = self.world();
        (world.calls, world.link_at) = (0, Some((call, from, to)));
    }

    pub(crate) fn leave_out(&self, left: Left) {
        self.world().left = Some(left);
    }

    /// Returns whether the planned fault was reached.
    pub(crate) fn has_failed(&self) -> bool {
        let world = self.world();
        world.was_planned && world.fault.is_none()
    }

    /// Returns whether the process died, and was not started again.
    pub(crate) fn has_died(&self) -> bool {
        self.world().dead
    }

    /// Returns the number of calls since the last plan.
    pub(crate) fn calls(&self) -> u64 {
        self.world().calls
    }

    /// Returns the calls since the last call of this function.
    pub(crate) fn take_trace(&self) -> Vec<String> {
        std::mem::take(&mut self.world().trace)
    }

    /// Ends the process and its locks; the next process finds the disk according to `after`.
    pub(crate) fn restart(&self, after: After) {
        let mut world = self.world();
        world.locks.clear();
        (world.fault, world.broken, world.short, world.dead) = (None, None, false, false);
        world.was_planned = false;
        for inode in &mut world.inodes {
            match &mut inode.node {
                Node::File(Content { bytes, synced, lost }) => {
                    if matches!(after, After::Synced | After::SyncedBytes) {
                        bytes.clone_from(synced);
                        lost.clear();
                    }
                }
                Node::Directory { names, synced } => {
                    if matches!(after, After::Synced | After::SyncedNames) {
                        names.clone_from(synced);
                    }
                }
                Node::Pipe => {}
            }
        }
    }

    pub(crate) fn set_capacity(&self, bytes: usize) {
        self.world().capacity = bytes;
    }
    pub(crate) fn used(&self) -> usize {
        self.world().used()
    }
    pub(crate) fn set_machine(&self, machine: &[u8]) {
        self.world().machine = machine.to_vec();
    }
    pub(crate) fn set_user(&self, user: u32) {
        self.world().user = user;
    }
    pub(crate) fn set_process(&self, process: u32) {
        self.world().process = process;
    }
    pub(crate) fn set_device(&self, device: u64) {
        self.world().device = device;
    }
    pub(crate) fn set_keeps(&self, keeps: Keeps) {
        self.world().keeps = keeps;
    }
    pub(crate) fn keeps(&self) -> Keeps {
        self.world().keeps
    }
    pub(crate) fn set_volume(&self, volume: u64) {
        self.world().volume = volume;
    }
    pub(crate) fn paused(&self) -> Duration {
        self.world().paused
    }

    /// Changes a file's bytes without updating its times.
    pub(crate) fn tamper(&self, path: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let mut world = self.world();
        let inode = world.find(Path::new(path)).unwrap_or_else(|_| panic!("{path}"));
        match &mut world.inodes[inode].node {
            Node::File(Content { bytes, synced, .. }) => {
                change(bytes);
                synced.clone_from(bytes);
            }
            _ => panic!("{path} is no file"),
        }
        world.change(inode);
    }

    pub(crate) fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        let world = self.world();
        match &world.inodes[world.find(Path::new(path)).ok()?].node {
            Node::File(file) => Some(file.bytes.clone()),
            _ => None,
        }
    }

    /// Returns the names in a directory.
    pub(crate) fn names(&self, path: &str) -> Vec<String> {
        let mut world = self.world();
        let inode = world.find(Path::new(path)).unwrap();
        world.names(inode).unwrap().keys().cloned().collect()
    }

    pub(crate) fn set_mode(&self, path: &str, mode: u32) {
        let mut world = self.world();
        let inode = world.find(Path::new(path)).unwrap();
        world.inodes[inode].mode = mode;
        world.change(inode);
    }

    /// Removes a name; puts a pipe there if `pipe` is set.
    pub(crate) fn remove(&self, path: &str, pipe: bool) {
        let path = Path::new(path);
        let mut world = self.world();
        let parent = world.find(path.parent().unwrap()).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        world.names(parent).unwrap().remove(name);
        if pipe {
            world.add(parent, name, inode(Node::Pipe, 0o600)).unwrap();
        }
        world.sync_names(parent);
    }

    /// Copies a file or a directory, with new inodes; replaces `to`.
    pub(crate) fn copy(&self, from: &str, to: &str) {
        let mut world = self.world();
        let inode = world.find(Path::new(from)).unwrap();
        let copy = world.copy(inode);
        let to = Path::new(to);
        let parent = world.find(to.parent().unwrap()).unwrap();
        let name = to.file_name().unwrap().to_str().unwrap().to_string();
        world.names(parent).unwrap().insert(name, copy);
        world.sync_names(parent);
    }

    /// Gives a file a second name, like `ln`; replaces an existing file of that name.
    pub(crate) fn link(&self, from: &str, to: &str) {
        let mut world = self.world();
        let inode = world.find(Path::new(from)).unwrap();
        world.give_name(inode, to);
    }

    /// Renames a file, like `mv`.
    pub(crate) fn move_to(&self, from: &str, to: &str) {
        self.link(from, to);
        self.remove(from, false);
    }
}

impl World {
    /// Returns the number of bytes of all files that have a name.
    fn used(&self) -> usize {
        self.used_by(ROOT)
    }

    /// Updates the change time.
    fn change(&mut self, inode: usize) {
        self.inodes[inode].changed = self.clock / self.keeps.tick * self.keeps.tick;
    }

    fn give_name(&mut self, inode: usize, path: &str) {
        let path = Path::new(path);
        let parent = self.find(path.parent().unwrap()).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        self.names(parent).unwrap().insert(name, inode);
        self.sync_names(parent);
        self.change(inode);
    }

    /// Returns the number of names of a file, in all directories.
    fn links(&self, inode: usize) -> u64 {
        let names = self.inodes.iter().map(|inode| match &inode.node {
            Node::Directory { names, .. } => names,
            _ => const { &BTreeMap::new() },
        });
        names.flat_map(BTreeMap::values).filter(|there| **there == inode).count() as u64
    }

    /// Adds a file without a name; it gets the lowest free number.
    fn push(&mut self, mut inode: Inode) -> usize {
        let index = self.inodes.len();
        inode.number = index as u64;
        inode.owner = self.user;
        if self.keeps.reuses_numbers {
            let used = |number: u64| {
                (0..index).any(|there| self.inodes[there].number == number && self.links(there) > 0)
            };
            inode.number = (1..).find(|number| !used(*number)).expect("numbers are enough");
        }
        self.inodes.push(inode);
        self.change(index);
        self.inodes[index].born = self.inodes[index].changed;
        index
    }

    fn used_by(&self, inode: usize) -> usize {
        match &self.inodes[inode].node {
            Node::File(file) => file.bytes.len(),
            Node::Directory { names, .. } => names.values().map(|inode| self.used_by(*inode)).sum(),
            Node::Pipe => 0,
        }
    }

    fn names(&mut self, inode: usize) -> io::Result<&mut BTreeMap<String, usize>> {
        match &mut self.inodes[inode].node {
            Node::Directory { names, .. } => Ok(names),
            _ => Err(error(ENOTDIR)),
        }
    }

    fn sync_names(&mut self, inode: usize) {
        if let Node::Directory { names, synced } = &mut self.inodes[inode].node {
            synced.clone_from(names);
        }
    }

    fn find(&self, path: &Path) -> io::Result<usize> {
        let mut inode = ROOT;
        for component in path.components() {
            let Component::Normal(name) = component else { continue };
            match &self.inodes[inode].node {
                Node::Directory { names, .. } => {
                    inode = *names.get(name.to_str().unwrap()).ok_or_else(|| error(ENOENT))?;
                }
                _ => return Err(error(ENOTDIR)),
            }
        }
        Ok(inode)
    }

    fn entry(&mut self, at: usize, name: &str) -> io::Result<usize> {
        self.names(at)?.get(name).copied().ok_or_else(|| error(ENOENT))
    }

    fn add(&mut self, at: usize, name: &str, inode: Inode) -> io::Result<usize> {
        if self.names(at)?.contains_key(name) {
            return Err(error(EEXIST));
        }
        let number = self.push(inode);
        self.names(at)?.insert(name.into(), number);
        Ok(number)
    }

    fn copy(&mut self, inode: usize) -> usize {
        let mut copy = self.inodes[inode].clone();
        if let Node::Directory { names, synced } = &mut copy.node {
            for child in names.values_mut() {
                *child = self.copy(*child);
            }
            synced.clone_from(names);
        }
        self.push(copy)
    }

    /// Counts a call, and fails if a fault is planned for it. Returns `Ok(false)` if it is left out.
    fn call(&mut self, kind: &'static str, name: &str) -> io::Result<bool> {
        if self.dead {
            return Err(error(EIO));
        }
        self.trace.push(format!("{kind} {name}"));
        self.clock += 1000;
        let number = self.calls;
        self.calls += 1;
        if let Some((at, from, to)) = self.link_at
            && at == number
        {
            self.link_at = None;
            let inode = self.find(Path::new(from)).expect("a file to be linked");
            self.give_name(inode, to);
        }
        if let Some((at, fault)) = self.fault
            && at == number
        {
            self.fault = None;
            match fault {
                Fault::Kill => {
                    self.dead = true;
                    return Err(error(EIO));
                }
                Fault::Once(number) => return Err(error(number)),
                Fault::Always(number) => self.broken = Some((kind, number)),
                Fault::Short => self.short = true,
            }
        }
        match self.broken {
            Some((broken, number)) if broken == kind => Err(error(number)),
            _ => Ok(self.left.is_none_or(|left| (left.0, left.1) != (kind, name))),
        }
    }

    fn file(&mut self, handle: &Handle) -> io::Result<&mut Content> {
        match &mut self.inodes[handle.inode].node {
            Node::File(file) => Ok(file),
            _ => Err(error(EIO)),
        }
    }

    fn facts(&self, inode: usize) -> Facts {
        let (kind, length) = match &self.inodes[inode].node {
            Node::File(file) => (Kind::File, file.bytes.len() as u64),
            Node::Directory { .. } => (Kind::Directory, 0),
            Node::Pipe => (Kind::Other, 0),
        };
        let links = self.links(inode);
        let Inode { mode, owner, number, born, changed, .. } = self.inodes[inode];
        let born = (self.keeps.births != Births::NotKept).then_some(born);
        Facts { kind, mode, owner, device: self.device, inode: number, born, changed, links, length }
    }
}

impl Simulated {
    fn handle(&self, world: &mut World, inode: usize, name: &str) -> Handle {
        world.next_handle += 1;
        Handle { world: self.clone(), inode, number: world.next_handle, name: name.into() }
    }
}

impl FileSystem for Simulated {
    type Directory = Handle;
    type File = Handle;

    fn create_directory(&self, at: &Handle, name: &Path) -> io::Result<()> {
        let mut world = self.world();
        let name = name.to_str().unwrap();
        world.call("mkdir", name)?;
        world.add(at.inode, name, directory()).map(drop)
    }

    fn open_directory(&self, path: &Path) -> io::Result<Handle> {
        let mut world = self.world();
        world.call("open directory", &path.display().to_string())?;
        let inode = world.find(path)?;
        world.names(inode)?;
        Ok(self.handle(&mut world, inode, "."))
    }

    fn open_directory_at(&self, at: &Handle, name: &Path) -> io::Result<Handle> {
        let mut world = self.world();
        let name = name.to_str().unwrap();
        world.call("open directory", name)?;
        let inode = world.entry(at.inode, name)?;
        world.names(inode)?;
        Ok(self.handle(&mut world, inode, "."))
    }

    fn open(&self, at: &Handle, name: &str, how: Open) -> io::Result<Handle> {
        let mut world = self.world();
        world.call("open", name)?;
        let mode = match how {
            Open::Read | Open::Append => {
                let inode = world.entry(at.inode, name)?;
                return match world.inodes[inode].node {
                    Node::Directory { .. } => Err(error(ELOOP)),
                    _ => Ok(self.handle(&mut world, inode, name)),
                };
            }
            Open::New => 0o600,
            Open::NewReadOnly => 0o400,
            Open::NewPublic => 0o644,
        };
        let node = Node::File(Content::default());
        let inode = world.add(at.inode, name, inode(node, mode))?;
        Ok(self.handle(&mut world, inode, name))
    }

    fn read_at(&self, file: &Handle, to: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut world = self.world();
        world.call("read", &file.name)?;
        let most = if world.short { 1 } else { usize::MAX };
        let bytes = &world.file(file)?.bytes;
        let from = bytes.get(offset as usize..).unwrap_or_default();
        let n = from.len().min(to.len()).min(most);
        to[..n].copy_from_slice(&from[..n]);
        Ok(n)
    }

    fn write(&self, file: &Handle, bytes: &[u8]) -> io::Result<usize> {
        let mut world = self.world();
        let was_dead = world.dead;
        let called = world.call("write", &file.name);
        let room = world.capacity.saturating_sub(world.used());
        let n = match &called {
            Err(_) if was_dead => return called.map(|_| 0),
            Err(_) => bytes.len() / 2,
            Ok(_) if world.short => 1,
            Ok(_) => bytes.len(),
        };
        if room == 0 {
            return called.and(Err(error(ENOSPC)));
        }
        let n = n.min(room);
        world.file(file)?.bytes.extend_from_slice(&bytes[..n]);
        world.change(file.inode);
        called.map(|_| n)
    }

    fn truncate(&self, file: &Handle, length: u64) -> io::Result<()> {
        let mut world = self.world();
        world.call("truncate", &file.name)?;
        world.file(file)?.bytes.truncate(length as usize);
        world.change(file.inode);
        Ok(())
    }

    fn allocate(&self, file: &Handle, _: u64, length: u64) -> io::Result<()> {
        let mut world = self.world();
        world.call("allocate", &file.name)?;
        // Does not reserve the space: later calls may use it, as on the worst systems.
        if world.capacity.saturating_sub(world.used()) < length as usize {
            return Err(error(ENOSPC));
        }
        world.change(file.inode);
        Ok(())
    }

    fn sync(&self, file: &Handle) -> io::Result<()> {
        let mut world = self.world();
        let was_dead = world.dead;
        let called = world.call("sync", &file.name);
        if was_dead {
            return called.map(drop);
        }
        let Content { bytes, synced, lost } = world.file(file)?;
        match called {
            Ok(true) => {
                synced.clone_from(bytes);
                for range in lost {
                    // A part of a file that was truncated meanwhile may be missing.
                    let range = range.start.min(synced.len())..range.end.min(synced.len());
                    synced[range].fill(0);
                }
                Ok(())
            }
            Ok(false) => Ok(()),
            Err(error) => {
                lost.push(synced.len()..bytes.len().max(synced.len()));
                Err(error)
            }
        }
    }

    fn sync_directory(&self, at: &Handle) -> io::Result<()> {
        let mut world = self.world();
        if world.call("sync", ".")? {
            world.sync_names(at.inode);
        }
        Ok(())
    }

    fn rename(&self, at: &Handle, from: &str, to: &str) -> io::Result<()> {
        let mut world = self.world();
        let is_made = world.call("rename", to)?;
        let inode = world.entry(at.inode, from)?;
        let names = world.names(at.inode)?;
        names.remove(from);
        if is_made {
            names.insert(to.into(), inode);
        }
        world.change(inode);
        Ok(())
    }

    fn unlink(&self, at: &Handle, name: &str) -> io::Result<()> {
        let mut world = self.world();
        world.call("unlink", name)?;
        world.names(at.inode)?.remove(name).map(drop).ok_or_else(|| error(ENOENT))
    }

    fn facts(&self, file: &Handle) -> io::Result<Facts> {
        let mut world = self.world();
        world.call("facts", &file.name)?;
        Ok(world.facts(file.inode))
    }

    fn directory_facts(&self, directory: &Handle) -> io::Result<Facts> {
        self.facts(directory)
    }

    fn facts_at(&self, at: &Handle, name: &Path) -> io::Result<Facts> {
        let mut world = self.world();
        let name = name.to_str().unwrap();
        world.call("facts", name)?;
        let inode = world.entry(at.inode, name)?;
        Ok(world.facts(inode))
    }

    fn lock(&self, file: &Handle) -> io::Result<bool> {
        let mut world = self.world();
        world.call("lock", &file.name)?;
        let holder = *world.locks.entry(file.inode).or_insert(file.number);
        Ok(holder == file.number)
    }

    fn is_empty(&self, directory: &Handle) -> io::Result<bool> {
        let mut world = self.world();
        world.call("read directory", ".")?;
        Ok(world.names(directory.inode)?.is_empty())
    }

    fn set_times(&self, file: &Handle, seconds: u64) -> io::Result<()> {
        let mut world = self.world();
        world.call("set times", &file.name)?;
        world.change(file.inode);
        if world.keeps.change_times_can_be_set {
            world.inodes[file.inode].changed = seconds * 1_000_000_000;
        }
        Ok(())
    }
    fn can_set_births(&self) -> bool {
        self.world().keeps.births == Births::CanBeSet
    }
    fn volume(&self, _: &Handle) -> io::Result<u64> {
        let mut world = self.world();
        world.call("volume", ".")?;
        Ok(world.volume)
    }
    fn now(&self) -> u64 {
        self.world().clock
    }

    fn machine(&self) -> Vec<u8> {
        self.world().machine.clone()
    }
    fn user(&self) -> u32 {
        self.world().user
    }
    fn process(&self) -> u32 {
        self.world().process
    }
    fn pause(&self, time: Duration) {
        let mut world = self.world();
        world.paused += time;
        world.clock += time.as_nanos() as u64;
    }
    fn system_file(&self, _: &Handle, _: &str) -> io::Result<Option<File>> {
        Ok(None)
    }
}
