//! Generations of Spring Security: groups of releases with different answers.

use crate::files::build::Build;

/// A group of releases with the same answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Generation {
    /// Spring Security 4 and before: Spring Boot 1.
    Four,
    /// Spring Security 5: Spring Boot 2.
    Five,
    /// Spring Security 6 and later: Spring Boot 3 and later. Error pages are guarded too.
    Six,
}

impl Generation {
    /// The generation in the build files, for code in `near`.
    pub fn of(build: &Build, near: &str) -> Option<Self> {
        let of = |major: u32| match major {
            0..=4 => Self::Four,
            5 => Self::Five,
            _ => Self::Six,
        };
        match build.boot(near) {
            Some((boot, _)) => Some(of(boot + 3)),
            None => build.version(near, "spring-security").map(|(major, _)| of(major)),
        }
    }
}
