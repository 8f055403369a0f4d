//! Counts instructions by single-stepping a child process (ptrace(2)).
//!
//! ```text
//!   parent                              child, started traced
//!   spawn ───────────────────────────▶  stops at its start
//!   continue ────────────────────────▶  gets ready, then `int3`           first mark
//!   step, step, step, … ─────────────▶  the call to be counted, `int3`    second mark
//!   continue ────────────────────────▶  gets ready for the next, or ends
//! ```
//! The number of steps between two marks is the number of instructions, except those around the marks, which
//! a call of an empty function between two marks counts. A string instruction with a `rep` prefix stops the
//! child once per repetition; it is counted once.
//!
//! # Safety
//!
//! **Traced.** Requests go to a child that this process started and traces, while it is stopped. They read
//! the child's registers and memory, and write nothing.
//!
//! **Mark.** `int3` changes no register and no memory. Without a tracer it would end the process; only
//! processes that [`count_steps`] started execute it.
#![allow(unsafe_code)] // Argued above.

use libc::{c_int, c_long, c_void, pid_t};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::ptr;

/// Calls `work` between two marks. Only in a process that is being stepped.
#[inline(never)]
pub(crate) fn marked(work: &mut dyn FnMut()) {
    // SAFETY: "Mark".
    unsafe { core::arch::asm!("int3", options(nostack)) };
    work();
    // SAFETY: "Mark".
    unsafe { core::arch::asm!("int3", options(nostack)) };
}

/// Calls a function pointer between two marks.
#[inline(never)]
pub(crate) fn marked_function(function: extern "C" fn(u32), argument: u32) {
    // SAFETY: "Mark".
    unsafe { core::arch::asm!("int3", options(nostack)) };
    function(argument);
    // SAFETY: "Mark".
    unsafe { core::arch::asm!("int3", options(nostack)) };
}

/// A function of `1 + 2 · n` instructions and a return: n in 1.., the known loop.
#[unsafe(naked)]
pub(crate) extern "C" fn known_loop(n: u32) {
    core::arch::naked_asm!("mov ecx, edi", "2:", "dec ecx", "jnz 2b", "ret")
}

/// An empty function.
#[unsafe(naked)]
pub(crate) extern "C" fn nothing(n: u32) {
    core::arch::naked_asm!("ret")
}

/// Starts `command` traced, and returns the number of steps between its first and second mark, its third and
/// fourth, …. `progress` is called from time to time with the steps so far; if it returns false, the child is
/// ended and `None` returned.
///
/// # Errors
/// If tracing is not allowed here, or the child ends unexpectedly.
pub(crate) fn count_steps(
    command: &mut Command,
    progress: &mut dyn FnMut(u64) -> bool,
) -> io::Result<Option<Vec<u64>>> {
    // SAFETY: between fork and exec only a system call is made, which touches no memory.
    unsafe {
        command.pre_exec(|| match libc::ptrace(libc::PTRACE_TRACEME, 0, ptr::null_mut::<c_void>(), 0) {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        });
    }
    let mut child = command.spawn()?;
    let counted = Traced::of(&child).and_then(|mut traced| traced.run(progress));
    if !matches!(counted, Ok(Some(_))) {
        // It is stopped or has ended; in both cases nothing else waits for it.
        let _ = child.kill();
        let _ = child.wait();
    }
    counted
}

/// A child that is traced by this process.
struct Traced {
    pid: pid_t,
}

/// The next state of the child.
enum Stopped {
    /// It is stopped by this signal.
    By(c_int),
    /// It ended with this status.
    Ended(c_int),
}

impl Traced {
    fn of(child: &Child) -> io::Result<Self> {
        let traced = Traced { pid: pid_t::try_from(child.id()).expect("a process id") };
        match traced.wait()? {
            Stopped::By(libc::SIGTRAP) => {}
            _ => return Err(io::Error::other("the child did not stop at its start")),
        }
        // The child ends with this process.
        traced.request(libc::PTRACE_SETOPTIONS, c_long::from(libc::PTRACE_O_EXITKILL))?;
        Ok(traced)
    }

