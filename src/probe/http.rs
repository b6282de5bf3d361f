//! The HTTP gateway to the service under test: the only file that sends requests to it.

use std::error::Error as _;
use std::time::{Duration, Instant};

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use mastor_types::http::Method;
use mastor_types::results::outcome::{Answer, NoAnswer};

/// Limits of a request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Maximum time from sending to the last byte of the answer.
    pub time: Duration,
    /// Connection timeout.
    pub connect: Duration,
    /// Maximum bytes of a body to read; a longer one is truncated and marked.
    pub body: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(30), connect: Duration::from_secs(5), body: 8 << 20 }
    }
}

/// Waits before retrying a connection that failed before anything was sent.
const RETRIES: [Duration; 2] = [Duration::from_millis(50), Duration::from_millis(250)];
/// Idle connections older than this are not reused: shorter than servers' own limits, so that none is closed during a
/// request.
const IDLE: Duration = Duration::from_secs(4);

/// A request ready to be sent, with all values encoded.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The absolute URL.
    pub url: String,
    /// Headers in order.
    pub headers: Vec<(String, String)>,
    /// The body, if any.
    pub body: Option<Vec<u8>>,
}

/// Why the client cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// The user's fault: not a valid URL of a service.
    #[error("`{url}` is no URL of a service: {why}")]
    NoUrl {
        /// The given text.
        url: String,
        /// What is invalid.
        why: String,
    },
    /// The machine's fault: it has no certificates to verify servers.
    #[error("https cannot be used here: {0}")]
    Tls(String),
}

/// Sends requests over reused connections. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Client {
    inner: reqwest::Client,
    limits: Limits,
}

