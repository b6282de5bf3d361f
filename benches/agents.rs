//! How close a run of the agents comes to its critical path, with replies of fixed latency: `cargo bench --bench agents [-- OPERATIONS MILLISECONDS]`.
//!
//! The critical path is the larger of the longest chain of calls (extraction, generation, review) and of all calls one after the other over the
//! number that may run at once; ratios are of one run.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "../tests/it/llm/server.rs"]
#[expect(dead_code, clippy::unwrap_used, reason = "a part of the tests, which use all of it")]
mod server;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use mastor::agents::desk::Kept;
use mastor::agents::{Brief, Bundle, BundleFile, Cite, Desk, OutputStore, Switches, run};
use mastor::llm::{Models, ModelsOptions, Redactor};
use mastor::types::model::ModelSettings;
use mastor::types::suite::evidence::Evidence;
use mastor::types::suite::oracle::{Candidate, Effect};
use mastor::types::suite::source_context::Entry;
use mastor::types::{Hash, Method, OpId};
use serde_json::json;

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let operations = numbers.first().copied().unwrap_or(64);
    let latency = Duration::from_millis(numbers.get(1).copied().unwrap_or(1000) as u64);
    let briefs: Vec<Brief> = (0..operations).map(brief).collect();
    for concurrency in [1, 4, 16, 64] {
        // One at a time, a sixteenth of the operations says as much.
        let briefs = if concurrency == 1 { &briefs[..operations.div_ceil(16)] } else { &briefs[..] };
        let (wall, calls) = timed(briefs, concurrency, latency);
        let chain = 3.0 * latency.as_secs_f64();
        let path = chain.max((calls.div_ceil(concurrency)) as f64 * latency.as_secs_f64());
        println!(
            "{concurrency:>3} at once: {calls} calls, wall {:.2} s, critical path {path:.2} s, ratio {:.3}",
            wall.as_secs_f64(),
            wall.as_secs_f64() / path
        );
    }
}

fn timed(briefs: &[Brief], concurrency: usize, latency: Duration) -> (Duration, usize) {
    let server = server::Server::start(move |received| {
        let task = received.user();
        let value = if task.contains("# Task: the source context") {
            json!({"success_status": 200})
        } else if task.contains("# Task: test oracles") {
            json!({"oracles": [{"test_id": "fv_a", "strategy": "fv", "input": {}, "evidence": ["F1:1"],
                "assertions": [{"type": "status", "expected": 200}, {"type": "body", "op": "not_empty"}]}]})
        } else if task.contains("# Task: which operations") {
            json!({"groups": []})
        } else {
            json!({"hints": []})
        };
        server::Reply::json(&value).after(latency)
    });
    let settings = ModelSettings {
        base_url: server.base_url.clone(),
        model: "fixed".to_owned(),
        key_env: None,
        headers: BTreeMap::new(),
        price: None,
        context: 128_000,
        max_output: 1000,
        concurrency,
        requests_per_minute: None,
        tokens_per_minute: None,
        within: Duration::from_secs(60),
    };
    let redactor = Redactor::new(&[], &[]).expect("no patterns");
    let models = Models::new(settings, None, ModelsOptions::default(), redactor).expect("a model");
    let store = OutputStore::new(None);
    let normalise = |_: &OpId, candidates: Vec<Candidate>| Kept { candidates, ..Kept::default() };
    let switches = Switches::default();
    let desk =
        Desk { briefs, others: &[], sequences: &[], models: &models, store: &store, switches, normalise: &normalise };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("threads");
    let begin = Instant::now();
    let finished = runtime.block_on(run(&desk, &|_| {}));
    let wall = begin.elapsed();
    assert!(finished.failed.is_empty(), "{:?}", finished.failed);
    (wall, server.count())
}

fn brief(n: usize) -> Brief {
    let evidence = Evidence { symbol: format!("A{n}#x()"), tokens_sha256: Hash::of(b"x") };
    let file = BundleFile {
        path: format!("A{n}.java"),
        lines: (1..200).map(|line| (line, format!("    int v{line} = compute({n});"))).collect(),
        cites: vec![Cite { lines: 1..=200, evidence }],
        shared: false,
    };
    Brief {
        op_id: OpId::new(Method::Post, &format!("/a{n}")),
        entry: Entry { class: format!("A{n}"), method: "x()".to_owned() },
        document: None,
        bundle: Bundle { files: vec![file], ..Bundle::default() },
        derived: None,
        effect: Effect::Writes,
        users: Vec::new(),
        assumptions: Vec::new(),
        calls: Default::default(),
        survivors: Vec::new(),
        branches: Vec::new(),
    }
}
