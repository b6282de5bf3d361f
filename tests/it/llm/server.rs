//! A scripted model: an endpoint like OpenAI's on loopback, whose replies a closure writes, and which can misbehave in every way.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Received {
    /// How many came before it.
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
    /// Text of the message at this place.
    pub fn message(&self, at: usize) -> &str {
        self.body["messages"][at]["content"].as_str().unwrap_or_default()
    }

    /// The system part.
    pub fn system(&self) -> &str {
        self.message(0)
    }

    /// The question.
    pub fn user(&self) -> &str {
        self.message(1)
    }

    /// Whether it shows the error of a reply.
    pub fn is_again(&self) -> bool {
        self.body["messages"].as_array().is_some_and(|messages| messages.len() > 2)
    }

    /// How JSON is asked for: `json_schema`, `json_object`, or nothing.
    pub fn format(&self) -> &str {
        self.body["response_format"]["type"].as_str().unwrap_or_default()
    }

    /// The name of the schema, where the request holds one.
    pub fn schema(&self) -> &str {
        self.body["response_format"]["json_schema"]["name"].as_str().unwrap_or_default()
    }
}

/// What the model does.
#[derive(Debug, Clone)]
pub struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    delay: Duration,
    /// So many bytes at a time, with so much time between.
    slow: Option<(usize, Duration)>,
    /// Closes the connection after so many bytes of the body.
    cut: Option<usize>,
    close: bool,
}

impl Reply {
    /// A reply of this text.
    pub fn text(text: &str) -> Self {
        Self::message(json!({"role": "assistant", "content": text}), "stop")
    }

    /// A reply that is this value.
    pub fn json(value: &Value) -> Self {
        Self::text(&value.to_string())
    }

    /// A reply of this message, which ended for this reason.
    pub fn message(message: Value, finish: &str) -> Self {
        let body = json!({
            "id": "x", "object": "chat.completion", "model": "scripted-1",
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        });
        Self::raw(200, body.to_string())
    }

    /// A body byte by byte.
    pub fn raw(status: u16, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        Self { status, headers, body: body.into(), delay: Duration::ZERO, slow: None, cut: None, close: false }
    }

    /// An error as such endpoints tell it.
    pub fn error(status: u16, message: &str) -> Self {
        Self::raw(status, json!({"error": {"message": message}}).to_string())
    }

    /// No answer: the connection is closed.
    pub fn close() -> Self {
        Self { close: true, ..Self::raw(200, "") }
    }

    /// The same, ended for another reason.
    #[must_use]
    pub fn finish(self, finish: &str) -> Self {
        self.change(|body| body["choices"][0]["finish_reason"] = json!(finish))
    }

    /// The same with other counts; none for a null.
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

    /// The same with a further header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(other, _)| other != name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same after a while.
    #[must_use]
    pub fn after(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }

    /// The same, drop by drop.
    #[must_use]
    pub fn slow(self, bytes: usize, pause: Duration) -> Self {
        Self { slow: Some((bytes, pause)), ..self }
    }

    /// The same, broken off after so many bytes of the body.
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

/// The endpoint, as long as the value lives.
pub struct Server {
    /// Where its interface begins.
    pub base_url: String,
    shared: Arc<Shared>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::SeqCst);
        // Wakes the listener.
        let _ = TcpStream::connect(self.base_url.trim_start_matches("http://").trim_end_matches("/v1"));
    }
}

impl Server {
    /// Starts it on a free port; `script` answers each request, from many threads at once.
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

    /// All requests so far, in the order in which they came.
    pub fn received(&self) -> Vec<Received> {
        self.shared.received.lock().unwrap().clone()
    }

    /// How many came.
    pub fn count(&self) -> usize {
        self.shared.received.lock().unwrap().len()
    }

    /// The most that were under way at the same time.
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
        // Before the answer: whoever has it may ask again at once.
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
