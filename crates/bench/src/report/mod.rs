//! `report`: the papers' figures as one self-contained page of HTML, without network or other files. Its
//! [`data::Data`] is saved in a file next to it, and measured now or earlier (`--from`).
//!
//! `page.rs` writes headings, tables and facts; `page.js`, in the page, draws the plots for the available
//! width.

mod data;
mod page;

use crate::figures;
use crate::noise::Noise;
use crate::record::cpu_folder;
use crate::recorded;
use crate::session::Session;
use data::Data;
use std::fs;
use std::path::Path;

/// The data of the newest recorded report of a CPU, in the folder of its records.
const RECORD: &str = "figures.json";

/// Measures the named figures and writes the page, and its data to the same name ending in `.json`; with a
/// record, also to [`RECORD`] alongside it.
///
/// # Errors
/// If a figure is unknown, cannot be measured, or a file cannot be written; if too many values are noise,
/// after the page and its data are written, but nothing is recorded.
pub(crate) fn measure(
    session: &mut Session,
    names: &[String],
    out: &Path,
    noise: Noise,
) -> Result<(), String> {
    let saved = out.with_extension("json");
    if saved == out {
        return Err(format!("{}: the data's place; the page needs another name", out.display()));
    }
    let Some(gathered) = figures::measure(session, names, noise)? else { return Ok(()) };
    if session.interrupted() {
        outln!("not written: {}", out.display());
        return Ok(());
    }
    let data = Data::new(session, gathered);
    let json = serde_json::to_string(&data).map_err(|error| error.to_string())?;
    write(&saved, &json)?;
    write(out, &page::page(&data, &json))?;
    data.method.counts().check(noise)?;
    if let Some(folder) = session.record() {
        write(&folder.join(cpu_folder(session.environment())).join(RECORD), &json)?;
    }
    Ok(())
}

/// Writes the page of a saved file's data, or of a CPU's record, whose figures are drawn again. With
/// `is_recorded`, the data of the record are written to its [`RECORD`].
///
/// # Errors
/// If the file does not contain a report's data, the folder no record, or a file cannot be written; if too
/// many values are noise, after everything is written: what is left out of figures says so.
pub(crate) fn from(path: &Path, out: &Path, noise: Noise, is_recorded: bool) -> Result<(), String> {
    if !path.is_dir() {
        let wrong = |error: String| format!("{}: {error}", path.display());
        let json = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        let data = Data::read(&json).map_err(wrong)?;
        write(out, &page::page(&data, &json))?;
        return data.method.counts().check(noise);
    }
    let data = Data::recorded(recorded::read(path)?, noise);
    let json = serde_json::to_string(&data).map_err(|error| error.to_string())?;
    write(out, &page::page(&data, &json))?;
    if is_recorded {
        write(&path.join(RECORD), &json)?;
    }
    data.method.counts().check(noise)
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    let wrong = |error| format!("{}: {error}", file.display());
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(wrong)?;
    }
    fs::write(file, text).map_err(wrong)?;
    outln!("written: {}", file.display());
    Ok(())
}
