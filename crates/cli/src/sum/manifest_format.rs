//! The formats of manifests, file by file.
//!
//! | format | a file |
//! |---|---|
//! | gnu, bsd | a line for each hash: see `manifest_writing.rs`; digests may be base64 |
//! | json | an object in an array: `{"name": "d/a", "root": "d", "size": 3, "sha256": "ba78…"}` |
//! | ndjson | the same object, a line each |
//! | csv | RFC 4180 with a head: `name,size,sha256` |
//! | hashdeep | as hashdeep's own: its head, then `size,md5,sha1,sha256,filename`, for the hashes that it supports |
//! | sri | `sha256-BASE64  name`, Subresource Integrity, of SHA-256, SHA-384, SHA-512 |
//! | raw | the digest's bytes, of one file |
//! | (`--no-names`) | the digest alone, a line for each hash |
//! | (`--printf`) | see `printf.rs` |
//!
//! The field `root` is the directory among the arguments in which the file was found.
//!
//! JSON is Unicode and names are bytes: a name that is not UTF-8 is in the field `name_base64`. In CSV and
//! hashdeep's format names are written as bytes.

use base64ct::{Base64, Encoding};
use serde_json::{Map, Value};

use super::manifest_writing::{LineForm, Text};
use super::printf::Template;
use crate::files::File;
use crate::hashing::Sum;
use crate::shared_options::Given;
use hashlanes_formats::encoding::{hex, insert_name, line_with_name};
use hashlanes_formats::hash::{Hash, Keyed};
use hashlanes_formats::lists::{Accepts, LineReader};
use hashlanes_formats::roots::comment;

/// A format with its parameters.
pub(crate) enum Format {
    Lines(LineForm),
    Json,
    NdJson,
    Csv,
    Hashdeep,
    Sri,
    Raw,
    /// Digests without names, a line each.
    Digests(LineForm),
    Printf(Template),
}

/// The form of the lines.
pub(crate) struct Form {
    pub(crate) format: Format,
    /// In the order of the results.
    pub(crate) hashes: Vec<Hash>,
    pub(crate) keyed: Keyed,
}

impl Form {
    /// A reader of its lines, where it has lines of one hash.
    pub(crate) fn line_reader(&self) -> LineReader {
        let hash = self.hashes[0];
        LineReader::new(self.keyed.tag(hash), hash.digest_bytes(), Accepts::Hex)
    }

