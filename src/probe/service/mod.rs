//! The service under test: builds and starts it, waits until it is ready, resets it, and ends all its processes.
//!
//! Comes in: commands, files and folders of a service. Goes out: a running service, its logs, or why it did not start.
//! Never here: judging an answer.
//!
//! [`start`] takes the settings and a [`Place`] (files and log folder) and returns a [`Running`] service, whose
//! processes end with that value. [`command`] holds their process group and its [`record`], by which a later run finds
//! processes left by a killed run. [`ready`] waits until the service answers; [`signs`] suggests why it does not.
//! [`Checkout`] provides the base's files in a separate folder. [`Interrupt`] handles Ctrl-C.

pub mod build;
pub mod checkout;
pub mod command;
pub mod environment;
pub mod error;
pub mod interrupt;
pub mod log;
pub mod place;
pub mod port;
pub mod ready;
pub mod record;
pub mod running;
pub mod signs;

pub use checkout::Checkout;
pub use error::ServiceError;
pub use interrupt::Interrupt;
pub use log::Tail;
pub use place::{Instance, Place};
pub use running::{Running, start};
