//! A scripted model: an OpenAI-like endpoint on loopback, whose replies a closure supplies, and which can misbehave in every way.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// A received request.
#[derive(Debug, Clone)]
pub struct Received {
    /// Number of earlier requests.
    pub n: usize,
    /// Its path.
    pub path: String,
    /// Headers by lower-case name.
    pub headers: BTreeMap<String, String>,
    /// The body.
    pub body: Value,
    /// Head and body, byte by byte.
    pub raw: Vec<u8>,
}

impl Received {
    /// Text of the message at this index.
    pub fn message(&self, at: usize) -> &str {
        self.body["messages"][at]["content"].as_str().unwrap_or_default()
    }

    /// The system message.
    pub fn system(&self) -> &str {
        self.message(0)
    }

    /// The user message.
    pub fn user(&self) -> &str {
        self.message(1)
    }

    /// Whether it is a retry that shows the error of an earlier reply.
    pub fn is_again(&self) -> bool {
        self.body["messages"].as_array().is_some_and(|messages| messages.len() > 2)
    }

    /// The requested response format: `json_schema`, `json_object`, or empty.
    pub fn format(&self) -> &str {
        self.body["response_format"]["type"].as_str().unwrap_or_default()
    }

    /// The name of the requested schema, if any.
    pub fn schema(&self) -> &str {
        self.body["response_format"]["json_schema"]["name"].as_str().unwrap_or_default()
    }
}

/// The model's behaviour for one request.
#[derive(Debug, Clone)]
pub struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    delay: Duration,
    /// Number of bytes sent at a time, and the pause between.
    slow: Option<(usize, Duration)>,
    /// Closes the connection after this many bytes of the body.
    cut: Option<usize>,
    close: bool,
}

impl Reply {
    /// A reply with this text.
    pub fn text(text: &str) -> Self {
        Self::message(json!({"role": "assistant", "content": text}), "stop")
    }

    /// A reply with this JSON value as text.
    pub fn json(value: &Value) -> Self {
        Self::text(&value.to_string())
    }

    /// A reply with this message and finish reason.
    pub fn message(message: Value, finish: &str) -> Self {
        let body = json!({
            "id": "x", "object": "chat.completion", "model": "scripted-1",
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        });
        Self::raw(200, body.to_string())
    }

    /// A response with this status and body.
    pub fn raw(status: u16, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        Self { status, headers, body: body.into(), delay: Duration::ZERO, slow: None, cut: None, close: false }
    }

    /// An error response in OpenAI's format.
    pub fn error(status: u16, message: &str) -> Self {
        Self::raw(status, json!({"error": {"message": message}}).to_string())
    }

    /// Closes the connection without an answer.
    pub fn close() -> Self {
        Self { close: true, ..Self::raw(200, "") }
    }

    /// The reply with another finish reason.
    #[must_use]
    pub fn finish(self, finish: &str) -> Self {
        self.change(|body| body["choices"][0]["finish_reason"] = json!(finish))
    }

    /// The reply with other token counts; null for none.
    #[must_use]
    pub fn usage(self, usage: Value) -> Self {
        self.change(|body| body["usage"] = usage)
    }

    fn change(mut self, change: impl FnOnce(&mut Value)) -> Self {
        let mut body: Value = serde_json::from_slice(&self.body).unwrap();
        change(&mut body);
        self.body = body.to_string().into_bytes();
        self
    }

    /// The reply with an additional header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(other, _)| other != name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The reply after a delay.
    #[must_use]
    pub fn after(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }

    /// The reply sent in small pieces with pauses.
    #[must_use]
    pub fn slow(self, bytes: usize, pause: Duration) -> Self {
        Self { slow: Some((bytes, pause)), ..self }
    }

    /// The reply truncated after this many bytes of the body.
    #[must_use]
    pub fn cut(self, bytes: usize) -> Self {
        Self { cut: Some(bytes), ..self }
    }
}

type Script = dyn Fn(&Received) -> Reply + Send + Sync;

struct Shared {
    script: Box<Script>,
    received: Mutex<Vec<Received>>,
    now: AtomicUsize,
    most: AtomicUsize,
    over: AtomicBool,
}

/// A running endpoint; it stops when the value is dropped.
pub struct Server {
    /// Base URL of its API.
    pub base_url: String,
    shared: Arc<Shared>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::SeqCst);
        // Wakes the listener, so that it can stop.
        let _ = TcpStream::connect(self.base_url.trim_start_matches("http://").trim_end_matches("/v1"));
    }
}

impl Server {
    /// Starts it on a free port; `script` answers requests, possibly on several threads at once.
    pub fn start(script: impl Fn(&Received) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let shared = Arc::new(Shared {
            script: Box::new(script),
            received: Mutex::default(),
            now: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            over: AtomicBool::new(false),
        });
        let own = shared.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if own.over.load(Ordering::SeqCst) {
                    return;
                }
                let (stream, own) = (stream.unwrap(), own.clone());
                std::thread::spawn(move || serve(stream, &own));
            }
        });
        Self { base_url, shared }
    }

    /// All requests so far, in order of arrival.
    pub fn received(&self) -> Vec<Received> {
        self.shared.received.lock().unwrap().clone()
    }

    /// Number of requests so far.
    pub fn count(&self) -> usize {
        self.shared.received.lock().unwrap().len()
    }

    /// Maximum number of concurrent requests.
    pub fn most_at_once(&self) -> usize {
        self.shared.most.load(Ordering::SeqCst)
    }
}

fn serve(stream: TcpStream, shared: &Shared) {
    let _ = stream.set_nodelay(true);
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    while let Some(mut received) = read(&mut reader) {
        let now = shared.now.fetch_add(1, Ordering::SeqCst) + 1;
        shared.most.fetch_max(now, Ordering::SeqCst);
        {
            let mut all = shared.received.lock().unwrap();
            received.n = all.len();
            all.push(received.clone());
        }
        let reply = (shared.script)(&received);
        std::thread::sleep(reply.delay);
        // Counted down before the answer is sent, because the client may send its next request at once.
        shared.now.fetch_sub(1, Ordering::SeqCst);
        if reply.close || write(&mut stream, &reply).is_err() || reply.cut.is_some() {
            let _ = stream.shutdown(std::net::Shutdown::Both);
            return;
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Received> {
    let mut raw = Vec::new();
    let mut head = String::new();
    loop {
        let start = head.len();
        reader.read_line(&mut head).ok().filter(|bytes| *bytes > 0)?;
        if head[start..].trim().is_empty() {
            break;
        }
    }
    raw.extend_from_slice(head.as_bytes());
    let mut lines = head.lines();
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let headers: BTreeMap<String, String> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    raw.extend_from_slice(&body);
    let body = serde_json::from_slice(&body).unwrap_or_default();
    Some(Received { n: 0, path, headers, body, raw })
}

fn write(stream: &mut TcpStream, reply: &Reply) -> std::io::Result<()> {
    let mut head = format!("HTTP/1.1 {} X\r\ncontent-length: {}\r\n", reply.status, reply.body.len());
    for (name, value) in &reply.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes())?;
    let body = &reply.body[..reply.cut.unwrap_or(reply.body.len()).min(reply.body.len())];
    match reply.slow {
        None => stream.write_all(body)?,
        Some((bytes, pause)) => {
            for part in body.chunks(bytes) {
                stream.write_all(part)?;
                stream.flush()?;
                std::thread::sleep(pause);
            }
        }
    }
    stream.flush()
}
