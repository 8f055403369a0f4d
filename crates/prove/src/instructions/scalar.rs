//! Instructions on general registers, and control flow.

use iced_x86::{ConditionCode, Instruction, Mnemonic as M, OpKind, Register};

use crate::machine::{Flags, Machine, Outcome};
use crate::terms::{Term, Terms, ones};

type Binary = fn(&mut Terms, Term, Term) -> Term;

pub(super) fn carry_out(m: &mut Machine<'_>, i: &Instruction) -> Option<Outcome> {
    let is_scalar = |k| i.op_kind(k) != OpKind::Register || i.op_register(k).is_gpr();
    Some(match i.mnemonic() {
        M::Add => arithmetic(m, i, Terms::add, sum, true),
        M::Sub => arithmetic(m, i, Terms::sub, difference, true),
        M::Cmp => arithmetic(m, i, Terms::sub, difference, false),
        M::And => arithmetic(m, i, Terms::and, |a, b, n| logic(a & b, n), true),
        M::Test => arithmetic(m, i, Terms::and, |a, b, n| logic(a & b, n), false),
        M::Or => arithmetic(m, i, Terms::or, |a, b, n| logic(a | b, n), true),
        M::Xor => exclusive_or(m, i),
        M::Adc => with_carry(m, i, sum),
        M::Sbb => subtract_with_borrow(m, i),
        M::Inc => by_one(m, i, Terms::add, sum),
        M::Dec => by_one(m, i, Terms::sub, difference),
        M::Neg => negate(m, i),
        M::Not => m.read(i, 0).and_then(|a| {
            let not = m.terms.not(a);
            m.write(i, 0, not)
        }),
        M::Mov => m.read(i, 1).and_then(|a| m.write(i, 0, a)),
        M::Movzx => m.read(i, 1).and_then(|a| m.write(i, 0, a)),
        M::Movsxd | M::Movsx => sign_extend(m, i),
        M::Movbe => m.read(i, 1).and_then(|a| {
            let swapped = crate::memory::reversed(&mut m.terms, a);
            m.write(i, 0, swapped)
        }),
        M::Bswap => m.read(i, 0).and_then(|a| {
            let swapped = crate::memory::reversed(&mut m.terms, a);
            m.write(i, 0, swapped)
        }),
        M::Lea => lea(m, i),
        M::Xchg => m.read(i, 0).and_then(|a| {
            let b = m.read(i, 1)?;
            m.write(i, 0, b)?;
            m.write(i, 1, a)
        }),
        M::Shr | M::Shl | M::Ror | M::Rol | M::Sar => shift(m, i),
        M::Rorx => m.read(i, 1).and_then(|a| {
            let rotated = m.terms.rotate(a, u32::from(i.immediate8()) % m.bits(i, 0));
            m.write(i, 0, rotated)
        }),
        M::Shrx | M::Shlx => shift_by_register(m, i),
        M::Shrd | M::Shld => shift_double(m, i),
        M::Andn => m.read(i, 1).and_then(|a| {
            let b = m.read(i, 2)?;
            let and = m.terms.and_not(a, b);
            m.flags = None;
            m.write(i, 0, and)
        }),
        M::Mul | M::Div => multiply_or_divide(m, i),
        M::Imul => multiply(m, i),
        M::Bt => bit_test(m, i),
        M::Push => m.read(i, 0).and_then(|a| {
            let a = m.widened(a);
            m.push(a)
        }),
        M::Pop => m.pop().and_then(|a| m.write(i, 0, a)),
        M::Call => target(m, i).and_then(|to| {
            let back = m.terms.constant(m.next, 64);
            m.push(back)?;
            m.enter();
            m.next = to;
            Ok(())
        }),
        M::Ret => m.leave().and_then(|()| m.pop()).and_then(|a| {
            m.next = m.known(a, "the return address")?;
            Ok(())
        }),
        M::Jmp => target(m, i).map(|to| m.next = to),
        M::Nop | M::Endbr64 | M::Prefetcht0 | M::Prefetcht1 | M::Prefetcht2 | M::Prefetchnta => Ok(()),
        M::Ud2 => Err("ends the program".into()),
        _ => match i.condition_code() {
            ConditionCode::None => return None,
            condition => conditional(m, i, condition),
        },
    })
    .filter(|_| (0..i.op_count()).all(is_scalar))
}

