//! The service under test: built, started and ready, reset between groups of oracles, and ended with all that came from it.
//!
//! [`start`] takes the settings and a [`Place`] (whose files, where logs go) and gives a [`Running`] service, whose processes end with it:
//! [`command`] holds their group and its [`record`], by which the next run finds them where we were killed. [`ready`] waits until it answers,
//! [`signs`] say why it does not. [`Checkout`] puts the base's files into a folder of their own. [`Interrupt`] listens for Ctrl-C.

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
