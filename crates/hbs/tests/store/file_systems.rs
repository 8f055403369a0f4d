//! Faults 22 and 23 on real file systems: in images on loop devices, tmpfs and overlayfs. They need root and
//! the tools that create the file systems; missing ones are skipped by name.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use hashlanes_hbs::store::{Class, Error, KeyDirectory, KeyGeneration};
use hashlanes_hbs::{ParameterSet, Scheme};

/// A file system to be created and mounted.
struct Kind {
    name: &'static str,
    /// Size of the image in MiB, the program that creates the file system, and its options; none for file
    /// systems without an image.
    image: Option<(u64, &'static str, &'static [&'static str])>,
}

impl Kind {
    /// Whether a commit waits for the next second.
    fn keeps_seconds(&self) -> bool {
        self.image.is_some_and(|(.., options)| options.contains(&"128"))
    }
}

/// The first three are tested always, all of them by `cargo xtask test --slow`: some have seconds as times of
/// change, and a commit waits for the next one.
const KINDS: [Kind; 8] = [
    Kind { name: "ext4", image: Some((32, "mkfs.ext4", &["-q", "-F"])) },
    Kind { name: "tmpfs", image: None },
    Kind { name: "overlay", image: None },
    Kind {
        name: "ext4 with inodes of 128 bytes",
        image: Some((32, "mkfs.ext4", &["-q", "-F", "-I", "128"])),
    },
    Kind { name: "ext3", image: Some((32, "mkfs.ext3", &["-q", "-F", "-I", "128"])) },
    Kind { name: "ext2", image: Some((32, "mkfs.ext2", &["-q", "-F", "-I", "128"])) },
    Kind { name: "xfs", image: Some((320, "mkfs.xfs", &["-q", "-f"])) },
    Kind { name: "btrfs", image: Some((160, "mkfs.btrfs", &["-q", "-f"])) },
];

const ALWAYS: &[Kind] = KINDS.split_at(3).0;
const OTHERS: &[Kind] = KINDS.split_at(3).1;

/// A mounted file system; unmounted when dropped.
struct Mounted<'k> {
    kind: &'k Kind,
    base: PathBuf,
}

fn succeeds(command: &mut Command) -> Result<(), String> {
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).trim().to_string()),
        Err(error) => Err(format!("{:?}: {error}", command.get_program())),
    }
}

impl<'k> Mounted<'k> {
    /// Returns `None` if this machine does not support it, and prints the reason.
    fn new(kind: &'k Kind, test: &str) -> Option<Self> {
        let base = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("file-systems").join(test);
        let base = base.join(kind.name.replace(' ', "-"));
        let mounted = Self { kind, base };
        // Left by a run that was killed.
        for place in fs::read_dir(&mounted.base).into_iter().flatten().flatten() {
            let _ = succeeds(Command::new("umount").arg(place.path()));
        }
        let _ = fs::remove_dir_all(&mounted.base);
        fs::create_dir_all(mounted.root()).unwrap();
        match mounted.make().and_then(|()| mounted.mount()) {
            Ok(()) => Some(mounted),
            Err(why) => {
                eprintln!("SKIPPED, not tested: {}: {why}", kind.name);
                None
            }
        }
    }

    fn make(&self) -> Result<(), String> {
        if self.kind.name == "overlay" {
            let layers = self.base.join("layers");
            fs::create_dir_all(&layers).unwrap();
            succeeds(Command::new("mount").args(["-t", "tmpfs", "layers"]).arg(&layers))?;
            for name in ["lower", "upper", "work"] {
                fs::create_dir(layers.join(name)).unwrap();
            }
        }
        let Some((mebibytes, program, options)) = self.kind.image else { return Ok(()) };
        fs::File::create(self.image()).unwrap().set_len(mebibytes << 20).unwrap();
        succeeds(Command::new(program).args(options).arg(self.image()))
    }

    fn mount(&self) -> Result<(), String> {
        let mut mount = Command::new("mount");
        match self.kind.name {
            "tmpfs" => mount.args(["-t", "tmpfs", "none"]),
            "overlay" => {
                let layer = |name: &str| self.base.join("layers").join(name).display().to_string();
                let [lower, upper, work] = ["lower", "upper", "work"].map(layer);
                let layers = format!("lowerdir={lower},upperdir={upper},workdir={work}");
                mount.args(["-t", "overlay", "overlay", "-o", &layers])
            }
            _ => mount.args(["-o", "loop"]).arg(self.image()),
        };
        succeeds(mount.arg(self.root()))
    }