// ---- Arithmetic on constants, with its flags ----

type OnConstants = fn(u64, u64, u32) -> (u64, Flags);

fn flags(result: u64, n: u32, carry: bool, overflow: bool) -> (u64, Flags) {
    let result = result & ones(n as u8);
    let parity = (result as u8).count_ones().is_multiple_of(2);
    (
        result,
        Flags {
            carry: Some(carry),
            zero: Some(result == 0),
            sign: Some(result >> (n - 1) & 1 == 1),
            overflow: Some(overflow),
            parity: Some(parity),
        },
    )
}

fn sum(a: u64, b: u64, n: u32) -> (u64, Flags) {
    let wide = u128::from(a) + u128::from(b);
    let result = wide as u64 & ones(n as u8);
    flags(result, n, wide >> n != 0, (a ^ result) & (b ^ result) & 1 << (n - 1) != 0)
}

fn difference(a: u64, b: u64, n: u32) -> (u64, Flags) {
    let result = a.wrapping_sub(b) & ones(n as u8);
    flags(result, n, a < b, (a ^ b) & (a ^ result) & 1 << (n - 1) != 0)
}

fn logic(result: u64, n: u32) -> (u64, Flags) {
    flags(result, n, false, false)
}

fn width_of(n: u32) -> u8 {
    if n == 64 { 64 } else { 32 }
}

fn arithmetic(m: &mut Machine<'_>, i: &Instruction, f: Binary, known: OnConstants, keep: bool) -> Outcome {
    let n = m.bits(i, 0);
    let (a, b) = (m.read(i, 0)?, m.read(i, 1)?);
    let result = match (m.terms.value(a), m.terms.value(b)) {
        (Some(a), Some(b)) => {
            let (result, flags) = known(a & ones(n as u8), b & ones(n as u8), n);
            m.flags = Some(flags);
            m.terms.constant(result, width_of(n))
        }
        _ if n >= 32 => {
            m.flags = public_flags(&m.terms, i.mnemonic(), a, b, n).or_else(|| {
                (i.mnemonic() == M::Add && cannot_carry(m, a, b))
                    .then(|| Flags { carry: Some(false), ..Flags::default() })
            });
            f(&mut m.terms, a, b)
        }
        // Bitwise operations have no carry into higher bits. With a bit that is set, "or" is not zero.
        (known_a, known_b) if matches!(i.mnemonic(), M::And | M::Or | M::Test) => {
            let has_bit = (known_a.unwrap_or(0) | known_b.unwrap_or(0)) & ones(n as u8) != 0;
            m.flags =
                (i.mnemonic() == M::Or && has_bit).then(|| Flags { zero: Some(false), ..Flags::default() });
            f(&mut m.terms, a, b)
        }
        _ => return Err("arithmetic of data of fewer than 32 bits is not described".into()),
    };
    if keep { m.write(i, 0, result) } else { Ok(()) }
}

