//! Records of RFC 4180, in bounded memory.

use std::io::{self, BufReader, Read};

use super::text::{LINE_BYTES, Line, TextLines};

/// A table, record by record.
pub(super) struct Csv<R> {
    lines: TextLines<R>,
    reader: Box<csv_core::Reader>,
}

impl<R: Read> Csv<R> {
    pub(super) fn new(input: BufReader<R>) -> Self {
        Csv { lines: TextLines::new(input), reader: Box::new(csv_core::Reader::new()) }
    }

    /// The fields of the next record; none if it is too long. A quoted field may go on in the next line: while the quotes are
    /// odd in number.
    pub(super) fn next(&mut self) -> io::Result<Option<Vec<Vec<u8>>>> {
        let (mut record, mut n_quotes) = (Vec::new(), 0);
        let mut is_too_long = false;
        loop {
            match self.lines.next_with_end()? {
                None if record.is_empty() => return Ok(None),
                None => break,
                Some(Line::Is(b"\n" | b"\r\n")) if record.is_empty() => continue,
                Some(Line::Is(line)) => {
                    n_quotes += line.iter().filter(|&&byte| byte == b'"').count();
                    record.extend_from_slice(line);
                }
                Some(Line::TooLong) => is_too_long = true,
            }
            is_too_long |= record.len() as u64 > LINE_BYTES;
            if is_too_long || n_quotes % 2 == 0 {
                break;
            }
        }
        Ok(Some(if is_too_long { Vec::new() } else { self.fields(&record) }))
    }

    /// The number of the line that the last record ended with.
    pub(super) fn number(&self) -> u64 {
        self.lines.number()
    }

    /// Whether a whole line was read from the input already.
    pub(super) fn has_line(&self) -> bool {
        self.lines.has_line()
    }

    fn fields(&mut self, record: &[u8]) -> Vec<Vec<u8>> {
        // Each field but the last has a comma behind it.
        let mut text = vec![0; record.len()];
        let mut ends = vec![0; record.iter().filter(|&&byte| byte == b',').count() + 1];
        self.reader.reset();
        let (_, n_read, n_text, n_ends) = self.reader.read_record(record, &mut text, &mut ends);
        // The end of the input ends a record that has no end of line.
        let (_, _, _, n_last) =
            self.reader.read_record(&record[n_read..], &mut text[n_text..], &mut ends[n_ends..]);
        let ends = &ends[..n_ends + n_last];
        let starts = std::iter::once(0).chain(ends.iter().copied());
        starts.zip(ends).map(|(start, &end)| text[start..end].to_vec()).collect()
    }
}
