//! Records of RFC 4180, in bounded memory.

use std::io::{self, BufReader, Read};

use csv_core::{ReadRecordResult, Reader};

use super::text_lines::{LINE_BYTES, Line, TextLines};

/// A table, record by record.
pub(super) struct Csv<R> {
    lines: TextLines<R>,
    reader: Box<Reader>,
    /// The part of the last line that no record has yet: a return ends a record, too.
    rest: Vec<u8>,
}

/// A record while it is read.
#[derive(Default)]
struct Fields {
    /// The fields' texts, one after another, and room for more.
    text: Vec<u8>,
    n_text: usize,
    /// Where they end in `text`, and room for more.
    ends: Vec<usize>,
    n_ends: usize,
}

impl Fields {
    /// Reads on, as far as the record goes; how far that is, and whether the record ends there.
    fn read(&mut self, reader: &mut Reader, input: &[u8]) -> (ReadRecordResult, usize) {
        // No text is longer than its input, and each field but the last has a comma after it. One more of
        // both: the reader stops where its room ends, even if it needs no more.
        self.text.resize(self.n_text + input.len() + 1, 0);
        let n_commas = input.iter().filter(|&&byte| byte == b',').count();
        self.ends.resize(self.n_ends + n_commas + 2, 0);
        let (result, n_read, n_text, n_ends) =
            reader.read_record(input, &mut self.text[self.n_text..], &mut self.ends[self.n_ends..]);
        self.n_text += n_text;
        self.n_ends += n_ends;
        (result, n_read)
    }

    fn split(&self) -> Vec<Vec<u8>> {
        let ends = &self.ends[..self.n_ends];
        let starts = std::iter::once(0).chain(ends.iter().copied());
        starts.zip(ends).map(|(start, &end)| self.text[start..end].to_vec()).collect()
    }
}

impl<R: Read> Csv<R> {
    pub(super) fn new(input: BufReader<R>) -> Self {
        Csv { lines: TextLines::new(input), reader: Box::new(Reader::new()), rest: Vec::new() }
    }

    /// Returns the fields of the next record, none if it is too long. Only the reader decides where a record
    /// ends: a quoted field may continue in the next line.
    pub(super) fn next(&mut self) -> io::Result<Option<Vec<Vec<u8>>>> {
        let mut fields = Fields::default();
        loop {
            if self.rest.is_empty() {
                match self.lines.next_with_end()? {
                    Some(Line::Is(line)) => self.rest.extend_from_slice(line),
                    Some(Line::TooLong) => return Ok(Some(self.too_long())),
                    None => {
                        // No input ends a record that has no end of line.
                        let (result, _) = fields.read(&mut self.reader, b"");
                        return Ok((result == ReadRecordResult::Record).then(|| fields.split()));
                    }
                }
            }
            let (result, n_read) = fields.read(&mut self.reader, &self.rest);
            self.rest.drain(..n_read);
            if result == ReadRecordResult::Record {
                return Ok(Some(fields.split()));
            }
            if fields.n_text as u64 > LINE_BYTES {
                return Ok(Some(self.too_long()));
            }
        }
    }

    /// Starts again with the next line.
    fn too_long(&mut self) -> Vec<Vec<u8>> {
        self.rest.clear();
        *self.reader = Reader::new();
        Vec::new()
    }

    /// Returns the number of the line that the last record ended with.
    pub(super) fn number(&self) -> u64 {
        self.lines.number()
    }

    /// Returns whether a whole line was read from the input already.
    pub(super) fn has_line(&self) -> bool {
        !self.rest.is_empty() || self.lines.has_line()
    }
}
