//! The printed line of a signature.

use std::path::Path;

use hashlanes_formats::encoding::{insert_name, line_with_name};
use serde_json::{Map, Value};

/// A line: `fw.bin: signed with index 7`, or `fw.bin: signed` where signatures have no index.
pub(super) fn line(name: &[u8], index: Option<u64>) -> Vec<u8> {
    let words = index.map_or(": signed".into(), |index| format!(": signed with index {index}"));
    line_with_name(b"", name, words.as_bytes())
}

/// `{"name": "fw.bin", "signature": "fw.bin.sig", "set": "XMSS-SHA2_10_256", "index": 7}`; a name that is not
/// UTF-8 is in the field `name_base64`.
pub(super) fn object(name: &[u8], signature: &Path, set: &str, index: Option<u64>) -> Value {
    use crate::platform::ffi::OsStrExt;
    let mut object = Map::new();
    for (key, bytes) in [("name", name), ("signature", signature.as_os_str().as_bytes())] {
        insert_name(&mut object, key, bytes);
    }
    object.insert("set".into(), set.into());
    if let Some(index) = index {
        object.insert("index".into(), index.into());
    }
    object.into()
}