    /// Returns the text before all files.
    pub(crate) fn head(&self) -> Vec<u8> {
        let names = || self.hashes.iter().map(|hash| self.keyed.name(*hash)).collect::<Vec<_>>().join(",");
        match self.format {
            Format::Json => b"[".to_vec(),
            Format::Csv => format!("name,size,{}\r\n", names()).into_bytes(),
            Format::Hashdeep => {
                let names = names();
                format!(
                    "%%%% HASHDEEP-1.0\n%%%% size,{names},filename\n## hashlanes sum --format hashdeep\n##\n"
                )
                .into_bytes()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the comment that records a root; `None` if the format has no comments.
    pub(crate) fn root(&self, root: &[u8]) -> Option<Vec<u8>> {
        let mark: &[u8] = match &self.format {
            Format::Lines(LineForm { zero: Given::No, .. }) | Format::Sri => b"",
            Format::Hashdeep => b"#",
            _ => return None,
        };
        Some([mark, &comment(root)].concat())
    }

    /// Returns the text between two files.
    pub(crate) fn between(&self) -> &'static [u8] {
        if matches!(self.format, Format::Json) { b"," } else { b"" }
    }

    /// Returns the text after all files.
    pub(crate) fn tail(&self) -> &'static [u8] {
        if matches!(self.format, Format::Json) { b"\n]\n" } else { b"" }
    }

    /// A file.
    ///
    /// # Errors
    /// Why the format has no such file.
    pub(crate) fn file(&self, file: &File, sum: Sum<'_>) -> Result<Vec<u8>, &'static str> {
        let (name, n_bytes) = (&file.name[..], || sum.n_bytes.to_string());
        Ok(match &self.format {
            Format::Lines(form) => {
                let tag = |hash| if form.tag == Given::Yes { self.keyed.tag(hash) } else { String::new() };
                let line = |(hash, digest)| form.line(&tag(hash), name, digest);
                self.digests(sum).map(line).reduce(joined).unwrap_or_default()
            }
            Format::Json => format!("\n{}", self.object(file, sum)).into_bytes(),
            Format::NdJson => format!("{}\n", self.object(file, sum)).into_bytes(),
            Format::Csv => {
                let digests: Vec<String> = self.digests(sum).map(|(_, digest)| hex(digest)).collect();
                let digests = digests.iter().map(|digest| digest.as_bytes());
                csv_record([name, n_bytes().as_bytes()].into_iter().chain(digests))
            }
            // Two lines would be read from it, the second with any content.
            Format::Hashdeep if name.iter().any(|byte| matches!(byte, b'\n' | b'\r')) => {
                return Err("not listed: the format hashdeep cannot express names with line ends");
            }
            Format::Hashdeep => {
                let mut line = n_bytes().into_bytes();
                for (_, digest) in self.digests(sum) {
                    line.extend_from_slice(format!(",{}", hex(digest)).as_bytes());
                }
                [&line[..], b",", name, b"\n"].concat()
            }
            Format::Sri => {
                let line = |(hash, digest): (Hash, &[u8])| {
                    let integrity = format!("{}-{}  ", hash.name(), Base64::encode_string(digest));
                    line_with_name(integrity.as_bytes(), name, b"")
                };
                self.digests(sum).flat_map(line).collect()
            }
            Format::Printf(template) => {
                template.text(name, sum.n_bytes, &self.digests(sum).collect::<Vec<_>>())
            }
            Format::Raw => sum.results.to_vec(),
            Format::Digests(form) => self.digests(sum).flat_map(|(_, digest)| form.digest(digest)).collect(),
        })
    }

    /// Each hash with its digest.
    fn digests<'r>(&self, sum: Sum<'r>) -> impl Iterator<Item = (Hash, &'r [u8])> {
        let mut rest = sum.results;
        self.hashes.iter().map(move |hash| {
            let digest;
            (digest, rest) = rest.split_at(hash.digest_bytes());
            (*hash, digest)
        })
    }

    fn object(&self, file: &File, sum: Sum<'_>) -> Value {
        let mut object = Map::new();
        let root = file.root().map(|root| ("root", root));
        for (field, text) in [("name", &file.name[..])].into_iter().chain(root) {
            insert_name(&mut object, field, text);
        }
        object.insert("size".into(), sum.n_bytes.into());
        for (hash, digest) in self.digests(sum) {
            object.insert(self.keyed.name(hash), hex(digest).into());
        }
        object.into()
    }
}

/// Joins lines; a single one is not copied.
fn joined(mut lines: Vec<u8>, line: Vec<u8>) -> Vec<u8> {
    lines.extend_from_slice(&line);
    lines
}

/// A record of RFC 4180.
fn csv_record<'f>(fields: impl Iterator<Item = &'f [u8]>) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    writer.write_record(fields).expect("writing to memory");
    writer.into_inner().expect("writing to memory")
}

/// The requested options, before they are checked against each other.
pub(crate) struct Asked<'a> {
    pub(crate) format: &'a str,
    pub(crate) lines: LineForm,
    pub(crate) hashes: Vec<Hash>,
    pub(crate) keyed: Keyed,
}

impl Asked<'_> {
    /// The formats by name.
    pub(crate) const NAMES: [&'static str; 7] = ["gnu", "bsd", "json", "ndjson", "csv", "hashdeep", "sri"];

    /// Returns the form, or an error message.
    pub(crate) fn form(self) -> Result<Form, String> {
        let Asked { format, lines, hashes, keyed } = self;
        let lacks = |known: &[Hash]| hashes.iter().copied().find(|hash| !known.contains(hash));
        if lines.text == Text::Base64 && !matches!(format, "gnu" | "bsd") {
            return Err(format!("--base64 is for the formats gnu and bsd, not {format}"));
        }
        let format = match format {
            "gnu" if hashes.len() > 1 => {
                return Err(
                    "the format gnu has one hash per file; for several use bsd, json, ndjson, csv, hashdeep or sri".into(),
                );
            }
            "gnu" | "bsd" => Format::Lines(lines),
            "json" => Format::Json,
            "ndjson" => Format::NdJson,
            "csv" => Format::Csv,
            "hashdeep" => match lacks(&[Hash::Md5, Hash::Sha1, Hash::Sha256]) {
                Some(hash) => {
                    return Err(format!(
                        "the format hashdeep supports md5, sha1 and sha256, not {}",
                        hash.name()
                    ));
                }
                None if keyed == Keyed::Yes => {
                    return Err("the format hashdeep does not support HMACs".into());
                }
                None => Format::Hashdeep,
            },
            "sri" => match lacks(&[Hash::Sha256, Hash::Sha384, Hash::Sha512]) {
                Some(hash) => {
                    return Err(format!(
                        "the format sri supports sha256, sha384 and sha512, not {}",
                        hash.name()
                    ));
                }
                None if keyed == Keyed::Yes => return Err("the format sri does not support HMACs".into()),
                None => Format::Sri,
            },
            _ => Format::Raw,
        };
        Ok(Form { format, hashes, keyed })
    }
}
