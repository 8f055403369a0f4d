//! The directory `cache`: the trees of a key, which can be rebuilt. Any of its files may be removed.
//!
//! ```text
//! bytes    field of `tree-LAYER`, the current tree       of `next-LAYER`, the tree after it
//! 16       "hashlanes tree" and zeros                    "hashlanes next" and zeros
//! 4        version, 1                                    the same
//! 32       key-id                                        the same
//! 4        layer, 0 the lowest                           the same
//! 8        tree                                          the same
//! n        root                                          –
//! 4        length of the certificate                     –
//! …        certificate: the layer above over the root    –
//! 32       HMAC of all that                              the same
//! …        all nodes, n bytes each, leaves first         of each leaf n bytes, and an HMAC of key-id, layer, tree,
//!                                                        number (4 bytes) and leaf
//! ```
//!
//! Data carries a code if a wrong value would do harm: the root and its certificate, because a second root
//! must not be certified; and the leaves of a tree that is not certified yet, because a forged leaf would be
//! an attacker's one-time key. The nodes of a current tree need no code: the root is the digest of them all,
//! and a wrong path makes an invalid signature, which is not released. Nodes are read when a path needs them:
//! a tree of height 20 is not loaded into memory.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use std::path::Path;

use crate::address::Tree;
use crate::hazmat::forest::Shape;
use crate::hazmat::shelf::{InMemory, Kept, Shelf};
use crate::params::MAX_N;
use crate::store::Error;
use crate::store::fields::{MAC_BYTES, MacKeys, Reader, Writer, is_mac};
use crate::store::file_system::{FileSystem, Open};
use crate::store::open_directory::Directory;
use crate::tree_cache::{Nodes, path_places};

pub(super) const NAME: &str = "cache";
const MAGIC: &[u8; 16] = b"hashlanes tree\0\0";
const MAGIC_NEXT: &[u8; 16] = b"hashlanes next\0\0";
const VERSION: u32 = 1;
const HEAD_BYTES: usize = 16 + 4 + 32 + 4 + 8;
/// The height from which a tree takes seconds to build, so that waiting for the disk is worthwhile.
const SYNCED_HEIGHT: u32 = 16;

/// Trees in files; in memory if the disk fails.
pub(super) struct Cache<F: FileSystem> {
    directory: Directory<F>,
    keys: MacKeys,
    key_id: [u8; 32],
    shape: Shape,
    layers: Vec<Layer<F>>,
    unwritten: InMemory,
}

struct Layer<F: FileSystem> {
    /// The tree's file, and the offset of its nodes.
    current: Option<(Tree, F::File, u64)>,
    growing: Option<Growing<F>>,
    disk: Disk,
}

/// Whether a layer's files can be read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Disk {
    Works,
    /// Reading failed once: the layer's trees are in memory from then on.
    Fails,
}

struct Growing<F: FileSystem> {
    tree: Tree,
    file: F::File,
    n_leaves: u32,
}

fn tree_name(layer: u32) -> String {
    format!("tree-{layer}")
}
fn next_name(layer: u32) -> String {
    format!("next-{layer}")
}

impl<F: FileSystem> Cache<F> {
    /// Opens the cache of the key in `directory`, and creates it if it is missing.
    pub(super) fn open(
        directory: &Directory<F>,
        (keys, key_id): (&MacKeys, [u8; 32]),
        shape: Shape,
    ) -> Result<Self, Error> {
        let opened = match directory.open_inner(NAME)? {
            None => {
                directory.make_directory(Path::new(NAME)).map_err(directory.failed("making", NAME))?;
                directory.open_inner(NAME)?
            }
            opened => opened,
        };
        let directory = opened.ok_or_else(|| directory.damaged(NAME, "is missing"))?;
        let layers = (0..shape.n_layers())
            .map(|_| Layer { current: None, growing: None, disk: Disk::Works })
            .collect();
        let unwritten = InMemory::new(shape.clone());
        Ok(Self { directory, keys: keys.clone(), key_id, shape, layers, unwritten })
    }

    fn layer(&mut self, tree: Tree) -> &mut Layer<F> {
        &mut self.layers[tree.layer as usize]
    }

    fn head(&self, magic: &[u8; 16], tree: Tree) -> Writer {
        Writer::new(magic, VERSION).put(&self.key_id).put(&tree.layer.to_be_bytes()).number(tree.tree)
    }

