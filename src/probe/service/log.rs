//! The log of a command: written to a file of limited size, with the last lines kept in memory.

use std::collections::VecDeque;
use std::io::{PipeReader, PipeWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mastor_store::StoreError;

/// Number of lines shown with a failure.
pub const TAIL: usize = 20;
/// Maximum size of the file in bytes; then it is renamed to `.old` and a new one is begun.
const FILE_LIMIT: u64 = 4 << 20;
/// Number of lines kept in memory.
const LINES: usize = 200;
/// Maximum length of a line, in bytes.
const LINE_LIMIT: usize = 2000;

/// The last lines of a log, and its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tail {
    /// The file.
    pub path: PathBuf,
    /// Last lines, oldest first.
    pub lines: Vec<String>,
}

/// The log of one or several consecutive commands; cheap to clone.
#[derive(Debug, Clone)]
pub struct Log {
    path: PathBuf,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    file: Option<std::fs::File>,
    size: u64,
    lines: VecDeque<String>,
    /// An incomplete last line.
    open: Vec<u8>,
    /// The text searched for, and whether a line has contained it since the last [`Log::watch`].
    wanted: Option<String>,
    seen: bool,
    /// Number of pipes still being read.
    readers: usize,
    /// Values to mask.
    secrets: Vec<String>,
}

impl Log {
    /// Creates a log file; an existing one is replaced.
    ///
    /// # Errors
    /// Where the file cannot be created.
    pub fn create(path: &Path, secrets: Vec<String>) -> Result<Self, StoreError> {
        if let Some(folder) = path.parent() {
            mastor_store::create_dir(folder)?;
        }
        let make = || -> std::io::Result<std::fs::File> {
            let _ = std::fs::remove_file(old(path));
            // Remove it first, so that a symbolic link at this path is not followed.
            let _ = std::fs::remove_file(path);
            std::fs::OpenOptions::new().write(true).create_new(true).open(path)
        };
        let file = make().map_err(|source| StoreError::new(path, source))?;
        let state = State { file: Some(file), secrets, ..State::default() };
        let shared = Shared { state: Mutex::new(state), changed: Condvar::new() };
        Ok(Self { path: path.to_owned(), shared: Arc::new(shared) })
    }

    /// The writing end of a pipe; a thread reads the other end into this log until all writers are closed.
    ///
    /// # Errors
    /// Where the operating system provides no more pipes or threads.
    pub fn writer(&self) -> std::io::Result<PipeWriter> {
        let (reader, writer) = std::io::pipe()?;
        self.lock().readers += 1;
        let log = self.clone();
        let reading = std::thread::Builder::new().name("service log".to_owned()).spawn(move || log.read(reader));
        if let Err(error) = reading {
            self.lock().readers -= 1;
            return Err(error);
        }
        Ok(writer)
    }

    /// Writes a line from mastor itself.
    pub fn note(&self, text: &str) {
        self.lock().take(format!("[mastor] {text}\n").as_bytes(), &self.path);
    }

    /// Starts searching for a text.
    pub fn watch(&self, text: Option<&str>) {
        let mut state = self.lock();
        state.wanted = text.map(str::to_owned);
        state.seen = false;
    }

    /// Whether a line has contained the text since then.
    pub fn saw(&self) -> bool {
        self.lock().seen
    }

    /// The last lines.
    pub fn tail(&self, count: usize) -> Tail {
        let state = self.lock();
        let mut lines: Vec<String> = state.lines.iter().cloned().collect();
        if !state.open.is_empty() {
            lines.push(state.clean(&state.open));
        }
        let lines = lines.split_off(lines.len().saturating_sub(count));
        Tail { path: self.path.clone(), lines }
    }

    /// Waits until all output of the commands has been read, up to a limit.
    pub fn settle(&self, within: Duration) {
        let waiting = self.shared.changed.wait_timeout_while(self.lock(), within, |state| state.readers > 0);
        drop(waiting.map_err(PoisonError::into_inner));
    }

    fn read(&self, mut reader: PipeReader) {
        let mut buffer = vec![0; 64 << 10];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) | Err(_) => break,
                Ok(count) => self.lock().take(buffer.get(..count).unwrap_or_default(), &self.path),
            }
        }
        let mut state = self.lock();
        state.readers -= 1;
        self.shared.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Adds output line by line, so that no secret is missed at the boundary of two reads.
    fn take(&mut self, bytes: &[u8], path: &Path) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            // A very long line is truncated to limit memory.
            let room = LINE_LIMIT.saturating_sub(self.open.len());
            self.open.extend_from_slice(piece.get(..piece.len().min(room)).unwrap_or_default());
            if piece.ends_with(b"\n") {
                let open = std::mem::take(&mut self.open);
                let line = self.clean(&open);
                self.write(&line, path);
                if self.wanted.as_ref().is_some_and(|wanted| line.contains(wanted.as_str())) {
                    self.seen = true;
                }
                if self.lines.len() == LINES {
                    self.lines.pop_front();
                }
                self.lines.push_back(line);
            }
        }
    }

    fn clean(&self, line: &[u8]) -> String {
        // Some build tools print colours even without a terminal.
        let styled = String::from_utf8_lossy(line);
        let mut text = anstream::adapter::strip_str(&styled).to_string().trim_end().to_owned();
        for secret in &self.secrets {
            if text.contains(secret.as_str()) {
                text = text.replace(secret.as_str(), "***");
            }
        }
        text
    }

    fn write(&mut self, line: &str, path: &Path) {
        if self.size > FILE_LIMIT {
            // If a new file cannot be created, the service goes on without a log file.
            self.file = std::fs::rename(path, old(path)).and_then(|()| std::fs::File::create_new(path)).ok();
            self.size = 0;
        }
        if let Some(file) = &mut self.file {
            let _ = file.write_all(line.as_bytes()).and_then(|()| file.write_all(b"\n"));
            self.size += line.len() as u64 + 1;
        }
    }
}

fn old(path: &Path) -> PathBuf {
    path.with_added_extension("old")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_bounded_and_its_last_lines_stay() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out/service.log");
        let log = Log::create(&path, vec!["hunter2".to_owned()]).unwrap();
        log.watch(Some("line 99999 "));
        let mut writer = log.writer().unwrap();
        for n in 0..100_000 {
            writeln!(writer, "line {n} {}", "x".repeat(150)).unwrap();
        }
        writeln!(writer, "{}", "y".repeat(1 << 20)).unwrap();
        write!(writer, "\u{1b}[1mpassword\u{1b}[m hunter2").unwrap();
        drop(writer);
        log.settle(Duration::from_secs(10));
        assert!(log.saw());
        let tail = log.tail(3).lines;
        assert!(tail[0].starts_with("line 99999 x"), "{}", tail[0]);
        assert_eq!((tail[1].len(), tail[2].as_str()), (LINE_LIMIT, "password ***"));
        let size: u64 =
            fs_err::read_dir(path.parent().unwrap()).unwrap().map(|e| e.unwrap().metadata().unwrap().len()).sum();
        assert!(size < 2 * FILE_LIMIT + 4000, "{size}");
        assert!(log.tail(1000).lines.len() <= LINES + 1);
    }
}