/// The flags after an operation on public numbers of 32 or 64 bits, as far as they are the same for all of
/// them.
fn public_flags(terms: &Terms, mnemonic: M, a: Term, b: Term, n: u32) -> Option<Flags> {
    let (modulus, half) = (1i128 << n, 1i128 << (n - 1));
    let ((x, of_x), (mut y, of_y)) = (terms.public(a)?, terms.public(b)?);
    let is_sum = match mnemonic {
        M::Sub | M::Cmp => false,
        // Adding 2^n - k subtracts k; the carry is then the other.
        M::Add if terms.value(b).is_some_and(|b| i128::from(b) >= half) => {
            y.constant = modulus - y.constant;
            let flags = flags_of_difference(terms.domain()?.range(&x.minus(&y)?), half);
            return Some(Flags { carry: flags.carry.map(|carry| !carry), overflow: None, ..flags });
        }
        M::Add => true,
        // A number combined with itself, or with ones in all its places, is compared with zero.
        M::Test | M::And | M::Or
            if a == b || mnemonic != M::Or && terms.public_under_mask(a, b).is_some() =>
        {
            let number = if terms.value(a).is_some() { y } else { x };
            let flags = flags_of_difference(terms.domain()?.range(&number), half);
            return Some(Flags { carry: Some(false), overflow: Some(false), ..flags });
        }
        _ => return None,
    };
    if is_sum {
        let (least, greatest) = (of_x.0 + of_y.0, of_x.1 + of_y.1);
        return (greatest < half).then_some(Flags {
            carry: Some(false),
            zero: (least > 0).then_some(false),
            sign: Some(false),
            overflow: Some(false),
            parity: None,
        });
    }
    let are_below_half = of_x.1 < half && of_y.1 < half;
    let flags = flags_of_difference(terms.domain()?.range(&x.minus(&y)?), half);
    Some(Flags { overflow: are_below_half.then_some(false), ..flags })
}

/// The flags of a difference between these bounds, which does not wrap around except below zero.
fn flags_of_difference((least, greatest): (i128, i128), half: i128) -> Flags {
    let is_below_zero = match () {
        () if least >= 0 => Some(false),
        () if greatest < 0 => Some(true),
        () => None,
    };
    Flags {
        carry: is_below_zero,
        zero: match (least, greatest) {
            (0, 0) => Some(true),
            _ => (least > 0 || greatest < 0).then_some(false),
        },
        sign: is_below_zero.filter(|_| -half <= least && greatest < half),
        overflow: None,
        parity: None,
    }
}

/// Whether a constant is added only to the low half, which is known and does not overflow.
fn cannot_carry(m: &Machine<'_>, a: Term, b: Term) -> bool {
    let low = m.terms.pair(a).and_then(|(low, _)| m.terms.value(low));
    let sum = low.zip(m.terms.value(b)).and_then(|(a, b)| a.checked_add(b));
    sum.is_some_and(|sum| sum <= ones(32))
}

fn exclusive_or(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let n = m.bits(i, 0);
    if i.op_kind(1) == OpKind::Register
        && i.op_kind(0) == OpKind::Register
        && i.op_register(0) == i.op_register(1)
    {
        m.flags = Some(logic(0, n).1);
        let zero = m.terms.constant(0, width_of(n));
        return m.write(i, 0, zero);
    }
    let (a, b) = (m.read(i, 0)?, m.read(i, 1)?);
    m.flags = match (m.terms.value(a), m.terms.value(b)) {
        (Some(a), Some(b)) => Some(logic(a ^ b, n).1),
        _ => None,
    };
    let xor = m.terms.xor(a, b);
    m.write(i, 0, xor)
}

fn either_but_not_both(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    Some(a? != b?)
}

fn carry(m: &Machine<'_>) -> Outcome<u64> {
    let carry = m.flags.and_then(|flags| flags.carry);
    carry.map(u64::from).ok_or_else(|| "the carry depends on data".into())
}

fn with_carry(m: &mut Machine<'_>, i: &Instruction, known: OnConstants) -> Outcome {
    let n = m.bits(i, 0);
    let carry = carry(m)?;
    let (a, b) = (m.read(i, 0)?, m.read(i, 1)?);
    match (m.terms.value(a), m.terms.value(b)) {
        (Some(a), Some(b)) => {
            let (first, flags_of_first) = known(a, b, n);
            let (result, mut flags) = known(first, carry, n);
            flags.carry = Some(flags.carry == Some(true) || flags_of_first.carry == Some(true));
            flags.overflow = either_but_not_both(flags.overflow, flags_of_first.overflow);
            m.flags = Some(flags);
            let result = m.terms.constant(result, width_of(n));
            m.write(i, 0, result)
        }
        _ => {
            m.flags = None;
            let carry = m.terms.constant(carry, width_of(n));
            let result = m.terms.sum(&[a, b, carry]);
            m.write(i, 0, result)
        }
    }
}