    /// Reads the header of a file, up to the first part that does not belong to `tree`.
    fn read_head<'b>(&self, magic: &[u8; 16], tree: Tree, bytes: &'b [u8]) -> Option<Reader<'b>> {
        let mut reader = Reader::new(String::new(), bytes, magic, VERSION).ok()?;
        let key_id: [u8; 32] = reader.array().ok()?;
        let layer = u32::from_be_bytes(reader.array().ok()?);
        (key_id == self.key_id && layer == tree.layer && reader.number().ok()? == tree.tree).then_some(reader)
    }

    /// Opens the file of a current tree.
    fn open_tree(&mut self, tree: Tree) -> Option<Kept> {
        let (file, _) = self.directory.open_file(&tree_name(tree.layer), Open::Read).ok()?;
        let n = self.shape.n();
        let certificate_bytes = self.shape.certificate_bytes(tree.layer);
        let mut head = vec![0; HEAD_BYTES + n + 4 + certificate_bytes + MAC_BYTES];
        self.directory.read_at(&file, &mut head, 0).ok().filter(|n| *n == head.len())?;
        let mut reader = self.read_head(MAGIC, tree, &head)?;
        let root = reader.take(n).ok()?.to_vec();
        let length = u32::from_be_bytes(reader.array().ok()?);
        let certificate =
            reader.take(certificate_bytes).ok().filter(|_| length as usize == certificate_bytes)?;
        let certificate = certificate.to_vec();
        reader.finish(&self.keys.cache).ok()?;
        self.layer(tree).current = Some((tree, file, head.len() as u64));
        Some(Kept { root, certificate })
    }

    /// Reads the h nodes of a path.
    fn read_path(
        &self,
        (file, nodes): (&F::File, u64),
        height: u32,
        leaf: u32,
        to: &mut Vec<u8>,
    ) -> Option<()> {
        let n = self.shape.n();
        for place in path_places(height, leaf) {
            let mut node = [0; MAX_N];
            let read = self.directory.read_at(file, &mut node[..n], nodes + (place * n) as u64);
            read.ok().filter(|read| *read == n)?;
            to.extend_from_slice(&node[..n]);
        }
        Some(())
    }

    fn write_tree(&mut self, tree: Tree, nodes: &Nodes, certificate: &[u8]) -> Result<(), Error> {
        let (name, temporary) = (tree_name(tree.layer), tree_name(tree.layer) + ".new");
        let head = self
            .head(MAGIC, tree)
            .put(nodes.root())
            .put(&(certificate.len() as u32).to_be_bytes())
            .put(certificate)
            .finish(&self.keys.cache);
        let directory = &self.directory;
        directory.remove(&temporary)?;
        let file = directory.create_file(&temporary, Open::New)?;
        for part in [&head[..], nodes.as_bytes()] {
            directory.write(&file, part).map_err(directory.failed("writing", &temporary))?;
        }
        if self.shape.height(tree.layer) >= SYNCED_HEIGHT {
            directory.file_system.sync(&file).map_err(directory.failed("syncing", &temporary))?;
        }
        directory.rename(&temporary, &name)?;
        let (file, _) = directory.open_file(&name, Open::Read)?;
        self.layer(tree).current = Some((tree, file, head.len() as u64));
        Ok(())
    }

    /// Length of a leaf with its code in bytes.
    fn leaf_bytes(&self) -> usize {
        self.shape.n() + MAC_BYTES
    }

    /// Opens or creates the file of a growing tree.
    fn open_growing(&mut self, tree: Tree) -> Option<()> {
        if self.layer(tree).growing.as_ref().is_some_and(|growing| growing.tree == tree) {
            return Some(());
        }
        let name = next_name(tree.layer);
        let head = self.head(MAGIC_NEXT, tree).finish(&self.keys.cache);
        let opened = self.directory.open_file(&name, Open::Append).ok().filter(|(file, _)| {
            let mut there = vec![0; head.len()];
            let n = self.directory.read_at(file, &mut there, 0);
            n.is_ok_and(|n| n == head.len())
                && self
                    .read_head(MAGIC_NEXT, tree, &there)
                    .is_some_and(|reader| reader.finish(&self.keys.cache).is_ok())
        });
        let (file, n_leaves) = match opened {
            Some((file, facts)) => {
                let (head, leaf) = (head.len() as u64, self.leaf_bytes() as u64);
                let most = 1 << self.shape.height(tree.layer);
                let n_leaves = ((facts.length - head) / leaf).min(most);
                if facts.length != head + n_leaves * leaf {
                    self.directory.file_system.truncate(&file, head + n_leaves * leaf).ok()?;
                }
                (file, n_leaves as u32)
            }
            None => {
                self.directory.remove(&name).ok()?;
                let file = self.directory.create_file(&name, Open::New).ok()?;
                self.directory.write(&file, &head).ok()?;
                (self.directory.open_file(&name, Open::Append).ok()?.0, 0)
            }
        };
        self.layer(tree).growing = Some(Growing { tree, file, n_leaves });
        Some(())
    }

    /// Returns the input of a leaf's code.
    fn coded_leaf(&self, tree: Tree, number: u32, leaf: &[u8]) -> Vec<u8> {
        let place = [&self.key_id[..], &tree.layer.to_be_bytes(), &tree.tree.to_be_bytes()].concat();
        [&place[..], &number.to_be_bytes(), leaf].concat()
    }

    fn try_grow(&mut self, tree: Tree, leaf: &[u8]) -> Option<()> {
        self.open_growing(tree)?;
        let number = self.layer(tree).growing.as_ref()?.n_leaves;
        let mac = self.keys.cache.mac(&self.coded_leaf(tree, number, leaf));
        let growing = self.layers[tree.layer as usize].growing.as_mut()?;
        growing.n_leaves += 1;
        self.directory.write(&growing.file, &[leaf, &mac].concat()).ok()
    }
}

