//! The caller, as far as access rules depend on it.

/// The caller of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// A caller without credentials.
    Nobody,
    /// An authenticated caller with these authorities; `None` if they are not known.
    Somebody(Option<Vec<String>>),
}

impl Caller {
    /// Whether the caller has one of these authorities; `None` if that is not known.
    pub fn has(&self, wanted: &[String]) -> Option<bool> {
        match self {
            Self::Nobody => Some(wanted.iter().any(|one| one == "ROLE_ANONYMOUS")),
            Self::Somebody(own) => own.as_ref().map(|own| own.iter().any(|one| wanted.contains(one))),
        }
    }
}

/// The authority of a role: its name with Spring's prefix.
pub fn role(name: &str) -> String {
    match name.starts_with("ROLE_") {
        true => name.to_owned(),
        false => format!("ROLE_{name}"),
    }
}
