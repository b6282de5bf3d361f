//! A sample report and suite for tests, with hostile text wherever text comes from code or documents.

use serde_json::json;

use mastor_suite::{OperationSuite, Suite};
use mastor_types::Method;
use mastor_types::hash::Hash;
use mastor_types::manifest::Changed;
use mastor_types::op_id::OpId;
use mastor_types::results::change::{Change, ChangeEffect, ChangeKind, Drift, DriftKind, Place, Witness};
use mastor_types::results::compared::{ComparedOperation, Comparison, Difference, Stop};
use mastor_types::results::plan::{Because, Chain, Plan, PlannedOperation, Since, State};
use mastor_types::results::report::{
    Exit, Generated, GeneratedOperation, Ignored, Level, Report, ServiceReport, Totals, Usage, Verdict, Why,
    by_strategy,
};
use mastor_types::suite::evidence::Evidence;
use mastor_types::suite::input::Input;
use mastor_types::suite::oracle::Strategy;
use mastor_types::warning::Warning;

/// Text that imitates markup, a mention, a link, the end of a comment, and templates.
pub(super) const HOSTILE: &str = "a|b `c` <img src=x> @someone #12 https://x.example [l](http://y) *b* </script> */ \\u000a {{baseUrl}} ${x} \"q\" \\ \n# h";

pub(super) fn op(path: &str) -> OpId {
    OpId::new(Method::Get, path)
}

fn place(line: u32) -> Place {
    Place {
        file: "src/main/java/com/acme/Orders.java".into(),
        line,
        end_line: line,
        symbol: "com.acme.Orders#find(String)".into(),
    }
}

pub(super) fn change(path: &str, what: &str, decision: bool) -> Change {
    let effect = if decision { ChangeEffect::Breaking } else { ChangeEffect::Additive };
    Change {
        needs_decision: decision,
        o_id: decision.then(|| "0123456789abcdef".to_owned()),
        witness: Some(Witness {
            as_user: mastor_types::suite::request::ANONYMOUS.to_owned(),
            input: Input { path: [("id".to_owned(), "4711".to_owned())].into(), ..Input::default() },
            before: "200 {\"id\":4711}".into(),
            after: "404".into(),
        }),
        before: Some("200".into()),
        after: Some("404".into()),
        evidence_before: Some(place(31)),
        evidence_after: Some(place(34)),
        ..Change::new(&op(path), ChangeKind::Derived, effect, what.to_owned())
    }
}

fn compared(path: &str) -> ComparedOperation {
    ComparedOperation {
        op_id: op(path),
        state: Comparison::Changed,
        requests: 3,
        assumes: vec![],
        stopped: vec![],
        open_inputs: vec![],
    }
}

pub(super) fn service(name: &str) -> ServiceReport {
    let planned = |path: &str, state| PlannedOperation {
        op_id: op(path),
        was: None,
        state,
        because: match state {
            State::Inherited => vec![],
            _ => vec![
                Because { input: "com.acme.Orders#find(String)".into(), change: Changed::Changed },
                Because { input: "com.acme.Orders#limit".into(), change: Changed::Added },
            ],
        },
    };
    let since =
        Since { reference: "main".into(), merge_base: "1".repeat(40), head: "work tree".into(), head_sha: None };
    let mut decision = change("/orders/{id}", "answers 404 where it answered 200 (archived orders)", true);
    decision.also.push(change("/orders", "the wording of message: \"a\" → \"b\"", false));
    let operations = vec![
        planned("/orders/{id}", State::Affected),
        planned("/orders", State::Affected),
        planned("/health", State::Inherited),
        planned("/news", State::New),
    ];
    ServiceReport {
        name: name.to_owned(),
        plan: Plan::new(Some(since), operations, vec![op("/orders")]),
        why: vec![Why {
            op_id: op("/orders/{id}"),
            chains: vec![Chain {
                changed: "com.acme.Orders#find(String)".into(),
                path: vec!["com.acme.OrderController#get(String)".into(), "com.acme.Orders#find(String) (call)".into()],
            }],
            left_out: 0,
        }],
        generate: Generated {
            agents: None,
            planned: None,
            slices: None,
            operations: vec![
                GeneratedOperation {
                    op_id: op("/orders/{id}"),
                    oracles: 4,
                    assumed: 0,
                    added: 1,
                    proposed: 1,
                    by_strategy: by_strategy([Strategy::Fv, Strategy::Fi]),
                    dropped: vec![],
                    notes: vec![],
                },
                GeneratedOperation {
                    op_id: op("/news"),
                    oracles: 0,
                    assumed: 0,
                    added: 0,
                    proposed: 0,
                    by_strategy: by_strategy([]),
                    dropped: vec![],
                    notes: vec!["the body comes from a library that is not known".into()],
                },
            ],
            sequences: 0,
            confirm: None,
            totals: Totals { oracles: 4, assumed: 0, sequences: 0, verified: 9, pending: 2 },
            usage: Usage { seconds: 1.5, ..Usage::default() },
        },
        level: Level::Derived,
        changes: vec![change("/orders", "gives a new field total", false), decision],
        compared: vec![compared("/orders"), compared("/orders/{id}")],
        differences: vec![],
        drift: vec![Drift {
            op_id: op("/orders"),
            kind: DriftKind::UndocumentedStatus,
            what: "the code answers 409, which the document lacks".into(),
            code: Some(place(40)),
            document: Some("openapi.yaml#/paths/~1orders".into()),
        }],
        ignored: vec![Ignored {
            what: "updatedAt of GET /orders".into(),
            reason: "time".into(),
            until: Some("2027-03-01".into()),
        }],
        warnings: vec![Warning::new("parse-error", "read in part", Some("src/main/java/com/acme/Broken.java")).at(7)],
        notes: vec![],
        check: None,
        confirm: None,
        strength: None,
        has_suite: true,
        suite_operations: 2,
        verdict: Verdict::NeedsDecision,
        artifacts: vec![".mastor/out/report.md".into()],
    }
}