fn subtract_with_borrow(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let (n, borrow) = (m.bits(i, 0), carry(m)?);
    let same = i.op_kind(1) == OpKind::Register && i.op_register(0) == i.op_register(1);
    let (a, b) = match same {
        true => (0, 0),
        false => {
            let (a, b) = (m.read(i, 0)?, m.read(i, 1)?);
            (m.known(a, "a difference")?, m.known(b, "a difference")?)
        }
    };
    let (first, flags_of_first) = difference(a, b, n);
    let (result, mut flags) = difference(first, borrow, n);
    flags.carry = Some(flags.carry == Some(true) || flags_of_first.carry == Some(true));
    flags.overflow = either_but_not_both(flags.overflow, flags_of_first.overflow);
    m.flags = Some(flags);
    let result = m.terms.constant(result, width_of(n));
    m.write(i, 0, result)
}

fn by_one(m: &mut Machine<'_>, i: &Instruction, f: Binary, known: OnConstants) -> Outcome {
    let n = m.bits(i, 0);
    let a = m.read(i, 0)?;
    let result = match m.terms.value(a) {
        Some(a) => {
            let (result, mut flags) = known(a, 1, n);
            flags.carry = m.flags.and_then(|flags| flags.carry);
            m.flags = Some(flags);
            m.terms.constant(result, width_of(n))
        }
        None => {
            let one = m.terms.constant(1, width_of(n));
            let carry = m.flags.and_then(|flags| flags.carry);
            let kind = if i.mnemonic() == M::Inc { M::Add } else { M::Sub };
            m.flags = public_flags(&m.terms, kind, a, one, n).map(|flags| Flags { carry, ..flags });
            f(&mut m.terms, a, one)
        }
    };
    m.write(i, 0, result)
}

fn negate(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let n = m.bits(i, 0);
    let a = m.read(i, 0)?;
    m.flags = m.terms.value(a).map(|a| difference(0, a, n).1);
    let zero = m.terms.constant(0, width_of(n));
    let result = m.terms.sub(zero, a);
    m.write(i, 0, result)
}

fn sign_extend(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let (from, to) = (m.bits(i, 1), m.bits(i, 0));
    let a = m.read(i, 1)?;
    let a = m.known(a, "a number with a sign")?;
    let extended = (a << (64 - from)) as i64 >> (64 - from);
    let result = m.terms.constant(extended as u64, width_of(to));
    m.write(i, 0, result)
}

fn lea(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    // It may be arithmetic on data.
    let mut result = m.terms.constant(i.memory_displacement64(), 64);
    if !i.is_ip_rel_memory_operand() {
        for (register, scale) in [(i.memory_base(), 1), (i.memory_index(), i.memory_index_scale())] {
            if register != Register::None {
                let term = m.general[register.full_register().number()];
                // Bits above a 32-bit result are cut off.
                if m.bits(i, 0) == 32 {
                    let (low, part) = (m.narrowed(term), m.narrowed(result));
                    let low = m.terms.multiple(low, scale.into());
                    result = m.terms.add(part, low);
                    result = m.widened(result);
                } else {
                    let term = m.terms.multiple(term, scale.into());
                    result = m.terms.add(result, term);
                }
            }
        }
    }
    m.write(i, 0, result)
}

