//! The stack that a verification uses.

use std::fs::File;
use std::hint::black_box;
use std::io::{Read, Seek, SeekFrom};

const PAINTED: usize = 64 * 1024;
const PAINT: u8 = 0xa7;

/// Paints the stack below the caller; returns the lowest address of the paint.
#[inline(never)]
fn paint() -> u64 {
    let mut paint = [0_u8; PAINTED];
    paint.fill(PAINT);
    black_box(&mut paint).as_ptr().addr() as u64
}

/// Returns the number of bytes from the lowest overwritten one to the top of the paint.
#[inline(never)]
fn used_below(lowest: u64, memory: &mut File) -> usize {
    let mut stack = vec![0; PAINTED];
    memory.seek(SeekFrom::Start(lowest)).expect("the process's memory");
    memory.read_exact(&mut stack).expect("the thread's stack");
    PAINTED - stack.iter().take_while(|byte| **byte == PAINT).count()
}

/// Returns how many bytes of stack the second call of a successful verification uses. The first one reads the
/// CPU's features and the environment to choose a kernel.
pub(crate) fn used(verify: impl Fn() -> Result<(), hashlanes_hbs::Error> + Send + 'static) -> usize {
    let measured = std::thread::spawn(move || {
        let mut memory = File::open("/proc/self/mem").expect("the process's memory");
        assert_eq!(verify(), Ok(()));
        let lowest = paint();
        assert_eq!(verify(), Ok(()));
        used_below(lowest, &mut memory)
    });
    measured.join().unwrap()
}
