//! Reading DER: elements one after another; errors name the field.

use alloc::format;
use alloc::string::{String, ToString};

use der::Decode as _;
use der::{Header, Reader as _, SliceReader};
use spki::ObjectIdentifier;

use super::error::Error;
use super::writing::{BIT_STRING, OBJECT_IDENTIFIER};

/// An element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element<'a> {
    pub(super) value: &'a [u8],
    /// With tag and length.
    pub(super) whole: &'a [u8],
}

/// The elements in another one.
#[derive(Clone, Debug)]
pub(super) struct Fields<'a> {
    rest: &'a [u8],
    /// The name of the element that contains them.
    name: String,
}

impl<'a> Fields<'a> {
    /// Reads the fields in the value of an element.
    pub(super) fn of(name: impl Into<String>, value: &'a [u8]) -> Self {
        Self { rest: value, name: name.into() }
    }

    /// Reads the fields of an input that is one element.
    pub(super) fn of_whole(name: &str, tag: u8, bytes: &'a [u8]) -> Result<Self, Error> {
        let mut input = Self::of("", bytes);
        let whole = input.next(name, tag)?;
        input.end()?;
        Ok(Self::of(name, whole.value))
    }

    pub(super) fn error(&self, field: &str, why: impl ToString) -> Error {
        let field = match (&self.name[..], field) {
            ("", field) => field.to_string(),
            (name, "") => name.to_string(),
            (name, field) => format!("{name}: {field}"),
        };
        Error::Field { field, why: why.to_string() }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Returns the first byte of the next element.
    pub(super) fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// Reads an element of any tag.
    pub(super) fn any(&mut self, field: &str) -> Result<Element<'a>, Error> {
        if self.is_at_end() {
            return Err(self.error(field, "is missing"));
        }
        if self.rest.get(1) == Some(&0x80) {
            return Err(self.error(field, "has an indefinite length; expected DER"));
        }
        let mut reader = SliceReader::new(self.rest).map_err(|error| self.error(field, error))?;
        let header = Header::decode(&mut reader).map_err(|error| self.error(field, error))?;
        let start = self.rest.len() - usize::try_from(reader.remaining_len()).expect("in memory");
        let length = usize::try_from(header.length()).expect("below 2^28");
        let left = self.rest.len() - start;
        if length > left {
            return Err(self.error(field, format!("has {length} bytes, of which {left} are there")));
        }
        let (whole, rest) = self.rest.split_at(start + length);
        self.rest = rest;
        Ok(Element { value: &whole[start..], whole })
    }

    /// Reads an element of this tag.
    pub(super) fn next(&mut self, field: &str, tag: u8) -> Result<Element<'a>, Error> {
        match self.peek() {
            Some(found) if found != tag => {
                Err(self.error(field, format!("has the tag {found:#04x}; expected {tag:#04x}")))
            }
            _ => self.any(field),
        }
    }

    /// Reads an element of this tag, if it is the next one.
    pub(super) fn optional(&mut self, field: &str, tag: u8) -> Result<Option<Element<'a>>, Error> {
        if self.peek() == Some(tag) { self.any(field).map(Some) } else { Ok(None) }
    }

    /// Reads an element with fields.
    pub(super) fn inner(&mut self, field: &str, tag: u8) -> Result<Self, Error> {
        let element = self.next(field, tag)?;
        let name = if self.name.is_empty() { field.to_string() } else { format!("{}: {field}", self.name) };
        Ok(Self { rest: element.value, name })
    }

    pub(super) fn oid(&mut self, field: &str) -> Result<ObjectIdentifier, Error> {
        let element = self.next(field, OBJECT_IDENTIFIER)?;
        ObjectIdentifier::from_bytes(element.value)
            .map_err(|_| self.error(field, "is not an object identifier"))
    }

    /// Reads a BIT STRING of whole bytes.
    pub(super) fn bits(&mut self, field: &str) -> Result<&'a [u8], Error> {
        let element = self.next(field, BIT_STRING)?;
        match element.value.split_first() {
            Some((0, bytes)) => Ok(bytes),
            _ => Err(self.error(field, "is not whole bytes")),
        }
    }

    /// Checks that no element follows.
    pub(super) fn end(&self) -> Result<(), Error> {
        match self.rest.len() {
            0 => Ok(()),
            n => Err(self.error("", format!("{n} unexpected bytes at its end"))),
        }
    }
}
