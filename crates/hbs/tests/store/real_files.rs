//! On the real file system: links, pipes, moved directories, a whole key from its first signature to its
//! last.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hashlanes_hbs::store::{Error, FileStore, KeyDirectory, KeyGeneration, SigningKey};
use hashlanes_hbs::{ParameterSet, Scheme};

/// Returns a path for one test's key that does not exist.
fn fresh(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("store").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn small() -> KeyGeneration<'static> {
    KeyGeneration::new(ParameterSet::of_height(Scheme::Xmss, 24, 4, 1), &[3; 72]).unwrap()
}

fn created(path: &Path) -> SigningKey<FileStore> {
    KeyDirectory::new(path).create(small()).unwrap()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

#[test]
fn a_key_of_height_10_signs_1024_times_and_no_more() {
    let path = fresh("1024").join("key");
    let set: ParameterSet = "XMSS-SHA2_10_256".parse().unwrap();
    let here = KeyDirectory::new(&path).window(64);
    let mut key = here.create(KeyGeneration::new(set, &[1; 96]).unwrap()).unwrap();
    let public = key.verifying_key().clone();
    let pem = fs::read_to_string(path.join("public.pem")).unwrap();
    assert_eq!(public, hashlanes_hbs::VerifyingKey::from_spki_pem(&pem).unwrap().into());
    let mut signatures = Vec::new();
    let mut taken = Duration::ZERO;
    for index in 0..1024_u64 {
        // Restarted at the end of a window.
        if index == 512 {
            drop(key);
            key = here.open().unwrap();
        }
        let begin = Instant::now();
        signatures.push(key.try_sign(&index.to_be_bytes()[..]).unwrap());
        taken += begin.elapsed();
    }
    println!("window 64, with fsync: {:.3} ms a signature", taken.as_secs_f64() * 1e3 / 1024.0);
    let messages: Vec<_> = (0..1024_u64).map(u64::to_be_bytes).collect();
    let claims: Vec<_> = messages.iter().map(|m| &m[..]).zip(signatures.iter().map(AsRef::as_ref)).collect();
    assert!(public.verify_many(&claims).iter().all(Result::is_ok));
    let indices =
        |signature: &hashlanes_hbs::Signature| u32::from_be_bytes(*signature.as_ref().first_chunk().unwrap());
    assert!(signatures.iter().map(indices).eq(0..1024));
    assert!(matches!(key.try_sign(b"one more"), Err(Error::Exhausted { end: 1024 })));
    drop(key);
    assert!(matches!(here.open().unwrap().try_sign(b"one more"), Err(Error::Exhausted { end: 1024 })));
    assert!(here.status().unwrap().is_nearly_exhausted());
}

#[test]
fn modes_are_tight() {
    let path = fresh("modes").join("key");
    drop(created(&path));
    let modes =
        [("", 0o700), ("key", 0o400), ("state", 0o600), ("lock", 0o600), ("log", 0o600), ("cache", 0o700)];
    for (name, expected) in modes {
        assert_eq!(mode(&path.join(name)) & !0o022, expected, "{name}");
    }
    let mut names: Vec<_> = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["cache", "key", "lock", "log", "public.pem", "state"]);
    fs::set_permissions(&path, PermissionsExt::from_mode(0o750)).unwrap();
    let error = KeyDirectory::new(&path).open().map(drop).unwrap_err().to_string();
    assert!(error.ends_with("others may use it (mode 750 instead of 700)"), "{error}");
}

#[test]
fn links_and_pipes_are_refused() {
    for name in ["state", "key", "lock", "log"] {
        let path = fresh("links").join("key");
        drop(created(&path));
        let file = path.join(name);
        fs::rename(&file, path.join("elsewhere")).unwrap();
        symlink(path.join("elsewhere"), &file).unwrap();
        let error = KeyDirectory::new(&path).open().map(drop).unwrap_err();
        assert!(matches!(error, Error::Unsafe { .. }), "{name}: {error}");
        assert!(error.to_string().ends_with(&format!("{name}: is no regular file")), "{error}");
        fs::remove_file(&file).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&file).status().unwrap();
        assert!(made.success());
        let error = KeyDirectory::new(&path).open().map(drop).unwrap_err();
        assert!(matches!(error, Error::Unsafe { .. }), "{name}: {error}");
    }
}

/// A file in place of the temporary file is removed; the target of a link is not touched.
#[test]
fn a_temporary_file_is_never_written_through_a_link() {
    let place = fresh("temporary");
    let (path, victim) = (place.join("key"), place.join("victim"));
    let mut key = created(&path);
    fs::write(&victim, "precious").unwrap();
    symlink(&victim, path.join("state.new")).unwrap();
    key.try_sign(b"message").unwrap();
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    assert!(!path.join("state.new").exists());
    // A directory blocks that name.
    fs::create_dir(path.join("state.new")).unwrap();
    let error = key.try_sign(b"message").unwrap_err();
    assert!(matches!(error, Error::NotCommitted { .. }), "{error}");
    fs::remove_dir(path.join("state.new")).unwrap();
    assert_eq!(key.try_sign(b"message").unwrap().as_ref()[3], 1);
}

#[test]
fn a_moved_directory_signs_on_and_a_copied_one_is_refused() {
    let place = fresh("moved");
    let (path, moved, copied) = (place.join("key"), place.join("moved"), place.join("copied"));
    drop(created(&path));
    // The same files on the same machine; only their path differs.
    fs::rename(&path, &moved).unwrap();
    KeyDirectory::new(&moved).open().unwrap().try_sign(b"message").unwrap();
    let made = std::process::Command::new("cp").arg("-a").args([&moved, &copied]).status().unwrap();
    assert!(made.success());
    let error = KeyDirectory::new(&copied).open().map(drop).unwrap_err();
    assert!(matches!(error, Error::Moved { what: "the file lock" }), "{error}");
    fs::remove_dir_all(&moved).unwrap();
    assert_eq!(KeyDirectory::new(&copied).adopt(0).unwrap().try_sign(b"message").unwrap().as_ref()[3], 1);
    KeyDirectory::new(&copied).open().unwrap();
}

