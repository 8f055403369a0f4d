//! Keys in a scene.

use std::process::{Command, Output};

use crate::scene::Scene;
use crate::side_by_side::{OURS, hashlanes_once};

/// A set of a million signatures whose keys are made in an instant.
pub(crate) const SET: &str = "XMSSMT-SHA2_20/4_256";
/// Bytes of the index in its signatures.
const INDEX_BYTES: usize = 3;

pub(crate) fn run(scene: &Scene, args: &str) -> Output {
    hashlanes_once(&scene.path, args.split_whitespace())
}

/// The program with these arguments, in the scene, to be started otherwise.
pub(crate) fn command(scene: &Scene, args: &str) -> Command {
    let mut command = Command::new(OURS);
    command.args(args.split_whitespace()).current_dir(&scene.path).env("LC_ALL", "C.UTF-8");
    command
}

/// The same, with default actions for all signals. Tests that run in the background inherit an ignored
/// SIGINT, which the program leaves ignored.
pub(crate) fn interruptible(scene: &Scene, args: &str) -> Command {
    let mut command = Command::new("env");
    command.args(["--default-signal", OURS]).args(args.split_whitespace());
    command.current_dir(&scene.path).env("LC_ALL", "C.UTF-8");
    command
}

pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Standard output, standard error and status of a run.
pub(crate) fn result_of(scene: &Scene, args: &str) -> (String, String, i32) {
    let Output { stdout, stderr, status } = run(scene, args);
    (text(&stdout).into(), text(&stderr).into(), status.code().unwrap_or(-1))
}

/// A run that must succeed: its standard output.
pub(crate) fn done(scene: &Scene, args: &str) -> String {
    let (out, err, status) = result_of(scene, args);
    assert_eq!(status, 0, "{args}: {err}");
    out
}

/// A scene with a key in `key`, and the files `a`, `b`, `c`.
pub(crate) fn with_key() -> Scene {
    with_key_of(SET)
}

/// The same with a key of this set.
pub(crate) fn with_key_of(set: &str) -> Scene {
    let scene = Scene::new();
    for name in ["a", "b", "c"] {
        scene.file(name.as_bytes(), format!("content of {name}").as_bytes());
    }
    done(&scene, &format!("keygen --scheme {set} --out key"));
    scene
}

/// The output of `key status --json`.
pub(crate) fn status_of(scene: &Scene, key: &str) -> serde_json::Value {
    let output = run(scene, &format!("key status {key} --json"));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)))
}

/// The first index that was never reserved.
pub(crate) fn next_of(scene: &Scene, key: &str) -> u64 {
    status_of(scene, key)["next"].as_u64().unwrap()
}

/// The index in a signature of [`SET`], if there is one; half a signature is an error.
pub(crate) fn index_in(scene: &Scene, signature: &str) -> Option<u64> {
    let bytes = std::fs::read(scene.join(signature)).ok()?;
    assert_eq!(bytes.len(), 9251, "{signature} is no whole signature");
    Some(bytes[..INDEX_BYTES].iter().fold(0, |index, byte| index << 8 | u64::from(*byte)))
}
