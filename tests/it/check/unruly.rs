//! A misbehaving service, each path in its own way. It keeps connections open, counts requests, and can die.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;

/// The password of the login, which must never be printed.
pub const PASSWORD: &str = "pa55-w0rd/of+admin";

/// The running service. It ends with the test's process.
pub struct Unruly {
    pub url: String,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    address: Mutex<String>,
    dead: AtomicBool,
    connections: AtomicUsize,
    running: AtomicUsize,
    most: AtomicUsize,
    beside_a_writer: AtomicBool,
    writing: AtomicBool,
    logins: AtomicUsize,
    uses: AtomicUsize,
    resets: AtomicUsize,
    asked: Mutex<BTreeMap<String, usize>>,
}

struct Request {
    method: String,
    path: String,
    query: String,
    headers: BTreeMap<String, String>,
    body: String,
}

/// What happens to a connection after a request.
enum Then {
    Stays,
    Closes,
}

impl Unruly {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let state = Arc::new(State::default());
        state.address.lock().unwrap().clone_from(&address);
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if shared.dead.load(Ordering::SeqCst) {
                    break;
                }
                shared.connections.fetch_add(1, Ordering::SeqCst);
                let state = Arc::clone(&shared);
                std::thread::spawn(move || state.serve(stream));
            }
        });
        Self { url: format!("http://{address}"), state }
    }

    /// Number of requests for a method and path such as `GET /fine`.
    pub fn asked(&self, what: &str) -> usize {
        self.state.asked.lock().unwrap().get(what).copied().unwrap_or(0)
    }

    pub fn connections(&self) -> usize {
        self.state.connections.load(Ordering::SeqCst)
    }

    pub fn resets(&self) -> usize {
        self.state.resets.load(Ordering::SeqCst)
    }

    pub fn logins(&self) -> usize {
        self.state.logins.load(Ordering::SeqCst)
    }

    /// Maximum number of concurrent requests.
    pub fn most_at_a_time(&self) -> usize {
        self.state.most.load(Ordering::SeqCst)
    }

    /// Whether any request ran concurrently with a writing one.
    pub fn something_ran_beside_a_writer(&self) -> bool {
        self.state.beside_a_writer.load(Ordering::SeqCst)
    }
}

impl State {
    fn serve(&self, stream: TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        while let Some(request) = read(&mut reader) {
            *self.asked.lock().unwrap().entry(format!("{} {}", request.method, request.path)).or_default() += 1;
            let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
            self.most.fetch_max(running, Ordering::SeqCst);
            let writes = request.method == "POST" && request.path == "/things";
            if self.writing.load(Ordering::SeqCst) || (writes && running > 1) {
                self.beside_a_writer.store(true, Ordering::SeqCst);
            }
            self.writing.store(writes, Ordering::SeqCst);
            let is_done = Cell::new(false);
            let then = self.answer(&request, &stream, &is_done);
            self.finish(&is_done);
            if matches!(then, Then::Closes) || self.dead.load(Ordering::SeqCst) {
                break;
            }
        }
        let _ = stream.shutdown(std::net::Shutdown::Both);
    }

    /// Marks a request as ended before its first byte is sent, because the client may continue as soon as it has the answer.
    fn finish(&self, is_done: &Cell<bool>) {
        if !is_done.replace(true) {
            self.writing.store(false, Ordering::SeqCst);
            self.running.fetch_sub(1, Ordering::SeqCst);
        }
    }

