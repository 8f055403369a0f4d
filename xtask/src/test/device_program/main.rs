//! A program without an operating system that verifies one signature and prints the stack that this used;
//! exit status 0 if it is valid. qemu-arm carries out its two system calls.
#![no_std]
#![no_main]

use core::arch::{asm, global_asm};
use core::hint::black_box;

const PUBLIC_KEY: &[u8] = include_bytes!("public_key");
const SIGNATURE: &[u8] = include_bytes!("signature");
const MESSAGE: &[u8] = b"a message";
const PAINTED: usize = 24 * 1024;
const PAINT: u8 = 0xa7;

global_asm!(".globl _start", ".thumb_func", "_start:", "bl main", "1: b 1b");

#[panic_handler]
fn panicked(_: &core::panic::PanicInfo<'_>) -> ! {
    exit(2)
}

fn call(number: u32, a: u32, b: u32, c: u32) {
    // SAFETY: exit and write of Linux on Arm, with their arguments; they change no memory of this program. r7
    // is restored.
    unsafe {
        asm!("push {{r7}}", "mov r7, {number}", "svc 0", "pop {{r7}}", number = in(reg) number, inlateout("r0") a => _,
             in("r1") b, in("r2") c);
    }
}

fn exit(status: u32) -> ! {
    call(1, status, 0, 0);
    loop {}
}

/// Paints the stack below the caller; returns the lowest address of the paint.
#[inline(never)]
fn paint() -> *const u8 {
    let mut paint = [0_u8; PAINTED];
    paint.fill(PAINT);
    black_box(&mut paint).as_ptr()
}

#[inline(never)]
fn used_below(lowest: *const u8) -> usize {
    let mut clean = 0;
    // SAFETY: the stack is larger than the paint, and its bytes were written.
    while clean < PAINTED && unsafe { lowest.add(clean).read_volatile() } == PAINT {
        clean += 1;
    }
    PAINTED - clean
}

fn print(mut number: usize) {
    let mut digits = [b'\n'; 8];
    let mut at = digits.len() - 1;
    while at > 0 {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    let digits = &digits[at..];
    call(4, 1, digits.as_ptr() as u32, digits.len() as u32);
}

#[inline(never)]
fn verify() -> bool {
    let (key, signature) = (black_box(PUBLIC_KEY), black_box(SIGNATURE));
    let _ = (key, signature, MESSAGE);
    EXPRESSION
}

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    let lowest = paint();
    let is_valid = verify();
    print(used_below(lowest));
    exit(u32::from(!is_valid))
}
