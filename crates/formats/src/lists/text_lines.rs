//! Lines of a text that may be anything, in bounded memory.

use std::io::{self, BufRead, BufReader, Read};

/// The longest line that is held in memory. A name has at most 4,095 bytes on Linux; a longer line is not
/// valid in any list.
pub(super) const LINE_BYTES: u64 = 1 << 20;

/// The bytes that some editors write before a text in UTF-8.
pub(super) const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A text, line by line. A byte order mark before it is skipped.
pub struct TextLines<R> {
    input: BufReader<R>,
    /// The end of a line.
    end: u8,
    line: Vec<u8>,
    number: u64,
    /// A byte order mark is part of the first line.
    keeps_mark: bool,
    /// Reading failed after the last returned line.
    failure: Option<io::Error>,
}

/// A line, without its end (LF or CR LF) unless requested.
#[derive(Debug, PartialEq, Eq)]
pub enum Line<'l> {
    /// The line.
    Is(&'l [u8]),
    /// A line of more than 1 MiB, which was skipped.
    TooLong,
}

impl<R: Read> TextLines<R> {
    /// Lines that end with a newline, or a return and a newline.
    pub fn new(input: BufReader<R>) -> Self {
        Self::ended_by(b'\n', input)
    }

    /// The same as GNU's tools read them: a byte order mark belongs to the first line.
    pub(super) fn with_mark(input: BufReader<R>) -> Self {
        TextLines { keeps_mark: true, ..Self::new(input) }
    }

    /// Lines that end with another byte, and with nothing else.
    pub(super) fn ended_by(end: u8, input: BufReader<R>) -> Self {
        TextLines { input, end, line: Vec::new(), number: 0, keeps_mark: false, failure: None }
    }

    /// Returns the next line; `None` at the end.
    ///
    /// # Errors
    /// The error of a failed read, reported after the line that it truncated.
    #[expect(clippy::should_implement_trait, reason = "a line borrows the text")]
    pub fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        let end = self.end;
        Ok(self.next_with_end()?.map(|line| match line {
            Line::Is(line) => {
                let line = line.strip_suffix(&[end]).unwrap_or(line);
                let is_text = end == b'\n';
                Line::Is(if is_text { line.strip_suffix(b"\r").unwrap_or(line) } else { line })
            }
            Line::TooLong => Line::TooLong,
        }))
    }

    /// The same with the line's end.
    ///
    /// # Errors
    /// The same condition as above.
    pub(super) fn next_with_end(&mut self) -> io::Result<Option<Line<'_>>> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        self.line.clear();
        self.failure = (&mut self.input).take(LINE_BYTES).read_until(self.end, &mut self.line).err();
        if self.line.is_empty() {
            return self.failure.take().map_or(Ok(None), Err);
        }
        self.number += 1;
        if self.number == 1 && !self.keeps_mark && self.line.starts_with(BYTE_ORDER_MARK) {
            self.line.drain(..BYTE_ORDER_MARK.len());
        }
        if self.line.len() as u64 == LINE_BYTES && self.line.last() != Some(&self.end) {
            self.failure = self.failure.take().or(self.input.skip_until(self.end).err());
            return Ok(Some(Line::TooLong));
        }
        Ok(Some(Line::Is(&self.line)))
    }

    /// Returns the number of the line that was given last; the first is 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns whether a whole line was read from the input already.
    pub fn has_line(&self) -> bool {
        self.input.buffer().contains(&self.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns its bytes, then an error.
    struct Failing(&'static [u8]);

    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.read(buffer) {
                Ok(0) => Err(io::Error::other("broken")),
                read => read,
            }
        }
    }

    #[test]
    fn lines_have_no_ends() {
        let mut lines = TextLines::new(BufReader::new(&b"a\r\n\n\r\nb\r\r\nc"[..]));
        for (number, expected) in (1..).zip([&b"a"[..], b"", b"", b"b\r", b"c"]) {
            assert_eq!(lines.next().unwrap(), Some(Line::Is(expected)));
            assert_eq!(lines.number(), number);
        }
        assert_eq!(lines.next().unwrap(), None);
    }

    #[test]
    fn too_long_lines_are_skipped() {
        let text = [&vec![b'x'; LINE_BYTES as usize][..], b"xx\nb\n"].concat();
        let mut lines = TextLines::new(BufReader::new(&text[..]));
        assert_eq!(lines.next().unwrap(), Some(Line::TooLong));
        assert_eq!(lines.next().unwrap(), Some(Line::Is(b"b")));
        assert_eq!(lines.next().unwrap(), None);
    }

    #[test]
    fn an_error_comes_after_the_line_that_it_cuts() {
        let mut lines = TextLines::new(BufReader::new(Failing(b"a\nb")));
        assert_eq!(lines.next().unwrap(), Some(Line::Is(b"a")));
        assert_eq!(lines.next().unwrap(), Some(Line::Is(b"b")));
        assert_eq!(lines.next().unwrap_err().to_string(), "broken");
    }
}
