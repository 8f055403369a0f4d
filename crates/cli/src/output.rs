//! Results to standard output, messages to standard error, both in the order of the files.
//!
//! Workers finish files in any order. What each file has to say waits here until all files before it have
//! spoken. Lines are gathered and written in large pieces; gathered lines go out before any message does,
//! so both streams into one file read as if the files had been done one by one.
//!
//! Gathered lines are not kept long: every delivery, and every turn of a worker on long files, writes
//! them out if the last write is more than a tenth of a second ago. On a terminal they go out at once.

use std::collections::VecDeque;
use std::fs::File;
use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::closed_descriptors;
use crate::interruption::{held_off, remove_leftovers};
use crate::limits::HELD_BYTES;
use crate::message::{Speaker, reason, say};
use crate::platform;
use crate::platform::fd::AsFd;
use crate::platform::io::Errno;

/// Bytes gathered before they are written.
const WRITE_BYTES: usize = 64 << 10;
/// The longest time for which lines are held back during the work.
const WRITE_DELAY: Duration = Duration::from_millis(100);

/// The status that a shell reports of a program ended by SIGPIPE, 128 + 13.
const ENDED_BY_SIGPIPE: i32 = 141;

/// Whether the results keep the order of the files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    Kept,
    /// In the order of completion.
    Any,
}

/// The output for one file.
#[derive(Default, Debug)]
pub(crate) struct Lines {
    /// For standard error; before `out`.
    pub(crate) err: Vec<u8>,
    pub(crate) out: Vec<u8>,
    /// For standard error; printed after `out`.
    pub(crate) warning: Vec<u8>,
    /// Comments among the results; they never replace an old content without results.
    pub(crate) comment: Vec<u8>,
}

impl Lines {
    fn held_bytes(&self) -> usize {
        let texts = [&self.err, &self.out, &self.warning, &self.comment];
        size_of::<Lines>() + texts.into_iter().map(Vec::capacity).sum::<usize>()
    }
}

/// Standard output and standard error, and what still waits for its turn.
pub(crate) struct Output<'a> {
    speaker: &'a Speaker,
    order: Order,
    /// The number of the file whose lines come next.
    next: u64,
    /// Lines of the files from `next` on; `None` for those still being read.
    waiting: VecDeque<Option<Lines>>,
    waiting_bytes: usize,
    gathered: Vec<u8>,
    last_write: Instant,
    write_bytes: usize,
    frame: Frame,
    file: Option<ToFile<'a>>,
    /// The content of that file does not belong to this job: it is truncated when the first results arrive.
    is_old: bool,
    unwritten: Unwritten,
    /// The exit status if results cannot be written.
    failure: u8,
}

/// The treatment of results that cannot be written.
#[derive(Clone, Copy)]
enum Unwritten {
    EndsProgram,
    /// Results are dropped after this error: the work itself counts, and its end must be reported.
    Dropped(Option<Errno>),
}

/// The text around results and between them.
#[derive(Default)]
struct Frame {
    between: &'static [u8],
    tail: &'static [u8],
    /// A result was printed.
    begun: bool,
}

impl<'a> Output<'a> {
    pub(crate) fn new(speaker: &'a Speaker, order: Order) -> Output<'a> {
        Output {
            speaker,
            order,
            next: 0,
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            gathered: Vec::with_capacity(WRITE_BYTES + (8 << 10)),
            last_write: Instant::now(),
            write_bytes: if std::io::stdout().is_terminal() { 1 } else { WRITE_BYTES },
            frame: Frame::default(),
            file: None,
            is_old: false,
            unwritten: Unwritten::EndsProgram,
            failure: 1,
        }
    }

    /// Returns the same output; the program ends with this status if results cannot be written.
    pub(crate) fn failing_with(self, failure: u8) -> Output<'a> {
        Output { failure, ..self }
    }