impl Client {
    /// A client for these base URLs that keeps up to `connections` idle connections.
    ///
    /// # Errors
    /// Where a URL is invalid, or uses HTTPS and this machine has no certificates.
    pub fn new(urls: &[&str], limits: Limits, connections: usize) -> Result<Self, HttpError> {
        let urls: Vec<Url> = urls.iter().map(|url| service_url(url)).collect::<Result<_, _>>()?;
        let mut builder = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .user_agent(concat!("mastor/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(limits.connect)
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(connections.max(1))
            .tcp_nodelay(true);
        if urls.iter().all(is_loopback) {
            builder = builder.no_proxy();
        }
        if urls.iter().all(|url| url.scheme() == "http") {
            // No URL uses HTTPS, so the client works without certificates.
            builder = builder.tls_certs_only([]);
        }
        let inner = builder.build().map_err(|error| HttpError::Tls(innermost(&error)))?;
        Ok(Self { inner, limits })
    }

    /// The bounds of each request.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Sends a request; retries only if the connection failed before anything was sent. Redirects are not followed.
    ///
    /// # Errors
    /// Where no complete answer arrives.
    pub async fn send(&self, request: &Request) -> Result<Answer, NoAnswer> {
        let prepared = prepare(request)?;
        let mut waits = RETRIES.iter();
        loop {
            let Some(attempt) = prepared.try_clone() else {
                return Err(NoAnswer::Unsendable { why: "its body cannot be sent twice".to_owned() });
            };
            let started = Instant::now();
            let answer = tokio::time::timeout(self.limits.time, self.exchange(attempt, started)).await;
            match answer.unwrap_or(Err(NoAnswer::TimedOut { seconds: self.limits.time.as_secs_f64() })) {
                Err(NoAnswer::Refused { why }) => match waits.next() {
                    Some(wait) => tokio::time::sleep(*wait).await,
                    None => return Err(NoAnswer::Refused { why }),
                },
                other => return other,
            }
        }
    }

    async fn exchange(&self, request: reqwest::Request, started: Instant) -> Result<Answer, NoAnswer> {
        let mut response = self.inner.execute(request).await.map_err(|error| self.no_answer(&error))?;
        let status = response.status().as_u16();
        let headers = response
            .headers()
            .iter()
            .map(|(name, value)| (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
            .collect();
        let mut body = Vec::new();
        let mut cut = false;
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) => {
                    let room = self.limits.body - body.len();
                    body.extend_from_slice(&chunk[..chunk.len().min(room)]);
                    if chunk.len() > room {
                        cut = true;
                        break;
                    }
                }
                Ok(None) => break,
                Err(error) if error.is_timeout() => return Err(self.no_answer(&error)),
                Err(_) => return Err(NoAnswer::Truncated { bytes: body.len() }),
            }
        }
        Ok(Answer { status, headers, body, cut, millis: started.elapsed().as_secs_f64() * 1000.0 })
    }

    fn no_answer(&self, error: &reqwest::Error) -> NoAnswer {
        if error.is_connect() {
            return NoAnswer::Refused { why: innermost(error) };
        }
        if error.is_timeout() {
            return NoAnswer::TimedOut { seconds: self.limits.time.as_secs_f64() };
        }
        if error.is_builder() {
            return NoAnswer::Unsendable { why: innermost(error) };
        }
        let why = innermost(error);
        let mut source = error.source();
        while let Some(inner) = source {
            if inner.downcast_ref::<std::io::Error>().is_some() {
                return NoAnswer::Closed;
            }
            source = inner.source();
        }
        if why.contains("before message completed") { NoAnswer::Closed } else { NoAnswer::Garbled { why } }
    }

    /// Whether a connection to this URL can be made.
    pub async fn reaches(&self, url: &str) -> bool {
        let Ok(url) = service_url(url) else { return false };
        let Some(host) = url.host_str().map(|host| host.trim_matches(['[', ']']).to_owned()) else { return false };
        let Some(port) = url.port_or_known_default() else { return false };
        let connecting = tokio::net::TcpStream::connect((host.as_str(), port));
        matches!(tokio::time::timeout(self.limits.connect, connecting).await, Ok(Ok(_)))
    }
}

/// Parses the URL of a service: http or https, with a host.
fn service_url(url: &str) -> Result<Url, HttpError> {
    let no_url = |why: &str| HttpError::NoUrl { url: url.to_owned(), why: why.to_owned() };
    let parsed = Url::parse(url).map_err(|error| no_url(&error.to_string()))?;
    if !matches!(parsed.scheme(), "http" | "https") {
        return Err(no_url("it begins with neither http:// nor https://"));
    }
    if parsed.query().is_some() || parsed.fragment().is_some() {
        return Err(no_url("it has a query or fragment"));
    }
    Ok(parsed)
}

/// Checks that this is the URL of a service.
///
/// # Errors
/// Where it is invalid.
pub fn check_url(url: &str) -> Result<(), HttpError> {
    service_url(url).map(|_| ())
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn prepare(request: &Request) -> Result<reqwest::Request, NoAnswer> {
    let unsendable = |why: String| NoAnswer::Unsendable { why };
    let url = Url::parse(&request.url).map_err(|error| unsendable(error.to_string()))?;
    // URL parsers remove dot segments, so another path than the requested one would be sent.
    let sent = match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    };
    if target(&request.url) != sent {
        return Err(unsendable(format!("a client would send `{}` instead of what is asked", url.path())));
    }
    let method = reqwest::Method::from_bytes(request.method.as_str().as_bytes())
        .map_err(|error| unsendable(error.to_string()))?;
    let mut headers = HeaderMap::new();
    for (name, value) in &request.headers {
        let key =
            HeaderName::from_bytes(name.as_bytes()).map_err(|_| unsendable(format!("`{name}` names no header")))?;
        let value = HeaderValue::from_bytes(value.as_bytes())
            .map_err(|_| unsendable(format!("the value of the header {name} has control characters")))?;
        headers.append(key, value);
    }
    let mut prepared = reqwest::Request::new(method, url);
    *prepared.headers_mut() = headers;
    *prepared.body_mut() = request.body.clone().map(Into::into);
    Ok(prepared)
}

/// Path and query as written in a URL.
fn target(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    url[host..].find('/').map_or("/", |at| &url[host + at..])
}

fn innermost(error: &reqwest::Error) -> String {
    let mut last: &dyn std::error::Error = error;
    while let Some(inner) = last.source() {
        last = inner;
    }
    last.to_string()
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use super::*;
    use mastor_types::http::Method;

    fn get(port: u16) -> Request {
        let url = format!("http://127.0.0.1:{port}/");
        Request { method: Method::Get, url, headers: Vec::new(), body: None }
    }

    /// A port that nothing listens on.
    fn free() -> u16 {
        TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
    }

    #[tokio::test]
    async fn a_connection_that_failed_before_anything_was_sent_is_tried_again() {
        let port = free();
        let client = Client::new(&[], Limits::default(), 1).unwrap();
        assert!(matches!(client.send(&get(port)).await, Err(NoAnswer::Refused { .. })));
        let late = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 1024]).unwrap();
            stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n").unwrap();
        });
        assert_eq!(client.send(&get(port)).await.unwrap().status, 204);
        late.join().unwrap();
    }

    #[tokio::test]
    async fn what_was_sent_is_never_sent_twice() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 1024]).unwrap();
            drop(stream);
            listener.set_nonblocking(true).unwrap();
            std::thread::sleep(Duration::from_millis(600));
            listener.accept().is_err()
        });
        let client = Client::new(&[], Limits::default(), 1).unwrap();
        assert!(matches!(client.send(&get(port)).await, Err(NoAnswer::Closed)));
        assert!(server.join().unwrap(), "a second connection was made");
    }
}
