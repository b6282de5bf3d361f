//! Programs on this machine and their versions.

use std::path::Path;

use mastor_spawn as spawn;

/// Whether a program is on the PATH.
pub(super) fn on_path(program: &str) -> bool {
    let names: &[&str] = if cfg!(windows) { &["", ".exe", ".cmd", ".bat"] } else { &[""] };
    let path = mastor_env::var("PATH").unwrap_or_default();
    let mut folders = path.split(if cfg!(windows) { ';' } else { ':' });
    folders.any(|folder| names.iter().any(|end| Path::new(folder).join(format!("{program}{end}")).is_file()))
}

/// The version line of a program, for programs known to only print it.
pub(super) fn version(program: &str) -> Option<String> {
    let flag = match program {
        "java" => "-version",
        "mvn" | "gradle" | "node" | "python3" => "--version",
        _ => return None,
    };
    let output = spawn::run(program, [flag], Path::new("."), &[]).ok().filter(|output| output.ended.well())?;
    // Maven prints terminal styles even to a pipe.
    let styled = format!("{}\n{}", output.err, output.out);
    let text = anstream::adapter::strip_str(&styled).to_string();
    let line =
        text.lines().find(|line| line.contains(|c: char| c.is_ascii_digit()) && !line.starts_with("Picked up"))?;
    Some(mastor_template::escape::plain(line.trim()))
}

/// The major version of `java`.
pub(super) fn java_here() -> Option<u32> {
    let line = version("java")?;
    let number = line.split('"').nth(1)?;
    number.strip_prefix("1.").unwrap_or(number).split(['.', '-', '+']).next()?.parse().ok()
}
