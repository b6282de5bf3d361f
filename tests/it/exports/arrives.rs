//! Ten thousand hostile texts in every part of a request: each runner sends them byte for byte, or reports that they cannot be sent.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;

use mastor::publish::Export;
use mastor::publish::exports::{junit, postman};
use mastor::publish::request::{form_with, multipart, percent};
use mastor::suite::Suite;
use mastor::types::suite::input::Part;
use mastor::types::{Hash, OpId};
use serde_json::{Map, Value, json};

use super::runners::{self, Verdict, Verdicts};
use super::{inert, run, without, write};

/// Number of texts in one request.
const BATCH: usize = 50;
/// Maximum length of a text that shares a request with others, in bytes as encoded in a URL.
const LONG: usize = 1000;

/// Starts a service that answers with hashes of the received parts, and below `/mirror` with the request's body.
fn service() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || _ = serve(stream));
        }
    });
    url
}

fn serve(mut stream: TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let line = |reader: &mut BufReader<TcpStream>| -> std::io::Result<Vec<u8>> {
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line)?;
        line.truncate(line.strip_suffix(b"\r\n").map_or(line.len(), <[u8]>::len));
        Ok(line)
    };
    let first = line(&mut reader)?;
    let Some(target) = first.split(|byte| *byte == b' ').nth(1) else { return Ok(()) };
    let (mut headers, mut length) = (Map::new(), 0);
    loop {
        let header = line(&mut reader)?;
        let Some(colon) = header.iter().position(|byte| *byte == b':') else { break };
        let (name, value) = (String::from_utf8_lossy(&header[..colon]).to_lowercase(), &header[colon + 1..]);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        if name == "content-length" {
            length = String::from_utf8_lossy(value).parse().unwrap();
        }
        headers.insert(name, sum(value).into());
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let answer = match target.starts_with(b"/mirror") {
        true => body,
        false => json!({"target": sum(target), "body": sum(&body), "headers": headers}).to_string().into_bytes(),
    };
    let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length:";
    stream.write_all(format!("{head} {}\r\n\r\n", answer.len()).as_bytes())?;
    stream.write_all(&answer)
}

fn sum(bytes: &[u8]) -> String {
    Hash::of(bytes).short(32)
}

fn arrived(path: &str, bytes: impl AsRef<[u8]>) -> Value {
    json!({"type": "field", "path": path, "op": "equals", "expected": sum(bytes.as_ref())})
}

/// Which runners must be able to send a request.
#[derive(Clone, Copy, PartialEq)]
enum Sent {
    Everywhere,
    /// Postman cannot express it.
    NotByPostman,
    Nowhere,
}

#[derive(Default)]
struct Cases {
    suite: Suite,
    expected: BTreeMap<String, Sent>,
    texts: Vec<String>,
}

impl Cases {
    fn add(&mut self, op: &str, sent: Sent, input: Value, assertions: Vec<Value>) {
        let op_id = OpId::parse(op).unwrap();
        let n = self.expected.len();
        let id = sum(format!("{n}").as_bytes())[..16].to_owned();
        // Hostile texts also go into the oracle's name, description and rationale.
        let said = &self.texts[n % self.texts.len()];
        let oracle = json!({
            "o_id": id, "op_id": op, "test_id": said, "description": said, "strategy": "fv", "as": "anonymous", "input": input,
            "assertions": assertions, "effect": "reads", "evidence": [], "rationale": said,
            "origin": {"engine": "human", "model": null, "challenger": "skipped"}, "confirmation": {"state": "unconfirmed", "runs": 0},
        });
        let context = json!({"op_id": op, "entry": null, "request_params": [], "evidence": {}, "request_params_pending": [],
            "response_schema": {"success_status": 200, "fields": [], "error_cases": []}, "response_schema_pending": []});
        let operation = self.suite.operations.entry(op_id).or_insert_with(|| mastor::suite::OperationSuite {
            context: serde_json::from_value(context).unwrap(),
            oracles: vec![],
            accepted: vec![],
            refuted: vec![],
            assumptions: vec![],
        });
        operation.oracles.push(serde_json::from_value(oracle).unwrap());
        self.expected.insert(id, sent);
    }