impl<F: FileSystem> Shelf for Cache<F> {
    fn kept(&mut self, tree: Tree) -> Option<Kept> {
        self.unwritten.kept(tree).or_else(|| self.open_tree(tree))
    }

    fn keep(&mut self, tree: Tree, nodes: Nodes, certificate: &[u8]) {
        self.layer(tree).current = None;
        self.unwritten.give_up(tree.layer);
        let disk = self.layer(tree).disk;
        if disk == Disk::Fails || self.write_tree(tree, &nodes, certificate).is_err() {
            self.unwritten.keep(tree, nodes, certificate);
        }
    }

    fn path(&mut self, tree: Tree, leaf: u32, to: &mut Vec<u8>) -> Option<()> {
        match &self.layers[tree.layer as usize].current {
            Some((of, file, nodes)) if *of == tree => {
                let read = self.read_path((file, *nodes), self.shape.height(tree.layer), leaf, to);
                if read.is_none() {
                    self.layer(tree).disk = Disk::Fails;
                }
                read
            }
            _ => self.unwritten.path(tree, leaf, to),
        }
    }

    fn n_grown(&mut self, tree: Tree) -> u32 {
        let opened = self.open_growing(tree);
        let growing = self.layer(tree).growing.as_ref();
        opened.and(growing).map_or(0, |growing| growing.n_leaves)
    }

    fn grow(&mut self, tree: Tree, leaf: &[u8]) {
        if self.try_grow(tree, leaf).is_none() {
            // A partly written leaf is cut off when the file is opened again.
            self.layer(tree).growing = None;
        }
    }

    fn take_grown(&mut self, tree: Tree, nodes: &mut Nodes) -> u32 {
        let n_leaves = self.n_grown(tree);
        let Some(Growing { file, .. }) = self.layer(tree).growing.take() else { return 0 };
        let (n, record_bytes) = (self.shape.n(), self.leaf_bytes());
        let mut records = vec![0; record_bytes * n_leaves as usize];
        let head_bytes = (HEAD_BYTES + MAC_BYTES) as u64;
        let Ok(n_read) = self.directory.read_at(&file, &mut records, head_bytes) else { return 0 };
        let mut good = 0;
        for (record, to) in records[..n_read].chunks_exact(record_bytes).zip(nodes.leaves().chunks_mut(n)) {
            let (leaf, mac) = record.split_at(n);
            if !is_mac(&self.keys.cache, &[&self.coded_leaf(tree, good, leaf)], mac) {
                break;
            }
            to.copy_from_slice(leaf);
            good += 1;
        }
        good
    }
}

/// Copies the current trees into the cache of another part of the same key. Trees that cannot be copied are
/// built there.
pub(super) fn copy_trees<F: FileSystem>(from: &Directory<F>, to: &Directory<F>, n_layers: u32) {
    /// Nodes copied at once.
    const BYTES: usize = 1 << 20;
    for layer in 0..n_layers {
        let copy = || -> Option<()> {
            let (source, facts) = from.open_file(&tree_name(layer), Open::Read).ok()?;
            let file = to.create_file(&tree_name(layer), Open::New).ok()?;
            let mut buffer = vec![0; BYTES];
            let mut at = 0;
            while at < facts.length {
                let n = from.read_at(&source, &mut buffer, at).ok().filter(|n| *n > 0)?;
                to.write(&file, &buffer[..n]).ok()?;
                at += n as u64;
            }
            Some(())
        };
        let _ = copy();
    }
}
