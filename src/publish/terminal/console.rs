//! The console, the only file that prints: results go to standard output, everything else to standard error.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use super::hyperlinks::linked;
use crate::json::to_text;
use mastor_template::escape::plain;
use mastor_types::error::{Exit, Failure};
use mastor_types::event::{Event, Events};

/// How much is printed beside results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Verbosity {
    /// Only failures.
    Quiet,
    /// Stages and their summaries.
    #[default]
    Normal,
    /// Also details.
    Verbose,
}

/// Whether to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Color {
    /// On terminals, unless `NO_COLOR` or a similar variable is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Prints results, progress and failures.
#[derive(Debug, Clone)]
pub struct Console {
    verbosity: Verbosity,
    color: Color,
    progress: Arc<Mutex<Progress>>,
    /// The folder below which paths become links on a terminal.
    root: Arc<OnceLock<PathBuf>>,
}

/// The current stage.
#[derive(Debug, Default)]
struct Progress {
    what: String,
    total: Option<u64>,
    done: u64,
    bar: Option<ProgressBar>,
    /// When its progress was last printed as a line.
    said: Option<Instant>,
}

/// Interval of progress lines where there is no terminal.
const SAY_EVERY: Duration = Duration::from_secs(10);

const ERROR: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default();

impl Console {
    /// A console with this verbosity and colour choice.
    pub fn new(verbosity: Verbosity, color: Color) -> Self {
        Self { verbosity, color, progress: Arc::default(), root: Arc::default() }
    }

    /// Turns paths below this folder into links, in results on a terminal.
    pub fn link_below(&self, root: &Path) {
        let _ = self.root.set(root.to_owned());
    }

    /// The receiver of progress events: bars on a terminal, otherwise plain lines.
    pub fn events(&self) -> Events {
        let console = self.clone();
        Events::new(move |event| console.show(event))
    }

    /// Prints a result; styles are removed where not wanted.
    pub fn result(&self, text: &str) {
        self.clear();
        let out = std::io::stdout();
        let choice = self.choice(AutoStream::choice(&out));
        // Links only on a terminal that shows styles; elsewhere paths are plain text.
        let is_shown = out.is_terminal() && choice != ColorChoice::Never;
        match self.root.get().filter(|_| is_shown) {
            Some(root) => write_all(AutoStream::new(out, choice), &linked(text, root)),
            None => write_all(AutoStream::new(out, choice), text),
        }
    }

    /// Prints a part of a result while the rest is still being computed.
    pub fn row(&self, text: &str) {
        let print = || {
            let out = std::io::stdout();
            let choice = self.choice(AutoStream::choice(&out));
            write_all(AutoStream::new(out, choice), text);
        };
        let bar = self.lock().bar.clone();
        match bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Prints a result as one JSON object.
    pub fn json(&self, value: &impl Serialize) {
        self.clear();
        // Written without any processing of styles, which could change text inside the object.
        write_all(std::io::stdout(), &to_text(value));
    }

    /// Prints a message for the user, unless quiet.
    pub fn say(&self, text: &str) {
        if self.verbosity > Verbosity::Quiet {
            self.line(&plain(text));
        }
    }

    /// Prints a question and reads one line, trimmed; `None` at the end of input.
    pub fn ask(&self, question: &str) -> Option<String> {
        self.result(question);
        let mut answer = String::new();
        let read = std::io::stdin().read_line(&mut answer).unwrap_or(0);
        (read > 0).then(|| answer.trim().to_lowercase())
    }

    /// Prints an important message; on GitHub Actions as a notice annotation.
    pub fn notice(&self, text: &str) {
        let text = plain(text);
        let line = if mastor_env::on_github_actions() {
            format!("::notice title=mastor::{}", text.replace('%', "%25"))
        } else {
            format!("{HINT}notice:{HINT:#} {text}")
        };
        self.line(&line);
    }

    /// Prints a workflow command unchanged, to standard error.
    pub fn workflow_command(&self, line: &str) {
        self.line(line);
    }

    /// Prints a failure and its hint.
    pub fn failure(&self, failure: &Failure) {
        self.line(&format!("{ERROR}error:{ERROR:#} {}", plain(&failure.message)));
        for line in &failure.lines {
            self.line(&format!("  | {}", plain(line)));
        }
        if let Some(hint) = &failure.hint {
            self.line(&format!("{HINT}hint:{HINT:#} {}", plain(hint)));
        }
        self.exit(failure.exit);
    }

    /// Prints number and name of an exit that is not clean.
    pub fn exit(&self, exit: Exit) {
        if exit != Exit::Clean && self.verbosity > Verbosity::Quiet {
            self.line(&format!("exit {}: {}", exit.code(), exit.name()));
        }
    }

    fn choice(&self, auto: ColorChoice) -> ColorChoice {
        match self.color {
            Color::Auto => auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        }
    }

    fn show(&self, event: Event) {
        if self.verbosity == Verbosity::Quiet {
            return;
        }
        match event {
            Event::Started { what, total } => self.start(plain(&what), total),
            Event::Advanced { what } => self.advance(&plain(&what)),
            Event::Finished { what } => {
                self.clear();
                self.line(&plain(&what));
            }
            Event::Said(text) => self.line(&plain(&text)),
            Event::Detail(text) if self.verbosity == Verbosity::Verbose => self.line(&plain(&text)),
            Event::Detail(_) => {}
        }
    }

    fn start(&self, what: String, total: Option<u64>) {
        self.clear();
        let on_terminal = std::io::stderr().is_terminal();
        if !on_terminal {
            match total {
                Some(total) => self.line(&format!("{what}: {total}")),
                None => self.line(&what),
            }
        }
        let bar = on_terminal.then(|| {
            let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
            let template = if total.is_some() {
                "{prefix} [{bar:30}] {pos}/{len} {wide_msg}"
            } else {
                "{spinner} {prefix} {wide_msg}"
            };
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style.progress_chars("=> "));
            }
            bar.set_prefix(what.clone());
            bar
        });
        *self.lock() = Progress { what, total, done: 0, bar, said: Some(Instant::now()) };
    }

    fn advance(&self, what: &str) {
        let mut progress = self.lock();
        progress.done += 1;
        if let Some(bar) = &progress.bar {
            bar.set_message(what.to_owned());
            bar.inc(1);
            return;
        }
        // Without a terminal, a long stage prints its progress at intervals only.
        let silent = progress.said.is_some_and(|at| at.elapsed() < SAY_EVERY);
        let (Some(total), false) = (progress.total, silent) else { return };
        progress.said = Some(Instant::now());
        let text = format!("{}: {} of {total}", progress.what, progress.done);
        drop(progress);
        self.line(&text);
    }

    /// Removes the progress bar before other output.
    fn clear(&self) {
        if let Some(bar) = self.lock().bar.take() {
            bar.finish_and_clear();
        }
    }

    fn line(&self, text: &str) {
        let print = || {
            let err = std::io::stderr();
            let choice = self.choice(AutoStream::choice(&err));
            write_all(AutoStream::new(err, choice), &format!("{text}\n"));
        };
        let bar = self.lock().bar.clone();
        match bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes a text. A closed reader (`| head`) is not an error.
fn write_all(mut out: impl Write, text: &str) {
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