    /// Cases with every text in every part of a request.
    fn all() -> Self {
        let texts = inert::texts();
        let mut cases =
            Self { texts: texts.iter().filter(|text| text.len() < 300).cloned().collect(), ..Self::default() };
        let (short, long): (Vec<&str>, Vec<&str>) =
            texts.iter().map(String::as_str).partition(|text| percent(text).len() <= LONG);
        let (braces, plain): (Vec<&str>, Vec<&str>) = short.iter().partition(|text| text.contains("{{"));
        for batch in short.chunks(BATCH).chain(long.chunks(1)) {
            cases.address_and_form(batch);
            cases.json(batch);
        }
        for (texts, sent) in [(plain, Sent::Everywhere), (braces, Sent::NotByPostman), (long, Sent::Everywhere)] {
            for batch in texts.chunks(BATCH) {
                cases.text_bodies(batch, sent);
            }
            let (fit, others): (Vec<&str>, Vec<&str>) = texts.iter().partition(|text| fits_a_header(text));
            for batch in fit.chunks(BATCH) {
                cases.headers(batch, sent);
            }
            for text in others {
                cases.add(
                    "GET /sums",
                    Sent::Nowhere,
                    json!({"headers": [["X-T", text]]}),
                    vec![arrived("headers.x-t", text)],
                );
            }
        }
        cases.what_else_cannot_be_sent();
        cases
    }

    /// Texts in the path, and as names and values of query and form.
    fn address_and_form(&mut self, batch: &[&str]) {
        let names: Vec<String> = (0..batch.len()).map(|n| format!("p{n}")).collect();
        let path: BTreeMap<&String, &&str> = names.iter().zip(batch).collect();
        let op = format!("POST /sums{}", names.iter().map(|name| format!("/{{{name}}}")).collect::<String>());
        let pairs: Vec<(&str, &str)> = batch.iter().map(|text| (*text, *text)).collect();
        let owned: Vec<(String, String)> = pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        let form = form_with(&owned, |_, value| percent(value));
        let segments: String = batch.iter().map(|text| format!("/{}", percent(text))).collect();
        let target = format!("/sums{segments}?{form}");
        let sent = if target.len() > 65_000 { Sent::Nowhere } else { Sent::Everywhere };
        let checks = vec![arrived("target", &target), arrived("body", &form)];
        self.add(&op, sent, json!({"path": path, "query": pairs, "body": {"form": pairs}}), checks);
        if sent == Sent::Nowhere {
            self.add("PUT /sums", Sent::Everywhere, json!({"body": {"form": pairs}}), vec![arrived("body", &form)]);
        }
    }

    /// Texts in a JSON body, and as expected values.
    fn json(&mut self, batch: &[&str]) {
        let check = |(n, text): (usize, &&str)| json!({"type": "field", "path": format!("texts[{n}]"), "op": "equals", "expected": text});
        let mut checks: Vec<Value> = batch.iter().enumerate().map(check).collect();
        let keys: BTreeMap<&&str, usize> = batch.iter().map(|text| (text, text.len())).collect();
        checks.push(json!({"type": "field", "path": "keys", "op": "equals", "expected": keys}));
        self.add("POST /mirror", Sent::Everywhere, json!({"body": {"json": {"texts": batch, "keys": keys}}}), checks);
    }

    /// Texts in plain-text, binary and multipart bodies.
    fn text_bodies(&mut self, batch: &[&str], sent: Sent) {
        let text = batch.join("\n");
        let plain = json!({"body": {"text": text, "media_type": "text/plain"}});
        self.add("PUT /sums", sent, plain, vec![arrived("body", &text)]);
        // JSON can escape unpaired surrogates, which no UTF-8 text can contain.
        let halves = text.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect::<String>();
        let halves = format!("[\"{halves}\\ud800\",\"\\udc00\\ud800\"]");
        let escaped = json!({"body": {"text": halves, "media_type": "application/json"}});
        self.add("PUT /sums", Sent::Everywhere, escaped, vec![arrived("body", &halves)]);
        let named = batch.iter().map(|text| json!({"name": text, "filename": text, "text": text}));
        let parts: Vec<Value> = named.collect();
        let written: Vec<Part> = parts.iter().map(|part| serde_json::from_value(part.clone()).unwrap()).collect();
        let checks = vec![arrived("body", multipart(&written))];
        self.add("PATCH /sums", sent, json!({"body": {"multipart": parts}}), checks);
    }

    /// Texts in headers and cookies.
    fn headers(&mut self, batch: &[&str], sent: Sent) {
        let names: Vec<String> = (0..batch.len()).map(|n| format!("x-t{n}")).collect();
        let headers: Vec<(&String, &&str)> = names.iter().zip(batch).collect();
        let mut checks: Vec<Value> =
            headers.iter().map(|(name, text)| arrived(&format!("headers.{name}"), text)).collect();
        let cookie = headers.iter().map(|(name, text)| format!("{name}={text}")).collect::<Vec<_>>().join("; ");
        checks.push(arrived("headers.cookie", cookie));
        self.add("GET /sums", sent, json!({"headers": headers, "cookies": headers}), checks);
    }

