//! `record`: everything that the record of a CPU holds, measured one after the other by this program, and
//! packed into one file that can be sent.

use crate::record::cpu_folder;
use hashlanes_clock::Environment;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is measured: commands, each with its option for a file and the file's name in the record, if it has
/// one.
const PARTS: [(&str, &[&str]); 4] = [
    ("targets", &[]),
    ("report", &["--out", "report.html"]),
    ("sweep", &["--svg", "sweep-sha256.svg"]),
    ("programs", &[]),
];

/// Measures all parts into `folder`, and packs them. A part that fails is left out, and the others are
/// measured.
///
/// # Errors
/// If parts failed: says which, after the others are packed. If nothing can be written or packed.
pub(crate) fn run(folder: &Path) -> Result<(), String> {
    let cpu = cpu_folder(&Environment::measure());
    let failed_at = |error| format!("{}: {error}", folder.display());
    let of_cpu = folder.join(&cpu);
    std::fs::create_dir_all(&of_cpu).map_err(failed_at)?;
    let program = std::env::current_exe().map_err(|error| format!("this program's file: {error}"))?;
    let mut failed = Vec::new();
    for (part, file) in PARTS {
        eprintln!("{part}");
        let mut command = Command::new(&program);
        command.arg(part).args(options(folder)).arg(format!("--record={}", folder.display()));
        if let [option, file] = file {
            command.arg(option).arg(of_cpu.join(file));
        }
        let status = command.status().map_err(|error| format!("{part}: {error}"))?;
        if crate::interrupt::came() || status.code() == Some(i32::from(crate::interrupt::STATUS)) {
            return Err(format!("interrupted in {part}; the record so far is in {}", folder.display()));
        }
        if !status.success() {
            failed.push(format!("{part} ({status})"));
        }
    }
    let packed = pack(folder, &cpu)?;
    outln!("the record, ready to be sent: {}", packed.display());
    if failed.is_empty() { Ok(()) } else { Err(format!("not in the record: {}", failed.join(", "))) }
}

/// The options for measuring with which this program was started.
fn options(folder: &Path) -> impl Iterator<Item = std::ffi::OsString> {
    let own = ["record".as_ref(), folder.as_os_str()].map(std::ffi::OsStr::to_owned);
    std::env::args_os().skip(1).filter(move |argument| !own.contains(argument))
}

/// Packs the folder of the CPU.
fn pack(folder: &Path, cpu: &str) -> Result<PathBuf, String> {
    let packed = folder.join(format!("{cpu}.tar.gz"));
    let mut tar = Command::new("tar");
    tar.arg("-czf").arg(&packed).arg("-C").arg(folder).arg(cpu);
    let unpacked = || format!("the record is not packed, send the folder {}", folder.join(cpu).display());
    match tar.status() {
        Ok(status) if status.success() => Ok(packed),
        Ok(status) => Err(format!("tar: {status}; {}", unpacked())),
        Err(error) => Err(format!("tar: {error}; {}", unpacked())),
    }
}