    fn answer(&self, request: &Request, stream: &TcpStream, is_done: &Cell<bool>) -> Then {
        let send = |stream: &TcpStream, status: u16, headers: &[(&str, &str)], body: &[u8]| {
            self.finish(is_done);
            send(stream, status, headers, body)
        };
        let json = |status, body: serde_json::Value| {
            send(stream, status, &[("Content-Type", "application/json")], body.to_string().as_bytes())
        };
        let fine = json!({"id": 1, "name": "x", "tags": ["a", "b"]});
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/fine") => json(200, fine),
            ("GET", "/slow") => {
                std::thread::sleep(Duration::from_millis(30));
                json(200, fine)
            }
            ("GET", "/closes") => Then::Closes,
            ("GET", "/truncates") => {
                let mut stream = stream;
                let _ = stream.write_all(
                    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"id\": 1,",
                );
                Then::Closes
            }
            ("GET", "/hangs") => {
                std::thread::sleep(Duration::from_secs(20));
                Then::Closes
            }
            ("GET", "/huge") => {
                let body = format!("{{\"id\": 1, \"text\": \"{}\"}}", "x".repeat(50 << 20));
                send(stream, 200, &[("Content-Type", "application/json")], body.as_bytes())
            }
            ("GET", "/redirects") => send(stream, 302, &[("Location", "/fine")], b""),
            ("GET", "/wrong-type") => send(stream, 200, &[("Content-Type", "text/html;charset=UTF-8")], b"<p>fine</p>"),
            ("GET", "/garbled") => {
                let mut stream = stream;
                let _ = stream.write_all(b"what do you want?\r\n\r\n");
                Then::Closes
            }
            ("GET", "/flaps") if self.asked.lock().unwrap()["GET /flaps"] == 1 => {
                json(500, json!({"error": "not yet"}))
            }
            ("GET", "/flaps") => json(200, fine),
            ("POST", "/login") if request.body.contains(&format!("\"pw\":\"{PASSWORD}\"")) => {
                let number = self.logins.fetch_add(1, Ordering::SeqCst) + 1;
                self.uses.store(0, Ordering::SeqCst);
                json(200, json!({"of": {"token": format!("t0ken-number-{number}")}}))
            }
            ("POST", "/login") => json(403, json!({"no": request.body})),
            ("GET", "/secret") => {
                // A token is good for two requests.
                let wanted = format!("Bearer t0ken-number-{}", self.logins.load(Ordering::SeqCst));
                let sent = request.headers.get("authorization").cloned().unwrap_or_default();
                if sent != wanted || self.uses.fetch_add(1, Ordering::SeqCst) >= 2 {
                    return json(401, json!({"sent": sent}));
                }
                json(200, json!({"sent": sent, "id": 1}))
            }
            ("GET", "/form") => {
                let headers = [("Set-Cookie", "XSRF-TOKEN=of-the-page; Path=/"), ("Content-Type", "text/html")];
                send(stream, 200, &headers, b"<form><input type=\"hidden\" name=\"_csrf\" value=\"hidden+1\"></form>")
            }
            ("POST", "/form") if request.body != format!("user=a%26b&pw={}&_csrf=hidden%2B1", "p%3Dq%20r-s3cret") => {
                send(stream, 403, &[], b"")
            }
            ("POST", "/form") => {
                let headers = [
                    ("Set-Cookie", "SESSION=s3ssion-1; HttpOnly"),
                    ("Set-Cookie", "OLD=; Max-Age=0"),
                    ("Location", "/"),
                ];
                send(stream, 302, &headers, b"")
            }
            ("POST", "/wrong-form") => {
                send(stream, 302, &[("Set-Cookie", "SESSION=nobody"), ("Location", "/login?error")], b"")
            }
            ("POST", "/header-login") => send(stream, 200, &[("X-Auth-Token", "h3ader-token")], b""),
            (_, "/who") => json(200, json!({"headers": request.headers, "query": request.query})),
            ("POST", "/things") => {
                std::thread::sleep(Duration::from_millis(15));
                send(stream, 201, &[("Location", "/things/a%20b")], request.body.as_bytes())
            }
            ("GET", "/things/a%20b") => json(200, json!({"id": "a b"})),
            ("POST", "/reset") => {
                self.resets.fetch_add(1, Ordering::SeqCst);
                send(stream, 204, &[], b"")
            }
            ("DELETE", "/service") => {
                self.dead.store(true, Ordering::SeqCst);
                let _ = TcpStream::connect(&*self.address.lock().unwrap());
                Then::Closes
            }
            _ => json(404, json!({"message": "no such path"})),
        }
    }
}

fn send(mut stream: &TcpStream, status: u16, headers: &[(&str, &str)], body: &[u8]) -> Then {
    let mut head = format!("HTTP/1.1 {status} It\r\n");
    if status != 204 {
        head.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    let sent = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
    if sent.is_ok() { Then::Stays } else { Then::Closes }
}

fn read(reader: &mut impl BufRead) -> Option<Request> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|length| *length > 0)?;
    let mut words = line.split_whitespace();
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    let length = headers.get("content-length").and_then(|n| n.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let (path, query) = (path.to_owned(), query.to_owned());
    Some(Request { method, path, query, headers, body: String::from_utf8_lossy(&body).into_owned() })
}
