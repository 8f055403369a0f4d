//! Elements of DER: X.690, sections 8.1 and 10.1.

use alloc::vec::Vec;

use spki::ObjectIdentifier;

pub(super) const BOOLEAN: u8 = 0x01;
pub(super) const INTEGER: u8 = 0x02;
pub(super) const BIT_STRING: u8 = 0x03;
pub(super) const OCTET_STRING: u8 = 0x04;
pub(super) const NULL: u8 = 0x05;
pub(super) const OBJECT_IDENTIFIER: u8 = 0x06;
pub(super) const UTF8_STRING: u8 = 0x0c;
pub(super) const PRINTABLE_STRING: u8 = 0x13;
pub(super) const SEQUENCE: u8 = 0x30;
pub(super) const SET: u8 = 0x31;
/// [0], primitive and constructed; the same of others by their number.
pub(super) const CONTEXT: u8 = 0x80;
pub(super) const CONTEXT_CONSTRUCTED: u8 = 0xa0;

/// Returns an element with these parts as its content.
pub(super) fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut element = Vec::with_capacity(1 + 9 + length);
    element.push(tag);
    if length < 0x80 {
        element.push(length as u8);
    } else {
        let bytes = length.to_be_bytes();
        let bytes = &bytes[bytes.iter().take_while(|byte| **byte == 0).count()..];
        element.push(0x80 | bytes.len() as u8);
        element.extend_from_slice(bytes);
    }
    parts.iter().for_each(|part| element.extend_from_slice(part));
    element
}

/// Returns an object identifier.
pub(super) fn oid(oid: ObjectIdentifier) -> Vec<u8> {
    element(OBJECT_IDENTIFIER, &[oid.as_bytes()])
}

/// Returns a small number.
pub(super) fn integer(number: u8) -> Vec<u8> {
    debug_assert!(number < 0x80);
    element(INTEGER, &[&[number]])
}

/// Returns whole bytes as a BIT STRING.
pub(super) fn bit_string(bytes: &[u8]) -> Vec<u8> {
    element(BIT_STRING, &[&[0], bytes])
}
