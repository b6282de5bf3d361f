//! Checks per second against newman running the exported collection, in one run: `cargo bench --bench check -- [ORACLES]`.
//!
//! The stub answers at once, or after a fixed time, so that what is measured is ours. newman is taken from the folder that `MASTOR_TOOLS`
//! names (`tests/tools.sh` installs it); without it, its column is left out.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mastor::probe::auth::Users;
use mastor::probe::http::Limits;
use mastor::probe::job::Job;
use mastor::probe::runs::run::{Options, Target, run, runtime};
use mastor::publish::Export;
use mastor::publish::exports::postman;
use mastor::suite::{OperationSuite, Suite};
use mastor::types::OpId;
use mastor::types::event::Events;
use mastor::types::results::outcome::RunVerdict;
use mastor::types::suite::oracle::Oracle;
use mastor::types::suite::source_context::{ResponseSchema, SourceContext};
use serde_json::json;

type Error = Box<dyn std::error::Error>;

const BODY: &str =
    r#"{"id":4711,"name":"chair","price":12.5,"tags":["a","b","c"],"stock":{"warehouse":"north","count":3}}"#;

fn main() -> Result<(), Error> {
    let count = std::env::args().skip(1).find_map(|arg| arg.parse().ok()).unwrap_or(1000);
    let suite = suite(count)?;
    let mut out = std::io::stdout().lock();
    let newman = newman(&suite, &stub(Duration::ZERO).0)?;
    writeln!(out, "{count} oracles, 6 checks each\n")?;
    writeln!(
        out,
        "| stub | runner | seconds | oracles a second | service's own seconds | wall / own | against newman |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|")?;
    if let Some(seconds) = newman {
        writeln!(out, "| at once | newman | {seconds:.2} | {:.0} | | | 1.0 |", count as f64 / seconds)?;
    }
    for (name, takes) in [("at once", Duration::ZERO), ("5 ms", Duration::from_millis(5))] {
        for concurrency in [1, 16] {
            let (url, own) = stub(takes);
            let seconds = check(&suite, &url, concurrency)?;
            let own = own.load(Ordering::Relaxed) as f64 / 1e6;
            let times = newman.filter(|_| takes.is_zero()).map(|newman| format!("{:.1}", newman / seconds));
            writeln!(
                out,
                "| {name} | mastor, concurrency {concurrency} | {seconds:.2} | {:.0} | {own:.2} | {:.2} | {} |",
                count as f64 / seconds,
                seconds / own,
                times.unwrap_or_default(),
            )?;
        }
    }
    Ok(())
}

/// Seconds that the suite takes, all of which must hold.
fn check(suite: &Suite, url: &str, concurrency: usize) -> Result<f64, Error> {
    let jobs: Vec<Arc<Job>> = Job::of_suite(suite).into_iter().map(Arc::new).collect();
    let target = Arc::new(Target::new(url, Users::none(), Limits::default(), concurrency)?);
    let options = Options { concurrency, ..Options::default() };
    runtime(concurrency)?.block_on(async {
        let started = Instant::now();
        let outcomes = run(&target, &jobs, &options, &Events::silent()).await;
        let seconds = started.elapsed().as_secs_f64();
        match outcomes.iter().find(|outcome| outcome.verdict != RunVerdict::Held) {
            Some(other) => Err(format!("{:?}", other.misses).into()),
            None => Ok(seconds),
        }
    })
}

