//! SHA-NI: one message, and 2 to 4 interleaved four rounds by four rounds.
//!
//! Of several, sha1msg1 and the xor after it are replaced by vshufpd and vpternlogd: three inputs at once,
//! and off the pipe of the SHA instructions. Words and E live in xmm16–31, which EVEX instructions alone
//! reach; SHA instructions get theirs by moves, which cost no more than their dispatch, into the low
//! registers.
//!
//! | | Zen 4, cycles per block | binds |
//! |---|---|---|
//! | 2 messages | 133 | latency of sha1rnds4, 6: 120 |
//! | 3 messages | 151 | sha1rnds4, one in two cycles: 120 |
//! | 4 messages | 180 | the same: 160 |

use super::constants::{REVERSE, constants_argument};
use crate::asm::emit::Kernel;
use crate::asm::one_stream::{self, BLOCK, CONSTANTS, STATE, Stream};
use crate::asm::strand::{Strand, code};

/// The differences between the kernels.
pub(super) struct Form {
    pub(super) messages: usize,
    schedule: Schedule,
}

/// The offset of the schedule.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Schedule {
    /// vshufpd and vpternlogd before sha1rnds4, sha1msg2 after it.
    AroundRounds,
    BehindRounds,
}

pub(super) const X2: Form = Form { messages: 2, schedule: Schedule::AroundRounds };
pub(super) const X3: Form = Form { messages: 3, schedule: Schedule::BehindRounds };
pub(super) const X4: Form = Form { messages: 4, schedule: Schedule::AroundRounds };

const POINTERS: [&str; 4] = ["r8", "r9", "r10", "r11"];

/// The offset of the states before the block: 16 bytes for each message of A B C D, then of E.
fn saved_abcd(message: usize) -> String {
    format!("[rcx+{}]", 16 * message)
}
fn saved_e(message: usize) -> String {
    format!("[rcx+{}]", 64 + 16 * message)
}
/// Bytes of scratch memory.
pub(super) const SCRATCH: usize = 128;

impl Form {
    /// A B C D of a message, A highest.
    fn abcd(&self, message: usize) -> String {
        format!("xmm{message}")
    }
    /// The newest four words: where sha1msg2 finds them.
    fn newest(&self, message: usize) -> String {
        format!("xmm{}", self.messages + message)
    }
    /// Words 4i..4i + 4, once they are not the newest.
    fn words(&self, message: usize, i: usize) -> String {
        // Three registers a message do for four: then words end in the register that they start in.
        let ring = if self.messages <= 3 { 4 } else { 3 };
        format!("xmm{}", 16 + ring * message + i % ring)
    }
    /// E as the highest word, or, between fours of rounds, the A B C D that it comes from.
    fn e(&self, message: usize) -> String {
        let ring = if self.messages <= 3 { 4 } else { 3 };
        format!("xmm{}", 16 + ring * self.messages + message)
    }
}

/// Low registers, in turn.
struct Temporaries {
    first: usize,
    taken: usize,
}

impl Temporaries {
    fn new(form: &Form) -> Self {
        Self { first: 2 * form.messages, taken: 0 }
    }
    fn take(&mut self) -> String {
        let n = self.first + self.taken % (16 - self.first);
        self.taken += 1;
        format!("xmm{n}")
    }
}

/// Messages by pointers. rax = constants, rsi = the row of pointers, rbx = offset from each; r14 = bytes to
/// the next row, r15 = to the next block at a pointer.
pub(super) fn kernel(form: &Form) -> Strand {
    let mut out = Strand::new();
    code! { out;
        "mov rax,r8";
        "mov r14,[rsi+8]";
        "mov r15,[rsi+16]";
        "mov rsi,[rsi]";
        "xor ebx,ebx";
    }
    out.extend(load_states(form));
    code! { out; ".p2align 6"; "2:"; }
    out.extend(block(form));
    code! { out; "add rsi,r14"; "add rbx,r15"; "dec rdx"; "jnz 2b"; }
    out.extend(store_states(form));
    out
}

/// A block of every message.
fn block(form: &Form) -> Strand {
    let (mut out, mut temporaries) = (Strand::new(), Temporaries::new(form));
    for (m, pointer) in POINTERS.iter().enumerate().take(form.messages) {
        code! { out; "mov {pointer},[rsi+{}]", 8 * m; }
    }
    for (m, pointer) in POINTERS.iter().enumerate().take(form.messages) {
        code! { out;
            "vmovdqa {},{}", saved_abcd(m), form.abcd(m);
            "vmovdqa64 {},{}", saved_e(m), form.e(m);
        }
        for i in 0..4 {
            let words = if i < 3 { form.words(m, i) } else { form.newest(m) };
            code! { out;
                "vmovdqu64 {words},[{pointer}+rbx+{}]", 16 * i;
                "vpshufb {words},{words},[rax+{REVERSE}]";
            }
        }
    }
    for i in 0..20 {
        for m in 0..form.messages {
            out.extend(four_rounds(form, m, i, &mut temporaries));
        }
    }
    for m in 0..form.messages {
        let (abcd, e, x) = (form.abcd(m), form.e(m), temporaries.take());
        code! { out;
            "vmovdqa64 {x},{e}";
            "sha1nexte {x},{}", saved_e(m);
            "vmovdqa64 {e},{x}";
            "vpaddd {abcd},{abcd},{}", saved_abcd(m);
        }
    }
    out
}