    fn what_else_cannot_be_sent(&mut self) {
        let cannot = [
            ("GET /sums/{p}", json!({"path": {"p": ".."}})),
            ("GET /sums/{p}/x", json!({"path": {"p": "."}})),
            ("GET /sums", json!({"headers": [["X\nY: z", "v"]]})),
            ("GET /sums", json!({"cookies": [["a", "b\r\nX: y"]]})),
            ("POST /sums", json!({"body": {"base64": "a*", "media_type": "a/b"}})),
            ("POST /sums", json!({"body": {"text": "", "media_type": "a/b\r\nX: y"}})),
        ];
        for (op, input) in cannot {
            self.add(op, Sent::Nowhere, input, vec![json!({"type": "status", "expected": 200})]);
        }
        let bytes = json!({"body": {"base64": "/wCA", "media_type": "a/b"}});
        self.add("POST /sums", Sent::NotByPostman, bytes, vec![arrived("body", [0xff, 0, 0x80])]);
    }

    /// Deviations of a runner's verdicts from the expected ones.
    fn wrong(&self, seen: &Verdicts, runner: &str) -> Vec<String> {
        let mut wrong = Vec::new();
        for (id, sent) in &self.expected {
            let is_sent = *sent == Sent::Everywhere || *sent == Sent::NotByPostman && runner != "newman";
            match (is_sent, seen.get(id)) {
                (true, Some(Verdict::Held)) => {}
                (false, Some(Verdict::LeftOut(why))) if !why.is_empty() => {}
                (_, other) => wrong.push(format!(
                    "{runner} {id}, to be sent: {is_sent}: {}",
                    format!("{other:?}").chars().take(700).collect::<String>()
                )),
            }
        }
        wrong
    }
}

/// Whether a header can carry this value.
fn fits_a_header(text: &str) -> bool {
    !text.contains(|c: char| c.is_ascii_control() && c != '\t') && text.trim_matches([' ', '\t']) == text
}

#[test]
fn every_text_arrives_through_every_runner_or_is_named() {
    let cases = Cases::all();
    let url = service();
    let mut wrong = cases.wrong(&runners::ours(&cases.suite, &url), "mastor");
    let export = Export::of("sums", "", &cases.suite);
    let folder = tempfile::Builder::new().prefix("mastor-arrives-").tempdir().unwrap();
    if !without("newman") {
        let dir = folder.path().join("postman");
        write(&postman::postman(&export).unwrap(), &dir);
        wrong.extend(cases.wrong(&runners::postman(&dir, &[("baseUrl", &url)]), "newman"));
    }
    if !without("maven") {
        let dir = folder.path().join("junit");
        write(&junit::junit(&export).unwrap(), &dir);
        wrong.extend(cases.wrong(&runners::maven(&dir, &[("MASTOR_BASE_URL", &url)]), "maven"));
    }
    assert!(
        wrong.is_empty(),
        "{} wrong of {}:\n{}",
        wrong.len(),
        cases.expected.len(),
        wrong[..wrong.len().min(30)].join("\n")
    );
}

#[test]
fn with_every_text_in_every_place_classes_compile_and_scripts_parse() {
    let suite = inert::suite(&inert::texts());
    let export = Export::of("hostile", "", &suite);
    let folder = tempfile::Builder::new().prefix("mastor-compiles-").tempdir().unwrap();
    if !without("newman") {
        write(&postman::postman(&export).unwrap(), folder.path());
        let script = "let n = 0; const walk = (it) => { for (const e of it.event || []) { new (require('vm').Script)(e.script.exec.join('\\n')); n++; }
            (it.item || []).forEach(walk); }; walk(JSON.parse(require('fs').readFileSync('collection.json'))); console.log(n);";
        let output = run("node", Command::new("node").args(["-e", script]).current_dir(folder.path()));
        let parsed: usize = String::from_utf8_lossy(&output.stdout).trim().parse().unwrap_or_default();
        assert!(parsed > 1000, "{parsed}: {}", String::from_utf8_lossy(&output.stderr));
    }
    if !without("maven") {
        write(&junit::junit(&export).unwrap(), folder.path());
        let output =
            run("maven", crate::support::maven().args(["-B", "-q", "-o", "test-compile"]).current_dir(folder.path()));
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stdout).chars().take(4000).collect::<String>()
        );
    }
}
