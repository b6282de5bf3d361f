//! The place of a service: which revision's files it runs on, and where its logs and records go.

use std::path::PathBuf;
use std::sync::Arc;

use super::checkout::Checkout;
use crate::store::StoreError;

/// Which of two services that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Instance {
    /// That of the head.
    Head,
    /// That of the base.
    Base,
}

impl Instance {
    /// The name that stands for `{instance}`, and in the names of logs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Base => "base",
        }
    }
}

/// Where a service is built and run.
#[derive(Debug, Clone)]
pub struct Place {
    /// Root of the revision's files.
    pub root: PathBuf,
    /// Which of two.
    pub instance: Instance,
    /// What it is called in messages: `head`, `base 1a2b3c4`.
    pub label: String,
    /// Folder for logs: `.mastor/out` of the service.
    pub out: PathBuf,
    /// Folder for the records of running processes: `.mastor/cache` of the repository.
    pub cache: PathBuf,
    /// The checkout that the files are, where they are not the work tree that the command runs in.
    pub checkout: Option<Arc<Checkout>>,
}

impl Place {
    /// The file for the log of a kind of command.
    pub fn log(&self, kind: &str) -> PathBuf {
        self.out.join(format!("{kind}-{}.log", self.instance.as_str()))
    }

    /// Whether the files stand as a build has left them.
    pub fn is_built(&self) -> bool {
        self.checkout.as_ref().is_some_and(|checkout| checkout.is_built())
    }

    /// Says that the build is done.
    ///
    /// # Errors
    /// Where that cannot be written.
    pub fn keep(&self) -> Result<(), StoreError> {
        self.checkout.as_ref().map_or(Ok(()), |checkout| checkout.keep())
    }

    /// The note that a build other than the service's has left in this checkout; a work tree has none.
    pub fn note(&self, name: &str) -> Option<String> {
        self.checkout.as_ref().and_then(|checkout| checkout.note(name))
    }

    /// Leaves a note of such a build in the checkout; in a work tree nothing is kept.
    ///
    /// # Errors
    /// Where that cannot be written.
    pub fn keep_with(&self, name: &str, note: &str) -> Result<(), StoreError> {
        self.checkout.as_ref().map_or(Ok(()), |checkout| checkout.keep_with(name, note))
    }
}