    fn run(&mut self, progress: &mut dyn FnMut(u64) -> bool) -> io::Result<Option<Vec<u64>>> {
        let mut counts = Vec::new();
        let mut signal = 0;
        loop {
            self.request(libc::PTRACE_CONT, c_long::from(signal))?;
            signal = match self.wait()? {
                Stopped::By(libc::SIGTRAP) => match self.step_to_mark(progress)? {
                    Some(steps) => {
                        counts.push(steps);
                        0
                    }
                    None => return Ok(None),
                },
                Stopped::By(signal) => signal,
                Stopped::Ended(0) => return Ok(Some(counts)),
                Stopped::Ended(status) => {
                    return Err(io::Error::other(format!("the child ended with status {status}")));
                }
            };
        }
    }

    /// Counts the instructions from the end of a mark to the next mark.
    fn step_to_mark(&self, progress: &mut dyn FnMut(u64) -> bool) -> io::Result<Option<u64>> {
        const INT3: u8 = 0xcc;
        const REP: [u8; 2] = [0xf2, 0xf3];
        let mut steps = 0;
        let mut at = self.instruction_pointer()?;
        let mut signal = 0;
        loop {
            self.request(libc::PTRACE_SINGLESTEP, c_long::from(signal))?;
            signal = match self.wait()? {
                Stopped::By(libc::SIGTRAP) => 0,
                Stopped::By(other) => {
                    // Not executed yet: it is delivered with the next step.
                    signal = other;
                    continue;
                }
                Stopped::Ended(status) => {
                    return Err(io::Error::other(format!("the child ended with status {status}")));
                }
            };
            let next = self.instruction_pointer()?;
            if next == at + 1 && self.byte(at)? == INT3 {
                return Ok(Some(steps));
            }
            let repeats = next == at && REP.contains(&self.byte(at)?);
            steps += u64::from(!repeats);
            at = next;
            if steps % 8192 == 0 && !progress(steps) {
                return Ok(None);
            }
        }
    }

    fn wait(&self) -> io::Result<Stopped> {
        let mut status = 0;
        // SAFETY: waits for this child; the status is a local.
        if unsafe { libc::waitpid(self.pid, &mut status, 0) } == -1 {
            return Err(io::Error::last_os_error());
        }
        Ok(match libc::WIFSTOPPED(status) {
            true => Stopped::By(libc::WSTOPSIG(status)),
            false if libc::WIFEXITED(status) => Stopped::Ended(libc::WEXITSTATUS(status)),
            false => Stopped::Ended(128 + libc::WTERMSIG(status)),
        })
    }

    /// A request whose data is a number.
    fn request(&self, request: libc::c_uint, data: c_long) -> io::Result<()> {
        // SAFETY: "Traced".
        match unsafe { libc::ptrace(request, self.pid, ptr::null_mut::<c_void>(), data) } {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }

    fn instruction_pointer(&self) -> io::Result<u64> {
        const PLACE: usize = size_of::<u64>() * libc::RIP as usize;
        // SAFETY: "Traced"; RIP is one of the registers' words.
        self.peek(|| unsafe { libc::ptrace(libc::PTRACE_PEEKUSER, self.pid, PLACE as *mut c_void, 0) })
    }

    /// Reads the byte of the child's memory at `address`.
    fn byte(&self, address: u64) -> io::Result<u8> {
        // SAFETY: "Traced"; an address without memory is an error.
        let word = self
            .peek(|| unsafe { libc::ptrace(libc::PTRACE_PEEKTEXT, self.pid, address as *mut c_void, 0) })?;
        Ok(word.to_le_bytes()[0])
    }

    /// Makes a request that returns a word: -1 is an error only if the error number is set.
    fn peek(&self, request: impl FnOnce() -> c_long) -> io::Result<u64> {
        // SAFETY: this thread's error number.
        unsafe { *libc::__errno_location() = 0 };
        let word = request();
        match io::Error::last_os_error().raw_os_error() {
            Some(error) if word == -1 && error != 0 => Err(io::Error::from_raw_os_error(error)),
            _ => Ok(word as u64),
        }
    }
}
