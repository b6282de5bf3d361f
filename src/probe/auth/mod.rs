//! Users of the service: logs them in and keeps their credentials out of all output.
//!
//! Comes in: an auth file, and a running service. Goes out: requests as a user, and masked text. Never here: a secret
//! in what is printed or kept.
//!
//! [`mod@file`] parses the Web Fuzzing Commons format ([`entry`]). [`login`] sends login requests and [`credentials`]
//! are their result; [`users`] sends requests as a user. [`logins`] lists login names for the analysis, [`accounts`]
//! describes users for exports. [`secret`] masks secrets in output.

pub mod accounts;
pub mod credentials;
pub mod entry;
pub mod file;
pub mod login;
pub mod logins;
pub mod secret;
pub mod sign_up;
pub mod users;

pub use credentials::Credentials;
pub use file::AuthError;
pub use secret::{Secret, Secrets};
pub use users::Users;