/// Seconds from newman's first request to its last; none where it is not installed.
fn newman(suite: &Suite, url: &str) -> Result<Option<f64>, Error> {
    let tools = std::env::var_os("MASTOR_TOOLS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools"), PathBuf::from);
    let program = tools.join("node_modules/.bin/newman");
    if !program.exists() {
        return Ok(None);
    }
    let dir = tempfile::tempdir()?;
    for (path, bytes) in postman::postman(&Export::of("bench", "", suite))?.files {
        std::fs::write(dir.path().join(path), bytes)?;
    }
    let arguments = [
        "run",
        "collection.json",
        "-e",
        "environment.json",
        "--reporters",
        "json",
        "--reporter-json-export",
        "out.json",
    ];
    Command::new(program)
        .args(arguments)
        .args(["--env-var", &format!("baseUrl={url}")])
        .current_dir(dir.path())
        .status()?;
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(dir.path().join("out.json"))?)?;
    let timings = &report["run"]["timings"];
    if report["run"]["failures"].as_array().is_none_or(|failures| !failures.is_empty()) {
        return Err("newman saw failures".into());
    }
    let millis = timings["completed"].as_f64().unwrap_or_default() - timings["started"].as_f64().unwrap_or_default();
    Ok(Some(millis / 1000.0))
}

fn suite(count: usize) -> Result<Suite, Error> {
    let op_id = OpId::parse("GET /orders/{id}").ok_or("no operation")?;
    let oracle = |n: usize| -> Result<Oracle, serde_json::Error> {
        serde_json::from_value(json!({
            "o_id": format!("{n:016x}"), "op_id": op_id, "test_id": format!("fv_{n}"), "description": "An order is read", "strategy": "fv",
            "as": "anonymous", "input": {"path": {"id": n.to_string()}, "query": [["lang", "en"]]},
            "assertions": [
                {"type": "status", "expected": 200},
                {"type": "body", "op": "media_type", "expected": "application/json"},
                {"type": "field", "path": "", "op": "keys", "expected": ["id", "name", "price", "tags", "stock"]},
                {"type": "field", "path": "name", "op": "equals", "expected": "chair"},
                {"type": "field", "path": "tags", "op": "length", "expected": 3},
                {"type": "field", "path": "stock.count", "op": "gte", "expected": 0},
            ],
            "effect": "reads", "evidence": [], "rationale": "", "origin": {"engine": "human", "model": null, "challenger": "skipped"},
            "confirmation": {"state": "unconfirmed", "runs": 0},
        }))
    };
    let context = SourceContext {
        op_id: op_id.clone(),
        entry: None,
        matched_by: None,
        request_params: vec![],
        response_schema: ResponseSchema::default(),
        request_params_pending: vec![],
        response_schema_pending: vec![],
        evidence: Default::default(),
    };
    let oracles = (0..count).map(oracle).collect::<Result<_, _>>()?;
    let mut suite = Suite::default();
    suite.operations.insert(op_id.clone(), OperationSuite::new(context, oracles));
    Ok(suite)
}

/// A service that takes this long for an answer: its URL, and the microseconds that it took in all, from the last byte of a request to the
/// last of the answer.
fn stub(takes: Duration) -> (String, Arc<AtomicU64>) {
    let own = Arc::new(AtomicU64::new(0));
    let Ok(listener) = TcpListener::bind("127.0.0.1:0") else { return (String::new(), own) };
    let url = listener.local_addr().map(|address| format!("http://{address}")).unwrap_or_default();
    let shared = Arc::clone(&own);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let own = Arc::clone(&shared);
            std::thread::spawn(move || serve(stream, takes, &own));
        }
    });
    (url, own)
}

fn serve(stream: TcpStream, takes: Duration, own: &AtomicU64) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let answer =
        format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{BODY}", BODY.len());
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            match line.trim_end().to_ascii_lowercase().split_once(": ") {
                Some(("content-length", value)) => length = value.parse().unwrap_or(0),
                None if line.trim_end().is_empty() => break,
                _ => {}
            }
        }
        reader.read_exact(&mut vec![0; length])?;
        let started = Instant::now();
        if !takes.is_zero() {
            std::thread::sleep(takes);
        }
        (&stream).write_all(answer.as_bytes())?;
        own.fetch_add(u64::try_from(started.elapsed().as_micros()).unwrap_or_default(), Ordering::Relaxed);
    }
}
