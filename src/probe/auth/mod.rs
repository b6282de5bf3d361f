//! Users of the service: how each is authenticated, and that nothing of it gets out.
//!
//! [`mod@file`] reads the Web Fuzzing Commons format ([`entry`]), [`login`] the request that it describes, [`logins`] who is who at the service, [`accounts`] what exports say
//! of users, [`sign_up`] finds who can be made, [`credentials`] what comes of a login, [`users`] sends as a user, [`secret`] holds what must
//! not be seen.

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