    /// Returns an output for work that must continue if its results cannot be written: see
    /// [`Output::unwritten`].
    pub(crate) fn dropping_unwritten(self) -> Output<'a> {
        Output { unwritten: Unwritten::Dropped(None), ..self }
    }

    /// Why results were dropped.
    pub(crate) fn unwritten(&self) -> Option<Errno> {
        match self.unwritten {
            Unwritten::Dropped(why) => why,
            Unwritten::EndsProgram => None,
        }
    }

    /// Returns the same output, but to a file, whose old content is deleted when the first results come.
    pub(crate) fn in_place_of(self, file: &'a File, name: &'a [u8]) -> Output<'a> {
        Output { is_old: file.metadata().is_ok_and(|metadata| metadata.is_file()), ..self.to(file, name) }
    }

    /// The same, to a file, after its present content.
    pub(crate) fn to(mut self, file: &'a File, name: &'a [u8]) -> Output<'a> {
        let is_regular = file.metadata().is_ok_and(|metadata| metadata.is_file());
        self.file = Some(ToFile { file, name, is_regular });
        self.write_bytes = WRITE_BYTES;
        self
    }

    /// The same, with a text before all results, between two of them, and after all.
    pub(crate) fn with_frame(
        mut self,
        head: &[u8],
        between: &'static [u8],
        tail: &'static [u8],
    ) -> Output<'a> {
        self.gathered.extend_from_slice(head);
        self.frame = Frame { between, tail, begun: false };
        self
    }

    /// Writes everything: all results were delivered.
    pub(crate) fn end(&mut self) {
        self.gathered.extend_from_slice(self.frame.tail);
        self.flush();
    }

    /// Accepts the lines of file `number` (counted from 0, each once) and prints all lines that are next.
    pub(crate) fn deliver(&mut self, number: u64, lines: Lines) {
        if self.order == Order::Any {
            self.print(&lines);
            return;
        }
        if number == self.next && self.waiting.is_empty() {
            self.next += 1;
            self.print(&lines);
            return;
        }
        let at = (number - self.next) as usize;
        if self.waiting.len() <= at {
            self.waiting.resize_with(at + 1, || None);
        }
        self.waiting_bytes += lines.held_bytes();
        self.waiting[at] = Some(lines);
        while let Some(Some(_)) = self.waiting.front() {
            let lines = self.waiting.pop_front().flatten().expect("the front was just seen");
            self.waiting_bytes -= lines.held_bytes();
            self.next += 1;
            self.print(&lines);
        }
    }

    /// So much waits for one slow file that no other file should be begun.
    pub(crate) fn is_full(&self) -> bool {
        self.waiting_bytes > HELD_BYTES
    }

    fn print(&mut self, lines: &Lines) {
        if !lines.err.is_empty() {
            self.flush();
            say(&lines.err);
        }
        if !lines.out.is_empty() {
            if std::mem::replace(&mut self.frame.begun, true) {
                self.gathered.extend_from_slice(self.frame.between);
            }
            self.gathered.extend_from_slice(&lines.out);
        }
        if !self.is_old || !self.gathered.is_empty() {
            self.gathered.extend_from_slice(&lines.comment);
        }
        if self.gathered.len() >= self.write_bytes || !lines.warning.is_empty() {
            self.flush();
        }
        if !lines.warning.is_empty() {
            say(&lines.warning);
        }
    }

    /// Writes the gathered lines if they are old.
    pub(crate) fn flush_if_due(&mut self) {
        if !self.gathered.is_empty() && self.last_write.elapsed() >= WRITE_DELAY {
            self.flush();
        }
    }

    /// Writes the gathered lines.
    pub(crate) fn flush(&mut self) {
        self.last_write = Instant::now();
        if self.gathered.is_empty() {
            return;
        }
        let written = match &self.file {
            Some(file) if file.is_regular => file.write_whole(&self.gathered, &mut self.is_old),
            Some(file) => write_all(file.file, &self.gathered),
            None => closed_descriptors::standard_output()
                .and_then(|()| write_all(platform::stdio::stdout(), &self.gathered)),
        };
        self.gathered.clear();
        match (written, self.unwritten) {
            (Ok(()), _) => {}
            (Err(error), Unwritten::Dropped(_)) => self.unwritten = Unwritten::Dropped(Some(error)),
            (Err(error), Unwritten::EndsProgram) => {
                end_unwritten(self.speaker, self.file.as_ref().map(|file| file.name), error, self.failure)
            }
        }
    }
}

/// The destination of results instead of standard output.
struct ToFile<'a> {
    file: &'a File,
    name: &'a [u8],
    is_regular: bool,
}

impl ToFile<'_> {
    /// Writes whole results to a regular file, or nothing of them: a manifest that is cut short consists of
    /// whole lines. Signals wait. An old content goes before the first results.
    fn write_whole(&self, results: &[u8], is_old: &mut bool) -> Result<(), Errno> {
        held_off(|| {
            if std::mem::replace(is_old, false) {
                platform::fs::ftruncate(self.file, 0)?;
            }
            let start = platform::fs::tell(self.file)?;
            write_all(self.file, results).inspect_err(|_| {
                // Bytes that cannot be truncated stay: --resume ignores a line that is cut short.
                let _ = platform::fs::ftruncate(self.file, start);
            })
        })
    }
}

fn write_all(to: impl AsFd, mut bytes: &[u8]) -> Result<(), Errno> {
    while !bytes.is_empty() {
        match platform::io::write(&to, bytes) {
            Ok(n) => bytes = &bytes[n..],
            Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Prints a requested text, such as the help.
pub(crate) fn print_text(speaker: &Speaker, text: &str) -> ExitCode {
    print_bytes(speaker, text.as_bytes())
}

/// The same for bytes that may not be text.
pub(crate) fn print_bytes(speaker: &Speaker, text: &[u8]) -> ExitCode {
    let mut output = Output::new(speaker, Order::Kept);
    output.deliver(0, Lines { out: text.to_vec(), ..Lines::default() });
    output.flush();
    ExitCode::SUCCESS
}

/// Ends the program because its results cannot be written: silently if their reader is gone, as SIGPIPE would
/// end it (the standard library ignores that signal), else with a message. Ends it from any thread, because
/// the other workers may be waiting for input that never comes.
fn end_unwritten(speaker: &Speaker, file: Option<&[u8]>, error: Errno, failure: u8) -> ! {
    remove_leftovers();
    if error == Errno::PIPE {
        std::process::exit(ENDED_BY_SIGPIPE);
    }
    let text = format!("write error: {}", reason(error));
    say(&match file {
        Some(name) => speaker.about_file(name, &text),
        None => speaker.line(&text),
    });
    std::process::exit(failure.into());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results in any order: all waiting results are kept, counted, and then released.
    #[test]
    fn waiting_lines_are_let_go_in_order() {
        let speaker = Speaker::new(b"test");
        let mut output = Output::new(&speaker, Order::Kept);
        output.write_bytes = usize::MAX;
        for number in [3, 1, 4, 0, 6, 2, 5] {
            output.deliver(number, Lines { out: vec![b'0' + number as u8], ..Lines::default() });
            assert_eq!(output.waiting.is_empty(), output.waiting_bytes == 0);
        }
        assert_eq!(output.gathered, b"0123456");
        assert!(output.waiting.is_empty());
    }
}
