//! Credentials: the headers, parameters and cookies that authenticate a request.

use super::secret::Secret;
use crate::http::Request;
use mastor_types::suite::request::percent;

/// The parts of a request that authenticate a user.
#[derive(Debug, Clone, Default)]
pub struct Credentials {
    /// Headers.
    pub headers: Vec<(String, Secret)>,
    /// Query parameters.
    pub query: Vec<(String, Secret)>,
    /// Cookies.
    pub cookies: Vec<(String, Secret)>,
    /// The CSRF header for requests that change something.
    pub forgery: Option<(String, Secret)>,
}

impl Credentials {
    /// Adds the credentials to a request; a header that the oracle sets itself is kept.
    pub fn apply(&self, request: &mut Request) {
        let forgery = self.forgery.as_ref().filter(|_| !request.method.is_safe());
        for (name, value) in self.headers.iter().chain(forgery) {
            if !request.headers.iter().any(|(own, _)| own.eq_ignore_ascii_case(name)) {
                request.headers.push((name.clone(), value.reveal().to_owned()));
            }
        }
        for (name, value) in &self.query {
            let separator = if request.url.contains('?') { '&' } else { '?' };
            request.url.push_str(&format!("{separator}{}={}", percent(name), percent(value.reveal())));
        }
        let cookies: Vec<String> =
            self.cookies.iter().map(|(name, value)| format!("{name}={}", value.reveal())).collect();
        if cookies.is_empty() {
            return;
        }
        match request.headers.iter_mut().find(|(own, _)| own.eq_ignore_ascii_case("cookie")) {
            Some((_, value)) => *value = format!("{value}; {}", cookies.join("; ")),
            None => request.headers.push(("Cookie".to_owned(), cookies.join("; "))),
        }
    }
}