fn shift(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let n = m.bits(i, 0);
    let count = match i.op_count() {
        1 => 1,
        _ => {
            let count = m.read(i, 1)?;
            m.known(count, "a shift's count")?
        }
    };
    let count = count as u32 & if n == 64 { 63 } else { 31 };
    let a = m.read(i, 0)?;
    if count == 0 {
        return m.write(i, 0, a);
    }
    if let Some(a) = m.terms.value(a) {
        let all = ones(n as u8);
        let (result, carry) = match i.mnemonic() {
            M::Shr => (a.checked_shr(count).unwrap_or(0), a >> (count - 1) & 1),
            M::Shl => (a.checked_shl(count).unwrap_or(0) & all, (a << (count - 1)) >> (n - 1) & 1),
            M::Sar => {
                (((a << (64 - n)) as i64 >> (64 - n) >> count.min(63)) as u64 & all, a >> (count - 1) & 1)
            }
            rotate => {
                let count = count % n;
                let right = if rotate == M::Ror { count } else { (n - count) % n };
                let result = if right == 0 { a } else { (a >> right | a << (n - right)) & all };
                // A rotation does not change the other flags; no code here reads them.
                m.flags = None;
                let result = m.terms.constant(result, width_of(n));
                return m.write(i, 0, result);
            }
        };
        // The overflow flag is defined only for a count of one.
        let (_, flags) = flags(result, n, carry == 1, false);
        m.flags = Some(Flags { overflow: None, ..flags });
        let result = m.terms.constant(result, width_of(n));
        return m.write(i, 0, result);
    }
    if n < 32 {
        return Err("a shift of data of fewer than 32 bits is not described".into());
    }
    m.flags = None;
    let result = match i.mnemonic() {
        M::Shr => m.terms.shift_right(a, count),
        M::Shl => m.terms.shift_left(a, count),
        M::Ror => m.terms.rotate(a, count),
        M::Rol => m.terms.rotate(a, n - count),
        // All bits are the sign.
        _ if count == n - 1 => {
            let (sign, zero) = (m.terms.shift_right(a, count), m.terms.constant(0, width_of(n)));
            m.terms.sub(zero, sign)
        }
        _ => return Err("an arithmetic shift of data is not described".into()),
    };
    m.write(i, 0, result)
}

fn shift_by_register(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let n = m.bits(i, 0);
    let (a, count) = (m.read(i, 1)?, m.read(i, 2)?);
    let count = m.known(count, "a shift's count")? as u32 & (n - 1);
    let result = match i.mnemonic() {
        M::Shrx => m.terms.shift_right(a, count),
        _ => m.terms.shift_left(a, count),
    };
    m.write(i, 0, result)
}

fn shift_double(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let n = m.bits(i, 0);
    let (a, b) = (m.read(i, 0)?, m.read(i, 1)?);
    let count = match i.op_kind(2) {
        OpKind::Register => {
            let count = m.read(i, 2)?;
            m.known(count, "a shift's count")? as u32
        }
        _ => i.immediate8().into(),
    } & (n - 1);
    // SHRD takes the low bits of both, SHLD the high ones of the first and what follows them.
    let (low, high, count) = match i.mnemonic() {
        M::Shrd => (a, b, count),
        _ if count == 0 => (a, b, 0),
        _ => (b, a, n - count),
    };
    let result = if a == b {
        m.terms.rotate(a, count)
    } else {
        let (low, high) = (m.terms.shift_right(low, count), m.terms.shift_left(high, n - count));
        m.terms.xor(low, high)
    };
    m.flags = None;
    m.write(i, 0, result)
}

fn multiply_or_divide(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let n = m.bits(i, 0);
    let factor = m.read(i, 0)?;
    let factor = m.known(factor, "a factor")?;
    let (rax, rdx) = match n {
        64 => (Register::RAX, Register::RDX),
        32 => (Register::EAX, Register::EDX),
        _ => return Err("not described for fewer than 32 bits".into()),
    };
    let value = |m: &mut Machine<'_>, register: Register| {
        let term = m.general[register.full_register().number()];
        m.known(term, "a factor").map(|value| value & ones(n as u8))
    };
    let low = value(m, rax)?;
    let (low, high) = if i.mnemonic() == M::Mul {
        let product = u128::from(low) * u128::from(factor);
        ((product & u128::from(ones(n as u8))) as u64, (product >> n) as u64)
    } else {
        let dividend = u128::from(value(m, rdx)?) << n | u128::from(low);
        let divisor = u128::from(factor);
        if divisor == 0 || dividend / divisor > ones(n as u8).into() {
            return Err("faults".into());
        }
        ((dividend / divisor) as u64, (dividend % divisor) as u64)
    };
    // After a product the flags show whether it exceeds the low half; after a division they are undefined.
    m.flags = (i.mnemonic() == M::Mul).then(|| Flags {
        carry: Some(high != 0),
        overflow: Some(high != 0),
        ..Flags::default()
    });
    let (low, high) = (m.terms.constant(low, width_of(n)), m.terms.constant(high, width_of(n)));
    m.set_register(rax, low)?;
    m.set_register(rdx, high)
}