    fn image(&self) -> PathBuf {
        self.base.join("image")
    }

    fn root(&self) -> PathBuf {
        self.base.join("mounted")
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        let _ = succeeds(Command::new("umount").arg(self.root()));
        let _ = succeeds(Command::new("umount").arg(self.base.join("layers")));
        let _ = fs::remove_dir_all(&self.base);
    }
}

fn generation() -> KeyGeneration<'static> {
    KeyGeneration::new(ParameterSet::of_height(Scheme::Xmss, 24, 4, 1), &[3; 72]).unwrap()
}

/// Another test may be starting a process, which holds the lock and open files until it runs its program.
const PATIENCE: Duration = Duration::from_secs(10);

/// Unmounts a file system that is no longer busy.
fn unmount(at: &Path) {
    let begin = Instant::now();
    while let Err(why) = succeeds(Command::new("umount").arg(at)) {
        assert!(why.contains("busy") && begin.elapsed() < PATIENCE, "{why}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Signs in a new handle, and returns the index.
fn sign(key: &Path) -> Result<u8, Error> {
    let directory = KeyDirectory::new(key).wait(PATIENCE);
    Ok(directory.open()?.try_sign(b"message")?.as_ref()[3])
}

/// Commands that restore `saved/state` and `saved/log` to `key/`; the first of each pair runs before the
/// commits.
const WAYS: [(&str, &str, &str); 10] = [
    ("cp", "cp -a key/state key/log saved", "cp saved/state saved/log key"),
    ("cp -a", "cp -a key/state key/log saved", "cp -a saved/state saved/log key"),
    (
        "cp -a --remove-destination",
        "cp -a key/state key/log saved",
        "cp -a --remove-destination saved/state saved/log key",
    ),
    (
        "cp --reflink",
        "cp -a --reflink=auto key/state key/log saved",
        "cp -a --reflink=auto saved/state saved/log key",
    ),
    ("rsync", "rsync -aHAX key/state key/log saved", "rsync -aHAX --ignore-times saved/state saved/log key"),
    (
        "rsync --inplace",
        "rsync -aHAX key/state key/log saved",
        "rsync -aHAX --inplace --ignore-times saved/state saved/log key",
    ),
    ("tar", "tar -C key --xattrs -cf saved/tar state log", "tar -C key --xattrs -xf saved/tar"),
    ("mv", "cp -a key/state key/log saved", "mv saved/state saved/log key"),
    ("rm -r, cp -a", "cp -a key saved", "rm -r key && cp -a saved/key key"),
    ("cp -a of all", "cp -a key saved", "cp -a saved/key/. key"),
];

/// Runs a shell command in `root`.
fn shell(root: &Path, line: &str) -> Result<(), String> {
    succeeds(Command::new("sh").args(["-c", line]).current_dir(root))
}

#[test]
fn a_restored_copy_is_refused() {
    are_restored_copies_refused(ALWAYS);
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn a_restored_copy_is_refused_on_other_file_systems() {
    are_restored_copies_refused(OTHERS);
}

fn are_restored_copies_refused(kinds: &[Kind]) {
    let has_rsync = Command::new("rsync").arg("--version").output().is_ok();
    if !has_rsync {
        eprintln!("SKIPPED, not tested: rsync is not installed");
    }
    std::thread::scope(|scope| {
        for kind in kinds {
            scope.spawn(move || check_restored(kind, has_rsync));
        }
    });
}

fn check_restored(kind: &Kind, has_rsync: bool) {
    let Some(mounted) = Mounted::new(kind, "copies") else { return };
    let root = mounted.root();
    let mut cases = 0;
    for (way, save, restore) in WAYS.iter().filter(|(way, ..)| has_rsync || !way.starts_with("rsync")) {
        // After two commits the files have their old numbers.
        let commits = if kind.keeps_seconds() && *way != "cp" { 2..=2 } else { 1..=4 };
        for commits in commits {
            shell(&root, "rm -rf key saved; mkdir saved").unwrap();
            let key = root.join("key");
            drop(KeyDirectory::new(&key).wait(PATIENCE).create(generation()).unwrap());
            sign(&key).unwrap();
            shell(&root, save).unwrap();
            for _ in 0..commits {
                sign(&key).unwrap();
            }
            shell(&root, restore).unwrap();
            let what = format!("{}, {way}, {commits} commits", kind.name);
            let error = sign(&key).expect_err(&what);
            assert_eq!(error.class(), Class::Rollback, "{what}: {error}");
            cases += 1;
        }
    }
    println!("{}: {cases} copies put back, all refused", kind.name);
}

/// The original files, kept under another name, with a restored log.
#[test]
fn hard_links_are_refused() {
    are_hard_links_refused(ALWAYS);
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn hard_links_are_refused_on_other_file_systems() {
    are_hard_links_refused(OTHERS);
}

fn are_hard_links_refused(kinds: &[Kind]) {
    for kind in kinds {
        let Some(mounted) = Mounted::new(kind, "links") else { continue };
        let (root, key) = (mounted.root(), mounted.root().join("key"));
        drop(KeyDirectory::new(&key).wait(PATIENCE).create(generation()).unwrap());
        assert_eq!(sign(&key).unwrap(), 0);
        shell(&root, "cp -al key linked").unwrap();
        for directory in ["key", "linked"] {
            let error = sign(&root.join(directory)).unwrap_err();
            assert!(error.to_string().contains("hard links"), "{}: {error}", kind.name);
        }
        shell(&root, "rm -r linked").unwrap();
        // Where change times distinguish copies, the link counts as a change.
        match sign(&key) {
            Ok(index) => assert_eq!(index, 1),
            Err(error) => assert_eq!(error.class(), Class::Rollback, "{}: {error}", kind.name),
        }
    }
}

// Mounted again, with another device number.
#[test]
fn an_honest_key_signs_after_a_remount() {
    does_an_honest_key_sign_after_a_remount(ALWAYS);
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn an_honest_key_signs_after_a_remount_on_other_file_systems() {
    does_an_honest_key_sign_after_a_remount(OTHERS);
}

fn does_an_honest_key_sign_after_a_remount(kinds: &[Kind]) {
    use std::os::unix::fs::MetadataExt;
    for kind in kinds {
        let Some(mounted) = Mounted::new(kind, "remounts") else { continue };
        let (root, key) = (mounted.root(), mounted.root().join("key"));
        drop(KeyDirectory::new(&key).wait(PATIENCE).create(generation()).unwrap());
        // The content of a tmpfs is lost when it is unmounted.
        let remounts = if kind.name == "tmpfs" { 0 } else { 3 };
        let mut devices = vec![fs::metadata(&key).unwrap().dev()];
        let mut others = Vec::new();
        for index in 0..=remounts {
            assert_eq!(sign(&key).unwrap(), index, "{}", kind.name);
            if index == remounts {
                break;
            }
            unmount(&root);
            // Takes the device number that became free.
            let other = mounted.base.join(format!("other-{index}"));
            fs::create_dir_all(&other).unwrap();
            others.extend(occupy(&other, &mounted));
            mounted.mount().unwrap();
            devices.push(fs::metadata(&key).unwrap().dev());
        }
        for other in others {
            unmount(&other);
        }
        devices.sort_unstable();
        devices.dedup();
        println!("{}: {remounts} remounts, {} device numbers", kind.name, devices.len());
    }
}

/// Mounts another file system of the same kind, so that the next one gets another device number.
fn occupy(at: &Path, mounted: &Mounted<'_>) -> Option<PathBuf> {
    let line = match mounted.kind.image {
        Some((mebibytes, program, options)) => {
            let image = at.with_extension("image");
            fs::File::create(&image).unwrap().set_len(mebibytes << 20).unwrap();
            succeeds(Command::new(program).args(options).arg(&image)).unwrap();
            format!("mount -o loop '{}' '{}'", image.display(), at.display())
        }
        None => format!("mount -t tmpfs none '{}'", at.display()),
    };
    shell(at.parent()?, &line).ok().map(|()| at.to_path_buf())
}

/// btrfs makes snapshots in which all files have the same numbers and the same birth times.
#[test]
fn a_snapshot_of_btrfs_is_refused() {
    let kind = KINDS.iter().find(|kind| kind.name == "btrfs").unwrap();
    let Some(mounted) = Mounted::new(kind, "snapshot") else { return };
    let root = mounted.root();
    shell(&root, "btrfs subvolume create home").unwrap();
    let key = root.join("home/key");
    drop(KeyDirectory::new(&key).wait(PATIENCE).create(generation()).unwrap());
    shell(&root, "btrfs subvolume snapshot home snapshot").unwrap();
    let error = sign(&root.join("snapshot/key")).unwrap_err();
    assert!(matches!(error, Error::Moved { what: "the volume" }), "{error}");
    assert_eq!(sign(&key).unwrap(), 0);
}
