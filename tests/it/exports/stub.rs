//! A tiny single-threaded HTTP service: fixed answers, and `/echo`, which answers with the received request.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};

use serde_json::{Map, Value, json};

/// The JSON answer that most checks examine, as text so that no number is rounded.
pub const DOCUMENT: &str = r#"{"s":"Bad \"x\" \\u000a","n":1,"one":1.0,"f":0.1,"big":9007199254740993,"dec":1.10,"neg":-5,"z":null,"b":true,
"a":[3,1,2],"dup":[1,1,2],"e":[],"o":{"k":1,"__proto__":2,"constructor":3},"uni":"é€😀","dotted.key":5,
"items":[{"id":1,"name":"x"},{"id":2,"name":null}]}"#;

/// Starts the service on a free loopback port; returns its base URL. It ends with the test's process.
pub fn start() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                let _ = serve(stream);
            });
        }
    });
    url
}

struct Request {
    method: String,
    target: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

fn serve(stream: TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let Some(request) = read(&mut reader)? else { return Ok(()) };
    let (status, headers, body) = answer(&request);
    let mut text = format!("HTTP/1.1 {status} Answer\r\nConnection: close\r\n");
    if status != 204 {
        text.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    let mut stream = stream;
    stream.write_all(text.as_bytes())?;
    stream.write_all(b"\r\n")?;
    stream.write_all(body.as_bytes())
}

fn read(reader: &mut impl BufRead) -> std::io::Result<Option<Request>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let (method, target) = (words.next().unwrap_or("").to_owned(), words.next().unwrap_or("").to_owned());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) => headers.push((name.to_lowercase(), value.to_owned())),
            None => break,
        }
    }
    let length = headers.iter().find(|(name, _)| name == "content-length").and_then(|(_, n)| n.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body)?;
    Ok(Some(Request { method, target, headers, body }))
}

type Answer = (u16, Vec<(&'static str, String)>, String);

fn answer(request: &Request) -> Answer {
    let json =
        |status, body: String| (status, vec![("Content-Type", "application/json;charset=UTF-8".to_owned())], body);
    let path = request.target.split('?').next().unwrap_or("");
    match (request.method.as_str(), path) {
        (_, "/json") => {
            let (status, mut headers, body) = json(200, DOCUMENT.to_owned());
            headers.push(("X-Count", "12".to_owned()));
            headers.push(("X-Name", "orders v2".to_owned()));
            (status, headers, body)
        }
        (_, "/empty") => (204, vec![], String::new()),
        (_, "/text") => (200, vec![("Content-Type", "text/plain".to_owned())], "hello".to_owned()),
        (_, "/bare") => json(200, "hello".to_owned()),
        (_, "/number") => json(200, "5".to_owned()),
        (_, "/redirect") => (302, vec![("Location", "/json".to_owned())], String::new()),
        (_, "/cookie") => (200, vec![("Set-Cookie", "session=leaked; Path=/".to_owned())], "ok".to_owned()),
        ("POST", "/things") => {
            let (status, mut headers, body) =
                json(201, r#"{"id":"a/b {{baseUrl}} é","code":9007199254740993}"#.to_owned());
            headers.push(("Location", "/things/x%2Fy?z=1".to_owned()));
            (status, headers, body)
        }
        (method, path) if path.starts_with("/echo") || path.starts_with("/things/") => {
            json(if method == "DELETE" { 404 } else { 200 }, echo(request).to_string())
        }
        _ => json(404, r#"{"message":"no such path"}"#.to_owned()),
    }
}

/// The request as JSON: header names in lower case, the body as text, as hexadecimal digits, and as JSON if it is valid.
fn echo(request: &Request) -> Value {
    let headers: Map<String, Value> =
        request.headers.iter().map(|(k, v)| (k.clone(), Value::from(v.as_str()))).collect();
    json!({
        "method": request.method,
        "target": request.target,
        "headers": headers,
        "body": String::from_utf8_lossy(&request.body),
        "hex": hex::encode(&request.body),
        "json": serde_json::from_slice::<Value>(&request.body).ok(),
        "code": 9_007_199_254_740_993_u64,
    })
}