fn multiply(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let n = m.bits(i, 0);
    let (a, b) = match i.op_count() {
        2 => (m.read(i, 0)?, m.read(i, 1)?),
        3 => (m.read(i, 1)?, m.read(i, 2)?),
        _ => return Err("not described with one operand".into()),
    };
    let (a, b) = (m.known(a, "a factor")?, m.known(b, "a factor")?);
    m.flags = None;
    let product = m.terms.constant(a.wrapping_mul(b), width_of(n));
    m.write(i, 0, product)
}

fn bit_test(m: &mut Machine<'_>, i: &Instruction) -> Outcome {
    let n = m.bits(i, 0);
    let (a, bit) = (m.read(i, 0)?, m.read(i, 1)?);
    let (a, bit) = (m.known(a, "a bit that is asked for")?, m.known(bit, "a bit that is asked for")?);
    let mut flags = m.flags.unwrap_or_default();
    flags.carry = Some(a >> (bit % u64::from(n)) & 1 == 1);
    m.flags = Some(flags);
    Ok(())
}

// ---- Control flow ----

fn target(m: &mut Machine<'_>, i: &Instruction) -> Outcome<u64> {
    match i.op_kind(0) {
        OpKind::NearBranch64 => Ok(i.near_branch_target()),
        _ => {
            let term = m.read(i, 0)?;
            m.known(term, "where it goes")
        }
    }
}

fn holds(flags: Flags, condition: ConditionCode) -> Outcome<bool> {
    let known = |flag: Option<bool>| flag.ok_or_else(|| String::from("a decision depends on data"));
    let (carry, zero) = (|| known(flags.carry), || known(flags.zero));
    let is_less = || Ok::<_, String>(known(flags.sign)? != known(flags.overflow)?);
    Ok(match condition {
        ConditionCode::o => known(flags.overflow)?,
        ConditionCode::no => !known(flags.overflow)?,
        ConditionCode::b => carry()?,
        ConditionCode::ae => !carry()?,
        ConditionCode::e => zero()?,
        ConditionCode::ne => !zero()?,
        ConditionCode::be => carry()? || zero()?,
        ConditionCode::a => !(carry()? || zero()?),
        ConditionCode::s => known(flags.sign)?,
        ConditionCode::ns => !known(flags.sign)?,
        ConditionCode::p => known(flags.parity)?,
        ConditionCode::np => !known(flags.parity)?,
        ConditionCode::l => is_less()?,
        ConditionCode::ge => !is_less()?,
        ConditionCode::le => zero()? || is_less()?,
        ConditionCode::g => !(zero()? || is_less()?),
        ConditionCode::None => return Err("no condition".into()),
    })
}

fn conditional(m: &mut Machine<'_>, i: &Instruction, condition: ConditionCode) -> Outcome {
    let holds =
        m.flags.ok_or_else(|| "a decision depends on data".into()).and_then(|flags| holds(flags, condition));
    // A decision that is only a number may be one that nothing reads: then it may be any number.
    if i.op_count() == 1 && !i.is_jcc_short_or_near() && holds.is_err() {
        let any = m.terms.free(32, "a decision on data", m.trace.n_instructions, 0);
        return m.write(i, 0, any);
    }
    let holds = holds?;
    if i.is_jcc_short_or_near() {
        if holds {
            m.next = i.near_branch_target();
        }
        return Ok(());
    }
    if i.op_count() == 1 {
        let value = m.terms.constant(holds.into(), 32);
        return m.write(i, 0, value);
    }
    // A conditional move reads memory in either case.
    let (old, new) = (m.read(i, 0)?, m.read(i, 1)?);
    m.write(i, 0, if holds { new } else { old })
}
