//! Finds the JDKs of this machine, for builds that need a newer Java than the one that runs them.

use std::path::{Path, PathBuf};

/// Folders that hold JDKs, each in a folder of its own: of Linux distributions, SDKMAN!, macOS and container images.
const FOLDERS: &[&str] =
    &["/usr/lib/jvm", "~/.sdkman/candidates/java", "/Library/Java/JavaVirtualMachines", "/opt/java", "/opt/jdk"];
/// Releases for which CI runners set a variable, such as `JAVA_HOME_21_X64`.
const RELEASES: std::ops::RangeInclusive<u32> = 8..=40;

/// The Java release that the compiler was asked for and does not know, read from its last lines; `None` if it failed
/// otherwise.
pub fn asked(lines: &[String]) -> Option<u32> {
    let words = ["release version ", "invalid target release: ", "invalid source release: "];
    lines.iter().find_map(|line| {
        let rest = words.iter().find_map(|word| Some(&line[line.find(word)? + word.len()..]))?;
        rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok()
    })
}

/// The oldest JDK here with at least this release: its release and its home.
pub fn at_least(release: u32) -> Option<(u32, PathBuf)> {
    let mut found: Vec<(u32, PathBuf)> = homes().into_iter().filter_map(|home| Some((version(&home)?, home))).collect();
    found.retain(|(own, _)| *own >= release);
    found.sort();
    found.into_iter().next()
}

fn homes() -> Vec<PathBuf> {
    let named =
        RELEASES.flat_map(|release| ["X64", "ARM64", "arm64"].map(|kind| format!("JAVA_HOME_{release}_{kind}")));
    let mut homes: Vec<PathBuf> = named.filter_map(|name| mastor_env::var(&name)).map(PathBuf::from).collect();
    for folder in FOLDERS {
        let folder = match folder.strip_prefix("~/") {
            Some(rest) => mastor_env::var("HOME").map(|home| Path::new(&home).join(rest)),
            None => Some(PathBuf::from(folder)),
        };
        let entries = folder.and_then(|folder| fs_err::read_dir(folder).ok()).into_iter().flatten().flatten();
        for entry in entries {
            homes.extend([entry.path(), entry.path().join("Contents/Home")]);
        }
    }
    homes.retain(|home| home.join("bin").join(if cfg!(windows) { "javac.exe" } else { "javac" }).is_file());
    homes
}

/// The release of a JDK, read from the file `release` in its home.
fn version(home: &Path) -> Option<u32> {
    let text = fs_err::read_to_string(home.join("release")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    let number = line.trim_matches('"');
    number.strip_prefix("1.").unwrap_or(number).split(['.', '-', '+', '_']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{asked, version};

    #[test]
    fn what_a_compiler_was_asked_for_is_read_off_its_words() {
        let of = |line: &str| asked(&["[INFO] compiling".to_owned(), line.to_owned()]);
        assert_eq!(of("Fatal error compiling: error: release version 23 not supported -> [Help 1]"), Some(23));
        assert_eq!(of("Fatal error compiling: error: invalid target release: 21"), Some(21));
        assert_eq!(of("error: cannot find symbol"), None);
    }

    #[test]
    fn the_release_of_a_jdk_stands_in_its_home() {
        let folder = tempfile::tempdir().unwrap();
        let of = |text: &str| {
            std::fs::write(folder.path().join("release"), text).unwrap();
            version(folder.path())
        };
        assert_eq!(of("IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"25.0.3\"\n"), Some(25));
        assert_eq!(of("JAVA_VERSION=\"1.8.0_402\"\n"), Some(8));
        assert_eq!(of("JAVA_VERSION=\"21-ea\"\n"), Some(21));
        assert_eq!(of("nothing"), None);
    }
}
