"""Checks backtraces inside kernels: gdb -batch -x backtraces.py --args PROGRAM.

Stops every kernel of the variable KERNELS once at each of its first and last instructions and at some in between.
Prints "passed KERNEL", "not run KERNEL" (the program never left it), or "FAILED KERNEL", the instruction and its backtrace.
"""

import os
import re

import gdb

# The first and last ones hold entry and exit, where the stack pointer moves.
FIRST, BETWEEN, LAST = 32, 8, 24


def instructions(start):
    """A kernel's instructions. Its only `ret` is the last one."""
    architecture = gdb.selected_inferior().architecture()
    code = []
    while True:
        at = code[-1]["addr"] + code[-1]["length"] if code else start
        for instruction in architecture.disassemble(at, count=64):
            code.append(instruction)
            if instruction["asm"].startswith("ret"):
                return code


def kernels(names):
    """Pairs of a name and an address, of the kernels that the program holds."""
    for line in gdb.execute("info functions ::asm::", to_string=True).splitlines():
        address, _, name = line.partition("  ")
        name = re.sub(r"::h[0-9a-f]{16}$|\[[0-9a-f]+\]", "", name)
        if name in names:
            yield name, int(address, 16)


def backtrace():
    names = []
    frame = gdb.newest_frame()
    while frame is not None:
        names.append(str(frame.name()))
        frame = frame.older()
    return names


def main():
    for setting in ["pagination off", "breakpoint always-inserted on"]:
        gdb.execute("set " + setting)
    gdb.execute("starti", to_string=True)
    places, missing, failed = {}, set(), set()
    for kernel, start in kernels(os.environ["KERNELS"].split()):
        code = instructions(start)
        between = code[FIRST : -LAST : max(1, len(code) // BETWEEN)]
        for instruction in code[:FIRST] + between + code[-LAST:]:
            if instruction["addr"] not in places:
                gdb.Breakpoint("*" + hex(instruction["addr"]), temporary=True)
            places[instruction["addr"]] = kernel, instruction["asm"], instruction is code[-1]
        missing.add(kernel)
    names = sorted(missing)
    while True:
        gdb.execute("continue", to_string=True)
        if not gdb.selected_inferior().threads():
            break
        kernel, instruction, is_last = places[gdb.newest_frame().pc()]
        if is_last:
            missing.discard(kernel)
        frames = backtrace()
        if not frames[-1].endswith("main"):
            failed.add(kernel)
            print("FAILED", kernel, "at", instruction, ":", ", ".join(frames))
    for kernel in names:
        if kernel not in failed:
            print("not run" if kernel in missing else "passed", kernel)
    print("end of the check")


main()
