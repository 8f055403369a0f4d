//! A content-addressed store: a directory in which each object's file name is the SHA-256 digest of its
//! bytes.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use hashlanes::Sha256;

struct Store {
    directory: PathBuf,
}

impl Store {
    fn create(directory: &Path) -> io::Result<Self> {
        fs::create_dir_all(directory)?;
        Ok(Self { directory: directory.into() })
    }

    /// Stores an object in one pass, of any length, and returns its name. Equal objects are stored once.
    fn put(&self, mut object: impl Read) -> io::Result<String> {
        let incoming = self.directory.join("incoming");
        let mut file = File::create(&incoming)?;
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let n = object.read(&mut buffer)?;
            if n == 0 {
                break;
            }
            hasher.update(&buffer[..n]);
            file.write_all(&buffer[..n])?;
        }
        let name: String = hasher.finish().iter().map(|byte| format!("{byte:02x}")).collect();
        fs::rename(incoming, self.directory.join(&name))?;
        Ok(name)
    }

    /// Reads an object and checks that it is the one that was stored.
    fn get(&self, name: &str) -> io::Result<Vec<u8>> {
        let object = fs::read(self.directory.join(name))?;
        let digest: String = hashlanes::sha256(&object).iter().map(|byte| format!("{byte:02x}")).collect();
        if digest == name { Ok(object) } else { Err(io::Error::other(format!("{name}: damaged"))) }
    }
}

fn main() -> io::Result<()> {
    let directory = std::env::temp_dir().join(format!("content_store-{}", std::process::id()));
    let store = Store::create(&directory)?;
    let names = [store.put(&b"one"[..])?, store.put(&b"two"[..])?, store.put(&b"one"[..])?];
    println!("{}\n{}\nobjects: {}", names[0], names[1], fs::read_dir(&directory)?.count());
    assert_eq!(names[0], names[2]);
    assert_eq!(store.get(&names[1])?, b"two");

    fs::write(directory.join(&names[1]), "too")?;
    println!("{}", store.get(&names[1]).unwrap_err());
    fs::remove_dir_all(directory)
}
