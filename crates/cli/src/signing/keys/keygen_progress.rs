//! The progress of key generation.

use std::cell::RefCell;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use hashlanes::hbs::store::{Generation, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

use crate::message::{make_room_for, say};
use crate::platform;
use crate::platform::termios::Winsize;
use crate::progress::Shown;

/// No progress is shown for shorter generations.
const MOMENT: Duration = Duration::from_millis(500);
/// Between two lines for programs.
const SECOND: Duration = Duration::from_secs(1);

/// Shows the progress of generations, if requested.
pub(super) struct Watched(Option<RefCell<Watch>>);

impl Watched {
    pub(super) fn new(how: Shown) -> Self {
        let is_bar = how == Shown::Auto && std::io::stderr().is_terminal();
        Self((is_bar || how == Shown::Json).then(|| RefCell::new(Watch::new(is_bar))))
    }

    /// Returns the generation, which reports its progress from now on.
    pub(super) fn on<'w>(&'w self, generation: Generation<'w>) -> Generation<'w> {
        let Some(watch) = &self.0 else { return generation };
        generation.progress(|progress| {
            watch.borrow_mut().show(progress);
            ControlFlow::Continue(())
        })
    }

    /// No generation runs any more.
    pub(super) fn end(self) {
        if let Some(watch) = self.0 {
            watch.into_inner().end();
        }
    }
}

struct Watch {
    started: Instant,
    /// The progress at the start of this run: the remaining time is estimated from the work since then.
    before: Option<u64>,
    last: Option<Progress>,
    bar: Option<ProgressBar>,
    last_line: Instant,
}

impl Watch {
    fn new(is_bar: bool) -> Self {
        let now = Instant::now();
        let bar = is_bar.then(|| ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()));
        Self { started: now, before: None, last: None, bar, last_line: now }
    }

    fn show(&mut self, progress: Progress) {
        self.last = Some(progress);
        let before = *self.before.get_or_insert(progress.done);
        let elapsed = self.started.elapsed();
        match &self.bar {
            Some(bar) if elapsed >= MOMENT => {
                if bar.is_hidden() {
                    bar.set_style(style());
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    make_room_for(Some(bar.clone()));
                }
                bar.set_length(progress.total);
                bar.set_message(left(progress, before, elapsed));
                bar.set_position(progress.done);
            }
            None if self.last_line.elapsed() >= SECOND => self.line(progress),
            _ => {}
        }
    }

    /// `{"progress":{"leaves":4096,"leaves_total":1048576,"seconds":1.003,"done":false}}`
    fn line(&mut self, progress: Progress) {
        self.last_line = Instant::now();
        let seconds = (self.started.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
        let line = json!({"progress": {
            "leaves": progress.done,
            "leaves_total": progress.total,
            "seconds": seconds,
            "done": progress.done == progress.total,
        }});
        say(format!("{line}\n").as_bytes());
    }

    fn end(mut self) {
        match self.bar.take() {
            Some(bar) => {
                make_room_for(None);
                bar.finish_and_clear();
            }
            None => {
                if let Some(last) = self.last {
                    self.line(last);
                }
            }
        }
    }
}

/// Returns the remaining time, if the speed of this run stays the same.
fn left(progress: Progress, before: u64, elapsed: Duration) -> String {
    let done = progress.done - before;
    if done == 0 {
        return "time left not known yet".into();
    }
    let seconds = elapsed.as_secs_f64() / done as f64 * (progress.total - progress.done) as f64;
    let seconds = seconds.ceil() as u64;
    match seconds {
        0..60 => format!("{seconds} s left"),
        60..3600 => format!("{} min {} s left", seconds / 60, seconds % 60),
        _ => format!("{} h {} min left", seconds / 3600, seconds % 3600 / 60),
    }
}

/// Returns the line to draw, which fits the terminal.
fn style() -> ProgressStyle {
    let template = match platform::termios::tcgetwinsize(platform::stdio::stderr()) {
        Ok(Winsize { ws_col: 1..40, .. }) => "{percent:>3} %",
        Ok(Winsize { ws_col: 40..80, .. }) => "{percent:>3} %, {msg}",
        _ => "{wide_bar} {percent:>3} %, {human_pos} of {human_len} leaves, {msg}",
    };
    ProgressStyle::with_template(template).expect("a template that indicatif knows")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_that_of_this_run() {
        let second = Duration::from_secs(1);
        assert_eq!(left(Progress { done: 5, total: 10 }, 5, second), "time left not known yet");
        assert_eq!(left(Progress { done: 6, total: 10 }, 5, second), "4 s left");
        assert_eq!(left(Progress { done: 6, total: 100 }, 5, second), "1 min 34 s left");
        assert_eq!(left(Progress { done: 6, total: 10_006 }, 5, second), "2 h 46 min left");
    }
}
