//! A JSON array of objects, which are read one by one: a list may be longer than memory.

use std::io::{self, BufRead, BufReader, Read};

use serde::de::Deserialize;
use serde_json::{Map, Value};

use super::item::Trouble;
use super::text_lines::{BYTE_ORDER_MARK, LINE_BYTES};

/// An array, object by object.
pub(super) struct Array<R> {
    input: BufReader<R>,
    at: Place,
    n_objects: u64,
}

/// A place in the input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Before,
    Within,
    Behind,
}

impl<R: Read> Array<R> {
    /// Reads an array; its first bytes, with a byte order mark if there is one, are in the buffer.
    pub(super) fn new(mut input: BufReader<R>) -> Self {
        if input.buffer().starts_with(BYTE_ORDER_MARK) {
            input.consume(BYTE_ORDER_MARK.len());
        }
        Array { input, at: Place::Before, n_objects: 0 }
    }

    /// Returns the next object; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Map<String, Value>>, Trouble> {
        if self.at == Place::Behind {
            return Ok(None);
        }
        match (self.byte()?, self.at) {
            (Some(b'['), Place::Before) => {
                self.at = Place::Within;
                if self.peek()? == Some(b']') {
                    return self.next();
                }
            }
            (Some(b','), Place::Within) => {}
            (Some(b']'), Place::Within) => {
                self.at = Place::Behind;
                return match self.peek()? {
                    None => Ok(None),
                    Some(_) => Err(Trouble::Format("something behind the array".into())),
                };
            }
            (None, _) => return Err(Trouble::Format("the array has no end".into())),
            (Some(byte), _) => {
                let byte = char::from(byte).escape_default();
                return Err(Trouble::Format(format!("not an array of objects: '{byte}'")));
            }
        }
        self.n_objects += 1;
        // An object marks its own end, so no byte after it is read.
        let mut json = serde_json::Deserializer::from_reader((&mut self.input).take(LINE_BYTES));
        Map::deserialize(&mut json).map(Some).map_err(|error| match error.is_io() {
            true => Trouble::Io(error.into()),
            false => Trouble::Format(format!("object {}: {error}", self.n_objects)),
        })
    }

    /// Returns the number of the last object; the first is 1.
    pub(super) fn number(&self) -> u64 {
        self.n_objects
    }

    /// Returns whether the end of an object was read from the input already.
    pub(super) fn has_end(&self) -> bool {
        self.input.buffer().contains(&b'}')
    }

    /// Returns the next byte that is not white space, without consuming it.
    fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            let ahead = self.input.fill_buf()?;
            if ahead.is_empty() {
                return Ok(None);
            }
            let blanks = ahead.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let byte = ahead.get(blanks).copied();
            self.input.consume(blanks);
            if byte.is_some() {
                return Ok(byte);
            }
        }
    }

    fn byte(&mut self) -> io::Result<Option<u8>> {
        let byte = self.peek()?;
        self.input.consume(usize::from(byte.is_some()));
        Ok(byte)
    }
}
