//! Sessions in the docs: every command of a `console` block is run, and its output compared with the page. `MASTOR_BLESS=1` updates the pages.
#![cfg(unix)]

use std::path::{Path, PathBuf};

use regex::Regex;

use super::{pages, project, text};
use crate::support::Repo;

/// The shell for the commands of a page: starts in a folder without a repository, with `mastor` on the search path.
struct Shell {
    at: Repo,
    folder: PathBuf,
}

impl Shell {
    fn new() -> Self {
        let at = Repo::bare_folder();
        let folder = at.path().to_owned();
        Self { at, folder }
    }

    /// Runs a command; returns its output on both streams.
    fn run(&mut self, command: &str) -> String {
        if let Some(folder) = command.strip_prefix("cd ") {
            self.folder = self.folder.join(folder);
            assert!(self.folder.is_dir(), "{command}");
            return String::new();
        }
        let program = Path::new(env!("CARGO_BIN_EXE_mastor")).parent().unwrap();
        let search = std::env::join_paths(
            [program.to_owned()].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
        );
        let mut shell = self.at.command("sh");
        shell.current_dir(&self.folder).env("PATH", search.unwrap()).args(["-c", &format!("exec 2>&1; {command}")]);
        let output = shell.stdin(std::process::Stdio::null()).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }
}

/// The output's lines without times, the folder's path and trailing blanks, which differ from run to run.
fn plain(said: &str, folder: &Path) -> Vec<String> {
    let seconds = Regex::new(r"\b\d+\.\d+ s\b").unwrap();
    let said = said.replace(&format!("{}/", folder.display()), "");
    let lines = said.trim_end().lines().map(|line| seconds.replace_all(line, "1.0 s").trim_end().to_owned());
    lines.collect()
}

/// Whether the output matches the page's lines, where `…` stands for any number of lines, and at the end of a line for its rest.
fn shows(shown: &[String], said: &[String]) -> bool {
    match shown.split_first() {
        None => said.is_empty(),
        Some((line, rest)) if line == "…" => (0..=said.len()).any(|from| shows(rest, &said[from..])),
        Some((line, rest)) => said.split_first().is_some_and(|(first, others)| {
            let is_shown = line.strip_suffix('…').map_or(line == first, |start| first.starts_with(start));
            is_shown && shows(rest, others)
        }),
    }
}

/// Runs the sessions of a page; returns the updated page and the number of commands.
fn run(page: &str, failures: &mut Vec<String>) -> (String, usize) {
    let (mut shell, mut out, mut count) = (Shell::new(), String::new(), 0);
    let text = text(page);
    let mut lines = text.lines().peekable();
    let mut inside = false;
    while let Some(line) = lines.next() {
        out += &format!("{line}\n");
        if line.starts_with("```") {
            inside = line == "```console";
        }
        let Some(command) = line.strip_prefix("$ ").filter(|_| inside) else { continue };
        let mut shown = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ") && !line.starts_with("```")) {
            shown.push(line.to_owned());
        }
        let said = plain(&shell.run(command), shell.at.path());
        count += 1;
        let wanted = plain(&shown.join("\n"), shell.at.path());
        if shows(&wanted, &said) {
            shown.iter().for_each(|line| out += &format!("{line}\n"));
        } else {
            failures.push(format!("{page}: $ {command}\n{}", said.join("\n")));
            said.iter().for_each(|line| out += &format!("{line}\n"));
        }
    }
    (out, count)
}

#[test]
fn every_session_of_the_pages_says_what_they_show() {
    let (mut failures, mut count) = (Vec::new(), 0);
    for page in pages().iter().filter(|page| text(page).contains("```console")) {
        let (now, commands) = run(page, &mut failures);
        count += commands;
        if std::env::var_os("MASTOR_BLESS").is_some() {
            std::fs::write(project(page), now).unwrap();
            failures.clear();
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(count > 8, "{count} commands");
}

#[test]
fn what_is_left_out_stands_for_any_lines() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let said = lines("one\ntwo\nthree");
    for shown in ["one\ntwo\nthree", "…", "one\n…", "…\nthree", "o…\n…\nthree", "one\n…\ntwo\nthree"] {
        assert!(shows(&lines(shown), &said), "{shown}");
    }
    for shown in ["one\ntwo", "two\n…", "…\ntwo", ""] {
        assert!(!shows(&lines(shown), &said), "{shown}");
    }
}
