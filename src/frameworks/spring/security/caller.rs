//! Who asks, as far as rules of access look at it.

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// Nobody in particular: without credentials.
    Nobody,
    /// Somebody, with these authorities; `None` where they are not known.
    Somebody(Option<Vec<String>>),
}

impl Caller {
    /// Whether it has one of these authorities; `None` where that is not known.
    pub fn has(&self, wanted: &[String]) -> Option<bool> {
        match self {
            Self::Nobody => Some(wanted.iter().any(|one| one == "ROLE_ANONYMOUS")),
            Self::Somebody(own) => own.as_ref().map(|own| own.iter().any(|one| wanted.contains(one))),
        }
    }
}

/// The authority that a role is: with the prefix that Spring puts before it.
pub fn role(name: &str) -> String {
    match name.starts_with("ROLE_") {
        true => name.to_owned(),
        false => format!("ROLE_{name}"),
    }
}