#[test]
fn an_existing_file_or_directory_does_not_become_a_key() {
    let place = fresh("exists");
    let create = |path: &Path| KeyDirectory::new(path).create(small()).map(drop);
    fs::write(place.join("file"), "a letter").unwrap();
    assert!(matches!(create(&place.join("file")), Err(Error::Exists(_))));
    fs::set_permissions(&place, PermissionsExt::from_mode(0o700)).unwrap();
    assert!(matches!(create(&place), Err(Error::Exists(_))));
    assert!(matches!(create(&place.join("none").join("key")), Err(Error::File { .. })));
    assert!(matches!(KeyDirectory::new(place.join("none")).open().map(drop), Err(Error::NoKey(_))));
    assert!(matches!(KeyDirectory::new(&place).open().map(drop), Err(Error::NoKey(_))));
    assert_eq!(fs::read_to_string(place.join("file")).unwrap(), "a letter");
}

/// Stopped, and continued from its seeds and its leaves.
#[test]
fn an_interrupted_generation_continues() {
    let path = fresh("interrupted").join("key");
    let here = KeyDirectory::new(&path);
    let set = ParameterSet::of_height(Scheme::Xmss, 24, 13, 1);
    let generation = KeyGeneration::new(set, &[4; 72]).unwrap().progress(|progress| {
        if progress.done > 0 { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
    });
    assert!(matches!(here.create(generation).map(drop), Err(Error::Key(hashlanes_hbs::Error::Stopped))));
    assert!(matches!(here.open().map(drop), Err(Error::Unfinished(_))));
    assert_eq!(mode(&path.join("unfinished")), 0o400);
    assert!(matches!(here.create(small()).map(drop), Err(Error::Exists(_))));
    let mut reported = Vec::new();
    let generation = here.unfinished().unwrap().unwrap().progress(|progress| {
        reported.push(progress.done);
        std::ops::ControlFlow::Continue(())
    });
    let mut key = here.create(generation).unwrap();
    assert_eq!(reported, [4096, 8192]);
    assert!(here.unfinished().unwrap().is_none());
    assert!(!path.join("unfinished").exists() && !path.join("leaves").exists());
    let signature = key.try_sign(b"message").unwrap();
    key.verifying_key().verify(b"message", signature.as_ref()).unwrap();
}

#[test]
fn a_split_part_has_the_trees() {
    let place = fresh("split");
    let mut key = created(&place.join("key"));
    key.split(5, &KeyDirectory::new(place.join("part"))).unwrap();
    let tree = |path: &str| fs::read(place.join(path).join("cache/tree-0")).unwrap();
    assert_eq!(tree("key"), tree("part"));
    let mut part = KeyDirectory::new(place.join("part")).open().unwrap();
    assert_eq!(part.range(), 0..5);
    assert_eq!(part.try_sign(b"message").unwrap().as_ref()[3], 0);
    assert_eq!(key.try_sign(b"message").unwrap().as_ref()[3], 5);
}

/// Only the nodes of paths are read from a tree of 64 MiB.
#[test]
#[ignore = "long: cargo xtask test --slow"]
fn a_key_of_height_20_is_opened_without_its_tree() {
    let path = fresh("20").join("key");
    let set: ParameterSet = "XMSS-SHA2_20_256".parse().unwrap();
    let here = KeyDirectory::new(&path).window(8);
    drop(here.create(KeyGeneration::new(set, &[2; 96]).unwrap()).unwrap());
    let begin = Instant::now();
    let mut key = here.open().unwrap();
    let opened = begin.elapsed();
    for index in [0, 1, 524_287, 524_288, (1 << 20) - 1] {
        key.advance_to(index).unwrap();
        let signature = key.try_sign(b"message").unwrap();
        key.verifying_key().verify(b"message", signature.as_ref()).unwrap();
    }
    println!("height 20: opened in {opened:?}, opened and signed five times in {:?}", begin.elapsed());
    assert!(begin.elapsed() < Duration::from_secs(2));
    let cache = fs::metadata(path.join("cache/tree-0")).unwrap().len();
    assert!(cache > 64 << 20 && opened < Duration::from_millis(200));
    fs::remove_dir_all(path).unwrap();
}

/// The files of a copy, written over the existing ones: the inodes are those of the newer files.
#[test]
fn files_restored_in_place_are_refused() {
    let place = fresh("put back");
    let (path, copy) = (place.join("key"), place.join("copy"));
    let mut key = created(&path);
    key.try_sign(b"1").unwrap();
    drop(key);
    fs::create_dir(&copy).unwrap();
    for name in ["state", "log"] {
        fs::copy(path.join(name), copy.join(name)).unwrap();
    }
    let here = KeyDirectory::new(&path);
    let mut key = here.open().unwrap();
    assert_eq!(key.next_index(), 1);
    key.try_sign(b"2").unwrap();
    drop(key);
    for name in ["state", "log"] {
        fs::write(path.join(name), fs::read(copy.join(name)).unwrap()).unwrap();
    }
    assert!(matches!(here.open().map(drop), Err(Error::Moved { what: "the file state" })));
    let mut key = here.adopt(2).unwrap();
    assert_eq!(key.next_index(), 2);
    key.try_sign(b"3").unwrap();
}
