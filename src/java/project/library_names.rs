//! Library types that code can name without a single-type import: `java.lang`, and packages imported by wildcard.
//!
//! The data files in `packages/` list the types of each package. `packages/make.sh` generates them from the JDK and
//! from the jars of libraries.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// Packages of the JDK.
const JDK: &str = include_str!("../packages/jdk.txt");
/// Packages of libraries.
const LIBRARIES: &str = include_str!("../packages/libraries.txt");

/// The types of each package, separated by single spaces, and whether the package belongs to the JDK.
static PACKAGES: LazyLock<FxHashMap<&'static str, (&'static str, bool)>> = LazyLock::new(|| {
    let read = |text: &'static str, is_jdk: bool| {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.filter_map(move |line| line.split_once(' ').map(|(package, types)| (package, (types, is_jdk))))
    };
    read(LIBRARIES, false).chain(read(JDK, true)).collect()
});

/// Whether a package contains a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listed {
    /// The package contains a type of this name.
    There,
    /// The package belongs to the JDK and contains no such type in any release.
    Never,
    /// The package contains no such type in the releases that were read; another release may.
    NotInThese,
    /// The package is not listed.
    Unknown,
}

/// Whether `java.lang` has a type of this name.
pub fn is_java_lang(name: &str) -> bool {
    listed("java.lang", name) == Listed::There
}

/// Whether a package contains a type of this name.
pub fn listed(package: &str, name: &str) -> Listed {
    match PACKAGES.get(package) {
        Some((types, _)) if types.split(' ').any(|one| one == name) => Listed::There,
        Some((_, true)) => Listed::Never,
        Some((_, false)) => Listed::NotInThese,
        None => Listed::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_read_from_their_files() {
        assert!(is_java_lang("String") && is_java_lang("Record") && !is_java_lang("List"));
        assert_eq!(listed("java.util", "List"), Listed::There);
        assert_eq!(listed("java.util", "Order"), Listed::Never);
        assert_eq!(listed("org.springframework.web.bind.annotation", "GetMapping"), Listed::There);
        assert_eq!(listed("org.springframework.web.bind.annotation", "Order"), Listed::NotInThese);
        assert_eq!(listed("com.acme", "Order"), Listed::Unknown);
        for text in [JDK, LIBRARIES] {
            let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
            assert!(
                lines.is_sorted() && lines.iter().all(|line| line.contains(' ')),
                "a line for each package, in order"
            );
        }
    }
}
