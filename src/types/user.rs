//! Users of a service as the analysis sees them: names without credentials.

/// A user of the auth file whose login name is written in that file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The user's name in the auth file, which an oracle's `as` refers to.
    pub name: String,
    /// The login name at the service.
    pub login: String,
    /// How the user logs in.
    pub by: LogsIn,
}

/// Login methods that the analysis knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogsIn {
    /// HTTP basic authentication with every request.
    Basic,
    /// A form posted to this path of the server; a cookie authenticates later requests.
    Form(String),
}