pub(super) fn report(services: Vec<ServiceReport>) -> Report {
    Report {
        schema_version: 1,
        command: "ci".into(),
        services,
        exit: Exit { code: 1, name: "behaviour-change".into() },
        seconds: 2.25,
    }
}

/// The sample report with hostile text in every untrusted place.
pub(super) fn hostile() -> Report {
    let mut service = service(HOSTILE);
    let also = service.changes.iter_mut().flat_map(|change| std::mem::take(&mut change.also)).collect::<Vec<_>>();
    service.changes.extend(also);
    for change in &mut service.changes {
        change.what = HOSTILE.into();
        change.before = Some(HOSTILE.into());
        if let Some(witness) = &mut change.witness {
            witness.before = HOSTILE.into();
            witness.after = HOSTILE.into();
        }
        if let Some(place) = &mut change.evidence_after {
            place.file = HOSTILE.into();
            place.symbol = HOSTILE.into();
        }
    }
    let last = service.changes.pop();
    service.changes[0].also.extend(last);
    for operation in &mut service.plan.operations {
        for because in &mut operation.because {
            because.input = HOSTILE.into();
        }
    }
    service.compared[0].state = Comparison::Undecided;
    service.compared[0].stopped = vec![Stop { file: Some(HOSTILE.into()), ..Stop::of(HOSTILE) }];
    service.differences = vec![Difference {
        input: HOSTILE.into(),
        file: Some(HOSTILE.into()),
        line: Some(3),
        lines: vec![format!("-{HOSTILE}"), "+```".into()],
    }];
    service.why[0].chains[0].path = vec![HOSTILE.into(), HOSTILE.into()];
    service.generate.operations[1].notes = vec![HOSTILE.into()];
    service.drift[0].what = HOSTILE.into();
    service.ignored[0].reason = HOSTILE.into();
    service.warnings[0].message = HOSTILE.into();
    service.artifacts = vec![HOSTILE.into()];
    let mut other = service.clone();
    other.name = "b".into();
    report(vec![service, other])
}

/// A suite of one operation and one sequence, as the rules engine makes it.
pub(super) fn suite() -> Suite {
    let cited = Evidence { symbol: "com.acme.Orders#find(String)".into(), tokens_sha256: Hash::of(b"x") };
    let context = json!({
        "op_id": "GET /orders/{id}",
        "entry": {"class": "com.acme.OrderController", "method": "get(String)"},
        "request_params": [{"name": "id", "location": "path", "type": "String", "required": true, "oas_match": true, "evidence": cited.id(),
            "constraints": [{"kind": "length", "min": 2, "max": 3, "evidence": cited.id()}, {"kind": "pattern", "regex": "a|b", "evidence": cited.id()}]}],
        "response_schema": {"success_status": 200,
            "fields": [{"path": "name", "type": "String", "nullable": null, "evidence": cited.id()}],
            "error_cases": [{"status": 404, "condition": "no order has this id", "evidence": cited.id()}]},
        "request_params_pending": [],
        "response_schema_pending": [{"status": 401, "oas_claim": "Unauthorized", "reason": "no code says so"}],
        "evidence": {cited.id().as_str(): cited},
    });
    let oracle = json!({
        "o_id": "0123456789abcdef", "op_id": "GET /orders/{id}", "test_id": "fi_id_too_short", "description": "An id that is too short is refused",
        "strategy": "fi", "as": "clerk", "input": {"path": {"id": "a/b"}, "query": [["lang", "en"]]},
        "assertions": [{"type": "status", "expected": 400}, {"type": "field", "path": "message", "op": "equals", "expected": HOSTILE},
                       {"type": "body", "op": "media_type", "expected": "application/json", "source": "observed"}],
        "effect": "reads", "given": [{"row": "an empty table", "evidence": cited.id()}], "evidence": [cited.id()],
        "rationale": "find refuses ids of less than two characters",
        "origin": {"engine": "rules", "model": null, "challenger": "skipped"}, "confirmation": {"state": "unconfirmed", "runs": 0},
    });
    let sequence = json!({
        "s_id": "fedcba9876543210", "test_id": "created_orders_can_be_read", "description": "What is created can be read",
        "pattern": "identifier_flow", "effect": "writes", "evidence": [cited.id()],
        "steps": [
            {"op_id": "POST /orders", "as": "anonymous", "input": {"body": {"json": {"name": "x"}}}, "captures": {"id": "body:id"},
             "assertions": [{"type": "status", "expected": 201}]},
            {"op_id": "GET /orders/{id}", "as": "anonymous", "input": {"path": {"id": ""}}, "binds": {"path.id": "$captures.id"},
             "assertions": [{"type": "field", "path": "id", "op": "equals", "expected": "$captures.id"}]},
        ],
        "origin": {"engine": "rules", "model": null, "challenger": "skipped"}, "confirmation": {"state": "unconfirmed", "runs": 0},
    });
    let mut suite = Suite::default();
    let operation = OperationSuite {
        context: serde_json::from_value(context).unwrap(),
        oracles: vec![serde_json::from_value(oracle).unwrap()],
        accepted: vec![],
        refuted: vec![],
        assumptions: vec![],
    };
    suite.operations.insert(op("/orders/{id}"), operation);
    suite.sequences.insert(OpId::new(Method::Post, "/orders"), vec![serde_json::from_value(sequence).unwrap()]);
    suite
}
