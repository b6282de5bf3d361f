//! Users of a service, as far as analysis looks at them: names, never credentials.

/// A user of the auth file whose name at the service stands in that file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Its name in the auth file: what oracles say in `as`.
    pub name: String,
    /// Its name at the service.
    pub login: String,
    /// How it logs in.
    pub by: LogsIn,
}

/// How a user logs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogsIn {
    /// HTTP basic authentication, with every request.
    Basic,
    /// A form that is posted to this path of the server, and a cookie from then on.
    Form(String),
}
