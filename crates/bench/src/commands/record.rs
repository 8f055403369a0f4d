//! `record`: everything that the record of a CPU holds, measured part by part by this program, and packed
//! into one file that can be sent. Measured parts are listed in the record, so that an interrupted record
//! goes on where it stopped.

use crate::figures;
use crate::record::cpu_folder;
use hashlanes_clock::Environment;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The list of the parts that were measured, in the folder of the CPU.
const MEASURED: &str = "measured.txt";
/// The page with the name of the CPU, for people.
const ABOUT: &str = "README.md";

/// A part: its name, and its arguments.
struct Part {
    name: String,
    arguments: Vec<String>,
}

impl Part {
    fn new(arguments: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let arguments: Vec<String> = arguments.into_iter().map(Into::into).collect();
        let words: Vec<&str> =
            arguments.iter().map(String::as_str).take_while(|a| !a.starts_with("--")).collect();
        Part { name: words.join(" "), arguments }
    }
}

/// All parts in the order in which they are measured; the last one draws what was measured.
fn parts(folder: &Path, of_cpu: &Path) -> Vec<Part> {
    let path = |folder: &Path, file: &str| folder.join(file).display().to_string();
    let figure = |name| Part::new(["figure", name, "--out", &path(folder, "figures")]);
    let mut parts = vec![Part::new(["targets"]), Part::new(["instructions"])];
    parts.extend(figures::names().map(figure));
    parts.push(Part::new(["sweep", "--svg", &path(of_cpu, "sweep-sha256.svg")]));
    parts.push(Part::new(["programs"]));
    // Every function at every point takes hours.
    parts.push(Part::new(["cliffs", "--quick"]));
    let from = of_cpu.display().to_string();
    parts.push(Part::new(["report", "--from", &from, "--out", &path(of_cpu, "report.html")]));
    parts
}

/// Measures all parts into `folder`, and packs them. A part that fails is reported at the end, and the others
/// are measured.
///
/// # Errors
/// If parts failed: says which, after the others are packed. If nothing can be written or packed.
pub(crate) fn run(folder: &Path) -> Result<(), String> {
    let environment = Environment::measure();
    let cpu = cpu_folder(&environment);
    let of_cpu = folder.join(&cpu);
    let failed_at = |error| format!("{}: {error}", of_cpu.display());
    fs::create_dir_all(&of_cpu).map_err(failed_at)?;
    if !of_cpu.join(ABOUT).exists() {
        let about = format!("# {}\n\nMeasured by `hashlanes-bench record`.\n", environment.cpu);
        fs::write(of_cpu.join(ABOUT), about).map_err(failed_at)?;
    }
    let program = std::env::current_exe().map_err(|error| format!("this program's file: {error}"))?;
    let measured = fs::read_to_string(of_cpu.join(MEASURED)).unwrap_or_default();
    let (parts, mut failed) = (parts(folder, &of_cpu), Vec::new());
    for (i, Part { name, arguments }) in parts.iter().enumerate() {
        if measured.lines().any(|line| line == name) {
            eprintln!("{} of {}: {name}: measured before", i + 1, parts.len());
            continue;
        }
        eprintln!("{} of {}: {name}", i + 1, parts.len());
        let start = Instant::now();
        let mut command = Command::new(&program);
        command.args(arguments).args(options(folder)).arg(format!("--record={}", folder.display()));
        let status = command.status().map_err(|error| format!("{name}: {error}"))?;
        if crate::interrupt::came() || status.code() == Some(i32::from(crate::interrupt::STATUS)) {
            return Err(format!(
                "interrupted in {name}; the same command goes on with it, the record is in {}",
                of_cpu.display()
            ));
        }
        eprintln!("{} of {}: {name}: {:.0} s", i + 1, parts.len(), start.elapsed().as_secs_f64());
        if !status.success() {
            failed.push(format!("{name} ({status})"));
        } else if i + 1 < parts.len() {
            add_line(&of_cpu.join(MEASURED), name).map_err(failed_at)?;
        }
    }
    let packed = pack(folder, &cpu)?;
    outln!("the record, ready to be sent: {}", packed.display());
    if failed.is_empty() { Ok(()) } else { Err(format!("not measured well: {}", failed.join(", "))) }
}

fn add_line(file: &Path, line: &str) -> std::io::Result<()> {
    writeln!(OpenOptions::new().create(true).append(true).open(file)?, "{line}")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_names_of_their_own() {
        let parts = parts(Path::new("record"), Path::new("record/cpu"));
        let mut names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
        assert!(names.contains(&"figure gueron-2014-s-hash") && names.last() == Some(&"report"));
        let n = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), n);
    }
}
