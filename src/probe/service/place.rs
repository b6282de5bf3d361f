//! The place of a service: the files it is built from, and the folders for its logs and records.

use std::path::PathBuf;
use std::sync::Arc;

use super::checkout::Checkout;
use mastor_store::StoreError;

/// One of two services that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Instance {
    /// The head's service.
    Head,
    /// The base's service.
    Base,
}

impl Instance {
    /// The name used for `{instance}` and in log file names.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Base => "base",
        }
    }
}

/// Files and folders of a service.
#[derive(Debug, Clone)]
pub struct Place {
    /// Root folder of the revision's files.
    pub root: PathBuf,
    /// Head or base.
    pub instance: Instance,
    /// Name in messages: `head`, `base 1a2b3c4`.
    pub label: String,
    /// Folder for logs: `.mastor/out` of the service.
    pub out: PathBuf,
    /// Folder for the records of running processes: `.mastor/cache` of the repository.
    pub cache: PathBuf,
    /// The checkout with the files; `None` for the work tree.
    pub checkout: Option<Arc<Checkout>>,
    /// Whether this run has built the files already.
    pub built: bool,
}

impl Place {
    /// The log file for a kind of command.
    pub fn log(&self, kind: &str) -> PathBuf {
        self.out.join(format!("{kind}-{}.log", self.instance.as_str()))
    }

    /// Whether the files are built already.
    pub fn is_built(&self) -> bool {
        self.built || self.checkout.as_ref().is_some_and(|checkout| checkout.is_built())
    }

    /// Marks the files as built.
    ///
    /// # Errors
    /// Where the mark cannot be written.
    pub fn keep(&self) -> Result<(), StoreError> {
        self.checkout.as_ref().map_or(Ok(()), |checkout| checkout.keep())
    }

    /// A note about another build in this checkout; `None` for the work tree.
    pub fn note(&self, name: &str) -> Option<String> {
        self.checkout.as_ref().and_then(|checkout| checkout.note(name))
    }

    /// Stores a note about another build in the checkout; does nothing for the work tree.
    ///
    /// # Errors
    /// Where the note cannot be written.
    pub fn keep_with(&self, name: &str, note: &str) -> Result<(), StoreError> {
        self.checkout.as_ref().map_or(Ok(()), |checkout| checkout.keep_with(name, note))
    }
}
