//! The HTTP gateway to models: the only file of this module that sends requests.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};

/// Maximum bytes of an answer.
pub(super) const LARGEST: usize = 8 << 20;
/// Connection timeout.
const CONNECT: Duration = Duration::from_secs(15);

/// An HTTP client for one endpoint. Its headers are never printed.
#[derive(Debug)]
pub(super) struct Client {
    inner: reqwest::Client,
    url: String,
    headers: HeaderMap,
}

/// An HTTP answer.
#[derive(Debug)]
pub(super) struct HttpAnswer {
    pub status: u16,
    /// The `Retry-After` header.
    pub retry_after: Option<String>,
    pub body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum NoAnswer {
    /// No connection; nothing was sent.
    Refused(String),
    /// Timeout.
    TimedOut,
    /// The connection was lost.
    Broken(String),
    /// The answer exceeds [`LARGEST`].
    TooLong,
}

/// Why the client cannot be created.
#[derive(Debug)]
pub(super) enum NoClient {
    Header(String, String),
    Other(String),
}

impl Client {
    /// A client for the endpoint at `base_url`.
    pub(super) fn new<'h>(
        base_url: &str,
        local: bool,
        key: Option<&str>,
        headers: impl IntoIterator<Item = (&'h str, &'h str)>,
    ) -> Result<Self, NoClient> {
        let url = format!("{base_url}/chat/completions");
        reqwest::Url::parse(&url).map_err(|error| NoClient::Other(error.to_string()))?;
        let mut sent = HeaderMap::new();
        sent.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let secret = |name: &str, value: &str| {
            let mut value = HeaderValue::from_str(value).map_err(|_| {
                NoClient::Header(name.to_owned(), "its value has characters that no header may have".to_owned())
            })?;
            value.set_sensitive(true);
            Ok(value)
        };
        if let Some(key) = key {
            sent.insert(AUTHORIZATION, secret("authorization", &format!("Bearer {}", key.trim()))?);
        }
        for (name, value) in headers {
            let key = HeaderName::from_bytes(name.as_bytes())
                .map_err(|_| NoClient::Header(name.to_owned(), "that is no name of a header".to_owned()))?;
            sent.insert(key, secret(name, value)?);
        }
        // Redirects are not followed, since requests carry the API key.
        let mut builder = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .user_agent(concat!("mastor/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT)
            .pool_idle_timeout(Duration::from_secs(20))
            .tcp_nodelay(true);
        if local {
            builder = builder.no_proxy();
        }
        if base_url.starts_with("http:") {
            // No request uses HTTPS, so the client works on a machine without certificates.
            builder = builder.tls_certs_only([]);
        }
        let inner = builder.build().map_err(|error| NoClient::Other(innermost(&error)))?;
        Ok(Self { inner, url, headers: sent })
    }

    /// Posts a body and reads the whole answer within a time limit.
    pub(super) async fn post(&self, body: Vec<u8>, within: Duration) -> Result<HttpAnswer, NoAnswer> {
        let request = self.inner.post(&self.url).headers(self.headers.clone()).body(body);
        tokio::time::timeout(within, exchange(request)).await.unwrap_or(Err(NoAnswer::TimedOut))
    }
}

async fn exchange(request: reqwest::RequestBuilder) -> Result<HttpAnswer, NoAnswer> {
    let mut response = request.send().await.map_err(|error| no_answer(&error))?;
    let status = response.status().as_u16();
    let retry_after = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| no_answer(&error))? {
        if body.len() + chunk.len() > LARGEST {
            return Err(NoAnswer::TooLong);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(HttpAnswer { status, retry_after, body })
}

fn no_answer(error: &reqwest::Error) -> NoAnswer {
    if error.is_connect() {
        NoAnswer::Refused(innermost(error))
    } else if error.is_timeout() {
        NoAnswer::TimedOut
    } else {
        NoAnswer::Broken(innermost(error))
    }
}

/// The innermost cause of an error; the outer ones print the URL.
fn innermost(error: &reqwest::Error) -> String {
    let mut last: &dyn std::error::Error = error;
    while let Some(inner) = last.source() {
        last = inner;
    }
    last.to_string()
}