/// Rounds 4i..4i + 4 of message `m`, and words 4i + 16..4i + 20.
fn four_rounds(form: &Form, m: usize, i: usize, temporaries: &mut Temporaries) -> Strand {
    let (abcd, e, newest) = (form.abcd(m), form.e(m), form.newest(m));
    let mut out = Strand::new();
    let x = temporaries.take();
    if i == 0 {
        code! { out; "vpaddd {x},{e},{}", form.words(m, 0); }
    } else {
        let mut words = newest.clone();
        if i != 19 {
            words = temporaries.take();
            code! { out; "vmovdqa64 {words},{}", form.words(m, i); }
        }
        code! { out; "vmovdqa64 {x},{e}"; "sha1nexte {x},{words}"; }
    }
    let mut rounds = Strand::new();
    code! { rounds; "vmovdqa64 {e},{abcd}"; "sha1rnds4 {abcd},{x},{}", i / 5; }
    let (mut first, mut second) = (Strand::new(), Strand::new());
    if i < 16 {
        let [w0, w1, w2, w3] = [0, 1, 2, 3].map(|j| form.words(m, i + j));
        let (shifted, next) = (temporaries.take(), temporaries.take());
        code! { first;
            "vshufpd {shifted},{w1},{w0},1";
            "vmovdqa64 {next},{w0}";
            "vpternlogd {next},{shifted},{w2},0x96";
        }
        code! { second; "sha1msg2 {next},{newest}"; "vmovdqa64 {w3},{newest}"; "vmovdqa {newest},{next}"; }
    }
    match form.schedule {
        Schedule::AroundRounds => out.extend([first, rounds, second].concat()),
        Schedule::BehindRounds => out.extend([rounds, first, second].concat()),
    }
    out
}

fn load_states(form: &Form) -> Strand {
    let (mut out, mut temporaries) = (Strand::new(), Temporaries::new(form));
    for m in 0..form.messages {
        let x = temporaries.take();
        code! { out;
            "vpshufd {},[rdi+{}],0x1b", form.abcd(m), 20 * m;
            "vmovd {x},dword ptr [rdi+{}]", 20 * m + 16;
            "vpslldq {x},{x},12";
            "vmovdqa64 {},{x}", form.e(m);
        }
    }
    out
}

fn store_states(form: &Form) -> Strand {
    let (mut out, mut temporaries) = (Strand::new(), Temporaries::new(form));
    for m in 0..form.messages {
        let (x, y) = (temporaries.take(), temporaries.take());
        code! { out;
            "vpshufd {x},{},0x1b", form.abcd(m);
            "vmovdqu [rdi+{}],{x}", 20 * m;
            "vmovdqa64 {y},{}", form.e(m);
            "vpextrd dword ptr [rdi+{}],{y},3", 20 * m + 16;
        }
    }
    out
}

/// `sha-ni`: one message.
pub(super) fn one_message() -> Kernel {
    let (abcd, x, swap) = ("xmm0", "xmm7", "xmm10");
    let words = |t: usize| format!("xmm{}", 3 + t % 4);
    // E as the highest word, or the A B C D that it comes from; and the one that the next four rounds begin
    // with.
    let e = |t: usize| format!("xmm{}", 1 + t % 2);
    let [saved_abcd, saved_e] = ["xmm8", "xmm9"];
    let (mut load, mut store) = (Strand::new(), Strand::new());
    code! { load;
        "movdqu {abcd},[{STATE}]";
        "pshufd {abcd},{abcd},0x1b";
        "movd {},dword ptr [{STATE}+16]", e(0);
        "pslldq {},12", e(0);
        "movdqa {swap},[{CONSTANTS}+{REVERSE}]";
    }
    code! { store;
        "pshufd {x},{abcd},0x1b";
        "movdqu [{STATE}],{x}";
        "pextrd dword ptr [{STATE}+16],{},3", e(0);
    }
    let mut block = Strand::new();
    for t in 0..4 {
        code! { block; "movdqu {},[{BLOCK}+{}]", words(t), 16 * t; "pshufb {},{swap}", words(t); }
    }
    code! { block; "movdqa {saved_abcd},{abcd}"; "movdqa {saved_e},{}", e(0); }
    for t in 0..20 {
        let (e, next, w) = (e(t), e(t + 1), words(t));
        let begin = if t == 0 { "paddd" } else { "sha1nexte" };
        code! { block; "{begin} {e},{w}"; "movdqa {next},{abcd}"; "sha1rnds4 {abcd},{e},{}", t / 5; }
        if t < 16 {
            let [w1, w2, w3] = [1, 2, 3].map(|i| words(t + i));
            code! { block; "sha1msg1 {w},{w1}"; "pxor {w},{w2}"; "sha1msg2 {w},{w3}"; }
        }
    }
    code! { block; "sha1nexte {},{saved_e}", e(20); "paddd {abcd},{saved_abcd}"; }
    let constants = constants_argument("rcx").into();
    one_stream::kernel("SHA-1", "A..E", constants, Stream { load, block, store })
}
